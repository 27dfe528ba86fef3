//! Names in files that differ from those in Rust.

use asdf_core::Asdf;

use super::{refused, round_trip};

#[derive(Asdf, Debug, PartialEq)]
#[asdf(rename_all = "camelCase")]
struct Camera {
    exposure_time: f64,
    r#type: Kind,
    #[asdf(rename = "FILTER")]
    filter_name: Option<String>,
}

#[derive(Asdf, Debug, Clone, Copy, PartialEq)]
#[asdf(rename_all = "kebab-case", text)]
enum Kind {
    WideField,
    #[asdf(rename = "other")]
    Unknown,
}

#[derive(Asdf, Debug, PartialEq)]
#[asdf(key = "kind", rename_all = "SCREAMING_SNAKE_CASE")]
enum Region {
    WholeDetector,
    SomeRows { first_row: u8 },
}

#[test]
fn fields_and_variants_follow_a_convention() {
    let camera = Camera { exposure_time: 1.5, r#type: Kind::WideField, filter_name: Some("a".into()) };
    round_trip("{exposureTime: 1.5, type: wide-field, FILTER: a}", &camera);
    assert_eq!(
        refused::<Camera>("{exposure_time: 1.5, type: other}"),
        "line 1, column 1: the required property 'exposureTime' is missing\n\
         line 1, column 2: unknown property 'exposure_time' of `Camera`\n  \
         hint: did you mean 'exposureTime'? add a field `#[asdf(extra)] extra: Extra` to keep unknown properties"
    );
    assert_eq!((Kind::WideField.as_str(), Kind::Unknown.as_str()), ("wide-field", "other"));
    round_trip("{kind: WHOLE_DETECTOR}", &Region::WholeDetector);
    round_trip("{kind: SOME_ROWS, first_row: 3}", &Region::SomeRows { first_row: 3 });
}
