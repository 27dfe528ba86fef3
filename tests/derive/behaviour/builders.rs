//! Values that are built field by field.

use asdf_core::value::{Extra, KeptTag};
use asdf_core::{Asdf, error};

#[derive(Asdf, Debug, PartialEq)]
#[asdf(new)]
struct Long {
    a: u8,
    b: u8,
    r#type: String,
    d: Vec<u8>,
    e: [f64; 2],
    f: bool,
    option: Option<u8>,
    #[asdf(default = 7)]
    number: u8,
    #[asdf(default)]
    list: Vec<u8>,
    #[asdf(default = Some(3))]
    build: Option<u8>,
    #[asdf(extra)]
    extra: Extra,
}

#[test]
fn many_fields_have_a_builder() {
    let long = || Long::builder().f(true).e([0.0, 1.0]).d(vec![4]).r#type("t".into()).b(2).a(1);
    let short = long().build_().unwrap();
    assert_eq!((short.a, short.b, short.r#type.as_str(), short.e), (1, 2, "t", [0.0, 1.0]));
    assert_eq!((short.option, short.number, short.build, short.extra.len()), (None, 7, Some(3), 0));
    let all = long().option(5).number(6).list(vec![1]).build(9).build_().unwrap();
    assert_eq!((all.option, all.number, all.list.len(), all.build), (Some(5), 6, 1, Some(9)));
}

#[test]
fn one_error_names_all_missing_fields() {
    let error = Long::builder().a(1).d(Vec::new()).option(1).build_().unwrap_err();
    assert_eq!(error.kind(), error::Kind::Usage);
    assert_eq!(
        error.to_string(),
        "cannot build `Long`: the required fields `b`, `type`, `e` and `f` are not set\n  \
         hint: set all required fields before `build`"
    );
    let error = Versions::<u8>::builder().build().unwrap_err();
    assert!(error.to_string().starts_with("cannot build `Versions`: the required field `value` is not set"));
}

#[derive(Asdf, Debug, PartialEq)]
#[asdf(builder, new, tag = "tag:x/v-1.0.0")]
struct Versions<T: Clone>
where
    T: PartialEq,
{
    value: T,
    #[asdf(tag)]
    version: KeptTag,
}

#[test]
fn a_short_type_has_both_if_both_are_requested() {
    let new = Versions::new("a".to_owned());
    assert_eq!(Versions::builder().value("a".to_owned()).build().unwrap(), new);
    let untagged = Versions::builder().value("a".to_owned()).version(KeptTag::Untagged).build().unwrap();
    assert_eq!(untagged.version, KeptTag::Untagged);
}
