//! `manifest`: references to the bytes of arrays, for programs that read zarr.

use std::collections::HashSet;
use std::io::Write as _;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use asdf_core::{Error, File, Result};
use asdf_tables::manifest::{Location, Manifest};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::error::Failure;
use crate::files::{Item, Opener, threads};
use crate::interrupt::{Stop, stoppable};
use crate::remote::remote;
use crate::source::name;
use crate::target::Target;

/// The most chunks of a manifest in JSON, if the format is not given.
const MOST: u64 = 100_000;

/// The keyword arguments, as `asdfast.manifest` passes them.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Options<'py> {
    stack: bool,
    base_url: Option<String>,
    output: Option<Bound<'py, PyAny>>,
    format: Option<String>,
    overwrite: bool,
    threads: Option<usize>,
    storage_options: Option<Bound<'py, PyDict>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Json,
    Parquet,
}

/// Makes a manifest of files.
struct Work {
    /// The names of groups, and the files.
    files: Vec<(Option<String>, Item)>,
    stack: bool,
    base_url: Option<String>,
    threads: Option<usize>,
    opener: Opener,
}

/// List where the bytes of arrays are; see `asdfast.manifest`.
///
/// Returns JSON, or None if a file was written, and why arrays were left out. Groups have names if there are several files.
#[pyfunction]
pub(crate) fn _manifest<'py>(
    py: Python<'py>,
    files: Vec<(Option<String>, Bound<'py, PyAny>)>,
    options: Options<'py>,
) -> PyResult<(Option<Bound<'py, PyBytes>>, Vec<String>)> {
    let output = options.output.as_ref().map(Target::of).transpose()?;
    let format = options.format().map_err(Failure::from)?;
    if output.is_none() && (format.is_some() || options.overwrite) {
        let error = Error::usage("format and overwrite need an output").with_hint("pass output=PATH");
        return Err(Failure::from(error).into());
    }
    let mut opened = Vec::with_capacity(files.len());
    for (group, file) in files {
        opened.push((group, Item::of(&file)?));
    }
    let work = Work {
        files: opened,
        stack: options.stack,
        base_url: options.base_url,
        threads: options.threads,
        opener: Opener::new(remote(options.storage_options.as_ref())?),
    };
    let manifest = stoppable(py, move |stop| work.manifest(stop))?;
    let mut manifest = manifest.map_err(Failure::from)?;
    let left_out = manifest.take_left_out().iter().map(ToString::to_string).collect();
    if manifest.is_empty() {
        return Err(Failure::from(Error::mismatch("found no array that zarr can read")).into());
    }
    let Some(target) = output else {
        let json = py.detach(|| {
            let mut json = Vec::new();
            manifest.write_json(&mut json).map(|()| json)
        });
        return Ok((Some(PyBytes::new(py, &json.map_err(Failure::from)?)), left_out));
    };
    match format.unwrap_or_else(|| by_name(target.path(), manifest.chunks())) {
        Format::Json => {
            target.check(options.overwrite).map_err(Failure::from)?;
            target.write(py, |out| manifest.write_json(out))?;
        }
        Format::Parquet => {
            let written = py.detach(|| write_folder(&manifest, &target));
            written.map_err(Failure::from)?;
        }
    }
    Ok((None, left_out))
}

impl Options<'_> {
    fn format(&self) -> Result<Option<Format>> {
        Ok(match self.format.as_deref() {
            None => None,
            Some("kerchunk") => Some(Format::Json),
            Some("kerchunk-parquet") => Some(Format::Parquet),
            Some(other) => {
                let message = format!("found format='{other}', expected 'kerchunk' or 'kerchunk-parquet'");
                return Err(Error::usage(message));
            }
        })
    }
}

