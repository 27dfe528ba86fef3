//! `Dataset`: a value of a tree that can be shown or written in another format.

use std::collections::BTreeMap;

use asdf_core::array::Slice;
use asdf_core::tree::{Kind, NodeRef};
use asdf_core::value::FromNode;
use asdf_core::{Datatype, Error, File, NdArray, Result};
use asdf_fits::Fits;
use asdf_schema_model::nearest;
use asdf_schemas::Component;

use crate::{Column, Columns, LeftOut};

/// An array, a table or a FITS file.
///
/// Cloning does not copy elements.
///
/// # Examples
/// ```
/// use asdf_core::{File, NdArray};
/// use asdf_tables::Dataset;
///
/// let mut file = File::new();
/// file.set("/cat", &std::collections::BTreeMap::from([
///     ("ra", NdArray::new(&[2], &[10.5, 11.5])?),
///     ("dec", NdArray::new(&[2], &[-1.5, 2.5])?),
/// ]))?;
///
/// // A mapping of arrays of equal length is a table.
/// let Dataset::Table { columns, .. } = Dataset::at(&file, "/cat")? else { panic!("it is not a table") };
/// assert_eq!(columns.rows(), 2);
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[derive(Debug, Clone)]
pub enum Dataset {
    /// An array, a quantity, a time or a column, with its unit.
    Array {
        /// The elements.
        array: NdArray,
        /// The unit, which can be any text.
        unit: Option<String>,
        /// Other properties, such as `frame` or `scale`.
        metadata: BTreeMap<String, String>,
    },
    /// A table.
    Table {
        /// The columns.
        columns: Columns,
        /// The array of records, if the columns are its fields.
        records: Option<NdArray>,
    },
    /// A FITS file, tagged `fits`.
    Fits(Fits),
}

impl Dataset {
    /// Returns the dataset at a path, which is a JSON Pointer.
    ///
    /// Columns of a table can be given by name: `/cat/ra` or `/cat[ra]`. This also works for columns that have no node
    /// of their own, such as fields of records (`/cat/pair.x`).
    ///
    /// # Errors
    /// [`Missing`](asdf_core::error::Kind::Missing) if the path does not exist.
    /// [`Mismatch`](asdf_core::error::Kind::Mismatch) if the value is not an array, a table or a FITS file, or the table
    /// has no column with this name; the hint lists paths or columns. The error has the path.
    pub fn at(file: &File, path: &str) -> Result<Self> {
        let missing = match file.at(path) {
            Ok(node) => {
                return Self::from_node(node).map_err(|error| {
                    let error = error.at_path(path);
                    match arrays_below(node, path) {
                        Some(places) => error.with_hint(format!("name an array or table in it: {places}")),
                        None => error,
                    }
                });
            }
            Err(error) => error,
        };
        for (above, name) in columns_by_name(path) {
            let Ok(node) = file.at(above) else { continue };
            let Ok(Self::Table { columns, .. }) = Self::from_node(node) else { return Err(missing) };
            // The columns of a mapping of arrays are its keys, which `File::at` would have found.
            let is_records = node.own_tag().is_some_and(NdArray::accepts_tag);
            let by_key = !is_records && node.get("columns").is_none();
            return match select(&columns, &name) {
                Ok(found) => Ok(found),
                Err(_) if by_key => Err(missing),
                Err(error) => Err(error.at_path(above)),
            };
        }
        Err(missing)
    }

    /// Returns the dataset with a name next to the value at a path, and its path.
    ///
    /// This is another column of the same table, or another key of the same mapping.
    ///
    /// # Errors
    /// The errors of [`at`](Self::at).
    pub fn beside(file: &File, path: &str, name: &str) -> Result<(String, Self)> {
        let step = name.replace('~', "~0").replace('/', "~1");
        let at = |above: &str| {
            let path = format!("{above}/{step}");
            Self::at(file, &path).map(|found| (path, found))
        };
        let mut found = columns_by_name(path).map(|(above, _)| at(above));
        let first = found.next().unwrap_or_else(|| at(""));
        first.or_else(|error| found.find_map(Result::ok).ok_or(error))
    }

