//! The options of `validate` and `Validator`.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use asdf_core::{Limits, Result};
use asdf_remote::Remote;
use asdf_schemas::installed::Environment;
use asdf_schemas::{Registry, Validator};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyMapping, PyString};

use crate::error::Failure;
use crate::limits::limits;
use crate::remote::remote;

/// The name that stands for all packages with schemas.
const ALL: &str = "*";

/// The number of validators that are kept for later calls with the same options.
const KEPT: usize = 8;

/// The options, before schemas are looked up.
pub(super) struct Options {
    schemas: Vec<Addition>,
    packages: Vec<String>,
    schema: Option<TreeSchema>,
    pub(super) strict: bool,
    pub(super) limits: Limits,
    pub(super) remote: Remote,
    settings: Settings,
}

/// The options that are numbers and switches.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Settings {
    blocks: bool,
    max_errors: Option<usize>,
    timeout: Option<Duration>,
    replace_built_in: bool,
}

/// Schemas and manifests to add.
enum Addition {
    /// A folder or a file.
    Path(PathBuf),
    /// Texts by their URIs.
    Resources(Vec<(String, String)>),
}

/// The schema for whole trees.
enum TreeSchema {
    File(PathBuf),
    Id(String),
}

/// What the schemas of a validator without schemas of the caller depend on.
#[derive(PartialEq, Eq)]
struct Key {
    packages: Vec<String>,
    /// Where packages are looked for.
    sites: Vec<PathBuf>,
    settings: Settings,
}

static VALIDATORS: Mutex<Vec<(Key, Arc<Validator>)>> = Mutex::new(Vec::new());

impl Options {
    /// Reads the keyword arguments.
    pub(super) fn new(given: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let mut options = Self::default();
        for (name, value) in given.into_iter().flatten() {
            let name: String = name.extract()?;
            match name.as_str() {
                "schemas" => options.schemas = additions(&value)?,
                "package" => options.packages = packages(&value)?,
                "schema" => options.schema = tree_schema(&value)?,
                "strict" => options.strict = value.extract()?,
                "storage_options" => {
                    options.remote = remote(value.extract::<Option<Bound<'_, PyDict>>>()?.as_ref())?;
                }
                "limits" => options.limits = limits(value.extract::<Option<Bound<'_, PyDict>>>()?.as_ref())?,
                "blocks" => options.settings.blocks = value.extract()?,
                "max_errors" => options.settings.max_errors = value.extract()?,
                "timeout" => options.settings.timeout = timeout(value.extract()?)?,
                "replace_built_in" => options.settings.replace_built_in = value.extract()?,
                other => {
                    return Err(PyTypeError::new_err(format!("unexpected keyword argument '{other}'")));
                }
            }
        }
        Ok(options)
    }

    /// Makes a validator, or returns that of an earlier call. Schemas of the caller are read each time.
    pub(super) fn validator(&self, py: Python<'_>) -> PyResult<Arc<Validator>> {
        let sites = if self.packages.is_empty() { Vec::new() } else { sites(py)? };
        if !self.schemas.is_empty() || self.schema.is_some() {
            return self.made(py, &sites).map(Arc::new);
        }
        let key = Key { packages: self.packages.clone(), sites, settings: self.settings };
        let kept = || VALIDATORS.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, found)) = kept().iter().find(|(other, _)| *other == key) {
            return Ok(found.clone());
        }
        let made = Arc::new(self.made(py, &key.sites)?);
        let mut kept = kept();
        if kept.len() == KEPT {
            kept.remove(0);
        }
        kept.push((key, made.clone()));
        Ok(made)
    }

    fn made(&self, py: Python<'_>, sites: &[PathBuf]) -> PyResult<Validator> {
        let mut registry = Registry::new();
        if self.settings.replace_built_in {
            registry = registry.replacing_built_in();
        }
        py.detach(|| self.schemas.iter().try_for_each(|schemas| schemas.add(&mut registry)))
            .map_err(Failure::from)?;
        if !self.packages.is_empty() {
            let environment = py.detach(|| Environment::new(sites.iter().cloned()));
            for name in &self.packages {
                add_package(py, &mut registry, &environment, name)?;
            }
        }
        py.detach(|| self.compiled(registry)).map_err(|error| Failure::from(error).into())
    }

    fn compiled(&self, mut registry: Registry) -> Result<Validator> {
        let id = match &self.schema {
            Some(TreeSchema::File(path)) => Some(registry.add_schema_file(path)?),
            Some(TreeSchema::Id(id)) => Some(id.clone()),
            None => None,
        };
        let mut validator = Validator::new(Arc::new(registry));
        if let Some(id) = id {
            validator = validator.with_schema(&id)?;
        }
        if !self.settings.blocks {
            validator = validator.without_blocks();
        }
        if let Some(most) = self.settings.max_errors {
            validator = validator.max_findings(most);
        }
        if let Some(time) = self.settings.timeout {
            validator = validator.max_time(time);
        }
        Ok(validator)
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            schemas: Vec::new(),
            packages: Vec::new(),
            schema: None,
            strict: false,
            limits: Limits::default(),
            remote: Remote::new(),
            settings: Settings {
                blocks: true,
                max_errors: Some(1000),
                timeout: None,
                replace_built_in: false,
            },
        }
    }
}

