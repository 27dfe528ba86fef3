//! Structs whose properties are part of another struct's mapping: `#[asdf(flatten)]`.

use super::derived::{Fields, MappingWriter, incomplete};
use super::description::{Description, Form, Property};
use crate::error::Result;
use crate::tree::{NodeId, NodeRef, Tree};

/// A struct with named fields that can be read from part of a mapping.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be flattened",
    label = "its properties cannot be part of another mapping",
    note = "`flatten` is for structs with named fields that derive `Asdf` without a tag"
)]
pub trait FromFields: Sized {
    /// The keys that the struct reads.
    const KEYS: Keys;

    /// Reads the fields. Returns `None` on a fault, which `fields` records.
    fn take(fields: &mut Fields<'_>) -> Option<Self>;
}

/// A struct with named fields that can be written into a mapping.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be flattened",
    label = "its properties cannot be part of another mapping",
    note = "`flatten` is for structs with named fields that derive `Asdf` without a tag"
)]
pub trait ToFields {
    /// Writes the fields.
    fn put(&self, mapping: &mut MappingWriter<'_>);
}

/// The keys of a mapping that have fields.
#[derive(Debug, Clone, Copy)]
pub struct Keys {
    /// The keys of the type itself.
    pub own: &'static [&'static str],
    /// The keys of types flattened into it.
    pub flattened: &'static [Keys],
}

impl Keys {
    /// Returns whether a key is among them.
    #[must_use]
    pub const fn has(&self, key: &str) -> bool {
        let mut own = self.own;
        while let [first, rest @ ..] = own {
            if same(first.as_bytes(), key.as_bytes()) {
                return true;
            }
            own = rest;
        }
        let mut flattened = self.flattened;
        while let [first, rest @ ..] = flattened {
            if first.has(key) {
                return true;
            }
            flattened = rest;
        }
        false
    }

    /// Returns whether no two fields have the same key.
    ///
    /// This must already hold within each flattened type.
    #[must_use]
    pub const fn are_distinct(&self) -> bool {
        let mut flattened = self.flattened;
        while let [first, rest @ ..] = flattened {
            if first.share(&Self { own: self.own, flattened: rest }) {
                return false;
            }
            flattened = rest;
        }
        true
    }

    const fn share(&self, others: &Self) -> bool {
        let mut own = self.own;
        while let [first, rest @ ..] = own {
            if others.has(first) {
                return true;
            }
            own = rest;
        }
        let mut flattened = self.flattened;
        while let [first, rest @ ..] = flattened {
            if first.share(others) {
                return true;
            }
            flattened = rest;
        }
        false
    }

    /// Returns whether any key passes a test.
    pub(super) fn any(&self, test: &dyn Fn(&str) -> bool) -> bool {
        self.own.iter().any(|key| test(key)) || self.flattened.iter().any(|keys| keys.any(test))
    }

    /// Returns all keys.
    pub(super) fn all(&self) -> Vec<&'static str> {
        let mut all = self.own.to_vec();
        all.extend(self.flattened.iter().flat_map(Self::all));
        all
    }
}

/// Compares two texts in constants.
const fn same(mut a: &[u8], mut b: &[u8]) -> bool {
    loop {
        match (a, b) {
            ([], []) => return true,
            ([x, more_a @ ..], [y, more_b @ ..]) if *x == *y => {
                a = more_a;
                b = more_b;
            }
            _ => return false,
        }
    }
}

/// Reads a mapping that has only the fields of a struct.
///
/// # Errors
/// Returns [`Mismatch`](crate::error::Kind::Mismatch) if the node is not such a mapping.
pub fn read_fields<T: FromFields>(node: NodeRef<'_>, type_name: &'static str) -> Result<T> {
    let mut fields = Fields::of(node, type_name, T::KEYS)?;
    let value = T::take(&mut fields);
    fields.finish()?;
    value.ok_or_else(|| incomplete(node, type_name))
}

/// Writes a mapping with the fields of a struct.
///
/// # Errors
/// Returns an error if a value cannot be written.
pub fn write_fields<T: ToFields>(value: &T, tree: &mut Tree) -> Result<NodeId> {
    let mut mapping = MappingWriter::new(tree);
    value.put(&mut mapping);
    mapping.finish()
}

/// Returns the properties of a described struct.
#[must_use]
pub fn properties(description: Description) -> Vec<Property> {
    match description.form {
        Form::Mapping { properties, .. } => properties,
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_compared() {
        const INNER: Keys = Keys { own: &["a", "bc"], flattened: &[] };
        const OUTER: Keys = Keys { own: &["b"], flattened: &[INNER, Keys { own: &[], flattened: &[INNER] }] };
        assert!(INNER.has("bc") && !INNER.has("b") && OUTER.has("a") && OUTER.has("b"));
        assert_eq!(OUTER.all(), ["b", "a", "bc", "a", "bc"]);
        assert!(!OUTER.are_distinct());
        assert!(Keys { own: &["c"], flattened: &[INNER] }.are_distinct());
        assert!(!Keys { own: &["a"], flattened: &[INNER] }.are_distinct());
    }
}
