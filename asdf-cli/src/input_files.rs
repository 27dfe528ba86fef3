//! The files of a command that takes many, and the same question to each of them.

use std::ops::ControlFlow;
use std::path::PathBuf;

use asdf_core::{File, Result, Threads};

use crate::context::Context;
use crate::failures::Failures;
use crate::input::{Input, inputs};
use crate::thread_count;

/// The files of a command that takes many.
#[derive(Debug, clap::Args)]
pub(crate) struct InputFiles {
    /// Open up to N files at once [default: the number of processors]
    #[arg(short, long, value_name = "N", value_parser = thread_count::parse)]
    jobs: Option<Threads>,

    /// Files, folders (every *.asdf below), patterns, or - for standard input
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
}

impl InputFiles {
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
