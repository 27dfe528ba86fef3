//! `tag`: the type of the tag, wherever its schema is.

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

/// What a pattern of tags leads to.
pub(super) enum TagTarget {
    /// To a type that exists, by its pattern in the configuration.
    Extern(String),
    Document(usize),
    /// To no one type, and why.
    Nothing(String),
}

impl<'a> Builder<'a> {
    pub(super) fn tagged(&mut self, facts: &Facts<'a>, context: &Context) -> Result<Built> {
        let Some(&(place, pattern)) = facts.schema.tags.first() else { return Ok(Built::Type(Type::Node)) };
        for (place, other) in facts.schema.tags.iter().skip(1) {
            self.lose(LossKind::Looser, *place, format!("`tag: {other}` next to another one is not checked"));
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
                // A pattern fits versions that do not exist yet, and that have to be kept as they stand.
                if pattern.contains('*') { ty.tagged(Tags::like(pattern)) } else { ty }
            }
            TagTarget::Nothing(why) => {
                self.lose(LossKind::Node, place, format!("`tag: {pattern}`: {why}"));
                Type::Node
            }
        };
        // Whether that is the tag of new values anyway is known when all types are.
        let exact = !pattern.contains('*') && ty != Type::Node;
        Ok(Built::Type(if exact { Type::WithTags(Box::new(ty), vec![pattern.to_owned()]) } else { ty }))
    }

    /// What a pattern of tags leads to.
    pub(super) fn tag_target(&self, pattern: &str) -> TagTarget {
        // The longest pattern is the closest one.
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
                _ => return TagTarget::Nothing(format!("{} has several schemas, or none", tag.uri)),
            }
        }
        if families.len() > 1 {
            return TagTarget::Nothing(format!("that fits {} families of tags", families.len()));
        }
        // Of several versions, that of a default manifest, or the newest.
        match documents.iter().max_by_key(|document| self.packages.rank(**document)) {
            Some(&document) => TagTarget::Document(document),
            None => TagTarget::Nothing("no loaded manifest has such a tag with a schema".to_owned()),
        }
    }

    /// The name of a branch that asks for a tag.
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

    /// The documents of the tags that fit a pattern, but for the one that the pattern leads to.
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

    /// The other versions of the tag that a branch asks for, or refers to.
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

    /// In a union the tag chooses the variant, so that a variant cannot keep other tags.
    pub(super) fn only_its_tags(&mut self, ty: Type, place: Place) -> Type {
        match ty {
            Type::Referred(inner) => *inner,
            Type::Tagged(inner, _) => {
                let message = "a tag that the type does not know is refused";
                self.lose(LossKind::Stricter, place, message);
                *inner
            }
            ty => ty,
        }
    }

    /// Whether a type is that of a document with tags.
    pub(super) fn has_tag(&self, ty: &Type) -> bool {
        if let Type::Referred(inner) | Type::WithTags(inner, _) = ty {
            return self.has_tag(inner);
        }
        let Type::Item(id) = ty else { return false };
        self.document_of(*id).is_some_and(|document| self.packages.tags_of(document).next().is_some())
    }

    /// The document that a type stands for, whether it was built or not.
    pub(super) fn document_of(&self, id: ItemId) -> Option<usize> {
        self.roots.get(&id).copied()
    }

    /// A type that exists, by the name of its place or by its pattern.
    pub(super) fn extern_type(&mut self, name: &str, place: Place) -> Type {
        let Some(found) = self.settings.extern_for(name) else { return Type::Node };
        let path = found.path.clone();
        for (kind, message) in [(LossKind::Looser, &found.looser), (LossKind::Stricter, &found.stricter)] {
            if let Some(message) = message {
                self.lose(kind, place, message.clone());
            }
        }
        if path == "::asdf_core::Node" {
            self.lose(LossKind::Node, place, "the configuration has no type for it");
            return Type::Node;
        }
        Type::Extern(path)
    }
}
