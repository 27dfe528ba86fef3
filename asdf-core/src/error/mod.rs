//! The error type of all crates: where it happened, what was found and expected, and what to do.
//!
//! | to | use |
//! |---|---|
//! | branch on the kind of failure | [`Error::kind`] and [`Kind`] |
//! | handle one exact cause | [`Error::code`] and [`Code`] |
//! | find the place | [`Error::file`], [`path`](Error::path), [`line`](Error::line), [`offset`](Error::offset) |
//! | print it for people | `Display`, or [`Error::display_with`] to word the hints yourself |
//!
//! # Examples
//! ```
//! use asdf_core::{File, error};
//!
//! let error = File::open("missing.asdf").unwrap_err();
//! assert_eq!(error.kind(), error::Kind::Io);
//! assert_eq!(error.to_string(), "missing.asdf: no such file");
//! ```

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

/// The result of every fallible function of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The kind of an [`Error`]. Programs branch on it, or on the finer [`Code`]; people read the message.
///
/// # Examples
/// ```
/// use asdf_core::{File, Result, error};
///
/// /// Returns the gain, or 1 if the file has none. A gain that is not a number is still an error.
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
/// // Causes that the caller can remove: the wrong file, a missing feature, a limit.
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
    /// The path or the target of a reference does not exist. A value that exists but lacks a property is a
    /// [`Mismatch`](Self::Mismatch).
    Missing,
    /// The file is well formed, but a value does not have the requested type or shape.
    Mismatch,
    /// The file needs something that this build or this version does not have.
    Unsupported,
    /// A limit on size, depth or memory was reached: see [`Limits`](crate::Limits).
    Limit,
    /// The caller passed arguments that make no sense.
    Usage,
}

