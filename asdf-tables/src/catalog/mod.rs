//! Catalogues: tables with one row for each of many files.
//!
//! A [`Layout`] has the columns: values of the tree by their paths, all values of a schema, or those that the schemas of a
//! package assign to a table. It reads one [`Row`] from each file. A [`Reader`] does so for many files, some of which an earlier
//! catalogue can have. A [`Writer`] writes the rows as Parquet, Arrow or CSV; [`Layout::batch`] converts them for query engines.
//!
//! | YAML | type of the schema | Arrow |
//! |---|---|---|
//! | boolean | `boolean` | Boolean |
//! | integer, quantity | `integer` | Int64, or Int16, Int32 or UInt8 if a table says so |
//! | float, quantity | `number` | Float64, or Float32 |
//! | text | `string` | Utf8, in a dictionary |
//! | time, timestamp | `date-time`, the tag `time` | Timestamp in UTC, in microseconds |
//! | sequence | `array` | List |
//! | mapping in a sequence | `object` | Struct |
//! | anything else | several types | Utf8 with JSON |
//!
//! ```
//! use asdf_core::File;
//! use asdf_tables::Format;
//! use asdf_tables::catalog::{Found, Layout, Writer};
//!
//! let mut file = File::new();
//! file.set_with_parents("/meta/filter", "F158")?;
//! let layout = Layout::new(["filter=/meta/filter:string".parse()?])?;
//! let mut csv = Vec::new();
//! let mut writer = Writer::new(layout.clone(), Format::Csv, &mut csv)?;
//! writer.push(layout.read(&Found::named("a.asdf"), &file))?;
//! writer.finish()?;
//! assert_eq!(csv, b"_file,_size,_modified,_standard,filter,_problems\na.asdf,,,1.6.0,F158,\n");
//! # Ok::<(), asdf_core::Error>(())
//! ```

mod archive;
mod arrays;
mod batch;
mod field;
mod found;
mod infer;
mod kind;
mod layout;
mod own;
#[cfg(feature = "parquet")]
mod parquet;
#[cfg(feature = "parquet")]
mod previous;
mod reader;
mod row;
mod schema;
mod sink;
mod tally;
mod value;
mod writer;

pub use archive::{LeftOut, archive_tables};
pub use batch::Batch;
pub use field::Field;
pub use found::Found;
pub use kind::Kind;
pub use layout::Layout;
pub use own::Own;
#[cfg(feature = "parquet")]
pub use previous::{Known, Previous};
pub use reader::{Reader, Reading};
pub use row::Row;
pub use writer::Writer;
