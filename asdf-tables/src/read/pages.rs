//! The sizes that the pages of a Parquet file claim.
//!
//! The crate parquet allocates the claimed size of a page, up to 2 GiB, before it decodes the page. So the claims are
//! checked first. It does not tell them, so the headers are read here, as structs of Thrift's compact protocol.

use asdf_core::{Error, Result};
use parquet::basic::Compression;
use parquet::file::metadata::ParquetMetaData;

/// No three bytes of Snappy decode to more bytes than these. Other codecs are not built.
const MOST_OF_THREE: u64 = 64;

/// Fails if a page claims to have more bytes than can be decoded from it, or if columns overlap.
///
/// With overlapping columns, a small file could make every reader pass over the same pages thousands of times.
pub(crate) fn check(bytes: &[u8], metadata: &ParquetMetaData) -> Result<()> {
    let place = |at: u64| usize::try_from(at).unwrap_or(usize::MAX).min(bytes.len());
    let mut left = bytes.len();
    for column in metadata.row_groups().iter().flat_map(|group| group.columns()) {
        let (start, len) = column.byte_range();
        let (mut at, end) = (place(start), place(start.saturating_add(len)));
        left = left
            .checked_sub(end - at)
            .ok_or_else(|| Error::malformed("cannot read the file as Parquet: its columns overlap"))?;
        if column.compression() != Compression::SNAPPY {
            continue;
        }
        // If a header cannot be read, the crate fails too, or has read all values.
        while let Some(page) = bytes.get(at..end).and_then(Page::read) {
            let most = page.stored.saturating_mul(MOST_OF_THREE) / 3;
            if page.size > most {
                return Err(Error::malformed(format!(
                    "cannot read the file as Parquet: a page claims to have {} bytes, but its {} compressed bytes decode to {most} bytes at most",
                    page.size, page.stored
                ))
                .at_offset(at as u64));
            }
            at = place((at as u64).saturating_add(page.header).saturating_add(page.stored));
        }
    }
    Ok(())
}

/// The sizes of a page in bytes.
#[derive(Debug, PartialEq, Eq)]
struct Page {
    header: u64,
    size: u64,
    stored: u64,
}

impl Page {
    /// Reads the header at the beginning of some bytes; `None` if there is none.
    fn read(bytes: &[u8]) -> Option<Self> {
        const SIZE: i64 = 2;
        const STORED: i64 = 3;
        let mut thrift = Thrift(bytes);
        let (mut size, mut stored, mut field) = (None, None, 0);
        while let Some(kind) = thrift.field(&mut field)? {
            match (field, kind) {
                (SIZE, Kind::Integer) => size = Some(thrift.integer()?),
                (STORED, Kind::Integer) => stored = Some(thrift.integer()?),
                _ => thrift.skip(kind, 0)?,
            }
        }
        Some(Self {
            header: (bytes.len() - thrift.0.len()) as u64,
            size: u64::try_from(size?).ok()?,
            stored: u64::try_from(stored?).ok()?,
        })
    }
}

/// The kinds of values, by how they are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Boolean,
    Byte,
    Integer,
    Double,
    Binary,
    List,
    Map,
    Struct,
}

impl Kind {
    fn of(number: u8) -> Option<Self> {
        Some(match number {
            1 | 2 => Self::Boolean,
            3 => Self::Byte,
            4..=6 => Self::Integer,
            7 => Self::Double,
            8 => Self::Binary,
            9 | 10 => Self::List,
            11 => Self::Map,
            12 => Self::Struct,
            _ => return None,
        })
    }
}

/// Bytes in Thrift's compact protocol. All methods return `None` if the bytes end too early or mean nothing.
struct Thrift<'a>(&'a [u8]);