/// Returns the format for the name of the output, or else for the number of chunks.
fn by_name(path: Option<&Path>, chunks: u64) -> Format {
    let Some(path) = path else { return Format::Json };
    let name = path.to_string_lossy().to_lowercase();
    let ends = |ends: &[&str]| ends.iter().any(|end| name.ends_with(end));
    match chunks {
        _ if ends(&[".json"]) => Format::Json,
        _ if ends(&[".parquet", ".parq", "/"]) => Format::Parquet,
        ..=MOST => Format::Json,
        _ => Format::Parquet,
    }
}

/// Writes the files of a manifest to a new folder. The last file is the one that readers open first.
fn write_folder(manifest: &Manifest, target: &Target) -> Result<()> {
    let Some(folder) = target.path() else {
        return Err(Error::usage("Parquet references are a folder, which a file object cannot be")
            .with_hint("pass the path of a folder"));
    };
    // Old files in the folder could be read with the new ones.
    if folder.symlink_metadata().is_ok() {
        return Err(Error::usage("the folder already exists")
            .at_file(folder)
            .with_hint("remove it, or choose another name"));
    }
    manifest.write_parquet(|name, bytes| {
        let path = folder.join(name);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent)
                .map_err(|error| Error::io("creating the folder", error).at_file(parent))?;
        }
        asdf_core::file::replace(&path, |out| {
            out.write_all(bytes).map_err(|error| Error::io("writing", error).at_file(&path))
        })
    })
}

impl Work {
    fn manifest(mut self, stop: &Stop) -> Result<Manifest> {
        self.list()?;
        let threads = threads(self.threads, self.files.iter().map(|(_, item)| item));
        let mut manifests = Vec::with_capacity(self.files.len());
        let mut urls: HashSet<String> = HashSet::new();
        threads.in_order(
            self.files.iter(),
            |(group, item)| self.one(group.as_deref(), item),
            |made| {
                let (url, name, manifest) = made?;
                if self.base_url.is_some() && !urls.insert(url.clone()) {
                    let error = Error::usage(format!("several files have the URL {url}"));
                    return Err(error.with_hint("write a manifest for each folder"));
                }
                manifests.push((name, manifest));
                Ok::<_, Error>(match stop.is_set() {
                    true => ControlFlow::Break(()),
                    false => ControlFlow::Continue(()),
                })
            },
        )?;
        Ok(match <[_; 1]>::try_from(manifests) {
            Ok([(_, only)]) if !self.stack => only,
            Ok(one) => Manifest::stacked(one),
            Err(several) if self.stack => Manifest::stacked(several),
            Err(several) => Manifest::grouped(several),
        })
    }

    /// Lists the files of URLs that are folders or patterns.
    fn list(&mut self) -> Result<()> {
        let mut all = Vec::with_capacity(self.files.len());
        for (group, item) in std::mem::take(&mut self.files) {
            let mut listed = self.opener.listed(vec![item])?;
            match (listed.pop(), listed.is_empty()) {
                (Some(only), true) => all.push((group, only)),
                (last, _) => all.extend(listed.into_iter().chain(last).map(|item| (None, item))),
            }
        }
        self.files = all;
        Ok(())
    }

    /// Returns the URL, the name and the manifest of a file.
    fn one(&self, group: Option<&str>, item: &Item) -> Result<(String, String, Manifest)> {
        match item {
            Item::Named(path, _) => self.of(group, path.clone(), &self.opener.open(path)?),
            Item::Open(shared) => {
                let own = name(shared).ok_or_else(|| {
                    Error::usage("the file has no path or URL that a manifest can refer to")
                        .with_hint("open the file by its path or URL")
                })?;
                self.of(group, own.into(), &shared.read())
            }
        }
    }

    fn of(&self, group: Option<&str>, path: PathBuf, file: &File) -> Result<(String, String, Manifest)> {
        let location = self.base_url.iter().fold(Location::new(&path), Location::base_url);
        let name = match group {
            Some(group) => group.to_owned(),
            None if self.stack => path.to_string_lossy().into_owned(),
            None => location.stem(),
        };
        let manifest = Manifest::of(file, |other| location.of(other.unwrap_or(&path)));
        Ok((location.url()?, name, manifest))
    }
}
