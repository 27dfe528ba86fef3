//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

/// Query many ASDF files with SQL.
///
/// Each file is a row, and the values of its tree are columns with dotted names. The end of a name is enough if only one
/// column ends with it. Tables in FROM are folders, globs such as 'l2/*.asdf', URLs or names given by --table. FITS files
/// that contain ASDF are read, too.
///
/// Files that cannot be read have a row with nulls, and the reason in the column _problems.
#[derive(Debug, Parser)]
#[command(
    name = "asdf-sql",
    version,
    args_conflicts_with_subcommands = true,
    after_help = "Tables:
  'l2/', 'l2/**/*.asdf', 's3://bucket/l2/'    one row for each file
  asdf_rows('l2/', '/catalog')                the rows of the table at a path of each file
  violations('l2/')                           what is wrong with each file
  blocks('l2/')                               the blocks of each file

Functions:
  array_mean(_file, '/roman/data'), array_min, array_max, array_percentile(_file, '/roman/data', 95)
  convert_unit(x, 'deg', 'rad')
  sky(_file, x, y), contains(_file, ra, dec)  by the world coordinates of a file

Examples:
  asdf-sql \"select detector, count(*) from 'l2/' group by detector\"
  asdf-sql \"select _file from 's3://bucket/l2/*.asdf' where exposure.exposure_time > 100\"
  asdf-sql --table l2=l2/,table=WFIExposure --package rad \"select * from l2\" -o l2.parquet
  asdf-sql --cluster df://scheduler:50050 \"select count(*) from '/data/l2/'\""
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,

    #[command(flatten)]
    pub(crate) query: QueryArgs,
}

/// A process of a cluster.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run the scheduler of a cluster
    Scheduler(SchedulerArgs),
    /// Run an executor of a cluster
    Executor(ExecutorArgs),
}

/// The arguments of a query.
#[derive(Debug, Args)]
pub(crate) struct QueryArgs {
    /// The statements, separated by semicolons [default: a prompt, or standard input]
    pub(crate) query: Option<String>,

    /// Give files a name; can be repeated
    ///
    /// The columns are those in a sample of the files. `schema=TAG` takes those of the schema of a tag, and
    /// `table=WFIExposure` those that schemas annotate for a table of an archive.
    #[arg(long, value_name = "NAME=FILES[,schema=TAG|,table=NAME]")]
    pub(crate) table: Vec<String>,

    /// The format of the result [default: by the name of the output file, or table]
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format: Option<Format>,

    /// Write the result to a file
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// End at the first file that cannot be read
    #[arg(long)]
    pub(crate) strict: bool,

    /// Run the query on a cluster
    #[arg(long, value_name = "df://HOST:PORT")]
    pub(crate) cluster: Option<String>,

    /// Read the trees of up to N files to find the columns of a table
    #[arg(long, value_name = "N", default_value_t = 256)]
    pub(crate) sample: usize,

    /// Add the schemas and manifests in DIR and below; can be repeated
    #[arg(long, value_name = "DIR", help_heading = "Schemas")]
    pub(crate) schemas: Vec<PathBuf>,

    /// Add the schemas of a Python package, such as rad; can be repeated
    ///
    /// The schemas of the packages that it requires are added too; '*' adds those of all installed packages. Each process of
    /// a cluster finds the packages on its own machine. The variable ASDF_PACKAGES (ASDF_PACKAGES=rad,dkist) can name more.
    #[arg(long, value_name = "NAME", help_heading = "Schemas")]
    pub(crate) package: Vec<String>,

    /// Let these schemas replace built-in ones with the same id
    #[arg(long, help_heading = "Schemas")]
    pub(crate) replace_built_in: bool,
}

/// A format of results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Columns for people
    Table,
    /// Comma-separated values
    Csv,
    /// One JSON object for each row
    Json,
    /// Parquet
    Parquet,
}

/// The arguments of the scheduler.
#[derive(Debug, Args)]
pub(crate) struct SchedulerArgs {
    /// The port to listen on
    #[arg(long, default_value_t = 50050)]
    pub(crate) port: u16,

    /// The IP address to listen on: anyone who can reach it can run queries
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1")]
    pub(crate) bind: String,

    /// End queries if an executor is silent for SECONDS, or none runs
    #[arg(long, value_name = "SECONDS", default_value_t = 30)]
    pub(crate) timeout: u64,
}

/// The arguments of an executor.
#[derive(Debug, Args)]
pub(crate) struct ExecutorArgs {
    /// The scheduler
    #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:50050")]
    pub(crate) scheduler: String,

    /// The port to listen on; the next one is also used
    #[arg(long, default_value_t = 50051)]
    pub(crate) port: u16,

    /// The IP address to listen on
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1")]
    pub(crate) bind: String,

    /// The name that other machines reach this one by [default: the address of --bind]
    #[arg(long, value_name = "NAME")]
    pub(crate) host: Option<String>,

    /// The folder for intermediate results [default: a temporary one]
    #[arg(long, value_name = "DIR")]
    pub(crate) work_dir: Option<PathBuf>,

    /// Run up to N tasks at the same time [default: the number of cores]
    #[arg(long, value_name = "N")]
    pub(crate) cores: Option<usize>,

    /// Tell the scheduler every SECONDS that this executor is alive
    #[arg(long, value_name = "SECONDS", default_value_t = 5)]
    pub(crate) heartbeat: u64,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}
