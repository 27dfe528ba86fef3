//! The one error type: where it happened, what was found, what was expected, what to do.

mod code;
mod constant;
mod hint;
mod limit_name;

use std::error::Error as StdError;
use std::fmt;
use std::path::{Path, PathBuf};

use asdf_schema_model::pointer;

pub use code::Code;
pub(crate) use constant::ConstantText;
pub use hint::Hint;
pub use limit_name::LimitName;

/// The result of everything that can fail in this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What kind of failure an [`Error`] is. Programs branch on this, or on its [`Code`]; people read the message.
///
/// ```
/// use asdf_core::{File, Result, error};
///
/// /// The gain, or 1 in files that do not say it. A gain that is not a number is still an error.
/// fn gain(file: &File) -> Result<f64> {
///     match file.get("/meta/gain") {
///         Err(error) if error.kind() == error::Kind::Missing => Ok(1.0),
///         found => found,
///     }
/// }
///
/// let mut file = File::new();
/// assert_eq!(gain(&file)?, 1.0);
/// file.set_with_parents("/meta/gain", "high")?;
/// assert_eq!(gain(&file).unwrap_err().kind(), error::Kind::Mismatch);
///
/// // What the caller may mend: the bytes of another file, a feature of this build, a limit.
/// let what = match File::from_bytes(&b"SIMPLE  =                    T"[..]).unwrap_err().kind() {
///     error::Kind::Malformed => "not an ASDF file, or damaged",
///     error::Kind::Unsupported => "needs a feature or a codec",
///     error::Kind::Limit => "larger than `Limits` allow",
///     _ => "something else",
/// };
/// assert_eq!(what, "not an ASDF file, or damaged");
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// The operating system refused to read or write.
    Io,
    /// The bytes are not what the ASDF or YAML format requires.
    Malformed,
    /// Nothing is at the path that was asked for, or that a reference leads to. A value that is there and lacks a
    /// property is a [`Mismatch`](Self::Mismatch).
    Missing,
    /// The file is well formed, but a value is not of the type or shape that was asked for.
    Mismatch,
    /// The file needs something that this build or this version does not have.
    Unsupported,
    /// A limit on size, depth or memory was reached (see [`Limits`](crate::Limits)).
    Limit,
    /// The caller asked for something that makes no sense.
    Usage,
}

/// Why something failed, and where: file, path in the tree, line and column or byte offset.
///
/// One word wide. `Display` prints the place first, as compilers do:
/// `FILE:LINE:COLUMN: /path: message`, then a `hint:` line, then further errors found at the same
/// time, one a line.
///
/// ```
/// use asdf_core::{File, error};
///
/// let mut file = File::new();
/// file.set("/exposure", &std::collections::BTreeMap::from([("seconds", "long")]))?;
/// let error = file.get::<f64>("/exposure/seconds").unwrap_err();
/// assert_eq!(error.kind(), error::Kind::Mismatch); // for programs
/// assert_eq!(error.path(), Some("/exposure/seconds"));
/// assert_eq!(error.message(), "found the string 'long', expected a number");
/// assert_eq!(error.to_string(), "/exposure/seconds: found the string 'long', expected a number"); // for people
/// # Ok::<(), asdf_core::Error>(())
/// ```
pub struct Error(Box<Inner>);

struct Inner {
    kind: Kind,
    code: Option<Code>,
    message: String,
    file: Option<PathBuf>,
    path: Option<String>,
    position: Option<(u32, u32)>,
    offset: Option<u64>,
    hint: Option<Hint>,
    source: Option<Box<dyn StdError + Send + Sync>>,
    others: Vec<Error>,
}

impl Error {
    /// An error of a kind with a message. The message says what was found and what was expected,
    /// without the place: that is added by the `at_` methods.
    #[must_use]
    pub fn new(kind: Kind, message: impl Into<String>) -> Self {
        Self(Box::new(Inner {
            kind,
            code: None,
            message: message.into(),
            file: None,
            path: None,
            position: None,
            offset: None,
            hint: None,
            source: None,
            others: Vec::new(),
        }))
    }

    /// [`Kind::Malformed`].
    #[must_use]
    pub fn malformed(message: impl Into<String>) -> Self {
        Self::new(Kind::Malformed, message)
    }

    /// [`Kind::Mismatch`].
    #[must_use]
    pub fn mismatch(message: impl Into<String>) -> Self {
        Self::new(Kind::Mismatch, message)
    }

    /// [`Kind::Missing`].
    #[must_use]
    pub fn missing(message: impl Into<String>) -> Self {
        Self::new(Kind::Missing, message)
    }

    /// [`Kind::Unsupported`].
    #[must_use]
    pub fn unsupported(message: impl Into<String>) -> Self {
        Self::new(Kind::Unsupported, message)
    }

