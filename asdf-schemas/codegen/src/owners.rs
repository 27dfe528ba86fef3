//! Finds the type that each place of a schema belongs to.

use std::collections::BTreeMap;

use crate::library::{Library, Place};
use crate::shape::Shared;

/// For each document, the pointers of its types, and the types.
pub(crate) type Owners<'a> = BTreeMap<usize, Vec<(&'a str, usize)>>;

/// Collects the types of all documents.
pub(crate) fn owners<'a>(library: &'a Library, shared: &Shared) -> Owners<'a> {
    let mut owners: Owners<'a> = BTreeMap::new();
    for (place, type_) in shared.places.iter().zip(&shared.became) {
        owners.entry(place.document).or_default().push((library.pointer(*place), *type_));
    }
    owners
}

/// The type of the closest place at or above a place, and the pointer to that place.
pub(crate) fn owner<'a>(library: &Library, owners: &Owners<'a>, place: Place) -> Option<(usize, &'a str)> {
    let pointer = library.pointer(place);
    let above = |(at, _): &&(&str, usize)| {
        pointer.strip_prefix(at).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let list = owners.get(&place.document)?;
    // If two types have the same place, use the first, which is the type of the schema.
    list.iter().filter(above).rev().max_by_key(|(at, _)| at.len()).map(|(at, type_)| (*type_, *at))
}
