//! The programs that wrote a file: `asdf_library` and `history`.

use std::borrow::Cow;

use super::extension::Extensions;
use super::software::{SOFTWARE, Software};
use super::survey::Survey;
use crate::error::{Error, Result};
use crate::tree::{ASDF_TAG, Kind, NodeId, NodeRef, Tree};
use crate::value::{Timestamp, ToNode, derived};

/// Writes `asdf_library` as the first key of the root, and lists the used extensions in `history`.
///
/// The list has the extension of the core types and all others that the tree needs, with their packages. The tree is
/// copied only if it has to change.
pub(super) fn sign(
    tree: &mut Cow<'_, Tree>,
    survey: &Survey,
    standard: super::Version,
    others: &Extensions,
) -> Result<()> {
    let Some(root) = tree.root().filter(|root| root.kind() == Kind::Mapping).map(|root| root.id()) else {
        return Ok(());
    };
    if !tree.node(root).get("asdf_library").is_some_and(is_this) {
        let tree = tree.to_mut();
        let library = Software::asdf_core().to_node(tree)?;
        put_first(tree, root, "asdf_library", library);
    }
    if standard < super::Version::new(1, 2, 0) {
        // Before 1.2.0 the history is a list of entries, without extensions.
        return Ok(());
    }
    let uri = format!("asdf://asdf-format.org/core/extensions/core-{standard}");
    let history = match tree.node(root).get("history") {
        None => {
            let tree = tree.to_mut();
            let history = tree.add_mapping([]);
            put_second(tree, root, "history", history);
            history
        }
        Some(history) if history.kind() == Kind::Mapping => history.id(),
        // A list of the old form stays unchanged.
        Some(_) => return Ok(()),
    };
    let extensions = match tree.node(history).get("extensions") {
        None => {
            let tree = tree.to_mut();
            let extensions = tree.add_sequence([]);
            tree.insert(history, "extensions", extensions);
            extensions
        }
        Some(extensions) if extensions.kind() == Kind::Sequence => extensions.id(),
        Some(_) => return Ok(()),
    };
    if known(tree, extensions, &uri).is_none() {
        add_extension(tree.to_mut(), extensions, "asdf_core::File", &uri, Some(&Software::asdf_core()))?;
    }
    for used in others.used(tree, survey) {
        match (known(tree, extensions, used.uri()), used.software()) {
            (None, software) => {
                let class = "asdf_core::file::Extension";
                add_extension(tree.to_mut(), extensions, class, used.uri(), software)?;
            }
            (Some(entry), Some(software)) if !says(tree, entry, software) => {
                let tree = tree.to_mut();
                let software = software.to_node(tree)?;
                tree.insert(entry, "software", software);
            }
            _ => {}
        }
    }
    Ok(())
}

/// Whether a node names this library and its version, and has no other keys.
fn is_this(node: NodeRef<'_>) -> bool {
    let this = Software::asdf_core();
    let is = |key: &str, text: &str| node.get(key).and_then(NodeRef::as_str) == Some(text);
    node.tag().and_then(|tag| tag.strip_prefix(ASDF_TAG)) == Some(SOFTWARE)
        && node.anchor().is_none()
        && node.len() == 2
        && is("name", &this.name)
        && is("version", &this.version)
}

/// The entry of an extension in the list.
fn known(tree: &Tree, extensions: NodeId, uri: &str) -> Option<NodeId> {
    let mut entries = tree.node(extensions).items();
    let entry = entries.find(|item| item.get("extension_uri").and_then(|u| u.as_str()) == Some(uri));
    entry.map(|entry| entry.id())
}

/// Whether an entry names a program and its version.
fn says(tree: &Tree, entry: NodeId, software: &Software) -> bool {
    let Some(there) = tree.node(entry).get("software") else { return false };
    let is = |key: &str, text: &str| there.get(key).and_then(|value| value.as_str()) == Some(text);
    is("name", &software.name) && is("version", &software.version)
}

fn add_extension(
    tree: &mut Tree,
    extensions: NodeId,
    class: &str,
    uri: &str,
    software: Option<&Software>,
) -> Result<()> {
    let mut writer = derived::MappingWriter::new(tree);
    writer.put("extension_class", class);
    writer.put("extension_uri", uri);
    if let Some(software) = software {
        writer.put("software", software);
    }
    let id = writer.finish()?;
    tree.set_tag(id, Some(&format!("{ASDF_TAG}core/extension_metadata-1.0.0")));
    tree.push(extensions, id);
    Ok(())
}

