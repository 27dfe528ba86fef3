//! Which type each place of a schema belongs to.

use std::collections::BTreeMap;

use crate::library::{Library, Place};
use crate::shape::Shared;

/// For each document the pointers of its types, and the types.
pub(crate) type Owners<'a> = BTreeMap<usize, Vec<(&'a str, usize)>>;

/// Finds them.
pub(crate) fn owners<'a>(library: &'a Library, shared: &Shared) -> Owners<'a> {
    let mut owners: Owners<'a> = BTreeMap::new();
    for (place, type_) in shared.places.iter().zip(&shared.became) {
        owners.entry(place.document).or_default().push((library.pointer(*place), *type_));
    }
    owners
}

/// The type that a place belongs to, which is that of the closest place above it, and the pointer to that.
pub(crate) fn owner<'a>(library: &Library, owners: &Owners<'a>, place: Place) -> Option<(usize, &'a str)> {
    let pointer = library.pointer(place);
    let above = |(at, _): &&(&str, usize)| {
        pointer.strip_prefix(at).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let list = owners.get(&place.document)?;
    // Of two types at the same place the first, which is the schema's own.
    list.iter().filter(above).rev().max_by_key(|(at, _)| at.len()).map(|(at, type_)| (*type_, *at))
}