impl Thrift<'_> {
    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    fn pass(&mut self, count: u64) -> Option<()> {
        self.0 = self.0.get(usize::try_from(count).ok()?..)?;
        Some(())
    }

    fn unsigned(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    fn integer(&mut self) -> Option<i64> {
        let number = self.unsigned()?;
        Some((number >> 1).cast_signed() ^ -(number & 1).cast_signed())
    }

    /// Reads the head of the next field of a struct: the kind of its value, and its number from that of the field before.
    /// `Some(None)` at the end of the struct.
    #[expect(clippy::option_option, reason = "the end of the struct is not the end of the bytes")]
    fn field(&mut self, number: &mut i64) -> Option<Option<Kind>> {
        let head = self.byte()?;
        if head == 0 {
            return Some(None);
        }
        *number = match head >> 4 {
            0 => self.integer()?,
            step => number.checked_add(i64::from(step))?,
        };
        Kind::of(head & 15).map(Some)
    }

    /// Passes over a value of a field.
    fn skip(&mut self, kind: Kind, depth: u8) -> Option<()> {
        /// Page headers have three levels.
        const DEEPEST: u8 = 16;
        if depth > DEEPEST {
            return None;
        }
        match kind {
            // The head of the field has the value.
            Kind::Boolean => Some(()),
            Kind::Byte => self.pass(1),
            Kind::Integer => self.unsigned().map(|_| ()),
            Kind::Double => self.pass(8),
            Kind::Binary => {
                let length = self.unsigned()?;
                self.pass(length)
            }
            Kind::List => {
                let head = self.byte()?;
                let count = if head >> 4 == 15 { self.unsigned()? } else { u64::from(head >> 4) };
                let kind = Kind::of(head & 15)?;
                (0..count).try_for_each(|_| self.skip_item(kind, depth))
            }
            Kind::Map => {
                let count = self.unsigned()?;
                if count == 0 {
                    return Some(());
                }
                let head = self.byte()?;
                let (key, value) = (Kind::of(head >> 4)?, Kind::of(head & 15)?);
                (0..count).try_for_each(|_| {
                    self.skip_item(key, depth)?;
                    self.skip_item(value, depth)
                })
            }
            Kind::Struct => {
                let mut number = 0;
                while let Some(kind) = self.field(&mut number)? {
                    self.skip(kind, depth + 1)?;
                }
                Some(())
            }
        }
    }

    /// Passes over an item of a list or a map, where a boolean is a byte.
    fn skip_item(&mut self, kind: Kind, depth: u8) -> Option<()> {
        self.skip(if kind == Kind::Boolean { Kind::Byte } else { kind }, depth + 1)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_array::{Int64Array, RecordBatch};
    use asdf_core::source::Bytes;
    use parquet::arrow::ArrowWriter;
    use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
    use parquet::file::properties::{WriterProperties, WriterVersion};

    use super::*;

    /// A file with one column of equal numbers in a page of 1.6 MB.
    fn file(version: WriterVersion) -> Vec<u8> {
        let column = Arc::new(Int64Array::from(vec![7; 200_000]));
        let batch = RecordBatch::try_from_iter([("a", column as _)]).unwrap();
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_writer_version(version)
            .set_dictionary_enabled(false)
            .set_encoding(parquet::basic::Encoding::PLAIN)
            .set_data_page_size_limit(1 << 30)
            .set_data_page_row_count_limit(1 << 30)
            .set_write_batch_size(1 << 30)
            .build();
        let mut bytes = Vec::new();
        let mut writer = ArrowWriter::try_new(&mut bytes, batch.schema(), Some(properties)).unwrap();
        writer.write(&batch).unwrap();
        writer.close().unwrap();
        bytes
    }

    fn checked(bytes: &[u8]) -> Result<()> {
        let builder = ParquetRecordBatchReaderBuilder::try_new(Bytes::copy_from_slice(bytes)).unwrap();
        check(bytes, builder.metadata())
    }

    #[test]
    fn a_page_cannot_claim_more_than_snappy_decodes() {
        for version in [WriterVersion::PARQUET_1_0, WriterVersion::PARQUET_2_0] {
            let mut bytes = file(version);
            checked(&bytes).unwrap();
            let page = Page::read(&bytes[4..]).unwrap();
            assert!(page.size >= 1_600_000 && page.stored < 100_000, "{page:?}");
            // The first field is the kind of the page, the second one its size, in four bytes.
            assert_eq!((bytes[4], bytes[6]), (0x15, 0x15));
            bytes[7..11].copy_from_slice(&[0xfe, 0xff, 0xff, 0x7f]);
            let error = checked(&bytes).unwrap_err();
            assert!(error.message().contains("a page claims to have 134217727 bytes"), "{error}");
            assert_eq!(error.offset(), Some(4));
        }
    }

    #[test]
    fn columns_do_not_overlap() {
        let bytes = file(WriterVersion::PARQUET_2_0);
        let builder = ParquetRecordBatchReaderBuilder::try_new(Bytes::copy_from_slice(&bytes)).unwrap();
        let groups = builder.metadata().row_groups();
        let twice =
            ParquetMetaData::new(builder.metadata().file_metadata().clone(), [groups, groups].concat());
        assert!(check(&bytes, &twice).unwrap_err().message().ends_with("its columns overlap"));
    }

    #[test]
    fn unknown_fields_are_passed_over() {
        let known = [0x15, 0x00, 0x15, 0x50, 0x15, 0x0a];
        let page = |header| Some(Page { header, size: 40, stored: 5 });
        let others: [&[u8]; 11] = [
            &[],
            &[0x11],
            &[0x13, 0x7f],
            &[0x16, 0xff, 0x01],
            &[0x17, 1, 2, 3, 4, 5, 6, 7, 8],
            &[0x18, 2, 0x15, 0x15],
            &[0x19, 0x21, 1, 2],
            &[0x1b, 1, 0x81, 1, 0x61, 0],
            &[0x1b, 0],
            &[0x1c, 0x15, 0x02, 0x1c, 0x11, 0, 0],
            &[0x05, 0x20, 0x04],
        ];
        for other in others {
            let header = [&known[..], other, &[0], &[9; 5]].concat();
            assert_eq!(Page::read(&header), page(7 + other.len() as u64), "{other:02x?}");
        }
        for bad in [&known[..], &[0], &[0x1f], &[0x15, 0x80], &[0x15, 0x00, 0x15, 0x01, 0x15, 0x02, 0]] {
            assert_eq!(Page::read(bad), None, "{bad:02x?}");
        }
        let deep = [&known[..], &[0x1c; 100], &[0; 101]].concat();
        assert_eq!(Page::read(&deep), None);
    }
}
