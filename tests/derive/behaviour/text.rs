//! Newtypes of text and enums of names, which have methods of strings.

use std::str::FromStr;
use std::sync::Arc;

use asdf_core::Asdf;
use asdf_core::value::{KeptTag, Timestamp};

use super::round_trip;

#[derive(Asdf, Debug, Clone, PartialEq)]
#[asdf(text, new)]
struct Name(String);

#[test]
fn a_newtype_of_text_is_made_of_text_and_shown_as_text() {
    let name = Name::new("Vega");
    assert_eq!(name, "Vega");
    assert!(name == *"Vega" && name != "Deneb");
    assert_eq!(format!("{name}|{name:>6}|{name:.2}"), "Vega|  Vega|Ve");
    assert_eq!(AsRef::<str>::as_ref(&name), "Vega");
    assert_eq!(
        [Name::from("Vega"), "Vega".to_owned().into(), "Vega".parse().unwrap()],
        [(); 3].map(|()| name.clone())
    );
    assert_eq!((name.get().len(), name.into_inner()), (4, "Vega".to_owned()));
    round_trip("Vega", &Name::new(String::from("Vega")));
}

#[derive(Asdf, Debug, Clone, PartialEq)]
#[asdf(text, check(pattern = "^[A-Z0-9]+$"))]
struct Filter(String);

#[derive(Asdf, Debug, PartialEq)]
#[asdf(text, check(max_length = 3))]
struct Short(Filter);

#[test]
fn a_checked_newtype_of_text_checks_it() {
    assert_eq!(Filter::new("F150W").unwrap(), "F150W");
    let expected = "found the string 'blue', expected a match of the pattern '^[A-Z0-9]+$' for `Filter`";
    for error in [
        Filter::new("blue").unwrap_err(),
        Filter::from_str("blue").unwrap_err(),
        Filter::try_from("blue").unwrap_err(),
        Filter::try_from("blue".to_owned()).unwrap_err(),
    ] {
        assert_eq!(error.to_string(), expected);
    }
    assert_eq!(Short::try_from("F15").unwrap().to_string(), "F15");
    assert_eq!(Short::from_str("blue").unwrap_err().to_string(), expected);
    assert_eq!(
        Short::try_from("F150W".to_owned()).unwrap_err().to_string(),
        "found the string 'F150W', expected at most 3 characters for `Short`"
    );
    assert_eq!(Short::new(Filter::new("F15").unwrap()).unwrap(), "F15");
}

#[derive(Asdf, Debug, PartialEq)]
#[asdf(text, new)]
struct Shared(Arc<str>);

#[derive(Asdf, Debug, PartialEq)]
#[asdf(text, new)]
struct Date(Timestamp);

#[derive(Asdf, Debug, PartialEq)]
#[asdf(text)]
struct Label<T>(T);

#[derive(Asdf, Debug, PartialEq)]
#[asdf(text, new, tag = "tag:x/name-1.0.0")]
struct Tagged(#[asdf(tag)] KeptTag, String);

#[test]
fn text_of_other_types_too() {
    assert_eq!(Shared::new("a"), Shared::from("a"));
    assert_eq!(Shared::from(Arc::from("a")), "a");
    assert_eq!(Date::try_from("2026-11-23").unwrap(), "2026-11-23");
    assert_eq!(Date::from(Timestamp::new("2026-11-23").unwrap()).to_string(), "2026-11-23");
    assert_eq!("F150W".parse::<Label<Filter>>().unwrap(), "F150W");
    assert!("blue".parse::<Label<Filter>>().is_err());
    round_trip("!<tag:x/name-1.0.0> b", &Tagged::from("b"));
}

#[derive(Asdf, Debug, Clone, Copy, PartialEq)]
#[asdf(text)]
enum Mode {
    #[asdf(rename = "slow read")]
    Slow,
    Fast,
}

#[test]
fn an_enum_of_names_is_text() {
    const SLOW: &str = Mode::Slow.as_str();
    assert_eq!(SLOW, "slow read");
    assert_eq!(Mode::VALUES, [Mode::Slow, Mode::Fast]);
    for mode in Mode::VALUES {
        let text = mode.to_string();
        assert_eq!(*mode, *text);
        assert_eq!([text.parse().unwrap(), Mode::try_from(mode.as_ref()).unwrap()], [*mode; 2]);
    }
    assert_eq!(format!("[{:>6}]", Mode::Fast), "[  Fast]");
    assert_eq!(Mode::Fast, "Fast");
    let expected =
        "found the string 'fats', expected 'slow read' or 'Fast' for `Mode`\n  hint: did you mean 'Fast'?";
    assert_eq!(Mode::from_str("fats").unwrap_err().to_string(), expected);
    assert_eq!(
        Mode::try_from("7").unwrap_err().to_string(),
        "found the string '7', expected 'slow read' or 'Fast' for `Mode`"
    );
}

#[derive(Asdf, Debug, PartialEq)]
#[asdf(new)]
struct Level(f64);

#[derive(Asdf, Debug, PartialEq)]
#[asdf(new)]
struct Wrapped<T>(T);

#[test]
fn newtypes_with_new_give_their_value() {
    let level = Level::from(1.5);
    assert_eq!((*level.get(), level.into_inner()), (1.5, 1.5));
    assert_eq!(Wrapped::new(7).get(), &7);
}
