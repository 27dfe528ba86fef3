//! Builds the model of Rust types from schemas.
//!
//! Each document becomes a type to define. So does each part of a document that needs a name, such as a nested object or a
//! list of strings. A reference becomes the type of its target. Requirements that Rust or the derive cannot express are
//! recorded as a [`Loss`].

mod array;
mod base;
mod defaults;
mod demand;
mod deprecated;
mod docs;
mod elements;
mod facts;
mod flatten;
mod follow;
mod inline;
mod kinds;
mod naming;
mod narrowed;
mod object;
mod reach;
mod scalar;
mod tagged;
mod union;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use asdf_core::tree::tag_matches;

use crate::library::{Library, Place};
use crate::model::{Docs, Item, ItemId, Loss, Model, Newtype, Shape, Tags, Type};
use crate::report::LossKind;
use crate::schema::{Schema, fault, unknown};
use crate::settings::Settings;
use crate::{Error, Result};
use facts::Facts;
use follow::Goal;
use inline::inline;

/// The maximum depth of nested schemas in a document. Python stops at about the same depth.
const MAX_DEPTH: usize = 64;

/// Schemas that apply together.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    places: Vec<Place>,
    /// Places whose `anyOf` and `oneOf` are ignored because a branch has been chosen.
    without: Vec<Place>,
}

impl Key {
    fn of(place: Place) -> Self {
        Self { places: vec![place], without: Vec::new() }
    }

    fn all(places: Vec<Place>) -> Self {
        Self { places, without: Vec::new() }
    }
}

/// The result for a key.
#[derive(Debug)]
enum Built {
    /// A type that does not have to be defined.
    Type(Type),
    /// A type to define.
    Shape(Shape),
}

#[derive(Debug, Clone)]
enum Memo {
    /// In progress; the number is set if the key was needed again before it was finished.
    Open(Option<ItemId>),
    Done(Type),
}

/// The document and name for a type without its own place.
#[derive(Debug, Clone)]
struct Context {
    place: Place,
    name: String,
    depth: usize,
}

impl Context {
    fn child(&self, step: &str) -> Self {
        let name = format!("{}{}", self.name, crate::names::camel(step));
        Self { place: self.place, name, depth: self.depth + 1 }
    }
}

#[derive(Debug)]
struct Builder<'a> {
    packages: &'a Library,
    settings: &'a Settings,
    items: Vec<Option<Item>>,
    memo: BTreeMap<Key, Memo>,
    /// The documents that have a type.
    roots: BTreeMap<ItemId, usize>,
    /// The enums of types that build on a base, by the family of the base.
    families: BTreeMap<String, ItemId>,
    /// Documents whose types have not been built yet.
    pending: VecDeque<(usize, ItemId)>,
    /// The document whose type is being built.
    current: usize,
    losses: Vec<Loss>,
    noted: BTreeSet<Place>,
    /// Keywords that are not part of the language.
    ignored: Vec<Loss>,
    /// Schemas whose keywords outside the language are kept as notes.
    kept_notes: BTreeSet<Place>,
    used_names: BTreeSet<String>,
}

/// Builds the types for documents and for everything that they refer to.
pub(crate) fn build(library: &Library, settings: &Settings, documents: &[usize]) -> Result<Model> {
    let mut builder = Builder {
        packages: library,
        settings,
        items: Vec::new(),
        memo: BTreeMap::new(),
        roots: BTreeMap::new(),
        families: BTreeMap::new(),
        pending: VecDeque::new(),
        current: 0,
        losses: Vec::new(),
        noted: BTreeSet::new(),
        ignored: Vec::new(),
        kept_notes: BTreeSet::new(),
        used_names: BTreeSet::new(),
    };
    builder.check_spelling()?;
    for &document in documents {
        if settings.extern_for(&library.document(document).id).is_none() {
            builder.root(document);
        }
    }
    while let Some((document, id)) = builder.pending.pop_front() {
        builder.current = document;
        builder.build_root(document, id)?;
    }
    builder.check_names()?;
    let items: Option<Vec<Item>> = builder.items.into_iter().collect();
    let items =
        items.ok_or_else(|| Error::usage("a type was named but not built; this is a bug of asdf-codegen"))?;
    let mut losses = builder.losses;
    losses.extend(builder.ignored.into_iter().filter(|loss| !builder.kept_notes.contains(&loss.place)));
    Ok(Model { items, losses })
}

impl<'a> Builder<'a> {
    /// The type of a document, which is built later.
    fn root(&mut self, document: usize) -> Type {
        let key = Key::of(self.packages.root(document));
        match self.memo.get(&key) {
            Some(Memo::Done(ty)) => ty.clone(),
            Some(Memo::Open(Some(id))) => Type::Item(*id),
            Some(Memo::Open(None)) | None => {
                let id = self.reserve();
                self.memo.insert(key, Memo::Open(Some(id)));
                self.roots.insert(id, document);
                self.pending.push_back((document, id));
                Type::Item(id)
            }
        }
    }

