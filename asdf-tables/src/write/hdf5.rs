//! Writes HDF5 files of one dataset, with booleans, complex numbers and tables in the layout of h5py and astropy.
//! <https://docs.astropy.org/en/stable/io/unified_table_hdf5.html>

use std::collections::BTreeMap;
use std::io::Write;

use asdf_core::array::{ByteOrder, Value};
use asdf_core::{Datatype, Error, NdArray, Result};
use hdf5_writer::{
    AttributeBuilder, ByteOrder as Hdf5Order, CompoundField, DatasetBuilder, Datatype as Hdf5Type,
    EnumMember, Hdf5Builder, StringEncoding, StringPadding, StringSize, WriteOptions,
};
use serde_json::Value as Json;

use super::ecsv;
use super::output;
use crate::Columns;
use crate::fill::{Fill, filled};

/// Writes an array as a dataset, with its unit and metadata as attributes.
pub(super) fn array(
    name: &str,
    array: &NdArray,
    unit: Option<&str>,
    metadata: &BTreeMap<String, String>,
    fill: Option<Fill>,
    out: &mut dyn Write,
) -> Result<()> {
    let mut dataset = elements(array, fill)?.dataset(name, array.shape());
    let unit = unit.map(|unit| ("units", unit));
    for (key, text) in metadata.iter().map(|(key, text)| (key.as_str(), text.as_str())).chain(unit) {
        dataset = dataset.attribute(AttributeBuilder::fixed_string(key, text));
    }
    write(Hdf5Builder::new().dataset(dataset), out)
}

/// Writes a table as a dataset of records. Units, descriptions and `meta` are in a second dataset, where astropy reads
/// them.
pub(super) fn table(
    name: &str,
    columns: &Columns,
    meta: Option<&Json>,
    fill: Option<Fill>,
    out: &mut dyn Write,
) -> Result<()> {
    let mut fields = Vec::new();
    for column in columns.as_slice() {
        let cells = elements(&column.array, fill).map_err(|error| error.under(&column.name))?;
        fields.push((column.name.clone(), cells.in_cells(column.cell())));
    }
    let rows = usize::try_from(columns.rows()).map_err(|_| Error::limit("the rows do not fit in memory"))?;
    let records = Elements::of_fields(fields, rows)?.dataset(name, &[columns.rows()]);
    let header = ecsv::described(columns, meta)?;
    let lines: Vec<&str> = header.lines().collect();
    let header = DatasetBuilder::fixed_string_data(
        format!("{name}.__table_column_meta__"),
        vec![lines.len() as u64],
        &lines,
    );
    write(Hdf5Builder::new().dataset(records).dataset(header.map_err(failed)?), out)
}

fn write(builder: Hdf5Builder, out: &mut dyn Write) -> Result<()> {
    let bytes = builder.into_plan().and_then(|plan| plan.encode(WriteOptions::default())).map_err(failed)?;
    out.write_all(&bytes).map_err(output)
}

/// Contiguous elements, as a dataset stores them.
struct Elements {
    datatype: Hdf5Type,
    /// The size of an element in bytes.
    size: usize,
    bytes: Vec<u8>,
}

impl Elements {
    fn dataset(self, name: &str, shape: &[u64]) -> DatasetBuilder {
        DatasetBuilder::new(name, self.datatype, shape).raw_data(self.bytes)
    }

    /// Groups the elements into arrays of this shape.
    fn in_cells(self, shape: &[u64]) -> Self {
        if shape.is_empty() {
            return self;
        }
        let count = usize::try_from(shape.iter().product::<u64>()).unwrap_or(usize::MAX);
        Self {
            datatype: Hdf5Type::Array { base: Box::new(self.datatype), dims: shape.to_vec() },
            size: self.size.saturating_mul(count),
            bytes: self.bytes,
        }
    }

    /// Interleaves fields with the same number of elements into records.
    fn of_fields(fields: Vec<(String, Self)>, count: usize) -> Result<Self> {
        let mut members = Vec::new();
        let mut size = 0_usize;
        for (name, field) in &fields {
            if members.iter().any(|member: &CompoundField| member.name == *name) {
                let name = name.escape_debug();
                return Err(Error::unsupported(format!(
                    "HDF5 does not support two columns with the name '{name}'"
                )));
            }
            let byte_offset = u32::try_from(size)
                .map_err(|_| Error::unsupported("rows of 4 GiB or more are not supported"))?;
            members.push(CompoundField { name: name.clone(), byte_offset, datatype: field.datatype.clone() });
            size = size.saturating_add(field.size);
        }
        let mut bytes = Vec::with_capacity(fields.iter().map(|(_, field)| field.bytes.len()).sum());
        for record in 0..count {
            for (_, field) in &fields {
                let at = record * field.size;
                bytes.extend_from_slice(field.bytes.get(at..at + field.size).unwrap_or_default());
            }
        }
        let width =
            u32::try_from(size).map_err(|_| Error::unsupported("rows of 4 GiB or more are not supported"))?;
        Ok(Self { datatype: Hdf5Type::Compound { size: width, fields: members }, size, bytes })
    }
}

