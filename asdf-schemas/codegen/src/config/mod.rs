//! The configuration of the generator.

mod file;

use std::io::Write as _;
use std::path::{Path, PathBuf};

use crate::generate::{Generated, generate};
use crate::settings::{Extern, Module, Settings};
use crate::{Error, Report, Result};

/// The configuration of the generator, and the entry point of this crate.
///
/// All settings except packages can also be in a file: see [`config_file`](Self::config_file). Settings of methods and
/// files are combined. For the same pattern, the later call takes precedence.
///
/// # Examples
///
/// ```no_run
/// // build.rs
/// fn main() -> asdf_codegen::Result<()> {
///     asdf_codegen::Config::new().package("schemas").config_file("generate.yaml").run()?;
///     Ok(())
/// }
/// ```
///
/// Include the generated code in the library:
///
/// ```text
/// #[allow(missing_docs, clippy::large_enum_variant, clippy::module_inception, reason = "generated")]
/// pub mod lab {
///     include!(concat!(env!("OUT_DIR"), "/types.rs"));
/// }
/// ```
///
/// `missing_docs` is allowed because a type or field has docs only if its schema has a title or a description.
#[derive(Debug, Clone, Default)]
pub struct Config {
    packages: Vec<PathBuf>,
    files: Vec<PathBuf>,
    out: Option<PathBuf>,
    own: Settings,
}

impl Config {
    /// Creates a configuration without packages, which generates nothing.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates a configuration for packages that build on the ASDF Standard.
    ///
    /// Schemas and tags of the standard are mapped to the types of `asdf_core` and `asdf_schemas`, which must be
    /// dependencies of the crate.
    ///
    /// | referenced schema or required tag | type |
    /// |---|---|
    /// | `core/ndarray`, `core/complex`, `core/integer` | `asdf_core::NdArray`, `asdf_core::array::{Complex, Integer}` |
    /// | `unit/unit`, `unit/quantity`, `unit/defunit` | the types of `asdf_schemas::unit` |
    /// | `time/time` of any version, or of several (`time-1.*`) | `asdf_schemas::time::Time`, which reads all versions |
    /// | the tag of one older version (`time-1.1.0`) | the type of that version, whose values have that tag |
    /// | `table/table`, `fits/fits`, `wcs`, the rest of `core` | the types of `asdf_schemas::{table, fits, wcs, basic}` |
    /// | transforms | [`Node`](asdf_core::Node) |
    ///
    /// [`extern_type`](Self::extern_type) replaces any of these types. The packages with the schemas of the standard do
    /// not have to be added.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// // build.rs
    /// fn main() -> asdf_codegen::Result<()> {
    ///     asdf_codegen::Config::standard().package("rad/resources").run()?;
    ///     Ok(())
    /// }
    /// ```
    #[must_use]
    pub fn standard() -> Self {
        let mut config = Self::default();
        config.own.standard = true;
        config
    }

    /// Adds a folder of schemas and manifests.
    ///
    /// All `.yaml` and `.yml` files in the folder and its subfolders are read; files without an `id` are skipped. The last
    /// part of an id must be the name of the file without the extension. The location of the folders does not matter. If
    /// several packages have a schema with the same id, the first package is used.
    ///
    /// # Examples
    ///
    /// ```
    /// use asdf_codegen::Config;
    ///
    /// // Packages are read when the types are generated.
    /// assert!(Config::new().package("no-such-folder").generate().is_err());
    /// ```
    #[must_use]
    pub fn package(mut self, folder: impl Into<PathBuf>) -> Self {
        self.packages.push(folder.into());
        self
    }

