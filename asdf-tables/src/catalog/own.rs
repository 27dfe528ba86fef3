//! `Own`: the properties of a file that every catalogue can have.

use serde::{Deserialize, Serialize};

use super::Kind;

/// A property of a file itself, instead of a value in its tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Own {
    /// `_file`: the path or URL.
    File,
    /// `_size`: the size in bytes.
    Size,
    /// `_modified`: the time of the last change.
    Modified,
    /// `_standard`: the version of the ASDF Standard.
    Standard,
    /// `_valid`: whether the file is valid.
    Valid,
    /// `_problems`: why values are missing, as a list of texts. Null if there are no problems.
    Problems,
}

impl Own {
    /// All properties, in the order of columns.
    pub const ALL: [Self; 6] =
        [Self::File, Self::Size, Self::Modified, Self::Standard, Self::Valid, Self::Problems];

    /// Returns the name of the column.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::File => "_file",
            Self::Size => "_size",
            Self::Modified => "_modified",
            Self::Standard => "_standard",
            Self::Valid => "_valid",
            Self::Problems => "_problems",
        }
    }

    /// Returns the type of the column.
    #[must_use]
    pub fn kind(self) -> Kind {
        match self {
            Self::File | Self::Standard => Kind::String,
            Self::Size => Kind::Int64,
            Self::Modified => Kind::Timestamp,
            Self::Valid => Kind::Boolean,
            Self::Problems => Kind::List(Box::new(Kind::String)),
        }
    }

    /// Returns the property with the name of a column.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|own| own.name() == name)
    }

    /// Returns whether a listing of files is enough, so that the file does not have to be opened.
    #[must_use]
    pub const fn is_listed(self) -> bool {
        matches!(self, Self::File | Self::Size | Self::Modified)
    }
}
