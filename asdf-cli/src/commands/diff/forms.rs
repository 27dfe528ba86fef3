//! The output formats of differences.

use std::io::{Result, Write};

use asdf_core::tree::{Change, Difference, Differences, Node, NodeRef};
use asdf_core::yaml::{EmitOptions, emit};
use asdf_tables::json::{self, Printable};
use serde_json::{Value as Json, json};

use super::pairs::Pair;
use crate::colour::Colours;
use crate::place;
use crate::printable::line;

/// The output format of differences.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub(crate) enum Form {
    /// One line for each difference
    #[default]
    Summary,
    /// The old and the new value at each path, as YAML
    Unified,
    /// One object: {"asdf_diff": 1, "files": [{"left", "right", "complete", "ignored", "differences"}], "same"}
    Json,
    /// One path per line
    #[value(skip)]
    Paths,
}

/// The result for one pair.
pub(super) enum Compared<'a> {
    OnlyLeft,
    OnlyRight,
    Both(&'a Differences<'a>),
}

impl Compared<'_> {
    pub(super) fn is_same(&self) -> bool {
        matches!(self, Self::Both(differences) if differences.is_same())
    }

    /// Returns whether the writing software differs and was ignored.
    pub(super) fn has_ignored(&self) -> bool {
        matches!(self, Self::Both(differences) if !differences.ignored().is_empty())
    }
}

impl Form {
    pub(super) fn begin(self, out: &mut dyn Write) -> Result<()> {
        if self == Self::Json { write!(out, "{{\"asdf_diff\": 1, \"files\": [") } else { Ok(()) }
    }

    pub(super) fn end(self, same: bool, out: &mut dyn Write) -> Result<()> {
        if self == Self::Json { writeln!(out, "], \"same\": {same}}}") } else { Ok(()) }
    }

    /// Prints the result for one pair. If nothing differs, only JSON prints anything.
    pub(super) fn pair(
        self,
        pair: &Pair,
        compared: &Compared<'_>,
        folders: bool,
        first: bool,
        colours: Colours,
        out: &mut dyn Write,
    ) -> Result<()> {
        if self == Self::Json {
            let comma = if first { "" } else { ", " };
            return write!(out, "{comma}{}", Printable(&json_pair(pair, compared)));
        }
        let name = line(&pair.name.display().to_string());
        let differences = match compared {
            Compared::OnlyLeft => {
                return writeln!(out, "{}: {}", colours.bold(name), colours.red("only in the first folder"));
            }
            Compared::OnlyRight => {
                return writeln!(
                    out,
                    "{}: {}",
                    colours.bold(name),
                    colours.green("only in the second folder")
                );
            }
            Compared::Both(differences) => differences,
        };
        if differences.is_same() {
            return Ok(());
        }
        let prefix = if folders { format!("{}: ", colours.bold(name)) } else { String::new() };
        if self == Self::Unified {
            for (sign, path) in [("---", &pair.left), ("+++", &pair.right)] {
                let path = path.as_deref().map(|path| path.display().to_string()).unwrap_or_default();
                writeln!(out, "{sign} {}", line(&path))?;
            }
        }
        for difference in *differences {
            match self {
                Self::Unified => unified(difference, colours, out)?,
                Self::Paths => {
                    writeln!(out, "{prefix}{}", colours.bold(line(place::shown(difference.path.as_str()))))?
                }
                _ => writeln!(out, "{prefix}{}", summary(difference, colours))?,
            }
        }
        if !differences.is_complete() {
            writeln!(out, "{prefix}the rest was not compared: a limit was reached")?;
        }
        Ok(())
    }
}

/// Returns a difference as one line: the path and the change, in colours.
fn summary(difference: &Difference<'_>, colours: Colours) -> String {
    let text = line(&difference.to_string());
    let path: String = place::shown(difference.path.as_str()).escape_debug().collect();
    let path = line(&path);
    let (path, change) = text.split_at(if text.starts_with(&*path) { path.len() } else { 0 });
    let change = match &difference.change {
        Change::Missing => colours.red(change),
        Change::Added => colours.green(change),
        _ => colours.yellow(change),
    };
    format!("{}{change}", colours.bold(path))
}

