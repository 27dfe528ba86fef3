//! Properties that hold for all units.

use asdf_units::{Rational, Unit};
use proptest::prelude::*;

/// A symbol with a prefix, usually one of VOUnit.
fn symbol() -> impl Strategy<Value = String> {
    let names = prop::sample::select(vec![
        "m", "g", "s", "A", "K", "mol", "cd", "rad", "sr", "Hz", "Jy", "pc", "eV", "W", "pixel", "ph", "adu",
        "mag", "deg", "arcsec", "yr", "a", "solMass", "D", "R", "byte",
    ]);
    let prefixes = prop::sample::select(vec!["", "", "k", "m", "u", "M", "G"]);
    let plain = prop::sample::select(vec![
        "AU",
        "mas",
        "Angstrom",
        "Kibyte",
        "'furlong'",
        "k'Mile'",
        "log(GHz)",
        "%",
    ]);
    prop_oneof![4 => (prefixes, names).prop_map(|(prefix, name)| format!("{prefix}{name}")), 1 => plain.prop_map(str::to_owned)]
}

fn power() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => Just(String::new()),
        3 => (-9..10_i32).prop_map(|power| format!("**{power}")),
        1 => (-9..10_i32, 1..5_i32).prop_map(|(above, below)| format!("**({above}/{below})")),
    ]
}

fn scale() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => Just(String::new()),
        1 => (-30..30_i32).prop_map(|power| format!("10**{power}")),
        1 => (1..u64::MAX).prop_map(|number| number.to_string()),
        1 => (1..100_000_u32, 1..1000_u32, -20..20_i32).prop_map(|(a, b, c)| format!("{a}.{b}e{c}")),
    ]
}

fn text() -> impl Strategy<Value = String> {
    let factor = (symbol(), power()).prop_map(|(symbol, power)| {
        // In the grammar, functions cannot have powers.
        if symbol.contains('(') { symbol } else { symbol + &power }
    });
    (scale(), prop::collection::vec(factor, 1..6)).prop_map(|(scale, factors)| scale + &factors.join("."))
}

/// Returns a unit, or `None` if its size is out of range. No other error is allowed.
fn in_range(unit: asdf_units::Result<Unit>) -> Option<Unit> {
    match unit {
        Err(error) if error.message().ends_with("is out of range for a double") => None,
        unit => Some(unit.expect("a unit")),
    }
}

proptest! {
    #[test]
    fn printed_units_parse_back(text in text()) {
        let Some(unit) = in_range(Unit::parse(&text)) else { return Ok(()) };
        let printed = unit.to_string();
        prop_assert_eq!(Unit::parse_lenient(&printed), unit.clone(), "{} {}", text, printed);
        // Repeated functions become powers of functions.
        if !printed.contains(")**") || !printed.contains("log") {
            let back = Unit::parse(&printed).unwrap();
            prop_assert_eq!(back.to_string(), printed);
        }
    }

    #[test]
    fn quotients_undo_products(a in text(), b in text()) {
        let (Some(a), Some(b)) = (in_range(Unit::parse(&a)), in_range(Unit::parse(&b))) else { return Ok(()) };
        let Some(product) = in_range(a.multiply(&b)) else { return Ok(()) };
        prop_assert_eq!(&product, &b.multiply(&a).unwrap());
        prop_assert_eq!(product.divide(&b).unwrap(), a.clone());
        prop_assert_eq!(a.divide(&a).unwrap(), Unit::one());
    }

    #[test]
    fn powers_undo_roots(a in text(), below in 1..7_i64) {
        let Some(a) = in_range(Unit::parse(&a)) else { return Ok(()) };
        let root = a.power(Rational::new(1, below).unwrap()).unwrap();
        prop_assert_eq!(root.power(Rational::new(below, 1).unwrap()).unwrap(), a);
    }

    #[test]
    fn conversions_undo_each_other(a in text(), factor in scale()) {
        let Some(a) = in_range(Unit::parse(&a)) else { return Ok(()) };
        let Some(b) = in_range(a.multiply(&Unit::parse(&factor).unwrap())) else { return Ok(()) };
        let (there, back) = (a.factor_to(&b).unwrap(), b.factor_to(&a).unwrap());
        prop_assert!((there * back - 1.0).abs() < 1e-15, "{} {}", there, back);
    }

    #[test]
    fn any_text_parses_or_fails(text in "\\PC*") {
        let lenient = Unit::parse_lenient(&text);
        prop_assert!(lenient.dimension().is_ok());
        prop_assert!(lenient.scale().to_f64().is_normal());
        if let Ok(unit) = Unit::parse(&text) {
            prop_assert_eq!(unit, lenient);
        }
    }

    #[test]
    fn texts_of_the_characters_of_units(text in "[a-zA-Z'0-9.*/()^ +-]{0,24}") {
        let lenient = Unit::parse_lenient(&text);
        let printed = lenient.to_string();
        let back = Unit::parse_lenient(&printed);
        prop_assert_eq!(back.to_string(), printed);
        prop_assert!(lenient.dimension().is_ok() && lenient.scale().to_f64().is_normal());
        // A factor that is not a decimal number (`/6`) is printed as the nearest double.
        if back != lenient {
            prop_assert_eq!(back.dimension(), lenient.dimension(), "{}", lenient);
            let factor = back.factor_to(&lenient).unwrap();
            prop_assert!((factor - 1.0).abs() < 1e-15, "{} reads back with the factor {}", lenient, factor);
        }
        if let Ok(unit) = Unit::parse(&text) {
            prop_assert_eq!(unit, lenient);
        }
    }
}