    /// Adds the settings of a YAML file.
    ///
    /// All keys are optional and correspond to the methods of the same name:
    ///
    /// ```yaml
    /// standard: true
    /// manifests: ["asdf://example.org/lab/manifests/*"]
    /// default: ["asdf://example.org/lab/manifests/lab-1.0.0"]
    /// types: ["asdf://example.org/lab/tags/*"]
    /// extern:
    ///   "asdf://example.org/optics/schemas/lens-*":
    ///     type: "::optics::Lens"
    ///     tags: ["asdf://example.org/optics/tags/lens-1.*"]
    ///     kinds: [mapping]
    /// names:
    ///   "asdf://example.org/lab/schemas/run-*#/properties/meta": RunInfo
    /// modules:
    ///   "asdf://example.org/lab/schemas/":
    ///     path: lab
    ///     docs: Runs and their metadata.
    /// write_checks:
    ///   "asdf://example.org/lab/schemas/run-1.0.0": "crate::check::run"
    /// # Types of renamed tags, whose values are converted to the type of a schema.
    /// upgrades:
    ///   "asdf://example.org/lab/schemas/run-1.0.0": ["crate::old::Measurement"]
    /// ```
    ///
    /// `standard: true` has the effect of [`Config::standard`]. An unknown key is an error.
    #[must_use]
    pub fn config_file(mut self, file: impl Into<PathBuf>) -> Self {
        self.files.push(file.into());
        self
    }

    /// Sets the folder that [`run`](Self::run) writes to.
    ///
    /// The default is `OUT_DIR`, which Cargo sets for build scripts.
    #[must_use]
    pub fn out(mut self, folder: impl Into<PathBuf>) -> Self {
        self.out = Some(folder.into());
        self
    }

    /// Adds a manifest, by its id or a pattern (`*` matches anything but `/`, `**` matches anything).
    ///
    /// Manifests map tags to schemas. By default, all manifests in the packages are used.
    #[must_use]
    pub fn manifest(mut self, id: impl Into<String>) -> Self {
        self.own.manifests.push(id.into());
        self
    }

    /// Adds a manifest whose versions are the current ones, by its id or a pattern.
    ///
    /// The types of these versions have names without a version, and new values have their tags. For tags that are in none
    /// of these manifests, the newest version is the current one.
    #[must_use]
    pub fn default_manifest(mut self, id: impl Into<String>) -> Self {
        self.own.default.push(id.into());
        self
    }

    /// Adds types to generate, by tag, schema id or a pattern.
    ///
    /// The types that they refer to are generated too. By default, types for all schemas with a tag are generated.
    #[must_use]
    pub fn types(mut self, pattern: impl Into<String>) -> Self {
        self.own.types.push(pattern.into());
        self
    }

    /// Maps a schema, a part of a schema (`id#/json/pointer`), or a pattern of these to an existing type.
    ///
    /// The schema does not have to be in a package. If the [`Extern`] has tags, the type must implement `asdf_core::Asdf`
    /// and read these tags; otherwise the generated code does not compile.
    #[must_use]
    pub fn extern_type(mut self, pattern: impl Into<String>, type_: Extern) -> Self {
        self.own.externs.insert(pattern.into(), type_);
        self
    }

    /// Sets the name of the type, field or variant for a schema.
    ///
    /// The schema is given by its id, as a part of a schema (`id#/json/pointer`), or as a pattern of these. The longest
    /// matching pattern is used. A name that is not used is an error.
    #[must_use]
    pub fn name(mut self, pattern: impl Into<String>, name: impl Into<String>) -> Self {
        self.own.names.insert(pattern.into(), name.into());
        self
    }

    /// Sets the module of all schemas whose ids begin with a prefix.
    ///
    /// The folders of an id after the prefix become submodules. The longest matching prefix is used. By default, the
    /// modules are the folders after `/schemas/`, or all folders if there is no `/schemas/`.
    #[must_use]
    pub fn module(mut self, prefix: impl Into<String>, module: Module) -> Self {
        self.own.modules.insert(prefix.into(), module);
        self
    }

    /// Sets a function that is called before a value of a schema's type is written.
    ///
    /// The function has the signature `fn(&Type) -> asdf_core::Result<()>` and checks conditions between properties. It is
    /// given by its path, the schema by its id. If several versions share the type, give the id of the newest. An id
    /// without a type is an error.
    #[must_use]
    pub fn write_check(mut self, id: impl Into<String>, function: impl Into<String>) -> Self {
        self.own.write_checks.insert(id.into(), function.into());
        self
    }

