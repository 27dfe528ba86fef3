//! Required tags: kept only if the type would otherwise be written with another tag.

use crate::layout::Layout;
use crate::model::{Loss, Shape, Type};
use crate::report::LossKind;
use crate::shape::Shared;

/// Drops required tags that values have anyway, and tags in places that cannot have `write_tags`.
pub(crate) fn settle(shared: &mut Shared, layout: &Layout) {
    for type_ in &mut shared.types {
        let is_newtype = matches!(type_.item.shape, Shape::Newtype(_));
        let mut lost = Vec::new();
        for ty in type_.item.shape.types_mut() {
            ty.rewrite(&mut |ty| drop_only(ty, layout));
            let outer = if is_newtype { None } else { asking(ty) };
            let kept = outer.and_then(|ty| match ty {
                Type::WithTags(inner, tags) => {
                    let tags = std::mem::take(tags);
                    *ty = std::mem::replace(inner.as_mut(), Type::Node);
                    Some(tags)
                }
                _ => None,
            });
            ty.rewrite(&mut |ty| {
                if let Type::WithTags(inner, tags) = ty {
                    lost.extend(tags.first().cloned());
                    *ty = std::mem::replace(inner.as_mut(), Type::Node);
                }
            });
            if let Some(tags) = kept {
                *ty = Type::WithTags(Box::new(std::mem::replace(ty, Type::Node)), tags);
            }
        }
        for tag in lost {
            let message = format!(
                "new values in lists and maps are written with the tag of their type, but the schema requires `{tag}`"
            );
            let (place, document) = (type_.item.place, type_.item.place.document);
            shared.losses.push(Loss { kind: LossKind::Looser, place, document, message, in_docs: true });
        }
    }
}

/// Drops the required tag if the type has only one tag.
fn drop_only(ty: &mut Type, layout: &Layout) {
    let Type::WithTags(inner, tags) = ty else { return };
    let Some(index) = item_of(inner) else { return };
    let versions = layout.versions.get(index).is_some_and(|versions| !versions.is_empty());
    if let (Some([own]), false) = (layout.tags.get(index).map(Vec::as_slice), versions) {
        if tags.first() == Some(own) {
            *ty = std::mem::replace(inner.as_mut(), Type::Node);
        }
    }
}

/// The generated type of a value.
fn item_of(ty: &Type) -> Option<usize> {
    match ty {
        Type::Item(id) => Some(id.0),
        Type::Boxed(inner) | Type::Nullable(inner) | Type::Tagged(inner, _) => item_of(inner),
        _ => None,
    }
}

/// The type with required tags of a field or variant.
fn asking(ty: &mut Type) -> Option<&mut Type> {
    match ty {
        Type::WithTags(..) => Some(ty),
        Type::Boxed(inner) | Type::Nullable(inner) | Type::Tagged(inner, _) => asking(inner),
        _ => None,
    }
}
