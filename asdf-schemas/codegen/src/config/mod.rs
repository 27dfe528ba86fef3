//! What to generate, from where, and under which names.

mod file;

use std::io::Write as _;
use std::path::{Path, PathBuf};

use crate::generate::{Generated, generate};
use crate::settings::{Extern, Module, Settings};
use crate::{Error, Report, Result};

/// What to generate, from where, and under which names; the entry point of this crate.
///
/// Everything but the package can also stand in a file, see [`config_file`](Self::config_file). What
/// is given by both adds up; for the same pattern the later call wins.
///
/// ```no_run
/// // build.rs
/// fn main() -> asdf_codegen::Result<()> {
///     asdf_codegen::Config::new().package("schemas").config_file("generate.yaml").run()?;
///     Ok(())
/// }
/// ```
///
/// Then, in the library:
///
/// ```text
/// #[allow(missing_docs, clippy::large_enum_variant, clippy::module_inception, reason = "generated")]
/// pub mod lab {
///     include!(concat!(env!("OUT_DIR"), "/types.rs"));
/// }
/// ```
///
/// A type or a field has docs if its schema has a title or a description, and none otherwise: hence `missing_docs`.
#[derive(Debug, Clone, Default)]
pub struct Config {
    packages: Vec<PathBuf>,
    files: Vec<PathBuf>,
    out: Option<PathBuf>,
    own: Settings,
}

impl Config {
    /// A configuration without packages, which generates nothing.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates a configuration for packages that build on the ASDF Standard: its schemas and tags are the types of
    /// `asdf_core` and `asdf_schemas`, which the crate needs as dependencies.
    ///
    /// | a schema refers to, or asks for | type |
    /// |---|---|
    /// | `core/ndarray`, `core/complex`, `core/integer` | `asdf_core::NdArray`, `asdf_core::array::{Complex, Integer}` |
    /// | `unit/unit`, `unit/quantity`, `unit/defunit` | those of `asdf_schemas::unit` |
    /// | `time/time` of any version, or of several (`time-1.*`) | `asdf_schemas::time::Time`, which reads all |
    /// | the tag of one older version (`time-1.1.0`) | the type of that version, whose values have that tag |
    /// | `table/table`, `fits/fits`, `wcs`, the rest of `core` | those of `asdf_schemas`: `table`, `fits`, `wcs`, `basic` |
    /// | transforms | [`Node`](asdf_core::Node) |
    ///
    /// [`extern_type`](Self::extern_type) replaces any of them. Packages that the standard's own schemas are in
    /// need not be added.
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

    /// Adds a folder of schemas and manifests. All `.yaml` and `.yml` files in it and below are read;
    /// those without an `id` are passed over. The last part of an id has to be the file's name
    /// without the extension; where the folders are does not matter. Of schemas with the same id in
    /// several packages, that of the package given first counts.
    #[must_use]
    pub fn package(mut self, folder: impl Into<PathBuf>) -> Self {
        self.packages.push(folder.into());
        self
    }

    /// Adds the settings of a YAML file. Its keys, all optional, are those of the methods of the
    /// same names:
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
    ///     docs: Runs and what belongs to them.
    /// write_checks:
    ///   "asdf://example.org/lab/schemas/run-1.0.0": "crate::check::run"
    /// # Types of tags with another name, whose values become those of a schema's type.
    /// upgrades:
    ///   "asdf://example.org/lab/schemas/run-1.0.0": ["crate::old::Measurement"]
    /// ```
    ///
    /// `standard: true` is [`Config::standard`]. A key that is none of these is an error.
    #[must_use]
    pub fn config_file(mut self, file: impl Into<PathBuf>) -> Self {
        self.files.push(file.into());
        self
    }

    /// Sets the folder that [`run`](Self::run) writes to. Without it, that is `OUT_DIR`, as Cargo
    /// sets it for build scripts.
    #[must_use]
    pub fn out(mut self, folder: impl Into<PathBuf>) -> Self {
        self.out = Some(folder.into());
        self
    }

    /// Adds a manifest, by its id or a pattern of ids (`*` is anything but `/`, `**` is anything).
    /// Manifests say which tag has which schema. Without any, all those in the packages count.
    #[must_use]
    pub fn manifest(mut self, id: impl Into<String>) -> Self {
        self.own.manifests.push(id.into());
        self
    }

    /// Adds a manifest, by its id or a pattern of ids, whose versions are the current ones: their types
    /// get the plain names, and new values their tags. Families that are in none of these manifests
    /// take their newest version for that.
    #[must_use]
    pub fn default_manifest(mut self, id: impl Into<String>) -> Self {
        self.own.default.push(id.into());
        self
    }

    /// Adds types to generate, by tag, schema id or a pattern of either. What they refer to is
    /// generated too. Without any, every schema that has a tag is.
    #[must_use]
    pub fn types(mut self, pattern: impl Into<String>) -> Self {
        self.own.types.push(pattern.into());
        self
    }

