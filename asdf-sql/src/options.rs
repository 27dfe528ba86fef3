//! How the files of a table are read.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// How the files of a table are read, and which columns it has.
///
/// # Examples
/// ```
/// use asdf_sql::AsdfOptions;
///
/// let options = AsdfOptions::new().schema("asdf://example.org/tags/exposure-1.0.0").strict(true);
/// # let _ = options;
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AsdfOptions {
    pub(crate) columns: Chosen,
    pub(crate) schemas: Schemas,
    pub(crate) strict: bool,
    pub(crate) sample: Option<usize>,
}

/// Where the columns of a table come from.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Chosen {
    /// The scalars in a sample of the files.
    #[default]
    Sample,
    /// Only those of the files themselves.
    Own,
    /// The scalars of the schema of a tag.
    Schema(String),
    /// The values that schemas annotate for a table of an archive.
    Table(String),
}

/// Schemas in addition to the built-in ones. Each process of a cluster finds them on its own machine.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Schemas {
    pub(crate) folders: Vec<PathBuf>,
    pub(crate) packages: Vec<String>,
    pub(crate) replace_built_in: bool,
}

impl AsdfOptions {
    /// The number of files whose trees are read to find columns.
    const SAMPLE: usize = 256;

    /// Creates the default options: the columns are the scalars in a sample of the files.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the columns from the schema of a tag.
    #[must_use]
    pub fn schema(mut self, tag: impl Into<String>) -> Self {
        self.columns = Chosen::Schema(tag.into());
        self
    }

    /// Takes the columns from the annotations `archive_catalog` for a table, such as `WFIExposure`.
    #[must_use]
    pub fn table(mut self, name: impl Into<String>) -> Self {
        self.columns = Chosen::Table(name.into());
        self
    }

    /// Adds the schemas and manifests in a folder and below.
    #[must_use]
    pub fn schema_folder(mut self, folder: impl Into<PathBuf>) -> Self {
        let folder = folder.into();
        self.schemas.folders.push(std::path::absolute(&folder).unwrap_or(folder));
        self
    }

    /// Adds the schemas of an installed Python package, such as `rad`.
    #[must_use]
    pub fn schema_package(mut self, name: impl Into<String>) -> Self {
        self.schemas.packages.push(name.into());
        self
    }

    /// Lets the added schemas replace built-in ones with the same id.
    #[must_use]
    pub fn replace_built_in(mut self, yes: bool) -> Self {
        self.schemas.replace_built_in = yes;
        self
    }

    /// Ends a query at the first file that cannot be read. Otherwise its values are null.
    #[must_use]
    pub fn strict(mut self, yes: bool) -> Self {
        self.strict = yes;
        self
    }

    /// Sets the number of files whose trees are read to find columns. The default is 256.
    #[must_use]
    pub fn sample(mut self, files: usize) -> Self {
        self.sample = Some(files);
        self
    }

    /// Takes only the columns of files themselves, such as `_file`.
    pub(crate) fn own_columns(mut self) -> Self {
        self.columns = Chosen::Own;
        self
    }

    /// The number of files whose trees are read to find columns.
    pub(crate) fn sample_size(&self) -> usize {
        self.sample.unwrap_or(Self::SAMPLE).max(1)
    }
}