/// Returns the elements in C order, in the nearest HDF5 datatype that holds all their values.
fn elements(array: &NdArray, fill: Option<Fill>) -> Result<Elements> {
    let own = array.datatype();
    if let Datatype::Struct(list) = own {
        let mut fields = Vec::new();
        for (index, field) in list.iter().enumerate() {
            let Some(name) = &field.name else {
                return Err(Error::unsupported(format!("field {index} of the records has no name")));
            };
            let cells = elements(&array.field(name)?, fill).map_err(|error| error.under(name))?;
            fields.push((name.clone(), cells.in_cells(&field.shape)));
        }
        let count =
            usize::try_from(array.len()).map_err(|_| Error::limit("the elements do not fit in memory"))?;
        return Elements::of_fields(fields, count);
    }
    let array = filled(array, fill)?;
    // The writer does not support float16.
    let array = match own {
        Datatype::Float16 => NdArray::new(array.shape(), &array.read::<f32>()?)?,
        Datatype::Complex32 => NdArray::new(array.shape(), &array.read::<num_complex::Complex32>()?)?,
        Datatype::Ucs4(_) => return texts(&array),
        _ => array,
    };
    let size = usize::try_from(array.datatype().size()?)
        .map_err(|_| Error::limit("the elements do not fit in memory"))?;
    let datatype = datatype(array.datatype())?;
    let mut bytes = array.packed_bytes(ByteOrder::Little)?;
    match size {
        // HDF5 has no datatype of size 0 for texts without characters.
        0 => bytes.resize(usize::try_from(array.len()).unwrap_or(0), 0),
        _ if *array.datatype() == Datatype::Bool8 => {
            bytes.iter_mut().for_each(|byte| *byte = u8::from(*byte != 0))
        }
        _ => {}
    }
    Ok(Elements { datatype, size: size.max(1), bytes })
}

/// Encodes texts in UTF-8, padded to the length of the longest.
fn texts(array: &NdArray) -> Result<Elements> {
    let texts: Vec<String> = array
        .elements()?
        .map(|value| match value {
            Value::Text(text) => text,
            _ => String::new(),
        })
        .collect();
    let size = texts.iter().map(String::len).max().unwrap_or(0).max(1);
    let mut bytes = Vec::with_capacity(texts.len() * size);
    for (index, text) in texts.iter().enumerate() {
        bytes.extend_from_slice(text.as_bytes());
        bytes.resize((index + 1) * size, 0);
    }
    Ok(Elements { datatype: text(size, StringEncoding::Utf8)?, size, bytes })
}

fn text(size: usize, encoding: StringEncoding) -> Result<Hdf5Type> {
    let size =
        u32::try_from(size).map_err(|_| Error::unsupported("texts of 4 GiB or more are not supported"))?;
    Ok(Hdf5Type::String { size: StringSize::Fixed(size), encoding, padding: StringPadding::NullPad })
}

fn datatype(datatype: &Datatype) -> Result<Hdf5Type> {
    const ORDER: Hdf5Order = Hdf5Order::LittleEndian;
    let integer = |size, signed| Hdf5Type::FixedPoint { size, signed, byte_order: ORDER };
    let float = |size| Hdf5Type::FloatingPoint { size, byte_order: ORDER };
    let complex = |size: u8| {
        let part = |name: &str, at: u8| CompoundField {
            name: name.to_owned(),
            byte_offset: u32::from(at),
            datatype: float(size),
        };
        Hdf5Type::Compound { size: 2 * u32::from(size), fields: vec![part("r", 0), part("i", size)] }
    };
    Ok(match datatype {
        Datatype::Bool8 => {
            let member = |name: &str, value| EnumMember { name: name.to_owned(), value: vec![value] };
            Hdf5Type::Enum {
                base: Box::new(integer(1, true)),
                members: vec![member("FALSE", 0), member("TRUE", 1)],
            }
        }
        Datatype::Int8 => integer(1, true),
        Datatype::Int16 => integer(2, true),
        Datatype::Int32 => integer(4, true),
        Datatype::Int64 => integer(8, true),
        Datatype::Uint8 => integer(1, false),
        Datatype::Uint16 => integer(2, false),
        Datatype::Uint32 => integer(4, false),
        Datatype::Uint64 => integer(8, false),
        Datatype::Float32 => float(4),
        Datatype::Float64 => float(8),
        Datatype::Complex64 => complex(4),
        Datatype::Complex128 => complex(8),
        Datatype::Ascii(_) => {
            let size = usize::try_from(datatype.size()?).unwrap_or(usize::MAX);
            text(size.max(1), StringEncoding::Ascii)?
        }
        other => return Err(Error::unsupported(format!("HDF5 does not support {other}"))),
    })
}

fn failed(error: hdf5_writer::Error) -> Error {
    Error::unsupported(format!("cannot write the data as HDF5: {error}"))
}
