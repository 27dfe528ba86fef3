//! Parses any text: a tree or an error with a position, no panic, limits kept, and work in proportion to the text.

use asdf_core::tree::DifferenceOptions;
use asdf_core::yaml::{ParseOptions, parse, parse_with};

pub fn run(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    match parse(text) {
        Ok(tree) => {
            // One byte makes at most an item, its empty key and its empty value.
            assert!(tree.len() <= 4 * text.len() + 4, "{} nodes of {} bytes", tree.len(), text.len());
            let Some(root) = tree.root() else { return };
            let mut nodes = 0;
            for node in root.walk() {
                nodes += 1;
                let _ = (node.describe(), node.position(), node.as_i128(), node.as_f64(), node.as_bytes());
                assert!(node.span().end as usize <= text.len());
            }
            assert!(nodes <= tree.len());
            assert!(root.differences(root, &DifferenceOptions::new()).is_same());
        }
        Err(error) => {
            assert!(error.line().is_some() && error.column().is_some(), "{error}");
            let len = error.to_string().len();
            assert!(len < 1000, "{len} bytes of message");
        }
    }
    let shallow = ParseOptions::new().max_depth(3);
    if let Ok(tree) = parse_with(text.into(), shallow) {
        assert_eq!(Some(tree.len()), parse(text).ok().map(|tree| tree.len()));
    }
}
