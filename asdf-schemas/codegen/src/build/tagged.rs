//! `tag`: the type of a required tag.

use std::collections::BTreeSet;

use super::facts::Facts;
use super::follow::Goal;
use super::{Builder, Built, Context, Key};
use crate::Result;
use crate::library::{Place, Tag};
use crate::model::{ItemId, Tags, Type};
use crate::names;
use crate::report::LossKind;
use crate::uri::{covers, split_version};

/// The target of a tag pattern.
pub(super) enum TagTarget {
    /// An existing type, by its pattern in the configuration.
    Extern(String),
    Document(usize),
    /// No single type, with the reason.
    Nothing(String),
}

impl<'a> Builder<'a> {
    pub(super) fn tagged(&mut self, facts: &Facts<'a>, context: &Context) -> Result<Built> {
        let Some(&(place, pattern)) = facts.schema.tags.first() else { return Ok(Built::Type(Type::Node)) };
        for (place, other) in facts.schema.tags.iter().skip(1) {
            self.lose(
                LossKind::Looser,
                *place,
                format!("`tag: {other}` beside another `tag` is not checked"),
            );
        }
        let target = self.tag_target(pattern);
        let mut narrowed = None;
        let are_unions_checked = self.unions_take(facts, pattern)?;
        if facts.says_something() || !are_unions_checked {
            if let TagTarget::Document(document) = target {
                narrowed = self.narrowed(facts, document, context)?;
            }
            if narrowed.is_none() {
                self.lose(LossKind::Looser, context.place, facts.not_checked("`tag`", are_unions_checked));
            }
        }
        let ty = match target {
            TagTarget::Extern(name) => {
                let ty = self.extern_type(&name, place);
                self.with_elements(ty, facts, context.place)
            }
            TagTarget::Document(document) => {
                let ty = narrowed.unwrap_or_else(|| self.root(document));
                // A pattern fits versions that do not exist yet; their values must be kept as nodes.
                if pattern.contains('*') { ty.tagged(Tags::like(pattern)) } else { ty }
            }
            TagTarget::Nothing(why) => {
                self.lose(LossKind::Node, place, format!("`tag: {pattern}`: {why}"));
                Type::Node
            }
        };
        // Whether new values have this tag anyway is known after all types are built.
        let exact = !pattern.contains('*') && ty != Type::Node;
        Ok(Built::Type(if exact { Type::WithTags(Box::new(ty), vec![pattern.to_owned()]) } else { ty }))
    }

    /// Returns the target of a tag pattern.
    pub(super) fn tag_target(&self, pattern: &str) -> TagTarget {
        // The longest pattern is the most specific one.
        let closest = |tags: &[String]| tags.iter().filter(|tag| covers(tag, pattern)).map(String::len).max();
        let externs = self.settings.externs.iter();
        let found = externs.filter_map(|(name, found)| Some((closest(&found.tags)?, name)));
        if let Some((_, name)) = found.max_by_key(|(length, _)| *length) {
            return TagTarget::Extern(name.clone());
        }
        let mut families = BTreeSet::new();
        let mut documents = Vec::new();
        for tag in self.packages.tags_like(pattern) {
            families.insert(split_version(&tag.uri).0);
            match tag.schemas.as_slice() {
                [schema] => documents.extend(self.packages.index(schema)),
                _ => return TagTarget::Nothing(format!("{} does not have exactly one schema", tag.uri)),
            }
        }
        if families.len() > 1 {
            return TagTarget::Nothing(format!("the pattern fits {} families of tags", families.len()));
        }
        // If several versions fit, use the version of a default manifest, or else the newest.
        match documents.iter().max_by_key(|document| self.packages.rank(**document)) {
            Some(&document) => TagTarget::Document(document),
            None => TagTarget::Nothing("no loaded manifest has such a tag with a schema".to_owned()),
        }
    }