    /// [`Kind::Limit`].
    #[must_use]
    pub fn limit(message: impl Into<String>) -> Self {
        Self::new(Kind::Limit, message)
    }

    /// [`Kind::Limit`] with [`Code::Memory`], and what the memory is needed for (`"54 bytes of a file"`).
    #[must_use]
    pub(crate) fn no_memory(what: impl fmt::Display) -> Self {
        Self::limit(format!("not enough memory for {what}")).with_code(Code::Memory)
    }

    /// [`Kind::Limit`] with [`Code::Memory`], for a size that does not fit `usize`.
    #[must_use]
    pub(crate) fn beyond_memory(bytes: u64) -> Self {
        Self::limit(format!("{bytes} bytes do not fit into this machine's memory")).with_code(Code::Memory)
    }

    /// [`Kind::Usage`].
    #[must_use]
    pub fn usage(message: impl Into<String>) -> Self {
        Self::new(Kind::Usage, message)
    }

    /// [`Kind::Io`], with what was being done (`"reading 54 bytes"`) and why it failed, in the same words on
    /// all systems. What was being done is left out if it is `"opening"` or `"reading"` a file that is not there,
    /// is a folder, or may not be read.
    #[must_use]
    pub fn io(doing: impl fmt::Display, source: std::io::Error) -> Self {
        use std::io::ErrorKind::{IsADirectory, NotFound, PermissionDenied};
        let doing = doing.to_string();
        let is_plain = matches!(doing.as_str(), "opening" | "reading");
        let reason = reason(&source);
        let message = match source.kind() {
            NotFound if is_plain => "no such file".to_owned(),
            IsADirectory | PermissionDenied if is_plain => reason,
            _ => format!("{doing}: {reason}"),
        };
        let mut error = Self::new(Kind::Io, message);
        error.0.source = Some(Box::new(source));
        error
    }

    /// Names the file, unless an inner error has named one.
    #[must_use]
    pub fn at_file(mut self, file: impl AsRef<Path>) -> Self {
        self.0.file.get_or_insert_with(|| file.as_ref().to_path_buf());
        for other in &mut self.0.others {
            other.0.file.get_or_insert_with(|| file.as_ref().to_path_buf());
        }
        self
    }

    /// Gives the line and column in the file, both from 1, the column in characters, unless an
    /// inner error has given them.
    #[must_use]
    pub fn at_position(mut self, line: u32, column: u32) -> Self {
        self.0.position.get_or_insert((line, column));
        self
    }

    /// Gives the byte offset in the file, unless an inner error has given one.
    #[must_use]
    pub fn at_offset(mut self, offset: u64) -> Self {
        self.0.offset.get_or_insert(offset);
        self
    }

    /// Says that the error is at or below this JSON Pointer in the tree: `pointer` is put in front
    /// of what inner errors have said.
    #[must_use]
    pub fn at_path(mut self, pointer: &str) -> Self {
        self.prefix(pointer);
        self
    }

    /// Like [`at_path`](Self::at_path) for one step, a mapping's key or a sequence's index, which
    /// is escaped as JSON Pointer asks (`~` is `~0`, `/` is `~1`).
    #[must_use]
    pub fn under(mut self, step: impl fmt::Display) -> Self {
        self.prefix(&format!("/{}", pointer::escape(&step.to_string())));
        self
    }

    fn prefix(&mut self, pointer: &str) {
        self.0.path = Some(match self.0.path.take() {
            Some(inner) => format!("{pointer}{inner}"),
            None => pointer.to_owned(),
        });
        for other in &mut self.0.others {
            other.prefix(pointer);
        }
    }

    /// Replaces the paths of this error and of [others](Self::others): for programs that write a tree whose nodes
    /// their users know by other paths.
    #[must_use]
    pub fn map_path(mut self, path: impl Fn(&str) -> String) -> Self {
        self.map_paths(&path);
        self
    }

    /// Removes the paths of this error and of [others](Self::others), for errors about what is not in a tree.
    #[must_use]
    pub fn without_path(mut self) -> Self {
        self.0.path = None;
        self.0.others.iter_mut().for_each(|other| other.0.path = None);
        self
    }

    /// Replaces the line and column of this error and of [others](Self::others); `None` removes them. For programs that
    /// parse a part of a file, or a text that is not in a file.
    ///
    /// ```
    /// use asdf_core::yaml;
    ///
    /// // The text begins on line 11 of another file.
    /// let error = yaml::parse("a: [1, 2").unwrap_err();
    /// let error = error.map_position(|line, column| Some((line + 10, column)));
    /// assert_eq!(error.line(), Some(11));
    /// ```
    #[must_use]
    pub fn map_position(mut self, position: impl Fn(u32, u32) -> Option<(u32, u32)>) -> Self {
        self.map_positions(&position);
        self
    }

