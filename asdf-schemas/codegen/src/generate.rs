//! Runs the stages of the generator, from packages to code.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use asdf_core::tree::tag_matches;

use crate::build;
use crate::layout::{self, Layout};
use crate::library::Library;
use crate::model::{ItemId, Loss, Shape, Type, Variant};
use crate::owners::{owner, owners};
use crate::report::{self, Report, TypeReport};
use crate::settings::{NAMES, Settings};
use crate::shape::{self, Shared, SharedType};
use crate::{Error, Result, demanded, recursion, render, unchecked};

/// The generated code, in memory.
///
/// # Examples
///
/// ```no_run
/// use asdf_codegen::Config;
///
/// let generated = Config::standard().package("schemas").generate()?;
/// std::fs::write("src/types.rs", generated.types()).expect("the folder exists");
/// println!("{}", generated.report());
/// # Ok::<(), asdf_codegen::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Generated {
    types: String,
    report: Report,
}

impl Generated {
    /// Returns the code of the types: modules, to be included or written to `types.rs`.
    #[must_use]
    pub fn types(&self) -> &str {
        &self.types
    }

    /// Returns the report on the types and their differences from the schemas.
    #[must_use]
    pub fn report(&self) -> &Report {
        &self.report
    }

    pub(crate) fn into_report(self) -> Report {
        self.report
    }
}

/// Runs all stages.
pub(crate) fn generate(packages: &[PathBuf], configs: &[PathBuf], settings: &Settings) -> Result<Generated> {
    let library = Library::load(packages, configs, settings)?;
    let model = build::build(&library, settings, &chosen(&library, settings)?)?;
    let mut shared = shape::share(&library, model);
    let ended = recursion::end_loops(&mut shared.types);
    shared.losses.extend(ended);
    recursion::add_boxes(&mut shared.types);
    let layout = layout::lay_out(&library, settings, &mut shared)?;
    demanded::settle(&mut shared, &layout);
    unchecked::describe(&library, &mut shared);
    let types = render::render(&shared.types, &layout, settings, &names_of(packages))?;
    let report = make_report(&library, settings, &shared, &layout);
    Ok(Generated { types, report })
}

/// The names of the folders, without their locations.
fn names_of(packages: &[PathBuf]) -> String {
    let name = |path: &PathBuf| {
        path.file_name().map_or_else(|| "schemas".to_owned(), |name| name.to_string_lossy().into_owned())
    };
    let mut names: Vec<String> = packages.iter().map(name).map(|name| format!("{name}/")).collect();
    names.dedup();
    names.join(" and ")
}

/// The documents to generate types for.
fn chosen(library: &Library, settings: &Settings) -> Result<Vec<usize>> {
    let mut chosen = Vec::new();
    let mut used = vec![false; settings.types.len()];
    for (index, document) in library.documents().enumerate() {
        if document.is_manifest() {
            continue;
        }
        let tags: Vec<&str> = library.tags_of(index).map(|tag| tag.uri.as_str()).collect();
        let mut wanted = settings.types.is_empty() && !tags.is_empty();
        for (pattern, used) in settings.types.iter().zip(&mut used) {
            if tag_matches(pattern, &document.id) || tags.iter().any(|tag| tag_matches(pattern, tag)) {
                (wanted, *used) = (true, true);
            }
        }
        if wanted {
            chosen.push(index);
        }
    }
    match settings.types.iter().zip(used).find(|(_, used)| !used) {
        Some((pattern, _)) => Err(Error::usage(format!("no schema or tag matches {pattern}"))
            .with_hint("list tags of the chosen manifests, ids of schemas, or patterns of both in `types`")),
        None => Ok(chosen),
    }
}

/// The report: every loss with the type that it belongs to.
fn make_report(library: &Library, settings: &Settings, shared: &Shared, layout: &Layout) -> Report {
    let mut of_type: BTreeMap<usize, Vec<&Loss>> = BTreeMap::new();
    let owners = owners(library, shared);
    for loss in &shared.losses {
        // A place in a schema without its own type belongs to the type that was being built.
        let own = owner(library, &owners, loss.place);
        let Some((owner, _)) = own.or_else(|| owner(library, &owners, library.root(loss.document))) else {
            continue;
        };
        of_type.entry(owner).or_default().push(loss);
    }
    let mut types: Vec<TypeReport> = Vec::new();
    for (index, type_) in shared.types.iter().enumerate() {
        let mut losses: Vec<report::Loss> = Vec::new();
        let mut found = of_type.remove(&index).unwrap_or_default();
        let position =
            |loss: &Loss| type_.documents.iter().position(|&document| document == loss.place.document);
        found.sort_by_key(|loss| (position(loss), library.pointer(loss.place), loss.kind));
        for loss in found {
            let node = library.node(loss.place);
            let pointer = library.pointer(loss.place).to_owned();
            // Versions that share a type have the same losses; report each once.
            let same = |known: &report::Loss| {
                (known.kind, &known.pointer, &known.message) == (loss.kind, &pointer, &loss.message)
            };
            if !losses.iter().any(same) {
                losses.push(report::Loss {
                    kind: loss.kind,
                    schema: library.document(loss.place.document).id.clone(),
                    pointer,
                    line: node.position().map(|(line, _)| line),
                    message: loss.message.clone(),
                });
            }
        }
        let versions = layout.versions.get(index).into_iter().flatten();
        types.push(TypeReport {
            path: path(shared, layout, index),
            whole: type_.item.root,
            schemas: type_.documents.iter().map(|&document| library.document(document).id.clone()).collect(),
            tags: layout.tags.get(index).cloned().unwrap_or_default(),
            kinds: kinds(settings, &shared.types, index),
            versions: versions.map(|version| path(shared, layout, version.0)).collect(),
            losses,
        });
    }
    types.sort_by(|a, b| a.path.cmp(&b.path));
    let (properties, kept) = count_properties(&shared.types);
    let demanded = shared.types.iter().map(|type_| match &type_.item.shape {
        Shape::Newtype(newtype) => newtype.contains.len(),
        Shape::Struct(_) | Shape::Enum(_) => 0,
    });
    let demanded = demanded.sum();
    let (arrays, unversioned) = (count_arrays(&shared.types), library.unversioned().to_vec());
    Report { types, properties, kept, demanded, arrays, unversioned }
}

