//! How every command opens ASDF files: what they may ask of memory, and which other files they may name.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use asdf_core::yaml::{self, ParseOptions};
use asdf_core::{Bytes, Error, File, Limits, OpenOptions, Result, Threads, Tree, WriteOptions};
use clap::ValueHint;
use clap::builder::{PathBufValueParser, TypedValueParser as _};

use crate::hint::DEEPEST;
use crate::{bytes, parallel, progress, warning};

/// The options of all commands about files that are not trusted, or trusted more than others.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Limits of the files that are read")]
pub(crate) struct Opening {
    // They come after the options of the command itself, in the manual too.
    /// Bytes of the tree's text, up to 4G; here and below, K, M, G and T are 1024, its square and so on
    #[arg(long, global = true, hide_short_help = true, display_order = 1001)]
    #[arg(value_name = "BYTES", value_parser = bytes::parse, default_value = "1G")]
    limit_tree_size: u64,

    /// Collections inside each other in the tree, up to 512
    #[arg(long, global = true, hide_short_help = true, display_order = 1002)]
    #[arg(value_name = "N", value_parser = depth, default_value_t = DEEPEST)]
    limit_tree_depth: usize,

    /// Nodes of the tree
    #[arg(long, global = true, hide_short_help = true, display_order = 1003)]
    #[arg(value_name = "N", default_value_t = Limits::default().tree_nodes)]
    limit_tree_nodes: usize,

    /// Bytes of the tree's different tags as full URIs; by default 16 for each byte of its text, and 1M
    #[arg(long, global = true, hide_short_help = true, display_order = 1004)]
    #[arg(value_name = "BYTES", value_parser = memory)]
    limit_tree_tag_bytes: Option<usize>,

    /// Bytes that one compressed block may decode to
    #[arg(long, global = true, hide_short_help = true, display_order = 1005)]
    #[arg(value_name = "BYTES", value_parser = bytes::parse, default_value = "16G")]
    limit_decoded_size: u64,

    /// Bytes that all compressed blocks of a file, and of those that it names, may decode to; by default 64G,
    /// or 16 for each byte of these files where that is more
    #[arg(long, global = true, hide_short_help = true, display_order = 1006)]
    #[arg(value_name = "BYTES", value_parser = bytes::parse)]
    limit_decoded_total: Option<u64>,

    /// Blocks of a file
    #[arg(long, global = true, hide_short_help = true, display_order = 1007)]
    #[arg(value_name = "N", default_value_t = Limits::default().blocks)]
    limit_blocks: u64,

    /// Let files name other files of this folder and below, by references and for the data of arrays; those of
    /// their own folder and below they may name anyway. May be given several times
    #[arg(long, global = true, hide_short_help = true, display_order = 1008)]
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    #[arg(value_parser = PathBufValueParser::new().try_map(folder))]
    allow_folder: Vec<PathBuf>,

    /// Refuse data whose checksum does not match, instead of a warning
    ///
    /// head, preview and export --slice read only a part of a block; they check its checksum only with this option,
    /// and read the whole block then. convert, to_yaml and defragment --compress write data anew and always refuse
    /// it if its checksum does not match; set, unset, edit, explode, implode and defragment copy blocks unread, with
    /// their checksums.
    #[arg(long, global = true, hide_short_help = true, display_order = 1009)]
    #[arg(help_heading = "Damaged data")]
    verify: bool,

    /// Use up to N threads [default: the number of processors]
    #[arg(long, global = true, hide_short_help = true, display_order = 1010)]
    #[arg(help_heading = "Performance", value_name = "N", value_parser = parallel::threads)]
    threads: Option<Threads>,
}

fn depth(text: &str) -> std::result::Result<usize, String> {
    let depth = text.parse().ok().filter(|depth| (1..=DEEPEST).contains(depth));
    depth.ok_or_else(|| format!("expected a number from 1 to {DEEPEST}"))
}

fn memory(text: &str) -> std::result::Result<usize, String> {
    usize::try_from(bytes::parse(text)?).map_err(|_| "more than this machine's memory can have".to_owned())
}

