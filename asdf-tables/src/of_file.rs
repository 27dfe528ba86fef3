//! Finds the arrays and tables of a file: all, the only one, and the default one to show.

use asdf_core::tree::{Kind, NodeRef, Path, tag_matches};
use asdf_core::value::FromNode;
use asdf_core::{Datatype, Error, File, NdArray, Result};

use crate::{Advice, Dataset};

impl Dataset {
    /// Returns the dataset to show if the user gives no path, and its path.
    ///
    /// This is the first that exists of: an image under the key `data`, an image, a cube of images, a table, an array
    /// with one axis.
    ///
    /// # Examples
    /// ```
    /// use asdf_core::{File, NdArray};
    /// use asdf_tables::Dataset;
    ///
    /// let mut file = File::new();
    /// file.set("/times", &NdArray::new(&[3], &[1, 2, 3])?)?;
    /// file.set("/image", &NdArray::new(&[2, 2], &[1, 2, 3, 4])?)?;
    /// assert_eq!(Dataset::default_of(&file)?.0, "/image");
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Mismatch`](asdf_core::error::Kind::Mismatch) if the file has none of these; also the errors of
    /// [`from_node`](Self::from_node).
    pub fn default_of(file: &File) -> Result<(String, Self)> {
        let mut best: Option<(u8, Path, NodeRef<'_>)> = None;
        for (path, node) in arrays(file) {
            let array = NdArray::from_node(node).ok();
            let Some(rank) = array.and_then(|array| rank(&array, &path)) else { continue };
            if best.as_ref().is_none_or(|(least, _, _)| rank < *least) {
                best = Some((rank, path, node));
            }
        }
        // Prefer a table to an array with one axis, which could be one of its columns.
        if best.as_ref().is_none_or(|(rank, _, _)| *rank >= LINE) {
            for found in file.tree().search().filter_node(has_columns) {
                if let Ok(table @ Self::Table { .. }) = Self::from_node(found.node) {
                    return Ok((found.path.to_string(), table));
                }
            }
        }
        let (_, path, node) =
            best.ok_or_else(|| Error::mismatch("the file has no array to show").with_hint(Advice::Contents))?;
        let dataset = Self::from_node(node).map_err(|error| error.at_path(path.as_str()))?;
        Ok((path.to_string(), dataset))
    }

    /// Iterates over the arrays, quantities and tables of a file and their paths, in the order of the tree.
    ///
    /// The parts of a table or a quantity are not returned again. A FITS file is not returned as a whole; its arrays and
    /// tables are.
    ///
    /// # Examples
    /// ```
    /// use asdf_core::{File, NdArray};
    /// use asdf_schemas::table::{Column, Table};
    /// use asdf_tables::Dataset;
    ///
    /// let mut file = File::new();
    /// let id = Column::from_array("id", NdArray::new(&[2], &[1_u32, 2])?)?;
    /// file.set("/sources", &Table::from_columns([id])?)?;
    /// file.set("/times", &NdArray::new(&[3], &[1, 2, 3])?)?;
    /// let paths: Vec<String> =
    ///     Dataset::all_of(&file).map(|found| found.map(|(path, _)| path)).collect::<Result<_, _>>()?;
    /// assert_eq!(paths, ["/sources", "/times"]);
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// An item is an error, with its path, if an array is not valid.
    pub fn all_of(file: &File) -> impl Iterator<Item = Result<(String, Self)>> {
        let is_sought = |node: NodeRef<'_>| has_columns(node) || is_array(node) || is_quantity(node);
        let mut last: Option<Path> = None;
        file.tree().search().filter_node(is_sought).filter_map(move |found| {
            if last.as_ref().is_some_and(|last| found.path.is_in(last)) {
                return None;
            }
            match Self::from_node(found.node) {
                Ok(Self::Fits(_)) => None,
                Ok(dataset) => {
                    let path = found.path.to_string();
                    last = Some(found.path);
                    Some(Ok((path, dataset)))
                }
                Err(error) => is_array(found.node).then(|| Err(error.at_path(found.path.as_str()))),
            }
        })
    }

    /// Returns the only array of a file, and its path.
    ///
    /// # Errors
    /// [`Mismatch`](asdf_core::error::Kind::Mismatch) if the file has no array, or one that is not valid.
    /// [`Usage`](asdf_core::error::Kind::Usage) if it has several; the hint lists the first ones.
    pub fn only_array(file: &File) -> Result<(String, NdArray)> {
        const NAMED: usize = 11;
        let found: Vec<(Path, NodeRef<'_>)> = arrays(file).take(NAMED).collect();
        match found.as_slice() {
            [] => Err(Error::mismatch("the file has no array").with_hint(Advice::Contents)),
            [(path, node)] => match NdArray::from_node(*node) {
                Ok(array) => Ok((path.to_string(), array)),
                Err(error) => Err(error.at_path(path.as_str())),
            },
            several => {
                let names: Vec<&str> = several.iter().map(|(path, _)| path.as_str()).collect();
                let error = Error::usage("the file has more than one array");
                Err(error.with_hint(format!("name one: {}", names.join(", "))))
            }
        }
    }
}

fn arrays(file: &File) -> impl Iterator<Item = (Path, NodeRef<'_>)> {
    file.tree().search().filter_node(is_array).map(|found| (found.path, found.node))
}

fn is_array(node: NodeRef<'_>) -> bool {
    node.tag().is_some_and(NdArray::accepts_tag)
}

/// Returns whether a node looks like a table.
fn has_columns(node: NodeRef<'_>) -> bool {
    node.get("columns").is_some_and(|list| list.kind() == Kind::Sequence)
}

/// Returns whether a node is a quantity with several values.
fn is_quantity(node: NodeRef<'_>) -> bool {
    let is_tagged = node.tag().is_some_and(|tag| tag_matches("tag:**/unit/quantity-*", tag));
    is_tagged && node.get("value").is_some_and(|value| !value.kind().is_scalar())
}

/// Returns whether an array is part of a column of a table, whose cells can have several axes.
fn is_column(path: &Path) -> bool {
    let mut steps = path.as_str().split('/');
    steps.any(|step| step == "columns") && steps.next().is_some_and(|step| step.parse::<usize>().is_ok())
}

/// The rank of an array with one axis.
const LINE: u8 = 4;

/// Returns the rank of an array. The array with the lowest rank is shown; `None` if it cannot be.
fn rank(array: &NdArray, path: &Path) -> Option<u8> {
    let texts = matches!(array.datatype(), Datatype::Ascii(_) | Datatype::Ucs4(_));
    let records = matches!(array.datatype(), Datatype::Struct(_));
    let long = array.shape().iter().rev().take(2).filter(|&&n| n > 1).count();
    match (texts, records, array.shape().len(), long) {
        (true, ..) | (_, _, 0, _) => None,
        (_, true, ..) => Some(LINE - 1),
        _ if is_column(path) => Some(LINE),
        (_, _, 2.., 2) if path.as_str().ends_with("/data") => Some(0),
        (_, _, 2, 2) => Some(1),
        (_, _, 3.., 2) => Some(2),
        _ => Some(LINE),
    }
}
