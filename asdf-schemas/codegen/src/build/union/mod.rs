//! `anyOf` and `oneOf`.
//!
//! The variants of an enum are tried in order, each with nodes of its kinds and tags. Branches of the same kind are merged
//! if that does not change the meaning: lists of strings, patterns, bounds.

mod merge;

use asdf_schema_model::{Kinds, Limits};

use super::facts::{Facts, Group};
use super::inline::inline;
use super::reach::Class;
use super::{Builder, Built, Context, Key};
use crate::Result;
use crate::library::Place;
use crate::model::{Docs, Shape, Type, Variant};
use crate::names::Distinct;
use crate::report::LossKind;
use crate::schema;

/// An alternative of a union, after branches have been merged.
#[derive(Debug)]
struct Alternative {
    place: Place,
    label: String,
    docs: Docs,
    class: Class,
    what: What,
}

#[derive(Debug)]
enum What {
    /// The type of the schema.
    Branch(Key),
    /// Strings of a list, each a separate variant.
    Words(Vec<Variant>),
    Text(Limits, bool),
    Number(Limits, Kinds),
    Type(Type),
}

/// The number of branches that must apply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rule {
    /// At least one.
    Any,
    /// Exactly one.
    One,
    /// The schemas of several values that share a type, and not branches for one value.
    Mixed,
}

impl<'a> Builder<'a> {
    /// The type of facts with unions. `None` if no type can represent the unions.
    pub(super) fn unions(&mut self, facts: &Facts<'a>, context: &Context) -> Result<Option<Built>> {
        let typed = self.typed_unions(facts)?;
        let based = facts.says_something();
        let mapping = based && facts.schema.kinds().0 == Kinds::MAPPING;
        let followed = if mapping { None } else { typed.first() };
        for group in &facts.unions {
            if followed.is_none_or(|followed| followed.branches != group.branches) {
                let keyword = if group.exactly_one { "oneOf" } else { "anyOf" };
                let text = self.packages.node(group.owner).get(keyword).map(inline).unwrap_or_default();
                self.lose(LossKind::Looser, group.owner, format!("`{keyword}: {text}` is not checked"));
            }
        }
        let Some(group) = followed else { return Ok(None) };
        let branch_key = |&branch: &Place| {
            if !based {
                return Key::of(branch);
            }
            let mut key = facts.key.clone();
            key.places.push(branch);
            key.without.push(group.owner);
            key
        };
        let keys: Vec<Key> = group.branches.iter().map(branch_key).collect();
        let rule = if group.exactly_one { Rule::One } else { Rule::Any };
        self.union(&keys, context, rule).map(Some)
    }

    /// The unions whose branches do more than require properties.
    pub(super) fn typed_unions(&self, facts: &Facts<'a>) -> Result<Vec<Group>> {
        let mut typed = Vec::new();
        for group in &facts.unions {
            let mut only_requires = true;
            for &branch in &group.branches {
                self.schema(branch)?;
                only_requires &= schema::only_requires(self.packages.node(branch));
            }
            if !only_requires {
                typed.push(group.clone());
            }
        }
        Ok(typed)
    }

    /// The type for values that are valid for one of several schemas.
    pub(super) fn union(&mut self, keys: &[Key], context: &Context, rule: Rule) -> Result<Built> {
        let mut branches = self.branches(keys, context)?;
        if branches.iter().any(|branch| matches!(branch.class, Class::Any)) {
            return Ok(Built::Type(Type::Node));
        }
        let all = branches.len();
        branches.retain(|branch| !matches!(branch.class, Class::Null));
        let null = branches.len() < all;
        let mut alternatives = self.merge(branches, context, rule)?;
        let mut names = Distinct::default();
        for one in &mut alternatives {
            match &one.what {
                What::Words(words) => words.iter().for_each(|word| drop(names.take(word.name().to_owned()))),
                _ => one.label = names.take(std::mem::take(&mut one.label)),
            }
        }
        self.record_overlaps(&alternatives, context, rule);
        let built = match (alternatives.len(), alternatives.pop()) {
            (1, Some(only)) => self.alternative(only.what, only.place, context)?,
            (_, Some(last)) => {
                alternatives.push(last);
                self.variants(alternatives, context)?
            }
            (_, None) => return Ok(Built::Type(Type::Null)),
        };
        Ok(if null { self.nullable(built, context) } else { built })
    }

