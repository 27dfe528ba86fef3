//! Shares types: versions of a schema with the same shape share a type.

use std::collections::{BTreeMap, BTreeSet};

use crate::library::{Library, Place};
use crate::model::{Item, ItemId, Loss, Model, Shape, Tags, Type, Variant};
use crate::names::Distinct;
use crate::report::LossKind;
use crate::uri::split_version;

/// The types, each for all versions that share it.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) types: Vec<SharedType>,
    pub(crate) losses: Vec<Loss>,
    /// For each item of the model, its place and its type.
    pub(crate) places: Vec<Place>,
    pub(crate) became: Vec<usize>,
}

/// A type for one or several versions.
#[derive(Debug)]
pub(crate) struct SharedType {
    /// The item of the foremost version, whose references are to [`Shared::types`].
    pub(crate) item: Item,
    /// The documents of the type, foremost first.
    pub(crate) documents: Vec<usize>,
}

/// Finds items with the same shape, and merges them into shared types.
pub(crate) fn share(library: &Library, mut model: Model) -> Shared {
    distinct_names(library, &mut model.items);
    let classes = classes(library, &model.items);
    resolve_referred(library, &mut model.items, &classes);
    let count = classes.iter().copied().max().map_or(0, |last| last + 1);
    let mut members: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (item, &class) in classes.iter().enumerate() {
        if let Some(list) = members.get_mut(class) {
            list.push(item);
        }
    }
    let mut losses = model.losses;
    let mut types = Vec::new();
    let taken = |ty: &Type| tags_taken(library, &model.items, &classes, ty);
    for mut list in members {
        list.sort_by(|&a, &b| {
            let document = |index: usize| model.items.get(index).map_or(0, |item| item.place.document);
            library.rank(document(b)).cmp(&library.rank(document(a)))
        });
        let mut versions = list.iter().filter_map(|&index| model.items.get(index));
        let Some(mut item) = versions.next().cloned() else { continue };
        let mut documents = vec![item.place.document];
        for version in versions {
            documents.push(version.place.document);
            let mut widening = Widening { taken: &taken, losses: BTreeSet::new(), tags: BTreeSet::new() };
            widening.shape(&mut item.shape, &version.shape);
            for tag in widening.tags {
                let id = &library.document(version.place.document).id;
                let message = format!(
                    "new values are not written with the tag `{tag}` that `{id}` requires, because versions share the type"
                );
                let (place, document) = (item.place, item.place.document);
                losses.push(Loss { kind: LossKind::Looser, place, document, message, in_docs: true });
            }
            for (side, kind) in widening.losses {
                let of = if side == Side::Own { item.place.document } else { version.place.document };
                let amount = if kind == LossKind::Looser { "more" } else { "fewer" };
                let id = &library.document(of).id;
                let message = format!(
                    "`Tagged` accepts {amount} tags than for `{id}` alone, because versions share the type"
                );
                let (place, document) = (item.place, item.place.document);
                losses.push(Loss { kind, place, document, message, in_docs: false });
            }
        }
        for ty in item.shape.types_mut() {
            ty.rewrite(&mut |ty| {
                if let Type::Item(id) = ty {
                    *ty = Type::Item(ItemId(classes.get(id.0).copied().unwrap_or_default()));
                }
            });
        }
        drop_repeated(&mut item.shape);
        types.push(SharedType { item, documents });
    }
    let places = model.items.iter().map(|item| item.place).collect();
    Shared { types, losses, places, became: classes }
}

