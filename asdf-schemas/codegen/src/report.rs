//! What the generated types cannot say.

use std::fmt;

/// What was generated, and every place where a type says more or less than its schema.
///
/// `Display` gives it as Markdown; nothing in it depends on where the schemas lie on the machine.
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

/// A generated type.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct TypeReport {
    /// The path below the top module: `core::Software`.
    pub path: String,
    /// Whether it stands for whole schemas, and not for parts of them.
    pub whole: bool,
    /// The ids of the schemas that it is for, or is for a part of; the one that its docs are from
    /// comes first.
    pub schemas: Vec<String>,
    /// The tags that it is read with, the one that new values get first.
    pub tags: Vec<String>,
    /// The kinds of node that it is read from, as [`Extern::kinds`](crate::Extern::kinds) has them; none means any.
    pub kinds: Vec<&'static str>,
    /// The paths of the types of other versions, whose values it reads where they fit.
    pub versions: Vec<String>,
    /// Where it says more or less than its schema.
    pub losses: Vec<Loss>,
}

/// A place where a type says more or less than its schema.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Loss {
    /// What is lost.
    pub kind: LossKind,
    /// The id of the schema.
    pub schema: String,
    /// The place in the schema, a JSON Pointer.
    pub pointer: String,
    /// The line in the schema's file.
    pub line: Option<u32>,
    /// What it is about.
    pub message: String,
}

/// How a type differs from its schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum LossKind {
    /// The value is kept as a node, because no type says what the schema says.
    Node,
    /// The type refuses values that the schema allows.
    Stricter,
    /// The type takes values that the schema refuses.
    Looser,
    /// Several branches of a union may fit a value; the first that does is taken.
    Ordered,
    /// The schema has a keyword that means nothing to the generator.
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
    /// The generated types, in the order of the text.
    #[must_use]
    pub fn types(&self) -> &[TypeReport] {
        &self.types
    }

    /// All losses of all types.
    pub fn losses(&self) -> impl Iterator<Item = &Loss> {
        self.types.iter().flat_map(|type_| &type_.losses)
    }

    /// How many properties the types have.
    #[must_use]
    pub fn properties(&self) -> usize {
        self.properties
    }

    /// How many properties are kept as nodes, or as mappings of nodes, as a whole or in a part: because no
    /// type says what the schema says, or because the schema allows anything.
    #[must_use]
    pub fn properties_kept(&self) -> usize {
        self.kept
    }

    /// How many functions the types have that give an item that a list has to have.
    #[must_use]
    pub fn items_demanded(&self) -> usize {
        self.demanded
    }

    /// How many properties are typed arrays, as a whole or in a part.
    #[must_use]
    pub fn typed_arrays(&self) -> usize {
        self.arrays
    }

    /// The tags of the manifests that no type has, because they do not end in a version of three numbers, such as
    /// `-1.0.0`.
    #[must_use]
    pub fn unversioned_tags(&self) -> &[String] {
        &self.unversioned
    }

    fn count(&self, kind: LossKind) -> usize {
        self.losses().filter(|loss| loss.kind == kind).count()
    }
}

const RULES: &str = "\
Everywhere: a type with tags is read from a node without a tag, from one with any tag that it accepts,
and from no other, whether the schema asks for a tag or refers to the schema of one, to which all tags
are the same. A type without tags is not read from a node with a tag. `integer` is `i64` or `u64`,
since a file holds no larger ones. `Tagged` keeps a node with another tag, whether it is what that tag's schema says or
not, but only with one that fits, where the schema gives a pattern of tags. An optional property that is null
counts as absent. A `BTreeMap` does not keep the order of the keys.
";

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "# Generated types\n")?;
        let plural =
            |count: usize, noun: &str| format!("{count} {noun}{}", if count == 1 { "" } else { "s" });
        writeln!(
            f,
            "{}. Compared with the schemas: {} kept as a node, {} where a type is stricter, {} where\nit \
             is looser, {} where the order of branches counts, {} ignored.\n",
            plural(self.types.len(), "type"),
            plural(self.count(LossKind::Node), "value"),
            plural(self.count(LossKind::Stricter), "place"),
            plural(self.count(LossKind::Looser), "place"),
            plural(self.count(LossKind::Ordered), "place"),
            plural(self.count(LossKind::Ignored), "keyword"),
        )?;
        writeln!(
            f,
            "Of {} properties {} are nodes, as a whole or in a part, and {} are typed arrays. {} that lists have to\n\
             have, each with a function that gives it.\n",
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
                        write!(f, "; where they fit, values of `{}`", type_.versions.join("`, `"))?;
                    }
                    writeln!(f)?;
                }
            }
        }
        if !self.unversioned.is_empty() {
            writeln!(f, "\n## Tags without a version\n")?;
            writeln!(
                f,
                "A tag ends in a version of three numbers, such as `-1.0.0`. No type has these tags:\n"
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
