//! References inside a file and to other files.

use std::collections::HashMap;

use super::allowed_folders::Folders;
use super::place::Place;
use super::{File, OpenOptions};
use crate::array::NdArray;
use crate::error::{Error, Result};
use crate::tree::{Node, NodeId, NodeRef, References, Target, Trail, Tree, follow};
use crate::value::FromNode as _;

impl File {
    /// Returns an iterator over the references in the tree, `{$ref: URI}`: path, node and URI of each.
    #[doc(alias = "find_references")]
    #[must_use]
    pub fn references(&self) -> References<'_> {
        self.tree.references()
    }

    /// Returns a copy of the node that a reference leads to, in this file or another one.
    ///
    /// Chains of references are followed to their end. A node that is not a reference is copied. Neither file changes.
    ///
    /// A URI without a path leads into this file; the fragment is as for [`Tree::resolve`](crate::Tree::resolve). Another
    /// file has to be in the folder of the file that refers to it, in an [allowed](OpenOptions::allow_folder) folder, or
    /// below one of them. Symbolic links are followed before folders are compared.
    ///
    /// Each call opens the other file with the limits of this file. Its blocks stay readable through the node, and their
    /// decoded bytes count with those of this file. References below the node are not resolved; their URIs stay relative
    /// to the file that the node came from.
    ///
    /// # Errors
    /// See [`Tree::resolve`](crate::Tree::resolve) and [`File::open`]; errors name the file. Fails with
    /// [`Unsupported`](crate::error::Kind::Unsupported) if the URI leads outside the allowed folders or has a scheme other
    /// than `file:`, or if this file was not opened from a path.
    ///
    /// # Examples
    /// ```
    /// use asdf_core::{File, value::Reference};
    ///
    /// let mut file = File::new();
    /// file.set("/gain", &1.5)?;
    /// file.set("/detector_gain", &Reference::new("#/gain"))?;
    /// let node = file.resolve(file.at("/detector_gain")?)?;
    /// assert_eq!(node.view().as_f64(), Some(1.5));
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    pub fn resolve(&self, node: NodeRef<'_>) -> Result<Node> {
        let mut trail = Trail::default();
        match follow(node, Vec::new(), &mut trail).map_err(|error| self.named(error))? {
            Target::Here(node) => Node::from_ref(node).map_err(|error| self.named(error)),
            Target::There(uri, steps) => {
                let place = self.place_of_uri(uri)?;
                let mut files = Files::from_first(self);
                let (number, id) = files.enter(place, steps, &mut trail)?;
                let file = files.file(number);
                Node::from_ref(file.tree().node(id)).map_err(|error| file.named(error))
            }
        }
    }

    /// Replaces all references by their targets, and returns the number of references.
    ///
    /// References in nodes from other files are replaced too, so that none is left. A node of this file that several
    /// references lead to is not copied but shared, and written with an anchor. Each other file is opened once, as for
    /// [`resolve`](Self::resolve), and each of its nodes is copied once. Arrays keep their blocks, even if these are in
    /// further files.
    ///
    /// # Errors
    /// See [`resolve`](Self::resolve). After an error the tree is unchanged.
    pub fn resolve_references(&mut self) -> Result<usize> {
        let Some(root) = self.tree.root() else { return Ok(0) };
        let mut files = Files::from_first(self);
        let mut met: Vec<Vec<bool>> = Vec::new();
        let mut pending = vec![(0, root.id())];
        let mut leads: Vec<(Spot, Spot)> = Vec::new();
        while let Some((number, id)) = pending.pop() {
            let file = files.file(number);
            if met.len() <= number {
                met.resize(number + 1, Vec::new());
            }
            let Some(met) = met.get_mut(number) else { break };
            met.resize(file.tree().len(), false);
            if met.get_mut(id.number() as usize).is_none_or(|met| std::mem::replace(met, true)) {
                continue;
            }
            let node = file.tree().node(id);
            if node.reference().is_none() {
                pending.extend(node.values().into_iter().rev().map(|child| (number, child.id())));
                pending.extend(node.items().rev().map(|child| (number, child.id())));
                continue;
            }
            let target = files.target(number, id)?;
            leads.push(((number, id), target));
            pending.push(target);
        }
        let others = files.others;
        let mut tree = self.tree.clone();
        // The copies of the nodes of each other file.
        let mut made: Vec<HashMap<NodeId, NodeId>> = vec![HashMap::new()];
        for (number, (_, other)) in (1..).zip(&others) {
            let ids = leads.iter().filter(|(_, target)| target.0 == number).map(|(_, target)| target.1);
            made.push(bring(&mut tree, other, ids.collect()).map_err(|error| other.named(error))?);
        }
        let here = |(number, id): Spot| match number {
            0 => Some(id),
            number => made.get(number)?.get(&id).copied(),
        };
        let exchanged = leads.iter().filter_map(|&(from, to)| Some((here(from)?, here(to)?))).collect();
        tree.exchange(&exchanged);
        self.tree = tree;
        Ok(leads.len())
    }

    fn place_of_uri(&self, uri: &str) -> Result<Place> {
        self.place.locate(&self.folders(), uri, "the reference leads to")?.ok_or_else(|| {
            let uri = uri.escape_debug();
            Error::unsupported(format!(
                "the reference leads to '{uri}', but this file was not opened from a path"
            ))
            .with_hint("open the file from its path to follow references to other files")
        })
    }

    /// The folders besides its own to which the file can refer.
    pub(super) fn folders(&self) -> Folders {
        self.blocks.as_ref().map(|blocks| blocks.reading().folders.clone()).unwrap_or_default()
    }
}

