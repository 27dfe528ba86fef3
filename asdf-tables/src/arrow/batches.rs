//! Converts columns to record batches.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::types::{
    Float16Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type,
    UInt32Type, UInt64Type,
};
use arrow_array::{
    Array, ArrayRef, ArrowPrimitiveType, BooleanArray, FixedSizeListArray, PrimitiveArray, RecordBatch,
    StringArray, StructArray,
};
use arrow_buffer::NullBuffer;
use arrow_schema::{ArrowError, DataType, Field, Fields, Schema};
use asdf_core::array::{Element, Value};
use asdf_core::{Datatype, Error, NdArray, Result};
use num_complex::Complex64;

use crate::fill::missing;
use crate::output::output;
use crate::{Column, Columns};

/// Returns the names and types of the columns as a schema.
///
/// The metadata of a field holds the unit, the description and other properties such as `frame` or `scale`. Numbers,
/// booleans and texts have the same types in Arrow. Complex numbers are structs of `re` and `im`; cells that are arrays
/// are lists of a fixed size. Every column can have nulls, which are missing elements.
///
/// # Errors
/// [`Unsupported`](asdf_core::error::Kind::Unsupported) for a datatype that Arrow does not support.
pub fn schema(columns: &Columns) -> Result<Schema> {
    let mut fields = Vec::new();
    for column in columns.as_slice() {
        let own = data_type(column.array.datatype()).map_err(|error| error.under(&column.name))?;
        let own = listed(own, column.cell()).map_err(|error| error.under(&column.name))?;
        let texts = [("unit", &column.unit), ("description", &column.description)];
        let texts = texts.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value.clone()?)));
        let metadata: HashMap<String, String> = column.metadata.clone().into_iter().chain(texts).collect();
        fields.push(Field::new(&column.name, own, true).with_metadata(metadata));
    }
    Ok(Schema::new(fields))
}

/// Iterates over the rows in batches of up to [`rows_at_once`](Columns::rows_at_once) rows.
///
/// The elements of a batch are read when the iterator reaches it.
///
/// # Errors
/// The errors of [`schema`]; an item is an error if its rows cannot be read.
pub fn batches(columns: &Columns) -> Result<impl Iterator<Item = Result<RecordBatch>> + '_> {
    let schema = Arc::new(schema(columns)?);
    let pieces = columns.pieces(columns.rows_at_once()?);
    Ok(pieces.map(move |piece| batch(&schema, &piece?)))
}

fn batch(schema: &Arc<Schema>, piece: &Columns) -> Result<RecordBatch> {
    let mut arrays: Vec<ArrayRef> = Vec::new();
    for (column, field) in piece.as_slice().iter().zip(schema.fields()) {
        let array = array(column, field.data_type());
        arrays.push(array.map_err(|error| error.under(&column.name))?);
    }
    RecordBatch::try_new(schema.clone(), arrays).map_err(failed)
}

fn data_type(datatype: &Datatype) -> Result<DataType> {
    let complex = |part: DataType| {
        let parts = ["re", "im"].map(|name| Field::new(name, part.clone(), false));
        DataType::Struct(Fields::from(parts.to_vec()))
    };
    Ok(match datatype {
        Datatype::Bool8 => DataType::Boolean,
        Datatype::Int8 => DataType::Int8,
        Datatype::Int16 => DataType::Int16,
        Datatype::Int32 => DataType::Int32,
        Datatype::Int64 => DataType::Int64,
        Datatype::Uint8 => DataType::UInt8,
        Datatype::Uint16 => DataType::UInt16,
        Datatype::Uint32 => DataType::UInt32,
        Datatype::Uint64 => DataType::UInt64,
        Datatype::Float16 => DataType::Float16,
        Datatype::Float32 => DataType::Float32,
        Datatype::Float64 => DataType::Float64,
        Datatype::Complex32 | Datatype::Complex64 => complex(DataType::Float32),
        Datatype::Complex128 => complex(DataType::Float64),
        Datatype::Ascii(_) | Datatype::Ucs4(_) => DataType::Utf8,
        other => return Err(Error::unsupported(format!("Arrow does not support {other}"))),
    })
}

/// Returns a type, or nested lists of it if the cells are arrays, with the first axis outermost.
fn listed(own: DataType, cell: &[u64]) -> Result<DataType> {
    cell.iter().rev().try_fold(own, |own, &n| {
        let length = i32::try_from(n)
            .map_err(|_| Error::unsupported("cells of more than 2^31 elements are not supported"))?;
        Ok(DataType::FixedSizeList(Arc::new(Field::new("item", own, true)), length))
    })
}

