//! Kinds and styles of nodes.

use std::fmt;

/// The kind of a node. Plain scalars are resolved by the rules of YAML 1.1 as PyYAML applies them.
///
/// # Examples
/// ```
/// use asdf_core::tree::Kind;
/// use asdf_core::yaml;
///
/// let tree = yaml::parse("[5, 5.0, '5', yes, 2026-11-23, ~, 0x1F, 1e3]")?;
/// let kinds: Vec<Kind> = tree.at("")?.items().map(|item| item.kind()).collect();
/// assert_eq!(
///     kinds,
///     // YAML 1.1 needs a point and a signed exponent in a float, so `1e3` is text.
///     [Kind::Int, Kind::Float, Kind::String, Kind::Bool, Kind::Timestamp, Kind::Null, Kind::Int, Kind::String]
/// );
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// `null`, `~`, or an empty value.
    Null,
    /// `true`, `no`, `on` and the other words for booleans.
    Bool,
    /// An integer of any size.
    Int,
    /// A float, including `.inf` and `.nan`.
    Float,
    /// Text.
    #[doc(alias = "TaggedString")]
    String,
    /// A date, or a date and time, stored as text.
    #[doc(alias = "datetime")]
    Timestamp,
    /// A list of nodes.
    #[doc(alias = "TaggedList")]
    #[doc(alias = "list")]
    Sequence,
    /// A list of key and value nodes, in the order of the file.
    #[doc(alias = "TaggedDict")]
    #[doc(alias = "dict")]
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

    /// Returns the YAML 1.1 tag that a node of this kind has implicitly.
    ///
    /// # Examples
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

    /// Returns whether the node is a scalar, which has no children.
    #[must_use]
    pub fn is_scalar(self) -> bool {
        !matches!(self, Self::Sequence | Self::Mapping)
    }
}

impl fmt::Display for Kind {
    /// Writes the kind with its article, as used in messages: "found an integer".
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

/// The style in which a node is written.
///
/// # Examples
/// ```
/// use asdf_core::tree::Style;
/// use asdf_core::yaml;
///
/// let mut tree = yaml::parse("[1, 2]")?;
/// let root = tree.at("")?.id();
/// tree.set_style(root, Style::Block);
/// let options = yaml::EmitOptions::new().directives(false);
/// assert_eq!(yaml::emit(&tree, options)?, "- 1\n- 2\n");
/// # Ok::<(), asdf_core::Error>(())
/// ```
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
    /// A collection written with indentation.
    Block,
    /// A collection written in `[...]` or `{...}`.
    Flow,
}
