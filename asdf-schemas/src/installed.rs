//! Finds the schemas of installed Python packages, without running their code.
//!
//! A package registers its schemas with the entry point `asdf.resource_mappings`, which names a module. Its schemas are the
//! YAML files in the folder of the module and below, or, if there are none, those of the whole package.
//!
//! # Examples
//!
//! Validate with the schemas of `rad`, the package of the Roman Space Telescope:
//!
//! ```no_run
//! use asdf_schemas::Registry;
//! use asdf_schemas::installed::Environment;
//!
//! let mut registry = Registry::new();
//! registry.add_package(&Environment::active(), "rad")?;
//! # Ok::<(), asdf_core::Error>(())
//! ```

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use asdf_core::error::Hint;
use asdf_core::{Error, Result};

use crate::Registry;
use crate::registry::folder;

/// The environment variable that lists packages, separated by commas or colons.
pub const VARIABLE: &str = "ASDF_PACKAGES";

/// The name that stands for all packages with schemas.
const ALL: &str = "*";

/// The folders in which Python finds packages.
///
/// # Examples
///
/// ```
/// use asdf_schemas::installed::Environment;
///
/// // Two files of an installed package, and one of its schemas.
/// let site = tempfile::tempdir()?;
/// for (name, text) in [
///     ("camera-1.0.dist-info/METADATA", "Name: camera\nVersion: 1.0\n"),
///     ("camera-1.0.dist-info/entry_points.txt", "[asdf.resource_mappings]\ncamera = camera:get\n"),
///     ("camera/schemas/lens-1.0.0.yaml", "id: asdf://example.org/camera/schemas/lens-1.0.0\n"),
/// ] {
///     let path = site.path().join(name);
///     std::fs::create_dir_all(path.parent().expect("a folder"))?;
///     std::fs::write(path, text)?;
/// }
///
/// let environment = Environment::new([site.path().to_path_buf()]);
/// let packages = environment.with_required("camera")?;
/// assert_eq!((packages[0].name.as_str(), packages[0].version.as_deref()), ("camera", Some("1.0")));
/// assert!(packages[0].folders[0].starts_with(site.path()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default)]
#[doc(alias = "entry_points")]
#[doc(alias = "resource_mappings")]
pub struct Environment {
    sites: Vec<PathBuf>,
}

/// Returns the packages that the [environment variable](VARIABLE) lists.
#[must_use]
pub fn listed_packages() -> Vec<String> {
    let names = std::env::var(VARIABLE).unwrap_or_default();
    names.split([',', ':']).map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

impl Registry {
    /// Adds the schemas of an installed Python package and of the packages that it requires. The name `*` adds those of all
    /// installed packages.
    ///
    /// # Errors
    /// Fails like [`Environment::with_required`] and [`add_folder`](Self::add_folder).
    pub fn add_package(&mut self, environment: &Environment, name: &str) -> Result<()> {
        let packages = if name == ALL { environment.packages() } else { environment.with_required(name)? };
        packages.iter().flat_map(|package| &package.folders).try_for_each(|folder| self.add_folder(folder))
    }
}

/// An installed package with schemas.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Installed {
    /// Its name, in lower case, with `-` between words.
    pub name: String,
    /// Its version, if the metadata of the package was found.
    pub version: Option<String>,
    /// The folders of its schemas and manifests.
    pub folders: Vec<PathBuf>,
}

/// The metadata of an installed package.
struct Metadata {
    name: String,
    version: String,
    /// The folder of its modules.
    site: PathBuf,
    /// The modules of its entry points `asdf.resource_mappings`.
    modules: Vec<String>,
    requires: Vec<String>,
}

impl Environment {
    /// Finds the active virtual or conda environment, or else the folders of `python3`.
    #[must_use]
    pub fn active() -> Self {
        let mut sites = Vec::new();
        for variable in ["VIRTUAL_ENV", "CONDA_PREFIX"] {
            let Some(prefix) = std::env::var_os(variable).map(PathBuf::from) else { continue };
            sites.push(prefix.join("Lib/site-packages"));
            let versions = std::fs::read_dir(prefix.join("lib")).into_iter().flatten().flatten();
            sites.extend(versions.map(|version| version.path().join("site-packages")));
        }
        sites.retain(|site| site.is_dir());
        if sites.is_empty() {
            let program = "import sys; print('\\n'.join(path for path in sys.path if path))";
            let output = Command::new("python3").args(["-I", "-c", program]).output();
            let text =
                output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
            sites.extend(text.lines().map(PathBuf::from));
        }
        Self::new(sites)
    }

