//! Adapts the URIs of other files if a file is written to another folder.

use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

use super::File;
use super::allowed_folders::Folders;
use super::disk::folder_of;
use crate::error::{Error, Result};
use crate::tree::{NodeId, NodeRef, REF, Tree, percent_decode, percent_encode};

/// The move of a file from one folder to another.
pub(super) struct Move {
    /// The file that is read.
    from: PathBuf,
    /// The real path of the new folder.
    to: PathBuf,
    /// The steps from the new folder to the old one, percent-encoded; `None` if they cannot be a URI.
    steps: Option<Vec<String>>,
    /// The folders to whose files every file can refer.
    allowed: Folders,
}

/// How a URI changes.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// It leads to the same file from everywhere, or to the file itself.
    Kept,
    /// It becomes this URI of a file in the new folder, below it, or in an allowed folder.
    Inside(String),
    /// The file is outside of the new folder. It becomes this URI, unless it is absolute.
    Outside(Option<String>),
}

impl Move {
    /// Compares the old and the new folder. `None` if they are the same, or unknown.
    pub(super) fn between(from: &File, to: Option<&Path>) -> Option<Self> {
        let (file, to, allowed) = (from.path()?, to?, from.folders());
        let real = |path: &Path| folder_of(path).canonicalize();
        // A missing folder is an error of the code that needs it.
        let (from, to) = (real(file).ok()?, real(to).ok()?);
        if from == to {
            return None;
        }
        let steps = steps(&from, &to);
        Some(Self { from: file.to_path_buf(), to, steps, allowed })
    }

    /// A move between folders that cannot refer to each other by a URI.
    #[cfg(test)]
    pub(super) fn without_uris(from: &str, to: &str) -> Self {
        Self { from: from.into(), to: to.into(), steps: None, allowed: Folders::default() }
    }

    /// Adapts the URI of a file. Its fragment does not change.
    ///
    /// # Errors
    /// Fails if the way from the new folder to the file cannot be a URI.
    pub(super) fn fate(&self, uri: &str) -> Result<Fate> {
        let (file, fragment) = uri.find('#').map_or((uri, ""), |at| uri.split_at(at));
        if !is_relative(file) {
            let real = self.real(file);
            let outside = real.is_some_and(|real| !real.starts_with(&self.to) && !self.allowed.hold(&real));
            return Ok(if outside { Fate::Outside(None) } else { Fate::Kept });
        }
        let Some(steps) = &self.steps else {
            return Err(Error::usage(format!(
                "cannot refer to '{}' from the target folder, whose path cannot be written as a URI",
                uri.escape_debug()
            ))
            .with_hint("write into the same folder, or into one whose path is Unicode"));
        };
        let new = joined(steps, file, &self.to) + fragment;
        let stays = || self.real(file).is_some_and(|real| self.allowed.hold(&real));
        Ok(if new.starts_with("../") && !stays() { Fate::Outside(Some(new)) } else { Fate::Inside(new) })
    }

    /// The real path of a file to which a file in the old folder can refer.
    fn real(&self, uri: &str) -> Option<PathBuf> {
        self.allowed.locate(&self.from, uri, "the URI leads to").ok()
    }

    /// Adapts the URIs of references and of arrays in files of other formats to the new folder.
    pub(super) fn rename(&self, tree: &mut Tree, nodes: &[NodeId]) -> Result<()> {
        let mut renamed = Vec::new();
        for node in nodes.iter().map(|&id| tree.node(id)) {
            let (key, uri) = match (node.reference(), node.get("fileuri").and_then(NodeRef::as_str)) {
                (Some(uri), _) => (REF, uri),
                (None, Some(uri)) => ("fileuri", uri),
                (None, None) => continue,
            };
            match self.fate(uri).map_err(|error| node.place(error))? {
                Fate::Inside(new) | Fate::Outside(Some(new)) => renamed.push((node.id(), key, new)),
                Fate::Kept | Fate::Outside(None) => {}
            }
        }
        for (id, key, uri) in renamed {
            let uri = tree.add_str(&uri);
            tree.insert(id, key, uri);
        }
        Ok(())
    }
}

/// Whether a URI without a fragment is a relative path to another file.
fn is_relative(uri: &str) -> bool {
    let path = uri.split('?').next().unwrap_or_default();
    let scheme = path.split('/').next().is_some_and(|first| first.contains(':'));
    !path.is_empty() && !path.starts_with('/') && !scheme
}

/// The steps from one real folder to another.
fn steps(from: &Path, to: &Path) -> Option<Vec<String>> {
    let common = from.components().zip(to.components()).take_while(|(a, b)| a == b).count();
    if common == 0 {
        return None;
    }
    let up = to.components().skip(common).map(|_| "..".to_owned());
    let down = steps_below(from.components().skip(common).collect::<PathBuf>().as_path())?;
    Some(up.chain(down).collect())
}

