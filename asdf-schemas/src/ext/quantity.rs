//! `Quantity`: numbers with a unit, and their conversion to other units.

use asdf_core::array::{Mask, MaskValue, Value};
use asdf_core::value::Number;
use asdf_core::{Datatype, Error, NdArray, Result};

use super::unit;
use crate::unit::{Quantity, QuantityValue, Unit, quantity::v1_1_0};

macro_rules! quantity {
    ($($type:ty),*) => {$(
        impl $type {
            /// Makes a quantity from a number and a unit.
            ///
            /// The unit can be any text. [`checked`](Self::checked) refuses unknown units.
            ///
            /// ```
            /// use asdf_schemas::unit::Quantity;
            ///
            /// let aperture = Quantity::scalar(2.4, "m")?;
            /// assert_eq!(aperture.number_in("cm")?, 240.0);
            /// # Ok::<(), asdf_core::Error>(())
            /// ```
            ///
            /// # Errors
            /// Fails like [`Unit::new`](crate::unit::Unit::new).
            #[doc(alias = "Quantity")]
            pub fn scalar(value: impl Into<Number>, unit: &str) -> Result<Self> {
                Ok(Self::new(QuantityValue::Number(value.into()), unit.parse()?))
            }

            /// Makes a quantity from an array and a unit. The array is not copied.
            ///
            /// The unit can be any text. [`checked`](Self::checked) refuses unknown units.
            ///
            /// # Errors
            /// Fails like [`Unit::new`](crate::unit::Unit::new).
            pub fn from_array(array: NdArray, unit: &str) -> Result<Self> {
                Ok(Self::new(QuantityValue::NdArray(array), unit.parse()?))
            }

            /// Makes a quantity from a number or an array, and a unit that is valid in VOUnit.
            ///
            /// ```
            /// use asdf_schemas::unit::Quantity;
            ///
            /// let exposure = Quantity::checked(30.0, "s")?;
            /// assert_eq!(exposure.number_in("min")?, 0.5);
            ///
            /// let error = Quantity::checked(30.0, "khz").unwrap_err();
            /// assert_eq!(error.message(), "'khz' at byte 0: unknown unit 'khz'");
            /// assert_eq!(error.hint(), Some(&"did you mean 'kHz'?".into()));
            /// # Ok::<(), asdf_core::Error>(())
            /// ```
            ///
            /// # Errors
            /// Fails like [`Unit::checked`](crate::unit::Unit::checked).
            pub fn checked(value: impl Into<QuantityValue>, unit: &str) -> Result<Self> {
                Ok(Self::new(value.into(), Unit::checked(unit)?))
            }

            /// Returns the shape in C order. It is empty for a single number.
            #[must_use]
            pub fn shape(&self) -> &[u64] {
                self.array().map_or(&[], NdArray::shape)
            }

            /// Returns the array, if the value is one.
            #[must_use]
            pub fn array(&self) -> Option<&NdArray> {
                match &self.value {
                    QuantityValue::NdArray(array) => Some(array),
                    QuantityValue::Number(_) => None,
                }
            }

            /// Returns the single number as the nearest float, in the unit of the quantity.
            ///
            /// It can also be the element of an array with one element.
            ///
            /// # Errors
            /// [`Mismatch`](asdf_core::error::Kind::Mismatch) if the array has another number of elements. Also fails if the
            /// array cannot be read.
            #[doc(alias = "value")]
            pub fn number(&self) -> Result<f64> {
                one(&self.numbers()?)
            }

            /// Returns the numbers as the nearest floats, in C order, in the unit of the quantity. They are copied.
            ///
            /// Masked elements are NaN.
            ///
            /// # Errors
            /// [`Mismatch`](asdf_core::error::Kind::Mismatch) if the array does not hold real numbers. Also fails if the array
            /// cannot be read.
            pub fn numbers(&self) -> Result<Vec<f64>> {
                numbers(&self.value)
            }

            /// Returns the single number in another unit.
            ///
            /// # Errors
            /// Fails like [`number`](Self::number) and [`to`](crate::unit::Quantity::to).
            #[doc(alias = "to_value")]
            pub fn number_in(&self, unit: &str) -> Result<f64> {
                one(&self.numbers_in(unit)?)
            }

            /// Returns the numbers in another unit, in C order. They are copied. Masked elements are NaN.
            ///
            /// # Errors
            /// Fails like [`to`](crate::unit::Quantity::to).
            #[doc(alias = "to_value")]
            pub fn numbers_in(&self, unit: &str) -> Result<Vec<f64>> {
                let factor = factor(&self.unit, unit)?;
                let mut numbers = self.numbers()?;
                for number in &mut numbers {
                    *number *= factor;
                }
                Ok(numbers)
            }
        }
    )*};
}

quantity!(Quantity, v1_1_0::Quantity);

impl From<Number> for QuantityValue {
    fn from(value: Number) -> Self {
        Self::Number(value)
    }
}

impl From<f64> for QuantityValue {
    fn from(value: f64) -> Self {
        Self::Number(value.into())
    }
}

impl From<i64> for QuantityValue {
    fn from(value: i64) -> Self {
        Self::Number(value.into())
    }
}