    /// An enum of alternatives, in the order in which they are tried.
    fn variants(&mut self, mut alternatives: Vec<Alternative>, context: &Context) -> Result<Built> {
        let is_tagged = |class: &Class| matches!(class, Class::Tagged { .. });
        let free = alternatives.iter().filter(|one| !is_tagged(&one.class));
        let free = free.fold(Kinds::NONE, |all, one| all.or(one.class.reads()));
        // A tagged type also reads nodes without a tag, so it comes after untagged types.
        alternatives.sort_by_key(|one| is_tagged(&one.class) && !one.class.reads().and(free).is_empty());
        // A type that keeps any tag comes last.
        let mut any_tag = Vec::new();
        let mut labels = Distinct::default();
        alternatives.iter().for_each(|one| drop(labels.take(one.label.clone())));
        let mut variants = Vec::new();
        for one in alternatives {
            match one.what {
                What::Words(words) => variants.extend(words),
                what => {
                    let versions = match &what {
                        What::Branch(key) => self.versions_of_branch(key)?,
                        _ => Vec::new(),
                    };
                    let inner = Context { place: one.place, ..context.child(&one.label) };
                    let built = self.alternative(what, one.place, &inner)?;
                    let ty = self.finish(built, &inner, Docs::default());
                    if self.is_base(&ty) {
                        any_tag.push(Variant::Value { name: one.label, ty, docs: one.docs });
                        continue;
                    }
                    let ty = self.only_its_tags(ty, one.place);
                    let label = one.label.clone();
                    variants.push(Variant::Value { name: one.label, ty, docs: one.docs });
                    for document in versions {
                        let ty = self.root(document);
                        if !variants
                            .iter()
                            .any(|known| matches!(known, Variant::Value { ty: known, .. } if *known == ty))
                        {
                            let name = labels.take(self.version_label(&label, document));
                            variants.push(Variant::Value { name, ty, docs: Docs::default() });
                        }
                    }
                }
            }
        }
        variants.extend(any_tag);
        Ok(Built::Shape(Shape::Enum(variants)))
    }

    fn alternative(&mut self, what: What, place: Place, context: &Context) -> Result<Built> {
        Ok(match what {
            What::Branch(key) => Built::Type(self.type_of(&key, &Context { place, ..context.clone() })?),
            What::Words(words) => Built::Shape(Shape::Enum(words)),
            What::Text(_, true) => Built::Type(Type::Timestamp),
            What::Text(checks, false) => self.checked_string(checks, context),
            What::Number(checks, kinds) => self.checked_number(checks, kinds, context),
            What::Type(ty) => Built::Type(ty),
        })
    }

    /// Records alternatives that the kind of a node does not distinguish.
    fn record_overlaps(&mut self, alternatives: &[Alternative], context: &Context, rule: Rule) {
        let is_words = |one: &Alternative| matches!(one.class, Class::Words { .. });
        for (index, one) in alternatives.iter().enumerate() {
            for other in alternatives.iter().skip(index + 1) {
                let both = one.class.untagged().and(other.class.untagged());
                if both.is_empty() || (is_words(one) && rule != Rule::One) {
                    continue;
                }
                let is_tagged = |one: &Alternative| matches!(one.class, Class::Tagged { .. });
                let which = if is_tagged(one) || is_tagged(other) { " without a tag" } else { "" };
                let of = format!("`{}` and `{}`", one.label, other.label);
                let (kind, message) = match rule {
                    Rule::One => (
                        LossKind::Looser,
                        format!("whether {both}{which} fits only one of {of} is not checked"),
                    ),
                    Rule::Any | Rule::Mixed => (
                        LossKind::Ordered,
                        format!("{both}{which} is read as the first of {of} that it fits"),
                    ),
                };
                self.lose(kind, context.place, message);
            }
        }
    }
}
