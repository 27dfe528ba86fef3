//! The settings that all commands share: opening and writing files, threads, and output on the terminal.
//!
//! `run` creates one [`Context`] from the command line and passes it on, so the program has no global variables. A
//! function that needs only one part takes that part.

use std::io::Read;
use std::path::Path;

use asdf_core::file::ContainerFormat;
use asdf_core::yaml::{self, ParseOptions};
use asdf_core::{Error, File, Limits, OpenOptions, Result, Threads, Tree, WriteOptions};

use asdf_fits::AsdfInFits;

use crate::accept_damage::AcceptDamage;
use crate::colour::Colours;
use crate::config::Config;
use crate::opening_options::Opening;
use crate::program::Program;
use crate::progress::Progress;
use crate::remote::{self, Remote};
use crate::remote_options::RemoteOptions;
use crate::signals::Signals;
use crate::standard_streams::{STDIN, Stdin, is_std};
use crate::warning::Warnings;

/// The settings of one run of the program.
#[derive(Debug)]
pub(crate) struct Context {
    /// How files are opened.
    options: OpenOptions,
    limits: Limits,
    /// How to parse texts that become the trees of files.
    pub(crate) texts: ParseOptions,
    /// The number of threads to use.
    pub(crate) threads: Threads,
    pub(crate) stdin: Stdin,
    /// The colours of standard output. Those of standard error are in `warnings`.
    pub(crate) colours: Colours,
    pub(crate) warnings: Warnings,
    pub(crate) progress: Progress,
    pub(crate) signals: Signals,
    pub(crate) config: Config,
    pub(crate) remote: Remote,
    pub(crate) program: Program,
}

impl Context {
    /// Creates the settings from the options of all commands and the configuration.
    pub(crate) fn new(
        opening: &Opening,
        remote: &RemoteOptions,
        config: Config,
        colours: Colours,
        warnings: Warnings,
        signals: Signals,
    ) -> Self {
        let context = Self::with_limits(opening.limits(), opening.threads.unwrap_or_default());
        let options = opening.allow_folder.iter().fold(context.options, OpenOptions::allow_folder);
        let options = match opening.verify {
            true => options.verify_checksums(true),
            false => options.report_checksums(warnings.teller()),
        };
        let progress = warnings.progress.clone();
        let options = match progress.is_shown() {
            true => options.watch(progress.reader()),
            false => options,
        };
        let remote = Remote::new(remote);
        Self { options, config, colours, warnings, progress, signals, remote, ..context }
    }

    /// Creates the settings for completions. A shell waits for these, so the limits are low enough to be quick with
    /// any file.
    pub(crate) fn for_completions() -> Self {
        let mut limits = Limits::default();
        limits.tree_size = 16 << 20;
        limits.tree_nodes = 1 << 20;
        limits.tree_tag_bytes = Some(16 << 20);
        limits.decoded_size = 1 << 20;
        limits.decoded_total = Some(1 << 20);
        Self::with_limits(limits, Threads::default())
    }

    fn with_limits(limits: Limits, threads: Threads) -> Self {
        let texts = ParseOptions::new()
            .max_text(usize::try_from(limits.tree_size).unwrap_or(usize::MAX))
            .max_depth(limits.tree_depth)
            .max_nodes(limits.tree_nodes)
            .max_tag_bytes(limits.tree_tag_bytes);
        Self {
            options: OpenOptions::new().limits(limits).threads(threads).container(AsdfInFits::format()),
            limits,
            texts,
            threads,
            stdin: Stdin::default(),
            colours: Colours::default(),
            warnings: Warnings::default(),
            progress: Progress::default(),
            signals: Signals::default(),
            config: Config::default(),
            remote: Remote::default(),
            program: Program::default(),
        }
    }

    /// Opens a file by its path or URL, or reads standard input to its end for `-`. If the block index lists blocks that were not found,
    /// warns when an array is used.
    pub(crate) fn open(&self, path: &Path) -> Result<File> {
        self.open_with(&self.warning_options(), path)
    }

    /// Opens a file like [`Self::open`], but without that warning. For completions, and for commands that report such
    /// blocks themselves.
    pub(crate) fn open_quietly(&self, path: &Path) -> Result<File> {
        self.open_with(&self.options, path)
    }

    /// Opens a file whose data is written again. Refuses data whose checksum does not match, unless that is accepted.
    pub(crate) fn open_verified(&self, path: &Path, accept: AcceptDamage) -> Result<File> {
        match accept.yes {
            true => self.open(path),
            false => self.open_with(&self.warning_options().verify_checksums(true), path),
        }
    }