    /// The name of a branch that requires a tag.
    pub(super) fn tag_label(&mut self, pattern: &str) -> String {
        match self.tag_target(pattern) {
            TagTarget::Extern(name) => self.extern_label(&name),
            TagTarget::Document(document) => self.root_name(document),
            TagTarget::Nothing(_) => {
                let (family, _) = split_version(pattern);
                let family = family.trim_end_matches(|c: char| !c.is_alphabetic());
                names::type_name(family.rsplit(['/', ':']).next().unwrap_or_default())
            }
        }
    }

    /// The other documents with tags of the family of a document's tags, the foremost first.
    pub(super) fn other_versions(&self, document: usize) -> Vec<usize> {
        let mut versions: Vec<usize> = Vec::new();
        for tag in self.packages.tags_of(document) {
            let family = split_version(&tag.uri).0;
            let same = self.packages.tags_like("**").filter(|other| split_version(&other.uri).0 == family);
            versions.extend(self.documents_of(same, document));
        }
        self.foremost_first(versions)
    }

    /// The documents of the tags that fit a pattern, except the target of the pattern.
    fn versions_like(&self, pattern: &str) -> Vec<usize> {
        match self.tag_target(pattern) {
            TagTarget::Document(own) if pattern.contains('*') => {
                self.foremost_first(self.documents_of(self.packages.tags_like(pattern), own))
            }
            _ => Vec::new(),
        }
    }

    fn documents_of<'t>(&self, tags: impl Iterator<Item = &'t Tag>, but: usize) -> Vec<usize> {
        tags.filter_map(|tag| match tag.schemas.as_slice() {
            [schema] => self.packages.index(schema).filter(|&index| index != but),
            _ => None,
        })
        .collect()
    }

    fn foremost_first(&self, mut documents: Vec<usize>) -> Vec<usize> {
        documents.sort_by(|&a, &b| self.packages.rank(b).cmp(&self.packages.rank(a)).then(a.cmp(&b)));
        documents.dedup();
        documents
    }

    /// The other versions of the tag that a branch requires or refers to.
    pub(super) fn versions_of_branch(&self, key: &Key) -> Result<Vec<usize>> {
        let [place] = key.places.as_slice() else { return Ok(Vec::new()) };
        Ok(match self.peek(*place)? {
            Goal::Root(document) if !self.packages.document(document).base => self.other_versions(document),
            Goal::Place(place) => match self.gather(&Key::of(place))?.schema.tags.first() {
                Some((_, pattern)) => self.versions_like(pattern),
                None => Vec::new(),
            },
            _ => Vec::new(),
        })
    }

    /// Restricts a variant to its own tags, since the tag selects the variant of a union.
    pub(super) fn only_its_tags(&mut self, ty: Type, place: Place) -> Type {
        match ty {
            Type::Referred(inner) => *inner,
            Type::Tagged(inner, _) => {
                let message = "tags that the type does not know are refused";
                self.lose(LossKind::Stricter, place, message);
                *inner
            }
            ty => ty,
        }
    }

    /// Whether a type belongs to a document with tags.
    pub(super) fn has_tag(&self, ty: &Type) -> bool {
        if let Type::Referred(inner) | Type::WithTags(inner, _) = ty {
            return self.has_tag(inner);
        }
        let Type::Item(id) = ty else { return false };
        self.document_of(*id).is_some_and(|document| self.packages.tags_of(document).next().is_some())
    }

    /// The document of a type, whether the type has been built or not.
    pub(super) fn document_of(&self, id: ItemId) -> Option<usize> {
        self.roots.get(&id).copied()
    }

    /// An existing type, by the name of its place or by its pattern.
    pub(super) fn extern_type(&mut self, name: &str, place: Place) -> Type {
        let Some(found) = self.settings.extern_for(name) else { return Type::Node };
        let path = found.path.clone();
        for (kind, message) in [(LossKind::Looser, &found.looser), (LossKind::Stricter, &found.stricter)] {
            if let Some(message) = message {
                self.lose(kind, place, message.clone());
            }
        }
        if path == "::asdf_core::Node" {
            self.lose(LossKind::Node, place, "the configuration has no type for this schema");
            return Type::Node;
        }
        Type::Extern(path)
    }
}