    fn map_positions(&mut self, position: &dyn Fn(u32, u32) -> Option<(u32, u32)>) {
        self.0.position = self.0.position.and_then(|(line, column)| position(line, column));
        self.0.others.iter_mut().for_each(|other| other.map_positions(position));
    }

    fn map_paths(&mut self, path: &dyn Fn(&str) -> String) {
        self.0.path = self.0.path.take().map(|old| path(&old));
        self.0.others.iter_mut().for_each(|other| other.map_paths(path));
    }

    /// Says what to do about it, unless an inner error has said it.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<Hint>) -> Self {
        self.0.hint.get_or_insert_with(|| hint.into());
        self
    }

    /// Replaces the hint. All else stays, and the hints of [others](Self::others) too.
    #[must_use]
    pub fn replace_hint(mut self, hint: impl Into<Hint>) -> Self {
        self.0.hint = Some(hint.into());
        self
    }

    /// Replaces the kind. All else stays, and the kinds of [others](Self::others) too.
    #[must_use]
    pub fn with_kind(mut self, kind: Kind) -> Self {
        self.0.kind = kind;
        self
    }

    /// Says what exactly failed, unless an inner error has said it.
    #[must_use]
    pub fn with_code(mut self, code: Code) -> Self {
        self.0.code.get_or_insert(code);
        self
    }

    /// Replaces the message. All else stays.
    #[must_use]
    pub fn with_message(mut self, message: impl Into<String>) -> Self {
        self.0.message = message.into();
        self
    }

    /// Keeps the error that caused this one.
    #[must_use]
    pub fn with_source(mut self, source: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        self.0.source.get_or_insert_with(|| source.into());
        self
    }

    /// Adds an error that was found at the same time, so that all of a value's faults are told at
    /// once.
    #[must_use]
    pub fn and(mut self, mut other: Self) -> Self {
        let nested = std::mem::take(&mut other.0.others);
        self.0.others.push(other);
        self.0.others.extend(nested);
        self
    }

    /// The kind.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.0.kind
    }

    /// What exactly failed. `None` for causes without a code: the [`kind`](Self::kind) and the message say all there is.
    #[must_use]
    pub fn code(&self) -> Option<Code> {
        self.0.code
    }

    /// The message, without place and hint.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// The file, where it is known.
    #[must_use]
    pub fn file(&self) -> Option<&Path> {
        self.0.file.as_deref()
    }

    /// The place in the tree as a JSON Pointer (RFC 6901); the empty string is the root.
    #[must_use]
    pub fn path(&self) -> Option<&str> {
        self.0.path.as_deref()
    }

    /// The line in the file, from 1.
    #[must_use]
    pub fn line(&self) -> Option<u32> {
        self.0.position.map(|(line, _)| line)
    }

    /// The column in the file, in characters, from 1.
    #[must_use]
    pub fn column(&self) -> Option<u32> {
        self.0.position.map(|(_, column)| column)
    }

    /// The byte offset in the file.
    #[must_use]
    pub fn offset(&self) -> Option<u64> {
        self.0.offset
    }

    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> Option<&Hint> {
        self.0.hint.as_ref()
    }

    /// Further errors found at the same time.
    #[must_use]
    pub fn others(&self) -> &[Error] {
        &self.0.others
    }

    /// Prints the error as `Display` does, with the hints of it and of [others](Self::others) in the words of a
    /// program: see [`Hint`].
    pub fn display_with<'a, D: fmt::Display + 'a>(
        &'a self,
        words: impl Fn(&'a Hint) -> D + 'a,
    ) -> impl fmt::Display + 'a {
        Shown { error: self, words }
    }

    /// Prints the place and the message as `Display` does, without the hint and [others](Self::others).
    pub fn summary(&self) -> impl fmt::Display + '_ {
        Summary(self)
    }

    fn write_summary(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.0.file {
            write!(f, "{}:", file.display())?;
            if let Some((line, column)) = self.0.position {
                write!(f, "{line}:{column}:")?;
            }
            f.write_str(" ")?;
        } else if let Some((line, column)) = self.0.position {
            write!(f, "line {line}, column {column}: ")?;
        }
        if let (Some(offset), None) = (self.0.offset, self.0.position) {
            write!(f, "at byte {offset}: ")?;
        }
        match self.0.path.as_deref() {
            Some("") => f.write_str("/: ")?,
            Some(path) => write!(f, "{path}: ")?,
            None => {}
        }
        f.write_str(&self.0.message)
    }

    fn write<'a>(
        &'a self,
        f: &mut fmt::Formatter<'_>,
        words: &dyn Fn(&'a Hint, &mut fmt::Formatter<'_>) -> fmt::Result,
    ) -> fmt::Result {
        self.write_summary(f)?;
        if let Some(hint) = &self.0.hint {
            f.write_str("\n  hint: ")?;
            words(hint, f)?;
        }
        for other in &self.0.others {
            f.write_str("\n")?;
            other.write(f, words)?;
        }
        Ok(())
    }
}

