//! Conversion of numbers to other types.

use half::f16;
use num_complex::Complex;

/// A number of any datatype on its way to another type.
///
/// Every loop over it is compiled for one pair of types,
/// so the match is resolved at compile time.
#[derive(Debug, Clone, Copy)]
pub enum Wide {
    /// An integer of 64 bits: the most common case, and fast.
    Small(i64),
    /// Any integer up to [`i128::MAX`].
    Int(i128),
    /// An integer beyond [`i128::MAX`].
    Uint(u128),
    /// Any float.
    Float(f64),
    /// Any complex number.
    Complex(f64, f64),
}

/// A number that can be converted to another type. `bool` counts as 0 and 1.
pub trait Cast: Sized {
    /// Returns the number without loss.
    #[must_use]
    fn to_wide(self) -> Wide;

    /// Returns the number as this type, if the type can represent it. -0.0 becomes 0, and NaN becomes the NaN
    /// of the type.
    #[must_use]
    fn exact(wide: Wide) -> Option<Self>;

    /// Returns the number as Rust's `as` converts it.
    ///
    /// Floats round to the nearest, integers wrap. A float that becomes an integer is truncated and clamped;
    /// NaN becomes 0. Of a complex number the real part is taken. Any number except 0 is true.
    #[must_use]
    fn lossy(wide: Wide) -> Self;
}

macro_rules! integers {
    ($($type:ident: $float:expr, $end:expr;)*) => {$(
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_precision_loss,
            clippy::cast_sign_loss,
            clippy::allow_attributes,
            reason = "`lossy` means `as`, and `exact` has checked the bounds"
        )]
        impl Cast for $type {
            #[inline]
            fn to_wide(self) -> Wide {
                match (i64::try_from(self), i128::try_from(self)) {
                    (Ok(value), _) => Wide::Small(value),
                    (_, Ok(value)) => Wide::Int(value),
                    _ => Wide::Uint(self as u128),
                }
            }

            #[inline]
            fn exact(wide: Wide) -> Option<Self> {
                match wide {
                    Wide::Small(value) => Self::try_from(value).ok(),
                    Wide::Int(value) => Self::try_from(value).ok(),
                    Wide::Uint(value) => Self::try_from(value).ok(),
                    // The first float that is too large is a power of two, which every float type has.
                    Wide::Float(value) => {
                        let whole = value as Self;
                        (value >= $float && value < $end && whole as f64 == value).then_some(whole)
                    }
                    Wide::Complex(re, im) if im == 0.0 => Self::exact(Wide::Float(re)),
                    Wide::Complex(..) => None,
                }
            }

            #[inline]
            fn lossy(wide: Wide) -> Self {
                match wide {
                    Wide::Small(value) => value as Self,
                    Wide::Int(value) => value as Self,
                    Wide::Uint(value) => value as Self,
                    Wide::Float(value) | Wide::Complex(value, _) => value as Self,
                }
            }
        }
    )*};
}

const fn power(bits: u32) -> f64 {
    let mut value = 1.0;
    let mut done = 0;
    while done < bits {
        value *= 2.0;
        done += 1;
    }
    value
}

integers! {
    i8: -power(7), power(7);
    i16: -power(15), power(15);
    i32: -power(31), power(31);
    i64: -power(63), power(63);
    i128: -power(127), power(127);
    u8: 0.0, power(8);
    u16: 0.0, power(16);
    u32: 0.0, power(32);
    u64: 0.0, power(64);
    u128: 0.0, power(128);
}

macro_rules! floats {
    ($($type:ident: $digits:literal, $small:expr, $int:expr, $uint:expr, $float:expr;)*) => {$(
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_precision_loss,
            clippy::allow_attributes,
            reason = "the nearest float is wanted, and `exact` compares"
        )]
        impl Cast for $type {
            #[inline]
            fn to_wide(self) -> Wide {
                Wide::Float(self.into())
            }

            #[inline]
            fn exact(wide: Wide) -> Option<Self> {
                match wide {
                    // Every integer of up to this many bits is a float.
                    Wide::Small(value) if value.unsigned_abs() <= 1 << $digits => Some($small(value)),
                    Wide::Small(value) => {
                        let nearest = $small(value);
                        (i64::exact(nearest.to_wide()) == Some(value)).then_some(nearest)
                    }
                    Wide::Int(value) => {
                        let nearest = $int(value);
                        (i128::exact(nearest.to_wide()) == Some(value)).then_some(nearest)
                    }
                    Wide::Uint(value) => {
                        let nearest = $uint(value);
                        (u128::exact(nearest.to_wide()) == Some(value)).then_some(nearest)
                    }
                    Wide::Float(value) => {
                        let nearest: Self = $float(value);
                        (f64::from(nearest) == value || value.is_nan()).then_some(nearest)
                    }
                    Wide::Complex(re, im) if im == 0.0 => Self::exact(Wide::Float(re)),
                    Wide::Complex(..) => None,
                }
            }

            #[inline]
            fn lossy(wide: Wide) -> Self {
                match wide {
                    Wide::Small(value) => $small(value),
                    Wide::Int(value) => $int(value),
                    Wide::Uint(value) => $uint(value),
                    Wide::Float(value) | Wide::Complex(value, _) => $float(value),
                }
            }
        }
    )*};
}

// To f16 by way of f64: with only 11 bits, double rounding matters beyond 2^53 only, which is infinite as
// f16.
floats! {
    f16: 11, |value: i64| f16::from_f64(value as f64), |value: i128| f16::from_f64(value as f64), |value: u128| f16::from_f64(value as f64), f16::from_f64;
    f32: 24, |value: i64| value as f32, |value: i128| value as f32, |value: u128| value as f32, |value: f64| value as f32;
    f64: 53, |value: i64| value as f64, |value: i128| value as f64, |value: u128| value as f64, |value: f64| value;
}