fn array(column: &Column, own: &DataType) -> Result<ArrayRef> {
    let nulls = missing(&column.array)?.map(|missing| missing.iter().map(|missing| !missing).collect());
    let mut array = flat(&column.array, nulls)?;
    // Collect the types of the lists from the outermost; the arrays are built from the innermost.
    let mut kinds = Vec::new();
    let mut kind = own;
    while let DataType::FixedSizeList(field, length) = kind {
        kinds.push((field.clone(), *length));
        kind = field.data_type();
    }
    for (level, (field, length)) in kinds.into_iter().enumerate().rev() {
        // If the cells are empty, Arrow cannot infer the number of lists.
        let count: u64 = column.array.shape().iter().take(level + 1).product();
        let count = usize::try_from(count).map_err(|_| Error::limit("the rows do not fit in memory"))?;
        let list = FixedSizeListArray::try_new_with_length(field, length, array, None, count);
        array = Arc::new(list.map_err(failed)?);
    }
    Ok(array)
}

/// Returns all elements in C order as a flat array.
fn flat(array: &NdArray, nulls: Option<NullBuffer>) -> Result<ArrayRef> {
    Ok(match array.datatype() {
        Datatype::Bool8 => Arc::new(BooleanArray::new(array.read::<bool>()?.into(), nulls)),
        Datatype::Int8 => numbers::<Int8Type>(array, nulls)?,
        Datatype::Int16 => numbers::<Int16Type>(array, nulls)?,
        Datatype::Int32 => numbers::<Int32Type>(array, nulls)?,
        Datatype::Int64 => numbers::<Int64Type>(array, nulls)?,
        Datatype::Uint8 => numbers::<UInt8Type>(array, nulls)?,
        Datatype::Uint16 => numbers::<UInt16Type>(array, nulls)?,
        Datatype::Uint32 => numbers::<UInt32Type>(array, nulls)?,
        Datatype::Uint64 => numbers::<UInt64Type>(array, nulls)?,
        Datatype::Float16 => numbers::<Float16Type>(array, nulls)?,
        Datatype::Float32 => numbers::<Float32Type>(array, nulls)?,
        Datatype::Float64 => numbers::<Float64Type>(array, nulls)?,
        Datatype::Complex32 | Datatype::Complex64 => {
            let values = array.read::<num_complex::Complex32>()?;
            let part = |part: fn(&num_complex::Complex32) -> f32| -> ArrayRef {
                Arc::new(PrimitiveArray::<Float32Type>::from_iter_values(values.iter().map(part)))
            };
            complex(&DataType::Float32, part(|value| value.re), part(|value| value.im), nulls)?
        }
        Datatype::Complex128 => {
            let values = array.read::<Complex64>()?;
            let part = |part: fn(&Complex64) -> f64| -> ArrayRef {
                Arc::new(PrimitiveArray::<Float64Type>::from_iter_values(values.iter().map(part)))
            };
            complex(&DataType::Float64, part(|value| value.re), part(|value| value.im), nulls)?
        }
        Datatype::Ascii(_) | Datatype::Ucs4(_) => {
            let texts = array.elements()?.map(|value| match value {
                Value::Text(text) => Some(text),
                _ => None,
            });
            Arc::new(texts.collect::<StringArray>())
        }
        other => return Err(Error::unsupported(format!("Arrow does not support {other}"))),
    })
}

fn numbers<T: ArrowPrimitiveType>(array: &NdArray, nulls: Option<NullBuffer>) -> Result<ArrayRef>
where
    T::Native: Element,
{
    let values = array.read::<T::Native>()?;
    Ok(Arc::new(PrimitiveArray::<T>::try_new(values.into(), nulls).map_err(failed)?))
}

fn complex(part: &DataType, re: ArrayRef, im: ArrayRef, nulls: Option<NullBuffer>) -> Result<ArrayRef> {
    let fields = ["re", "im"].map(|name| Field::new(name, part.clone(), false));
    debug_assert_eq!(re.len(), im.len());
    let array = StructArray::try_new(Fields::from(fields.to_vec()), vec![re, im], nulls).map_err(failed)?;
    Ok(Arc::new(array))
}

/// Converts an error of the Arrow crates.
pub(crate) fn failed(error: ArrowError) -> Error {
    match error {
        ArrowError::IoError(_, error) => output(error),
        other => Error::unsupported(format!("cannot write the table: {other}")),
    }
}