/// Resolves referenced types: the type itself if all versions of its tags share it, otherwise `Tagged`, which keeps the
/// other versions.
fn resolve_referred(library: &Library, items: &mut [Item], classes: &[usize]) {
    let family = |document: usize| {
        let tag = library.tags_of(document).next();
        tag.map(|tag| split_version(&tag.uri).0)
    };
    let mut built: BTreeMap<usize, usize> = BTreeMap::new();
    for (item, &class) in items.iter().zip(classes).filter(|(item, _)| item.root) {
        built.insert(item.place.document, class);
    }
    // For each family of tags, the types of its versions. `None` is a version without a type.
    let mut types_of: BTreeMap<&str, BTreeSet<Option<usize>>> = BTreeMap::new();
    for (document, _) in library.documents().enumerate() {
        if let Some(family) = family(document) {
            types_of.entry(family).or_default().insert(built.get(&document).copied());
        }
    }
    let documents: BTreeMap<usize, usize> =
        built.iter().map(|(&document, &class)| (class, document)).collect();
    // The tags of a family whose versions have several types.
    let several = |ty: &Type| {
        let Type::Item(id) = ty else { return None };
        let document = classes.get(id.0).and_then(|class| documents.get(class))?;
        let family =
            family(*document).filter(|family| types_of.get(family).is_some_and(|all| all.len() > 1))?;
        let tags = library.tags_like("**").map(|tag| &tag.uri);
        Some(Tags::Known(tags.filter(|tag| split_version(tag).0 == family).cloned().collect()))
    };
    for ty in items.iter_mut().flat_map(|item| item.shape.types_mut()) {
        ty.rewrite(&mut |ty| match ty {
            Type::Referred(inner) => {
                let inner = std::mem::replace(inner.as_mut(), Type::Node);
                *ty = match several(&inner) {
                    Some(tags) => inner.tagged(tags),
                    None => inner,
                };
            }
            Type::Tagged(outer, tags) => {
                if let Type::Tagged(inner, more) = outer.as_mut() {
                    let inner = std::mem::replace(inner.as_mut(), Type::Node);
                    *ty = inner.tagged(tags.as_ref().clone().or(more.as_ref().clone()));
                }
            }
            _ => {}
        });
    }
}

/// The tags that a type of the model accepts: the tags of all versions that share it.
fn tags_taken(library: &Library, items: &[Item], classes: &[usize], ty: &Type) -> Tags {
    let Type::Item(id) = ty else { return Tags::Any };
    let class = |index: usize| classes.get(index).copied();
    let root_of = |document: usize| {
        items.iter().position(|item| item.root && item.place.document == document).and_then(class)
    };
    // A narrowed type accepts the tags of the type that it narrows.
    let wanted = match items.get(id.0).and_then(|item| item.tags_of) {
        Some(document) => root_of(document),
        None => class(id.0),
    };
    let roots = items.iter().enumerate().filter(|(index, item)| item.root && class(*index) == wanted);
    let tags = roots.flat_map(|(_, item)| library.tags_of(item.place.document));
    Tags::Known(tags.map(|tag| tag.uri.clone()).collect())
}

/// Drops variants with the type of an earlier variant, since they would never be read.
fn drop_repeated(shape: &mut Shape) {
    let Shape::Enum(variants) = shape else { return };
    let mut kept: Vec<Variant> = Vec::new();
    for variant in std::mem::take(variants) {
        let Variant::Value { ty, .. } = &variant else {
            kept.push(variant);
            continue;
        };
        let known = kept.iter_mut().find_map(|known| match known {
            Variant::Value { ty: known, .. } if known.without_tags().0 == ty.without_tags().0 => Some(known),
            _ => None,
        });
        match known {
            Some(known) => known.also_with_tags(ty),
            None => kept.push(variant),
        }
    }
    *variants = kept;
}

/// Makes the names of each document distinct: the schema's own name first, then definitions.
fn distinct_names(library: &Library, items: &mut [Item]) {
    let mut order: Vec<usize> = (0..items.len()).collect();
    order.sort_by_key(|&index| {
        let item = items.get(index);
        let definition = item.is_some_and(|item| library.pointer(item.place).starts_with("/definitions/"));
        (item.is_none_or(|item| !item.root), !definition, index)
    });
    let mut taken: BTreeMap<usize, Distinct> = BTreeMap::new();
    for index in order {
        if let Some(item) = items.get_mut(index) {
            item.name = taken.entry(item.place.document).or_default().take(std::mem::take(&mut item.name));
        }
    }
}

