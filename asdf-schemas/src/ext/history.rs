//! `History`: what was done to a file, and by which extensions.

use asdf_core::value::Timestamp;
use asdf_core::{Result, Tagged};

use crate::basic::{ExtensionMetadata, History, HistoryEntry, HistoryEntrySoftware, Software};

impl History {
    /// The steps, oldest first. Those with a tag of their own are in the fields.
    pub fn entries(&self) -> impl Iterator<Item = &HistoryEntry> {
        let entries = match self {
            Self::Entries(entries) => Some(entries),
            Self::Full(full) => full.entries.as_ref(),
        };
        entries.into_iter().flatten().filter_map(Tagged::known)
    }

    /// The extensions whose tags are in the file, in their order. A bare list of entries, as before
    /// standard 1.2.0, has none.
    pub fn extensions(&self) -> impl Iterator<Item = &ExtensionMetadata> {
        let extensions = match self {
            Self::Entries(_) => None,
            Self::Full(full) => full.extensions.as_ref(),
        };
        extensions.into_iter().flatten().filter_map(Tagged::known)
    }

    /// Adds a step as the latest. (`asdf_core::File::add_history` does it without reading the tree's
    /// history.)
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
    pub fn push(&mut self, entry: HistoryEntry) {
        let entries = match self {
            Self::Entries(entries) => entries,
            Self::Full(full) => full.entries.get_or_insert_with(Vec::new),
        };
        entries.push(Tagged::Known(entry));
    }
}

impl HistoryEntry {
    /// Sets when the step was done, in UTC.
    #[must_use]
    pub fn at(self, time: Timestamp) -> Self {
        Self { time: Some(time), ..self }
    }

    /// The same step with one more program that did it.
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

    /// The programs that did it.
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
    /// The extension's URI, which many files give in a property that the schema does not name.
    #[must_use]
    pub fn uri(&self) -> Option<&str> {
        self.extra.get("extension_uri")?.as_str()
    }

    /// The package, by whichever of the two properties in use: `package`, or `software`, which the
    /// schema does not name.
    ///
    /// # Errors
    /// [`Mismatch`](asdf_core::error::Kind::Mismatch) when `software` is something else.
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
