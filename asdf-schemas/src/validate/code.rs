//! The codes of findings: short, stable, and explained.

use std::fmt;
use std::str::FromStr;

use asdf_core::error::Hint;
use asdf_core::{Error, Result, error};

/// The severity of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Information; nothing is wrong.
    Note,
    /// Unusual, but allowed.
    Warning,
    /// A violation of the standard or of a schema.
    Error,
}

impl Severity {
    /// Returns `note`, `warning` or `error`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

macro_rules! codes {
    ($($variant:ident $id:literal $rule:literal $severity:ident $title:literal,)*) => {
        /// A stable, machine-readable code of a finding.
        ///
        /// An id never changes its meaning and is never reused. The letters: S for schemas, T for tags, Y for YAML,
        /// A for arrays, B for blocks, M for the meaning of values, F for files, P for packages of schemas.
        ///
        /// ```
        /// use asdf_schemas::validate::{Code, Severity};
        ///
        /// let code: Code = "S003".parse()?;
        /// assert_eq!((code.id(), code.rule()), ("ASDF-S003", "required"));
        /// assert_eq!((code.title(), code.severity()), ("a property is missing", Severity::Error));
        /// assert!(code.explanation().contains("lacks a property"));
        /// # Ok::<(), asdf_core::Error>(())
        /// ```
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Code {
            $(#[doc = concat!($id, ": ", $title, ".")] $variant,)*
        }

        impl Code {
            /// All codes, in the order of this list.
            pub const ALL: &[Self] = &[$(Self::$variant,)*];

            /// Returns the id, such as `ASDF-S001`.
            #[must_use]
            pub fn id(self) -> &'static str {
                match self { $(Self::$variant => $id,)* }
            }

            /// Returns the name of the violated rule.
            ///
            /// It is a keyword of schemas (`type`, `required`, `tag`), or a word such as `block`, `array`, `keys`, `integers`
            /// or `yaml`.
            #[must_use]
            pub fn rule(self) -> &'static str {
                match self { $(Self::$variant => $rule,)* }
            }

            /// Returns the severity of all findings with this code.
            #[must_use]
            pub fn severity(self) -> Severity {
                match self { $(Self::$variant => Severity::$severity,)* }
            }

            /// Returns a description in a few words.
            #[must_use]
            pub fn title(self) -> &'static str {
                match self { $(Self::$variant => $title,)* }
            }
        }
    };
}

codes! {
    Type "ASDF-S001" "type" Error "a value of the wrong type",
    Enum "ASDF-S002" "enum" Error "a value that is not in the list",
    Required "ASDF-S003" "required" Error "a property is missing",
    AdditionalProperties "ASDF-S004" "additionalProperties" Error "a property that is not allowed",
    AdditionalItems "ASDF-S005" "additionalItems" Error "more items than the schema describes",
    Pattern "ASDF-S006" "pattern" Error "a string that does not match",
    MinLength "ASDF-S007" "minLength" Error "a string that is too short",
    MaxLength "ASDF-S008" "maxLength" Error "a string that is too long",
    MinItems "ASDF-S009" "minItems" Error "too few items",
    MaxItems "ASDF-S010" "maxItems" Error "too many items",
    UniqueItems "ASDF-S011" "uniqueItems" Error "items that are equal",
    MinProperties "ASDF-S012" "minProperties" Error "too few properties",
    MaxProperties "ASDF-S013" "maxProperties" Error "too many properties",
    Minimum "ASDF-S014" "minimum" Error "a number that is too small",
    Maximum "ASDF-S015" "maximum" Error "a number that is too large",
    ExclusiveMinimum "ASDF-S016" "exclusiveMinimum" Error "a number at or below the limit",
    ExclusiveMaximum "ASDF-S017" "exclusiveMaximum" Error "a number at or above the limit",
    MultipleOf "ASDF-S018" "multipleOf" Error "a number that is not a multiple",
    AnyOf "ASDF-S019" "anyOf" Error "a value that fits no alternative",
    OneOf "ASDF-S020" "oneOf" Error "a value that fits no alternative, or more than one",
    Not "ASDF-S021" "not" Error "a value that is excluded",
    Tag "ASDF-S022" "tag" Error "the wrong tag, or no tag",
    Ndim "ASDF-S023" "ndim" Error "an array with the wrong number of axes",
    MaxNdim "ASDF-S024" "max_ndim" Error "an array with too many axes",
    Datatype "ASDF-S025" "datatype" Error "an array of the wrong datatype",
    Schema "ASDF-S026" "schema" Warning "a schema that cannot be used",
    Limit "ASDF-S027" "limit" Error "a tree that is too large to validate",
    Keyword "ASDF-S028" "keyword" Error "a keyword added by the validating program",
    Check "ASDF-S029" "check" Error "a check added by the validating program",
    Other "ASDF-S030" "other" Error "another rule of the schema",
    UnknownTag "ASDF-T001" "unknown-tag" Note "a tag without a schema",
    TagVersion "ASDF-T002" "tag-version" Warning "a tag of another version of the standard",
    Yaml "ASDF-Y001" "yaml" Error "a tree that is not YAML 1.1",
    Keys "ASDF-Y002" "keys" Error "a key of a type that is not allowed",
    DuplicateKey "ASDF-Y003" "keys" Error "a duplicate key",
    Integers "ASDF-Y004" "integers" Error "an integer that does not fit in 64 bits",
    Array "ASDF-A001" "array" Error "an array that does not fit its data",
    Block "ASDF-B001" "block" Error "a block that cannot be read",
    Checksum "ASDF-B002" "block" Error "a checksum that does not match",
    DecodedChecksum "ASDF-B003" "block" Warning "a checksum of the decoded bytes",
    Codec "ASDF-B004" "block" Warning "a codec that this build lacks",
    Index "ASDF-B005" "index" Warning "a block index that does not match the blocks",
    Undecodable "ASDF-B006" "block" Error "a compressed block that does not decode",
    UnitText "ASDF-M001" "unit" Warning "a unit that does not parse",
    NoSuchTime "ASDF-M002" "time" Warning "a date or time that does not exist",
    ColumnLengths "ASDF-M003" "columns" Warning "table columns of different lengths",
    QuantityDatatype "ASDF-M004" "datatype" Warning "a quantity with another datatype than its array",
    Unreadable "ASDF-F001" "file" Error "a file that cannot be read as ASDF",
    Header "ASDF-F002" "header" Warning "a header of a newer or unknown version",
    Stopped "ASDF-F003" "stopped" Error "a file that was not checked to its end",
    Reference "ASDF-P001" "$ref" Error "a reference whose target does not exist",
    Example "ASDF-P002" "examples" Error "an example that is not valid",
    Id "ASDF-P003" "id" Error "an id that is missing, not unique, or unlike the file name",
    Manifest "ASDF-P004" "schema_uri" Error "a tag of a manifest whose schema does not exist",
    TagKeyword "ASDF-P005" "tag" Warning "a tag that no manifest lists",
    UnknownKeyword "ASDF-P006" "keyword" Warning "a keyword that looks misspelled",
}

