//! Datatypes: the types of the elements of arrays.

use std::fmt;

use super::ByteOrder;
use crate::error::{Error, Result};
use crate::tree::{Kind, NodeId, NodeRef, Style, Tree};
use crate::value::{FromNode, Kinds, ToNode, read};

/// The type of one element of an array: the standard's `datatype`.
///
/// # Beyond the standard
///
/// `int128`, `uint128` and `complex32` are extensions of ASDF.jl and asdf-cxx. They are read and written as
/// those programs do, with the tag of every ndarray. The standard's schemas forbid them, so a file that uses
/// them is not valid, and Python's asdf does not read such an array. Use them only in files for programs that
/// know them. They are written only on request, by name.
///
/// # Examples
/// ```
/// use asdf_core::{Datatype, NdArray, array::Field};
///
/// let array = NdArray::new(&[2], &[1.5_f32, 2.5])?;
/// assert_eq!(array.datatype(), &Datatype::Float32);
/// assert_eq!(array.datatype().to_string(), "float32"); // as in the file
///
/// let record = Datatype::Struct(vec![Field::new("name", Datatype::Ascii(8)), Field::new("flux", Datatype::Float64)]);
/// assert_eq!(record.size()?, 16);
/// assert_eq!(record.to_string(), "[{name: name, datatype: [ascii, 8]}, {name: flux, datatype: float64}]");
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[doc(alias = "dtype")]
pub enum Datatype {
    /// `int8`
    Int8,
    /// `int16`
    Int16,
    /// `int32`
    Int32,
    /// `int64`
    Int64,
    /// `uint8`
    Uint8,
    /// `uint16`
    Uint16,
    /// `uint32`
    Uint32,
    /// `uint64`
    Uint64,
    /// `float16`: IEEE 754 binary16, since version 1.6.0 of the standard
    Float16,
    /// `float32`: IEEE 754 binary32
    Float32,
    /// `float64`: IEEE 754 binary64
    Float64,
    /// `int128`: not in the standard, see [below](Self#beyond-the-standard)
    Int128,
    /// `uint128`: not in the standard, see [below](Self#beyond-the-standard)
    Uint128,
    /// `complex32`: real and imaginary part, each a `float16`; not in the standard, see
    /// [below](Self#beyond-the-standard)
    Complex32,
    /// `complex64`: real and imaginary part, each a `float32`
    Complex64,
    /// `complex128`: real and imaginary part, each a `float64`
    Complex128,
    /// `bool8`: one byte; 0 is false
    Bool8,
    /// `[ascii, N]`: N bytes of ASCII text, padded with zeros
    Ascii(u64),
    /// `[ucs4, N]`: N characters of four bytes each, in the array's byte order, padded with zeros
    Ucs4(u64),
    /// A record of fields, packed without padding.
    Struct(Vec<Field>),
}

/// A field of a structured datatype.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Field {
    /// The name, if the field has one.
    pub name: Option<String>,
    /// The datatype of the field.
    pub datatype: Datatype,
    /// The byte order of the field, if it is not the array's.
    pub byteorder: Option<ByteOrder>,
    /// The shape of a field that is itself an array, in C order; empty for a single value.
    pub shape: Vec<u64>,
}

const SCALARS: [(&str, Datatype); 17] = [
    ("int8", Datatype::Int8),
    ("int16", Datatype::Int16),
    ("int32", Datatype::Int32),
    ("int64", Datatype::Int64),
    ("uint8", Datatype::Uint8),
    ("uint16", Datatype::Uint16),
    ("uint32", Datatype::Uint32),
    ("uint64", Datatype::Uint64),
    ("float16", Datatype::Float16),
    ("float32", Datatype::Float32),
    ("float64", Datatype::Float64),
    ("complex64", Datatype::Complex64),
    ("complex128", Datatype::Complex128),
    ("bool8", Datatype::Bool8),
    ("int128", Datatype::Int128),
    ("uint128", Datatype::Uint128),
    ("complex32", Datatype::Complex32),
];