    /// Uses these folders, and the folders named in their `.pth` files, which editable installs use.
    #[must_use]
    pub fn new(sites: impl IntoIterator<Item = PathBuf>) -> Self {
        let mut all: Vec<PathBuf> = Vec::new();
        for site in sites.into_iter().filter(|site| site.is_dir()) {
            let mut files: Vec<PathBuf> = listed(&site).filter(|path| has_ending(path, "pth")).collect();
            files.sort();
            let lines = files.iter().filter_map(|file| std::fs::read_to_string(file).ok());
            let lines: Vec<String> =
                lines.flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>()).collect();
            all.push(site.clone());
            all.extend(
                lines.iter().map(|line| site.join(line.trim())).filter(|path| path.is_dir() && *path != site),
            );
        }
        let mut met = BTreeSet::new();
        all.retain(|site| met.insert(site.clone()));
        Self { sites: all }
    }

    /// Returns the folders that are searched for packages.
    #[must_use]
    pub fn sites(&self) -> &[PathBuf] {
        &self.sites
    }

    /// Returns all packages with schemas, sorted by name.
    #[must_use]
    pub fn packages(&self) -> Vec<Installed> {
        let mut names: Vec<String> = Vec::new();
        for site in &self.sites {
            let metadata = listed(site).filter(|path| has_ending(path, "dist-info"));
            names.extend(metadata.filter(|path| !modules(path).is_empty()).filter_map(|path| name_of(&path)));
        }
        names.sort();
        names.dedup();
        names.iter().filter_map(|name| self.package(name)).collect()
    }

    /// Returns a package, and then the packages with schemas that it requires.
    ///
    /// Its schemas can refer to those of the required packages.
    ///
    /// # Errors
    /// [`Usage`](asdf_core::error::Kind::Usage) if the name is not valid for a Python package, or no installed package with
    /// this name has schemas.
    pub fn with_required(&self, name: &str) -> Result<Vec<Installed>> {
        let is_name = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        if name.is_empty() || !name.chars().all(is_name) || name.starts_with(['-', '.']) {
            return Err(Error::usage(format!(
                "'{}' is not the name of a Python package",
                name.escape_debug()
            )));
        }
        let mut found = Vec::new();
        let mut met = BTreeSet::new();
        let mut pending = std::collections::VecDeque::from([normal(name)]);
        while let Some(next) = pending.pop_front() {
            if !met.insert(next.clone()) {
                continue;
            }
            if let Some(metadata) = self.metadata(&next) {
                pending.extend(metadata.requires.iter().cloned());
            }
            found.extend(self.package(&next));
        }
        let named = normal(name);
        // A package without schemas can require another package with the schemas of its types.
        if found.is_empty() || (self.metadata(&named).is_none() && found.iter().all(|one| one.name != named))
        {
            let places: Vec<String> = self.sites.iter().map(|site| site.display().to_string()).collect();
            let places = if places.is_empty() {
                "found no folder of Python packages".to_owned()
            } else {
                format!("looked in {}", places.join(", "))
            };
            let what = if self.metadata(&named).is_some() { "has no ASDF schemas" } else { "not found" };
            return Err(Error::usage(format!("Python package '{name}' {what} ({places})"))
                .with_hint(Hint::ActivateEnvironment));
        }
        Ok(found)
    }

    /// Finds the schemas of one package.
    fn package(&self, name: &str) -> Option<Installed> {
        let Some(metadata) = self.metadata(name) else {
            // A package whose metadata is missing, such as a checkout in $PYTHONPATH.
            let folder = name.replace('-', "_");
            let package =
                self.sites.iter().map(|site| site.join(&folder)).find(|package| package.is_dir())?;
            let resources = package.join("resources");
            let folders = vec![if resources.is_dir() { resources } else { package }];
            return Some(Installed { name: name.to_owned(), version: None, folders });
        };
        let mut folders: Vec<PathBuf> =
            metadata.modules.iter().flat_map(|module| self.folders(&metadata.site, module)).collect();
        folders.sort();
        folders.dedup();
        // A folder includes those below it.
        let all = folders.clone();
        folders.retain(|folder| !all.iter().any(|other| other != folder && folder.starts_with(other)));
        let found = !folders.is_empty();
        found.then_some(Installed { name: metadata.name, version: Some(metadata.version), folders })
    }

    /// Returns the folder of a module if it has schemas, or else the folders with schemas of the whole package, without its
    /// tests.
    fn folders(&self, site: &Path, module: &str) -> Vec<PathBuf> {
        let steps: Vec<&str> = module.split('.').collect();
        let has_schemas = |folder: &PathBuf| folder::files(folder).is_ok_and(|files| !files.is_empty());
        for site in std::iter::once(site).chain(self.sites.iter().map(PathBuf::as_path)) {
            let top = site.join(steps.first().unwrap_or(&""));
            let whole = steps.iter().fold(site.to_path_buf(), |path, step| path.join(step));
            // `a.b.c` is a file in the folder of `a.b`, or a folder itself.
            let own = if whole.is_dir() { Some(whole) } else { whole.parent().map(Path::to_path_buf) };
            if let Some(own) = own.filter(|own| own.starts_with(&top) && own.is_dir() && has_schemas(own)) {
                return vec![own];
            }
            let is_test =
                |path: &PathBuf| path.file_name().is_some_and(|name| name == "tests" || name == "test");
            let below: Vec<PathBuf> =
                listed(&top).filter(|path| path.is_dir() && !is_test(path) && has_schemas(path)).collect();
            if !below.is_empty() {
                return below;
            }
        }
        Vec::new()
    }

    fn metadata(&self, name: &str) -> Option<Metadata> {
        self.sites.iter().find_map(|site| {
            let folder = listed(site)
                .find(|path| has_ending(path, "dist-info") && name_of(path).as_deref() == Some(name))?;
            let text = std::fs::read_to_string(folder.join("METADATA")).ok()?;
            // The description comes after an empty line.
            let headers = || text.lines().take_while(|line| !line.is_empty());
            let header = |key: &str| headers().find_map(|line| line.strip_prefix(key)).map(str::trim);
            let requires = headers().filter_map(|line| line.strip_prefix("Requires-Dist:"));
            let requires = requires.filter(|line| !line.contains("extra")).map(|line| {
                let line = line.trim();
                let end = line
                    .find(|c: char| !(c.is_ascii_alphanumeric() || "-_.".contains(c)))
                    .unwrap_or(line.len());
                normal(line.get(..end).unwrap_or_default())
            });
            Some(Metadata {
                name: name.to_owned(),
                version: header("Version:").unwrap_or_default().to_owned(),
                site: site.clone(),
                modules: modules(&folder),
                requires: requires.collect(),
            })
        })
    }
}

