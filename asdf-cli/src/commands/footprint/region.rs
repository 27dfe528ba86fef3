//! The region that the metadata of an image state.

use asdf_core::File;
use asdf_core::tree::NodeRef;

/// Returns the `s_region` beside a world coordinate system, or the only one of the file.
pub(super) fn of(file: &File, path: &str) -> Option<String> {
    let tree = file.tree();
    let parent = path.rsplit_once('/').map_or("", |(parent, _)| parent);
    let text = |node: NodeRef<'_>| node.as_str().map(str::to_owned);
    let beside = ["/wcsinfo/s_region", "/s_region"].iter().find_map(|place| tree.find(&format!("{parent}{place}")));
    if let Some(found) = beside.and_then(text) {
        return Some(found);
    }
    let mut found = tree.search().key("s_region").filter_map(|found| text(found.node));
    let only = found.next()?;
    found.next().is_none().then_some(only)
}