impl From<NdArray> for QuantityValue {
    fn from(array: NdArray) -> Self {
        Self::NdArray(array)
    }
}

/// Checks, before a quantity is written, that its `datatype` fits the value.
pub(crate) fn datatype_fits(quantity: &Quantity) -> Result<()> {
    let Some(datatype) = &quantity.datatype else { return Ok(()) };
    let found = match &quantity.value {
        QuantityValue::NdArray(array) if array.datatype() != datatype => {
            format!("the datatype {datatype} of a quantity whose array has the datatype {}", array.datatype())
        }
        QuantityValue::Number(Number::Float(number)) if is_integer(datatype) && number.fract() != 0.0 => {
            format!("the datatype {datatype} of a quantity whose value is {number}")
        }
        _ => return Ok(()),
    };
    Err(Error::mismatch(format!("found {found}, expected one that holds the value"))
        .under("datatype")
        .with_hint("remove `datatype`: an array states its own"))
}

fn is_integer(datatype: &Datatype) -> bool {
    matches!(
        datatype,
        Datatype::Int8
            | Datatype::Int16
            | Datatype::Int32
            | Datatype::Int64
            | Datatype::Uint8
            | Datatype::Uint16
            | Datatype::Uint32
            | Datatype::Uint64
    )
}

impl Quantity {
    /// Converts the quantity to another unit, in VOUnit or another known notation.
    ///
    /// Numbers become floats: `float32` arrays keep their datatype, all others become `float64`. Masked elements become NaN, and
    /// the mask of the new array is NaN. Properties that the schema does not name are kept.
    ///
    /// ```
    /// use asdf_core::NdArray;
    /// use asdf_schemas::unit::Quantity;
    ///
    /// let distance = Quantity::scalar(8.178, "kpc")?;
    /// assert_eq!(distance.to("lyr")?.number()?.round(), 26673.0);
    ///
    /// let speeds = Quantity::from_array(NdArray::new(&[2], &[1_i16, 20])?, "km/s")?;
    /// assert_eq!(speeds.numbers_in("m.s**-1")?, [1000.0, 20000.0]);
    ///
    /// let error = speeds.to("kg").unwrap_err();
    /// assert_eq!(
    ///     error.message(),
    ///     "cannot convert `km.s**-1` to `kg`: the first measures `m.s**-1`, the second `kg`"
    /// );
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Mismatch`](asdf_core::error::Kind::Mismatch) if the units have different dimensions, the new unit is unknown, or the
    /// array does not hold real numbers. Also fails if the array cannot be read.
    pub fn to(&self, unit: &str) -> Result<Self> {
        let numbers = self.numbers_in(unit)?;
        let value = match self.array() {
            None => QuantityValue::Number(Number::Float(one(&numbers)?)),
            Some(array) => QuantityValue::NdArray(like(array, &numbers)?),
        };
        let datatype = self.datatype.as_ref().map(|datatype| match datatype {
            Datatype::Float32 => Datatype::Float32,
            _ => Datatype::Float64,
        });
        Ok(Self { value, unit: unit.parse()?, datatype, ..self.clone() })
    }
}

fn factor(from: &Unit, to: &str) -> Result<f64> {
    from.parsed().factor_to(&unit::known(to)?).map_err(|error| unit::of_units(&error))
}

fn one(numbers: &[f64]) -> Result<f64> {
    match numbers {
        [number] => Ok(*number),
        _ => Err(Error::mismatch(format!("found a quantity with {} numbers, expected 1", numbers.len()))
            .with_hint("use `numbers` to get all of them")),
    }
}

fn numbers(value: &QuantityValue) -> Result<Vec<f64>> {
    let array = match value {
        QuantityValue::Number(number) => return Ok(vec![number.to_f64()]),
        QuantityValue::NdArray(array) => array,
    };
    if matches!(array.datatype(), Datatype::Complex64 | Datatype::Complex128 | Datatype::Complex32) {
        return Err(Error::mismatch(format!(
            "found a quantity of {}, expected real numbers",
            array.datatype()
        ))
        .under("value")
        .with_hint("use `array` for the array and `unit.parsed()` for the factor"));
    }
    let mut numbers = array.read_lossy::<f64>().map_err(|error| error.under("value"))?;
    let hidden = array.mask().is_some() || array.is_inline();
    if hidden {
        let elements = array.elements().map_err(|error| error.under("value"))?;
        for (number, element) in numbers.iter_mut().zip(elements) {
            if element == Value::Missing {
                *number = f64::NAN;
            }
        }
    }
    Ok(numbers)
}

/// Makes an array of numbers with the shape and the precision of another one.
fn like(array: &NdArray, numbers: &[f64]) -> Result<NdArray> {
    let made = if *array.datatype() == Datatype::Float32 {
        #[allow(clippy::cast_possible_truncation, reason = "the nearest float32 is what is wanted")]
        let numbers: Vec<f32> = numbers.iter().map(|&number| number as f32).collect();
        NdArray::new(array.shape(), &numbers)?
    } else {
        NdArray::new(array.shape(), numbers)?
    };
    match array.mask() {
        Some(_) => made.with_mask(Mask::Value(MaskValue::Number(Number::Float(f64::NAN)))),
        None => Ok(made),
    }
}
