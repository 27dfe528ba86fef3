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
        }))
        .unwrap_or_else(|_| {
            let error = Error::malformed(
                "the validator failed while it checked this file; the rest of the file was not checked",
            );
            let error = error.with_hint("report this bug, with the file if possible");
            let name = match source {
                Source::Path(path) => Some(path.display().to_string()),
                Source::File(_) => None,
            };
            Outcome::failed(error, Code::Stopped, name, self.validator.registry())
        })
    }

    fn judge_path(&self, path: &Path, stop: Stop) -> Outcome {
        let name = path.display().to_string();
        let opening = self.opening.clone().stop_when(move || stop.is_set());
        match source::open(&opening, &self.remote, path) {
            Ok(file) => self.outcome(&file, Some(name)),
            Err(error) => Outcome::failed(error, Code::Unreadable, Some(name), self.validator.registry()),
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
