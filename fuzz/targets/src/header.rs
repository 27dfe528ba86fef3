//! Block headers and block indexes from any bytes: what was read is written and read again, and ranges are in the file.

use asdf_core::block::{Header, index};

pub fn run(data: &[u8]) {
    let Some((numbers, rest)) = data.split_first_chunk::<4>() else { return };
    let [a, b, c, d] = numbers.map(u64::from);
    // Offsets and lengths near zero and near the largest number.
    let (offset, len) = (if a < 250 { a } else { u64::MAX - b }, if c < 250 { c * d } else { u64::MAX - d });
    if let Ok(header) = Header::parse(rest, offset) {
        let again = Header::parse(&header.emit(), offset).expect("an emitted header parses");
        assert_eq!(again, header);
        match header.stored(offset, len) {
            Ok(range) => {
                assert!(header.check(offset, len).is_ok());
                assert!(range.start <= range.end && range.end <= len, "{range:?} of {len}");
                assert_eq!(range.start, header.data_offset(offset).expect("checked"));
                assert!(header.end(offset).expect("checked").is_none_or(|end| end >= range.end));
            }
            Err(error) => assert!(error.to_string().len() < 1000 && error.offset().is_some(), "{error}"),
        }
    }
    if let Some(offsets) = index::parse(rest) {
        assert_eq!(index::parse(index::emit(&offsets).as_bytes()).as_ref(), Some(&offsets));
        assert!(offsets.is_sorted());
    }
    if let Some(at) = index::find(rest) {
        assert!(rest[at..].starts_with(index::HEADER));
    }
}
