//! Newtypes whose values are checked.

use asdf_core::value::check::{Bound, Text, minimum};
use asdf_core::value::{KeptTag, Number};
use asdf_core::{Asdf, Node, error};

use super::{from_text, refused, round_trip};

#[derive(Asdf, Debug, Clone, PartialEq)]
#[asdf(check(pattern = r"^[a-z0-9_]+\.fits$", max_length = 12))]
struct Filename(String);

#[test]
fn an_invalid_value_cannot_be_made() {
    let name = Filename::new("a.fits".to_owned()).unwrap();
    assert_eq!(name.get(), "a.fits");
    assert_eq!(name.into_inner(), "a.fits");
    let error = Filename::new("A nice name.txt".to_owned()).unwrap_err();
    assert_eq!(error.kind(), error::Kind::Mismatch);
    assert_eq!(
        error.to_string(),
        "found the string 'A nice name.txt', expected a match of the pattern '^[a-z0-9_]+\\.fits$' and at most \
         12 characters for `Filename`"
    );
    assert!(Filename::try_from("b.fits".to_owned()).is_ok());
    assert!(Filename::try_from("b.fit".to_owned()).is_err());
}

#[derive(Asdf, Debug, PartialEq)]
struct Files {
    first: Filename,
    others: Vec<Filename>,
    last: Option<Filename>,
}

#[test]
fn an_invalid_value_cannot_be_read() {
    let name = |text: &str| Filename::new(text.to_owned()).unwrap();
    round_trip(
        "{first: a.fits, others: [b.fits]}",
        &Files { first: name("a.fits"), others: vec![name("b.fits")], last: None },
    );
    assert_eq!(
        refused::<Files>("first: a.fit\nothers: [b.fits, abcdefghijk.fits]\nlast: 5\n"),
        "line 1, column 8: /first: found the string 'a.fit', expected a match of the pattern \
         '^[a-z0-9_]+\\.fits$' for `Filename`\n\
         line 2, column 18: /others/1: found the string 'abcdefghijk.fits', expected at most 12 characters for \
         `Filename`\n\
         line 3, column 7: /last: found the integer 5, expected a string"
    );
}

#[derive(Asdf, Debug, PartialEq)]
#[asdf(check(minimum = 0, maximum = 100))]
struct Percent(u8);

#[derive(Asdf, Debug, PartialEq)]
#[asdf(check(minimum = -90.0, exclusive_maximum = 90))]
struct Latitude(f64);

#[derive(Asdf, Debug, PartialEq)]
#[asdf(check(exclusive_minimum = 0, multiple_of = 0.5))]
struct HalfSteps(Number);

#[derive(Asdf, Debug, PartialEq)]
#[asdf(check(one_of = [-1, 1]))]
struct Sign(i8);

#[derive(Asdf, Debug, PartialEq)]
#[asdf(check(one_of = [0.5, 1, 2], minimum = 1))]
struct Scale(f64);

#[test]
fn a_number_is_one_of_several() {
    round_trip("-1", &Sign::new(-1).unwrap());
    assert_eq!(Sign::new(0).unwrap_err().to_string(), "found the integer 0, expected -1 or 1 for `Sign`");
    assert_eq!(
        refused::<Vec<Sign>>("[1, 2]"),
        "line 1, column 5: /1: found the integer 2, expected -1 or 1 for `Sign`"
    );
    assert_eq!(from_text::<Scale>("2"), Scale(2.0));
    assert_eq!(
        refused::<Scale>("0.25"),
        "line 1, column 1: found the float 0.25, expected 0.5, 1 or 2 and at least 1 for `Scale`"
    );
    assert!(Scale::new(0.5).is_err() && Scale::new(f64::NAN).is_err());
}

