//! Units from any text: what parses is printed and parses to the same unit, and conversions are consistent.

use asdf_units::{Rational, Unit};

pub fn run(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let lenient = Unit::parse_lenient(text);
    let printed = lenient.to_string();
    let again = Unit::parse_lenient(&printed);
    assert!(lenient.scale().to_f64().is_normal() && lenient.dimension().is_ok(), "{text:?}");
    // A scale such as 1/3 has no exact decimal form.
    let is_close = || again.factor_to(&lenient).is_ok_and(|factor| (factor - 1.0).abs() < 1e-14);
    assert!(again == lenient || is_close(), "{text:?} is printed as {printed:?}");
    match Unit::parse(text) {
        Ok(unit) => {
            assert!(unit == lenient || !unit.scale().is_exact(), "{text:?}");
            check(&unit, text);
        }
        Err(error) => {
            assert!(error.offset().is_none_or(|offset| offset <= text.len()), "{text:?}: {error}");
            assert!(error.to_string().len() < 1000 + 3 * text.len(), "{error}");
        }
    }
}

fn check(unit: &Unit, text: &str) {
    if let Ok(one) = unit.divide(unit) {
        assert_eq!(one, Unit::one(), "{text:?}");
    }
    if let Ok(square) = unit.multiply(unit) {
        assert_eq!(unit.power(Rational::from(2)).ok().as_ref(), Some(&square), "{text:?}");
    }
    let _ = (unit.is_known(), unit.is_standard());
    let factor = unit.factor_to(unit).unwrap_or_else(|error| panic!("{text:?}: {error}"));
    assert!((factor - 1.0).abs() < 1e-14, "{text:?}: {factor}");
}