impl Code {
    /// Returns the code of a keyword of schemas.
    pub(super) fn of_keyword(keyword: &str) -> Self {
        match keyword {
            super::normal::NO_TIMESTAMP => Self::Type,
            _ => {
                let schemas = Self::ALL.iter().copied().take_while(|code| *code < Self::Schema);
                schemas.into_iter().find(|code| code.rule() == keyword).unwrap_or(Self::Other)
            }
        }
    }

    /// Returns the code of errors with the same meaning.
    pub(super) fn of_errors(self) -> Option<error::Code> {
        Some(match self {
            Self::Tag => error::Code::Tag,
            Self::Datatype => error::Code::Datatype,
            Self::Yaml => error::Code::Yaml,
            Self::Integers => error::Code::Integers,
            Self::Block => error::Code::Block,
            Self::Checksum => error::Code::Checksum,
            Self::Codec => error::Code::Codec,
            Self::Index => error::Code::Index,
            Self::Undecodable => error::Code::Undecodable,
            _ => return None,
        })
    }

    /// Returns an explanation in Markdown: the meaning of the code, an example, and what to do.
    #[must_use]
    pub fn explanation(self) -> &'static str {
        const TEXT: &str = include_str!("codes.md");
        let heading = |at: &str| at.trim_start_matches('#').trim_start().starts_with(self.id());
        let mut sections = TEXT.split("\n## ").skip(1);
        let section = sections.find(|section| heading(section)).unwrap_or_default();
        section.split_once('\n').map_or("", |(_, text)| text.trim())
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

impl FromStr for Code {
    type Err = Error;

    /// Returns the code with an id, in upper or lower case, with or without `ASDF-`.
    ///
    /// # Errors
    /// [`Usage`](asdf_core::error::Kind::Usage) if no code has this id.
    fn from_str(text: &str) -> Result<Self> {
        let wanted = text.trim().to_ascii_uppercase();
        let wanted = wanted.strip_prefix("ASDF-").unwrap_or(&wanted);
        let found = Self::ALL.iter().copied().find(|code| code.id().strip_prefix("ASDF-") == Some(wanted));
        found.ok_or_else(|| {
            Error::usage(format!("unknown code '{}'", text.escape_debug())).with_hint(Hint::ListCodes)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_is_explained_and_found_by_its_id() {
        let mut last = "";
        for code in Code::ALL {
            let explanation = code.explanation();
            assert!(explanation.len() > 150, "{code} is not explained");
            assert!(explanation.contains("\n\n    "), "{code} has no example");
            // What to do about it comes last.
            assert!(!explanation.lines().last().unwrap().starts_with(' '), "{code} ends with its example");
            assert_eq!(code.id().parse::<Code>().unwrap(), *code);
            assert_eq!(code.id()[5..].to_lowercase().parse::<Code>().unwrap(), *code);
            let group = |id: &str| id.get(5..6).map(str::to_owned);
            assert!(last < code.id() || group(last) != group(code.id()), "{code} is out of order");
            last = code.id();
        }
        let alike: Vec<_> = Code::ALL
            .iter()
            .filter_map(|code| Some((format!("{code:?}"), format!("{:?}", code.of_errors()?))))
            .collect();
        assert_eq!(alike.len(), 9);
        assert!(alike.iter().all(|(code, error)| code == error), "{alike:?}");
        assert_eq!("S99".parse::<Code>().unwrap_err().kind(), asdf_core::error::Kind::Usage);
        let text = include_str!("codes.md");
        assert_eq!(text.matches("\n## ").count(), Code::ALL.len(), "a section without a code");
    }
}