/// A node of the file with this number.
type Spot = (usize, NodeId);

/// A file with the number 0, and the files that its references lead to, opened once each.
struct Files<'f> {
    first: &'f File,
    own: Option<Place>,
    options: OpenOptions,
    /// The other files by their real places.
    others: Vec<(Place, File)>,
}

impl<'f> Files<'f> {
    fn from_first(first: &'f File) -> Self {
        Self {
            first,
            own: first.place.real(),
            options: first
                .blocks
                .as_ref()
                .map_or_else(OpenOptions::new, |blocks| OpenOptions::reached_from(blocks.reading())),
            others: Vec::new(),
        }
    }

    fn file(&self, number: usize) -> &File {
        number.checked_sub(1).and_then(|index| self.others.get(index)).map_or(self.first, |(_, file)| file)
    }

    fn open(&mut self, place: Place) -> Result<usize> {
        if self.own.as_ref().is_some_and(|own| own.is(&place)) {
            return Ok(0);
        }
        if let Some(index) = self.others.iter().position(|(other, _)| other.is(&place)) {
            return Ok(index + 1);
        }
        let file = self.options.open_at(&place)?;
        self.others.push((place, file));
        Ok(self.others.len())
    }

    /// Where a reference ends.
    fn target(&mut self, number: usize, id: NodeId) -> Result<Spot> {
        let mut trail = Trail::from_document(number);
        let file = self.file(number);
        let followed = follow(file.tree().node(id), Vec::new(), &mut trail);
        match followed.map_err(|error| file.named(error))? {
            Target::Here(node) => Ok((number, node.id())),
            Target::There(uri, steps) => {
                let place = file.place_of_uri(uri)?;
                self.enter(place, steps, &mut trail)
            }
        }
    }

    /// Follows the steps from the root of another file.
    fn enter(&mut self, mut place: Place, mut steps: Vec<String>, trail: &mut Trail) -> Result<Spot> {
        loop {
            trail.document = self.open(place)?;
            let file = self.file(trail.document);
            match follow(file.at("")?, steps, trail).map_err(|error| file.named(error))? {
                Target::Here(node) => return Ok((trail.document, node.id())),
                Target::There(uri, rest) => {
                    steps = rest;
                    place = file.place_of_uri(uri)?;
                }
            }
        }
    }
}

