//! Copies of files, whose trees can be changed.

use asdf_core::{File, Result};

/// Makes a file in memory with the tree of another one. Its arrays refer to the blocks of that file, and nothing is read.
pub(crate) fn copy_of(file: &File) -> Result<File> {
    let mut copy = File::new();
    copy.set_standard(file.standard());
    if let Some(root) = file.tree().root() {
        let tree = copy.tree_mut();
        tree.set_handles(file.tree().handles().to_vec());
        let root = tree.graft(root)?;
        tree.set_root(root);
    }
    Ok(copy)
}
