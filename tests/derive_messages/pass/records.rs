//! Private and generic records, some of it deprecated.

#![deny(warnings, unused, dead_code, deprecated, unreachable_pub)]

use asdf_core::NdArray;
use asdf_core::array::Record;

#[derive(Record)]
#[allow(dead_code, reason = "nothing looks at it")]
struct Point<T, const N: usize> {
    #[deprecated]
    old: u8,
    bytes: [T; N],
    part0: u8,
    out: u8,
}

#[derive(Record)]
#[asdf(crate = "::asdf_core")]
pub(crate) struct Pair<T>(pub(crate) T, pub(crate) T)
where
    T: Copy;

fn main() -> asdf_core::Result<()> {
    let array = NdArray::from_bytes(
        <Point<f32, 2>>::datatype(),
        asdf_core::array::ByteOrder::Little,
        &[1],
        vec![0; 11],
    )?;
    assert_eq!(array.records::<Point<f32, 2>>()?.count(), 1);
    assert_eq!(NdArray::from_records(&[Pair(1, 2)])?.len(), 1);
    Ok(())
}
