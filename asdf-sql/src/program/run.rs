//! Runs statements and writes their results.

use std::io::{BufWriter, IsTerminal as _, Write};
use std::path::Path;
use std::sync::Arc;

use asdf_core::Error;
use asdf_schemas::installed::listed_packages;
use asdf_sql::{
    AsdfOptions, Problems, RegisterAsdf as _, cluster_context, context, lost_executor, statements,
};
use datafusion::common::{DataFusionError, Result};
use datafusion::execution::SendableRecordBatchStream;
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::prelude::SessionContext;
use futures_util::StreamExt as _;

use crate::args::{Format, QueryArgs};
use crate::output::{Output, Printed, format_of};
use crate::progress::Progress;
use crate::table_argument::TableArgument;

/// How often a query begins again if the cluster loses an executor.
const REPEATS: usize = 5;

/// A session with the options of the command line.
pub(crate) struct Runner {
    context: SessionContext,
    options: AsdfOptions,
    format: Option<Format>,
    is_remote: bool,
}

impl Runner {
    /// Starts a session and registers the tables of the command line.
    pub(crate) async fn new(args: &QueryArgs) -> Result<Self> {
        let context = match &args.cluster {
            Some(address) => cluster_context(address).await?,
            None => context()?,
        };
        let mut options = AsdfOptions::new()
            .strict(args.strict)
            .sample(args.sample)
            .replace_built_in(args.replace_built_in);
        for folder in &args.schemas {
            options = options.schema_folder(folder);
        }
        for name in args.package.iter().chain(&listed_packages()) {
            options = options.schema_package(name);
        }
        for text in &args.table {
            let table = TableArgument::parse(text, &options).map_err(external)?;
            context.register_asdf(&table.name, &table.files, table.options).await?;
        }
        Ok(Self { context, options, format: args.format, is_remote: args.cluster.is_some() })
    }

    /// Runs statements that are separated by semicolons. Each result is written to the output.
    pub(crate) async fn run(&self, text: &str, output: Option<&Path>) -> Result<()> {
        let all = statements(&self.context, text)?;
        if output.is_some() && all.len() != 1 {
            return Err(external(Error::usage("--output takes the result of one statement")));
        }
        for statement in all {
            let progress = Progress::start(self.problems(), self.is_remote);
            let result = self.result(statement, output, &progress).await;
            drop(progress);
            self.warn();
            result?;
        }
        Ok(())
    }

    async fn result(
        &self,
        statement: asdf_sql::Statement,
        output: Option<&Path>,
        progress: &Progress,
    ) -> Result<()> {
        let stream = self.begin(statement).await?;
        let Some(path) = output else {
            let is_terminal = std::io::stdout().is_terminal();
            let format = self.format.unwrap_or(Format::Table);
            if format == Format::Parquet && is_terminal {
                return Err(external(Error::usage("Parquet is not for terminals").with_hint("pass -o FILE")));
            }
            let out =
                BufWriter::new(Printed::new(std::io::stdout(), is_terminal && format != Format::Parquet));
            return write(stream, format, out, progress).await;
        };
        let format = self.format.or_else(|| format_of(path)).unwrap_or(Format::Table);
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let at = |error: std::io::Error| external(Error::io("creating", error).at_file(path));
        let temporary = tempfile::NamedTempFile::new_in(folder).map_err(at)?;
        write(stream, format, BufWriter::new(temporary.reopen().map_err(at)?), progress).await?;
        // The permissions and the target of a link stay those of the old file.
        asdf_core::file::replace(path, |out| {
            let copied =
                std::fs::File::open(temporary.path()).and_then(|mut from| std::io::copy(&mut from, out));
            copied.map(drop).map_err(|error| Error::io("writing", error))
        })
        .map_err(external)
    }

    /// Runs a statement up to its first rows. If the cluster loses an executor before, it begins again.
    async fn begin(&self, statement: asdf_sql::Statement) -> Result<SendableRecordBatchStream> {
        let mut left = REPEATS;
        loop {
            let frame = statement.clone().plan(&self.context, &self.options).await?;
            let stream = frame.execute_stream().await?;
            let schema = stream.schema();
            let mut stream = Box::pin(stream.peekable());
            match stream.as_mut().peek().await {
                Some(Err(error)) if lost_executor(error) && left > 0 => left -= 1,
                _ => return Ok(Box::pin(RecordBatchStreamAdapter::new(schema, stream))),
            }
            let note = "note: the cluster lost an executor, or none runs; the query begins again";
            let _ = writeln!(std::io::stderr(), "{note}");
        }
    }

    /// The files that could not be read.
    fn problems(&self) -> Arc<Problems> {
        self.context.state().config().get_extension::<Problems>().unwrap_or_default()
    }

    /// Prints warnings about files that could not be read.
    pub(crate) fn warn(&self) {
        let (messages, count) = self.problems().take();
        let mut err = std::io::stderr();
        for message in &messages {
            let _ = writeln!(err, "warning: {}", asdf_core::printable::lines(message));
        }
        let more = count.saturating_sub(messages.len());
        if more > 0 {
            let _ = writeln!(err, "warning: {more} more problems; select _file, _problems to see all");
        }
    }
}

/// Writes a result as it arrives.
async fn write<W: Write + Send>(
    mut stream: SendableRecordBatchStream,
    format: Format,
    out: W,
    progress: &Progress,
) -> Result<()> {
    let mut output = Output::new(format, &stream.schema(), out)?;
    while let Some(batch) = stream.next().await {
        let batch = batch?;
        progress.pause(|| output.write(&batch))?;
    }
    progress.pause(|| output.finish())
}

/// Does something until Ctrl-C is typed. Dropping a query removes unfinished files.
pub(crate) async fn interruptible<T>(work: impl Future<Output = Result<T>>) -> Result<T> {
    tokio::select! {
        result = work => result,
        Ok(()) = tokio::signal::ctrl_c() => Err(external(Error::usage("interrupted"))),
    }
}

pub(crate) fn external(error: Error) -> DataFusionError {
    DataFusionError::External(Box::new(error))
}
