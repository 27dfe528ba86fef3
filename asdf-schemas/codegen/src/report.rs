//! The report on differences between types and schemas.

use std::fmt;

/// The generated types, and every place where a type differs from its schema.
///
/// `Display` prints it as Markdown. The text does not depend on the location of the schemas on the machine.
///
/// # Examples
///
/// ```no_run
/// use asdf_codegen::{Config, LossKind};
///
/// let report = Config::new().package("schemas").run()?;
/// println!("{} types for {} properties", report.types().len(), report.properties());
/// for loss in report.losses().filter(|loss| loss.kind == LossKind::Looser) {
///     println!("{}: {}: {}", loss.schema, loss.pointer, loss.message);
/// }
/// # Ok::<(), asdf_codegen::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Report {
    pub(crate) types: Vec<TypeReport>,
    pub(crate) properties: usize,
    pub(crate) kept: usize,
    pub(crate) demanded: usize,
    pub(crate) arrays: usize,
    pub(crate) unversioned: Vec<String>,
}

/// A generated type in a [`Report`].
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct TypeReport {
    /// The path below the top module: `core::Software`.
    pub path: String,
    /// Whether the type is for whole schemas and not for parts of schemas.
    pub whole: bool,
    /// The ids of the schemas that the type is for, or of which it is a part. The docs are from the first.
    pub schemas: Vec<String>,
    /// The tags that the type reads. New values have the first.
    pub tags: Vec<String>,
    /// The kinds of node that the type reads. Empty means any.
    ///
    /// The names are those of [`Extern::kinds`](crate::Extern::kinds).
    pub kinds: Vec<&'static str>,
    /// The paths of the types of other versions, whose values the type reads if they fit.
    pub versions: Vec<String>,
    /// The places where the type differs from its schema.
    pub losses: Vec<Loss>,
}

/// A place where a type differs from its schema.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Loss {
    /// The kind of difference.
    pub kind: LossKind,
    /// The id of the schema.
    pub schema: String,
    /// The place in the schema, a JSON Pointer.
    pub pointer: String,
    /// The line in the schema file.
    pub line: Option<u32>,
    /// The description of the difference.
    pub message: String,
}

/// The kind of difference between a type and its schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum LossKind {
    /// The value is kept as a node, because no type can represent the schema.
    Node,
    /// The type refuses values that the schema allows.
    Stricter,
    /// The type accepts values that the schema refuses.
    Looser,
    /// A value can fit several branches of a union; the first one is used.
    Ordered,
    /// The generator ignores a keyword of the schema.
    Ignored,
}

impl fmt::Display for LossKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Node => "node",
            Self::Stricter => "stricter",
            Self::Looser => "looser",
            Self::Ordered => "ordered",
            Self::Ignored => "ignored",
        })
    }
}

impl Report {
    /// Returns the generated types, sorted by path.
    #[must_use]
    pub fn types(&self) -> &[TypeReport] {
        &self.types
    }

    /// Iterates over the losses of all types.
    pub fn losses(&self) -> impl Iterator<Item = &Loss> {
        self.types.iter().flat_map(|type_| &type_.losses)
    }

    /// Returns the number of properties of all types.
    #[must_use]
    pub fn properties(&self) -> usize {
        self.properties
    }

    /// Returns the number of properties that are nodes or contain nodes.
    ///
    /// These are properties whose schema allows anything, or whose schema no type can represent.
    #[must_use]
    pub fn properties_kept(&self) -> usize {
        self.kept
    }

    /// Returns the number of functions that return a required item of a list.
    #[must_use]
    pub fn items_demanded(&self) -> usize {
        self.demanded
    }

    /// Returns the number of properties that are typed arrays or contain them.
    #[must_use]
    pub fn typed_arrays(&self) -> usize {
        self.arrays
    }

    /// Returns the tags without a type, because they do not end in a version such as `-1.0.0`.
    #[must_use]
    pub fn unversioned_tags(&self) -> &[String] {
        &self.unversioned
    }

    fn count(&self, kind: LossKind) -> usize {
        self.losses().filter(|loss| loss.kind == kind).count()
    }
}

const RULES: &str = "\
Rules for all types: a type with tags reads nodes without a tag and nodes with a tag that it accepts, and refuses
other tags. This holds for a required tag and for a reference to the schema of a tag, although validation of a
reference ignores tags. A type without tags refuses nodes with a tag. `integer` is `i64` or `u64`, the largest
integers of a file. `Tagged` keeps nodes with another tag without validation; if the schema has a tag pattern, the tag
must fit it. An optional property that is null is read as absent. A `BTreeMap` does not keep the order of the keys.
";

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "# Generated types\n")?;
        let plural =
            |count: usize, noun: &str| format!("{count} {noun}{}", if count == 1 { "" } else { "s" });
        writeln!(
            f,
            "{}. Differences from the schemas: {} kept as a node, {} where a type is stricter, {} where\nit \
             is looser, {} where the order of branches matters, {} ignored.\n",
            plural(self.types.len(), "type"),
            plural(self.count(LossKind::Node), "value"),
            plural(self.count(LossKind::Stricter), "place"),
            plural(self.count(LossKind::Looser), "place"),
            plural(self.count(LossKind::Ordered), "place"),
            plural(self.count(LossKind::Ignored), "keyword"),
        )?;
        writeln!(
            f,
            "Of {} properties, {} are nodes or contain nodes, and {} are or contain typed arrays. Lists require\n\
             {}, each with a function that returns it.\n",
            self.properties,
            self.kept,
            self.arrays,
            plural(self.demanded, "item"),
        )?;
        f.write_str(RULES)?;
        writeln!(f, "\n## Types and tags\n")?;
        for type_ in &self.types {
            match type_.tags.split_first() {
                None => writeln!(f, "- `{}`", type_.path)?,
                Some((own, others)) => {
                    write!(f, "- `{}`: {own}", type_.path)?;
                    if !others.is_empty() {
                        write!(f, "; also {}", others.join(", "))?;
                    }
                    if !type_.versions.is_empty() {
                        write!(f, "; also values of `{}` that fit", type_.versions.join("`, `"))?;
                    }
                    writeln!(f)?;
                }
            }
        }
        if !self.unversioned.is_empty() {
            writeln!(f, "\n## Tags without a version\n")?;
            writeln!(
                f,
                "A tag must end in a version of three numbers, such as `-1.0.0`. No type has these tags:\n"
            )?;
            self.unversioned.iter().try_for_each(|tag| writeln!(f, "- {tag}"))?;
        }
        writeln!(f, "\n## What differs from the schemas")?;
        if self.losses().next().is_none() {
            writeln!(f, "\nNothing.")?;
        }
        for type_ in self.types.iter().filter(|type_| !type_.losses.is_empty()) {
            writeln!(f, "\n### `{}`\n", type_.path)?;
            let mut schema = "";
            for loss in &type_.losses {
                if loss.schema != schema {
                    schema = &loss.schema;
                    writeln!(f, "{schema}\n")?;
                }
                let line = loss.line.map(|line| format!(" (line {line})")).unwrap_or_default();
                let pointer = if loss.pointer.is_empty() { "the schema" } else { &loss.pointer };
                writeln!(f, "- {}, {pointer}{line}: {}", loss.kind, loss.message)?;
            }
        }
        Ok(())
    }
}