    /// Returns the dataset in a node. Nothing is read from blocks.
    ///
    /// Tables are those of the standard and of astropy, arrays of records, and mappings of arrays of equal length.
    ///
    /// # Errors
    /// [`Mismatch`](asdf_core::error::Kind::Mismatch) if the node is anything else; also if an array is not valid.
    pub fn from_node(node: NodeRef<'_>) -> Result<Self> {
        let is = |accepts: fn(&str) -> bool| node.tag().is_some_and(accepts);
        if is(Fits::accepts_tag) {
            return Fits::from_node(node).map(Self::Fits);
        }
        let components = Component::all_of(node)?;
        match <[Component; 1]>::try_from(components) {
            Ok([one]) if one.name.is_empty() => match one.array.datatype() {
                Datatype::Struct(_) if one.array.shape().len() == 1 => {
                    Ok(Self::Table { columns: Columns::from_records(&one.array)?, records: Some(one.array) })
                }
                _ => Ok(Self::from_column(Column::from_component(one))),
            },
            Ok([one]) => {
                Ok(Self::Table { columns: Columns::new(vec![Column::from_component(one)])?, records: None })
            }
            Err(several) if !several.is_empty() => {
                let list = several.into_iter().map(Column::from_component).collect();
                Ok(Self::Table { columns: Columns::new(list)?, records: None })
            }
            Err(_) => match columns(node)? {
                Some(columns) => Ok(Self::Table { columns, records: None }),
                None => node.fail("an array, a table or a FITS file"),
            },
        }
    }

    /// Creates a dataset from one column. The description of the column becomes part of the metadata.
    #[must_use]
    pub fn from_column(column: Column) -> Self {
        let mut metadata = column.metadata;
        metadata.extend(column.description.map(|text| ("description".to_owned(), text)));
        Self::Array { array: column.array, unit: column.unit, metadata }
    }

    /// Selects a part of an array, or some rows of a table, without reading or copying.
    ///
    /// An empty list of slices selects everything.
    ///
    /// # Errors
    /// The errors of [`NdArray::slice`]; [`Usage`](asdf_core::error::Kind::Usage) for a FITS file, and for more than one
    /// slice of a table.
    pub fn slice(self, slices: &[Slice]) -> Result<Self> {
        Ok(match self {
            whole if slices.is_empty() => whole,
            Self::Array { array, unit, metadata } => {
                Self::Array { array: array.slice(slices)?, unit, metadata }
            }
            Self::Table { columns, records } => {
                let range = columns.rows_of(slices)?;
                let records = records.map(|records| records.slice(&[range])).transpose()?;
                Self::Table { columns: columns.slice(range)?, records }
            }
            Self::Fits(_) => return Err(Error::usage("cannot slice a FITS file")),
        })
    }
}

/// Returns the column with a name as an array, or the columns whose names start with it and a dot as a table.
fn select(columns: &Columns, name: &str) -> Result<Dataset> {
    if let Some(column) = columns.find(name) {
        return Ok(Dataset::from_column(column.clone()));
    }
    let list = columns.as_slice();
    let parts: Vec<Column> = list.iter().filter(|column| column.is_part_of(name)).cloned().collect();
    if !parts.is_empty() {
        return Ok(Dataset::Table { columns: Columns::new(parts)?, records: None });
    }
    let shown = name.escape_debug();
    if let Some(left_out) = columns.left_out().iter().find(|left_out| left_out.name == name) {
        return Err(Error::unsupported(format!("the column '{shown}' is not supported ({})", left_out.kind)));
    }
    const MOST: usize = 50;
    let names: Vec<&str> = list.iter().map(|column| column.name.as_str()).collect();
    let error = Error::mismatch(format!("the table has no column '{shown}'"));
    Err(match nearest(name, &names) {
        Some(near) => error.with_hint(format!("did you mean '{}'?", near.escape_debug())),
        None => {
            let more = if names.len() > MOST { ", ..." } else { "" };
            let names: Vec<String> =
                names.iter().take(MOST).map(|name| name.escape_debug().to_string()).collect();
            error.with_hint(format!("use one of {}{more}", names.join(", ")))
        }
    })
}

/// Lists the paths of the first arrays and tables below a node.
fn arrays_below(node: NodeRef<'_>, path: &str) -> Option<String> {
    /// The maximum number of nodes to search.
    const SEARCHED: usize = 100_000;
    const SHOWN: usize = 3;
    let mut walk = node.walk();
    let mut found: Vec<String> = Vec::new();
    for _ in 0..SEARCHED {
        let Some(inner) = walk.next() else { break };
        let is_table = inner.get("columns").is_some_and(|list| list.kind() == Kind::Sequence);
        if !is_table && !inner.tag().is_some_and(NdArray::accepts_tag) {
            continue;
        }
        let own = format!("{path}{}", walk.path());
        // Do not list the parts of a table.
        if found.last().is_none_or(|last| !own.strip_prefix(last).is_some_and(|rest| rest.starts_with('/'))) {
            found.push(own);
        }
        if found.len() > SHOWN {
            break;
        }
    }
    let more = if found.len() > SHOWN { ", ..." } else { "" };
    found.truncate(SHOWN);
    (!found.is_empty()).then(|| found.join(", ") + more)
}

