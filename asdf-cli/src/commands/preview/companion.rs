//! Arrays that belong to the shown array: the numbers of its axis, or the flags of its pixels.

use asdf_core::array::Slice;
use asdf_core::{Error, File, NdArray, Result};
use asdf_tables::Dataset;

use crate::printable::line;
use crate::tables;

/// Another array of the tree, named by an option.
#[derive(Debug)]
pub(super) struct Companion {
    pub(super) path: String,
    pub(super) array: NdArray,
    pub(super) unit: Option<String>,
    option: &'static str,
}

impl Companion {
    /// Returns the array that an option names. A name without a slash is first looked for in the table or mapping of
    /// the array at `path`.
    pub(super) fn at(file: &File, path: &str, option: &'static str, word: &str) -> Result<Self> {
        let (path, dataset) = match word.contains('/') {
            true => tables::at(file, word)?,
            // The error for a name that does not exist lists the keys of the same mapping.
            false => {
                tables::beside(file, path, word).or_else(|error| tables::at(file, word).map_err(|_| error))?
            }
        };
        match dataset {
            Dataset::Array { array, unit, .. } => Ok(Self { path, array, unit, option }),
            Dataset::Table { columns, .. } => {
                let name = columns.as_slice().first().map(|column| column.name.clone()).unwrap_or_default();
                let error = Error::usage(format!("found a table, expected an array for {option}"));
                Err(error.with_hint(format!("name a column, as in {path}/{}", line(&name))).at_path(&path))
            }
            Dataset::Fits(_) => {
                let error = Error::usage(format!("found a FITS file, expected an array for {option}"));
                Err(error.with_hint("name one of its arrays, as in /fits/1/data").at_path(&path))
            }
        }
    }

    /// Returns the part for the shown array, which has the shape `shown` and is a slice of one with the shape `whole`.
    ///
    /// # Errors
    ///
    /// Returns an error if the shape is neither that of the whole array nor that of the shown part.
    pub(super) fn part(self, whole: &[u64], slices: &[Slice], shown: &[u64]) -> Result<Self> {
        let Self { path, array, unit, option } = self;
        let found = array.shape().to_vec();
        let array = match found == whole {
            true => array.slice(slices).map_err(|error| error.at_path(&path))?,
            false => array,
        };
        if array.shape() != shown {
            let error = Error::mismatch(format!(
                "found an array of shape {found:?}, expected shape {whole:?} for {option}, as in the shown array"
            ));
            let hint = format!("pass an array of the same shape to {option}");
            return Err(error.with_hint(hint).at_path(&path));
        }
        Ok(Self { path, array, unit, option })
    }

    /// Returns the last step of the path and the unit, as in `time (d)`.
    pub(super) fn label(&self) -> String {
        let name = self.path.rsplit('/').next().unwrap_or_default().replace("~1", "/").replace("~0", "~");
        match &self.unit {
            Some(unit) => format!("{} ({})", line(&name), line(unit)),
            None => line(&name),
        }
    }
}
