//! Checks three levels of round trip, and edits, with the input as the text or with a text made from the input.

use crate::round_trip::{Choices, edit_text, edit_tree, generate, tags, unedited, values, written};

pub fn run(data: &[u8]) {
    // The input is a text, a NUL and bytes that choose edits; or only bytes that choose both the text and the edits.
    let (text, mut choices) = match data.split_first() {
        None => return,
        Some((128.., rest)) => {
            let mut choices = Choices::new(rest);
            (generate(&mut choices), choices)
        }
        Some(_) => {
            let end = data.iter().position(|&byte| byte == 0).unwrap_or(data.len());
            let (text, edits) = data.split_at(end);
            let Ok(text) = std::str::from_utf8(text) else { return };
            (text.to_owned(), Choices::new(edits.get(1..).unwrap_or_default()))
        }
    };
    for check in [values, tags, unedited] {
        check(&text).unwrap_or_else(|why| panic!("{why}\n{text:?}"));
    }
    let mut now = text;
    if choices.once_in(2) {
        for _ in 0..=choices.below(6) {
            match edit_text(&now, &mut choices) {
                Ok(Some((out, ..))) => now = out,
                Ok(None) => return,
                Err(why) => panic!("{why}"),
            }
        }
        return;
    }
    // Now make several edits at once.
    let Ok(mut tree) = asdf_core::yaml::parse(&now) else { return };
    let mut done = Vec::new();
    for _ in 0..=choices.below(6) {
        done.extend(edit_tree(&mut tree, &mut choices).map(|edit| edit.done));
    }
    match written(&tree) {
        Ok((out, _)) => {
            let again = asdf_core::yaml::parse(&out)
                .unwrap_or_else(|error| panic!("{done:?}: {error}\n{now:?}\n{out:?}"));
            let same = match (tree.root(), again.root()) {
                (Some(a), Some(b)) => a == b,
                _ => true,
            };
            assert!(same, "{done:?}\n{now:?}\n{out:?}");
        }
        Err(why) => assert!(why.contains("nests deeper"), "{why}"),
    }
}