    /// The type for a reference to a document.
    fn whole(&mut self, document: usize, context: &Context) -> Type {
        if !self.packages.document(document).base {
            let ty = self.root(document);
            return if self.other_versions(document).is_empty() { ty } else { Type::Referred(Box::new(ty)) };
        }
        let id = &self.packages.document(document).id;
        let message = format!("whether a value with another tag builds on `{id}` is not checked");
        self.add_loss(LossKind::Looser, context.place, message, false);
        let ty = self.any_of(document).unwrap_or_else(|| self.root(document));
        ty.tagged(Tags::Any)
    }

    /// Whether a type belongs to a base of tagged types and keeps values of any of them.
    fn is_base(&self, ty: &Type) -> bool {
        let Type::Tagged(inner, _) = ty else { return false };
        let Type::Item(id) = inner.as_ref() else { return false };
        self.is_any(*id)
            || self.document_of(*id).is_some_and(|document| self.packages.document(document).base)
    }

    fn build_root(&mut self, document: usize, id: ItemId) -> Result<()> {
        let place = self.packages.root(document);
        let context = Context { place, name: self.root_name(document), depth: 0 };
        let mut facts = self.gather(&Key::of(place))?;
        self.note(place)?;
        // A schema can require its own tag.
        let own = |pattern: &str| self.packages.tags_of(document).any(|tag| tag_matches(pattern, &tag.uri));
        facts.schema.tags.retain(|(_, pattern)| !own(pattern));
        let tagged = self.packages.tags_of(document).next().is_some();
        let built = self.shape(&facts, &context)?;
        let mut docs = self.docs_of_root(&facts, place)?;
        docs.deprecated = self.deprecated(place)?;
        let shape = match built {
            // The tag must be kept in a field, which an enum does not have.
            Built::Shape(shape @ Shape::Enum(_)) if tagged => {
                let inner = context.child("value");
                let inner = self.define(&inner.name, place, false, Docs::default(), shape);
                Shape::Newtype(Newtype::plain(Type::Item(inner)))
            }
            Built::Shape(shape) => shape,
            Built::Type(inner) => Shape::Newtype(Newtype::plain(inner)),
        };
        let notes = self.notes(place)?;
        let item =
            Item { name: context.name, place, root: true, tags_of: None, docs, shape, by_tag: false, notes };
        self.fill(id, item);
        self.memo.insert(Key::of(place), Memo::Done(Type::Item(id)));
        Ok(())
    }

    /// The docs of a whole schema, with an example.
    fn docs_of_root(&self, facts: &Facts<'a>, place: Place) -> Result<Docs> {
        let own = docs::of(self.schema(place)?);
        let mut docs = facts.docs_of_part();
        if own.title.is_some() || own.description.is_some() {
            (docs.title, docs.description) = (own.title, own.description);
        }
        docs.example = facts.examples.and_then(docs::example);
        Ok(docs)
    }

    /// The type for a set of schemas that apply together.
    fn type_of(&mut self, key: &Key, context: &Context) -> Result<Type> {
        if context.depth > MAX_DEPTH {
            let error = Error::limit(format!("the schemas nest deeper than {MAX_DEPTH} levels"));
            return Err(self
                .packages
                .document(context.place.document)
                .locate(self.packages.node(context.place), error));
        }
        let mut goals: Vec<Goal> = Vec::new();
        for &place in &key.places {
            let goal = if key.without.contains(&place) { Goal::Place(place) } else { self.follow(place)? };
            if goal != Goal::Anything && !goals.contains(&goal) {
                goals.push(goal);
            }
        }
        match goals.as_slice() {
            [] => Ok(Type::Node),
            [Goal::Extern(pattern)] => Ok(self.extern_type(pattern, context.place)),
            [Goal::Root(document)] => Ok(self.whole(*document, context)),
            [Goal::Place(place)] if key.without.is_empty() => {
                let mut context = context.clone();
                context.name = self.name_at(*place)?;
                context.place = *place;
                self.place(Key::of(*place), &context)
            }
            goals => {
                if let Some(Goal::Extern(pattern)) = goals.iter().find(|goal| matches!(goal, Goal::Extern(_)))
                {
                    let pattern = pattern.clone();
                    let mut others = 0;
                    let places = goals.iter().filter_map(|goal| match goal {
                        Goal::Place(place) => Some(*place),
                        Goal::Extern(_) | Goal::Anything => None,
                        Goal::Root(_) => {
                            others += 1;
                            None
                        }
                    });
                    let facts = self.gather(&Key::all(places.collect()))?;
                    if others > 0
                        || facts.says_something()
                        || !facts.schema.tags.is_empty()
                        || !facts.unions.is_empty()
                    {
                        let message = match others {
                            0 => facts.not_checked("a reference", false),
                            _ => "all references except one are not checked".to_owned(),
                        };
                        self.lose(LossKind::Looser, context.place, message);
                    }
                    let ty = self.extern_type(&pattern, context.place);
                    return Ok(self.with_elements(ty, &facts, context.place));
                }
                let places = goals.iter().filter_map(|goal| match goal {
                    Goal::Place(place) => Some(*place),
                    Goal::Root(document) => Some(self.packages.root(*document)),
                    Goal::Anything | Goal::Extern(_) => None,
                });
                let key = Key { places: places.collect(), without: key.without.clone() };
                self.place(key, context)
            }
        }
    }