/// A folder that is there: of another one nobody would be told that it allows nothing.
fn folder(path: PathBuf) -> std::result::Result<PathBuf, String> {
    match std::fs::metadata(&path) {
        Ok(found) if found.is_dir() => Ok(path),
        Ok(_) => Err("it is not a folder".to_owned()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Err("no such folder".to_owned()),
        Err(error) => Err(Error::io("opening", error).message().to_owned()),
    }
}

/// For files, and for texts that become their trees.
static CHOSEN: OnceLock<(OpenOptions, ParseOptions, Threads)> = OnceLock::new();

impl Opening {
    /// Decides for the whole program.
    pub(crate) fn choose(&self) {
        let threads = self.threads.unwrap_or_default();
        choose(self.limits(), threads, &self.allow_folder, |options| match self.verify {
            true => options.verify_checksums(true),
            false => options.report_checksums(warning::tell),
        });
    }

    fn limits(&self) -> Limits {
        let mut limits = Limits::default();
        limits.tree_size = self.limit_tree_size;
        limits.tree_depth = self.limit_tree_depth;
        limits.tree_nodes = self.limit_tree_nodes;
        limits.tree_tag_bytes = self.limit_tree_tag_bytes;
        limits.decoded_size = self.limit_decoded_size;
        limits.decoded_total = self.limit_decoded_total;
        limits.blocks = self.limit_blocks;
        limits
    }
}

/// Decides for a shell that waits for the answer, and asks about whatever file is named: none larger than people
/// write, and no other files.
pub(crate) fn choose_small() {
    let mut limits = Limits::default();
    limits.tree_size = 16 << 20;
    limits.tree_nodes = 1 << 20;
    limits.tree_tag_bytes = Some(16 << 20);
    limits.decoded_size = 1 << 20;
    limits.decoded_total = Some(1 << 20);
    choose(limits, Threads::default(), &[], |options| options);
}

fn choose(
    limits: Limits,
    threads: Threads,
    folders: &[PathBuf],
    checks: impl FnOnce(OpenOptions) -> OpenOptions,
) {
    let options = OpenOptions::new().limits(limits).threads(threads);
    let options = checks(folders.iter().fold(options, OpenOptions::allow_folder));
    let texts = ParseOptions {
        max_text: usize::try_from(limits.tree_size).unwrap_or(usize::MAX),
        max_depth: limits.tree_depth,
        max_nodes: limits.tree_nodes,
        max_tag_bytes: limits.tree_tag_bytes,
        ..ParseOptions::default()
    };
    // The command line is read once.
    let _ = CHOSEN.set((options, texts, threads));
}

/// What was decided.
pub(crate) fn options() -> OpenOptions {
    let options = CHOSEN.get().map(|(options, ..)| options.clone()).unwrap_or_default();
    if progress::is_wanted() { options.watch(progress::read) } else { options }
}

/// Opens a file, or reads standard input to its end for `-`. Warns when an array is used if the file has blocks that
/// the block index expects elsewhere.
pub(crate) fn open(path: &Path) -> Result<File> {
    open_with(&options().report_missed_blocks(warning::tell), path)
}

/// The same without that warning: for commands that report such blocks themselves, and for completions.
pub(crate) fn open_quietly(path: &Path) -> Result<File> {
    open_with(&options(), path)
}

fn open_with(options: &OpenOptions, path: &Path) -> Result<File> {
    if !is_std(path) {
        if progress::is_wanted() {
            progress::opened(std::fs::metadata(path).map_or(0, |found| found.len()));
        }
        return options.open(path);
    }
    options.open_bytes(stdin()?).map_err(|error| error.at_file(STDIN))
}

/// Whether a path stands for standard input or output.
pub(crate) fn is_std(path: &Path) -> bool {
    path == Path::new("-")
}

/// What standard input is called in messages.
pub(crate) const STDIN: &str = "<stdin>";

/// All of standard input.
pub(crate) fn stdin() -> Result<Bytes> {
    static IS_READ: AtomicBool = AtomicBool::new(false);
    if IS_READ.swap(true, Ordering::Relaxed) {
        return Err(Error::usage("standard input can be read only once").at_file(STDIN));
    }
    let mut bytes = Vec::new();
    std::io::Read::read_to_end(&mut std::io::stdin().lock(), &mut bytes)
        .map_err(|error| Error::io("reading", error).at_file(STDIN))?;
    Ok(bytes.into())
}

/// How every command writes ASDF files, before it says more.
pub(crate) fn write_options() -> WriteOptions {
    let options = WriteOptions::new().threads(threads());
    if progress::is_wanted() { options.watch(progress::written) } else { options }
}

/// On how many threads the program works.
pub(crate) fn threads() -> Threads {
    CHOSEN.get().map(|(_, _, threads)| *threads).unwrap_or_default()
}

/// Opens a file whose data is decoded to be written in another form, and refuses data whose checksum does not match.
pub(crate) fn open_verified(path: &Path) -> Result<File> {
    open_with(&options().report_missed_blocks(warning::tell).verify_checksums(true), path)
}

/// The same for a file that is written anew, as [`refuse_missed_blocks`] says.
pub(crate) fn open_to_write(path: &Path) -> Result<File> {
    let file = open_verified(path)?;
    refuse_missed_blocks(&file, path)?;
    Ok(file)
}

/// Refuses a file that has blocks which the block index expects elsewhere. A new file would get a new index, and
/// nothing would show where the missed blocks are.
pub(crate) fn refuse_missed_blocks(file: &File, path: &Path) -> Result<()> {
    let missed = file.missed_blocks()?.into_iter().reduce(Error::and);
    let name = if is_std(path) { Path::new(STDIN) } else { path };
    missed.map_or(Ok(()), |error| Err(error.at_file(name)))
}

/// The tree of a text that is to be that of a file.
pub(crate) fn parse(text: &str) -> Result<Tree> {
    yaml::parse_with(text.into(), texts())
}

/// What was decided for texts that become trees.
pub(crate) fn texts() -> ParseOptions {
    CHOSEN.get().map(|(_, texts, _)| *texts).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;

    #[derive(clap::Parser)]
    struct Alone {
        #[command(flatten)]
        opening: Opening,
    }

    #[test]
    fn the_help_tells_the_defaults_of_the_library() {
        let alone = Alone::parse_from(["asdf"]);
        assert_eq!(alone.opening.limits(), Limits::default());
    }

    #[test]
    fn all_files_are_opened_here() {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        for entry in walkdir::WalkDir::new(source) {
            let entry = entry.unwrap();
            if entry.file_name() == "opening.rs" || !entry.file_type().is_file() {
                continue;
            }
            let text = std::fs::read_to_string(entry.path()).unwrap();
            for other in [
                "WriteOptions::new",
                "OpenOptions::new",
                "OpenOptions::default",
                " File::open(",
                "(File::open(",
            ] {
                assert!(!text.contains(other), "{}: {other}", entry.path().display());
            }
        }
    }
}