/// An error with its cause and place: file, path in the tree, line and column or byte offset.
///
/// `Display` prints the place first, as compilers do: `FILE:LINE:COLUMN: /path: message`. A line with the hint follows,
/// then [other errors](Self::others) that were found at the same time, one per line. The value has the size of a
/// pointer.
///
/// # Examples
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
#[doc(alias("AsdfError", "ValidationError", "exception"))]
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
    /// Makes an error of a kind with a message.
    ///
    /// The message says what was found and what was expected. The methods `at_...` add the place.
    ///
    /// # Examples
    /// ```
    /// use asdf_core::{Error, error::Kind};
    ///
    /// let error = Error::new(Kind::Mismatch, "found the filter 'X', expected one of R, G or B");
    /// let error = error.at_path("/filter").at_file("m31.asdf").with_hint("check the name of the filter");
    /// assert_eq!(
    ///     error.to_string(),
    ///     "m31.asdf: /filter: found the filter 'X', expected one of R, G or B\n  hint: check the name of the filter"
    /// );
    /// ```
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

    /// Makes an error of [`Kind::Malformed`].
    #[must_use]
    pub fn malformed(message: impl Into<String>) -> Self {
        Self::new(Kind::Malformed, message)
    }

    /// Makes an error of [`Kind::Mismatch`].
    #[must_use]
    pub fn mismatch(message: impl Into<String>) -> Self {
        Self::new(Kind::Mismatch, message)
    }

    /// Makes an error of [`Kind::Missing`].
    #[must_use]
    pub fn missing(message: impl Into<String>) -> Self {
        Self::new(Kind::Missing, message)
    }

    /// Makes an error of [`Kind::Unsupported`].
    #[must_use]
    pub fn unsupported(message: impl Into<String>) -> Self {
        Self::new(Kind::Unsupported, message)
    }

    /// Makes an error of [`Kind::Limit`].
    #[must_use]
    pub fn limit(message: impl Into<String>) -> Self {
        Self::new(Kind::Limit, message)
    }

    /// Makes an error of [`Kind::Limit`] with [`Code::Memory`]; `what` needs the memory (`"54 bytes of a file"`).
    #[must_use]
    pub(crate) fn no_memory(what: impl fmt::Display) -> Self {
        Self::limit(format!("not enough memory for {what}")).with_code(Code::Memory)
    }

    /// Makes an error of [`Kind::Limit`] with [`Code::Memory`] for a size that does not fit `usize`.
    #[must_use]
    pub(crate) fn beyond_memory(bytes: u64) -> Self {
        Self::limit(format!("{bytes} bytes do not fit in memory")).with_code(Code::Memory)
    }

    /// Makes an error of [`Kind::Usage`].
    #[must_use]
    pub fn usage(message: impl Into<String>) -> Self {
        Self::new(Kind::Usage, message)
    }

    /// Makes an error of [`Kind::Io`] from the action that failed (`"reading 54 bytes"`) and its cause.
    ///
    /// The words are the same on all systems. The message omits the actions `"opening"` and `"reading"` if the file
    /// does not exist, is a folder, or must not be read.
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

    /// Adds the file, unless the error has one.
    #[must_use]
    pub fn at_file(mut self, file: impl AsRef<Path>) -> Self {
        self.0.file.get_or_insert_with(|| file.as_ref().to_path_buf());
        for other in &mut self.0.others {
            other.0.file.get_or_insert_with(|| file.as_ref().to_path_buf());
        }
        self
    }

    /// Adds the line and column in the file, unless the error has them.
    ///
    /// Both count from 1; the column counts characters.
    #[must_use]
    pub fn at_position(mut self, line: u32, column: u32) -> Self {
        self.0.position.get_or_insert((line, column));
        self
    }

    /// Adds the byte offset in the file, unless the error has one.
    #[must_use]
    pub fn at_offset(mut self, offset: u64) -> Self {
        self.0.offset.get_or_insert(offset);
        self
    }

    /// Puts a JSON Pointer in front of the path of this error and of [others](Self::others).
    #[must_use]
    pub fn at_path(mut self, pointer: &str) -> Self {
        self.prefix(pointer);
        self
    }

    /// Puts one step, a key or an index, in front of the path, as [`at_path`](Self::at_path) does.
    ///
    /// The step is escaped as in JSON Pointers: `~` becomes `~0`, `/` becomes `~1`.
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

    /// Replaces the paths of this error and of [others](Self::others).
    ///
    /// For programs whose users know the nodes by other paths than those of the tree.
    #[must_use]
    pub fn map_path(mut self, path: impl Fn(&str) -> String) -> Self {
        self.map_paths(&path);
        self
    }

    /// Removes the paths of this error and of [others](Self::others).
    #[must_use]
    pub fn without_path(mut self) -> Self {
        self.0.path = None;
        self.0.others.iter_mut().for_each(|other| other.0.path = None);
        self
    }

    /// Replaces the line and column of this error and of [others](Self::others); `None` removes them.
    ///
    /// For programs that parse a part of a file, or a text that is not in a file.
    ///
    /// # Examples
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

    /// Adds a hint, unless the error has one.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<Hint>) -> Self {
        self.0.hint.get_or_insert_with(|| hint.into());
        self
    }

    /// Replaces the hint of this error, but not those of [others](Self::others).
    #[must_use]
    pub fn replace_hint(mut self, hint: impl Into<Hint>) -> Self {
        self.0.hint = Some(hint.into());
        self
    }

    /// Replaces the kind of this error, but not those of [others](Self::others).
    #[must_use]
    pub fn with_kind(mut self, kind: Kind) -> Self {
        self.0.kind = kind;
        self
    }

    /// Adds a code, unless the error has one.
    #[must_use]
    pub fn with_code(mut self, code: Code) -> Self {
        self.0.code.get_or_insert(code);
        self
    }

    /// Replaces the message of this error.
    #[must_use]
    pub fn with_message(mut self, message: impl Into<String>) -> Self {
        self.0.message = message.into();
        self
    }

    /// Adds the error that caused this one, unless there is one already.
    #[must_use]
    pub fn with_source(mut self, source: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        self.0.source.get_or_insert_with(|| source.into());
        self
    }

    /// Adds an error that was found at the same time, so that all faults of a value are reported together.
    #[must_use]
    pub fn and(mut self, mut other: Self) -> Self {
        let nested = std::mem::take(&mut other.0.others);
        self.0.others.push(other);
        self.0.others.extend(nested);
        self
    }

    /// Returns the kind.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.0.kind
    }

    /// Returns the code, which is finer than the [kind](Self::kind), or `None` if the cause has no code.
    #[must_use]
    pub fn code(&self) -> Option<Code> {
        self.0.code
    }

    /// Returns the message, without place and hint.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// Returns the file, if it is known.
    #[must_use]
    pub fn file(&self) -> Option<&Path> {
        self.0.file.as_deref()
    }

    /// Returns the path in the tree as a JSON Pointer (RFC 6901); the empty string is the root.
    #[must_use]
    pub fn path(&self) -> Option<&str> {
        self.0.path.as_deref()
    }

    /// Returns the line in the file, from 1.
    #[must_use]
    pub fn line(&self) -> Option<u32> {
        self.0.position.map(|(line, _)| line)
    }

    /// Returns the column in the file, in characters, from 1.
    #[must_use]
    pub fn column(&self) -> Option<u32> {
        self.0.position.map(|(_, column)| column)
    }

    /// Returns the byte offset in the file.
    #[must_use]
    pub fn offset(&self) -> Option<u64> {
        self.0.offset
    }

    /// Returns the hint: what to do about the error.
    #[must_use]
    pub fn hint(&self) -> Option<&Hint> {
        self.0.hint.as_ref()
    }

    /// Returns further errors that were found at the same time.
    #[must_use]
    pub fn others(&self) -> &[Error] {
        &self.0.others
    }

    /// Prints the error as `Display` does, but words all hints with a function: see [`Hint`].
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

/// Returns why an input or output failed, without the error number of the system.
fn reason(error: &std::io::Error) -> String {
    use std::io::ErrorKind;
    let words = match error.kind() {
        ErrorKind::NotFound => "no such file or folder",
        ErrorKind::PermissionDenied => "permission denied",
        ErrorKind::IsADirectory => "found a folder, expected a file",
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
    // Messages of programs are not replaced.
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
    /// Writes the kind and the text of `Display`, because people read what `unwrap` and `main` print.
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