/// Adds an entry to the history of the root.
pub(super) fn add_entry(
    tree: &mut Tree,
    description: &str,
    time: Option<Timestamp>,
    software: Option<&Software>,
) -> Result<()> {
    let root = tree.root().filter(|root| root.kind() == Kind::Mapping).map(|root| root.id());
    let root = root
        .ok_or_else(|| Error::usage("cannot add a history entry: the root of the tree is not a mapping"))?;
    let entry = {
        let mut writer = derived::MappingWriter::new(tree);
        writer.put("description", description);
        writer.put("time", &time);
        writer.put("software", &software);
        writer.finish()?
    };
    tree.set_tag(entry, Some(&format!("{ASDF_TAG}core/history_entry-1.0.0")));
    let history = tree.node(root).get("history").map(|history| (history.id(), history.kind()));
    let entries = match history {
        Some((history, Kind::Sequence)) => history,
        Some((history, Kind::Mapping)) => match tree.node(history).get("entries") {
            Some(entries) if entries.kind() == Kind::Sequence => entries.id(),
            Some(entries) => return Err(entries.expected("a sequence").at_path("/history/entries")),
            None => {
                let entries = tree.add_sequence([]);
                tree.insert(history, "entries", entries);
                entries
            }
        },
        Some(_) => return Err(tree.at("/history")?.expected("a mapping or a sequence").at_path("/history")),
        None => {
            let entries = tree.add_sequence([]);
            let history = if tree.standard() < (1, 2, 0) {
                entries
            } else {
                let key = tree.add_str("entries");
                tree.add_mapping([(key, entries)])
            };
            tree.insert(root, "history", history);
            entries
        }
    };
    tree.push(entries, entry);
    Ok(())
}

/// Sets an existing key in place, or adds it as the first of a mapping.
fn put_first(tree: &mut Tree, mapping: NodeId, key: &str, value: NodeId) {
    put_at(tree, mapping, 0, key, value);
}

/// Sets an existing key in place, or adds it as the second of a mapping.
fn put_second(tree: &mut Tree, mapping: NodeId, key: &str, value: NodeId) {
    put_at(tree, mapping, 1, key, value);
}

fn put_at(tree: &mut Tree, mapping: NodeId, place: usize, key: &str, value: NodeId) {
    let node = tree.node(mapping);
    if node.get(key).is_some() {
        tree.insert(mapping, key, value);
        return;
    }
    let mut children = node.child_ids().to_vec();
    let end = tree.node(mapping).span().end;
    let key = tree.add_str(key);
    let at = (place * 2).min(children.len());
    children.splice(at..at, [key, value]);
    tree.fill(mapping, &children, end);
}

#[cfg(test)]
mod tests {
    use crate::File;
    use crate::file::{Extension, Software, Version};
    use crate::tree::{Kind, NodeRef};

    /// Writes a file with a tree, and opens it.
    fn written(standard: Version, tree: &str) -> File {
        let text = format!(
            "#ASDF 1.0.0\n#ASDF_STANDARD {standard}\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n{tree}...\n"
        );
        File::from_bytes(File::from_bytes(text).unwrap().to_bytes().unwrap()).unwrap()
    }

    fn text(file: &File) -> String {
        String::from_utf8(file.to_bytes().unwrap()).unwrap()
    }

    #[test]
    fn a_file_names_the_library_that_wrote_it() {
        let Software { name, version } = Software::asdf_core();
        for other in [
            format!("!core/software-1.0.0 {{name: other, version: {version}}}"),
            format!("!core/software-1.0.0 {{name: {name}, version: 0.0.1}}"),
            format!("!core/software-1.0.0 {{name: {name}, version: {version}, homepage: there}}"),
            format!("!core/software-0.9.0 {{name: {name}, version: {version}}}"),
            format!("{{name: {name}, version: {version}}}"),
            name.clone(),
        ] {
            let file = written(Version::new(1, 6, 0), &format!("a: 1\nasdf_library: {other}\n"));
            let library = file.at("/asdf_library").unwrap();
            assert_eq!(library.tag(), Some("tag:stsci.edu:asdf/core/software-1.0.0"), "{other}");
            assert_eq!(library.len(), 2, "{other}");
            assert_eq!(file.get::<String>("/asdf_library/name").unwrap(), name, "{other}");
            assert_eq!(file.get::<String>("/asdf_library/version").unwrap(), version, "{other}");
        }
        // What is right already stays as it is written.
        let same =
            format!("asdf_library: !core/software-1.0.0 {{version: {version}, name: {name}}} # same\n");
        assert!(text(&written(Version::new(1, 6, 0), &format!("a: 1\n{same}"))).contains(&same));
    }

