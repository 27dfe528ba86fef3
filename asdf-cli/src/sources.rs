//! Which schemas there are beside those of the standard.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use asdf_core::{Error, Result};
use asdf_schemas::Registry;

use crate::commands::usage;

/// Where schemas are taken from, beside those of the standard.
#[derive(Debug, clap::Args)]
pub(crate) struct Sources {
    /// Add the schemas and manifests of a folder and below; may be given several times
    #[arg(long, value_name = "DIR")]
    schemas: Vec<PathBuf>,

    /// Add the schemas of an installed Python package, such as rad; may be given several times
    #[arg(long, value_name = "NAME")]
    package: Vec<String>,
}

impl Sources {
    /// The schemas of the standard, of folders, and of installed Python packages. What cannot be used of them is no
    /// fault of the files that they are for.
    pub(crate) fn registry(&self) -> Result<Arc<Registry>> {
        self.added().map_err(|error| usage(&error))
    }

    fn added(&self) -> Result<Arc<Registry>> {
        if self.schemas.is_empty() && self.package.is_empty() {
            return Ok(Registry::standard());
        }
        let mut registry = Registry::new();
        for folder in &self.schemas {
            registry.add_folder(folder)?;
        }
        for package in &self.package {
            registry.add_folder(resources(package)?)?;
        }
        Ok(Arc::new(registry))
    }
}

/// A registry with the schema in a file, and the schema's id.
pub(crate) fn with_schema(registry: Arc<Registry>, path: &Path) -> Result<(Arc<Registry>, String)> {
    with(registry, path).map_err(|error| usage(&error))
}

fn with(registry: Arc<Registry>, path: &Path) -> Result<(Arc<Registry>, String)> {
    let mut registry = Arc::unwrap_or_clone(registry);
    let id = registry.add_schema_file(path)?;
    Ok((Arc::new(registry), id))
}

/// The folder of a Python package's resources: in the active environment, else where `python3` finds it.
fn resources(package: &str) -> Result<PathBuf> {
    let name = package.replace('-', "_");
    if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
        return Err(Error::usage(format!("'{}' is no name of a Python package", package.escape_debug())));
    }
    let below = |site: &Path| {
        let package = site.join(&name);
        let resources = package.join("resources");
        if resources.is_dir() { Some(resources) } else { package.is_dir().then_some(package) }
    };
    let found = sites().iter().find_map(|site| below(site));
    found.ok_or_else(|| {
        Error::usage(format!("the Python package {package} is not installed where it was looked for"))
            .with_hint("activate its environment, or give its folder of schemas with --schemas")
    })
}

/// Where Python packages are.
fn sites() -> Vec<PathBuf> {
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
        sites.extend(text.lines().map(PathBuf::from).filter(|site| site.is_dir()));
    }
    sites
}
