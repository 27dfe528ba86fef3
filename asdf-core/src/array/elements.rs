//! Elements of an array of any datatype.

use std::fmt;

use bytes::Bytes;
use num_complex::Complex64;

use super::datatype::to_usize;
use super::layout::{Layout, Offsets};
use super::ndarray::{Data, broadcast};
use super::{ByteOrder, Datatype, Element, Field, Mask, MaskValue, NdArray, debug};
use crate::error::Result;

/// One element of an array of any datatype.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Value {
    /// A masked element, which has no value.
    Missing,
    /// `bool8`
    Bool(bool),
    /// Any integer datatype.
    Int(i128),
    /// A `uint128` beyond [`i128::MAX`].
    Uint(u128),
    /// Any float datatype; exact.
    Float(f64),
    /// Any complex datatype; exact.
    Complex(Complex64),
    /// `ascii` or `ucs4`, without the zeros at the end. Invalid characters become U+FFFD.
    Text(String),
    /// The fields of a record.
    Record(Vec<Value>),
    /// A field that is itself an array, with the first axis outermost.
    List(Vec<Value>),
}

impl Value {
    /// Returns a real number as the nearest float, `true` as 1; `None` for everything else.
    #[must_use]
    #[allow(clippy::cast_precision_loss, reason = "the nearest float is wanted")]
    pub fn to_f64(&self) -> Option<f64> {
        match self {
            Self::Bool(flag) => Some(f64::from(u8::from(*flag))),
            Self::Int(number) => Some(*number as f64),
            Self::Uint(number) => Some(*number as f64),
            Self::Float(number) => Some(*number),
            _ => None,
        }
    }
}

impl NdArray {
    fn load_layout(&self) -> Result<Layout> {
        let size = match (self.block()?, &self.data) {
            (Some(block), _) => block.size(),
            (None, Data::Inline { inline, .. }) => inline.bytes.len() as u64,
            (None, _) => 0,
        };
        self.layout(size)
    }

    /// Returns an iterator over the elements in C order, of any datatype.
    ///
    /// Masked elements are [`Value::Missing`].
    ///
    /// # Examples
    /// ```
    /// use asdf_core::NdArray;
    /// use asdf_core::array::Value;
    ///
    /// let array = NdArray::new(&[2], &[true, false])?;
    /// assert_eq!(array.elements()?.collect::<Vec<_>>(), [Value::Bool(true), Value::Bool(false)]);
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn elements(&self) -> Result<Elements> {
        Elements::new(self)
    }

    /// Returns for each element in C order whether it is missing.
    ///
    /// Elements are missing by a mask array or by `null` in inline data; `None` if there is neither. A mask
    /// that is a number is applied by [`elements`](Self::elements), not here.
    ///
    /// # Errors
    /// If the mask's data cannot be read, or its shape does not fit.
    #[doc(alias = "mask")]
    pub fn missing(&self) -> Result<Option<Vec<bool>>> {
        if let Some(Mask::Array(array)) = &self.mask {
            let flags: Vec<bool> = array
                .elements()
                .map_err(|error| error.under("mask"))?
                .map(|value| match value {
                    Value::Bool(flag) => flag,
                    Value::Int(number) => number != 0,
                    Value::Float(number) => number != 0.0,
                    _ => false,
                })
                .collect();
            self.check_expansion(&self.load_layout()?)?;
            return broadcast(&flags, array.shape(), &self.shape).map(Some);
        }
        match &self.data {
            Data::Inline { missing: Some(missing), .. } => missing.read::<bool>().map(Some),
            _ => Ok(None),
        }
    }
}

/// An iterator over the elements of an array in C order, each as a [`Value`].
pub struct Elements {
    bytes: Bytes,
    item: usize,
    datatype: Datatype,
    order: ByteOrder,
    mask: Option<Mask>,
    flags: Option<Vec<bool>>,
    next: usize,
    offsets: Offsets,
}

impl Elements {
    pub(super) fn new(array: &NdArray) -> Result<Self> {
        let (bytes, layout) = array.load()?;
        // A file can claim any number of elements without bytes: refuse more than it stores.
        array.check_expansion(&layout)?;
        Ok(Self {
            bytes,
            datatype: array.datatype().clone(),
            order: array.byteorder(),
            mask: array.mask().cloned(),
            flags: array.missing()?,
            next: 0,
            item: layout.item,
            offsets: layout.into_offsets(),
        })
    }
}

impl Mask {
    /// Returns whether an element is missing by a mask that is a number.
    pub(super) fn hides(&self, element: &Value) -> bool {
        match (self, element) {
            (Self::Value(MaskValue::Number(number)), Value::Int(value)) => number.to_f64() == int(*value),
            (Self::Value(MaskValue::Number(number)), Value::Float(value)) => {
                number.to_f64() == *value || (number.to_f64().is_nan() && value.is_nan())
            }
            (Self::Value(MaskValue::Number(number)), Value::Complex(value)) => {
                (value.im == 0.0 && value.re == number.to_f64())
                    || (number.to_f64().is_nan() && value.is_nan())
            }
            (Self::Value(MaskValue::Complex(mask)), Value::Complex(value)) => mask.value() == *value,
            _ => false,
        }
    }
}

