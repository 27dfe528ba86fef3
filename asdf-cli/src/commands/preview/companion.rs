//! Arrays that belong to the one that is shown: the numbers of its axis, the flags of its pixels.

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
    /// Returns the array at the place that an option names. A name without a slash is looked for beside the array
    /// at `path` first: as a column of the same table, or a key of the same mapping.
    pub(super) fn at(file: &File, path: &str, option: &'static str, word: &str) -> Result<Self> {
        let (path, dataset) = match word.contains('/') {
            true => tables::at(file, word)?,
            // The error for what is nowhere names the keys beside the array.
            false => {
                tables::beside(file, path, word).or_else(|error| tables::at(file, word).map_err(|_| error))?
            }
        };
        match dataset {
            Dataset::Array { array, unit, .. } => Ok(Self { path, array, unit, option }),
            Dataset::Table { columns, .. } => {
                let name = columns.as_slice().first().map(|column| column.name.clone()).unwrap_or_default();
                let error = Error::usage(format!("found a table, but {option} takes an array"));
                Err(error.with_hint(format!("name a column, as in {path}/{}", line(&name))).at_path(&path))
            }
            Dataset::Fits(_) => {
                let error = Error::usage(format!("found a FITS file, but {option} takes an array"));
                Err(error.with_hint("name one of its arrays, as in /fits/1/data").at_path(&path))
            }
        }
    }

    /// Returns the part that belongs to the part `shown` of an array whose shape is `whole`.
    ///
    /// # Errors
    ///
    /// Returns an error with both shapes if the array has neither the shape of the whole nor that of the part.
    pub(super) fn part(self, whole: &[u64], slices: &[Slice], shown: &[u64]) -> Result<Self> {
        let Self { path, array, unit, option } = self;
        let found = array.shape().to_vec();
        let array = match found == whole {
            true => array.slice(slices).map_err(|error| error.at_path(&path))?,
            false => array,
        };
        if array.shape() != shown {
            let error = Error::mismatch(format!(
                "found an array of shape {found:?}, but {option} needs shape {whole:?}, that of the array shown"
            ));
            let hint = format!("give {option} an array whose elements belong to those of the array shown");
            return Err(error.with_hint(hint).at_path(&path));
        }
        Ok(Self { path, array, unit, option })
    }

    /// Returns the last step of the path, with the unit: `time (d)`.
    pub(super) fn label(&self) -> String {
        let name = self.path.rsplit('/').next().unwrap_or_default().replace("~1", "/").replace("~0", "~");
        match &self.unit {
            Some(unit) => format!("{} ({})", line(&name), line(unit)),
            None => line(&name),
        }
    }
}
