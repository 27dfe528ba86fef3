//! Removes arrays of the tree.

use asdf_core::{File, Result};

/// Removes an array, with the quantity or the table that it belongs to.
///
/// An item of a list becomes null, so that the others keep their numbers.
pub(super) fn remove(file: &mut File, path: &str) -> Result<()> {
    let needs_array = |path: &str| {
        let tag = file.at(path).ok().and_then(|node| node.own_tag().map(str::to_owned)).unwrap_or_default();
        ["/quantity-", "/column-", "/table-"].iter().any(|name| tag.contains(name))
    };
    let ends = path.match_indices('/').map(|(end, _)| end).skip(1);
    let whole = ends.filter_map(|end| path.get(..end)).find(|above| needs_array(above)).unwrap_or(path);
    let (parent, key) = whole.rsplit_once('/').unwrap_or_default();
    let key = key.replace("~1", "/").replace("~0", "~");
    // Another array of the same table can have removed it already.
    let Some(node) = file.at(parent).ok().filter(|_| file.at(whole).is_ok()) else { return Ok(()) };
    let (id, is_mapping) = (node.id(), node.kind() == asdf_core::tree::Kind::Mapping);
    let tree = file.tree_mut();
    if is_mapping {
        tree.remove(id, &key);
        return Ok(());
    }
    let null = tree.add_null();
    tree.edit(whole).set(null)
}