    /// Says that a schema, or a place in a schema (`id#/json/pointer`), or a pattern of them, is a type
    /// that exists. The schema itself need not be in a package then. If the type is given tags, the
    /// generated code does not compile unless it implements `asdf_core::Asdf` and reads such tags.
    #[must_use]
    pub fn extern_type(mut self, pattern: impl Into<String>, type_: Extern) -> Self {
        self.own.externs.insert(pattern.into(), type_);
        self
    }

    /// Names the type, field or variant for a schema, or for a place in a schema (`id#/json/pointer`),
    /// or for a pattern of them. The longest pattern that fits counts. A name that nothing asks for
    /// is an error.
    #[must_use]
    pub fn name(mut self, pattern: impl Into<String>, name: impl Into<String>) -> Self {
        self.own.names.insert(pattern.into(), name.into());
        self
    }

    /// Says which module the schemas belong to whose ids begin like this. The folders of an id that
    /// follow become modules below it. The longest beginning counts; without any, the modules are
    /// the folders after `/schemas/`, or else all.
    #[must_use]
    pub fn module(mut self, prefix: impl Into<String>, module: Module) -> Self {
        self.own.modules.insert(prefix.into(), module);
        self
    }

    /// Names a function `fn(&Type) -> asdf_core::Result<()>` that is called before a value of a schema's type is
    /// written, by the path of the function and the id of the schema, for what holds between properties. The type is
    /// that of the newest version if several share it. An id that no type is for is an error.
    #[must_use]
    pub fn write_check(mut self, id: impl Into<String>, function: impl Into<String>) -> Self {
        self.own.write_checks.insert(id.into(), function.into());
        self
    }

    /// Names a type whose values the type of a schema reads too, by the id of the schema and the path of the type. The
    /// schema's type has to implement `TryFrom` or `From` of that type, which has a tag of its own: use it if a tag was
    /// renamed. Such a value is written with the tag of the schema's type. Other versions of the same tag need nothing.
    /// An id that no type is for is an error.
    #[must_use]
    pub fn upgrade(mut self, id: impl Into<String>, from: impl Into<String>) -> Self {
        self.own.upgrades.entry(id.into()).or_default().push(from.into());
        self
    }

    /// Generates the text in memory.
    ///
    /// # Errors
    /// [`Io`](asdf_core::error::Kind::Io) when a file cannot be read,
    /// [`Malformed`](asdf_core::error::Kind::Malformed) when one is not what it should be (not YAML, a
    /// keyword of the wrong type, a reference that leads nowhere, an id that does not fit its file),
    /// [`Usage`](asdf_core::error::Kind::Usage) when the configuration asks for what there is not, or
    /// two types come to the same name. All say where.
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

    /// Generates and writes `types.rs` and `report.md` to the folder of [`out`](Self::out), or else to
    /// `OUT_DIR`, in which case the lines are printed that make Cargo run the build script again when
    /// a schema changes. A file that would not change is not touched.
    ///
    /// # Errors
    /// See [`generate`](Self::generate); also when the files cannot be written, or there is no folder.
    pub fn run(&self) -> Result<Report> {
        let generated = self.generate()?;
        let (folder, in_build) = match (&self.out, std::env::var_os("OUT_DIR")) {
            (Some(folder), _) => (folder.clone(), false),
            (None, Some(folder)) => (PathBuf::from(folder), true),
            (None, None) => {
                return Err(Error::usage("there is no folder to write to")
                    .with_hint("call `out`, or run this from a build script, where Cargo sets OUT_DIR"));
            }
        };
        std::fs::create_dir_all(&folder)
            .map_err(|error| Error::io("making the folder", error).at_file(&folder))?;
        write(&folder.join("types.rs"), generated.types())?;
        write(&folder.join("report.md"), &generated.report().to_string())?;
        if in_build {
            self.tell_cargo()?;
        }
        Ok(generated.into_report())
    }

    fn tell_cargo(&self) -> Result<()> {
        let mut out = std::io::stdout().lock();
        // A folder is watched with all that is in it.
        for path in self.packages.iter().chain(&self.files) {
            writeln!(out, "cargo::rerun-if-changed={}", path.display())
                .map_err(|error| Error::io("telling Cargo what to watch", error))?;
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
    fn the_longest_pattern_counts() {
        let config = Config::new().name("a/**", "Any").name("a/b-*#/x", "Some").name("a/b-1.0.0#/x", "One");
        let name = |place: &str| config.own.name_for(place).map(|(_, name)| name.to_owned());
        assert_eq!(name("a/b-1.0.0#/x").as_deref(), Some("One"));
        assert_eq!(name("a/b-2.0.0#/x").as_deref(), Some("Some"));
        assert_eq!(name("a/c").as_deref(), Some("Any"));
        assert_eq!(name("b"), None);
    }
}
