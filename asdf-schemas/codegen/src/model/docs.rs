//! What is said about a type or a field.

/// What a schema says about a type or a field, and what the generator has to add.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Docs {
    pub(crate) title: Option<String>,
    pub(crate) description: Option<String>,
    /// Why nobody should use it any more, in the schema's words.
    pub(crate) deprecated: Option<String>,
    /// Sentences about what is allowed: "At most 8 characters."
    pub(crate) rules: Vec<String>,
    /// What an absent property stands for, as YAML on one line.
    pub(crate) default: Option<String>,
    /// What the first example shows, and its text.
    pub(crate) example: Option<(String, String)>,
    /// The schema itself, where the type says less.
    pub(crate) words: Option<String>,
}

impl Docs {
    /// The title, or the description if there is none.
    pub(crate) fn in_short(mut self) -> Self {
        if self.title.is_some() {
            self.description = None;
        }
        self
    }

    /// What is said here, and where nothing is, what `other` says.
    pub(crate) fn or(mut self, other: &Self) -> Self {
        if self.title.is_none() && self.description.is_none() {
            self.title.clone_from(&other.title);
            self.description.clone_from(&other.description);
        }
        self.default = self.default.or_else(|| other.default.clone());
        self
    }
}