impl Addition {
    fn add(&self, registry: &mut Registry) -> Result<()> {
        match self {
            Self::Path(path) if path.is_dir() => registry.add_folder(path),
            Self::Path(path) => registry.add_file(path).map(|_| ()),
            Self::Resources(texts) => texts.iter().try_for_each(|(id, text)| registry.add_resource(id, text)),
        }
    }
}

/// Adds the schemas of an installed package. If it has no folder with them, calls its entry points.
fn add_package(
    py: Python<'_>,
    registry: &mut Registry,
    environment: &Environment,
    name: &str,
) -> PyResult<()> {
    if name == ALL {
        return py
            .detach(|| registry.add_package(environment, name))
            .map_err(|error| Failure::from(error).into());
    }
    let found = py.detach(|| environment.with_required(name));
    let normal = name.replace(['_', '.'], "-").to_lowercase();
    let has_own = found.as_ref().is_ok_and(|found| found.iter().any(|package| package.name == normal));
    let own = match has_own {
        true => Vec::new(),
        false => texts(&py.import("asdfast._packages")?.getattr("resources")?.call1((name,))?)?,
    };
    py.detach(|| {
        match found {
            Err(error) if own.is_empty() => return Err(error),
            Err(_) => {}
            Ok(found) => {
                let mut folders = found.iter().flat_map(|package| &package.folders);
                folders.try_for_each(|folder| registry.add_folder(folder))?;
            }
        }
        own.iter().try_for_each(|(id, text)| registry.add_resource(id, text))
    })
    .map_err(|error| Failure::from(error).into())
}

/// Returns the folders in which Python finds packages.
fn sites(py: Python<'_>) -> PyResult<Vec<PathBuf>> {
    let path = py.import("sys")?.getattr("path")?;
    let paths = path.try_iter()?.filter_map(|site| site.and_then(|site| site.extract::<PathBuf>()).ok());
    Ok(paths.filter(|site| site != Path::new("")).collect())
}

fn is_path(value: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(value.is_instance_of::<PyString>() || value.hasattr("__fspath__")?)
}

fn additions(given: &Bound<'_, PyAny>) -> PyResult<Vec<Addition>> {
    if given.is_none() {
        return Ok(Vec::new());
    }
    if is_path(given)? || given.cast::<PyMapping>().is_ok() {
        return Ok(vec![addition(given)?]);
    }
    given.try_iter()?.map(|one| addition(&one?)).collect()
}

fn addition(given: &Bound<'_, PyAny>) -> PyResult<Addition> {
    match given.cast::<PyMapping>() {
        Ok(mapping) => texts(mapping.items()?.as_any()).map(Addition::Resources),
        Err(_) => given.extract().map(Addition::Path),
    }
}

/// Reads pairs of a URI and a text, which can be bytes.
fn texts(pairs: &Bound<'_, PyAny>) -> PyResult<Vec<(String, String)>> {
    pairs
        .try_iter()?
        .map(|pair| {
            let (id, text): (String, Bound<'_, PyAny>) = pair?.extract()?;
            let text = match text.extract::<String>() {
                Ok(text) => text,
                Err(_) => String::from_utf8(text.extract()?)
                    .map_err(|_| PyValueError::new_err(format!("the schema {id} is not UTF-8")))?,
            };
            Ok((id, text))
        })
        .collect()
}

fn packages(given: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    if given.is_none() {
        return Ok(Vec::new());
    }
    match given.cast::<PyString>() {
        Ok(name) => Ok(vec![name.to_string()]),
        Err(_) => given.try_iter()?.map(|name| name?.extract()).collect(),
    }
}

/// Reads the path of a schema, or its id.
fn tree_schema(given: &Bound<'_, PyAny>) -> PyResult<Option<TreeSchema>> {
    if given.is_none() {
        return Ok(None);
    }
    let id = given.extract::<String>().ok().filter(|text| text.contains("://") || text.starts_with("tag:"));
    match id {
        Some(id) => Ok(Some(TreeSchema::Id(id))),
        None => given.extract().map(|path| Some(TreeSchema::File(path))),
    }
}

fn timeout(seconds: Option<f64>) -> PyResult<Option<Duration>> {
    let wrong = |_| PyValueError::new_err("timeout must be a positive number of seconds");
    seconds.map(|seconds| Duration::try_from_secs_f64(seconds).map_err(wrong)).transpose()
}
