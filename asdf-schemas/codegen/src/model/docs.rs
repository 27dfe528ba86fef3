//! The docs of a type or a field.

/// The docs of a type or a field: annotations of the schema, and additions of the generator.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Docs {
    pub(crate) title: Option<String>,
    pub(crate) description: Option<String>,
    /// The reason for deprecation, in the words of the schema.
    pub(crate) deprecated: Option<String>,
    /// Sentences about allowed values: "At most 8 characters."
    pub(crate) rules: Vec<String>,
    /// The default of an absent property, as YAML on one line.
    pub(crate) default: Option<String>,
    /// The description and text of the first example.
    pub(crate) example: Option<(String, String)>,
    /// The text of the schema, if the type does not represent it.
    pub(crate) words: Option<String>,
}

impl Docs {
    /// Keeps only the title, or the description if there is no title.
    pub(crate) fn in_short(mut self) -> Self {
        if self.title.is_some() {
            self.description = None;
        }
        self
    }

    /// Fills in missing parts from `other`.
    pub(crate) fn or(mut self, other: &Self) -> Self {
        if self.title.is_none() && self.description.is_none() {
            self.title.clone_from(&other.title);
            self.description.clone_from(&other.description);
        }
        self.default = self.default.or_else(|| other.default.clone());
        self
    }
}
