//! Converts files to another version of the ASDF Standard.

use std::collections::{BTreeMap, BTreeSet};

use asdf_core::array::Mask;
use asdf_core::file::Version;
use asdf_core::tree::{Kind, NodeId, NodeRef, Path, tag_matches};
use asdf_core::value::{FromNode as _, ToNode as _};
use asdf_core::{Error, File, NdArray, Result, Tree};
use asdf_schema_model::uri;

use crate::defaults::FIRST_WITHOUT_DEFAULTS;
use crate::{Registry, Validator};

/// The prefix of the URIs of core extensions. Their version is that of the standard.
const CORE: &str = "asdf://asdf-format.org/core/extensions/core-";

/// The root of a file. Its keys belong to the author, although the schema of 1.0.0 names some.
const ROOT: &str = "tag:stsci.edu:asdf/core/asdf-*";

/// The first version whose history names extensions.
const EXTENSIONS: Version = Version::new(1, 2, 0);

/// Converts a file to another version of the ASDF Standard, and returns warnings.
///
/// The file on disk changes when it is written.
///
/// - Each tag gets the version that the manifests of the registry list for the new version of the standard
///   ([`Registry::edition`]). The value must stay the same: it is valid under the new schema, and has no property that only
///   the old schema has. Otherwise the tag is kept, with a warning.
/// - A tag that is part of the new version of the standard is kept, unless its schema forbids its new content. Tags that no
///   manifest lists are kept.
/// - `history` gets the form of the new version. Versions before 1.2.0 have no list of extensions, so it is dropped, with a
///   warning.
/// - If the file is older than 1.6.0 and the new version is not, the missing [`Defaults`](crate::Defaults) are written.
/// - Versions before 1.6.0 have no float16. Such arrays become arrays of float32, with a warning.
///
/// Each warning has the path and the position in the text.
///
/// # Examples
///
/// ```
/// use asdf_core::File;
/// use asdf_core::file::Version;
/// use asdf_schemas::{Validator, convert};
///
/// let mut file = File::new();
/// file.set_standard(Version::new(1, 5, 0));
/// file.set("/target", "M31")?;
/// for warning in convert(&mut file, Version::new(1, 6, 0), &Validator::standard())? {
///     println!("{warning}");
/// }
/// assert_eq!(file.standard(), Version::new(1, 6, 0));
/// # Ok::<(), asdf_core::Error>(())
/// ```
///
/// # Errors
/// [`Usage`](asdf_core::error::Kind::Usage) if the registry does not have this version. Also fails if an array of float16
/// cannot be read.
#[doc(alias = "version")]
#[doc(alias = "asdf_standard")]
pub fn convert(file: &mut File, version: Version, validator: &Validator) -> Result<Vec<Error>> {
    let edition = validator.registry().edition(version)?;
    let before = file.standard();
    let mut unknown: BTreeMap<String, (NodeId, Path)> = BTreeMap::new();
    let mut warnings = Vec::new();
    let mut filled = None;
    if (version.major, version.minor, version.patch) >= FIRST_WITHOUT_DEFAULTS {
        validator.defaults().fill(file.tree_mut())?;
    } else {
        // Values are validated with their defaults, but the defaults are not written.
        filled = validator.defaults().filled(file.tree())?;
    }
    history(file, version, &mut warnings);
    let mut nodes: Vec<(NodeId, Path)> = Vec::new();
    let root = file.tree().root();
    if let Some(mut walk) = root.map(NodeRef::walk) {
        while let Some(node) = walk.next() {
            let Some(tag) = node.own_tag() else { continue };
            if edition.newest(tag) != Some(tag) {
                nodes.push((node.id(), walk.path()));
            }
            if version < before && validator.registry().schemas_of(tag).is_empty() && !edition.lacks(tag) {
                unknown.entry(tag.to_owned()).or_insert((node.id(), walk.path()));
            }
        }
    }
    let mut changed = false;
    let mut kept: BTreeMap<String, (NodeId, usize)> = BTreeMap::new();
    let mut places: BTreeMap<NodeId, Path> = BTreeMap::new();
    // Nested nodes come first, because schemas name the versions of their content.
    for (id, path) in nodes.into_iter().rev() {
        let node = filled.as_ref().unwrap_or(file.tree()).node(id);
        let Some(tag) = node.own_tag() else { continue };
        if !edition.lacks(tag) {
            // The tag can stay, unless its schema requires other versions of its content.
            if let Some(new) = edition.newest(tag).filter(|_| changed && edition.contains(tag)) {
                let broken = misfit(node, tag, tag, validator).is_some();
                if broken && misfit(node, tag, new, validator).is_none() {
                    retag(file, &mut filled, id, new);
                }
            }
            continue;
        }
        match edition.newest(tag) {
            // Later nodes come first: the last one here is the first in the text.
            None => {
                let (first, count) = kept.entry(tag.to_owned()).or_insert_with(|| (id, 0));
                (*first, *count) = (id, *count + 1);
                places.insert(id, path);
            }
            Some(new) => match misfit(node, tag, new, validator) {
                None => {
                    retag(file, &mut filled, id, new);
                    changed = true;
                }
                Some(_) if is_half(node) => {
                    let message =
                        format!("standard {version} has no float16: the array is written as float32");
                    warnings.push(warning(node, &path, message));
                    for tree in std::iter::once(file.tree_mut()).chain(&mut filled) {
                        widen(tree, id, version).map_err(|error| error.at_path(path.as_str()))?;
                        tree.set_tag(id, Some(new));
                    }
                    changed = true;
                }
                Some(why) => {
                    warnings.push(warning(
                        node,
                        &path,
                        format!(
                            "{tag} is not in standard {version}, and {new} does not fit the value: {why}; the tag is kept"
                        ),
                    ));
                }
            },
        }
    }
    for (tag, (id, count)) in kept {
        let times = if count == 1 { String::new() } else { format!(" ({count} nodes)") };
        let message = format!("{tag} is not in standard {version}: the tag is kept{times}");
        let path = places.remove(&id).unwrap_or_default();
        warnings.push(warning(file.tree().node(id), &path, message));
    }
    if let Some((tag, (id, path))) = unknown.first_key_value() {
        let others = match unknown.len() - 1 {
            0 => String::new(),
            1 => ", or for 1 other tag".to_owned(),
            others => format!(", or for {others} other tags"),
        };
        let message = format!("no manifest for the tag {tag}{others}: it may require standard {before}");
        let package = warning(file.tree().node(*id), path, message);
        warnings
            .push(package.with_hint("check that readers accept these tags in a file of an older standard"));
    }
    let tag = root_tag(file.tree());
    file.set_standard(version);
    if let Some((root, tag)) = file.tree().root().map(|root| root.id()).zip(tag) {
        file.tree_mut().set_tag(root, Some(&tag));
    }
    warnings.sort_by_key(|warning| (warning.line(), warning.column()));
    Ok(warnings)
}

