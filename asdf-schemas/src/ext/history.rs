//! `History`: the processing steps of a file, and its extensions.

use asdf_core::value::Timestamp;
use asdf_core::{Result, Tagged};

use crate::basic::{ExtensionMetadata, History, HistoryEntry, HistoryEntrySoftware, Software};

impl History {
    /// Returns the processing steps, oldest first. Steps with an unknown tag are only in the fields.
    #[doc(alias = "get_history_entries")]
    pub fn entries(&self) -> impl Iterator<Item = &HistoryEntry> {
        let entries = match self {
            Self::Entries(entries) => Some(entries),
            Self::Full(full) => full.entries.as_ref(),
        };
        entries.into_iter().flatten().filter_map(Tagged::known)
    }

    /// Returns the extensions whose tags are in the file, in their order.
    ///
    /// A bare list of entries, as before standard 1.2.0, has none.
    pub fn extensions(&self) -> impl Iterator<Item = &ExtensionMetadata> {
        let extensions = match self {
            Self::Entries(_) => None,
            Self::Full(full) => full.extensions.as_ref(),
        };
        extensions.into_iter().flatten().filter_map(Tagged::known)
    }

    /// Adds a step at the end.
    ///
    /// To add a step to a file, use `asdf_core::File::add_history`, which does not read the history first.
    ///
    /// ```
    /// use asdf_schemas::basic::{FullHistory, History, HistoryEntry, Software};
    ///
    /// let mut history = History::Full(FullHistory::new());
    /// let program = Software::new("photometry-kit".to_owned(), "5.2.0".to_owned());
    /// history.push(HistoryEntry::new("Bias subtracted".to_owned()).at("2026-11-20 12:30:00".parse()?).by(program));
    ///
    /// let step = history.entries().next().unwrap();
    /// assert_eq!(step.description, "Bias subtracted");
    /// assert_eq!(step.programs().next().unwrap().version, "5.2.0");
    /// assert_eq!(history.extensions().count(), 0);
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    #[doc(alias = "add_history_entry")]
    pub fn push(&mut self, entry: HistoryEntry) {
        let entries = match self {
            Self::Entries(entries) => entries,
            Self::Full(full) => full.entries.get_or_insert_with(Vec::new),
        };
        entries.push(Tagged::Known(entry));
    }
}

impl HistoryEntry {
    /// Sets the time of the step, in UTC.
    #[must_use]
    pub fn at(self, time: Timestamp) -> Self {
        Self { time: Some(time), ..self }
    }

    /// Adds a program that performed the step.
    #[must_use]
    pub fn by(mut self, program: Software) -> Self {
        self.software = Some(match self.software.take() {
            None => HistoryEntrySoftware::Software(program),
            Some(HistoryEntrySoftware::Software(first)) => HistoryEntrySoftware::List(vec![first, program]),
            Some(HistoryEntrySoftware::List(mut list)) => {
                list.push(program);
                HistoryEntrySoftware::List(list)
            }
        });
        self
    }

    /// Returns the programs that performed the step.
    pub fn programs(&self) -> impl Iterator<Item = &Software> {
        match &self.software {
            None => &[],
            Some(HistoryEntrySoftware::Software(one)) => std::slice::from_ref(one),
            Some(HistoryEntrySoftware::List(list)) => list.as_slice(),
        }
        .iter()
    }
}

impl ExtensionMetadata {
    /// Returns the URI of the extension, from a property that the schema does not name.
    #[must_use]
    pub fn uri(&self) -> Option<&str> {
        self.extra.get("extension_uri")?.as_str()
    }

    /// Returns the package from the property `package`, or from `software`, which the schema does not name.
    ///
    /// # Errors
    /// [`Mismatch`](asdf_core::error::Kind::Mismatch) if `software` has another type.
    pub fn software(&self) -> Result<Option<Software>> {
        match (&self.package, self.extra.get("software")) {
            (Some(package), _) => Ok(Some(package.clone())),
            (None, Some(node)) => {
                asdf_core::value::read(node).map(Some).map_err(|error| error.under("software"))
            }
            (None, None) => Ok(None),
        }
    }
}
