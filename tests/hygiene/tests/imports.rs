//! Checks that the files of a crate do not import each other in cycles. So each file can be understood without the files
//! that use it.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use syn::visit::Visit;

/// The folders of the crates.
const CRATES: &[&str] = &[
    "asdf-units",
    "asdf-schema-model",
    "asdf-derive",
    "asdf-core",
    "asdf-schemas/codegen",
    "asdf-schemas",
    "asdf-fits",
    "asdf-gwcs",
    "asdf-picture",
    "asdf-remote",
    "asdf-sql",
    "asdf-tables",
    "asdf-cli",
];

/// A module's path below the crate root.
type Module = Vec<String>;

/// The modules of one crate.
#[derive(Default)]
struct Crate {
    /// The file of each module. Modules inside a file have the same one.
    files: BTreeMap<Module, PathBuf>,
    /// The paths of the items that a module re-exports (`pub use`, `pub(crate) use`), by their names there.
    exports: BTreeMap<(Module, String), Module>,
    /// The names that each file uses, as absolute paths.
    uses: BTreeMap<PathBuf, BTreeSet<Module>>,
}

impl Crate {
    fn read(source: &Path) -> Self {
        let mut read = Self::default();
        let root = ["lib.rs", "main.rs"].iter().map(|name| source.join(name)).find(|path| path.exists());
        read.file(root.unwrap(), Module::new());
        read
    }

    fn file(&mut self, path: PathBuf, module: Module) {
        let text = std::fs::read_to_string(&path).unwrap();
        let items =
            syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display())).items;
        self.items(&path, &module, &items);
    }

    fn items(&mut self, path: &Path, module: &Module, items: &[syn::Item]) {
        self.files.insert(module.clone(), path.to_owned());
        for item in items {
            match item {
                syn::Item::Mod(inner) if is_test(&inner.attrs) => {}
                syn::Item::Mod(inner) => {
                    let name = inner.ident.to_string();
                    let below = [module.as_slice(), std::slice::from_ref(&name)].concat();
                    match &inner.content {
                        Some((_, items)) => self.items(path, &below, items),
                        None => {
                            let folder = folder(path);
                            let flat = folder.join(format!("{name}.rs"));
                            let file = if flat.exists() { flat } else { folder.join(&name).join("mod.rs") };
                            if file.exists() {
                                self.file(file, below);
                            }
                        }
                    }
                }
                syn::Item::Use(found) if is_test(&found.attrs) => {}
                syn::Item::Use(found) => {
                    let is_export = !matches!(found.vis, syn::Visibility::Inherited);
                    self.tree(path, module, &found.tree, &mut Vec::new(), is_export);
                }
                _ if attributes(item).is_some_and(is_test) => {}
                other => {
                    let mut paths = Paths(Vec::new());
                    paths.visit_item(other);
                    for used in paths.0 {
                        self.used(path, module, used);
                    }
                }
            }
        }
    }

    fn tree(
        &mut self,
        path: &Path,
        module: &Module,
        tree: &syn::UseTree,
        before: &mut Vec<String>,
        is_export: bool,
    ) {
        match tree {
            syn::UseTree::Path(inner) => {
                before.push(inner.ident.to_string());
                self.tree(path, module, &inner.tree, before, is_export);
                before.pop();
            }
            syn::UseTree::Group(group) => {
                for tree in &group.items {
                    self.tree(path, module, tree, before, is_export);
                }
            }
            syn::UseTree::Name(name) => {
                let mut whole = before.clone();
                let name = name.ident.to_string();
                if name != "self" {
                    whole.push(name.clone());
                }
                self.import(path, module, whole, name, is_export);
            }
            syn::UseTree::Rename(name) => {
                let mut whole = before.clone();
                if name.ident != "self" {
                    whole.push(name.ident.to_string());
                }
                self.import(path, module, whole, name.rename.to_string(), is_export);
            }
            syn::UseTree::Glob(_) => self.import(path, module, before.clone(), "*".to_owned(), is_export),
        }
    }

    fn import(&mut self, path: &Path, module: &Module, whole: Vec<String>, name: String, is_export: bool) {
        if is_export {
            self.exports.insert((module.clone(), name), whole);
        } else {
            self.used(path, module, whole);
        }
    }

    fn used(&mut self, path: &Path, module: &Module, mut used: Vec<String>) {
        // Relative to the module; made absolute when all modules are known.
        used.insert(0, module.join("::"));
        self.uses.entry(path.to_owned()).or_default().insert(used);
    }

    /// Resolves a path in a module that starts with `crate`, `self`, `super` or a module below.
    fn absolute(&self, module: &[String], written: &[String]) -> Option<Module> {
        let (first, rest) = written.split_first()?;
        let mut from = module.to_vec();
        let mut rest = rest;
        match first.as_str() {
            "crate" => from.clear(),
            "self" => {}
            "super" => {
                from.pop()?;
                while let Some((next, after)) = rest.split_first().filter(|(next, _)| *next == "super") {
                    debug_assert_eq!(next, "super");
                    from.pop()?;
                    rest = after;
                }
            }
            name => {
                from.push(name.to_owned());
                if !self.files.contains_key(&from) {
                    return None;
                }
            }
        }
        from.extend_from_slice(rest);
        Some(from)
    }

    /// Returns the file that defines the item at an absolute path, through re-exports.
    fn definition(&self, path: &[String], left: usize) -> Option<&PathBuf> {
        let length = (0..=path.len()).rev().find(|&length| self.files.contains_key(&path[..length]))?;
        let (module, rest) = path.split_at(length);
        let Some(name) = rest.first() else { return self.files.get(module) };
        let exported = self.exports.get(&(module.to_vec(), name.clone())).filter(|_| left > 0);
        if let Some(written) = exported {
            let mut target = self.absolute(module, written)?;
            target.extend_from_slice(&rest[1..]);
            return self.definition(&target, left - 1);
        }
        self.files.get(module)
    }

    /// Returns the files that each file uses.
    fn arrows(&self) -> BTreeMap<&PathBuf, BTreeSet<&PathBuf>> {
        let mut arrows: BTreeMap<&PathBuf, BTreeSet<&PathBuf>> = BTreeMap::new();
        for (file, uses) in &self.uses {
            for used in uses {
                let module: Vec<_> =
                    used[0].split("::").filter(|step| !step.is_empty()).map(str::to_owned).collect();
                let target = self.absolute(&module, &used[1..]).and_then(|path| self.definition(&path, 8));
                if let Some(target) = target.filter(|target| *target != file && !is_above(target, file)) {
                    arrows.entry(file).or_default().insert(target);
                }
            }
        }
        arrows
    }
}

