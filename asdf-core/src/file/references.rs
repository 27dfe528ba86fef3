//! References inside a file and to other files.

use std::path::PathBuf;

use super::{File, OpenOptions, neighbour};
use crate::error::{Error, Result};
use crate::tree::{Node, NodeRef, References, Target, Trail, follow};

impl File {
    /// The references in the tree, `{$ref: URI}`, lazily: where each is, its node and its URI.
    #[must_use]
    pub fn references(&self) -> References<'_> {
        self.tree.references()
    }

    /// What a reference in this file leads to, in this file or another, through as many further
    /// references as it takes; a node that is no reference is copied as it is. Neither file changes.
    ///
    /// A URI without a path is of this file; the fragment is as for
    /// [`Tree::resolve`](crate::Tree::resolve). Another file has to be in the folder of the one that
    /// names it, or below, after symbolic links were followed. It is opened by position with this
    /// file's limits, once for each call, and its blocks stay readable through the node.
    /// References below the node are not resolved, and those to other files mean the folder of the
    /// file that the node came from.
    ///
    /// # Errors
    /// As [`Tree::resolve`](crate::Tree::resolve), each with the file that it is in;
    /// [`Unsupported`](crate::ErrorKind::Unsupported) when the URI leads outside the folder, has a
    /// scheme but `file:`, or this file was not opened by its path; and as [`File::open`].
    pub fn resolve(&self, node: NodeRef<'_>) -> Result<Node> {
        let options = self.blocks.as_ref().map_or_else(OpenOptions::new, |blocks| blocks.reading().options());
        let mut trail = Trail::default();
        let own = self.path.as_ref().and_then(|path| path.canonicalize().ok());
        // The other files, each by its real path; the trail counts this one as 0.
        let mut others: Vec<(PathBuf, File)> = Vec::new();
        let mut steps = Vec::new();
        let mut first = Some(node);
        loop {
            let other = trail.document.checked_sub(1).and_then(|index| others.get(index));
            let file = other.map_or(self, |(_, file)| file);
            let start = match first.take() {
                Some(node) => node,
                None => file.at("")?,
            };
            let path = match follow(start, steps, &mut trail).map_err(|error| file.named(error))? {
                Target::Here(node) => return Node::copy(node).map_err(|error| file.named(error)),
                Target::There(uri, rest) => {
                    steps = rest;
                    file.neighbour(uri)?
                }
            };
            let met = others.iter().position(|(other, _)| *other == path);
            trail.document = if own.as_ref() == Some(&path) {
                0
            } else if let Some(index) = met {
                index + 1
            } else {
                let file = options.open(&path)?;
                others.push((path, file));
                others.len()
            };
        }
    }

    fn neighbour(&self, uri: &str) -> Result<PathBuf> {
        let Some(path) = &self.path else {
            return Err(Error::unsupported(format!(
                "the reference leads to '{}', but this file has no folder",
                uri.escape_debug()
            ))
            .with_hint("open the file by its path to follow references to other files"));
        };
        neighbour::locate(path, uri, "the reference leads to")
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::array::NdArray;
    use crate::value::{FromNode, Reference};

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
            message("/dead").contains("x.asdf:") && message("/dead").contains("there is no 'nothing' here")
        );
        let memory = File::from_bytes(std::fs::read(&path).unwrap()).unwrap();
        let error = memory.resolve(memory.at("/other").unwrap()).unwrap_err().to_string();
        assert!(error.contains("this file has no folder"), "{error}");
    }
}