/// For each item, the number of its class.
///
/// Items with the same name in versions of the same family are in one class if they have the same structure. Their parts
/// in the same place are in one class too, whatever their names.
fn classes(library: &Library, items: &[Item]) -> Vec<usize> {
    let structures = structures(library, items);
    let slot = |(item, structure): (&Item, &usize)| {
        (library.document(item.place.document).family.clone(), item.name.clone(), *structure)
    };
    let mut classes = number(items.iter().zip(&structures).map(slot));
    loop {
        let mut first: BTreeMap<usize, &Item> = BTreeMap::new();
        let mut parts = Vec::new();
        for (item, &class) in items.iter().zip(&classes) {
            match first.get(&class) {
                Some(first) => same_places(&first.shape, &item.shape, &mut parts),
                None => _ = first.insert(class, item),
            }
        }
        let of = |list: &[usize], ItemId(index): ItemId| list.get(index).copied();
        let mut is_changed = false;
        for (one, other) in parts {
            if of(&structures, one) != of(&structures, other) {
                continue;
            }
            let (Some(kept), Some(gone)) = (of(&classes, one), of(&classes, other)) else { continue };
            if kept != gone {
                classes.iter_mut().filter(|class| **class == gone).for_each(|class| *class = kept);
                is_changed = true;
            }
        }
        if !is_changed {
            return number(classes.into_iter());
        }
    }
}

/// For each item, the number of its structure. All items that are not whole schemas start out equal, and are separated
/// until their shapes no longer differ.
fn structures(library: &Library, items: &[Item]) -> Vec<usize> {
    let whole = |item: &Item| {
        item.root.then(|| (library.document(item.place.document).family.clone(), item.name.clone()))
    };
    let mut classes = number(items.iter().map(whole));
    loop {
        let refined = number(items.iter().zip(&classes).map(|(item, &class)| {
            let tagged = item.root && library.tags_of(item.place.document).next().is_some();
            // For a narrowed type, use the versions of the type of the tag.
            let tags = item.tags_of.map(|document| library.document(document).family.clone());
            (class, tagged, tags, signature(item, &classes))
        }));
        let count = |classes: &[usize]| classes.iter().copied().max();
        if count(&refined) == count(&classes) {
            return refined;
        }
        classes = refined;
    }
}

/// The items in the same places of two shapes.
fn same_places(one: &Shape, other: &Shape, found: &mut Vec<(ItemId, ItemId)>) {
    match (one, other) {
        // One can have variants for versions that the other does not distinguish.
        (Shape::Enum(variants), Shape::Enum(others)) => {
            for variant in variants {
                let same = others.iter().find(|other| other.name() == variant.name());
                if let (Variant::Value { ty, .. }, Some(Variant::Value { ty: other, .. })) = (variant, same) {
                    same_items(ty, other, found);
                }
            }
        }
        _ => one.types().into_iter().zip(other.types()).for_each(|(ty, other)| same_items(ty, other, found)),
    }
}

fn same_items(one: &Type, other: &Type, found: &mut Vec<(ItemId, ItemId)>) {
    match (one, other) {
        (Type::Tagged(one, _) | Type::Referred(one) | Type::WithTags(one, _), other) => {
            same_items(one, other, found);
        }
        (one, Type::Tagged(other, _) | Type::Referred(other) | Type::WithTags(other, _)) => {
            same_items(one, other, found);
        }
        (Type::Item(one), Type::Item(other)) => found.push((*one, *other)),
        (Type::List(one), Type::List(other))
        | (Type::Array(one, _), Type::Array(other, _))
        | (Type::Map(one), Type::Map(other))
        | (Type::Nullable(one), Type::Nullable(other))
        | (Type::Boxed(one), Type::Boxed(other)) => same_items(one, other, found),
        (Type::Tuple(one), Type::Tuple(other)) => {
            one.iter().zip(other).for_each(|(one, other)| same_items(one, other, found));
        }
        _ => {}
    }
}

/// Numbers values in the order of their first occurrence.
fn number<T: Ord>(things: impl Iterator<Item = T>) -> Vec<usize> {
    let mut numbers: BTreeMap<T, usize> = BTreeMap::new();
    things
        .map(|thing| {
            let next = numbers.len();
            *numbers.entry(thing).or_insert(next)
        })
        .collect()
}

