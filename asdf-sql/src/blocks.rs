//! The blocks of a file as rows.

use std::sync::Arc;

use asdf_core::block::Header;
use asdf_core::file::FileBlock;
use asdf_core::{Error, File, Result};
use datafusion::arrow::array::{
    ArrayRef, BooleanArray, RecordBatch, RecordBatchOptions, StringArray, UInt64Array,
};
use datafusion::arrow::datatypes::SchemaRef;

/// Passes a batch with a row for each block to a function. Reads the headers of the blocks, but no data.
///
/// # Errors
/// If a header is damaged.
pub(crate) fn read(
    file: &File,
    name: &str,
    schema: &SchemaRef,
    each: impl FnOnce(RecordBatch) -> bool,
) -> Result<()> {
    each(batch(name, &file.blocks()?, schema)?);
    Ok(())
}

fn batch(name: &str, blocks: &[Arc<FileBlock>], schema: &SchemaRef) -> Result<RecordBatch> {
    let text = |value: &dyn Fn(&Header) -> Option<String>| -> ArrayRef {
        Arc::new(blocks.iter().map(|block| value(block.header())).collect::<StringArray>())
    };
    let number = |value: &dyn Fn(&FileBlock, &Header) -> u64| -> ArrayRef {
        Arc::new(blocks.iter().map(|block| Some(value(block, block.header()))).collect::<UInt64Array>())
    };
    let column = |field: &str| match field {
        "_file" => text(&|_| Some(name.to_owned())),
        "block" => number(&|block, _| block.number()),
        "offset" => number(&|block, _| block.offset()),
        "header_size" => number(&|_, header| header.header_size.into()),
        "compression" => {
            text(&|header| (!header.compression.is_none()).then(|| header.compression.to_string()))
        }
        "allocated_size" => number(&|_, header| header.allocated_size),
        "used_size" => number(&|_, header| header.used_size),
        "data_size" => number(&|_, header| header.data_size),
        "streamed" => {
            let streamed = blocks.iter().map(|block| Some(block.header().is_streamed()));
            Arc::new(streamed.collect::<BooleanArray>()) as ArrayRef
        }
        _ => text(&|header| {
            // Zeros stand for no checksum.
            let hex = || header.checksum.iter().map(|byte| format!("{byte:02x}")).collect();
            (header.checksum != [0; 16]).then(hex)
        }),
    };
    let columns = schema.fields().iter().map(|field| column(field.name())).collect();
    let options = RecordBatchOptions::new().with_row_count(Some(blocks.len()));
    RecordBatch::try_new_with_options(schema.clone(), columns, &options)
        .map_err(|error| Error::mismatch(error.to_string()))
}