fn unified(difference: &Difference<'_>, colours: Colours, out: &mut dyn Write) -> Result<()> {
    let column = difference.column.as_ref().map(|name| format!(" column {}", line(name))).unwrap_or_default();
    writeln!(
        out,
        "{}",
        colours.blue(format!("@@ {}{column} @@", line(place::shown(difference.path.as_str()))))
    )?;
    // A field of records does not have its own node.
    let is_field = difference.column.is_some() && difference.left.is_some() && difference.right.is_some();
    let (left, right) = match &difference.change {
        Change::Missing if is_field => (difference.column.clone(), None),
        Change::Added if is_field => (None, difference.column.clone()),
        Change::Missing | Change::Added | Change::Kind | Change::Value => {
            (difference.left.map(yaml), difference.right.map(yaml))
        }
        Change::Tag => (difference.left.map(tag), difference.right.map(tag)),
        Change::Order => (difference.left.map(keys), difference.right.map(keys)),
        Change::Datatype(left, right) => (Some(left.clone()), Some(right.clone())),
        Change::Shape(shape) => {
            (Some(format!("shape {:?}", shape.left)), Some(format!("shape {:?}", shape.right)))
        }
        Change::Rows(left, right) => (Some(format!("{left} rows")), Some(format!("{right} rows"))),
        Change::Elements(elements) => {
            writeln!(out, " {}", line(&elements.to_string()))?;
            let at = |value: &str| Some(format!("{:?}: {value}", elements.first));
            (at(&elements.left), at(&elements.right))
        }
        _ => (difference.left.map(NodeRef::describe), difference.right.map(NodeRef::describe)),
    };
    for text in left.iter().flat_map(|text| text.lines()) {
        writeln!(out, "{}", colours.red(format!("-{}", line(text))))?;
    }
    for text in right.iter().flat_map(|text| text.lines()) {
        writeln!(out, "{}", colours.green(format!("+{}", line(text))))?;
    }
    Ok(())
}

fn yaml(node: NodeRef<'_>) -> String {
    let options = EmitOptions::new().directives(false);
    let text = Node::from_ref(node).and_then(|copy| emit(copy.tree(), options));
    text.unwrap_or_else(|_| node.describe())
}

fn tag(node: NodeRef<'_>) -> String {
    node.tag().unwrap_or("no tag").to_owned()
}

fn keys(node: NodeRef<'_>) -> String {
    let keys: Vec<&str> = node.entries().filter_map(|(key, _)| key.text()).collect();
    keys.join(", ")
}

fn json_pair(pair: &Pair, compared: &Compared<'_>) -> Json {
    let path = |path: &Option<std::path::PathBuf>| match path {
        Some(path) => path.display().to_string().into(),
        None => Json::Null,
    };
    let (differences, ignored): (Vec<Json>, Vec<&str>) = match compared {
        Compared::Both(differences) => (
            differences.iter().map(json_difference).collect(),
            differences.ignored().iter().map(asdf_core::tree::Path::as_str).collect(),
        ),
        _ => (Vec::new(), Vec::new()),
    };
    json!({
        "left": path(&pair.left),
        "right": path(&pair.right),
        "complete": !matches!(compared, Compared::Both(differences) if !differences.is_complete()),
        "ignored": ignored,
        "differences": differences,
    })
}

/// Returns {"path", "change"} with the values "left" and "right", or with "elements".
fn json_difference(difference: &Difference<'_>) -> Json {
    let value = |node: Option<NodeRef<'_>>| node.map_or(Json::Null, json::node);
    let tag = |node: Option<NodeRef<'_>>| node.and_then(NodeRef::tag).map_or(Json::Null, Json::from);
    let (left, right) = match &difference.change {
        Change::Missing => (value(difference.left), Json::Null),
        Change::Added => (Json::Null, value(difference.right)),
        Change::Kind => (value(difference.left), value(difference.right)),
        Change::Value => (value(difference.left), value(difference.right)),
        Change::Tag => (tag(difference.left), tag(difference.right)),
        Change::Order => (difference.left.map(keys).into(), difference.right.map(keys).into()),
        Change::Datatype(left, right) => (left.as_str().into(), right.as_str().into()),
        Change::Shape(shape) => {
            return json!({
                "path": difference.path.as_str(),
                "column": difference.column,
                "change": difference.change.name(),
                "left": shape.left,
                "right": shape.right,
                "compared": shape.compared,
                "equal": shape.equal,
            });
        }
        Change::Rows(left, right) => ((*left).into(), (*right).into()),
        Change::Elements(elements) => {
            return json!({
                "path": difference.path.as_str(),
                "column": difference.column,
                "change": difference.change.name(),
                "left": elements.left,
                "right": elements.right,
                "different": elements.different,
                "of": elements.of,
                "first": elements.first,
                "largest": elements.largest.as_ref().map(|(distance, _)| distance),
            });
        }
        _ => (value(difference.left), value(difference.right)),
    };
    json!({"path": difference.path.as_str(), "column": difference.column, "change": difference.change.name(), "left": left, "right": right})
}
