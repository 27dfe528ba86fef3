//! Commands that take many files and do the same with each.

use std::ops::ControlFlow;
use std::path::PathBuf;

use asdf_core::{File, Result, Threads};

use crate::context::Context;
use crate::failures::Failures;
use crate::input::{Input, inputs, names_many};
use crate::thread_count;

/// The input files of a command that takes many.
#[derive(Debug, clap::Args)]
pub(crate) struct InputFiles {
    /// Open up to N files at once [default: number of processors, 32 for URLs]
    #[arg(short, long, value_name = "N", value_parser = thread_count::parse)]
    jobs: Option<Threads>,

    /// Files, folders (every *.asdf below), patterns, URLs, or - for stdin
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
}

impl InputFiles {
    /// Creates a list of files that can be empty.
    pub(crate) fn of(paths: Vec<PathBuf>) -> Self {
        Self { jobs: None, paths }
    }

    /// Calls `question` for each file on many threads, and `answer` with the results in the order of the files. Files
    /// that cannot be read do not stop the others; their errors are returned at the end.
    pub(crate) fn ask<R: Send>(
        &self,
        context: &Context,
        question: impl Fn(&Input, &File) -> Result<R> + Sync,
        mut answer: impl FnMut(R) -> Result<()>,
    ) -> Result<()> {
        let threads = self.jobs.unwrap_or_else(|| context.remote.jobs(&self.paths, context.threads));
        let mut failures = Failures::default();
        threads.in_order(
            inputs(self.paths.clone(), &context.remote),
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

    /// Returns whether there can be more than one file; each line of output then names its file.
    pub(crate) fn is_many(&self) -> bool {
        match self.paths.as_slice() {
            [path] => names_many(path),
            _ => true,
        }
    }
}
