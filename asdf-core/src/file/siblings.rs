//! The files that hold the arrays of an exploded file, and how they are replaced together with it.
//!
//! New files get names that are free, so the files of an old main file stay. They are synced to disk before the main file
//! is renamed to its path. Only then are the files removed that the old main file alone referred to. At every point the
//! path therefore has a main file whose other files are complete.

use std::collections::BTreeSet;
use std::fs::Metadata;
use std::io;
use std::path::{Path, PathBuf};

use super::atomic::buffered;
use super::disk::{self, Out, folder_of};
use super::journal::{Identity, identity};
use super::placement::file_of;
use super::plan::Plan;
use super::sibling_list::{self, SiblingList, is_listed};
use super::unfinished::{self, Unfinished};
use super::{File, OpenOptions, Storage, WriteOptions};
use crate::array::NdArray;
use crate::error::{Error, Hint, Result};
use crate::tree::{Kind, NodeRef, Tree, percent_decode};
use crate::value::FromNode as _;

/// The other files of an exploded file that is being written. If it is dropped before [`placed`](Self::placed), the new
/// ones are removed.
#[derive(Debug)]
pub(super) struct Siblings {
    folder: PathBuf,
    new: Vec<Unfinished>,
    /// Files that only the old main file refers to.
    old: Vec<(PathBuf, Option<Identity>)>,
    list: Option<SiblingList>,
    is_placed: bool,
}

impl Siblings {
    /// Removes the files that a killed write of the same path left. Call it before names are chosen.
    pub(super) fn recover(options: &WriteOptions, path: &Path) -> Result<()> {
        let external = options.storages.iter().map(|(_, storage)| storage).chain([&options.storage]);
        if !options.replace_siblings && !external.into_iter().any(|storage| *storage == Storage::External) {
            return Ok(());
        }
        sibling_list::recover(path, |listed| {
            let Some(kept) = old_tree(path).map(|tree| tree.map_or_else(BTreeSet::new, |tree| named(&tree)))
            else {
                return false;
            };
            let (folder, mut all) = (folder_of(path), true);
            for (name, identity) in listed {
                let file = folder.join(&name);
                if is_of(path, &name) && !kept.contains(&name) && is_listed(&file, identity) {
                    all &= disk::remove(&file).is_ok();
                }
            }
            all
        })
    }

    /// Writes the new files, and finds those that the main file at `path` will not need any more.
    pub(super) fn write(options: &WriteOptions, file: &File, plan: &Plan<'_>, path: &Path) -> Result<Self> {
        let folder = folder_of(path);
        let (new, list, is_placed) = (Vec::new(), None, false);
        let mut siblings = Self { folder, new, old: Vec::new(), list, is_placed };
        if let Some(sibling) = plan.siblings.iter().find(|sibling| sibling.path.symlink_metadata().is_ok()) {
            return Err(taken(&sibling.path));
        }
        if options.replace_siblings {
            siblings.find_old(path, &plan.tree);
        }
        if plan.siblings.is_empty() && siblings.old.is_empty() {
            return Ok(siblings);
        }
        siblings.list = SiblingList::create(path)?;
        siblings.list_all(plan)?;
        let like = std::fs::metadata(path).ok();
        for sibling in &plan.siblings {
            let plan = Plan::sibling(options, file, sibling.block.clone())?;
            siblings.add(&plan, &sibling.path, like.as_ref())?;
        }
        if let Some(list) = &siblings.list {
            list.sync()?;
        }
        // The names are on disk before a main file refers to them.
        disk::sync_folder(&siblings.folder)
            .map_err(|error| Error::io("syncing the folder", error).at_file(path))?;
        Ok(siblings)
    }

    /// Finds the files that the main file at `path` refers to and the new one does not.
    fn find_old(&mut self, path: &Path, new: &Tree) {
        let Some(Some(tree)) = old_tree(path) else { return };
        let kept = named(new);
        let nodes = tree.root().into_iter().flat_map(NodeRef::walk);
        let arrays = nodes.filter(|node| node.tag().is_some_and(NdArray::accepts_tag));
        let names: BTreeSet<String> = arrays.filter_map(file_of).collect();
        for name in names.into_iter().filter(|name| is_of(path, name) && !kept.contains(name)) {
            let file = self.folder.join(name);
            if let Some(found) = file.symlink_metadata().ok().filter(Metadata::is_file) {
                self.old.push((file, identity(&found)));
            }
        }
    }

    /// Lists all files that this write can leave if it is killed.
    fn list_all(&mut self, plan: &Plan<'_>) -> Result<()> {
        let Some(list) = &mut self.list else { return Ok(()) };
        let new = plan.siblings.iter().map(|sibling| (&sibling.path, None));
        for (path, identity) in new.chain(self.old.iter().map(|(path, identity)| (path, *identity))) {
            if let Some(name) = path.file_name().and_then(|name| name.to_str()) {
                list.add(name, identity)?;
            }
        }
        Ok(())
    }