macro_rules! complex {
    ($($part:ident)*) => {$(
        impl Cast for Complex<$part> {
            #[inline]
            fn to_wide(self) -> Wide {
                Wide::Complex(self.re.into(), self.im.into())
            }

            #[inline]
            fn exact(wide: Wide) -> Option<Self> {
                let (re, im) = match wide {
                    Wide::Complex(re, im) => (Wide::Float(re), Wide::Float(im)),
                    real => (real, Wide::Small(0)),
                };
                Some(Self::new($part::exact(re)?, $part::exact(im)?))
            }

            #[inline]
            fn lossy(wide: Wide) -> Self {
                let (re, im) = match wide {
                    Wide::Complex(re, im) => (Wide::Float(re), Wide::Float(im)),
                    real => (real, Wide::Small(0)),
                };
                Self::new($part::lossy(re), $part::lossy(im))
            }
        }
    )*};
}

complex!(f16 f32 f64);

impl Cast for bool {
    #[inline]
    fn to_wide(self) -> Wide {
        Wide::Small(self.into())
    }

    #[inline]
    fn exact(wide: Wide) -> Option<Self> {
        match u8::exact(wide) {
            Some(0) => Some(false),
            Some(1) => Some(true),
            _ => None,
        }
    }

    #[inline]
    fn lossy(wide: Wide) -> Self {
        match wide {
            Wide::Small(value) => value != 0,
            Wide::Int(value) => value != 0,
            Wide::Uint(value) => value != 0,
            Wide::Float(value) => value != 0.0,
            Wide::Complex(re, im) => re != 0.0 || im != 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn exact<S: Cast, T: Cast>(value: S) -> Option<T> {
        T::exact(value.to_wide())
    }

    #[test]
    fn numbers_that_do_not_fit_are_none() {
        assert_eq!(exact::<_, u8>(255_i64), Some(255));
        assert_eq!((exact::<_, u8>(256_i64), exact::<_, u8>(-1_i8)), (None, None));
        assert_eq!((exact::<_, i32>(1.5_f32), exact::<_, i32>(-3.0_f32)), (None, Some(-3)));
        assert_eq!((exact::<_, i32>(f64::NAN), exact::<_, i32>(f64::INFINITY)), (None, None));
        // The floats at the ends: 2^63 does not fit an i64, but the largest f64 below it does.
        assert_eq!((exact::<_, i64>(power(63)), exact::<_, i64>(-power(63))), (None, Some(i64::MIN)));
        assert_eq!(exact::<_, i64>(9_223_372_036_854_774_784.0_f64), Some(9_223_372_036_854_774_784));
        assert_eq!((exact::<_, u64>(power(64)), exact::<_, u64>(power(63))), (None, Some(1 << 63)));
        assert_eq!((exact::<_, u128>(power(127)), exact::<_, i128>(power(127))), (Some(1 << 127), None));
        assert_eq!((exact::<_, f64>(i128::MAX), exact::<_, f64>(u128::MAX)), (None, None));
        assert_eq!(
            (exact::<_, f64>(1_u128 << 127), exact::<_, f64>(i128::MIN)),
            (Some(power(127)), Some(-power(127)))
        );
        assert_eq!(
            (exact::<_, f32>(16_777_217_i32), exact::<_, f32>(16_777_218_i32)),
            (None, Some(16_777_218.0))
        );
        assert_eq!((exact::<_, f32>(0.1_f64), exact::<_, f64>(0.1_f32)), (None, Some(f64::from(0.1_f32))));
        assert_eq!((exact::<_, f16>(65_504_i32), exact::<_, f16>(65_505_i32)), (Some(f16::MAX), None));
        assert!(exact::<_, f32>(f64::NAN).is_some_and(f32::is_nan));
        assert_eq!(
            (exact::<_, f32>(f64::MAX), exact::<_, f32>(f64::NEG_INFINITY)),
            (None, Some(f32::NEG_INFINITY))
        );
        assert_eq!(
            (exact::<_, i8>(Complex::new(2.0_f32, 0.0)), exact::<_, i8>(Complex::new(2.0_f32, 1.0))),
            (Some(2), None)
        );
        assert_eq!(exact::<_, Complex<f32>>(7_u8), Some(Complex::new(7.0, 0.0)));
        assert_eq!(
            (exact::<_, bool>(1_u64), exact::<_, bool>(2_u64), exact::<_, f64>(true)),
            (Some(true), None, Some(1.0))
        );
    }

    #[test]
    fn lossy_is_as() {
        assert_eq!(
            (u8::lossy(Wide::Int(-1)), u8::lossy(Wide::Float(300.7)), i8::lossy(Wide::Float(f64::NAN))),
            (255, 255, 0)
        );
        assert!((f32::lossy(Wide::Float(0.1)) - 0.1).abs() < 1e-7);
        assert!(bool::lossy(Wide::Complex(0.0, 2.0)) && !bool::lossy(Wide::Float(0.0)));
    }

    proptest! {
        #[test]
        fn exact_casts_come_back(value: i64, float: f64) {
            if let Some(there) = exact::<_, f64>(value) {
                prop_assert_eq!(exact::<_, i64>(there), Some(value));
            } else {
                prop_assert!(value.unsigned_abs() > 1 << 53);
            }
            prop_assert_eq!(exact::<_, i32>(value).map(i64::from), i32::try_from(value).ok().map(i64::from));
            if let Some(there) = exact::<_, i64>(float) {
                prop_assert_eq!(exact::<_, f64>(there), Some(float));
            }
            if let Some(there) = exact::<_, f16>(float) {
                prop_assert_eq!(f64::from(there), float);
            }
        }
    }
}