    /// Opens a file that is rewritten, like [`Self::open_verified`], and calls [`refuse_missed_blocks`].
    pub(crate) fn open_to_rewrite(&self, path: &Path, accept: AcceptDamage) -> Result<File> {
        let file = self.open_verified(path, accept)?;
        refuse_missed_blocks(&file, path)?;
        Ok(file)
    }

    /// Opens a file whose tree is changed, and calls [`refuse_missed_blocks`]. Its blocks keep their checksums.
    pub(crate) fn open_to_change(&self, path: &Path) -> Result<File> {
        let file = self.open(path)?;
        refuse_missed_blocks(&file, path)?;
        Ok(file)
    }

    /// Opens a file that the program wrote itself, without a warning about missed blocks. The progress bar does not count
    /// it.
    pub(crate) fn open_again(&self, path: &Path) -> Result<File> {
        match remote::url(path) {
            Some(url) => self.remote.open(&self.options, url),
            None => self.options.open(path),
        }
    }

    /// Returns the options for a file in memory that the program wrote itself.
    pub(crate) fn open_options(&self) -> &OpenOptions {
        &self.options
    }

    fn warning_options(&self) -> OpenOptions {
        self.options.clone().report_missed_blocks(self.warnings.teller())
    }

    fn open_with(&self, options: &OpenOptions, path: &Path) -> Result<File> {
        if is_std(path) {
            return options.open_reader(self.stdin.open()?).map_err(|error| error.at_file(STDIN));
        }
        if let Some(url) = remote::url(path) {
            return self.remote.open(options, url);
        }
        if self.progress.is_shown() {
            self.progress.opened(std::fs::metadata(path).map_or(0, |found| found.len()));
        }
        options.open(path)
    }

    /// Reads standard input to its end, for a file of another format.
    pub(crate) fn read_stdin(&self) -> Result<Vec<u8>> {
        let mut stdin = self.stdin.open()?;
        let first = start(&AsdfInFits, &mut stdin)?;
        self.limits.read_to_end(first.as_slice().chain(stdin))
    }

    /// Returns the options with which every command writes ASDF files; a command can add its own.
    pub(crate) fn write_options(&self) -> WriteOptions {
        let options = WriteOptions::new().threads(self.threads);
        if self.progress.is_shown() { options.watch(self.progress.writer()) } else { options }
    }

    /// Parses a text that becomes the tree of a file.
    pub(crate) fn parse(&self, text: &str) -> Result<Tree> {
        yaml::parse_with(text.into(), self.texts)
    }
}

/// Reads the first bytes of a stream. If they look like a format, reads until the format knows that it can be.
fn start(format: &dyn ContainerFormat, stream: &mut impl Read) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    loop {
        // Twice as many bytes as before.
        let more = bytes.len().max(64) as u64;
        let read = stream.by_ref().take(more).read_to_end(&mut bytes);
        let is_at_end = (read.map_err(|error| Error::io("reading to the end", error))? as u64) < more;
        if is_at_end || !format.matches(&bytes) || format.check_start(&bytes)? {
            return Ok(bytes);
        }
    }
}

/// Refuses a file whose block index lists blocks that were not found. A new file would get a new index, and the
/// location of the missed blocks would be lost.
pub(crate) fn refuse_missed_blocks(file: &File, path: &Path) -> Result<()> {
    let missed = file.missed_blocks()?.into_iter().reduce(Error::and);
    let name = if is_std(path) { Path::new(STDIN) } else { path };
    missed.map_or(Ok(()), |error| Err(error.at_file(name)))
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    fn sources() -> impl Iterator<Item = (PathBuf, String)> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let files = walkdir::WalkDir::new(folder).into_iter().map(|entry| entry.unwrap().into_path());
        files.filter(|path| path.is_file()).map(|path| {
            let text = std::fs::read_to_string(&path).unwrap();
            (path, text)
        })
    }

    #[test]
    fn files_are_opened_and_written_only_through_the_context() {
        for (path, text) in sources().filter(|(path, _)| !path.ends_with("context.rs")) {
            for other in [
                "WriteOptions::new",
                "OpenOptions::new",
                "OpenOptions::default",
                " File::open(",
                "(File::open(",
            ] {
                assert!(!text.contains(other), "{}: {other}", path.display());
            }
        }
    }

    #[test]
    fn no_state_is_global() {
        // Signals do not need any either: `signal_hook` passes them to a thread, which has its own values.
        let global =
            regex::Regex::new(r"\bstatic (mut )?[A-Z]|\b(Once|Lazy)(Lock|Cell)\b|thread_local[!]").unwrap();
        for (path, text) in sources() {
            assert_eq!(global.find(&text).map(|found| found.as_str()), None, "{}", path.display());
        }
    }
}
