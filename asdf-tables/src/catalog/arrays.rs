//! Converts the values of a column to an Arrow array.

use std::sync::Arc;

use arrow_array::builder::{
    BooleanBuilder, Float32Builder, Float64Builder, Int16Builder, Int32Builder, Int64Builder, StringBuilder,
    StringDictionaryBuilder, TimestampMicrosecondBuilder, UInt8Builder,
};
use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, ListArray, StructArray};
use arrow_buffer::{NullBuffer, OffsetBuffer};
use arrow_schema::{DataType, Field, Fields, TimeUnit};
use asdf_core::{Error, Result};

use super::Kind;
use super::value::Value;

/// The time zone of timestamps.
const UTC: &str = "UTC";

/// Returns the Arrow type of a column.
pub(super) fn data_type(kind: &Kind, is_dictionary: bool) -> DataType {
    match kind {
        Kind::Boolean => DataType::Boolean,
        Kind::Uint8 => DataType::UInt8,
        Kind::Int16 => DataType::Int16,
        Kind::Int32 => DataType::Int32,
        Kind::Int64 => DataType::Int64,
        Kind::Float32 => DataType::Float32,
        Kind::Float64 => DataType::Float64,
        Kind::String if is_dictionary => {
            DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8))
        }
        Kind::String | Kind::Json => DataType::Utf8,
        Kind::Timestamp => DataType::Timestamp(TimeUnit::Microsecond, Some(UTC.into())),
        Kind::List(item) => DataType::List(item_field(item)),
        Kind::Struct(fields) => DataType::Struct(struct_fields(fields)),
    }
}

fn item_field(item: &Kind) -> Arc<Field> {
    Arc::new(Field::new("item", data_type(item, false), true))
}

fn struct_fields(fields: &[(String, Kind)]) -> Fields {
    fields.iter().map(|(name, kind)| Field::new(name, data_type(kind, false), true)).collect()
}

/// Makes an array of values that fit a type.
pub(super) fn array(kind: &Kind, is_dictionary: bool, values: &[&Value]) -> Result<ArrayRef> {
    macro_rules! built {
        ($builder:expr, $pattern:pat => $value:expr) => {{
            let mut builder = $builder;
            for value in values {
                match value {
                    $pattern => builder.append_value($value),
                    _ => builder.append_null(),
                }
            }
            Arc::new(builder.finish())
        }};
    }
    // Integers were fitted to the range of their type.
    macro_rules! integers {
        ($builder:ty, $type:ty) => {{
            let mut builder = <$builder>::with_capacity(values.len());
            for value in values {
                builder.append_option(match value {
                    Value::Integer(integer) => <$type>::try_from(*integer).ok(),
                    _ => None,
                });
            }
            Arc::new(builder.finish())
        }};
    }
    Ok(match kind {
        Kind::Boolean => built!(BooleanBuilder::new(), Value::Boolean(boolean) => *boolean),
        Kind::Uint8 => integers!(UInt8Builder, u8),
        Kind::Int16 => integers!(Int16Builder, i16),
        Kind::Int32 => integers!(Int32Builder, i32),
        Kind::Int64 => integers!(Int64Builder, i64),
        #[expect(clippy::cast_possible_truncation, reason = "a column of float32 holds the nearest float")]
        Kind::Float32 => built!(Float32Builder::new(), Value::Float(number) => *number as f32),
        Kind::Float64 => built!(Float64Builder::new(), Value::Float(number) => *number),
        Kind::String if is_dictionary => {
            built!(StringDictionaryBuilder::<Int32Type>::new(), Value::String(text) => text)
        }
        Kind::String | Kind::Json => built!(StringBuilder::new(), Value::String(text) => text),
        Kind::Timestamp => {
            let builder = TimestampMicrosecondBuilder::new().with_timezone(UTC);
            built!(builder, Value::Timestamp(time) => *time)
        }
        Kind::List(item) => {
            let mut flat: Vec<&Value> = Vec::new();
            let mut lengths = Vec::new();
            for value in values {
                let items = match value {
                    Value::List(items) => items.as_slice(),
                    _ => &[],
                };
                flat.extend(items);
                lengths.push(items.len());
            }
            if i32::try_from(flat.len()).is_err() {
                return Err(Error::limit("the lists of a column have more than 2^31 items"));
            }
            let items = array(item, false, &flat)?;
            let offsets = OffsetBuffer::from_lengths(lengths);
            Arc::new(ListArray::try_new(item_field(item), offsets, items, nulls(values)).map_err(failed)?)
        }
        Kind::Struct(fields) => {
            let mut arrays = Vec::new();
            for (number, (_, kind)) in fields.iter().enumerate() {
                let column: Vec<&Value> = values
                    .iter()
                    .map(|value| match value {
                        Value::Struct(entries) => {
                            entries.get(number).map_or(&Value::Null, |(_, value)| value)
                        }
                        _ => &Value::Null,
                    })
                    .collect();
                arrays.push(array(kind, false, &column)?);
            }
            let array =
                StructArray::try_new_with_length(struct_fields(fields), arrays, nulls(values), values.len());
            Arc::new(array.map_err(failed)?)
        }
    })
}

fn nulls(values: &[&Value]) -> Option<NullBuffer> {
    let valid: NullBuffer = values.iter().map(|value| **value != Value::Null).collect();
    (valid.null_count() > 0).then_some(valid)
}

pub(super) fn failed(error: impl std::fmt::Display) -> Error {
    Error::unsupported(format!("cannot make a table of the values: {error}"))
}

/// Returns whether an array of Arrow has the type of a column, as texts or as a dictionary.
#[cfg(feature = "parquet")]
pub(super) fn is_of(found: &DataType, kind: &Kind) -> bool {
    [true, false].iter().any(|dictionary| *found == data_type(kind, *dictionary))
}
