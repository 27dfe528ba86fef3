//! Keywords of a schema that are not part of the schema language.

/// A keyword that is not part of the schema language, for programs that know it.
///
/// Examples are `unit` and `archive_catalog` in Roman's schemas.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Note {
    /// The property to which it applies; empty if it applies to the whole value.
    pub property: &'static str,
    /// The keyword.
    pub keyword: &'static str,
    /// Its value, as YAML in flow style on one line.
    pub value: &'static str,
}

/// A type with notes. `#[derive(Asdf)]` implements it if the attribute `notes` is given.
///
/// # Examples
/// ```
/// use asdf_core::value::Noted;
/// use asdf_core::Asdf;
///
/// #[derive(Asdf)]
/// #[asdf(notes = [("", "archive_meta", "None"), ("duration", "unit", "s")])]
/// struct Exposure {
///     duration: f64,
/// }
///
/// assert_eq!(Exposure::note("duration", "unit"), Some("s"));
/// assert_eq!(Exposure::NOTES.len(), 2);
/// ```
pub trait Noted {
    /// All notes, in the order of the schema's properties. Those of the whole value come first.
    const NOTES: &'static [Note];

    /// Returns the value of a keyword for a property, or for the whole value if the name is empty.
    #[must_use]
    fn note(property: &str, keyword: &str) -> Option<&'static str> {
        let fits = |note: &&Note| note.property == property && note.keyword == keyword;
        Self::NOTES.iter().find(fits).map(|note| note.value)
    }
}
