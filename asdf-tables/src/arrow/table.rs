//! Converts record batches to a table.

use arrow_array::cast::AsArray as _;
use arrow_array::types::{
    Float16Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type,
    UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrowPrimitiveType, RecordBatch};
use arrow_schema::{DataType, Field, Schema};
use asdf_core::{Datatype, Error, Result};
use asdf_schemas::table::Table;
use bytemuck::NoUninit;

use crate::filled::{Filled, Kind};

/// Copies record batches into a table.
///
/// Lists of one length become arrays as cells, and nulls become missing elements. The metadata `unit` and `description`
/// of a field become those of its column.
///
/// # Errors
/// [`Unsupported`](asdf_core::error::Kind::Unsupported) for a type that ASDF does not support;
/// [`Malformed`](asdf_core::error::Kind::Malformed) if a batch does not have the schema; also the first error of the
/// batches.
pub fn table(schema: &Schema, batches: impl IntoIterator<Item = Result<RecordBatch>>) -> Result<Table> {
    let mut columns = Vec::new();
    for field in schema.fields() {
        columns.push(column(field)?);
    }
    let mut rows = 0;
    for batch in batches {
        let batch = batch?;
        if !batch
            .columns()
            .iter()
            .map(|array| array.data_type())
            .eq(schema.fields().iter().map(|field| field.data_type()))
        {
            return Err(failed("the types of a batch differ from those of the schema"));
        }
        for (filled, array) in columns.iter_mut().zip(batch.columns()) {
            fill(filled, array.as_ref())?;
        }
        rows += batch.num_rows() as u64;
    }
    let columns: Result<Vec<_>> = columns.into_iter().map(|filled| filled.finish(rows)).collect();
    Table::from_columns(columns?)
}

fn failed(error: impl std::fmt::Display) -> Error {
    Error::malformed(format!("cannot read the columns: {error}"))
}

fn column(field: &Field) -> Result<Filled> {
    let mut cell = Vec::new();
    let mut own = field.data_type();
    while let DataType::FixedSizeList(item, length) = own {
        cell.push(u64::try_from(*length).unwrap_or(0));
        own = item.data_type();
    }
    let kind = match own {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => Kind::Text,
        DataType::Boolean => Kind::Number(Datatype::Bool8),
        DataType::Int8 => Kind::Number(Datatype::Int8),
        DataType::Int16 => Kind::Number(Datatype::Int16),
        DataType::Int32 => Kind::Number(Datatype::Int32),
        DataType::Int64 => Kind::Number(Datatype::Int64),
        DataType::UInt8 => Kind::Number(Datatype::Uint8),
        DataType::UInt16 => Kind::Number(Datatype::Uint16),
        DataType::UInt32 => Kind::Number(Datatype::Uint32),
        DataType::UInt64 => Kind::Number(Datatype::Uint64),
        DataType::Float16 => Kind::Number(Datatype::Float16),
        DataType::Float32 => Kind::Number(Datatype::Float32),
        DataType::Float64 => Kind::Number(Datatype::Float64),
        DataType::Struct(parts) => match parts.iter().map(|part| part.data_type()).collect::<Vec<_>>()[..] {
            // `schema` writes complex numbers in this way.
            [DataType::Float32, DataType::Float32] => Kind::Number(Datatype::Complex64),
            [DataType::Float64, DataType::Float64] => Kind::Number(Datatype::Complex128),
            _ => return Err(unknown(field)),
        },
        _ => return Err(unknown(field)),
    };
    let mut filled = Filled::new(field.name().clone(), kind, cell);
    filled.unit = field.metadata().get("unit").cloned();
    filled.description = field.metadata().get("description").cloned();
    Ok(filled)
}

fn unknown(field: &Field) -> Error {
    Error::unsupported(format!(
        "the column '{}' has the type {}, which is not supported",
        field.name().escape_debug(),
        field.data_type()
    ))
    .with_hint("leave the column out, or convert it first")
}