/// Copies nodes of another file into a tree, with the blocks of arrays that are in further files.
fn bring(tree: &mut Tree, other: &File, ids: Vec<NodeId>) -> Result<HashMap<NodeId, NodeId>> {
    let made = tree.graft_all(other.tree(), ids)?;
    for (&old, &new) in &made {
        let node = other.tree().node(old);
        if !node.tag().is_some_and(NdArray::accepts_tag) {
            continue;
        }
        let uri = node.get("source").and_then(NodeRef::as_str);
        let Some((uri, blocks)) = uri.zip(other.tree().blocks().file()) else { continue };
        let number = tree.blocks_mut().attach(blocks.external(uri)?)?;
        let number = tree.add_int(number);
        tree.insert(new, "source", number);
    }
    Ok(made)
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use super::*;
    use crate::file::Storage;
    use crate::value::Reference;
    use crate::{WriteOptions, yaml};

    fn write(folder: &Path, name: &str, references: &[(&str, &str)]) -> PathBuf {
        let mut file = File::new();
        for (key, uri) in references {
            file.set(&format!("/{key}"), &Reference::new(*uri)).unwrap();
        }
        file.set("/value", name).unwrap();
        file.set("/data", &NdArray::new(&[2], &[1.5_f32, 2.5]).unwrap()).unwrap();
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        file.write(&path).unwrap();
        path
    }

    #[test]
    fn references_lead_to_files_in_the_folder_and_back() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let path = write(
            folder,
            "a.asdf",
            &[
                ("inner", "#/value"),
                ("other", "sub/b%20c.asdf#/value"),
                ("data", "sub/b%20c.asdf#data"),
                ("array", "sub/b%20c.asdf#data"),
                ("far", "sub/b%20c.asdf#/next"),
                ("back", "x.asdf#/back"),
                ("round", "x.asdf#/round"),
                ("up", "../secret.asdf"),
                ("web", "https://example.org/x.asdf#/a"),
                ("none", "none.asdf#/a"),
                ("dead", "x.asdf#/nothing"),
            ],
        );
        write(folder, "sub/b c.asdf", &[("next", "d.asdf#/value"), ("up", "../a.asdf#/value")]);
        write(folder, "sub/d.asdf", &[]);
        write(folder, "x.asdf", &[("back", "a.asdf#/inner"), ("round", "a.asdf#/round")]);
        let file = File::open(&path).unwrap();
        assert_eq!(file.references().count(), 10);
        let resolve = |key: &str| file.resolve(file.at(key).unwrap());
        let text = |key: &str| resolve(key).unwrap().view().as_str().unwrap().to_owned();
        assert_eq!(text("/inner"), "a.asdf");
        assert_eq!(text("/other"), "sub/b c.asdf");
        assert_eq!(text("/far"), "sub/d.asdf");
        assert_eq!(text("/back"), "a.asdf");
        let array = NdArray::from_node(resolve("/array").unwrap().view()).unwrap();
        assert_eq!(array.read::<f32>().unwrap(), [1.5, 2.5]);

        let message = |key: &str| resolve(key).unwrap_err().to_string();
        assert!(
            message("/round").contains(
                "the reference leads back to itself: x.asdf#/round -> a.asdf#/round -> x.asdf#/round"
            ),
            "{}",
            message("/round")
        );
        assert!(
            message("/up").contains("the reference leads to '../secret.asdf', which is outside the folder")
        );
        assert!(message("/web").contains("which is not the relative path of a file"));
        assert!(message("/none").contains("'none.asdf', which cannot be opened"));
        assert!(
            message("/dead").contains("x.asdf:")
                && message("/dead").contains("the key 'nothing' does not exist at the root")
        );
        let memory = File::from_bytes(std::fs::read(&path).unwrap()).unwrap();
        let error = memory.resolve(memory.at("/other").unwrap()).unwrap_err().to_string();
        assert!(error.contains("this file was not opened from a path"), "{error}");
    }

    #[test]
    fn all_references_are_replaced_by_their_targets() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let references = [
            ("inner", "#/data"),
            ("again", "#/inner"),
            ("deep", "sub/b.asdf#/next"),
            ("data2", "sub/b.asdf#/data"),
        ];
        let path = write(folder, "a.asdf", &references);
        write(folder, "sub/b.asdf", &[("next", "d.asdf#"), ("self", "#/value")]);
        write(folder, "sub/d.asdf", &[("first", "b.asdf#/value"), ("back", "b.asdf#/next")]);
        // One file in a folder below has its arrays in other files.
        let exploded = WriteOptions::new().storage(Storage::External);
        exploded.write(&File::open(folder.join("sub/d.asdf")).unwrap(), folder.join("sub/e.asdf")).unwrap();
        std::fs::rename(folder.join("sub/e.asdf"), folder.join("sub/d.asdf")).unwrap();

        let mut file = File::open(&path).unwrap();
        assert_eq!(file.resolve_references().unwrap(), 6);
        assert_eq!(file.references().count(), 0);
        assert_eq!(file.resolve_references().unwrap(), 0);
        let id = |path: &str| file.at(path).unwrap().id();
        assert_eq!((id("/inner"), id("/again")), (id("/data"), id("/data")), "they are one node");
        assert_eq!(file.at("/deep/first").unwrap().as_str(), Some("sub/b.asdf"));
        assert_eq!(id("/deep/back"), id("/deep"), "a circle of nodes");
        let out = folder.join("elsewhere.asdf");
        WriteOptions::new().storage(Storage::Internal).write(&file, &out).unwrap();
        let file = File::open(&out).unwrap();
        for array in ["/data", "/again", "/data2", "/deep/data"] {
            assert_eq!(file.array(array).unwrap().read::<f32>().unwrap(), [1.5, 2.5], "{array}");
            assert!(file.array(array).unwrap().source().is_some(), "{array}");
        }

        // A reference at the root, and circular references, which leave the tree unchanged.
        let mut file = File::new();
        *file.tree_mut() = yaml::parse("{$ref: '#/a', a: {b: 1, c: {$ref: '#/a/b'}}}\n").unwrap();
        assert_eq!(file.resolve_references().unwrap(), 2);
        assert_eq!(file.at("/c").unwrap().as_i64(), Some(1));
        *file.tree_mut() = yaml::parse("{a: {$ref: '#/b'}, b: {$ref: '#/a'}}\n").unwrap();
        assert!(file.resolve_references().unwrap_err().message().starts_with("the reference leads back"));
        assert_eq!(file.references().count(), 2);
    }
}