/// Sets the tag of a node, also in the copy of the tree with the defaults.
fn retag(file: &mut File, filled: &mut Option<Tree>, id: NodeId, tag: &str) {
    for tree in std::iter::once(file.tree_mut()).chain(filled) {
        tree.set_tag(id, Some(tag));
    }
}

/// Whether a node is an array of float16, which the standard has since 1.6.0.
fn is_half(node: NodeRef<'_>) -> bool {
    node.own_tag().is_some_and(NdArray::accepts_tag)
        && node.get("datatype").and_then(NodeRef::as_str) == Some("float16")
}

/// Converts an array of float16 to float32.
fn widen(tree: &mut Tree, id: NodeId, version: Version) -> Result<()> {
    let old = NdArray::from_node(tree.node(id))?;
    let mut new = NdArray::new(old.shape(), &old.read::<f32>()?)?.with_byteorder(old.byteorder())?;
    let nulls = || -> Result<Option<Mask>> {
        let Some(missing) = old.missing()? else { return Ok(None) };
        Ok(Some(Mask::Array(Box::new(NdArray::new(old.shape(), &missing)?.inlined()?))))
    };
    if let Some(mask) = old.mask().cloned().map_or_else(nulls, |mask| Ok(Some(mask)))? {
        new = new.with_mask(mask)?;
    }
    if old.is_inline() {
        new = new.inlined()?;
    }
    // The tags of new nodes depend on the version.
    let before = tree.standard();
    tree.set_standard((version.major, version.minor, version.patch));
    let made = new.to_node(tree);
    tree.set_standard(before);
    let made = made?;
    let entries: Vec<(String, NodeId)> = tree
        .node(made)
        .entries()
        .filter_map(|(key, value)| Some((key.as_str()?.to_owned(), value.id())))
        .collect();
    for key in ["source", "data", "byteorder", "offset", "strides"] {
        tree.remove(id, key);
    }
    for (key, value) in entries {
        tree.insert(id, &key, value);
    }
    Ok(())
}