/// The published packages that define tags, by the prefixes of these tags. Longer prefixes come first.
const PUBLISHED: [(&str, &str); 19] = [
    ("asdf://stsci.edu/datamodels/roman/", "rad"),
    ("asdf://stsci.edu/rad/", "rad"),
    ("asdf://stsci.edu/jwst_pipeline/", "stdatamodels"),
    ("tag:stsci.edu:jwst_pipeline/", "stdatamodels"),
    ("tag:stsci.edu:gwcs/", "asdf_wcs_schemas"),
    ("asdf://astropy.org/specutils/", "specutils"),
    ("tag:astropy.org:specutils/", "specutils"),
    ("asdf://astropy.org/", "asdf_astropy"),
    ("tag:astropy.org:", "asdf_astropy"),
    ("asdf://sunpy.org/ndcube/", "ndcube"),
    ("tag:sunpy.org:ndcube/", "ndcube"),
    ("asdf://sunpy.org/", "sunpy"),
    ("tag:sunpy.org:", "sunpy"),
    ("asdf://dkist.nso.edu/", "dkist"),
    ("tag:dkist.nso.edu:", "dkist"),
    ("asdf://weldx.bam.de/", "weldx"),
    ("tag:weldx.bam.de:", "weldx"),
    ("asdf://asdf-format.org/transform/", "asdf_transform_schemas"),
    ("asdf://asdf-format.org/astronomy/", "asdf_coordinates_schemas"),
];

/// Returns the published Python package that defines a tag, if this crate knows it.
///
/// ```
/// use asdf_schemas::installed::package_of;
///
/// assert_eq!(package_of("asdf://stsci.edu/datamodels/roman/tags/wfi_image-1.4.0"), Some("rad"));
/// assert_eq!(package_of("tag:nobody.org:thing-1.0.0"), None);
/// ```
#[must_use]
pub fn package_of(tag: &str) -> Option<&'static str> {
    PUBLISHED.iter().find(|(start, _)| tag.starts_with(start)).map(|(_, package)| *package)
}

/// Returns the modules of the entry points `asdf.resource_mappings` of a package.
fn modules(metadata: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(metadata.join("entry_points.txt")).unwrap_or_default();
    let section = text.lines().map(str::trim).skip_while(|line| *line != "[asdf.resource_mappings]").skip(1);
    let entries = section.take_while(|line| !line.starts_with('[')).filter_map(|line| line.split_once('='));
    let modules = entries.filter_map(|(_, target)| target.split([':', '[']).next());
    modules.map(|module| module.trim().to_owned()).filter(|module| !module.is_empty()).collect()
}

