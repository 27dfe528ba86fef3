//! The same question to many files.

use std::ops::ControlFlow;
use std::path::PathBuf;

use asdf_core::{Error, File, Result, Threads};

use crate::context::Context;
use crate::files::{Input, inputs};
use crate::outcome::is_about_content;
use crate::thread_count;

/// The files of a command that takes many.
#[derive(Debug, clap::Args)]
pub(crate) struct Many {
    /// Open up to N files at once [default: the number of processors]
    #[arg(short, long, value_name = "N", value_parser = thread_count::parse)]
    jobs: Option<Threads>,

    /// Files, folders (every *.asdf below), patterns, or - for standard input
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
}

impl Many {
    /// Paths that a command may do without.
    pub(crate) fn of(paths: Vec<PathBuf>) -> Self {
        Self { jobs: None, paths }
    }

    /// Asks each file on many threads and hands on the answers in the order of the files. Files that cannot be
    /// read do not keep the others from being asked: they are the error at the end.
    pub(crate) fn ask<R: Send>(
        &self,
        context: &Context,
        question: impl Fn(&Input, &File) -> Result<R> + Sync,
        mut answer: impl FnMut(R) -> Result<()>,
    ) -> Result<()> {
        let threads = self.jobs.unwrap_or(context.threads);
        let mut failures = Failures::default();
        threads.in_order(
            inputs(self.paths.clone()),
            |input| {
                let input = input?;
                let answer = context.open(&input.path).and_then(|file| question(&input, &file));
                answer.map_err(|error| match error.file() {
                    None => error.at_file(input.name()),
                    Some(_) => error,
                })
            },
            |result| {
                match result {
                    Ok(result) => answer(result)?,
                    Err(error) => failures.add(error),
                }
                Ok(ControlFlow::Continue(()))
            },
        )?;
        failures.end()
    }

    /// Whether there may be more than one file: then each line says which it is about.
    pub(crate) fn is_many(&self) -> bool {
        match self.paths.as_slice() {
            [path] => path.is_dir() || !(path.exists() || path == std::path::Path::new("-")),
            _ => true,
        }
    }
}

/// What went wrong on the way.
#[derive(Debug, Default)]
pub(crate) struct Failures(Option<Error>);

impl Failures {
    /// Adds one; the first that is about getting at a file decides on the exit code.
    pub(crate) fn add(&mut self, error: Error) {
        self.0 = Some(match self.0.take() {
            None => error,
            Some(first) if is_about_content(&first) && !is_about_content(&error) => error.and(first),
            Some(first) => first.and(error),
        });
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// All of them as one error.
    pub(crate) fn end(self) -> Result<()> {
        self.0.map_or(Ok(()), Err)
    }
}