#[test]
fn numbers_have_bounds() {
    round_trip("100", &Percent::new(100).unwrap());
    assert_eq!(
        refused::<Percent>("0x65"),
        "line 1, column 1: found the integer 101, expected at most 100 for `Percent`"
    );
    assert!(Latitude::new(-90.0).is_ok() && Latitude::new(90.0).is_err() && Latitude::new(-90.5).is_err());
    assert_eq!(
        refused::<Latitude>("90"),
        "line 1, column 1: found the float 90.0, expected less than 90 for `Latitude`"
    );
    round_trip("7", &HalfSteps::new(7.into()).unwrap());
    assert_eq!(
        refused::<HalfSteps>("-0.25"),
        "line 1, column 1: found the float -0.25, expected more than 0 and a multiple of 0.5 for `HalfSteps`"
    );
}

#[derive(Asdf, Debug, PartialEq)]
#[asdf(check(min_items = 1, max_items = 3, unique_items))]
struct Names(Vec<String>);

#[test]
fn sequences_have_lengths() {
    let names = |names: &[&str]| Names::new(names.iter().map(|&name| name.to_owned()).collect());
    round_trip("[a, b]", &names(&["a", "b"]).unwrap());
    assert_eq!(
        names(&[]).unwrap_err().to_string(),
        "found a sequence of 0 items, expected at least 1 item for `Names`"
    );
    assert_eq!(
        refused::<Names>("[a, b, c, a]"),
        "line 1, column 1: found a sequence of 4 items, expected at most 3 items and unique items, not the \
         string 'a' twice for `Names`"
    );
}

#[derive(Asdf, Debug, PartialEq)]
#[asdf(check(contains(
    flat = [["", "description", "The flat field."], ["/kind", "enum", "flat", "dome"], ["", "required", "exposure"]],
    named = [["", "required", "name"], ["/name", "pattern", "^n"]]
)))]
struct Frames(Vec<Node>);

#[test]
fn sequences_have_certain_items() {
    let frames: Frames =
        from_text("[{kind: dome}, {kind: dome, exposure: 5}, {name: x}, {name: n1, kind: dark}, {name: n2}]");
    let text = |node: Option<&Node>, key: &str| node?.view().get(key)?.text().map(str::to_owned);
    assert_eq!(text(frames.flat(), "exposure").as_deref(), Some("5"));
    assert_eq!(text(frames.named(), "name").as_deref(), Some("n1"));
    for (text, missing) in [
        ("[{kind: dome}, {name: n1}]", "`flat`"),
        ("[{kind: dark, exposure: 5}, {name: n1}]", "`flat`"),
        ("[{kind: flat, exposure: 5}, {name: x}]", "`named`"),
        ("[]", "`flat` and one that satisfies `named`"),
    ] {
        let error = refused::<Frames>(text);
        assert!(
            error.contains(&format!("an item that satisfies {missing} of the schema")),
            "{text}: {error}"
        );
    }
}

#[derive(Asdf, Debug, PartialEq)]
#[asdf(check(min_length = 8))]
struct LongName(Filename);

#[test]
fn a_checked_type_can_narrow_another() {
    let long = LongName::new(Filename::new("long.fits".to_owned()).unwrap()).unwrap();
    assert_eq!(long.text(), "long.fits");
    assert!(refused::<LongName>("a.fits").contains("expected at least 8 characters for `LongName`"));
    assert!(refused::<LongName>("a.fitsfits").contains("for `Filename`"));
}

#[derive(Asdf, Debug, PartialEq)]
#[asdf(check(min_items = 1))]
struct NotEmpty<T>(Vec<T>);

#[derive(Asdf, Debug, PartialEq)]
#[asdf(check(minimum = 0))]
struct NotNegative<T>(T)
where
    T: asdf_core::value::check::Numeric;

#[test]
fn generic_types_are_checked() {
    assert_eq!(from_text::<NotEmpty<u8>>("[1]"), NotEmpty::try_from(vec![1]).unwrap());
    assert!(refused::<NotEmpty<String>>("[]").contains("at least 1 item"));
    let value = NotNegative::new(0.5).unwrap();
    assert_eq!(minimum(&value, Bound::Float(0.7)).as_deref(), Some("at least 0.7"));
    assert!(refused::<NotNegative<i8>>("-1").contains("at least 0"));
}

