//! Reads npy files, the format of `numpy.save`: versions 1.0, 2.0 and 3.0.

use asdf_core::array::{ByteOrder, Field};
use asdf_core::source::Bytes;
use asdf_core::{Datatype, Error, NdArray, Result};

use super::literal::{self, Literal};

const MAGIC: &[u8] = b"\x93NUMPY";

/// The maximum size of the header in bytes. numpy writes no longer ones.
const MAX_HEADER: usize = 1 << 22;

/// Returns the array of a file. Its elements are not copied.
pub(super) fn array(bytes: &Bytes) -> Result<NdArray> {
    let (text, start) = header(bytes)?;
    let header = literal::parse(&text)?;
    let missing = |key: &str| Error::malformed(format!("the header has no valid '{key}'"));
    let description = header.get("descr").ok_or_else(|| missing("descr"))?;
    let shape = header.get("shape").and_then(Literal::numbers).ok_or_else(|| missing("shape"))?;
    let Some(&Literal::Bool(fortran)) = header.get("fortran_order") else {
        return Err(missing("fortran_order"));
    };
    let (datatype, order) = datatype(description, 0)?;
    let stored: Vec<u64> = if fortran { shape.iter().rev().copied().collect() } else { shape };
    let count = stored.iter().try_fold(1_u64, |all, &n| all.checked_mul(n));
    let size = count.zip(datatype.size().ok()).and_then(|(count, size)| count.checked_mul(size));
    let end = size
        .and_then(|size| usize::try_from(size).ok()?.checked_add(start))
        .filter(|&end| end <= bytes.len());
    let end = end.ok_or_else(|| {
        let left = bytes.len().saturating_sub(start);
        Error::malformed(format!(
            "the file is truncated: an array of shape {stored:?} and datatype {datatype} needs more than the {left} \
             bytes that follow"
        ))
        .at_offset(start as u64)
    })?;
    let order = order.unwrap_or(ByteOrder::NATIVE);
    let array = NdArray::from_bytes(datatype, order, &stored, bytes.slice(start..end))?;
    if fortran && stored.len() > 1 { array.transposed() } else { Ok(array) }
}

/// Returns the text of the header, and the offset of the elements.
fn header(bytes: &[u8]) -> Result<(String, usize)> {
    let wrong = |message: &str| Error::malformed(message).at_offset(0);
    let rest = bytes
        .strip_prefix(MAGIC)
        .ok_or_else(|| wrong("not an npy file: it does not begin with \\x93NUMPY"))?;
    let (length, start) = match *rest {
        [1, _, a, b, ..] => (usize::from(u16::from_le_bytes([a, b])), 10),
        [2 | 3, _, a, b, c, d, ..] => {
            (usize::try_from(u32::from_le_bytes([a, b, c, d])).unwrap_or(usize::MAX), 12)
        }
        [version, minor, ..] if !matches!(version, 1..=3) => {
            return Err(Error::unsupported(format!(
                "version {version}.{minor} of the npy format is not supported"
            )));
        }
        _ => return Err(wrong("the file ends inside the header")),
    };
    if length > MAX_HEADER {
        return Err(Error::limit(format!(
            "the header of {length} bytes is larger than the limit of {MAX_HEADER} bytes"
        )));
    }
    let end = start + length;
    let header = bytes.get(start..end).ok_or_else(|| wrong("the file ends inside the header"))?;
    // Versions 1.0 and 2.0 are Latin-1, 3.0 is UTF-8.
    let text = match rest.first() {
        Some(3) => std::str::from_utf8(header).map_err(|_| wrong("the header is not UTF-8"))?.to_owned(),
        _ => header.iter().map(|&byte| char::from(byte)).collect(),
    };
    Ok((text, end))
}

/// Converts a numpy datatype to an ASDF datatype, and its byte order if it has one.
fn datatype(description: &Literal, depth: usize) -> Result<(Datatype, Option<ByteOrder>)> {
    const MAX_DEPTH: usize = 16;
    match description {
        Literal::Text(code) => simple(code),
        Literal::List(fields) if depth < MAX_DEPTH => {
            let fields = fields.iter().map(|field| self::field(field, depth + 1));
            Ok((Datatype::Struct(fields.collect::<Result<_>>()?), None))
        }
        _ => Err(Error::unsupported("this kind of numpy datatype is not supported")),
    }
}

fn field(description: &Literal, depth: usize) -> Result<Field> {
    let wrong = || {
        Error::malformed("found an invalid field in the header, expected (name, type) or (name, type, shape)")
    };
    let Literal::List(parts) = description else { return Err(wrong()) };
    let (name, inner, shape) = match parts.as_slice() {
        [name, inner] => (name, inner, Vec::new()),
        [name, inner, shape] => (name, inner, shape.numbers().ok_or_else(wrong)?),
        _ => return Err(wrong()),
    };
    // A title is stored before the name.
    let name = match name {
        Literal::Text(name) => name,
        Literal::List(names) => match names.as_slice() {
            [_, Literal::Text(name)] => name,
            _ => return Err(wrong()),
        },
        _ => return Err(wrong()),
    };
    if name.is_empty() {
        return Err(Error::unsupported("records with padding between their fields are not supported")
            .with_hint("pack them first: numpy.lib.recfunctions.repack_fields(array)"));
    }
    let (datatype, byteorder) = datatype(inner, depth).map_err(|error| error.under(name))?;
    Ok(Field { name: Some(name.clone()), datatype, byteorder, shape })
}