/// The kinds of node that a type reads; empty means any.
fn kinds(settings: &Settings, types: &[SharedType], index: usize) -> Vec<&'static str> {
    let mut found = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let mut pending = vec![Type::Item(ItemId(index))];
    while let Some(ty) = pending.pop() {
        let kind = match ty {
            Type::Bool => "bool",
            Type::Signed | Type::Unsigned => "int",
            Type::Number => {
                found.insert("int");
                "float"
            }
            Type::String => "string",
            Type::Timestamp => {
                found.insert("string");
                "timestamp"
            }
            Type::Null => "null",
            Type::Node => return Vec::new(),
            Type::Mapping | Type::Map(_) => "mapping",
            Type::List(_) | Type::Array(..) | Type::Tuple(_) => "sequence",
            Type::Nullable(inner) => {
                pending.push(*inner);
                "null"
            }
            Type::Tagged(inner, _)
            | Type::Referred(inner)
            | Type::WithTags(inner, _)
            | Type::Boxed(inner) => {
                pending.push(*inner);
                continue;
            }
            Type::Extern(path) => {
                let known = settings.externs.values().find(|known| known.path == path);
                let Some(known) = known.filter(|known| !known.kinds.is_empty()) else { return Vec::new() };
                found.extend(NAMES.into_iter().filter(|kind| known.kinds.iter().any(|own| own == kind)));
                continue;
            }
            Type::Item(id) if !seen.insert(id) => continue,
            Type::Item(id) => match types.get(id.0).map(|shared| &shared.item.shape) {
                Some(Shape::Struct(_)) => "mapping",
                Some(Shape::Newtype(newtype)) => {
                    pending.push(newtype.inner.clone());
                    continue;
                }
                Some(shape @ Shape::Enum(variants)) => {
                    pending.extend(shape.types().into_iter().cloned());
                    if !variants.iter().any(|variant| matches!(variant, Variant::Word { .. })) {
                        continue;
                    }
                    "string"
                }
                None => continue,
            },
        };
        found.insert(kind);
    }
    found.into_iter().collect()
}

/// The path of a type below the top module.
fn path(shared: &Shared, layout: &Layout, index: usize) -> String {
    let mut path = layout.modules.get(index).cloned().unwrap_or_default();
    path.extend(shared.types.get(index).map(|type_| type_.item.name.clone()));
    path.join("::")
}

/// Counts the properties that are typed arrays or contain them.
fn count_arrays(types: &[SharedType]) -> usize {
    let mut count = 0;
    for type_ in types {
        let Shape::Struct(shape) = &type_.item.shape else { continue };
        for field in &shape.fields {
            let mut found = false;
            field.ty.visit(true, &mut |ty, _| {
                found |= matches!(ty, Type::Extern(path) if path.starts_with("::asdf_core::array::Array<"));
            });
            count += usize::from(found);
        }
    }
    count
}

/// Counts all properties, and those that are nodes or contain nodes. The properties of a nested struct are counted for
/// that struct.
fn count_properties(types: &[SharedType]) -> (usize, usize) {
    let (mut all, mut kept) = (0, 0);
    for type_ in types {
        let Shape::Struct(shape) = &type_.item.shape else { continue };
        for field in shape.fields.iter().filter(|field| !field.flatten) {
            all += 1;
            kept += usize::from(holds_nodes(types, &field.ty, &mut BTreeSet::new()));
        }
    }
    (all, kept)
}

fn holds_nodes(types: &[SharedType], ty: &Type, seen: &mut BTreeSet<usize>) -> bool {
    let mut found = false;
    let mut items = Vec::new();
    ty.visit(true, &mut |ty, _| match ty {
        Type::Node | Type::Mapping => found = true,
        Type::Item(id) => items.push(id.0),
        _ => {}
    });
    found
        || items.into_iter().any(|index| match types.get(index).map(|type_| &type_.item.shape) {
            Some(Shape::Struct(_)) | None => false,
            Some(shape) => {
                seen.insert(index) && shape.types().into_iter().any(|ty| holds_nodes(types, ty, seen))
            }
        })
}
