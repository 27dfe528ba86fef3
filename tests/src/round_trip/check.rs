//! Checks all levels of round trip for one text.

use super::{Choices, Written, edit_text, tags, unedited, values};

/// The number of tried edits, and of those that changed only their own bytes.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Tried {
    /// The edits after which the text had the same contents as the tree.
    pub edits: usize,
    /// The edits among them that only changed the existing text.
    pub exact: usize,
}

/// Checks a text: values and tags after rewriting, the bytes without edits, and the bytes around each of `edits` edits of
/// the original text.
///
/// # Errors
/// A description of the first fault.
pub fn check(text: &str, edits: u64) -> Result<Tried, String> {
    values(text)?;
    tags(text)?;
    unedited(text)?;
    let mut tried = Tried::default();
    for seed in 0..edits {
        let bytes = Choices::bytes_of(seed, 64);
        if let Some((_, how, _)) = edit_text(text, &mut Choices::new(&bytes))? {
            tried.edits += 1;
            tried.exact += usize::from(how == Written::Exactly);
        }
    }
    Ok(tried)
}