/// Returns the datatype for a kind of numpy, such as `f`, and a size.
///
/// The size is in bytes, and for `U` in characters. Returns `None` if ASDF has no such datatype.
///
/// # Examples
/// ```
/// use asdf_core::Datatype;
///
/// assert_eq!(asdf_tables::numpy_datatype("f", 4), Some(Datatype::Float32));
/// assert_eq!(asdf_tables::numpy_datatype("U", 8), Some(Datatype::Ucs4(8)));
/// assert_eq!(asdf_tables::numpy_datatype("M", 8), None);
/// ```
#[must_use]
pub fn numpy_datatype(kind: &str, size: u64) -> Option<Datatype> {
    Some(match (kind, size) {
        ("b", 1) => Datatype::Bool8,
        ("i", 1) => Datatype::Int8,
        ("i", 2) => Datatype::Int16,
        ("i", 4) => Datatype::Int32,
        ("i", 8) => Datatype::Int64,
        ("u", 1) => Datatype::Uint8,
        ("u", 2) => Datatype::Uint16,
        ("u", 4) => Datatype::Uint32,
        ("u", 8) => Datatype::Uint64,
        ("f", 2) => Datatype::Float16,
        ("f", 4) => Datatype::Float32,
        ("f", 8) => Datatype::Float64,
        ("c", 8) => Datatype::Complex64,
        ("c", 16) => Datatype::Complex128,
        ("S" | "a", length) => Datatype::Ascii(length),
        ("U", length) => Datatype::Ucs4(length),
        _ => return None,
    })
}

/// Converts a simple type such as `<f4`.
fn simple(code: &str) -> Result<(Datatype, Option<ByteOrder>)> {
    let (sign, rest) = match code.split_at_checked(1) {
        Some((sign @ ("<" | ">" | "|" | "="), rest)) => (sign, rest),
        _ => ("=", code),
    };
    let unknown = || {
        let error =
            Error::unsupported(format!("ASDF has no datatype for numpy's type '{}'", code.escape_debug()));
        match rest.chars().next() {
            Some('O') => error.with_hint("convert Python's objects to numbers or texts first"),
            Some('M' | 'm') => error.with_hint("convert times to numbers first: array.astype('int64')"),
            Some('f' | 'c') => error.with_hint("convert them to float64 or complex128 first"),
            _ => error,
        }
    };
    let (kind, size) = rest.split_at_checked(1).ok_or_else(unknown)?;
    let size: u64 = size.parse().map_err(|_| unknown())?;
    let datatype = numpy_datatype(kind, size).ok_or_else(unknown)?;
    let order = match sign {
        "<" => Some(ByteOrder::Little),
        ">" => Some(ByteOrder::Big),
        "|" => None,
        _ => Some(ByteOrder::NATIVE),
    };
    Ok((datatype, order))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(header: &str, data: &[u8]) -> Result<NdArray> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend([1, 0]);
        bytes.extend(u16::try_from(header.len()).unwrap().to_le_bytes());
        bytes.extend(header.bytes());
        bytes.extend(data);
        array(&bytes.into())
    }

    #[test]
    fn orders_of_bytes_and_axes_are_kept() {
        let header = "{'descr': '>i2', 'fortran_order': True, 'shape': (2, 3), }";
        let found = file(header, &[0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6]).unwrap();
        assert_eq!((found.shape(), found.byteorder()), ([2, 3].as_slice(), ByteOrder::Big));
        assert_eq!(found.read::<i16>().unwrap(), [1, 3, 5, 2, 4, 6]);
        let records =
            "{'descr': [('a', '>u2'), ('b', '|S2', (1,))], 'fortran_order': False, 'shape': (1,), }";
        let found = file(records, &[0, 7, b'h', b'i']).unwrap();
        assert_eq!(found.field("a").unwrap().read::<u16>().unwrap(), [7]);
        assert_eq!(found.field("b").unwrap().shape(), [1, 1]);
    }

    #[test]
    fn unsupported_headers_are_refused() {
        for (description, data, words) in [
            ("'|O'", 8, "Python's objects"),
            ("'<M8[ns]'", 8, "times"),
            ("'<f16'", 16, "float64"),
            ("[('', '|V4')]", 4, "padding"),
            ("'<f4'", 3, "truncated"),
            ("{'a': 1}", 0, "kind"),
        ] {
            let header = format!("{{'descr': {description}, 'fortran_order': False, 'shape': (1,)}}");
            let error = file(&header, &vec![0; data]).unwrap_err().to_string();
            assert!(error.contains(words), "{description}: {error}");
        }
        let huge = "{'descr': '<f8', 'fortran_order': False, 'shape': (4611686018427387904, 9)}";
        assert!(file(huge, &[0; 8]).is_err());
        for cut in [
            b"\x93NUMPY".to_vec(),
            b"\x93NUMPY\x01\x00\xff".to_vec(),
            b"\x93NUMPY\x02\x00\xff\xff\xff\xff{".to_vec(),
            b"\x93NUMPY\x09\x00aa".to_vec(),
        ] {
            assert!(array(&cut.into()).is_err());
        }
    }
}
