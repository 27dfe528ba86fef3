//! Converts FITS files to and from nodes of a tree.

use asdf_core::array::ByteOrder;
use asdf_core::source::Bytes;
use asdf_core::tree::{Kind, NodeId, NodeRef, Tree};
use asdf_core::value::{Kinds, OwnTag};
use asdf_core::{Asdf, Datatype, Error, FromNode, NdArray, Result, ToNode};
use asdf_schemas::table as standard;

use crate::card::Card;
use crate::fits::Fits;
use crate::hdu::{Data, Hdu, Stored};
use crate::table::{Column, Table};

/// The tag of astropy's tables, which the schema of FITS files requires.
const TABLE: &str = "tag:astropy.org:astropy/table/table-1.3.0";
/// The key of the bytes of a unit. asdf-astropy ignores this key.
const STORED: &str = "stored";

impl Asdf for Fits {
    const TAG: &'static str = "tag:astropy.org:astropy/fits/fits-1.2.0";
    const ACCEPTS: &'static [&'static str] =
        &["tag:astropy.org:astropy/fits/fits-1.*", "tag:stsci.edu:asdf/fits/fits-1.*"];
}

impl FromNode for Fits {
    const TYPES: Kinds = Kinds::SEQUENCE;
    const OWN_TAG: OwnTag = OwnTag::OneOf(&[Self::TAG]);

    fn from_node(node: NodeRef<'_>) -> Result<Self> {
        if node.kind() != Kind::Sequence {
            return node.fail("a list of FITS header/data units");
        }
        let hdus =
            node.items().enumerate().map(|(index, item)| hdu(item).map_err(|error| error.under(index)));
        Ok(Self { hdus: hdus.collect::<Result<_>>()? })
    }

    fn accepts_tag(tag: &str) -> bool {
        Self::ACCEPTS.iter().any(|pattern| asdf_core::tree::tag_matches(pattern, tag))
    }
}

fn hdu(node: NodeRef<'_>) -> Result<Hdu> {
    let header = node.get("header").ok_or_else(|| node.error("the HDU has no `header`"))?;
    let cards = header
        .items()
        .enumerate()
        .map(|(index, card)| Card::from_node(card).map_err(|error| error.under(index).under("header")));
    let mut hdu = Hdu::new(cards.collect::<Result<_>>()?);
    let present = |key: &str| node.get(key).filter(|value| !value.is_null());
    if let Some(data) = present("data") {
        let read = if data.tag().is_some_and(NdArray::accepts_tag) {
            image(data)
        } else {
            table(data).map(Data::Table)
        };
        hdu.data = Some(read.map_err(|error| error.under("data"))?);
    }
    if let Some(stored) = present(STORED) {
        hdu.stored = Some(Stored::Array(NdArray::from_node(stored).map_err(|error| error.under(STORED))?));
    }
    Ok(hdu)
}

/// Reads an array: a table if its elements are records, else an image.
fn image(node: NodeRef<'_>) -> Result<Data> {
    let array = NdArray::from_node(node)?;
    let Datatype::Struct(fields) = array.datatype() else { return Ok(Data::Image(array)) };
    let mut columns = Vec::new();
    for field in fields {
        let name = field.name.as_deref().unwrap_or_default();
        columns.push(Column::new(name, array.field(name)?));
    }
    Table::new(columns).map(Data::Table)
}

/// Reads a table of the standard or of astropy.
fn table(node: NodeRef<'_>) -> Result<Table> {
    let Some(list) = node.get("columns").filter(|list| list.kind() == Kind::Sequence) else {
        return node.fail("an image or a table");
    };
    let names = node.get("colnames");
    let mut columns = Vec::new();
    for (index, item) in list.items().enumerate() {
        let name = names.and_then(|names| names.item(index)).and_then(NodeRef::as_str);
        columns.push(column(item, name).map_err(|error| error.under(index).under("columns"))?);
    }
    Table::new(columns).map_err(|error| node.place(error))
}

