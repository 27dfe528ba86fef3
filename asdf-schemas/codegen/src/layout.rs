//! Assigns modules, distinct names and tags to types.

use std::collections::{BTreeMap, BTreeSet};

use crate::library::Library;
use crate::model::ItemId;
use crate::names::{self, Distinct};
use crate::settings::Settings;
use crate::shape::{Shared, SharedType};
use crate::uri::split_version;
use crate::{Error, Result};

/// The module of tag patterns.
pub(crate) const TAG_PATTERNS: &str = "tag_patterns";

/// A path of modules, from the top.
pub(crate) type ModulePath = Vec<String>;

/// The modules and tags of all types. Each list has one entry per type.
#[derive(Debug)]
pub(crate) struct Layout {
    /// The module of each type.
    pub(crate) modules: Vec<ModulePath>,
    /// The tags that each type reads, its own first.
    pub(crate) tags: Vec<Vec<String>>,
    /// The types of other versions of its tags, newest first. Only the foremost version has any.
    pub(crate) versions: Vec<Vec<ItemId>>,
    /// The function that is called before a value of the type is written.
    pub(crate) write_checks: Vec<Option<String>>,
    /// The paths of types that are converted to the type.
    pub(crate) upgrades: Vec<Option<Vec<String>>>,
    /// The docs of modules.
    pub(crate) docs: BTreeMap<ModulePath, String>,
}

/// Assigns a module to every type, and renames types whose names are taken in the module.
pub(crate) fn lay_out(library: &Library, settings: &Settings, shared: &mut Shared) -> Result<Layout> {
    let foremost = foremost(library, &shared.types);
    let about = "Tag patterns of schemas: the tags that a `Tagged` accepts.";
    let mut docs = BTreeMap::from([(vec![TAG_PATTERNS.to_owned()], about.to_owned())]);
    for module in settings.modules.values() {
        if let Some(text) = &module.docs {
            docs.insert(path_of(&module.path)?, text.trim().to_owned());
        }
    }
    let mut modules = Vec::new();
    for type_ in &shared.types {
        let Some(&document) = type_.documents.first() else { continue };
        let about = library.document(document);
        let mut module = base(&about.id, settings)?;
        if !type_.documents.iter().any(|document| foremost.contains(document)) {
            let family = names::value_name(about.stem());
            let version =
                about.version.as_ref().map_or_else(|| "other".to_owned(), |version| version.module());
            module.push(family);
            docs.entry(module.clone()).or_insert_with(|| {
                format!("Versions of `{}` that differ from the current one.", about.stem())
            });
            module.push(version);
        }
        modules.push(module);
    }
    rename(library, &mut shared.types, &modules)?;
    let tags: Vec<Vec<String>> =
        shared.types.iter().map(|type_| tags(library, &shared.types, type_)).collect();
    let versions = versions(library, &shared.types, &tags);
    let write_checks = of_schemas(library, &settings.write_checks, "write_checks", &shared.types)?;
    let upgrades = of_schemas(library, &settings.upgrades, "upgrades", &shared.types)?;
    Ok(Layout { modules, tags, versions, write_checks, upgrades, docs })
}

/// For each type, the value of a configuration key for its schema.
fn of_schemas<T: Clone>(
    library: &Library,
    wanted: &BTreeMap<String, T>,
    key: &str,
    types: &[SharedType],
) -> Result<Vec<Option<T>>> {
    let id = |type_: &SharedType| library.document(type_.item.place.document).id.as_str();
    let roots = || types.iter().filter(|type_| type_.item.root);
    if let Some(unused) = wanted.keys().find(|wanted| !roots().any(|type_| id(type_) == *wanted)) {
        return Err(Error::usage(format!("no type is generated for {unused}, which `{key}` names"))
            .with_hint("give the id of the newest version that shares the type"));
    }
    let found = |type_: &SharedType| wanted.get(id(type_)).filter(|_| type_.item.root).cloned();
    Ok(types.iter().map(found).collect())
}

/// For each family, the document whose types have names without a version.
fn foremost(library: &Library, types: &[SharedType]) -> BTreeSet<usize> {
    let mut first: BTreeMap<&str, usize> = BTreeMap::new();
    for document in types.iter().flat_map(|type_| &type_.documents).copied() {
        let family = library.document(document).family.as_str();
        first
            .entry(family)
            .and_modify(|known| {
                if library.rank(document) > library.rank(*known) {
                    *known = document;
                }
            })
            .or_insert(document);
    }
    first.into_values().collect()
}

