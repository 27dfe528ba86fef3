//! What a node is, and how it was written.

use std::fmt;

/// What a node holds. Scalars are resolved by YAML 1.1's rules as PyYAML applies them.
///
/// ```
/// use asdf_core::tree::Kind;
/// use asdf_core::yaml;
///
/// let tree = yaml::parse("[5, 5.0, '5', yes, 2026-11-23, ~, 0x1F, 1e3]")?;
/// let kinds: Vec<Kind> = tree.at("")?.items().map(|item| item.kind()).collect();
/// assert_eq!(
///     kinds,
///     // Without a sign in its exponent and a dot, `1e3` is text in YAML 1.1.
///     [Kind::Int, Kind::Float, Kind::String, Kind::Bool, Kind::Timestamp, Kind::Null, Kind::Int, Kind::String]
/// );
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// `null`, `~`, or nothing at all.
    Null,
    /// `true`, `no`, `on` and their like.
    Bool,
    /// An integer of any size.
    Int,
    /// A float, `.inf` and `.nan` among them.
    Float,
    /// Text.
    String,
    /// A date, or a date and time, kept as its text.
    Timestamp,
    /// A list of nodes.
    Sequence,
    /// A list of key and value nodes, in the order of the file.
    Mapping,
}

impl Kind {
    /// All kinds, scalars first.
    pub const ALL: [Self; 8] = [
        Self::Null,
        Self::Bool,
        Self::Int,
        Self::Float,
        Self::String,
        Self::Timestamp,
        Self::Sequence,
        Self::Mapping,
    ];

    /// Returns the tag that YAML 1.1 has for nodes of this kind that are written without one.
    ///
    /// ```
    /// assert_eq!(asdf_core::tree::Kind::Sequence.yaml_tag(), "tag:yaml.org,2002:seq");
    /// ```
    #[must_use]
    pub fn yaml_tag(self) -> &'static str {
        match self {
            Self::Null => "tag:yaml.org,2002:null",
            Self::Bool => "tag:yaml.org,2002:bool",
            Self::Int => "tag:yaml.org,2002:int",
            Self::Float => "tag:yaml.org,2002:float",
            Self::String => "tag:yaml.org,2002:str",
            Self::Timestamp => "tag:yaml.org,2002:timestamp",
            Self::Sequence => "tag:yaml.org,2002:seq",
            Self::Mapping => "tag:yaml.org,2002:map",
        }
    }

    /// Whether the node has no children.
    #[must_use]
    pub fn is_scalar(self) -> bool {
        !matches!(self, Self::Sequence | Self::Mapping)
    }
}

impl fmt::Display for Kind {
    /// With its article, for messages: "found an integer".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Null => "null",
            Self::Bool => "a boolean",
            Self::Int => "an integer",
            Self::Float => "a float",
            Self::String => "a string",
            Self::Timestamp => "a timestamp",
            Self::Sequence => "a sequence",
            Self::Mapping => "a mapping",
        })
    }
}

/// How a node is written in the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Style {
    /// The emitter chooses.
    #[default]
    Any,
    /// A scalar without quotes.
    Plain,
    /// A scalar in `'...'`.
    SingleQuoted,
    /// A scalar in `"..."`.
    DoubleQuoted,
    /// A scalar after `|`.
    Literal,
    /// A scalar after `>`.
    Folded,
    /// A collection by indentation.
    Block,
    /// A collection in `[...]` or `{...}`.
    Flow,
}