    #[test]
    fn the_history_lists_the_extension_of_the_standard_once() {
        let uris = |file: &File| -> Vec<String> {
            let entries = file.at("/history/extensions").map(NodeRef::items).into_iter().flatten();
            entries.map(|entry| entry.get("extension_uri").unwrap().as_str().unwrap().to_owned()).collect()
        };
        for minor in [0, 1] {
            let file = written(Version::new(1, minor, 0), "a: 1\n");
            assert!(file.at("/history").is_err());
        }
        for minor in [2, 6] {
            let uri = format!("asdf://asdf-format.org/core/extensions/core-1.{minor}.0");
            for history in ["", "history: {}\n", "history: {entries: []}\n", "history: {extensions: []}\n"] {
                let file = written(Version::new(1, minor, 0), &format!("a: 1\n{history}"));
                assert_eq!(uris(&file), [uri.as_str()], "{history}");
                let again = File::from_bytes(file.to_bytes().unwrap()).unwrap();
                assert_eq!((uris(&again), text(&again)), (vec![uri.clone()], text(&file)));
            }
        }
        // Forms that are not a list of extensions stay.
        for (history, path, kind) in [
            ("[]", "/history", Kind::Sequence),
            ("{extensions: {}}", "/history/extensions", Kind::Mapping),
            ("{extensions: none}", "/history/extensions", Kind::String),
        ] {
            let file = written(Version::new(1, 6, 0), &format!("a: 1\nhistory: {history}\n"));
            let found = file.at(path).unwrap();
            assert_eq!(found.kind(), kind, "{history}");
            assert!(kind == Kind::String || found.is_empty(), "{history}");
        }
    }

    #[test]
    fn entries_are_added_to_the_history_that_is_there() {
        for (history, expected) in [
            ("", Ok(["/history/entries/0", "/history/entries/1"])),
            ("history: {entries: []}\n", Ok(["/history/entries/0", "/history/entries/1"])),
            ("history: {entries: [{description: old}]}\n", Ok(["/history/entries/1", "/history/entries/2"])),
            ("history: [{description: old}]\n", Ok(["/history/1", "/history/2"])),
            ("history: {entries: {}}\n", Err("/history/entries")),
            ("history: {entries: old}\n", Err("/history/entries")),
            ("history: old\n", Err("/history")),
        ] {
            let mut file = File::new();
            *file.tree_mut() = crate::yaml::parse(&format!("a: 1\n{history}")).unwrap();
            let added = ["first", "second"].map(|text| file.add_history(text, None, None));
            match (added, expected) {
                ([Ok(()), Ok(())], Ok(paths)) => {
                    let found = paths.map(|path| file.get::<String>(&format!("{path}/description")).unwrap());
                    assert_eq!(found, ["first", "second"], "{history}");
                }
                ([Err(error), Err(_)], Err(path)) => assert_eq!(error.path(), Some(path), "{history}"),
                (added, _) => panic!("{history}: {added:?}"),
            }
        }
    }

    /// An entry that another program wrote for this extension keeps its other keys.
    #[test]
    fn the_entry_of_a_used_extension_names_its_present_software() {
        let written = |software: &str| {
            let extension = Extension::new("asdf://x/e-1").unwrap().tag("asdf://x/t-1").package("cam", "2.0");
            let text = format!(
                "a: !<asdf://x/t-1> {{}}\nhistory:\n  extensions:\n  - extension_uri: asdf://x/e-1\n    \
                 software: {software}\n    other: kept\n"
            );
            let mut file = File::new();
            *file.tree_mut() = crate::yaml::parse(&text).unwrap();
            file.add_extension(extension);
            File::from_bytes(file.to_bytes().unwrap()).unwrap()
        };
        for (software, is_new) in [
            ("{name: cam, version: '2.0', homepage: there}", false),
            ("{name: cam, version: '1.0', homepage: there}", true),
            ("{name: lens, version: '2.0', homepage: there}", true),
            ("cam", true),
        ] {
            let file = written(software);
            let entry = file.at("/history/extensions/0").unwrap();
            assert_eq!(entry.get("other").unwrap().as_str(), Some("kept"), "{software}");
            let found = entry.get("software").unwrap();
            assert_eq!(found.get("name").unwrap().as_str(), Some("cam"), "{software}");
            assert_eq!(found.get("version").unwrap().as_str(), Some("2.0"), "{software}");
            assert_eq!(found.get("homepage").is_none(), is_new, "{software}");
        }
    }
}
