//! What a schema says about a type beyond the language of schemas.

/// A keyword that is not of the language of schemas, such as the `unit` or the `archive_catalog` of Roman's
/// schemas: for programs that know it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Note {
    /// The property that it is about; empty when it is about the value as a whole.
    pub property: &'static str,
    /// The keyword.
    pub keyword: &'static str,
    /// Its value, as YAML in flow style on one line.
    pub value: &'static str,
}

/// A type with notes. `#[derive(Asdf)]` implements it when the attribute `notes` is given.
///
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
    /// All notes, in the order of the schema's properties; those about the value as a whole come first.
    const NOTES: &'static [Note];

    /// What a keyword says of a property, or, with an empty name, of the value as a whole.
    #[must_use]
    fn note(property: &str, keyword: &str) -> Option<&'static str> {
        let fits = |note: &&Note| note.property == property && note.keyword == keyword;
        Self::NOTES.iter().find(fits).map(|note| note.value)
    }
}
