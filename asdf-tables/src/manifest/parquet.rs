//! Writes a manifest as a folder of Parquet files.

use std::sync::Arc;

use arrow_array::{ArrayRef, BinaryArray, Int64Array, RecordBatch, StringArray};
use asdf_core::{Error, Result};
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;
use serde_json::{Value as Json, json};

use super::array::Placed;
use super::chunks::Reference;
use super::document::{key, metadata};
use super::names::Names;

/// The number of references in a file.
const RECORD: usize = 10_000;

pub(super) fn write(
    arrays: &[Placed],
    names: &Names,
    create: &mut dyn FnMut(&str, &[u8]) -> Result<()>,
) -> Result<()> {
    for Placed { steps, array } in arrays {
        let mut chunks = array.chunks.references();
        for number in 0_u64.. {
            let record: Vec<Reference<'_>> = chunks.by_ref().take(RECORD).collect();
            if record.is_empty() {
                break;
            }
            create(&key(&steps.join("/"), &format!("refs.{number}.parq")), &table(&record)?)?;
        }
    }
    let all: Json = json!({"metadata": metadata(arrays, names), "record_size": RECORD});
    create(".zmetadata", all.to_string().as_bytes())
}

/// Returns a Parquet file with the columns `path`, `offset` and `size`; or `raw` for inline data; or all of them.
fn table(record: &[Reference<'_>]) -> Result<Vec<u8>> {
    let (mut urls, mut offsets, mut sizes, mut raw) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let signed = |number: u64| {
        i64::try_from(number)
            .map_err(|_| Error::limit(format!("the offset {number} does not fit in 63 bits")))
    };
    for reference in record {
        let (url, offset, size, bytes) = match *reference {
            Reference::Bytes { url, offset, length } => (Some(url), signed(offset)?, signed(length)?, None),
            Reference::Inline(bytes) => (None, 0, 0, Some(bytes)),
        };
        urls.push(url);
        offsets.push(offset);
        sizes.push(size);
        raw.push(bytes);
    }
    let (has_urls, has_raw) = (urls.iter().any(Option::is_some), raw.iter().any(Option::is_some));
    let mut columns: Vec<(&str, ArrayRef)> = Vec::new();
    if has_urls {
        columns.push(("path", Arc::new(StringArray::from(urls))));
        columns.push(("offset", Arc::new(Int64Array::from(offsets))));
        columns.push(("size", Arc::new(Int64Array::from(sizes))));
    }
    if has_raw {
        columns.push(("raw", Arc::new(BinaryArray::from_opt_vec(raw))));
    }
    let refused =
        |error: &dyn std::fmt::Display| Error::unsupported(format!("cannot write the references: {error}"));
    let batch = RecordBatch::try_from_iter(columns).map_err(|error| refused(&error))?;
    // Every Parquet reader supports snappy.
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_created_by(concat!("asdf ", env!("CARGO_PKG_VERSION")).to_owned());
    let mut bytes = Vec::new();
    let mut writer = ArrowWriter::try_new(&mut bytes, batch.schema(), Some(properties.build()))
        .map_err(|error| refused(&error))?;
    writer.write(&batch).map_err(|error| refused(&error))?;
    writer.close().map_err(|error| refused(&error))?;
    Ok(bytes)
}