/// The names in a relative path, percent-encoded.
fn steps_below(path: &Path) -> Option<Vec<String>> {
    let step = |part: Component<'_>| match part {
        Component::Normal(name) => name.to_str().map(percent_encode),
        _ => None,
    };
    path.components().map(step).collect()
}

/// Joins the steps from a folder with a relative URI, without going up and down again.
fn joined(steps: &[String], uri: &str, to: &Path) -> String {
    let mut steps: Vec<&str> = steps.iter().map(String::as_str).collect();
    let mut rest = uri;
    loop {
        if let Some(after) = rest.strip_prefix("./") {
            rest = after;
        } else if let Some(after) = rest.strip_prefix("../") {
            rest = after;
            match steps.last() {
                None | Some(&"..") => steps.push(".."),
                Some(_) => drop(steps.pop()),
            }
        } else {
            break;
        }
    }
    // A path that goes up and down into the same folder does not leave it.
    let mut above = steps.iter().filter(|step| **step == "..").count();
    while above > 0 && steps.len() == above {
        let name = to.components().rev().nth(above - 1).map(Component::as_os_str);
        let Some((first, after)) = rest.split_once('/') else { break };
        if name.is_none() || percent_decode(first).as_deref().map(OsStr::new) != name {
            break;
        }
        (rest, above) = (after, above - 1);
        steps.pop();
    }
    let scheme = rest.split('/').next().is_some_and(|first| first.contains(':'));
    if steps.is_empty() && scheme {
        // Otherwise the text before the colon would be a scheme.
        steps.push(".");
    }
    steps.push(rest);
    steps.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uris_lead_to_the_same_place() {
        for (from, to, uri, expected) in [
            ("/a/b c", "/a", "x.asdf", "b%20c/x.asdf"),
            ("/a", "/a/b", "x.asdf", "../x.asdf"),
            ("/a/b", "/a/c/d", "./x.asdf", "../../b/x.asdf"),
            ("/a/b", "/a", "../x.asdf", "x.asdf"),
            ("/a/b", "/a/c", "../../x.asdf", "../../x.asdf"),
            ("/a/b", "/a", "c/../x.asdf", "b/c/../x.asdf"),
            ("/a/b", "/a", "../n:1.asdf", "./n:1.asdf"),
            ("/", "/a", "x.asdf", "../x.asdf"),
            ("/a/b", "/a/b/c d", "c%20d/x.asdf", "x.asdf"),
            ("/a/b", "/a/c/d", "../c/d/x.asdf", "x.asdf"),
            ("/a/b", "/a/c/d", "../c/e/x.asdf", "../e/x.asdf"),
            ("/a/b", "/a/c/d", "../d/x.asdf", "../../d/x.asdf"),
            ("/a/b", "/a/c", "../c", "../c"),
        ] {
            let steps = steps(Path::new(from), Path::new(to)).unwrap();
            assert_eq!(joined(&steps, uri, Path::new(to)), expected, "{from} {to} {uri}");
        }
    }

    #[test]
    fn a_uri_that_cannot_be_renamed_is_refused_with_its_place_and_a_hint() {
        let mut tree = crate::yaml::parse("a: 1\nb: {$ref: x.asdf}\n").unwrap();
        let node = tree.at("/b").unwrap().id();
        let error = Move::without_uris("/a/x.asdf", "/b").rename(&mut tree, &[node]).unwrap_err();
        assert_eq!(error.kind(), crate::error::Kind::Usage);
        assert_eq!((error.line(), error.column()), (Some(2), Some(4)));
        assert!(error.hint().is_some());
    }

    #[test]
    fn relative_uris_of_other_files_are_recognized() {
        for (uri, relative) in [
            ("x.asdf", true),
            ("./n:1.asdf", true),
            ("x/y:z", true),
            ("", false),
            ("?x", false),
            ("/x.asdf", false),
            ("//host/x.asdf", false),
            ("file:///x.asdf", false),
            ("https://example.org/x.asdf", false),
        ] {
            assert_eq!(is_relative(uri), relative, "{uri}");
        }
    }

    #[test]
    fn an_absolute_uri_stays_unless_its_file_is_outside() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().canonicalize().unwrap();
        let to = folder.join("to");
        std::fs::create_dir(&to).unwrap();
        for name in ["x.asdf", "y.asdf", "to/z.asdf"] {
            std::fs::write(folder.join(name), "").unwrap();
        }
        let uri = |name: &str| format!("file://{}/{name}", folder.display());
        let moved = Move {
            from: folder.join("x.asdf"),
            to,
            steps: Some(vec!["..".into()]),
            allowed: Folders::default(),
        };
        assert_eq!(moved.fate(&uri("to/z.asdf")).unwrap(), Fate::Kept);
        assert_eq!(moved.fate(&uri("y.asdf")).unwrap(), Fate::Outside(None));
        assert_eq!(moved.fate("https://example.org/y.asdf").unwrap(), Fate::Kept);
        let mut allowed = Folders::default();
        allowed.add(&folder);
        assert_eq!(Move { allowed, ..moved }.fate(&uri("y.asdf")).unwrap(), Fate::Kept);
    }
}