/// The shape as text, without docs and with classes instead of items. Further tags of a field do not count as a
/// difference, since a shared type accepts them.
fn signature(item: &Item, classes: &[usize]) -> String {
    let mut shape = item.shape.clone();
    for ty in shape.types_mut() {
        ty.rewrite(&mut |ty| match ty {
            Type::Item(id) => *ty = Type::Item(ItemId(classes.get(id.0).copied().unwrap_or_default())),
            Type::Tagged(inner, _) | Type::Referred(inner) | Type::WithTags(inner, _) => {
                *ty = std::mem::replace(inner.as_mut(), Type::Node)
            }
            _ => {}
        });
    }
    // The versions of a variant do not count as a difference if they share a type.
    drop_repeated(&mut shape);
    match &mut shape {
        Shape::Struct(shape) => {
            for field in &mut shape.fields {
                field.docs = Default::default();
                field.notes.clear();
            }
        }
        Shape::Enum(variants) => {
            for variant in variants {
                if let Variant::Value { docs, .. } = variant {
                    *docs = Default::default();
                }
            }
        }
        Shape::Newtype(shape) => shape.contains.iter_mut().for_each(|demand| demand.docs = None),
    }
    format!("{shape:?}")
}

/// The version that a loss belongs to: the foremost one, whose type is kept, or the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Side {
    Own,
    Other,
}

/// Lets types accept the tags that the types of another version accept.
struct Widening<'a> {
    /// The tags that a type without `Tagged` accepts.
    taken: &'a dyn Fn(&Type) -> Tags,
    /// The differences from the tags that each version would accept alone.
    losses: BTreeSet<(Side, LossKind)>,
    /// The tags that the version requires and new values do not get.
    tags: BTreeSet<String>,
}

impl Widening<'_> {
    fn shape(&mut self, shape: &mut Shape, version: &Shape) {
        for (own, other) in shape.types_mut().into_iter().zip(version.types()) {
            self.widen(own, other);
        }
    }

    fn widen(&mut self, own: &mut Type, other: &Type) {
        match (&mut *own, other) {
            (Type::WithTags(inner, tags), _) => {
                let (alone, asked) = other.without_tags();
                self.tags.extend(asked.first().filter(|asked| tags.first() != Some(asked)).cloned());
                self.widen(inner, alone);
                own.also_with_tags(other);
            }
            (own, Type::WithTags(other, asked)) => {
                self.tags.extend(asked.first().cloned());
                self.widen(own, other);
            }
            (Type::Tagged(own, tags), Type::Tagged(other, more)) => {
                let both = tags.as_ref().clone().or(more.as_ref().clone());
                self.lose(Side::Own, tags, &both);
                self.lose(Side::Other, more, &both);
                **tags = both;
                self.widen(own, other);
            }
            (Type::Tagged(own, tags), other) => {
                let both = tags.as_ref().clone().or((self.taken)(other));
                self.lose(Side::Own, tags, &both);
                self.losses.insert((Side::Other, LossKind::Looser));
                **tags = both;
                self.widen(own, other);
            }
            (_, Type::Tagged(other, more)) => {
                let both = more.as_ref().clone().or((self.taken)(own));
                self.losses.insert((Side::Own, LossKind::Looser));
                self.lose(Side::Other, more, &both);
                self.widen(own, other);
                *own = std::mem::replace(own, Type::Node).tagged(both);
            }
            (Type::List(own), Type::List(other))
            | (Type::Array(own, _), Type::Array(other, _))
            | (Type::Map(own), Type::Map(other))
            | (Type::Nullable(own), Type::Nullable(other)) => self.widen(own, other),
            (Type::Tuple(own), Type::Tuple(other)) => {
                own.iter_mut().zip(other).for_each(|(own, other)| self.widen(own, other));
            }
            _ => {}
        }
    }

    fn lose(&mut self, side: Side, before: &Tags, after: &Tags) {
        if before.is_less_than(after) {
            self.losses.insert((side, LossKind::Looser));
        } else if after.is_less_than(before) {
            self.losses.insert((side, LossKind::Stricter));
        }
    }
}
