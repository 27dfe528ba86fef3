//! Time differences, which astropy stores as two numbers of days.

use asdf_core::array::{Mask, MaskValue, Value};
use asdf_core::tree::NodeRef;
use asdf_core::value::Number;
use asdf_core::{NdArray, Result};

use super::{Component, numbers};
use crate::unit::Unit;

const DAY: f64 = 86_400.0;

/// Returns one number for each difference: in seconds for the format `sec`, otherwise in days, like `jd` in astropy.
pub(super) fn all_of(node: NodeRef<'_>) -> Result<Vec<Component>> {
    let (Some(whole), Some(rest)) = (numbers(node, "jd1")?, numbers(node, "jd2")?) else {
        return Ok(Vec::new());
    };
    if whole.shape() != rest.shape() {
        return Err(node.error("`jd1` and `jd2` have different shapes"));
    }
    let format = node.get("format").and_then(NodeRef::as_str).unwrap_or("jd");
    let (unit, factor) = if format == "sec" { ("s", DAY) } else { ("d", 1.0) };
    let days = whole.read_lossy::<f64>().map_err(|error| error.under("jd1"))?;
    let more = rest.read_lossy::<f64>().map_err(|error| error.under("jd2"))?;
    let mut values: Vec<f64> = days.iter().zip(&more).map(|(a, b)| times(*a, *b, factor)).collect();
    let masked = [&whole, &rest].into_iter().any(|array| array.mask().is_some());
    if masked {
        for part in [&whole, &rest] {
            for (value, element) in values.iter_mut().zip(part.elements()?) {
                if element == Value::Missing {
                    *value = f64::NAN;
                }
            }
        }
    }
    let mut made = NdArray::new(whole.shape(), &values)?;
    if masked {
        made = made.with_mask(Mask::Value(MaskValue::Number(Number::Float(f64::NAN))))?;
    }
    let mut component = Component::of_array(made).with("format", format).with("type", "timedelta");
    component.unit = Some(Unit::new(unit)?);
    if let Some(scale) = node.get("scale").and_then(NodeRef::as_str) {
        component = component.with("scale", scale);
    }
    Ok(vec![component])
}

/// Returns `(a + b) * factor`, rounded once.
fn times(a: f64, b: f64, factor: f64) -> f64 {
    let (one, other) = (a * factor, b * factor);
    // The exact rounding errors of the products.
    let lost = a.mul_add(factor, -one) + b.mul_add(factor, -other);
    let sum = one + other;
    let back = sum - one;
    let error = (one - (sum - back)) + (other - back);
    sum + (error + lost)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_rounded_once() {
        assert_eq!(times(1.0, 0.1, DAY), 95_040.0);
        assert_eq!(times(0.0, 1.5 / DAY, DAY), 1.5);
        assert_eq!(times(3.0, -0.25, 1.0), 2.75);
    }
}
