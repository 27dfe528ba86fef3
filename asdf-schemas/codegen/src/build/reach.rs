//! Classifies branches of a union, to distinguish them.

use asdf_schema_model::{Kinds, Limits};

use super::facts::Facts;
use super::tagged::TagTarget;
use super::{Builder, Goal, Key};
use crate::Result;
use crate::library::Place;

/// A branch of a union.
#[derive(Debug, Clone)]
pub(super) struct Branch {
    pub(super) key: Key,
    /// The place of the branch.
    pub(super) place: Place,
    pub(super) class: Class,
}

/// The class of a branch.
#[derive(Debug, Clone)]
pub(super) enum Class {
    /// Every value is valid.
    Any,
    Null,
    Bool,
    /// Strings of a list, with a name if the list has one.
    Words {
        words: Vec<String>,
        named: bool,
    },
    Text {
        checks: Limits,
        date_time: bool,
    },
    Number {
        checks: Limits,
        kinds: Kinds,
    },
    List,
    Mapping,
    /// A type with tags: the kinds that it reads, and the kinds that it reads without a tag.
    Tagged {
        reads: Kinds,
        untagged: Kinds,
    },
    /// A type of several kinds. Has its branches if it is only a union.
    Mixed {
        kinds: Kinds,
        branches: Option<Vec<Place>>,
        named: bool,
    },
}

impl Class {
    /// The kinds of nodes without a tag.
    pub(super) fn untagged(&self) -> Kinds {
        match self {
            Self::Any => Kinds::ANY,
            Self::Null => Kinds::NULL,
            Self::Bool => Kinds::BOOL,
            Self::Words { .. } => Kinds::STRING,
            Self::Text { date_time: true, .. } => Kinds::STRING.or(Kinds::TIMESTAMP),
            Self::Text { .. } => Kinds::STRING,
            Self::Number { kinds, .. } => *kinds,
            Self::List => Kinds::SEQUENCE,
            Self::Mapping => Kinds::MAPPING,
            Self::Tagged { untagged, .. } => *untagged,
            Self::Mixed { kinds, .. } => *kinds,
        }
    }

    /// The kinds of nodes that the type reads.
    pub(super) fn reads(&self) -> Kinds {
        match self {
            Self::Tagged { reads, .. } => *reads,
            class => class.untagged(),
        }
    }
}

impl<'a> Builder<'a> {
    /// Classifies a branch.
    pub(super) fn classify(&self, key: &Key) -> Result<Class> {
        let place = match key.places.as_slice() {
            [place] if key.without.is_empty() => *place,
            _ => return self.classify_facts(&self.gather(key)?, false, &mut Vec::new()),
        };
        self.classify_place(place, &mut Vec::new())
    }

    fn classify_place(&self, place: Place, seen: &mut Vec<Place>) -> Result<Class> {
        match self.peek(place)? {
            Goal::Anything => Ok(Class::Any),
            Goal::Extern(name) => Ok(self.classify_extern(&name)),
            Goal::Root(document) => {
                let root = self.packages.root(document);
                let tagged = self.packages.tags_of(document).next().is_some();
                if self.packages.document(document).base && !tagged {
                    return Ok(Class::Tagged { reads: Kinds::ANY, untagged: self.reach(root, seen)? });
                }
                if tagged {
                    let untagged = self.reach(root, seen)?;
                    return Ok(Class::Tagged { reads: untagged, untagged });
                }
                self.classify_facts(&self.gather(&Key::of(root))?, true, &mut vec![root])
            }
            Goal::Place(place) => {
                let named = self.packages.pointer(place).starts_with("/definitions/");
                self.classify_facts(&self.gather(&Key::of(place))?, named, seen)
            }
        }
    }

    fn classify_extern(&self, name: &str) -> Class {
        let Some(found) = self.settings.extern_for(name) else { return Class::Any };
        let kinds = found.all_kinds();
        if found.tags.is_empty() {
            Class::Mixed { kinds, branches: None, named: true }
        } else {
            Class::Tagged { reads: kinds, untagged: kinds }
        }
    }

    fn classify_facts(&self, facts: &Facts<'a>, named: bool, seen: &mut Vec<Place>) -> Result<Class> {
        if let Some((name, _)) = facts.externs.first() {
            return Ok(self.classify_extern(name));
        }
        if let Some((_, pattern)) = facts.schema.tags.first() {
            let reads = match self.tag_target(pattern) {
                TagTarget::Document(document) => self.reach(self.packages.root(document), seen)?,
                TagTarget::Extern(name) => self.classify_extern(&name).reads(),
                TagTarget::Nothing(_) => return Ok(Class::Any),
            };
            return Ok(Class::Tagged { reads, untagged: Kinds::NONE });
        }
        let (kinds, _) = facts.schema.kinds();
        let unions = self.typed_unions(facts)?;
        if let Some(group) = unions.first() {
            if kinds == Kinds::MAPPING {
                return Ok(Class::Mapping);
            }
            let mut of_branches = Kinds::NONE;
            for &branch in &group.branches {
                of_branches = of_branches.or(self.reach(branch, seen)?);
            }
            let pure = unions.len() == 1 && !group.exactly_one && !facts.says_something();
            let branches = pure.then(|| group.branches.clone());
            return Ok(Class::Mixed { kinds: kinds.and(of_branches), branches, named });
        }
        if let (Some(words), true) = (facts.words(), kinds == Kinds::STRING) {
            let words = words.into_iter().map(str::to_owned).collect();
            return Ok(Class::Words { words, named });
        }
        let checks = |kind| facts.schema.limits.on(kind);
        let parts = kinds.without(if facts.schema.date_time { Kinds::TIMESTAMP } else { Kinds::NONE });
        Ok(match parts.apart().as_slice() {
            _ if kinds == Kinds::ANY && facts.schema.values.is_none() => Class::Any,
            [one] if one.has(Kinds::NULL) => Class::Null,
            [one] if one.has(Kinds::BOOL) => Class::Bool,
            [one] if one.has(Kinds::STRING) => {
                Class::Text { checks: checks(Kinds::STRING), date_time: facts.schema.date_time }
            }
            [one] if one.has(Kinds::INT) || one.has(Kinds::FLOAT) => {
                Class::Number { checks: checks(Kinds::NUMBER), kinds: *one }
            }
            [one] if one.has(Kinds::SEQUENCE) => Class::List,
            [one] if one.has(Kinds::MAPPING) => Class::Mapping,
            _ => Class::Mixed { kinds, branches: None, named },
        })
    }

    /// The kinds of untagged nodes that fit a schema. A schema that leads back to itself adds none.
    fn reach(&self, place: Place, seen: &mut Vec<Place>) -> Result<Kinds> {
        if seen.contains(&place) || seen.len() > super::MAX_DEPTH {
            return Ok(Kinds::NONE);
        }
        seen.push(place);
        let class = if self.packages.is_root(place) {
            let facts = self.gather(&Key::of(place))?;
            self.classify_facts(&facts, true, seen)
        } else {
            self.classify_place(place, seen)
        };
        seen.pop();
        class.map(|class| class.untagged())
    }
}