/// Reads a column of such a table, a quantity, or a bare array.
fn column(node: NodeRef<'_>, name: Option<&str>) -> Result<Column> {
    let name = name.or_else(|| node.get("name").and_then(NodeRef::as_str)).unwrap_or_default();
    if node.tag().is_some_and(NdArray::accepts_tag) {
        return Ok(Column::new(name, NdArray::from_node(node)?));
    }
    let Some((key, data)) = ["data", "value"].iter().find_map(|key| Some((key, node.get(key)?))) else {
        return node.fail("a column of numbers, booleans or text");
    };
    if !data.tag().is_some_and(NdArray::accepts_tag) {
        return data.fail("an array").map_err(|error: Error| error.under(key));
    }
    // astropy's units have other tags than the standard's. FITS needs only the text.
    let unit = node.get("unit").and_then(NodeRef::text).map(str::to_owned);
    let data = NdArray::from_node(data).map_err(|error| error.under(key))?;
    Ok(Column { name: name.to_owned(), unit: unit.filter(|unit| !unit.is_empty()), data })
}

impl ToNode for Fits {
    fn to_node(&self, tree: &mut Tree) -> Result<NodeId> {
        let mut items = Vec::new();
        for (index, hdu) in self.hdus.iter().enumerate() {
            items.push(hdu.to_node(tree).map_err(|error| error.under(index))?);
        }
        let id = tree.add_sequence(items);
        tree.set_tag(id, Some(Self::TAG));
        Ok(id)
    }
}

impl ToNode for Hdu {
    fn to_node(&self, tree: &mut Tree) -> Result<NodeId> {
        let id = tree.add_mapping([]);
        let mut cards = Vec::new();
        for card in &self.header {
            cards.push(card.to_node(tree)?);
        }
        let header = tree.add_sequence(cards);
        tree.insert(id, "header", header);
        if let Some(data) = &self.data {
            let data = data.to_node(tree)?;
            tree.insert(id, "data", data);
        }
        if let Some(stored) = &self.stored {
            let stored = stored.array()?.to_node(tree)?;
            tree.insert(id, STORED, stored);
        }
        Ok(id)
    }
}

impl ToNode for Data {
    fn to_node(&self, tree: &mut Tree) -> Result<NodeId> {
        match self {
            Self::Image(image) => image.to_node(tree),
            Self::Table(table) => table.to_node(tree),
        }
    }
}

impl ToNode for Table {
    fn to_node(&self, tree: &mut Tree) -> Result<NodeId> {
        let mut columns = Vec::new();
        let mut names = Vec::new();
        for column in &self.columns {
            names.push(tree.add_str(&column.name));
            let own = standard::Column::from_array(&column.name, column.data.clone());
            columns.push(match (own, column.unit.as_deref()) {
                // The standard does not allow every name. `colnames` holds the name of a bare array.
                (Err(_), _) => column.data.to_node(tree)?,
                (Ok(own), None) => own.to_node(tree)?,
                (Ok(own), Some(unit)) => match own.clone().with_unit(unit) {
                    Ok(with_unit) => with_unit.to_node(tree)?,
                    Err(_) => own.to_node(tree)?,
                },
            });
        }
        let id = tree.add_mapping([]);
        let columns = tree.add_sequence(columns);
        tree.insert(id, "columns", columns);
        let names = tree.add_sequence(names);
        tree.insert(id, "colnames", names);
        let plain = tree.add_bool(false);
        tree.insert(id, "qtable", plain);
        tree.set_tag(id, Some(TABLE));
        Ok(id)
    }
}

impl Stored {
    /// Returns the bytes as an array.
    pub(crate) fn array(&self) -> Result<NdArray> {
        match self {
            Self::Array(array) => Ok(array.clone()),
            Self::Bytes(bytes) => {
                NdArray::from_bytes(Datatype::Uint8, ByteOrder::Big, &[bytes.len() as u64], bytes.clone())
            }
        }
    }

    /// Returns the bytes, which may have to be read from a block.
    pub(crate) fn bytes(&self) -> Result<Bytes> {
        match self {
            Self::Bytes(bytes) => Ok(bytes.clone()),
            Self::Array(array) => array.read::<u8>().map(Bytes::from),
        }
    }
}
