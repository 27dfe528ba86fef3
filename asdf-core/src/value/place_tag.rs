//! Tags required by a field, which differ from those of new values of its type.

use super::{FromNode, OwnTag};
use crate::error::{Code, Error, Result};
use crate::tree::{NodeId, Tree, tag_matches};

/// Sets the tag that a field requires on a written value.
///
/// The attribute is `#[asdf(write_tags = ["tag", "pattern", ...])]`.
///
/// A value with the tag of new values of its type gets the first tag. So does a value with another kept tag,
/// unless that tag matches one of the further patterns. A value without a tag gets none.
///
/// # Errors
/// Returns [`Usage`](crate::error::Kind::Usage) if the type does not accept the tag, or the value is not
/// valid with it.
pub fn place_tag<T: FromNode>(tree: &mut Tree, id: NodeId, tags: &[&str]) -> Result<NodeId> {
    let Some((first, further)) = tags.split_first() else { return Ok(id) };
    let Some(tag) = tree.node(id).own_tag() else { return Ok(id) };
    let is_new = matches!(T::OWN_TAG, OwnTag::OneOf([own, ..]) if *own == tag);
    if tag == *first || (!is_new && further.iter().any(|pattern| tag_matches(pattern, tag))) {
        return Ok(id);
    }
    let refused = |tag: &str, why: &str| {
        let (tag, first) = (tag.escape_debug(), first.escape_debug());
        let message =
            format!("cannot write a value of the tag {tag} with {first}, which its field requires: {why}");
        Error::usage(message).with_code(Code::Tag)
    };
    if !T::accepts_tag(first) {
        return Err(refused(tag, "its type does not accept that tag"));
    }
    let tag = tag.to_owned();
    tree.set_tag(id, Some(first));
    match T::from_version(tree.node(id)) {
        Ok(Ok(_)) => Ok(id),
        Ok(Err(error)) | Err(error) => {
            let why = refused(&tag, error.message());
            Err(match error.hint() {
                Some(hint) => why.with_hint(hint.clone()),
                None => why,
            })
        }
    }
}
