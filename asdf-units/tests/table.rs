//! Tables of units that parse, their printed forms, and units that do not parse.

use asdf_units::{Rational, Unit};

fn rows(table: &str) -> impl Iterator<Item = Vec<&str>> {
    table.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t').collect())
}

fn check(row: &[&str], unit: &Unit) {
    let [text, printed, dimension, scale] = row else { panic!("{row:?}") };
    assert_eq!(unit.to_string(), *printed, "{text}");
    assert_eq!(unit.dimension().expect(text).to_string(), *dimension, "{text}");
    let (found, expected): (f64, f64) = (unit.scale().to_f64(), scale.parse().expect("a number"));
    assert!((found - expected).abs() <= 4e-16 * expected, "{text}: {found:e}, not {expected:e}");
    assert_eq!(&Unit::parse_lenient(printed), unit, "{text}");
}

#[test]
fn standard_units_parse() {
    for row in rows(include_str!("standard.tsv")) {
        let unit = Unit::parse(row[0]).unwrap_or_else(|error| panic!("{error}"));
        check(&row, &unit);
        assert_eq!(Unit::parse(row[1]).as_ref(), Ok(&unit), "{}", row[0]);
        assert_eq!(Unit::parse_lenient(row[0]), unit, "{}", row[0]);
    }
}

#[test]
fn other_notations_parse_leniently() {
    for row in rows(include_str!("lenient.tsv")) {
        assert!(Unit::parse(row[0]).is_err(), "{}", row[0]);
        check(&row, &Unit::parse_lenient(row[0]));
    }
}

#[test]
fn invalid_units_fail_with_a_hint() {
    let found = include_str!("refused.txt").lines().map(|line| {
        let (text, _) = line.split_once(" | ").unwrap();
        let error = Unit::parse(text).expect_err(text);
        let place = error.offset().map(|offset| format!(" at {offset}")).unwrap_or_default();
        let hint = error.hint().map(|hint| format!("; {hint}")).unwrap_or_default();
        format!("{text} | {}{place}{hint}", error.message())
    });
    for (found, expected) in found.zip(include_str!("refused.txt").lines()) {
        assert_eq!(found, expected);
    }
}

#[test]
fn very_long_texts_and_deep_parentheses() {
    assert!(Unit::parse(&"m.".repeat(4000)).is_err());
    assert!(Unit::parse(&format!("{}m{}", "(".repeat(100), ")".repeat(100))).is_err());
    assert!(!Unit::parse_lenient(&"(".repeat(100_000)).is_known());
    assert_eq!(Unit::parse(&format!("m{}", ".m".repeat(1000))).unwrap().to_string(), "m**1001");
    let shown = Unit::parse(&"é".repeat(1000)).unwrap_err().to_string();
    assert!(shown.chars().count() < 200, "{shown}");
}

#[test]
fn sizes_stay_in_the_range_of_doubles() {
    let far = Unit::parse("Qm**10").unwrap();
    assert_eq!(
        far.multiply(&far).unwrap_err().to_string(),
        "the size of `Qm**20` is out of range for a double"
    );
    assert!(far.divide(&Unit::parse("qm**10").unwrap()).is_err());
    assert!(far.power(Rational::from(2)).is_err());
    // Only the result has to be in range, in any order.
    let size = Unit::parse("GsolMass**-7.Myr**-4.mas**-4").unwrap().scale().to_f64();
    let other = Unit::parse("Myr**-4.mas**-4.GsolMass**-7").unwrap().scale().to_f64();
    assert!((other / size - 1.0).abs() < 1e-14);
    let parts = ["R**40", "deg**(1/2)", "uarcsec**20"];
    for [a, b, c] in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        let text = [a, b, c].map(|part| parts[part]).join(".");
        let size = Unit::parse(&text).unwrap().scale().to_f64();
        assert!((size / 7.312_088_840_980_151e128 - 1.0).abs() < 1e-14, "{text}: {size:e}");
    }
    assert_eq!(Unit::parse("Qm**20.qm**19").unwrap().scale().to_f64(), 1e30);
}

#[test]
fn symbols_have_properties() {
    let unit = Unit::parse_lenient("erg.electron.widget");
    let found: Vec<_> = unit
        .symbols()
        .map(|(symbol, _)| {
            (symbol.name().to_owned(), symbol.is_known(), symbol.is_standard(), symbol.is_deprecated())
        })
        .collect();
    let row = |name: &str, known, standard, deprecated| (name.to_owned(), known, standard, deprecated);
    assert_eq!(
        found,
        [
            row("erg", true, true, true),
            row("electron", true, false, false),
            row("widget", false, false, false)
        ]
    );
    assert!(!unit.is_known() && !unit.is_standard());
    assert!(Unit::parse("log(km)").unwrap().is_standard());
}

#[test]
fn impossible_conversions_say_why() {
    let message = |from: &str, to: &str| {
        Unit::parse_lenient(from).factor_to(&Unit::parse_lenient(to)).unwrap_err().to_string()
    };
    assert_eq!(
        message("km", "kg.s"),
        "cannot convert `km` to `kg.s`: the first measures `m`, the second `kg.s`"
    );
    assert_eq!(
        message("log(Hz)", "Hz"),
        "cannot convert `log(Hz)` to `Hz`: the first measures `log(Hz)`, the second `s**-1`\n  \
         hint: convert functions of units, such as log(Hz), only to the same function"
    );
    assert!(message("widget", "m").ends_with("hint: convert an unknown unit only to itself"));
    // A lenient text whose size is out of range is an unknown unit.
    assert!(!Unit::parse_lenient("Qm**100").is_known());
    assert!(message("Qm**10", "qm**10").contains("out of range for a double"));
    assert!(message("rad", "1").contains("the first measures `rad`, the second `1`"));
    // An unknown unit keeps its own quotes inside the backticks.
    assert!(
        message("'furlongz'", "m")
            .starts_with("cannot convert `'furlongz'` to `m`: the first measures `'furlongz'`,")
    );
}