impl Datatype {
    /// Returns the datatype with a name such as `float32`. Strings and records have no names.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        SCALARS.iter().find(|(own, _)| *own == name).map(|(_, datatype)| datatype.clone())
    }

    /// Returns the name of a numeric or boolean datatype.
    #[must_use]
    pub fn name(&self) -> Option<&'static str> {
        SCALARS.iter().find(|(_, datatype)| datatype == self).map(|(name, _)| *name)
    }

    /// Returns the number of bytes of one element.
    ///
    /// # Examples
    /// ```
    /// use asdf_core::Datatype;
    ///
    /// assert_eq!(Datatype::Complex128.size()?, 16);
    /// assert_eq!(Datatype::Ucs4(10).size()?, 40);
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Limit`](crate::error::Kind::Limit) if it does not fit 64 bits.
    #[doc(alias = "itemsize")]
    pub fn size(&self) -> Result<u64> {
        let too_large = || Error::limit(format!("an element of datatype {self} is larger than 2^64 bytes"));
        Ok(match self {
            Self::Int8 | Self::Uint8 | Self::Bool8 => 1,
            Self::Int16 | Self::Uint16 | Self::Float16 => 2,
            Self::Int32 | Self::Uint32 | Self::Float32 | Self::Complex32 => 4,
            Self::Int64 | Self::Uint64 | Self::Float64 | Self::Complex64 => 8,
            Self::Complex128 | Self::Int128 | Self::Uint128 => 16,
            Self::Ascii(length) => *length,
            Self::Ucs4(length) => length.checked_mul(4).ok_or_else(too_large)?,
            Self::Struct(fields) => {
                let mut size: u64 = 0;
                for field in fields {
                    size = size.checked_add(field.size()?).ok_or_else(too_large)?;
                }
                size
            }
        })
    }

    /// Returns whether the datatype is in the standard; see [above](Self#beyond-the-standard).
    ///
    /// A structured datatype is in the standard if all of its fields are.
    #[must_use]
    pub fn is_standard(&self) -> bool {
        match self {
            Self::Int128 | Self::Uint128 | Self::Complex32 => false,
            Self::Struct(fields) => fields.iter().all(|field| field.datatype.is_standard()),
            _ => true,
        }
    }

    /// Returns the same datatype without byte orders of its fields, as it is once all bytes are in one order.
    pub(crate) fn without_byteorder(&self) -> Self {
        let field = |field: &Field| Field {
            byteorder: None,
            datatype: field.datatype.without_byteorder(),
            ..field.clone()
        };
        match self {
            Self::Struct(fields) => Self::Struct(fields.iter().map(field).collect()),
            _ => self.clone(),
        }
    }

    /// Returns the pieces of one element that are reversed when the byte order changes. Each is an offset and
    /// a width in bytes, with the byte order that a field sets.
    pub(super) fn pieces(&self) -> Result<Vec<(usize, usize, Option<ByteOrder>)>> {
        let mut pieces = Vec::new();
        self.collect_pieces(0, None, &mut pieces)?;
        Ok(pieces)
    }

    fn collect_pieces(
        &self,
        at: usize,
        order: Option<ByteOrder>,
        pieces: &mut Vec<(usize, usize, Option<ByteOrder>)>,
    ) -> Result<()> {
        /// No real table has records of more pieces than this.
        const MOST: usize = 1 << 20;
        let repeat = match self {
            Self::Struct(fields) => {
                let mut at = at;
                for field in fields {
                    let order = field.byteorder.or(order);
                    let size = to_usize(field.datatype.size()?)?;
                    for _ in 0..to_usize(field.count()?)? {
                        field.datatype.collect_pieces(at, order, pieces)?;
                        at = at.saturating_add(size);
                    }
                }
                return Ok(());
            }
            Self::Ascii(_) => return Ok(()),
            Self::Ucs4(length) => (4, to_usize(*length)?),
            Self::Complex32 => (2, 2),
            Self::Complex64 => (4, 2),
            Self::Complex128 => (8, 2),
            _ => (to_usize(self.size()?)?, 1),
        };
        let (width, count) = repeat;
        if pieces.len().saturating_add(count) > MOST {
            return Err(Error::limit(format!("an element of datatype {self} has more than {MOST} numbers")));
        }
        pieces.extend((0..count).map(|index| (at.saturating_add(index * width), width, order)));
        Ok(())
    }
}

impl Field {
    /// Makes a field of one value.
    #[must_use]
    pub fn new(name: impl Into<String>, datatype: Datatype) -> Self {
        Self { name: Some(name.into()), datatype, byteorder: None, shape: Vec::new() }
    }

    /// Returns the number of values in the field: 1, or the product of its shape.
    pub(super) fn count(&self) -> Result<u64> {
        let product = self.shape.iter().try_fold(1_u64, |product, &n| product.checked_mul(n));
        product.ok_or_else(|| {
            Error::limit(format!("a field of shape {:?} is larger than 2^64 bytes", self.shape))
        })
    }

    /// Returns the number of bytes of the field.
    pub(super) fn size(&self) -> Result<u64> {
        let size = self.datatype.size()?.checked_mul(self.count()?);
        size.ok_or_else(|| {
            Error::limit(format!("a field of shape {:?} is larger than 2^64 bytes", self.shape))
        })
    }
}

pub(super) fn to_usize(value: u64) -> Result<usize> {
    usize::try_from(value).map_err(|_| Error::beyond_memory(value))
}

impl fmt::Display for Datatype {
    /// Writes the datatype as the standard does, in flow style: `float32`, `[ascii, 4]`,
    /// `[{name: a, datatype: int8}]`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ascii(length) => write!(f, "[ascii, {length}]"),
            Self::Ucs4(length) => write!(f, "[ucs4, {length}]"),
            Self::Struct(fields) => {
                f.write_str("[")?;
                for (index, field) in fields.iter().enumerate() {
                    f.write_str(if index > 0 { ", " } else { "" })?;
                    if field.is_bare() {
                        write!(f, "{}", field.datatype)?;
                        continue;
                    }
                    match &field.name {
                        Some(name) => write!(f, "{{name: {}, datatype: ", name.escape_debug())?,
                        None => f.write_str("{datatype: ")?,
                    }
                    write!(f, "{}", field.datatype)?;
                    if let Some(order) = field.byteorder {
                        write!(f, ", byteorder: {order}")?;
                    }
                    if !field.shape.is_empty() {
                        write!(f, ", shape: {:?}", field.shape)?;
                    }
                    f.write_str("}")?;
                }
                f.write_str("]")
            }
            _ => f.write_str(self.name().unwrap_or("?")),
        }
    }
}

/// The maximum nesting depth of datatypes.
const MAX_DEPTH: usize = 32;

impl FromNode for Datatype {
    const TYPES: Kinds = Kinds::STRING.or(Kinds::SEQUENCE);

    fn from_node(node: NodeRef<'_>) -> Result<Self> {
        datatype(node, 0)
    }
}

fn datatype(node: NodeRef<'_>, depth: usize) -> Result<Datatype> {
    if depth > MAX_DEPTH {
        return Err(Error::limit(format!("the datatype nests deeper than {MAX_DEPTH} levels")));
    }
    if let Some(name) = node.as_str() {
        return Datatype::from_name(name)
            .ok_or_else(|| node.expected("a datatype such as float32").with_hint(known_names()));
    }
    if node.kind() != Kind::Sequence {
        return node.fail("a datatype: a name or a list");
    }
    if let (2, Some(kind), Some(length)) = (node.len(), node.item(0), node.item(1)) {
        let text: Option<fn(u64) -> Datatype> = match kind.as_str() {
            Some("ascii") => Some(Datatype::Ascii),
            Some("ucs4") => Some(Datatype::Ucs4),
            _ => None,
        };
        if let Some(text) = text {
            return read(length).map(text).map_err(|error| error.under(1));
        }
    }
    let fields = node.items().enumerate().map(|(index, item)| field(item, depth).map_err(|e| e.under(index)));
    Ok(Datatype::Struct(fields.collect::<Result<_>>()?))
}

fn known_names() -> String {
    let standard = SCALARS.iter().filter(|(_, datatype)| datatype.is_standard());
    let names: Vec<&str> = standard.map(|(name, _)| *name).collect();
    format!("use one of {}, [ascii, N], [ucs4, N] or a list of fields", names.join(", "))
}

fn field(node: NodeRef<'_>, depth: usize) -> Result<Field> {
    if node.kind() != Kind::Mapping {
        let datatype = datatype(node, depth + 1)?;
        return Ok(Field { name: None, datatype, byteorder: None, shape: Vec::new() });
    }
    let inner =
        node.get("datatype").ok_or_else(|| node.error("the required property 'datatype' is missing"))?;
    let optional = |key: &str| node.get(key).filter(|value| !value.is_null());
    Ok(Field {
        name: optional("name").map(read).transpose().map_err(|error| error.under("name"))?,
        datatype: datatype(inner, depth + 1).map_err(|error| error.under("datatype"))?,
        byteorder: optional("byteorder").map(read).transpose().map_err(|error| error.under("byteorder"))?,
        shape: optional("shape")
            .map(read)
            .transpose()
            .map_err(|error| error.under("shape"))?
            .unwrap_or_default(),
    })
}

impl ToNode for Datatype {
    fn to_node(&self, tree: &mut Tree) -> Result<NodeId> {
        let text = |tree: &mut Tree, kind: &str, length: u64| {
            let ids = [tree.add_str(kind), tree.add_int(length)];
            tree.add_sequence(ids)
        };
        Ok(match self {
            Self::Ascii(length) => text(tree, "ascii", *length),
            Self::Ucs4(length) => text(tree, "ucs4", *length),
            Self::Struct(fields) => fields.to_node(tree)?,
            _ => tree.add_str(self.name().unwrap_or_default()),
        })
    }
}

impl Field {
    /// Returns whether the field is written as its datatype alone, without a mapping around it.
    fn is_bare(&self) -> bool {
        let nested = matches!(self.datatype, Datatype::Struct(_));
        self.name.is_none() && self.byteorder.is_none() && self.shape.is_empty() && !nested
    }
}

impl ToNode for Field {
    fn to_node(&self, tree: &mut Tree) -> Result<NodeId> {
        if self.is_bare() {
            return self.datatype.to_node(tree);
        }
        let id = tree.add_mapping([]);
        tree.set_style(id, Style::Flow);
        if let Some(name) = &self.name {
            let name = tree.add_str(name);
            tree.insert(id, "name", name);
        }
        let datatype = self.datatype.to_node(tree)?;
        tree.insert(id, "datatype", datatype);
        if let Some(order) = self.byteorder {
            let order = order.to_node(tree)?;
            tree.insert(id, "byteorder", order);
        }
        if !self.shape.is_empty() {
            let shape = self.shape.to_node(tree)?;
            tree.insert(id, "shape", shape);
        }
        Ok(id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml::parse;

    #[test]
    fn every_form_reads_and_prints_as_in_the_standard() {
        for text in [
            "float32",
            "[ascii, 4]",
            "[ucs4, 0]",
            "[{name: a, datatype: int8}, [ascii, 2]]",
            "[{name: p, datatype: [{name: x, datatype: float64, byteorder: big}]}, \
             {name: k, datatype: float32, shape: [3, 3]}]",
        ] {
            let tree = parse(text).unwrap();
            let datatype: Datatype = tree.get("").unwrap();
            assert_eq!(datatype.to_string(), text);
            let mut copy = Tree::new();
            let id = datatype.to_node(&mut copy).unwrap();
            copy.set_root(id);
            assert_eq!(copy.get::<Datatype>("").unwrap(), datatype);
        }
        let unnamed: Datatype = parse("[int8, [ascii, 3], float64]").unwrap().get("").unwrap();
        assert_eq!(unnamed.size().unwrap(), 12);
    }

    #[test]
    fn errors_list_the_known_datatypes() {
        let error = parse("a: [int8, {datatype: flot}]").unwrap().get::<Datatype>("/a").unwrap_err();
        assert!(
            error.to_string().starts_with("line 1, column 22: /a/1/datatype: found the string 'flot'"),
            "{error}"
        );
        assert!(error.hint().unwrap().to_string().contains("complex128"));
        let deep = "[".repeat(100) + &"]".repeat(100);
        assert!(parse(&deep).unwrap().get::<Datatype>("").is_err());
    }

    #[test]
    fn pieces_are_numbers_not_text() {
        let datatype: Datatype = parse(
            "[{name: a, datatype: complex64, byteorder: big}, [ascii, 3], {datatype: int16, shape: [2]}]",
        )
        .unwrap()
        .get("")
        .unwrap();
        let big = Some(ByteOrder::Big);
        assert_eq!(datatype.pieces().unwrap(), [(0, 4, big), (4, 4, big), (11, 2, None), (13, 2, None)]);
    }
}