    /// Adds a type whose values are converted to the type of a schema when they are read.
    ///
    /// Use it if a tag was renamed. The schema is given by its id, the other type by its path. The schema's type must
    /// implement `TryFrom` or `From` for the other type, which has its own tag. Converted values are written with the tag
    /// of the schema's type. Other versions of the same tag do not need this setting. An id without a type is an error.
    #[must_use]
    pub fn upgrade(mut self, id: impl Into<String>, from: impl Into<String>) -> Self {
        self.own.upgrades.entry(id.into()).or_default().push(from.into());
        self
    }

    /// Generates the code in memory.
    ///
    /// # Errors
    /// All errors have the place in the file or configuration.
    ///
    /// - [`Io`](asdf_core::error::Kind::Io) if a file cannot be read.
    /// - [`Malformed`](asdf_core::error::Kind::Malformed) if a file is not valid: not YAML, a keyword of the wrong type, a
    ///   reference whose target does not exist, an id that differs from the name of the file.
    /// - [`Usage`](asdf_core::error::Kind::Usage) if the configuration names something that does not exist, or if two types
    ///   have the same name.
    ///
    /// # Examples
    ///
    /// ```
    /// use asdf_codegen::Config;
    ///
    /// let generated = Config::new().generate()?;
    /// assert!(generated.report().types().is_empty());
    /// # Ok::<(), asdf_codegen::Error>(())
    /// ```
    pub fn generate(&self) -> Result<Generated> {
        let mut given = Settings::default();
        for file in &self.files {
            given.add(file::read(file)?);
        }
        given.add(self.own.clone());
        let mut settings = if given.standard { file::standard()? } else { Settings::default() };
        settings.add(given);
        generate(&self.packages, &self.files, &settings)
    }

    /// Generates the code and writes `types.rs` and `report.md`.
    ///
    /// The files are written to the folder of [`out`](Self::out) or, by default, to `OUT_DIR`. In the latter case the
    /// function also tells Cargo to run the build script again if a schema changes. Files that would not change are not
    /// written.
    ///
    /// # Errors
    /// See [`generate`](Self::generate). Also if the files cannot be written, or no folder is set.
    pub fn run(&self) -> Result<Report> {
        let generated = self.generate()?;
        let (folder, in_build) = match (&self.out, std::env::var_os("OUT_DIR")) {
            (Some(folder), _) => (folder.clone(), false),
            (None, Some(folder)) => (PathBuf::from(folder), true),
            (None, None) => {
                return Err(Error::usage("no output folder is set")
                    .with_hint("call `out`, or run this from a build script, where Cargo sets OUT_DIR"));
            }
        };
        std::fs::create_dir_all(&folder)
            .map_err(|error| Error::io("creating the folder", error).at_file(&folder))?;
        write(&folder.join("types.rs"), generated.types())?;
        write(&folder.join("report.md"), &generated.report().to_string())?;
        if in_build {
            self.print_cargo_instructions()?;
        }
        Ok(generated.into_report())
    }

    fn print_cargo_instructions(&self) -> Result<()> {
        let mut out = std::io::stdout().lock();
        // Cargo watches a folder with all files in it.
        for path in self.packages.iter().chain(&self.files) {
            writeln!(out, "cargo::rerun-if-changed={}", path.display())
                .map_err(|error| Error::io("printing instructions for Cargo", error))?;
        }
        Ok(())
    }
}

fn write(file: &Path, text: &str) -> Result<()> {
    if std::fs::read_to_string(file).is_ok_and(|old| old == text) {
        return Ok(());
    }
    let io = |error| Error::io("writing", error).at_file(file);
    asdf_core::file::replace(file, |out| out.write_all(text.as_bytes()).map_err(io))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_pattern_is_used() {
        let config = Config::new().name("a/**", "Any").name("a/b-*#/x", "Some").name("a/b-1.0.0#/x", "One");
        let name = |place: &str| config.own.name_for(place).map(|(_, name)| name.to_owned());
        assert_eq!(name("a/b-1.0.0#/x").as_deref(), Some("One"));
        assert_eq!(name("a/b-2.0.0#/x").as_deref(), Some("Some"));
        assert_eq!(name("a/c").as_deref(), Some("Any"));
        assert_eq!(name("b"), None);
    }
}