/// Returns whether a file is that of an outer module of another one. A module and its inner modules are allowed to use
/// each other.
fn is_above(file: &Path, other: &Path) -> bool {
    let is_named_after =
        file.file_stem().is_some_and(|stem| stem == "mod" || stem == "lib" || stem == "main");
    let folder = if is_named_after { file.parent().unwrap().to_owned() } else { file.with_extension("") };
    other.starts_with(folder)
}

/// Returns the folder of the modules that a file declares.
fn folder(file: &Path) -> PathBuf {
    let above = file.parent().unwrap();
    match file.file_stem().unwrap().to_str().unwrap() {
        "lib" | "main" | "mod" => above.to_owned(),
        name => above.join(name),
    }
}

fn attributes(item: &syn::Item) -> Option<&[syn::Attribute]> {
    match item {
        syn::Item::Fn(item) => Some(&item.attrs),
        syn::Item::Impl(item) => Some(&item.attrs),
        syn::Item::Struct(item) => Some(&item.attrs),
        _ => None,
    }
}

fn is_test(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let is_cfg = attribute.path().is_ident("cfg");
        is_cfg && attribute.parse_args::<syn::Ident>().is_ok_and(|word| word == "test")
    })
}

/// The paths in an item.
struct Paths(Vec<Vec<String>>);

impl<'a> Visit<'a> for Paths {
    fn visit_path(&mut self, path: &'a syn::Path) {
        self.0.push(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        syn::visit::visit_path(self, path);
    }

    /// Ignores `pub(crate)`, which is not a use.
    fn visit_visibility(&mut self, _: &'a syn::Visibility) {}
}

/// Returns the groups of files that import each other.
fn cycles<'a>(arrows: &BTreeMap<&'a PathBuf, BTreeSet<&'a PathBuf>>) -> Vec<Vec<&'a PathBuf>> {
    let reached = |from: &'a PathBuf| {
        let mut met = BTreeSet::new();
        let mut open = vec![from];
        while let Some(file) = open.pop() {
            for &next in arrows.get(file).into_iter().flatten() {
                if met.insert(next) {
                    open.push(next);
                }
            }
        }
        met
    };
    let reach: BTreeMap<_, _> = arrows.keys().map(|&file| (file, reached(file))).collect();
    let mut cycles = Vec::new();
    let mut seen = BTreeSet::new();
    for (&file, below) in &reach {
        if below.contains(file) && !seen.contains(file) {
            let cycle: Vec<_> = below
                .iter()
                .copied()
                .filter(|other| reach.get(other).is_some_and(|back| back.contains(file)))
                .collect();
            seen.extend(cycle.iter().copied());
            cycles.push(cycle);
        }
    }
    cycles
}

/// `benches/structure` sets `ASDF_CHECKOUT` to count the cycles of another checkout.
#[test]
fn no_files_import_each_other_in_a_cycle() {
    let other = std::env::var_os("ASDF_CHECKOUT").map(PathBuf::from);
    let root = other.clone().unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."));
    let mut shown = String::new();
    for &folder in CRATES {
        let source = root.join(folder).join("src");
        if other.is_some() && !source.exists() {
            continue;
        }
        let read = Crate::read(&source);
        assert!(read.files.len() > 3, "{folder}: only {} modules were found", read.files.len());
        let arrows = read.arrows();
        let short = |file: &Path| file.strip_prefix(&source).unwrap().display().to_string();
        let cycles = cycles(&arrows);
        if !cycles.is_empty() {
            shown += &format!("{folder}: {} files are in cycles\n", cycles.iter().flatten().count());
        }
        for (file, cycle) in cycles.iter().flat_map(|cycle| cycle.iter().map(move |file| (file, cycle))) {
            let others = arrows[file].iter().filter(|other| cycle.contains(other)).map(|other| short(other));
            shown += &format!("  {} uses {}\n", short(file), others.collect::<Vec<_>>().join(", "));
        }
    }
    assert!(shown.is_empty(), "files import each other in cycles:\n{shown}");
}

#[test]
fn a_cycle_is_found_through_an_export() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("lib.rs", "mod a;\nmod b;\nmod c;\npub use a::A;\n");
    write("a.rs", "use crate::b::B;\npub struct A(B);\n");
    write("b.rs", "pub struct B;\nfn f(_: super::A) {}\n");
    write("c.rs", "use crate::{A, b};\nfn f(_: A) -> b::B { b::B }\n");
    let read = Crate::read(folder.path());
    let arrows = read.arrows();
    let found = cycles(&arrows);
    assert_eq!(found, [[&folder.path().join("a.rs"), &folder.path().join("b.rs")]]);
}
