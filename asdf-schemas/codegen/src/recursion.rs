//! Recursive types: adds a box if a value would contain itself, and a node if a type would only contain itself.

use std::collections::BTreeSet;

use crate::model::{ItemId, Loss, Shape, Type, Variant};
use crate::report::LossKind;
use crate::shape::SharedType;

/// Ends chains of newtypes and enums that lead back to themselves, since their kinds would be circular.
pub(crate) fn end_loops(types: &mut [SharedType]) -> Vec<Loss> {
    let mut losses = Vec::new();
    for index in 0..types.len() {
        let loops: BTreeSet<usize> = transparent(types, index)
            .into_iter()
            .filter(|&target| reaches(target, index, &|at| transparent(types, at)))
            .collect();
        let Some(shared) = types.get_mut(index) else { continue };
        if loops.is_empty() {
            continue;
        }
        let is_loop = |ty: &Type| seen_through(ty).is_some_and(|target| loops.contains(&target));
        if let Shape::Enum(variants) = &mut shared.item.shape {
            // A variant that is the enum itself has no effect.
            variants.retain(|variant| match variant {
                Variant::Value { ty, .. } => *ty != Type::Item(ItemId(index)),
                Variant::Word { .. } => true,
            });
        }
        for ty in shared.item.shape.types_mut() {
            if is_loop(ty) {
                *ty = Type::Node;
                let (place, document) = (shared.item.place, shared.item.place.document);
                let message = "the schema refers to itself without a list or mapping in between".to_owned();
                losses.push(Loss { kind: LossKind::Node, place, document, message, in_docs: false });
            }
        }
    }
    losses
}

/// The newtypes and enums that a newtype or enum is read as.
fn transparent(types: &[SharedType], index: usize) -> BTreeSet<usize> {
    let is_struct =
        |index: usize| types.get(index).is_none_or(|shared| matches!(shared.item.shape, Shape::Struct(_)));
    if is_struct(index) {
        return BTreeSet::new();
    }
    let parts = types.get(index).map(|shared| shared.item.shape.types()).unwrap_or_default();
    parts.into_iter().filter_map(seen_through).filter(|&target| !is_struct(target)).collect()
}

/// The item that a type is read as.
fn seen_through(ty: &Type) -> Option<usize> {
    match ty {
        Type::Item(ItemId(target)) => Some(*target),
        Type::Nullable(inner) | Type::Tagged(inner, _) | Type::Boxed(inner) => seen_through(inner),
        _ => None,
    }
}

/// Adds boxes if a type contains itself without a list or map in between.
pub(crate) fn add_boxes(types: &mut [SharedType]) {
    for index in 0..types.len() {
        let targets = direct(types, index);
        let cyclic: BTreeSet<usize> =
            targets.into_iter().filter(|&target| reaches(target, index, &|at| direct(types, at))).collect();
        if cyclic.is_empty() {
            continue;
        }
        let Some(shared) = types.get_mut(index) else { continue };
        match &mut shared.item.shape {
            // A flattened base only leads back through another field, which gets the box.
            Shape::Struct(shape) => {
                let own = shape.fields.iter_mut().filter(|field| !field.flatten);
                own.for_each(|field| add_box(&mut field.ty, &cyclic));
            }
            shape => shape.types_mut().into_iter().for_each(|ty| add_box(ty, &cyclic)),
        }
    }
}

fn add_box(ty: &mut Type, cyclic: &BTreeSet<usize>) {
    let is_cyclic = |ty: &Type| matches!(ty, Type::Item(ItemId(target)) if cyclic.contains(target));
    match ty {
        Type::Array(inner, _) | Type::Nullable(inner) | Type::WithTags(inner, _) => add_box(inner, cyclic),
        Type::Tuple(parts) => parts.iter_mut().for_each(|part| add_box(part, cyclic)),
        // The box goes inside, since the tags belong to the field.
        Type::Tagged(inner, _) if is_cyclic(inner) => boxed(ty),
        ty if is_cyclic(ty) => boxed(ty),
        _ => {}
    }
}

fn boxed(ty: &mut Type) {
    *ty = Type::Boxed(Box::new(std::mem::replace(ty, Type::Node)));
}

/// The types whose values are stored directly in the values of a type.
fn direct(types: &[SharedType], index: usize) -> BTreeSet<usize> {
    let mut targets = BTreeSet::new();
    for ty in types.get(index).map(|shared| shared.item.shape.types()).unwrap_or_default() {
        ty.visit(true, &mut |ty, direct| {
            if let (Type::Item(ItemId(target)), true) = (ty, direct) {
                targets.insert(*target);
            }
        });
    }
    targets
}

fn reaches(from: usize, to: usize, next: &dyn Fn(usize) -> BTreeSet<usize>) -> bool {
    let mut seen = BTreeSet::new();
    let mut pending = vec![from];
    while let Some(index) = pending.pop() {
        if index == to {
            return true;
        }
        if seen.insert(index) {
            pending.extend(next(index));
        }
    }
    false
}
