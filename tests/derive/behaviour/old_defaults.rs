//! Defaults of files older than standard 1.6.0.

use asdf_core::value::{Extra, read};
use asdf_core::yaml::parse;
use asdf_core::{Asdf, File, Node, Result};

/// A mapping with a default of each kind.
#[derive(Asdf, Debug, PartialEq)]
struct Settings {
    #[asdf(old_default = "linear")]
    method: Option<String>,
    #[asdf(old_default = -3, rename = "the order")]
    order: i64,
    #[asdf(old_default = 4.5)]
    limit: f64,
    #[asdf(old_default = true)]
    exact: bool,
    #[asdf(old_default = [1, 2])]
    shape: Vec<u8>,
    #[asdf(old_default = {})]
    meta: Extra,
    /// The schema's default is not of its type.
    #[asdf(old_default = "90 deg")]
    angle: Option<f64>,
}

/// Reads a mapping in a file of a version of the standard.
fn settings(standard: (u16, u16, u16), text: &str) -> Result<Settings> {
    let mut tree = parse(text)?;
    tree.set_standard(standard);
    tree.root().map(read).expect("the text has a root")
}

#[test]
fn old_files_have_them_and_new_ones_do_not() {
    let old = settings((1, 5, 0), "{}").expect("the defaults are filled in");
    let filled = Settings {
        method: Some("linear".into()),
        order: -3,
        limit: 4.5,
        exact: true,
        shape: vec![1, 2],
        meta: Extra::new(),
        angle: None,
    };
    assert_eq!(old, filled);
    let missing = settings((1, 6, 0), "{}").expect_err("nothing is filled in").to_string();
    assert!(missing.contains("the required property 'the order' is missing"), "{missing}");
}

#[test]
fn present_values_take_precedence() {
    let text = "{method: null, the order: 1, limit: 2.0, exact: false, shape: [], meta: {a: 1}, angle: 5.0}";
    let read = settings((1, 5, 0), text).expect("everything is there");
    assert_eq!((read.method.as_deref(), read.order, read.angle), (None, 1, Some(5.0)));
    assert_eq!(Node::new(&read).expect("it can be written").view().len(), 6);
}

#[test]
fn files_know_their_version() {
    for (standard, expected) in [("1.4.0", Some("linear")), ("1.6.0", None)] {
        let text = format!(
            "#ASDF 1.0.0\n#ASDF_STANDARD {standard}\n%YAML 1.1\n---\n\
             {{the order: 1, limit: 2.0, exact: false, shape: [], meta: {{}}}}\n...\n"
        );
        let file = File::from_bytes(text.into_bytes()).expect("it is a file");
        let read: Settings = file.get("").expect("everything that is required is there");
        assert_eq!(read.method.as_deref(), expected, "{standard}");
    }
}
