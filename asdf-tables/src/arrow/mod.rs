//! Converts tables to and from Arrow record batches, for data frames and query engines.
//!
//! ```
//! use asdf_core::NdArray;
//! use asdf_tables::{Column, Columns, arrow};
//!
//! let columns = Columns::new(vec![Column::new("id", NdArray::new(&[2], &[7_i64, 8])?)])?;
//! let batch = arrow::batches(&columns)?.next().unwrap()?;
//! assert_eq!((batch.num_rows(), batch.num_columns()), (2, 1));
//!
//! let table = arrow::table(&arrow::schema(&columns)?, arrow::batches(&columns)?)?;
//! assert_eq!(table.read::<i64>("id")?, [7, 8]);
//! # Ok::<(), asdf_core::Error>(())
//! ```

mod batches;
mod table;

pub(crate) use batches::failed;
pub use batches::{batches, schema};
pub use table::table;
