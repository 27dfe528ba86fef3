//! Where a command writes a new file.

use std::path::{Path, PathBuf};

use asdf_core::{Error, File, Result};

use crate::opening;

/// The file that a command makes.
#[derive(Debug, clap::Args)]
pub(crate) struct Target {
    /// The new file
    #[arg(short, long)]
    output: Option<PathBuf>,

    /// Replace files that are there already
    #[arg(short, long)]
    pub(crate) force: bool,
}

impl Target {
    /// The path of the new file: the one that was asked for, or the input's name with an addition.
    pub(crate) fn path(&self, input: &Path, addition: &str) -> Result<PathBuf> {
        let path = self.output.clone().unwrap_or_else(|| {
            let mut name = input.file_stem().unwrap_or_default().to_owned();
            name.push(addition);
            // An addition may bring another ending with it.
            if !addition.contains('.') {
                name.push(".asdf");
            }
            input.with_file_name(name)
        });
        free(&path, self.force, "choose another name with --output, or replace it with --force")?;
        Ok(path)
    }
}

/// Refuses a file that is there already and may not be replaced; the hint says what to do.
pub(crate) fn free(path: &Path, force: bool, hint: &str) -> Result<()> {
    if force || path.symlink_metadata().is_err() {
        return Ok(());
    }
    Err(Error::usage("this file is there already").at_file(path).with_hint(hint))
}

/// The file that a command writes anew, in another form.
#[derive(Debug, clap::Args)]
pub(crate) struct Source {
    /// Put what references, {$ref: URI}, lead to in their places
    #[arg(short, long)]
    resolve_references: bool,

    /// The file
    pub(crate) file: PathBuf,
}

impl Source {
    /// Opens the file.
    pub(crate) fn open(&self) -> Result<File> {
        let mut file = opening::open(&self.file)?;
        if self.resolve_references {
            file.resolve_references()?;
        }
        Ok(file)
    }
}

/// A file that takes the place of another one when it is whole; until then that one stays.
pub(crate) struct Replacement {
    file: tempfile::NamedTempFile,
    path: PathBuf,
}

impl Replacement {
    /// An empty file in the folder of the one that it will be.
    pub(crate) fn of(path: &Path) -> Result<Self> {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut builder = tempfile::Builder::new();
        #[cfg(unix)]
        let builder = {
            use std::os::unix::fs::PermissionsExt as _;
            // As any new file: what the user's mask takes away is taken.
            builder.permissions(std::fs::Permissions::from_mode(0o666))
        };
        let file =
            builder.prefix(".asdf-").suffix(".tmp").tempfile_in(folder).map_err(|error| {
                Error::io("making a file beside it", refusal(folder, error)).at_file(path)
            })?;
        Ok(Self { file, path: path.to_path_buf() })
    }

    /// The new file, to be filled.
    pub(crate) fn file(&mut self) -> &mut std::fs::File {
        self.file.as_file_mut()
    }

    /// Puts it on the disk and in its place.
    pub(crate) fn put(self) -> Result<()> {
        let Self { file, path } = self;
        let io = |error| Error::io("writing", error).at_file(&path);
        file.as_file().sync_all().map_err(io)?;
        file.persist(&path).map_err(|error| io(error.error))?;
        Ok(())
    }
}

/// Why no file can be made in a folder, without the made-up name of that file.
fn refusal(folder: &Path, error: std::io::Error) -> std::io::Error {
    std::fs::metadata(folder).err().unwrap_or_else(|| error.kind().into())
}
