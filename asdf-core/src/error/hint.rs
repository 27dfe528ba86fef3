//! Hints: what to do about an error.

use std::borrow::Cow;
use std::fmt;

use super::LimitName;

/// What to do about an error, as data. [`Error::hint`](super::Error::hint) returns it.
///
/// `Display` words a hint for Rust programs. A program with other names for the options words hints itself, and prints
/// errors with [`Error::display_with`](super::Error::display_with).
///
/// Texts become hints too, as [`Text`](Self::Text): `error.with_hint("name a file")`.
///
/// # Examples
///
/// ```
/// use asdf_core::error::{Hint, LimitName};
/// use asdf_core::{Limits, OpenOptions};
///
/// /// Words hints for a program with the options `--depth` and `--trust`.
/// fn words(hint: &Hint) -> String {
///     match hint {
///         Hint::Raise { limit: LimitName::TreeDepth, from, .. } => format!("pass --depth N, N above {from}"),
///         Hint::AllowFolder { .. } => "pass --trust FOLDER".to_owned(),
///         hint => hint.to_string(),
///     }
/// }
///
/// let mut limits = Limits::default();
/// limits.tree_depth = 2;
/// let file = &b"#ASDF 1.0.0\n%YAML 1.1\n--- [[[1]]]\n...\n"[..];
/// let error = OpenOptions::new().limits(limits).open_bytes(file).unwrap_err();
/// assert_eq!(
///     error.display_with(words).to_string(),
///     "line 3, column 7: the tree nests deeper than 2 levels\n  hint: pass --depth N, N above 2"
/// );
/// assert_eq!(
///     error.hint().map(ToString::to_string).as_deref(),
///     Some("raise `Limits::tree_depth` for files that you trust, or `ParseOptions::max_depth` for texts")
/// );
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Hint {
    /// Raise a limit, for files and texts that you trust.
    Raise {
        /// The limit.
        limit: LimitName,
        /// The present value of the limit.
        from: u64,
        /// The lowest value that is enough, if it is known.
        to: Option<u64>,
    },
    /// Allow the files of another folder, with [`OpenOptions::allow_folder`](crate::OpenOptions::allow_folder).
    AllowFolder {
        /// The number of folders that are allowed besides the file's own.
        allowed: usize,
    },
    /// Remove a file, or use another name with
    /// [`WriteOptions::replace_siblings`](crate::WriteOptions::replace_siblings).
    ReplaceSiblings,
    /// Create the missing mappings above a path, with [`Edit::set_with_parents`](crate::value::Edit::set_with_parents).
    SetWithParents,
    /// Add a codec of your own to read a block, with [`OpenOptions::codec`](crate::OpenOptions::codec).
    AddCodec,
    /// Use another codec to write a block, or add one of your own with
    /// [`WriteOptions::codec`](crate::WriteOptions::codec).
    ChooseCodec {
        /// The labels of the codecs of this build.
        known: Vec<String>,
    },
    /// Build this crate with a Cargo feature.
    EnableFeature(Cow<'static, str>),
    /// Accept the data of a block with a wrong checksum, if it is known to be right.
    AcceptChecksums,
    /// Write the data of a block with a wrong checksum anyway, with
    /// [`WriteOptions::accept_damage`](crate::WriteOptions::accept_damage).
    AcceptDamage,
    /// Repair a file whose block index lists a block that readers do not find.
    RepairBlocks,
    /// Convert a pre-release file to the current format.
    Convert,
    /// Add a package of schemas to the registry.
    AddPackage {
        /// The name of the Python package, if it is known.
        name: Option<Cow<'static, str>>,
    },
    /// Activate the environment of a Python package that was not found, or add its folder of schemas.
    ActivateEnvironment,
    /// List the schemas and tags of the registry.
    ListSchemas,
    /// List the codes of the validator.
    ListCodes,
    /// Use another Rust type, which reads this version of a tag.
    UseType(Cow<'static, str>),
    /// Choose a number that marks missing values.
    ChooseFill,
    /// A hint of another library, which programs recognize by its name.
    Named {
        /// The name, which begins with the name of the library: `asdf-tables/axes`.
        name: &'static str,
        /// The words for Rust programs.
        text: Cow<'static, str>,
    },
    /// A text that needs no other wording in any program.
    Text(Cow<'static, str>),
}

impl fmt::Display for Hint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Raise { limit, .. } => {
                write!(f, "raise `Limits::{limit}` for files that you trust")?;
                limit.parse_option().map_or(Ok(()), |option| write!(f, ", or `ParseOptions::{option}` for texts"))
            }
            Self::AllowFolder { allowed: 0 } => f.write_str(
                "allow another folder with `OpenOptions::allow_folder`; by default only files in the folder of \
                 this file, or below it, are read",
            ),
            Self::AllowFolder { .. } => {
                f.write_str("allow the files of another folder with `OpenOptions::allow_folder`")
            }
            Self::ReplaceSiblings => {
                f.write_str("remove it, or set `WriteOptions::replace_siblings` to use another name")
            }
            Self::SetWithParents => f.write_str("use `set_with_parents` to create the missing mappings"),
            Self::AddCodec => f.write_str(
                "add a codec of your own with `OpenOptions::codec`; the rest of the file can be read without it",
            ),
            Self::ChooseCodec { known } => {
                if !known.is_empty() {
                    write!(f, "use one of {}, or ", known.join(", "))?;
                }
                f.write_str("add a codec of your own with `WriteOptions::codec`")
            }
            Self::EnableFeature(feature) => write!(f, "enable the feature `{feature}` of asdf-core"),
            Self::AcceptChecksums => f.write_str(
                "restore the data from a copy, or accept it with `asdf repair --checksums`",
            ),
            Self::AcceptDamage => f.write_str(
                "restore the data from a copy, or write it with a new checksum with `WriteOptions::accept_damage`",
            ),
            Self::RepairBlocks => f.write_str("run `asdf repair` to restore the block from the block index"),
            Self::Convert => f.write_str("convert the file to the current format first, with `asdf convert`"),
            Self::AddPackage { name: Some(name) } => {
                write!(f, "add the schemas of the Python package `{name}` to the registry")
            }
            Self::AddPackage { name: None } => f.write_str("add the package that defines it to the registry"),
            Self::ListSchemas => {
                f.write_str("list them with `Registry::ids` and `Registry::tags`, or with `asdf schema list`")
            }
            Self::ActivateEnvironment => f.write_str(
                "activate its environment, or add its folder of schemas with `Registry::add_folder`",
            ),
            Self::ListCodes => f.write_str("run `asdf explain` to see all codes, such as ASDF-S001"),
            Self::UseType(name) => write!(f, "use the type `{name}`, which reads this version"),
            Self::ChooseFill => f.write_str("choose a value that is not in the data, with `fill`"),
            Self::Named { text, .. } | Self::Text(text) => f.write_str(text),
        }
    }
}

impl From<&'static str> for Hint {
    fn from(text: &'static str) -> Self {
        Self::Text(text.into())
    }
}

impl From<String> for Hint {
    fn from(text: String) -> Self {
        Self::Text(text.into())
    }
}