/// Returns the name of the package whose metadata is in a folder.
fn name_of(metadata: &Path) -> Option<String> {
    let stem = metadata.file_stem()?.to_str()?;
    Some(normal(stem.rsplit_once('-').map_or(stem, |(name, _)| name)))
}

/// Normalizes a name like Python's package index: lower case, with `-` for every run of `-`, `_` and `.`.
fn normal(name: &str) -> String {
    let words: Vec<String> =
        name.split(['-', '_', '.']).filter(|word| !word.is_empty()).map(str::to_ascii_lowercase).collect();
    words.join("-")
}

fn has_ending(path: &Path, ending: &str) -> bool {
    path.extension().is_some_and(|extension| extension == ending)
}

fn listed(folder: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site(files: &[(&str, &str)]) -> tempfile::TempDir {
        let site = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = site.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        site
    }

    #[test]
    fn the_schemas_are_those_in_the_folder_of_the_entry_point() {
        let site = site(&[
            (
                "Sky_Cam-2.0.dist-info/METADATA",
                "Name: Sky_Cam\nVersion: 2.0\nRequires-Dist: Lens.Schemas>=1\nRequires-Dist: tests; extra == \"test\"\n\nRequires-Dist: text\n",
            ),
            (
                "Sky_Cam-2.0.dist-info/entry_points.txt",
                "[other]\na = b:c\n\n[asdf.resource_mappings]\nsky = sky_cam.io.asdf.entry:get\n[asdf.extensions]\nsky = sky_cam.other:get\n",
            ),
            ("sky_cam/io/other.yaml", "id: asdf://x.org/other\n"),
            ("sky_cam/io/asdf/entry.py", ""),
            ("sky_cam/io/asdf/resources/schemas/a-1.0.0.yaml", "id: asdf://x.org/a-1.0.0\n"),
            ("lens_schemas-1.dist-info/METADATA", "Name: lens-schemas\nVersion: 1\n"),
            (
                "lens_schemas-1.dist-info/entry_points.txt",
                "[asdf.resource_mappings]\nlens = lens.python.integration:get\n",
            ),
            ("lens/python/integration.py", ""),
            ("lens/tests/c.yaml", "tags: 5\n"),
            ("lens/schemas/b-1.0.0.yaml", "id: asdf://x.org/b-1.0.0\n"),
            ("plain-1.dist-info/METADATA", "Name: plain\nVersion: 1\nRequires-Dist: sky-cam\n"),
            ("none-1.dist-info/METADATA", "Name: none\nVersion: 1\n"),
            ("loose/resources/c.yaml", "id: asdf://x.org/c\n"),
        ]);
        let environment = Environment::new([site.path().to_path_buf()]);
        let found = |name: &str| -> Vec<String> {
            let packages = environment.with_required(name).unwrap();
            let folders = packages.iter().flat_map(|package| &package.folders);
            folders
                .map(|folder| {
                    folder.strip_prefix(site.path()).unwrap().display().to_string().replace('\\', "/")
                })
                .collect()
        };
        assert_eq!(found("sky.cam"), ["sky_cam/io/asdf", "lens/schemas"]);
        assert_eq!(found("plain"), ["sky_cam/io/asdf", "lens/schemas"]);
        assert_eq!(found("loose"), ["loose/resources"]);
        let names: Vec<String> = environment.packages().into_iter().map(|package| package.name).collect();
        assert_eq!(names, ["lens-schemas", "sky-cam"]);
        assert_eq!(environment.with_required("sky_cam").unwrap()[0].version.as_deref(), Some("2.0"));
        for (name, message) in [
            ("nowhere", "Python package 'nowhere' not found (looked in "),
            ("none", "Python package 'none' has no ASDF schemas"),
            ("../x", "'../x' is not the name of a Python package"),
        ] {
            let error = environment.with_required(name).unwrap_err();
            assert!(error.message().starts_with(message), "{error}");
        }
    }

    #[test]
    fn editable_installs_are_found_through_pth_files() {
        let checkout =
            site(&[("src/cam/resources/a.yaml", "id: asdf://x.org/a\n"), ("src/cam/integration.py", "")]);
        let path = checkout.path().join("src").display().to_string();
        let site = site(&[
            ("__editable__.cam.pth", path.as_str()),
            ("cam-1.dist-info/METADATA", "Name: cam\nVersion: 1\n"),
            ("cam-1.dist-info/entry_points.txt", "[asdf.resource_mappings]\ncam = cam.integration:get\n"),
        ]);
        let packages = Environment::new([site.path().to_path_buf()]).with_required("cam").unwrap();
        assert_eq!(packages[0].folders, [checkout.path().join("src/cam")]);
    }
}