/// Adds the values of an array, also of the arrays in its lists.
fn fill(filled: &mut Filled, array: &dyn Array) -> Result<()> {
    match array.data_type() {
        DataType::FixedSizeList(_, length) => {
            let lists = array.as_fixed_size_list();
            let width = usize::try_from(*length).unwrap_or(0);
            // The values in a null list are not null themselves.
            if lists.null_count() > 0 {
                let all = filled.width()?;
                for row in 0..lists.len() {
                    match lists.is_null(row) {
                        true => (0..all.max(width)).try_for_each(|_| filled.skip())?,
                        false => fill(filled, lists.value(row).as_ref())?,
                    }
                }
                return Ok(());
            }
            let values =
                lists.values().slice(lists.offset().saturating_mul(width), lists.len().saturating_mul(width));
            fill(filled, values.as_ref())
        }
        DataType::Utf8 => texts(filled, array.as_string::<i32>().iter()),
        DataType::LargeUtf8 => texts(filled, array.as_string::<i64>().iter()),
        DataType::Utf8View => texts(filled, array.as_string_view().iter()),
        DataType::Boolean => {
            for value in array.as_boolean() {
                filled.push_bytes([u8::from(value.unwrap_or(false))], value.is_none());
            }
            Ok(())
        }
        DataType::Struct(_) => {
            let parts = array.as_struct();
            let mut columns = parts.columns().iter();
            match (columns.next(), columns.next()) {
                (Some(re), Some(im)) if *re.data_type() == DataType::Float32 => {
                    complex::<Float32Type>(filled, parts, re.as_ref(), im.as_ref())
                }
                (Some(re), Some(im)) => complex::<Float64Type>(filled, parts, re.as_ref(), im.as_ref()),
                _ => Err(failed("found a complex number without two parts")),
            }
        }
        DataType::Int8 => numbers::<Int8Type>(filled, array),
        DataType::Int16 => numbers::<Int16Type>(filled, array),
        DataType::Int32 => numbers::<Int32Type>(filled, array),
        DataType::Int64 => numbers::<Int64Type>(filled, array),
        DataType::UInt8 => numbers::<UInt8Type>(filled, array),
        DataType::UInt16 => numbers::<UInt16Type>(filled, array),
        DataType::UInt32 => numbers::<UInt32Type>(filled, array),
        DataType::UInt64 => numbers::<UInt64Type>(filled, array),
        DataType::Float16 => numbers::<Float16Type>(filled, array),
        DataType::Float32 => numbers::<Float32Type>(filled, array),
        DataType::Float64 => numbers::<Float64Type>(filled, array),
        other => Err(failed(format!("columns of {other} are not supported"))),
    }
}

fn texts<'t>(filled: &mut Filled, texts: impl Iterator<Item = Option<&'t str>>) -> Result<()> {
    for text in texts {
        match text {
            Some(text) => filled.push(text)?,
            None => filled.skip()?,
        }
    }
    Ok(())
}

fn numbers<T: ArrowPrimitiveType>(filled: &mut Filled, array: &dyn Array) -> Result<()>
where
    T::Native: NoUninit,
{
    for value in array.as_primitive::<T>() {
        match value {
            Some(value) => filled.push_bytes(little(&value), false),
            None => filled.skip()?,
        }
    }
    Ok(())
}

fn complex<T: ArrowPrimitiveType>(
    filled: &mut Filled,
    both: &dyn Array,
    re: &dyn Array,
    im: &dyn Array,
) -> Result<()>
where
    T::Native: NoUninit,
{
    let (re, im) = (re.as_primitive::<T>(), im.as_primitive::<T>());
    for (row, (re, im)) in re.values().iter().zip(im.values()).enumerate() {
        filled.push_bytes(little(re).into_iter().chain(little(im)), both.is_null(row));
    }
    Ok(())
}

/// Returns the bytes of a number, little-endian.
fn little<T: NoUninit>(value: &T) -> Vec<u8> {
    let mut bytes = bytemuck::bytes_of(value).to_vec();
    if cfg!(target_endian = "big") {
        bytes.reverse();
    }
    bytes
}
