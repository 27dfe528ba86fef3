//! Bases: schemas that tagged schemas build on. Any of the latter can be a value for a reference to the base.

use super::Builder;
use crate::model::{Docs, Item, ItemId, Shape, Type, Variant};
use crate::names::Distinct;

impl Builder<'_> {
    /// The enum of all types that build on a base. `None` for a base with tags that only types of other folders build on:
    /// users of its type do not have to know those.
    pub(super) fn any_of(&mut self, base: usize) -> Option<Type> {
        let family = self.packages.document(base).family.clone();
        if let Some(id) = self.families.get(&family) {
            return Some(Type::Item(*id));
        }
        let folder = |document: usize| folder_of(&self.packages.document(document).family);
        let versions: Vec<usize> = (0..self.packages.documents().len())
            .filter(|&index| self.packages.document(index).family == family)
            .collect();
        let tagged = versions.iter().any(|&version| self.packages.tags_of(version).next().is_some());
        let mut derived: Vec<usize> = self.packages.derived_from(&family).into_iter().collect();
        derived.retain(|&document| {
            let own = !tagged || folder(document) == folder(base);
            own && self.settings.extern_for(&self.packages.document(document).id).is_none()
        });
        let foremost =
            versions.into_iter().max_by(|&a, &b| self.packages.rank(a).cmp(&self.packages.rank(b)))?;
        if derived.is_empty() {
            return None;
        }
        let id = self.reserve();
        self.families.insert(family, id);
        // Sorted by name; for each name, the foremost version comes first.
        derived.sort_by(|&a, &b| {
            let (one, other) = (self.packages.document(a), self.packages.document(b));
            (one.stem(), &one.family)
                .cmp(&(other.stem(), &other.family))
                .then_with(|| self.packages.rank(b).cmp(&self.packages.rank(a)))
        });
        let mut names = Distinct::default();
        let mut variants = Vec::new();
        let mut before = String::new();
        // A node without a tag is the base, since types that build on it have all its properties.
        for document in std::iter::once(foremost).chain(derived) {
            let family = self.packages.document(document).family.clone();
            let label = self.root_name(document);
            let label = if family == before { self.version_label(&label, document) } else { label };
            before = family;
            let ty = Type::Boxed(Box::new(self.root(document)));
            variants.push(Variant::Value { name: names.take(label), ty, docs: Docs::default() });
        }
        let name = format!("Any{}", self.root_name(foremost));
        let docs = Docs {
            title: Some(format!("`{}` or a type that builds on it.", self.root_name(foremost))),
            ..Docs::default()
        };
        let place = self.packages.root(foremost);
        self.fill(
            id,
            Item {
                name,
                place,
                root: false,
                tags_of: None,
                docs,
                shape: Shape::Enum(variants),
                by_tag: true,
                notes: Vec::new(),
            },
        );
        Some(Type::Item(id))
    }

    /// Whether a type is the enum of all types that build on a base.
    pub(super) fn is_any(&self, id: ItemId) -> bool {
        self.families.values().any(|family| *family == id)
    }
}

/// The part of an id before the last slash.
fn folder_of(family: &str) -> &str {
    family.rsplit_once('/').map_or(family, |(folder, _)| folder)
}