    /// Writes a new file. It needs no temporary name, because no main file refers to it yet.
    fn add(&mut self, plan: &Plan<'_>, path: &Path, like: Option<&Metadata>) -> Result<()> {
        let io = |doing: &str, error: io::Error| Error::io(doing, error).at_file(path);
        let step = unfinished::step();
        let out = Out::create_new(path, like).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => taken(path),
            _ => io("creating it", error),
        })?;
        self.new.push(Unfinished::new(path.to_path_buf()));
        drop(step);
        if let (Some(list), Some(name)) = (&mut self.list, path.file_name().and_then(|name| name.to_str())) {
            let found = out.metadata().map_err(|error| io("reading its metadata", error))?;
            list.add(name, identity(&found))?;
        }
        if let Some(like) = like {
            out.become_like(like).map_err(|error| io("setting the permissions", error))?;
        }
        let out = buffered(out, path, |out| plan.write(out).map_err(|error| error.at_file(path)))?;
        out.sync().map_err(|error| io("syncing to disk", error))
    }

    /// Keeps the new files: the main file that refers to them is at its path.
    pub(super) fn placed(&mut self) {
        self.is_placed = true;
        self.new.clear();
        if let Some(list) = &mut self.list {
            // The old files are still to be removed.
            list.keep();
        }
    }

    /// Removes the old files, once the new main file is on disk.
    pub(super) fn finish(mut self) {
        let mut all = true;
        for (path, old) in self.old.drain(..) {
            if path.symlink_metadata().is_ok_and(|found| found.is_file() && identity(&found) == old) {
                all &= disk::remove(&path).is_ok();
            }
        }
        // With a file that could not be removed, the list stays for the next write.
        if let Some(list) = self.list.take().filter(|_| all) {
            list.remove();
        }
    }
}

impl Drop for Siblings {
    fn drop(&mut self) {
        if self.is_placed {
            return;
        }
        let mut all = true;
        for path in self.new.drain(..) {
            // An error is being returned already.
            all &= disk::remove(path.path()).is_ok();
        }
        if let Some(list) = self.list.take().filter(|_| all) {
            list.remove();
        }
    }
}

fn taken(path: &Path) -> Error {
    Error::usage("the file already exists, and the data of an array would be written to it")
        .at_file(path)
        .with_hint(Hint::ReplaceSiblings)
}

/// The tree of the file that is to be replaced, `Some(None)` without a file, and `None` if it cannot be read.
fn old_tree(path: &Path) -> Option<Option<Tree>> {
    if path.symlink_metadata().is_err_and(|error| error.kind() == io::ErrorKind::NotFound) {
        return Some(None);
    }
    OpenOptions::new().open(path).ok().map(|file| Some(file.tree().clone()))
}

/// The names of files in the same folder that any text of a tree could refer to.
fn named(tree: &Tree) -> BTreeSet<String> {
    let nodes = tree.root().into_iter().flat_map(NodeRef::walk);
    let texts = nodes.filter(|node| node.kind() == Kind::String).filter_map(NodeRef::text);
    let uris = texts.filter_map(|text| text.split('#').next());
    uris.filter_map(|uri| percent_decode(uri.strip_prefix("./").unwrap_or(uri))).collect()
}

/// Whether a name is one that the arrays of the file at `path` get: `NAME0000.asdf`.
fn is_of(path: &Path, name: &str) -> bool {
    let stem = path.file_stem().and_then(|stem| stem.to_str());
    let number = stem.and_then(|stem| name.strip_prefix(stem)?.strip_suffix(".asdf"));
    number.is_some_and(|number| {
        let is_number = number.bytes().all(|byte| byte.is_ascii_digit());
        is_number && (number.len() == 4 || (number.len() > 4 && !number.starts_with('0')))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Another program may have put its own file there in the meantime.
    #[test]
    fn only_the_old_files_themselves_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, name).unwrap();
            let found = identity(&path.symlink_metadata().unwrap());
            (path, found)
        };
        let (old, kept) = (file("old"), file("kept"));
        let other = (kept.0.clone(), old.1);
        let siblings = Siblings {
            folder: folder.path().to_owned(),
            new: Vec::new(),
            old: vec![old.clone(), other, (folder.path().to_owned(), None)],
            list: None,
            is_placed: true,
        };
        siblings.finish();
        assert_eq!((old.0.exists(), kept.0.exists()), (false, cfg!(unix)));
    }

    #[test]
    fn only_names_that_are_given_to_arrays_belong_to_a_file() {
        let path = Path::new("/data/m31.asdf");
        for name in ["m310000.asdf", "m319999.asdf", "m3110000.asdf"] {
            assert!(is_of(path, name), "{name}");
        }
        for name in [
            "m31.asdf",
            "m31000.asdf",
            "m3100000.asdf",
            "m310000.fits",
            "m31-0000.asdf",
            "m31+000.asdf",
            "m3x0000.asdf",
            "../m310000.asdf",
            "m310000.asdf/x",
            "m31٠٠٠٠.asdf",
        ] {
            assert!(!is_of(path, name), "{name}");
        }
    }

    /// Also if the other files of the old main file are to stay.
    #[test]
    fn files_of_a_killed_write_are_removed_by_the_next_one() {
        let folder = tempfile::tempdir().unwrap();
        let (path, left) = (folder.path().join("x.asdf"), folder.path().join("x0000.asdf"));
        std::fs::write(&left, "").unwrap();
        let mut list = SiblingList::create(&path).unwrap().unwrap();
        list.add("x0000.asdf", identity(&left.symlink_metadata().unwrap())).unwrap();
        list.keep();
        drop(list);
        Siblings::recover(&WriteOptions::new(), &path).unwrap();
        assert!(left.exists(), "only if the file gets other files");
        Siblings::recover(&WriteOptions::new().storage(Storage::External), &path).unwrap();
        assert!(!left.exists());
    }
}
