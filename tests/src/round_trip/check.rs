//! All levels of round trip for one text.

use super::{Choices, Written, edit_text, tags, unedited, values};

/// How many edits were tried, and how many of them changed only their own bytes.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Tried {
    /// Edits after which the text said what the tree said.
    pub edits: usize,
    /// Those among them that were written in the text that was there.
    pub exact: usize,
}

/// Checks a text: values and tags when it is written anew, its bytes when nothing was edited, and the bytes
/// around so many edits, each of the text as it was.
///
/// # Errors
/// The first thing that is not as it should be.
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
