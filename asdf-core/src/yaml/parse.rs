//! Parsing text into trees.

use std::sync::Arc;

use super::{ParseOptions, parser};
use crate::error::{Code, Error, Hint, LimitName, Result};
use crate::tree::Tree;

/// Parses one YAML 1.1 document. An empty text or document gives a tree without a root.
///
/// # Errors
/// - [`Malformed`](crate::error::Kind::Malformed) with line and column if the text is not YAML or has a
///   second document.
/// - [`Limit`](crate::error::Kind::Limit) if the text exceeds a limit of [`ParseOptions`].
///
/// # Examples
/// ```
/// use asdf_core::yaml;
///
/// let tree = yaml::parse("{filters: [F158, F184]}")?;
/// assert_eq!(tree.get::<String>("/filters/1")?, "F184");
///
/// let error = yaml::parse("{filters: [F158}").unwrap_err();
/// assert_eq!((error.line(), error.column()), (Some(1), Some(16)));
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[doc(alias = "load")]
#[doc(alias = "from_yaml")]
#[doc(alias = "yaml.load")]
pub fn parse(text: &str) -> Result<Tree> {
    parse_with(Arc::from(text), ParseOptions::default())
}

/// Parses one YAML 1.1 document with options.
///
/// A text that is already shared is not copied. Otherwise same as [`parse`].
///
/// # Errors
/// Same as [`parse`].
///
/// # Examples
/// ```
/// use asdf_core::yaml::{ParseOptions, parse_with};
///
/// let tree = parse_with("{gain: 2}".into(), ParseOptions::new().max_nodes(100))?;
/// assert_eq!(tree.get::<i32>("/gain")?, 2);
/// # Ok::<(), asdf_core::Error>(())
/// ```
pub fn parse_with(text: Arc<str>, options: ParseOptions) -> Result<Tree> {
    let most = options.max_text.min(u32::MAX as usize);
    if text.len() > most {
        let size = text.len();
        let error =
            Error::limit(format!("the tree of {size} bytes is larger than the limit of {most} bytes"))
                .with_code(Code::TreeSize);
        // Spans use 32 bits.
        return Err(match u32::try_from(size) {
            Ok(size) => {
                let to = Some(size.into());
                error.with_hint(Hint::Raise { limit: LimitName::TreeSize, from: most as u64, to })
            }
            Err(_) => error.with_hint("split the tree into texts of up to 4 GiB"),
        });
    }
    parser::parse(text, options)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Kind as ErrorKind;
    use crate::tree::{Kind, Origin};

    fn tree(body: &str) -> Tree {
        parse(&format!(
            "%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n%TAG !x! asdf://example.com/\n---\n{body}...\n"
        ))
        .unwrap()
    }

    #[test]
    fn tags_of_every_spelling_are_full_uris() {
        let tree = tree("a: !core/x-1.0.0 1\nb: !x!y-1.0.0 {}\nc: !<tag:z,w> []\nd: !!str 5\ne: ! '5'\n");
        let tag = |at: &str| tree.at(at).unwrap().tag();
        assert_eq!(tag("/a"), Some("tag:stsci.edu:asdf/core/x-1.0.0"));
        assert_eq!(tag("/b"), Some("asdf://example.com/y-1.0.0"));
        assert_eq!(tag("/c"), Some("tag:z,w"));
        assert_eq!(tag("/d"), Some("tag:yaml.org,2002:str"));
        assert_eq!(tree.at("/d").unwrap().own_tag(), None);
        assert_eq!(tree.at("/d").unwrap().as_str(), Some("5"));
        assert_eq!((tag("/e"), tree.at("/e").unwrap().as_i64()), (None, Some(5)));
        assert_eq!(tree.at("/a").unwrap().as_i64(), Some(1));
    }

    #[test]
    fn yaml_tags_decide_the_kind() {
        let tree = tree(
            "- !!int '0x10'\n- !!float 3\n- !!float '1e3'\n- !!bool 'yes'\n- !!null ''\n- !!int x\n- !!binary aGk=\n",
        );
        let root = tree.root().unwrap();
        let kinds: Vec<Kind> = root.items().map(|item| item.kind()).collect();
        use Kind::{Bool, Float, Int, Null, String};
        assert_eq!(kinds, [Int, Float, Float, Bool, Null, String, String]);
        assert_eq!(root.item(0).unwrap().as_i64(), Some(16));
        assert_eq!(root.item(2).unwrap().as_f64(), Some(1000.0));
        assert_eq!(root.item(6).unwrap().as_bytes().unwrap(), b"hi");
    }

    #[test]
    fn aliases_share_a_node_and_cycles_are_safe() {
        let tree = tree("a: &n [1, *n]\nb: *n\n");
        let (a, b) = (tree.at("/a").unwrap(), tree.at("/b").unwrap());
        assert_eq!(a.id(), b.id());
        assert_eq!(a.item(1).unwrap().id(), a.id());
        assert_eq!(a.anchor(), Some("n"));
    }

    #[test]
    fn scalars_borrow_and_nodes_know_their_place() {
        let tree = tree("a:\n  - word\n  - 'it''s'\nb:\n");
        let word = tree.at("/a/0").unwrap();
        assert!(tree.text().as_bytes().as_ptr_range().contains(&word.text().unwrap().as_ptr()));
        assert_eq!(word.position(), Some((6, 5)));
        assert_eq!(tree.at("/a/1").unwrap().as_str(), Some("it's"));
        assert_eq!(tree.at("/a").unwrap().position(), Some((6, 3)));
        assert!(tree.at("/b").unwrap().is_null());
    }

    #[test]
    fn errors_have_a_place() {
        let options = ParseOptions::new().origin(Origin { byte: 30, line: 3 });
        let error = parse_with("a: 1\nb: [\n".into(), options).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Malformed);
        assert_eq!((error.line(), error.column()), (Some(4), Some(4)), "{error}");
        let error = parse("a\n---\nb\n").unwrap_err();
        assert_eq!((error.line(), error.column()), (Some(2), Some(1)), "{error}");
        for deep in ["[".repeat(100_000), "- ".repeat(100_000), "? ".repeat(100_000), "{a: ".repeat(100_000)]
        {
            assert!(parse(&deep).is_err());
        }
    }

    #[test]
    fn an_empty_document_has_no_root_value() {
        assert!(parse("").unwrap().root().is_none());
        assert!(parse("%YAML 1.1\n---\n...\n").unwrap().root().is_none_or(|root| root.is_null()));
    }

    #[test]
    fn limits_are_enforced_and_report_a_position() {
        let default = ParseOptions::default();
        let message = |text: &str, options: ParseOptions| {
            let error = parse_with(text.into(), options).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Limit, "{error}");
            assert!(matches!(error.hint(), Some(Hint::Raise { .. })), "{error}");
            error.to_string().lines().next().unwrap().to_owned()
        };
        let small = default.max_text(3);
        assert_eq!(message("abcd", small), "the tree of 4 bytes is larger than the limit of 3 bytes");
        assert!(parse_with("abc".into(), small).is_ok());
        // The sequence and its items.
        let few = default.max_nodes(4);
        assert!(parse_with("[1, 2, 3]".into(), few).is_ok());
        for text in ["[1, 2, 3, 4]", "- 1\n- 2\n- 3\n- 4\n- 5\n", "a: 1\nb: 2\nc: 3\n", "{a, b, c}"] {
            let message = message(text, few);
            assert!(
                message.starts_with("line ") && message.ends_with(": the tree has more than 4 nodes"),
                "{message}"
            );
        }
    }

    #[test]
    fn tags_are_bounded_and_kept_once() {
        let head = format!("%TAG !p! tag:{}\n---\n", "x".repeat(1000));
        let bomb: String = (0..20_000).map(|number| format!("- !p!{number} a\n")).collect();
        let error = parse(&format!("{head}{bomb}")).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Limit, "{error}");
        assert!(error.line().is_some_and(|line| line > 1000), "{error}");
        let all = ParseOptions::new().max_tag_bytes(Some(30_000_000));
        assert!(parse_with(format!("{head}{bomb}").into(), all).is_ok());
        // One tag, however often it occurs.
        let honest = "- !p!same a\n".repeat(20_000);
        let few = ParseOptions::new().max_tag_bytes(Some(1_100));
        assert!(parse_with(format!("{head}{honest}").into(), few).is_ok());
        let long = format!("%TAG !p! tag:{}\n---\n- !p!x a\n", "x".repeat(100_000));
        assert_eq!(parse(&long).unwrap_err().kind(), ErrorKind::Limit);
    }

    #[test]
    fn messages_have_the_beginning_of_long_names() {
        let long = "a".repeat(2000);
        for text in [
            format!("*{long}\n"),
            format!("!{long}!x!y z\n"),
            format!("!{long}!x y\n"),
            format!("%YAML {long}\n--- a\n"),
            format!("%TAG !{long}! x:\n%TAG !{long}! y:\n--- a\n"),
        ] {
            let message = parse(&text).unwrap_err().to_string();
            assert!(message.contains("aaaa") && message.len() < 300, "{message}");
        }
    }
}
