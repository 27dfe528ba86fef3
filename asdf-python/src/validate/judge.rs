//! Validates one file after another, on any thread, without Python.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;

use asdf_core::{Error, File, OpenOptions};
use asdf_fits::AsdfInFits;
use asdf_remote::Remote;
use asdf_schemas::Validator;
use asdf_schemas::validate::Code;

use super::options::Options;
use super::outcome::Outcome;
use super::source::{self, Source};
use crate::interrupt::Stop;
use crate::open::Place;

/// Validates files.
#[derive(Clone)]
pub(super) struct Judge {
    validator: Arc<Validator>,
    opening: OpenOptions,
    remote: Remote,
    strict: bool,
}

impl Judge {
    pub(super) fn new(validator: Arc<Validator>, options: &Options) -> Self {
        let opening = OpenOptions::new().container(AsdfInFits::format()).limits(options.limits);
        Self { validator, opening, remote: options.remote.clone(), strict: options.strict }
    }

    /// Validates a file. A panic is a finding, so that it does not stop the validation of other files.
    pub(super) fn judge(&self, source: &Source, stop: &Stop) -> Outcome {
        catch_unwind(AssertUnwindSafe(|| match source {
            Source::Path(path) => self.judge_path(path, stop.clone()),
            Source::File(file) => self.judge_file(&file.read()),
            Source::Bytes(place, name) => self.judge_bytes(place.clone(), name.clone(), stop.clone()),
        }))
        .unwrap_or_else(|_| {
            let error = Error::malformed(
                "the validator failed while it checked this file; the rest of the file was not checked",
            );
            let error = error.with_hint("report this bug, with the file if possible");
            Outcome::failed(error, Code::Stopped, source.name(), self.validator.registry())
        })
    }

    fn judge_path(&self, path: &Path, stop: Stop) -> Outcome {
        let opened = source::open(&self.opening(stop), &self.remote, path);
        self.judge_opened(opened, Some(path.display().to_string()))
    }

    fn judge_bytes(&self, place: Place, name: Option<String>, stop: Stop) -> Outcome {
        self.judge_opened(place.open(&self.opening(stop), true), name)
    }

    fn opening(&self, stop: Stop) -> OpenOptions {
        self.opening.clone().stop_when(move || stop.is_set())
    }

    fn judge_opened(&self, opened: Result<File, Error>, name: Option<String>) -> Outcome {
        match opened {
            Ok(file) => self.outcome(&file, name),
            Err(error) => Outcome::failed(error, Code::Unreadable, name, self.validator.registry()),
        }
    }

    /// Validates an open file.
    pub(super) fn judge_file(&self, file: &File) -> Outcome {
        let path = file.path().map(|path| path.display().to_string());
        self.outcome(file, path.or_else(|| file.url().map(str::to_owned)))
    }

    fn outcome(&self, file: &File, name: Option<String>) -> Outcome {
        let report = self.validator.validate_file(file);
        Outcome::new(&report, Some(file), name, self.validator.registry(), self.strict)
    }
}
