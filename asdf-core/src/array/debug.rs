//! Datatype, shape and byte order of arrays in one line, for `Debug`.

use std::fmt;

use super::{ByteOrder, Datatype};

/// A datatype in a few words, even if it has many fields.
pub(super) struct Short<'a>(pub(super) &'a Datatype);

impl fmt::Display for Short<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Datatype::Struct(fields) if fields.len() == 1 => f.write_str("record of 1 field"),
            Datatype::Struct(fields) => write!(f, "record of {} fields", fields.len()),
            datatype => datatype.fmt(f),
        }
    }
}

/// Writes datatype and shape, and the byte order if it is not this machine's.
pub(super) fn elements<N: fmt::Debug>(
    datatype: &Datatype,
    shape: &[N],
    order: ByteOrder,
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    write!(f, "{} {shape:?}", Short(datatype))?;
    let single = matches!(datatype.size(), Ok(0 | 1)) || matches!(datatype, Datatype::Ascii(_));
    if order == ByteOrder::NATIVE || single { Ok(()) } else { write!(f, ", {order}-endian") }
}

#[cfg(test)]
mod tests {
    use crate::array::{Array, ByteOrder, Mask, NdArray, Slice};
    use crate::block::Compression;
    use crate::yaml::parse;

    #[test]
    fn arrays_are_one_line() {
        let array = NdArray::new(&[2, 3], &[1.0_f32; 6]).unwrap();
        assert_eq!(format!("{array:?}"), "NdArray(float32 [2, 3], memory)");
        assert_eq!(format!("{array:#?}"), "NdArray(float32 [2, 3], memory)");
        let typed = Array::<f32, 2>::new(array.clone()).unwrap();
        assert_eq!(format!("{typed:?}"), "NdArray(float32 [2, 3], memory)");
        let packed = array.clone().with_compression(Compression::ZLIB).unwrap();
        assert_eq!(format!("{packed:?}"), "NdArray(float32 [2, 3], memory, zlib)");
        let part = array.slice(&[Slice::from(..).step(-1)]).unwrap();
        assert_eq!(format!("{part:?}"), "NdArray(float32 [2, 3], memory, strides [-12, 4])");
        let mask = Mask::Array(Box::new(NdArray::new(&[3], &[true, false, true]).unwrap()));
        assert_eq!(
            format!("{:?}", array.clone().with_mask(mask).unwrap()),
            "NdArray(float32 [2, 3], memory, mask [3])"
        );
        assert_eq!(format!("{:?}", array.inlined().unwrap()), "NdArray(float32 [2, 3], inline)");
        for (text, expected) in [
            (
                "{source: 7, datatype: int16, byteorder: OTHER, shape: [4]}",
                "int16 [4], OTHER-endian, block 7",
            ),
            ("{source: 7, datatype: int8, byteorder: OTHER, shape: [4]}", "int8 [4], block 7"),
            ("{source: 7, datatype: int16, byteorder: NATIVE, shape: []}", "int16 [], block 7"),
            (
                "{source: m31.asdf, datatype: [int8, int16], byteorder: NATIVE, shape: [4], mask: -999}",
                "record of 2 fields [4], external file 'm31.asdf', mask -999",
            ),
        ] {
            let other = if ByteOrder::NATIVE == ByteOrder::Big { ByteOrder::Little } else { ByteOrder::Big }
                .to_string();
            let named =
                |text: &str| text.replace("OTHER", &other).replace("NATIVE", &ByteOrder::NATIVE.to_string());
            let array: NdArray = parse(&named(text)).unwrap().get("").unwrap();
            assert_eq!(format!("{array:?}"), format!("NdArray({})", named(expected)));
        }
    }

    #[test]
    fn views_show_no_bytes() {
        let array = NdArray::new(&[2, 3], &[7_u16; 6]).unwrap();
        let view = array.view::<u16>().unwrap();
        assert_eq!(format!("{view:?}"), "View(uint16 [2, 3])");
        assert_eq!(format!("{:?}", view.iter()), "Iter(uint16, 6 left)");
        let part = array.slice(&[Slice::from(..).step(-1)]).unwrap().view::<u16>().unwrap();
        assert_eq!(format!("{part:?}"), "View(uint16 [2, 3], strides [-6, 2])");
        assert_eq!(format!("{:?}", array.elements().unwrap()), "Elements(uint16, 6 left)");
    }
}