    /// The type of a key, which is built once.
    fn place(&mut self, key: Key, context: &Context) -> Result<Type> {
        match self.memo.get(&key) {
            Some(Memo::Done(ty)) => return Ok(ty.clone()),
            Some(Memo::Open(Some(id))) => return Ok(Type::Item(*id)),
            Some(Memo::Open(None)) => {
                let id = self.reserve();
                self.memo.insert(key, Memo::Open(Some(id)));
                return Ok(Type::Item(id));
            }
            None => {}
        }
        self.memo.insert(key.clone(), Memo::Open(None));
        let facts = self.gather(&key)?;
        for &place in &key.places {
            self.note(place)?;
        }
        let built = self.shape(&facts, context)?;
        let reserved = match self.memo.get(&key) {
            Some(Memo::Open(reserved)) => *reserved,
            _ => None,
        };
        let ty = match (built, reserved) {
            (Built::Type(ty), None) => ty,
            (built, reserved) => {
                let shape = match built {
                    Built::Shape(shape) => shape,
                    Built::Type(inner) => Shape::Newtype(Newtype::plain(inner)),
                };
                let docs = facts.docs_of_part();
                let place = context.place;
                let notes = Vec::new();
                let item = Item {
                    name: context.name.clone(),
                    place,
                    root: false,
                    tags_of: None,
                    docs,
                    shape,
                    by_tag: false,
                    notes,
                };
                let id = reserved.unwrap_or_else(|| self.reserve());
                self.fill(id, item);
                Type::Item(id)
            }
        };
        self.memo.insert(key, Memo::Done(ty.clone()));
        Ok(ty)
    }

    /// Turns a result into a type.
    fn finish(&mut self, built: Built, context: &Context, docs: Docs) -> Type {
        match built {
            Built::Type(ty) => ty,
            Built::Shape(shape) => Type::Item(self.define(&context.name, context.place, false, docs, shape)),
        }
    }

    fn define(&mut self, name: &str, place: Place, root: bool, docs: Docs, shape: Shape) -> ItemId {
        let id = self.reserve();
        self.fill(
            id,
            Item {
                name: name.to_owned(),
                place,
                root,
                tags_of: None,
                docs,
                shape,
                by_tag: false,
                notes: Vec::new(),
            },
        );
        id
    }

    fn reserve(&mut self) -> ItemId {
        self.items.push(None);
        ItemId(self.items.len() - 1)
    }

    fn fill(&mut self, id: ItemId, item: Item) {
        if let Some(slot) = self.items.get_mut(id.0) {
            *slot = Some(item);
        }
    }

    /// The schema at a place.
    fn schema(&self, place: Place) -> Result<Schema<'a>> {
        let node = self.packages.node(place);
        match fault(node) {
            Some((node, expected)) => Err(self.packages.document(place.document).expected(node, expected)),
            None => Ok(Schema::new(node)),
        }
    }

    fn lose(&mut self, kind: LossKind, place: Place, message: impl Into<String>) {
        self.add_loss(kind, place, message.into(), kind == LossKind::Looser);
    }

    fn add_loss(&mut self, kind: LossKind, place: Place, message: String, in_docs: bool) {
        let loss = Loss { kind, place, document: self.current, message, in_docs };
        let same = |known: &Loss| (known.kind, known.place, &known.message) == (kind, place, &loss.message);
        if !self.losses.iter().any(same) {
            self.losses.push(loss);
        }
    }

    /// Records once which keywords of a schema are ignored.
    fn note(&mut self, place: Place) -> Result<()> {
        if !self.noted.insert(place) {
            return Ok(());
        }
        self.schema(place)?;
        for (keyword, value) in unknown(self.packages.node(place)) {
            let message = format!("`{keyword}: {}`", inline(value));
            let (kind, document) = (LossKind::Ignored, self.current);
            self.ignored.push(Loss { kind, place, document, message, in_docs: false });
        }
        Ok(())
    }

    /// The result for facts: a tag, a union, a list of values, or a type for each kind of node.
    fn shape(&mut self, facts: &Facts<'a>, context: &Context) -> Result<Built> {
        if let Some((pattern, _)) = facts.externs.first() {
            if facts.externs.len() > 1 {
                let message = "all references except one are not checked";
                self.lose(LossKind::Looser, context.place, message);
            } else if facts.says_something() {
                self.lose(LossKind::Looser, context.place, facts.not_checked("a reference", false));
            }
            let ty = self.extern_type(&pattern.clone(), context.place);
            return Ok(Built::Type(self.with_elements(ty, facts, context.place)));
        }
        if !facts.schema.tags.is_empty() {
            return self.tagged(facts, context);
        }
        if let Some(built) = self.unions(facts, context)? {
            return Ok(built);
        }
        self.by_kinds(facts, context)
    }
}