#[allow(
    clippy::cast_precision_loss,
    reason = "a mask's number is compared as the nearest float, as numpy does"
)]
fn int(value: i128) -> f64 {
    value as f64
}

impl Iterator for Elements {
    type Item = Value;

    fn next(&mut self) -> Option<Value> {
        let at = self.offsets.next()?;
        let index = self.next;
        self.next += 1;
        if self.flags.as_ref().is_some_and(|flags| flags.get(index) == Some(&true)) {
            return Some(Value::Missing);
        }
        let bytes = self.bytes.get(at..at + self.item).unwrap_or_default();
        let value = decode(bytes, &self.datatype, self.order);
        Some(if self.mask.as_ref().is_some_and(|mask| mask.hides(&value)) { Value::Missing } else { value })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.offsets.size_hint()
    }
}

impl ExactSizeIterator for Elements {}

impl fmt::Debug for Elements {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Elements({}, {} left)", debug::Short(&self.datatype), self.len())
    }
}

fn decode(bytes: &[u8], datatype: &Datatype, order: ByteOrder) -> Value {
    match datatype {
        Datatype::Int8 => Value::Int(i8::load(bytes, order).into()),
        Datatype::Int16 => Value::Int(i16::load(bytes, order).into()),
        Datatype::Int32 => Value::Int(i32::load(bytes, order).into()),
        Datatype::Int64 => Value::Int(i64::load(bytes, order).into()),
        Datatype::Uint8 => Value::Int(u8::load(bytes, order).into()),
        Datatype::Uint16 => Value::Int(u16::load(bytes, order).into()),
        Datatype::Uint32 => Value::Int(u32::load(bytes, order).into()),
        Datatype::Uint64 => Value::Int(u64::load(bytes, order).into()),
        Datatype::Int128 => Value::Int(i128::load(bytes, order)),
        Datatype::Uint128 => {
            let value = u128::load(bytes, order);
            i128::try_from(value).map_or(Value::Uint(value), Value::Int)
        }
        Datatype::Float16 => Value::Float(half::f16::load(bytes, order).into()),
        Datatype::Float32 => Value::Float(f32::load(bytes, order).into()),
        Datatype::Float64 => Value::Float(f64::load(bytes, order)),
        Datatype::Complex32 => {
            let value = num_complex::Complex::<half::f16>::load(bytes, order);
            Value::Complex(Complex64::new(value.re.into(), value.im.into()))
        }
        Datatype::Complex64 => {
            let value = num_complex::Complex32::load(bytes, order);
            Value::Complex(Complex64::new(value.re.into(), value.im.into()))
        }
        Datatype::Complex128 => Value::Complex(Complex64::load(bytes, order)),
        Datatype::Bool8 => Value::Bool(bool::load(bytes, order)),
        Datatype::Ascii(_) => {
            let end = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
            let text = bytes.get(..end).unwrap_or_default();
            Value::Text(text.iter().map(|&b| if b < 128 { char::from(b) } else { '\u{fffd}' }).collect())
        }
        Datatype::Ucs4(_) => {
            let codes = bytes.chunks_exact(4).map(|code| u32::load(code, order));
            let text: String = codes.map(|code| char::from_u32(code).unwrap_or('\u{fffd}')).collect();
            Value::Text(text.trim_end_matches('\0').to_owned())
        }
        Datatype::Struct(fields) => {
            let mut at = 0;
            let values = fields.iter().map(|field| {
                let size = field.size().and_then(to_usize).unwrap_or(0);
                let value = decode_field(bytes.get(at..).unwrap_or_default(), field, order);
                at += size;
                value
            });
            Value::Record(values.collect())
        }
    }
}

fn decode_field(bytes: &[u8], field: &Field, order: ByteOrder) -> Value {
    let order = field.byteorder.unwrap_or(order);
    let size = field.datatype.size().and_then(to_usize).unwrap_or(0);
    if field.shape.is_empty() {
        return decode(bytes.get(..size).unwrap_or_default(), &field.datatype, order);
    }
    let count = field.count().and_then(to_usize).unwrap_or(0);
    let mut values: Vec<Value> = (0..count)
        .map(|i| decode(bytes.get(i * size..(i + 1) * size).unwrap_or_default(), &field.datatype, order))
        .collect();
    for &n in field.shape.iter().skip(1).rev() {
        let n = usize::try_from(n).unwrap_or(0).max(1);
        let mut rest = values.into_iter().peekable();
        values = std::iter::from_fn(|| {
            rest.peek()?;
            Some(Value::List(rest.by_ref().take(n).collect()))
        })
        .collect();
    }
    Value::List(values)
}
