//! The keywords of schemas.

/// A keyword of schemas: its name, its origin and the type of its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Keyword {
    /// The name, such as `allOf`.
    pub name: &'static str,
    /// The specification that defines the keyword.
    pub draft: Draft,
    /// The type of the value.
    pub holds: Holds,
}

/// The specification that defines a keyword.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Draft {
    /// JSON Schema draft 4.
    Four,
    /// A later draft of JSON Schema. ASDF ignores the keyword, but references can lead into its value.
    Later,
    /// ASDF.
    Asdf,
}

/// The type of a keyword's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Holds {
    /// A schema: `not`.
    Schema,
    /// A schema or a boolean: `additionalProperties`.
    SchemaOrFlag,
    /// A schema or a list of schemas: `items`.
    SchemaOrList,
    /// A list of schemas: `allOf`.
    List,
    /// A mapping of schemas by name: `properties`.
    Named,
    /// A mapping of schemas or lists of strings by name: `dependencies`.
    NamedOrStrings,
    /// A string: `pattern`.
    Text,
    /// A list of strings: `required`.
    Strings,
    /// A non-negative integer: `maxItems`.
    Count,
    /// A number: `minimum`.
    Number,
    /// A boolean: `uniqueItems`.
    Flag,
    /// Something else: `enum`, `type`, `default`.
    Other,
}

impl Holds {
    /// Returns whether the value contains schemas.
    #[must_use]
    pub const fn has_schemas(self) -> bool {
        self.is_one() || self.is_list() || self.is_named()
    }

    /// Returns whether the value is a schema or can be one.
    #[must_use]
    pub const fn is_one(self) -> bool {
        matches!(self, Self::Schema | Self::SchemaOrFlag | Self::SchemaOrList)
    }

    /// Returns whether the value is a list of schemas or can be one.
    #[must_use]
    pub const fn is_list(self) -> bool {
        matches!(self, Self::List | Self::SchemaOrList)
    }

    /// Returns whether the value is a mapping whose keys are names that the schema defines.
    #[must_use]
    pub const fn is_named(self) -> bool {
        matches!(self, Self::Named | Self::NamedOrStrings)
    }
}

const fn of(name: &'static str, draft: Draft, holds: Holds) -> Keyword {
    Keyword { name, draft, holds }
}

/// All keywords, sorted by name.
pub const KEYWORDS: &[Keyword] = &[
    of("$defs", Draft::Later, Holds::Named),
    of("$ref", Draft::Four, Holds::Text),
    of("$schema", Draft::Four, Holds::Text),
    of("additionalItems", Draft::Four, Holds::SchemaOrFlag),
    of("additionalProperties", Draft::Four, Holds::SchemaOrFlag),
    of("allOf", Draft::Four, Holds::List),
    of("anyOf", Draft::Four, Holds::List),
    of("datatype", Draft::Asdf, Holds::Other),
    of("default", Draft::Four, Holds::Other),
    of("definitions", Draft::Four, Holds::Named),
    of("dependencies", Draft::Four, Holds::NamedOrStrings),
    of("description", Draft::Four, Holds::Text),
    of("enum", Draft::Four, Holds::Other),
    of("exact_datatype", Draft::Asdf, Holds::Flag),
    of("examples", Draft::Asdf, Holds::Other),
    // A boolean in draft 4, a number in later drafts.
    of("exclusiveMaximum", Draft::Four, Holds::Other),
    of("exclusiveMinimum", Draft::Four, Holds::Other),
    of("flowStyle", Draft::Asdf, Holds::Text),
    of("format", Draft::Four, Holds::Text),
    of("id", Draft::Four, Holds::Text),
    of("items", Draft::Four, Holds::SchemaOrList),
    of("maxItems", Draft::Four, Holds::Count),
    of("maxLength", Draft::Four, Holds::Count),
    of("maxProperties", Draft::Four, Holds::Count),
    of("max_ndim", Draft::Asdf, Holds::Count),
    of("maximum", Draft::Four, Holds::Number),
    of("minItems", Draft::Four, Holds::Count),
    of("minLength", Draft::Four, Holds::Count),
    of("minProperties", Draft::Four, Holds::Count),
    of("minimum", Draft::Four, Holds::Number),
    of("multipleOf", Draft::Four, Holds::Number),
    of("ndim", Draft::Asdf, Holds::Count),
    of("not", Draft::Four, Holds::Schema),
    of("oneOf", Draft::Four, Holds::List),
    of("pattern", Draft::Four, Holds::Text),
    of("patternProperties", Draft::Four, Holds::Named),
    of("properties", Draft::Four, Holds::Named),
    of("propertyOrder", Draft::Asdf, Holds::Strings),
    of("required", Draft::Four, Holds::Strings),
    of("style", Draft::Asdf, Holds::Text),
    of("tag", Draft::Asdf, Holds::Text),
    of("title", Draft::Four, Holds::Text),
    of("type", Draft::Four, Holds::Other),
    of("uniqueItems", Draft::Four, Holds::Flag),
];

/// Returns the keyword with a name. `None` if the name is not a keyword.
///
/// # Examples
///
/// ```
/// use asdf_schema_model::{Draft, Holds, keyword};
///
/// let tag = keyword("tag").expect("a keyword");
/// assert_eq!((tag.draft, tag.holds), (Draft::Asdf, Holds::Text));
/// assert!(keyword("unit").is_none());
/// ```
#[must_use]
pub fn keyword(name: &str) -> Option<Keyword> {
    let at = KEYWORDS.binary_search_by(|keyword| keyword.name.cmp(name)).ok()?;
    KEYWORDS.get(at).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_keywords_are_found() {
        assert!(KEYWORDS.is_sorted_by_key(|keyword| keyword.name));
        for known in KEYWORDS {
            assert_eq!(keyword(known.name), Some(*known));
        }
        for name in ["", "$id", "const", "contains", "if", "unit", "zzz"] {
            assert_eq!(keyword(name), None, "{name}");
        }
    }

    #[test]
    fn keywords_that_hold_schemas() {
        let names = |is: fn(Holds) -> bool| -> Vec<&str> {
            KEYWORDS.iter().filter(|keyword| is(keyword.holds)).map(|keyword| keyword.name).collect()
        };
        assert_eq!(names(Holds::is_one), ["additionalItems", "additionalProperties", "items", "not"]);
        assert_eq!(names(Holds::is_list), ["allOf", "anyOf", "items", "oneOf"]);
        let named = ["$defs", "definitions", "dependencies", "patternProperties", "properties"];
        assert_eq!(names(Holds::is_named), named);
        assert_eq!(names(Holds::has_schemas).len(), 12);
    }
}
