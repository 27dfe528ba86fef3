//! Renders a type for each set of tag patterns that a field requires.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::TokenStream;
use quote::quote;

use super::markdown;
use crate::layout::{Layout, TAG_PATTERNS};
use crate::names::{self, Distinct};
use crate::shape::SharedType;

/// The maximum number of folders of a tag in a name.
const MAX_FOLDERS: usize = 4;

/// The patterns that types require, with their names.
#[derive(Debug)]
pub(super) struct Patterns(BTreeMap<BTreeSet<String>, String>);

impl Patterns {
    pub(super) fn of(types: &[SharedType], layout: &Layout) -> Self {
        let mut found: BTreeSet<BTreeSet<String>> = BTreeSet::new();
        for ty in types.iter().flat_map(|shared| shared.item.shape.types()) {
            ty.visit(true, &mut |ty, _| {
                if let Some(patterns) = ty.patterns() {
                    found.insert(patterns.clone());
                }
            });
        }
        let mut names = Distinct::default();
        for (shared, module) in types.iter().zip(&layout.modules) {
            if module.iter().eq([TAG_PATTERNS]) {
                names.take(shared.item.name.clone());
            }
        }
        let named = distinct(found).into_iter().map(|(patterns, name)| (patterns, names.take(name)));
        Self(named.collect())
    }

    pub(super) fn name(&self, patterns: &BTreeSet<String>) -> Option<&str> {
        self.0.get(patterns).map(String::as_str)
    }

    /// The types, sorted by name. `None` if there are none.
    pub(super) fn render(&self) -> Option<impl Iterator<Item = TokenStream>> {
        let by_name: BTreeMap<&String, &BTreeSet<String>> =
            self.0.iter().map(|(patterns, name)| (name, patterns)).collect();
        (!by_name.is_empty()).then(|| by_name.into_iter().map(|(name, patterns)| one(name, patterns)))
    }
}

fn one(name: &str, patterns: &BTreeSet<String>) -> TokenStream {
    let listed: Vec<String> = patterns.iter().map(|pattern| format!("`{pattern}`")).collect();
    let docs = markdown::docs(&format!("Tags that fit {}.", listed.join(" or ")));
    let name = names::ident(name);
    quote! {
        #docs
        #[derive(Debug, ::asdf_core::value::TagPattern)]
        #[asdf(tags = [#(#patterns),*])]
        pub enum #name {}
    }
}

/// Returns distinct names for all patterns. Names that would be equal get more folders as a prefix.
fn distinct(mut unnamed: BTreeSet<BTreeSet<String>>) -> BTreeMap<BTreeSet<String>, String> {
    let mut all = BTreeMap::new();
    for folders in 0..=MAX_FOLDERS {
        let mut by_name: BTreeMap<String, Vec<BTreeSet<String>>> = BTreeMap::new();
        for patterns in std::mem::take(&mut unnamed) {
            by_name.entry(name_of(&patterns, folders)).or_default().push(patterns);
        }
        for (name, those) in by_name {
            if those.len() == 1 || folders == MAX_FOLDERS {
                all.extend(those.into_iter().map(|patterns| (patterns, name.clone())));
            } else {
                unnamed.extend(those);
            }
        }
    }
    all
}

/// The name of a set of patterns: `ColumnV1` for `tag:stsci.edu:asdf/table/column-1.*`, `TableColumnV1` with one folder,
/// `ColumnV1OrColumnV2` for several patterns.
fn name_of(patterns: &BTreeSet<String>, folders: usize) -> String {
    let each: Vec<String> = patterns.iter().map(|pattern| name_of_one(pattern, folders)).collect();
    each.join("Or")
}

fn name_of_one(pattern: &str, folders: usize) -> String {
    let mut steps = pattern.rsplit(['/', ':']);
    let last = steps.next().unwrap_or_default();
    let mut before: Vec<&str> = steps.filter(|step| !step.is_empty()).take(folders).collect();
    before.reverse();
    let is_version = |rest: &str| rest.starts_with(|c: char| c.is_ascii_digit() || c == '*');
    let at = last.match_indices('-').map(|(at, _)| at).find(|at| last.get(at + 1..).is_some_and(is_version));
    let (stem, version) = last.split_at(at.unwrap_or(last.len()));
    let numbers: Vec<&str> =
        version.split(|c: char| !c.is_ascii_alphanumeric()).filter(|part| !part.is_empty()).collect();
    let version = if numbers.is_empty() { String::new() } else { format!("V{}", numbers.join("_")) };
    before.push(stem);
    format!("{}{version}", names::type_name(&before.join(" ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_the_family_and_the_version() {
        for (pattern, name) in [
            ("tag:stsci.edu:asdf/table/column-1.*", "ColumnV1"),
            ("tag:stsci.edu:asdf/unit/quantity-1.2.*", "QuantityV1_2"),
            ("asdf://x/tags/label_mapper-1*", "LabelMapperV1"),
            ("asdf://x/tags/filter-*", "Filter"),
            ("asdf://x/tags/filter-1.0.0", "FilterV1_0_0"),
            ("tag:**/icrs-frame-1.*", "IcrsFrameV1"),
            ("tag:x:*", "Star"),
        ] {
            assert_eq!(name_of_one(pattern, 0), name, "{pattern}");
        }
        let both = ["tag:x/a-1.*", "tag:x/b-1.*"].map(str::to_owned);
        assert_eq!(name_of(&BTreeSet::from(both), 0), "AV1OrBV1");
    }

    #[test]
    fn folders_distinguish_families() {
        let patterns =
            ["tag:a:a/unit/unit-1.*", "tag:b:b/units/unit-1.*", "tag:b:b/unit/unit-1.*", "tag:x/a-1.*"];
        let named = distinct(patterns.map(|pattern| BTreeSet::from([pattern.to_owned()])).into());
        let names: Vec<&str> = named.values().map(String::as_str).collect();
        assert_eq!(names, ["AUnitUnitV1", "BUnitUnitV1", "UnitsUnitV1", "AV1"]);
    }
}
