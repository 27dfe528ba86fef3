//! The program `asdf-sql`.

mod args;
mod grid;
mod logger;
mod message;
mod output;
mod progress;
mod prompt;
mod run;
mod table_argument;

use std::io::{IsTerminal as _, Read as _, Write as _};
use std::process::ExitCode;

use asdf_core::Error;
use asdf_sql::{Executor, Scheduler};
use clap::Parser as _;
use datafusion::common::Result;

use crate::args::{Cli, Command, ExecutorArgs, QueryArgs, SchedulerArgs};
use crate::message::{Ending, message};
use crate::run::{Runner, external, interruptible};

fn main() -> ExitCode {
    let cli = Cli::parse();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let result = match runtime {
        Ok(runtime) => {
            let result = runtime.block_on(run(cli));
            // Do not wait for files that other threads still read.
            runtime.shutdown_background();
            result
        }
        Err(error) => Err(external(Error::io("starting threads", error))),
    };
    let Err(error) = result else { return ExitCode::SUCCESS };
    if is_broken_pipe(&error) {
        return ExitCode::SUCCESS;
    }
    let (text, ending) = message(&error);
    // A failure to print an error cannot be reported.
    let _ = writeln!(std::io::stderr(), "{text}");
    match ending {
        Ending::Problems => ExitCode::from(1),
        Ending::Failure => ExitCode::from(2),
    }
}

/// Whether the reader of standard output has ended, which is not an error.
fn is_broken_pipe(error: &(dyn std::error::Error + 'static)) -> bool {
    let mut cause = Some(error);
    while let Some(found) = cause {
        let io = found.downcast_ref::<std::io::Error>();
        if io.is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe) {
            return true;
        }
        cause = found.source();
    }
    false
}

async fn run(cli: Cli) -> Result<()> {
    match cli.command {
        Some(Command::Scheduler(args)) => scheduler(args).await.map_err(external),
        Some(Command::Executor(args)) => executor(args).await.map_err(external),
        None => query(&cli.query).await,
    }
}

async fn query(args: &QueryArgs) -> Result<()> {
    let runner = interruptible(Runner::new(args)).await?;
    let text = match &args.query {
        Some(text) => text.clone(),
        None if std::io::stdin().is_terminal() => return prompt::run(&runner).await,
        None => {
            let mut text = String::new();
            std::io::stdin()
                .read_to_string(&mut text)
                .map_err(|error| external(Error::io("reading standard input", error)))?;
            text
        }
    };
    interruptible(runner.run(&text, args.output.as_deref())).await
}

async fn scheduler(args: SchedulerArgs) -> asdf_core::Result<()> {
    logger::start();
    let mut scheduler = Scheduler::default();
    (scheduler.bind, scheduler.port, scheduler.timeout) = (args.bind, args.port, args.timeout);
    scheduler.run().await
}

async fn executor(args: ExecutorArgs) -> asdf_core::Result<()> {
    logger::start();
    let wrong = || {
        Error::usage(format!("not a scheduler: {}", args.scheduler.escape_debug()))
            .with_hint("write HOST:PORT")
    };
    let (host, port) = args.scheduler.rsplit_once(':').ok_or_else(wrong)?;
    let mut executor = Executor::default();
    executor.scheduler = host.to_owned();
    executor.scheduler_port = port.parse().map_err(|_| wrong())?;
    (executor.bind, executor.host, executor.port) = (args.bind, args.host, args.port);
    (executor.work_dir, executor.cores, executor.heartbeat) = (args.work_dir, args.cores, args.heartbeat);
    executor.run().await
}