/// Iterates over the ways to read a path as that of a column: the path of the table, and the name.
fn columns_by_name(path: &str) -> impl Iterator<Item = (&str, String)> {
    let bracket = path.strip_suffix(']').and_then(|rest| rest.rsplit_once('[')).map(|(above, name)| {
        let name = name.trim();
        let quoted = ['\'', '"'].into_iter().find_map(|quote| name.strip_prefix(quote)?.strip_suffix(quote));
        (above, quoted.unwrap_or(name).to_owned())
    });
    let steps = path.rmatch_indices('/').filter_map(|(at, _)| {
        let (above, name) = path.split_at_checked(at)?;
        let name = name.strip_prefix('/')?;
        // Fields of records and coordinates of positions follow a dot in the name.
        Some((above, name.replace('/', ".").replace("~1", "/").replace("~0", "~")))
    });
    bracket.into_iter().chain(steps)
}

/// Returns the columns of a table of the standard or of astropy, or of a mapping of arrays of equal length.
fn columns(node: NodeRef<'_>) -> Result<Option<Columns>> {
    match node.get("columns").filter(|list| list.kind() == Kind::Sequence) {
        Some(list) => of_list(list, node.get("colnames")),
        None => of_mapping(node),
    }
}

fn of_list(list: NodeRef<'_>, names: Option<NodeRef<'_>>) -> Result<Option<Columns>> {
    let mut found: Vec<Column> = Vec::new();
    let mut left_out = Vec::new();
    let mut rows = None;
    for (index, item) in list.items().enumerate() {
        let name = column_name(names, index, item);
        let components = Component::all_of(item).map_err(|error| error.under(index).under("columns"))?;
        let count = components.len();
        let is_array = |component: &Component| !component.array.shape().is_empty();
        if !components.iter().any(is_array) {
            left_out.push(LeftOut { name: name.clone(), kind: kind(item) });
        }
        for component in components.into_iter().filter(is_array) {
            let own = component.array.shape().first().copied();
            let column = Column::from_component(component).under(&name);
            // A position can have properties of other lengths.
            if count > 1 && rows.is_some_and(|rows| own != rows) {
                left_out.push(LeftOut { name: column.name, kind: "of another length".to_owned() });
                continue;
            }
            rows = rows.or(Some(own));
            found.push(column);
        }
    }
    if found.is_empty() && left_out.is_empty() {
        Ok(None)
    } else {
        Columns::with_left_out(found, left_out).map(Some)
    }
}

/// Returns the name of a column of a table: from `names`, else from the column, else its index.
///
/// `names` is the list `colnames` of astropy's tables.
#[must_use]
pub fn column_name(names: Option<NodeRef<'_>>, index: usize, column: NodeRef<'_>) -> String {
    let name = names.and_then(|names| names.item(index)).or_else(|| column.get("name"));
    name.and_then(NodeRef::as_str).map_or_else(|| index.to_string(), str::to_owned)
}

fn of_mapping(node: NodeRef<'_>) -> Result<Option<Columns>> {
    let mut found = Vec::new();
    let mut rows = None;
    for (key, value) in node.entries() {
        let Some(name) = key.text() else { return Ok(None) };
        let components = Component::all_of(value).map_err(|error| error.under(name))?;
        if components.is_empty() {
            return Ok(None);
        }
        for component in components {
            let own = component.array.shape().first().copied();
            if own.is_none() || rows.is_some_and(|rows| own != rows) {
                return Ok(None);
            }
            rows = Some(own);
            found.push(Column::from_component(component).under(name));
        }
    }
    if found.is_empty() { Ok(None) } else { Columns::new(found).map(Some) }
}

/// Describes a value without arrays: the name in its tag without the version, or its kind.
fn kind(node: NodeRef<'_>) -> String {
    let tag = node.own_tag().and_then(|tag| tag.rsplit(['/', ':']).next());
    let name = tag.map(|tag| tag.rsplit_once('-').map_or(tag, |(name, _)| name));
    name.map_or_else(|| node.kind().to_string(), str::to_owned)
}