/// For each type, the types of other versions of its tags.
fn versions(library: &Library, types: &[SharedType], tags: &[Vec<String>]) -> Vec<Vec<ItemId>> {
    let family = |tags: &Vec<String>| tags.first().map(|tag| split_version(tag).0.to_owned());
    let mut families: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (index, (type_, tags)) in types.iter().zip(tags).enumerate() {
        if let Some(family) = family(tags).filter(|_| type_.item.root) {
            families.entry(family).or_default().push(index);
        }
    }
    let rank_of = |index: usize| types.get(index).map(|type_| library.rank(type_.item.place.document));
    for list in families.values_mut() {
        list.sort_by_key(|&index| std::cmp::Reverse(rank_of(index)));
    }
    let others = |own: &Vec<String>| {
        let (&foremost, others) = families.get(&family(own)?)?.split_first()?;
        // The foremost version, or a narrower type with its tags.
        (tags.get(foremost)? == own).then(|| others.iter().copied().map(ItemId).collect())
    };
    tags.iter().map(|own| others(own).unwrap_or_default()).collect()
}

/// The module of the schema with an id.
fn base(id: &str, settings: &Settings) -> Result<ModulePath> {
    let (stem, _) = split_version(id);
    let prefixes = settings.modules.iter().filter(|(prefix, _)| stem.starts_with(prefix.as_str()));
    let (mut module, rest) = match prefixes.max_by_key(|(prefix, _)| prefix.len()) {
        Some((prefix, module)) => (path_of(&module.path)?, stem.get(prefix.len()..).unwrap_or_default()),
        None => {
            let after_schemas = stem.split_once("/schemas/").map(|(_, rest)| rest);
            let after_host = stem.split_once("://").and_then(|(_, rest)| rest.split_once('/'));
            (Vec::new(), after_schemas.or(after_host.map(|(_, rest)| rest)).unwrap_or(stem))
        }
    };
    let folders: Vec<&str> = rest.split('/').filter(|part| !part.is_empty()).collect();
    let count = folders.len().saturating_sub(1);
    module.extend(folders.into_iter().take(count).map(names::value_name));
    Ok(module)
}

fn path_of(path: &str) -> Result<ModulePath> {
    let parts = path.split("::").map(str::trim).filter(|part| !part.is_empty());
    parts
        .map(|part| {
            if names::is_ident(part) {
                Ok(part.to_owned())
            } else {
                Err(Error::usage(format!(
                    "'{part}' in the module path '{path}' is not a valid Rust identifier"
                )))
            }
        })
        .collect()
}

/// Makes the names of each module distinct.
///
/// Types of whole schemas keep their names, and two of them with the same name are an error. Types for parts of a schema
/// get the schema's name as a prefix, or a number.
fn rename(library: &Library, types: &mut [SharedType], modules: &[ModulePath]) -> Result<()> {
    let mut roots: BTreeMap<(&ModulePath, String), usize> = BTreeMap::new();
    let mut taken: BTreeMap<&ModulePath, Distinct> = BTreeMap::new();
    let mut schema_names: BTreeMap<usize, String> = BTreeMap::new();
    for (type_, module) in types.iter().zip(modules).filter(|(type_, _)| type_.item.root) {
        let place = type_.item.place;
        if let Some(other) = roots.insert((module, type_.item.name.clone()), place.document) {
            let mut path = module.clone();
            path.push(type_.item.name.clone());
            let path = path.join("::");
            let other = library.document(other);
            let message = format!("two schemas have the type {path}; the other is {}", other.id);
            return Err(library
                .error(place, message)
                .with_hint("give one of them another name, or another module, in the configuration"));
        }
        taken.entry(module).or_default().take(type_.item.name.clone());
        for &document in &type_.documents {
            schema_names.insert(document, type_.item.name.clone());
        }
    }
    for (type_, module) in types.iter_mut().zip(modules).filter(|(type_, _)| !type_.item.root) {
        let names = taken.entry(module).or_default();
        let own = type_.item.name.clone();
        let schema = schema_names.get(&type_.item.place.document).map_or("", String::as_str);
        type_.item.name = if names.has(&own) && !own.starts_with(schema) {
            names.take(format!("{schema}{own}"))
        } else {
            names.take(own)
        };
    }
    Ok(())
}

/// The tags of a type, its own first: tags of default manifests, then the newest.
fn tags(library: &Library, types: &[SharedType], type_: &SharedType) -> Vec<String> {
    let documents: &[usize] = match (&type_.item.tags_of, type_.item.root) {
        (_, true) => &type_.documents,
        (None, false) => return Vec::new(),
        // All versions that share the type that this type narrows.
        (Some(document), false) => types
            .iter()
            .find(|other| other.item.root && other.documents.contains(document))
            .map_or(std::slice::from_ref(document), |other| &other.documents),
    };
    let mut tags: Vec<_> = documents.iter().flat_map(|&document| library.tags_of(document)).collect();
    tags.sort_by(|a, b| (b.current, &b.version, &a.uri).cmp(&(a.current, &a.version, &b.uri)));
    tags.into_iter().map(|tag| tag.uri.clone()).collect()
}
