//! The functions of `math_functions`: elementary functions with the names and rules of NumPy.

use std::f64::consts::{LN_2, LN_10, PI};
use std::sync::Arc;

use crate::angle::LARGEST_RADIANS;
use crate::function::{Each, Function, Pointwise};
use crate::number::Number;

/// A function of one number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unary {
    Sin,
    Cos,
    Tan,
    Arcsin,
    Arccos,
    Arctan,
    Sinh,
    Cosh,
    Tanh,
    Arcsinh,
    Arccosh,
    Arctanh,
    Deg2rad,
    Rad2deg,
    Negative,
    Positive,
    Absolute,
    Rint,
    Exp,
    Exp2,
    Log,
    Log2,
    Log10,
    Expm1,
    Log1p,
    Sqrt,
    Square,
    Cbrt,
    Reciprocal,
}

/// A function of two numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Binary {
    Arctan2,
    Hypot,
    Add,
    Subtract,
    Multiply,
    Divide,
    FloorDivide,
    Logaddexp,
    Logaddexp2,
    Power,
    Remainder,
    Fmod,
}

const UNARY: &[(&str, Unary)] = &[
    ("sin", Unary::Sin),
    ("cos", Unary::Cos),
    ("tan", Unary::Tan),
    ("arcsin", Unary::Arcsin),
    ("arccos", Unary::Arccos),
    ("arctan", Unary::Arctan),
    ("sinh", Unary::Sinh),
    ("cosh", Unary::Cosh),
    ("tanh", Unary::Tanh),
    ("arcsinh", Unary::Arcsinh),
    ("arccosh", Unary::Arccosh),
    ("arctanh", Unary::Arctanh),
    ("deg2rad", Unary::Deg2rad),
    ("rad2deg", Unary::Rad2deg),
    ("negative", Unary::Negative),
    ("positive", Unary::Positive),
    ("absolute", Unary::Absolute),
    ("fabs", Unary::Absolute),
    ("rint", Unary::Rint),
    ("exp", Unary::Exp),
    ("exp2", Unary::Exp2),
    ("log", Unary::Log),
    ("log2", Unary::Log2),
    ("log10", Unary::Log10),
    ("expm1", Unary::Expm1),
    ("log1p", Unary::Log1p),
    ("sqrt", Unary::Sqrt),
    ("square", Unary::Square),
    ("cbrt", Unary::Cbrt),
    ("reciprocal", Unary::Reciprocal),
];

const BINARY: &[(&str, Binary)] = &[
    ("arctan2", Binary::Arctan2),
    ("hypot", Binary::Hypot),
    ("add", Binary::Add),
    ("subtract", Binary::Subtract),
    ("multiply", Binary::Multiply),
    ("divide", Binary::Divide),
    ("true_divide", Binary::Divide),
    ("floor_divide", Binary::FloorDivide),
    ("logaddexp", Binary::Logaddexp),
    ("logaddexp2", Binary::Logaddexp2),
    ("power", Binary::Power),
    ("remainder", Binary::Remainder),
    ("mod", Binary::Remainder),
    ("fmod", Binary::Fmod),
];

/// Returns the function with this name.
pub(crate) fn find(name: &str) -> Option<Arc<dyn Function>> {
    if name == "divmod" {
        return Some(Each::shared(Divmod));
    }
    if let Some(&(_, function)) = UNARY.iter().find(|known| known.0 == name) {
        return Some(Each::shared(function));
    }
    BINARY.iter().find(|known| known.0 == name).map(|&(_, function)| Each::shared(function))
}

impl Pointwise<1, 1> for Unary {
    fn at<N: Number>(&self, [x]: [N; 1]) -> [N; 1] {
        let value = x.value();
        let result = match self {
            Self::Sin => sin_cos(x).0,
            Self::Cos => sin_cos(x).1,
            Self::Tan => {
                let (sine, cosine) = sin_cos(x);
                sine / cosine
            }
            Self::Arcsin => x.asin(),
            Self::Arccos => x.acos(),
            Self::Arctan => x.atan(),
            Self::Sinh => x.chain(value.sinh(), value.cosh()),
            Self::Cosh => x.chain(value.cosh(), value.sinh()),
            Self::Tanh => x.chain(value.tanh(), value.cosh().powi(-2)),
            Self::Arcsinh => x.chain(arcsinh(value), value.hypot(1.0).recip()),
            Self::Arccosh => x.chain(arccosh(value), ((value - 1.0) * (value + 1.0)).sqrt().recip()),
            Self::Arctanh => {
                let result = 0.5 * (2.0 * value / (1.0 - value)).ln_1p();
                x.chain(result, ((1.0 - value) * (1.0 + value)).recip())
            }
            Self::Deg2rad => x * (PI / 180.0),
            Self::Rad2deg => x * (180.0 / PI),
            Self::Negative => -x,
            Self::Positive => x,
            Self::Absolute => x.abs(),
            Self::Rint => x.round(),
            Self::Exp => x.exp(),
            Self::Exp2 => {
                let result = value.exp2();
                x.chain(result, result * LN_2)
            }
            Self::Log => x.ln(),
            Self::Log2 => x.chain(value.log2(), (value * LN_2).recip()),
            Self::Log10 => x.chain(value.log10(), (value * LN_10).recip()),
            Self::Expm1 => x.chain(value.exp_m1(), value.exp()),
            Self::Log1p => x.chain(value.ln_1p(), (1.0 + value).recip()),
            Self::Sqrt => x.sqrt(),
            Self::Square => x * x,
            Self::Cbrt => {
                let root = value.cbrt();
                x.chain(root, (3.0 * root * root).recip())
            }
            Self::Reciprocal => N::constant(1.0) / x,
        };
        [result]
    }