/// Why an input or output failed, without the number that the system gives it.
fn reason(error: &std::io::Error) -> String {
    use std::io::ErrorKind;
    let words = match error.kind() {
        ErrorKind::NotFound => "no such file or folder",
        ErrorKind::PermissionDenied => "permission denied",
        ErrorKind::IsADirectory => "this is a folder, expected a file",
        ErrorKind::NotADirectory => "a part of the path is not a folder",
        ErrorKind::ReadOnlyFilesystem => "the file system is read-only",
        ErrorKind::StorageFull => "no space left",
        ErrorKind::FileTooLarge => "the file is too large for the file system",
        _ => {
            let text = error.to_string();
            let end = text.rfind(" (os error ").unwrap_or(text.len());
            return text.get(..end).unwrap_or(&text).to_owned();
        }
    };
    // What a program says itself is not replaced.
    if error.raw_os_error().is_none() && error.get_ref().is_some() {
        error.to_string()
    } else {
        words.to_owned()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, &|hint, f| hint.fmt(f))
    }
}

struct Summary<'a>(&'a Error);

impl fmt::Display for Summary<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.write_summary(f)
    }
}

/// An error whose hints are worded by a program.
struct Shown<'a, W> {
    error: &'a Error,
    words: W,
}

impl<'a, W: Fn(&'a Hint) -> D, D: fmt::Display> fmt::Display for Shown<'a, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.write(f, &|hint, f| (self.words)(hint).fmt(f))
    }
}

impl fmt::Debug for Error {
    /// The same text as `Display`: what `unwrap` and `main` print is for people too.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {self}", self.0.kind)
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.0.source.as_deref().map(|source| source as _)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn place_comes_first_and_the_innermost_place_wins() {
        let error = Error::mismatch("found a string, expected a number")
            .at_position(3, 9)
            .under("a/b")
            .under(0)
            .at_path("/list")
            .at_position(1, 1)
            .at_file("x.asdf")
            .with_hint("quote it not");
        assert_eq!(
            error.to_string(),
            "x.asdf:3:9: /list/0/a~1b: found a string, expected a number\n  hint: quote it not"
        );
    }

    #[cfg(unix)]
    #[test]
    fn why_an_input_failed_is_told_in_plain_words() {
        let opened = std::fs::File::open("no/such/file").unwrap_err();
        assert_eq!(Error::io("opening", opened).at_file("x").to_string(), "x: no such file");
        let system = |number| std::io::Error::from_raw_os_error(number);
        assert_eq!(Error::io("writing", system(13)).message(), "writing: permission denied");
        assert_eq!(Error::io("reading", system(13)).message(), "permission denied");
        assert!(!Error::io("writing", system(5)).message().contains("os error"));
        let own = std::io::Error::new(std::io::ErrorKind::NotFound, "the thread failed");
        assert_eq!(Error::io("hashing", own).message(), "hashing: the thread failed");
    }

    #[test]
    fn programs_word_hints_of_all_errors() {
        let one = Error::limit("one").with_hint(Hint::SetWithParents).and(Error::limit("two"));
        let error = one.and(Error::limit("three").with_hint("mind it"));
        let words = |hint: &Hint| match hint {
            Hint::SetWithParents => "pass --parents".to_owned(),
            hint => hint.to_string(),
        };
        let shown = error.display_with(words).to_string();
        assert_eq!(shown, "one\n  hint: pass --parents\ntwo\nthree\n  hint: mind it");
        assert_eq!(error.display_with(Hint::to_string).to_string(), error.to_string());
    }

    #[test]
    fn what_is_replaced_leaves_the_rest() {
        let error = Error::malformed("one").with_code(Code::Block).at_offset(5).at_path("/a").with_hint("a");
        let error = error.and(Error::missing("two").with_hint("b").with_hint("c"));
        let error = error.with_kind(Kind::Usage).with_message("three").replace_hint("d");
        assert_eq!((error.kind(), error.code()), (Kind::Usage, Some(Code::Block)));
        assert_eq!(error.others()[0].kind(), Kind::Missing);
        assert_eq!(error.to_string(), "at byte 5: /a: three\n  hint: d\ntwo\n  hint: b");
        assert_eq!(error.summary().to_string(), "at byte 5: /a: three");
    }

    #[test]
    fn others_share_file_and_path() {
        let error = Error::mismatch("one").under("a").and(Error::mismatch("two").under("b"));
        let error = error.under("top").at_file("f");
        assert_eq!(error.to_string(), "f: /top/a: one\nf: /top/b: two");
        assert_eq!(std::mem::size_of::<Error>(), std::mem::size_of::<usize>());
    }
}