fn root_tag(tree: &Tree) -> Option<String> {
    tree.root().and_then(NodeRef::tag).map(str::to_owned)
}

fn warning(node: NodeRef<'_>, path: &Path, message: String) -> Error {
    let warning = Error::unsupported(message).at_path(path.as_str());
    match node.position() {
        Some((line, column)) => warning.at_position(line, column),
        None => warning,
    }
}

/// Returns the reason why a node does not fit another version of its tag.
fn misfit(node: NodeRef<'_>, old: &str, new: &str, validator: &Validator) -> Option<String> {
    let registry = validator.registry();
    for schema in registry.schemas_of(new) {
        let report = match validator.validate_node(node, schema) {
            Ok(report) => report,
            Err(error) => return Some(error.message().to_owned()),
        };
        if let Some(violation) = report.violations().first() {
            return Some(match violation.path().as_str() {
                "" => violation.message().to_owned(),
                path => format!("{path}: {}", violation.message()),
            });
        }
    }
    if tag_matches(ROOT, old) {
        return None;
    }
    let (before, after) = (properties(registry, old), properties(registry, new));
    node.entries()
        .filter_map(|(key, _)| key.as_str())
        .find(|key| before.contains(*key) && !after.contains(*key))
        .map(|key| format!("it has no property '{}'", key.escape_debug()))
}

/// Returns the names of all properties in the schemas of a tag, and in the schemas that they refer to.
fn properties(registry: &Registry, tag: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut pending: Vec<String> = registry.schemas_of(tag).into_iter().map(str::to_owned).collect();
    let mut met: BTreeSet<String> = pending.iter().cloned().collect();
    while let Some(id) = pending.pop() {
        let Ok(schema) = registry.schema(&id) else { continue };
        for node in schema.root().into_iter().flat_map(NodeRef::walk) {
            let keys = node.get("properties").into_iter().flat_map(NodeRef::entries);
            names.extend(keys.filter_map(|(key, _)| key.as_str()).map(str::to_owned));
            let reference = node.get("$ref").and_then(NodeRef::as_str);
            if let Some(reference) = reference {
                let (id, _) = uri::resolve(&id, reference);
                if met.insert(id.clone()) {
                    pending.push(id);
                }
            }
        }
    }
    names
}

/// Brings `history` into the form of a version. The entry of the core extension is removed, because writing adds a new one.
fn history(file: &mut File, version: Version, warnings: &mut Vec<Error>) {
    let Some(history) = file.tree().find("/history").filter(|history| history.kind() == Kind::Mapping) else {
        return;
    };
    let id = history.id();
    let extensions = history.get("extensions").filter(|list| list.kind() == Kind::Sequence);
    let of_core = |item: NodeRef<'_>| {
        let uri = item.get("extension_uri").and_then(NodeRef::as_str);
        uri.and_then(|uri| uri.strip_prefix(CORE)).is_some_and(|own| Version::parse(own) != Some(version))
    };
    let stale = extensions.map(|list| {
        let places = list.items().enumerate().filter(|(_, item)| of_core(*item)).map(|(index, _)| index);
        (list.id(), list.len(), places.collect::<Vec<_>>())
    });
    if version < EXTENSIONS {
        if stale.as_ref().is_some_and(|(_, all, stale)| all > &stale.len()) {
            let message = format!("standard {version} has no list of extensions: the list is dropped");
            let mut path = Path::root();
            path.push("history");
            warnings.push(warning(history, &path, message));
        }
        let entries = history.get("entries").map(|entries| entries.id());
        let tree = file.tree_mut();
        let entries = entries.unwrap_or_else(|| tree.add_sequence([]));
        if let Some(root) = tree.root().map(|root| root.id()) {
            tree.insert(root, "history", entries);
        }
        return;
    }
    let Some((list, _, stale)) = stale.filter(|(_, _, stale)| !stale.is_empty()) else { return };
    let tree = file.tree_mut();
    for index in stale.into_iter().rev() {
        tree.remove_item(list, index);
    }
    if tree.node(list).is_empty() {
        tree.remove(id, "extensions");
    }
}