    fn inverse(&self) -> Option<Arc<dyn Function>> {
        None
    }

    fn describe(&self) -> String {
        UNARY.iter().find(|known| known.1 == *self).map_or("math", |known| known.0).to_owned()
    }
}

impl Pointwise<2, 1> for Binary {
    fn at<N: Number>(&self, [x, y]: [N; 2]) -> [N; 1] {
        let (a, b) = (x.value(), y.value());
        let result = match self {
            Self::Arctan2 => x.atan2(y),
            Self::Hypot => {
                let length = a.hypot(b);
                x.chain_two(y, length, [a / length, b / length])
            }
            Self::Add => x + y,
            Self::Subtract => x - y,
            Self::Multiply => x * y,
            Self::Divide => x / y,
            Self::FloorDivide => N::constant(floor_divide(a, b).0),
            Self::Logaddexp => {
                let [larger, distance] = larger(a, b);
                let share = 1.0 / (1.0 + (b - a).exp());
                x.chain_two(y, larger + (-distance).exp().ln_1p(), [share, 1.0 - share])
            }
            Self::Logaddexp2 => {
                let [larger, distance] = larger(a, b);
                let share = 1.0 / (1.0 + (b - a).exp2());
                x.chain_two(y, larger + (-distance).exp2().ln_1p() / LN_2, [share, 1.0 - share])
            }
            Self::Power => x.pow(y),
            Self::Remainder => x.chain_two(y, floor_divide(a, b).1, [1.0, -floor_divide(a, b).0]),
            Self::Fmod => x.chain_two(y, a % b, [1.0, -(a / b).trunc()]),
        };
        [result]
    }

    fn inverse(&self) -> Option<Arc<dyn Function>> {
        None
    }

    fn describe(&self) -> String {
        BINARY.iter().find(|known| known.1 == *self).map_or("math", |known| known.0).to_owned()
    }
}

/// The quotient, rounded down, and the remainder.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Divmod;

impl Pointwise<2, 2> for Divmod {
    fn at<N: Number>(&self, [x, y]: [N; 2]) -> [N; 2] {
        let (quotient, remainder) = floor_divide(x.value(), y.value());
        [N::constant(quotient), x.chain_two(y, remainder, [1.0, -quotient])]
    }

    fn inverse(&self) -> Option<Arc<dyn Function>> {
        None
    }

    fn describe(&self) -> String {
        "divmod".to_owned()
    }
}

/// Sine and cosine of radians of any size.
pub(crate) fn sin_cos<N: Number>(x: N) -> (N, N) {
    let value = x.value();
    if value.abs() > LARGEST_RADIANS {
        let (sine, cosine) = value.sin_cos();
        return (x.chain(sine, cosine), x.chain(cosine, -sine));
    }
    x.sin_cos()
}

/// The inverse of the hyperbolic sine, exact for small numbers and without overflow for large ones.
fn arcsinh(x: f64) -> f64 {
    let size = x.abs();
    let result =
        if size > 1e150 { size.ln() + LN_2 } else { (size + size * size / (1.0 + size.hypot(1.0))).ln_1p() };
    result.copysign(x)
}

/// The inverse of the hyperbolic cosine, exact near 1 and without overflow for large numbers.
fn arccosh(x: f64) -> f64 {
    let above = x - 1.0;
    if x > 1e150 { x.ln() + LN_2 } else { (above + (above * (above + 2.0)).sqrt()).ln_1p() }
}

/// The larger of two numbers and their distance; the distance of equal infinities is 0.
fn larger(a: f64, b: f64) -> [f64; 2] {
    if a == b {
        [a, 0.0]
    } else if a > b {
        [a, a - b]
    } else {
        [b, b - a]
    }
}

/// The quotient, rounded down, and a remainder with the sign of the divisor, as Python defines them.
fn floor_divide(a: f64, b: f64) -> (f64, f64) {
    if b == 0.0 {
        return (a / b, f64::NAN);
    }
    let mut remainder = a % b;
    let mut quotient = (a - remainder) / b;
    if remainder == 0.0 {
        remainder = 0.0_f64.copysign(b);
    } else if (b < 0.0) != (remainder < 0.0) {
        remainder += b;
        quotient -= 1.0;
    }
    if quotient == 0.0 {
        return (0.0_f64.copysign(a / b), remainder);
    }
    let floor = quotient.floor();
    (if quotient - floor > 0.5 { floor + 1.0 } else { floor }, remainder)
}