#[derive(Asdf, Debug, PartialEq)]
#[asdf(tag = "tag:x/band-1.1.0", accepts = ["tag:x/band-1.0.0"], check(max_length = 2))]
struct TaggedBand(String, #[asdf(tag)] KeptTag);

#[test]
fn a_checked_type_can_have_and_keep_a_tag() {
    round_trip("!<tag:x/band-1.1.0> g", &TaggedBand::new("g".into()).unwrap());
    let value: TaggedBand = from_text("!<tag:x/band-1.0.0> g");
    assert_eq!(value.1, KeptTag::As("tag:x/band-1.0.0".into()));
    round_trip("!<tag:x/band-1.0.0> g", &value);
    assert!(refused::<TaggedBand>("!<tag:x/band-1.0.0> g12").contains("at most 2"));
}

#[derive(Asdf, Debug, PartialEq)]
#[asdf(check(pattern = "^a", pattern = "z$"))]
struct AToZ(String);

#[derive(Asdf, Debug, PartialEq)]
#[allow(clippy::duplicated_attributes, reason = "both hold; Clippy only compares texts")]
#[asdf(check(multiple_of = 2, multiple_of = 3))]
struct Sixth(u32);

#[test]
fn several_patterns_all_hold() {
    assert!(AToZ::new("a to z".to_owned()).is_ok());
    assert_eq!(
        AToZ::new("b".to_owned()).unwrap_err().to_string(),
        "found the string 'b', expected a match of the pattern '^a' and a match of the pattern 'z$' for `AToZ`"
    );
    assert!(Sixth::new(12).is_ok() && Sixth::new(4).is_err() && Sixth::new(9).is_err());
}

#[derive(Asdf, Debug, PartialEq)]
enum Size {
    Small(Percent),
    Large(u64),
}

#[test]
fn variants_are_distinguished_by_checks() {
    round_trip("[100, 101]", &vec![Size::Small(Percent::new(100).unwrap()), Size::Large(101)]);
}

#[derive(Debug, Clone, PartialEq, Asdf)]
#[asdf(check(max_length = 8))]
struct Keyword(String);

/// A keyword, a number, and whatever comes after them.
#[derive(Debug, Clone, PartialEq, Asdf)]
#[asdf(check(items = [Keyword, Option::<f64>], max_items = 3))]
struct Entry(Vec<Node>);

#[test]
fn items_have_the_types_of_their_places() {
    for fine in ["[]", "[EXPTIME]", "[EXPTIME, 1.5, {any: thing}]", "[EXPTIME, null]"] {
        let entry: Entry = from_text(fine);
        assert_eq!(Entry::new(entry.get().clone()).unwrap(), entry, "{fine}");
    }
    assert_eq!(
        refused::<Entry>("[TOOLONGKEYWORD, 1.5]"),
        "line 1, column 1: /0: found the string 'TOOLONGKEYWORD', expected at most 8 characters for `Keyword`"
    );
    assert_eq!(
        refused::<Entry>("[EXPTIME, long]"),
        "line 1, column 1: /1: found the string 'long', expected a number"
    );
    assert!(refused::<Entry>("[A, 1, 2, 3]").contains("expected at most 3 items for `Entry`"));
}

/// Constraints between fields are checked when a value is written, but not when it is read.
#[test]
fn what_does_not_fit_together_is_not_written() {
    #[derive(Debug, Asdf)]
    #[asdf(write_check = Self::in_order)]
    struct Range {
        first: u32,
        last: u32,
    }

    impl Range {
        fn in_order(&self) -> asdf_core::Result<()> {
            match self.first <= self.last {
                true => Ok(()),
                false => Err(asdf_core::Error::mismatch("found a range that ends before it begins")),
            }
        }
    }

    let good: Range = from_text("{first: 1, last: 5}");
    assert!(Node::new(&good).is_ok());
    let bad: Range = from_text("{first: 5, last: 1}");
    assert_eq!(Node::new(&bad).unwrap_err().message(), "found a range that ends before it begins");
}
