//! `Found`: what a listing says about a file.

use std::time::SystemTime;

use asdf_schemas::Instant;

use super::Own;
use super::value::{Value, timestamp};

/// What a listing says about a file.
#[derive(Debug, Clone, Default)]
pub struct Found {
    /// The path or URL, as catalogues show it.
    pub name: String,
    /// The size in bytes.
    pub size: Option<u64>,
    /// The time of the last change.
    pub modified: Option<SystemTime>,
    /// Whether the file is valid, if it was validated.
    pub valid: Option<bool>,
}

impl Found {
    /// Creates a description of a file of which only the name is known.
    #[must_use]
    pub fn named(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }

    /// Returns the time of the last change in microseconds since 1970, as catalogues have it.
    #[must_use]
    pub fn modified_microseconds(&self) -> Option<i64> {
        match timestamp(Instant::from(self.modified?)) {
            Ok(Value::Timestamp(time)) => Some(time),
            _ => None,
        }
    }

    pub(super) fn value(&self, own: Own) -> Value {
        let text = |text: &str| Value::String(text.to_owned());
        match own {
            Own::File => text(&self.name),
            Own::Size => {
                self.size.and_then(|size| i64::try_from(size).ok()).map_or(Value::Null, Value::Integer)
            }
            Own::Modified => self.modified_microseconds().map_or(Value::Null, Value::Timestamp),
            Own::Valid => self.valid.map_or(Value::Null, Value::Boolean),
            Own::Standard | Own::Problems => Value::Null,
        }
    }
}
