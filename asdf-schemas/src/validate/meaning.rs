//! Checks of units, times, tables and quantities that schemas cannot express.
//!
//! Units parse, times exist, the columns of a table have the same length, and a quantity has the datatype of its array.
//!
//! Only certain faults are reported. Units with astropy's own tags are not checked.

use asdf_core::error::Hint;
use asdf_core::tree::{Kind, NodeRef, Path, tag_matches};
use asdf_core::value::FromNode;
use asdf_core::{Datatype, NdArray};
use asdf_units::Unit;

use super::{Code, Findings, Violation};
use crate::Instant;
use crate::time::TimeScale;

/// The meaning of the nodes with a tag.
#[derive(Debug, Clone, Copy)]
pub(super) enum Meaning {
    Unit,
    Time,
    Table,
    Quantity,
}

const MEANINGS: [(&str, Meaning); 5] = [
    ("tag:stsci.edu:asdf/unit/quantity-1.*", Meaning::Quantity),
    ("tag:stsci.edu:asdf/unit/unit-1.*", Meaning::Unit),
    ("tag:stsci.edu:asdf/time/time-1.*", Meaning::Time),
    ("tag:stsci.edu:asdf/core/table-1.*", Meaning::Table),
    ("tag:astropy.org:astropy/table/table-1.*", Meaning::Table),
];

impl Meaning {
    /// Returns the meaning of a tag, if this module checks it.
    pub(super) fn of_tag(tag: &str) -> Option<Self> {
        MEANINGS.iter().find(|(pattern, _)| tag_matches(pattern, tag)).map(|(_, meaning)| *meaning)
    }

    /// Checks a node whose tag has this meaning.
    pub(super) fn check(self, node: NodeRef<'_>, path: impl Fn() -> Path, out: &mut Findings<'_>) {
        let fault = match self {
            Self::Unit => unit(node),
            Self::Time => time(node),
            Self::Table => table(node),
            Self::Quantity => quantity(node),
        };
        if let Some((below, mut violation)) = fault {
            violation.path = path().join(&below);
            out.push(violation);
        }
    }
}

type Fault = Option<(Path, Violation)>;

fn fault(node: NodeRef<'_>, below: Path, code: Code, message: String, hint: Option<Hint>) -> Fault {
    let mut violation = Violation::at(node, Path::root(), code, message);
    violation.hint = hint;
    Some((below, violation))
}

fn unit(node: NodeRef<'_>) -> Fault {
    let text = node.text()?;
    // Some catalogues write `none` for columns without a unit.
    if text.eq_ignore_ascii_case("none") {
        return None;
    }
    // Many readers understand other notations than the standard's.
    let error = Unit::parse(text).err().filter(|_| !Unit::parse_lenient(text).is_known())?;
    let message = format!("'{}' is not a unit: {}", text.escape_debug(), error.message());
    fault(node, Path::root(), Code::UnitText, message, error.hint().map(|hint| hint.to_owned().into()))
}

fn time(node: NodeRef<'_>) -> Fault {
    let (below, value) = match node.get("value") {
        Some(value) => (Path::from_iter(["value"]), value),
        None => (Path::root(), node),
    };
    let scale = match node.get("scale").and_then(NodeRef::text).unwrap_or("utc") {
        "utc" => TimeScale::Utc,
        _ => TimeScale::Tai,
    };
    let text = value.text().filter(|_| matches!(value.kind(), Kind::String | Kind::Timestamp))?;
    let exists = [scale, TimeScale::Utc].into_iter().any(|scale| Instant::parse(text, scale).is_ok());
    if exists || !is_calendar_date(text) {
        return None;
    }
    let message = format!("the date or time '{}' does not exist", text.escape_debug());
    fault(value, below, Code::NoSuchTime, message, None)
}

/// Whether a text has the form of a date with month and day, and optionally a time of day: `2024-13-45T00:00:00`.
fn is_calendar_date(text: &str) -> bool {
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let (date, clock) = match text.trim().split_once(['T', ' ']) {
        Some((date, clock)) => (date, Some(clock)),
        None => (text.trim(), None),
    };
    let parts: Vec<&str> = date.split('-').collect();
    let is_date = matches!(parts.as_slice(), [year, month, day] if year.len() == 4 && [year, month, day].iter().all(|part| digits(part)));
    let is_clock =
        |clock: &str| clock.split(':').all(|part| part.bytes().all(|b| b.is_ascii_digit() || b == b'.'));
    is_date && clock.is_none_or(is_clock)
}

fn table(node: NodeRef<'_>) -> Fault {
    let columns = node.get("columns").filter(|columns| columns.kind() == Kind::Sequence)?;
    let mut first: Option<(String, u64)> = None;
    for (index, column) in columns.items().enumerate() {
        let Some(rows) = rows(column) else { continue };
        let name = column.get("name").and_then(NodeRef::text).unwrap_or("?");
        match &first {
            None => first = Some((name.to_owned(), rows)),
            Some((_, length)) if *length == rows => {}
            Some((other, length)) => {
                let plural = if rows == 1 { "" } else { "s" };
                let message = format!(
                    "the column '{}' has {rows} row{plural}, but the column '{}' has {length}",
                    name.escape_debug(),
                    other.escape_debug()
                );
                let below = Path::from_iter(["columns", &index.to_string()]);
                return fault(column, below, Code::ColumnLengths, message, None);
            }
        }
    }
    None
}

/// Checks that the datatype of a quantity is that of its array.
fn quantity(node: NodeRef<'_>) -> Fault {
    let own = node.get("datatype")?;
    let (named, value) = (Datatype::from_node(own).ok()?, node.get("value")?);
    if !value.own_tag().is_some_and(NdArray::accepts_tag) {
        return None;
    }
    let array = NdArray::from_node(value).ok().filter(|array| *array.datatype() != named)?;
    let message = format!("the quantity has the datatype {named}, but its array has {}", array.datatype());
    let hint = "remove `datatype`: the array states its own";
    fault(own, Path::from_iter(["datatype"]), Code::QuantityDatatype, message, Some(hint.into()))
}

/// Returns the number of rows of a column, if its data is one array or a quantity of one array.
fn rows(column: NodeRef<'_>) -> Option<u64> {
    let data = column.get("data").or_else(|| column.get("value"))?;
    if !data.own_tag().is_some_and(NdArray::accepts_tag) {
        return None;
    }
    // Aliases can lead to one list thousands of times, so its elements are not read. The length of a streamed array
    // depends on the size of the file.
    match data.get("shape") {
        Some(shape) => shape.item(0)?.as_u64(),
        None => {
            let list = data.get("data").unwrap_or(data);
            (list.kind() == Kind::Sequence).then(|| list.len() as u64)
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::Validator;
    use asdf_core::yaml::parse;

    #[test]
    fn units_and_times_are_checked() {
        for (value, code) in [
            ("!unit/unit-1.0.0 m", None),
            ("!unit/unit-1.0.0 MJy.sr**-1", None),
            ("!unit/unit-1.0.0 arcsec / pixel", None),
            ("!unit/unit-1.0.0 none", None),
            ("!unit/unit-1.0.0 m/furlong", Some("ASDF-M001 1:")),
            ("!unit/unit-1.0.0 '(m'", Some("ASDF-M001 1:")),
            ("!<tag:astropy.org:astropy/units/unit-1.0.0> 'no unit at all'", None),
            ("!time/time-1.4.0 2024-02-29T00:00:00", None),
            ("!time/time-1.4.0 J2000.0", None),
            ("!time/time-1.4.0 2016-12-31T23:59:60", None),
            ("!time/time-1.4.0 2024-13-45T00:00:00", Some("ASDF-M002 1:")),
            ("!time/time-1.4.0 {value: '2023-02-29 12:00', format: iso}", Some("ASDF-M002 1:")),
            ("!time/time-1.4.0 {value: 51544.5, format: mjd}", None),
        ] {
            let tree = parse(&format!("%TAG ! tag:stsci.edu:asdf/\n--- {{a: {value}}}\n")).unwrap();
            let report = Validator::standard().validate_tree(&tree);
            let codes: Vec<&str> = report.warnings().iter().map(|one| one.code().id()).collect();
            let expected: Vec<&str> = code.iter().filter_map(|code| code.split(' ').next()).collect();
            assert_eq!(codes, expected, "{value}: {:?}", report.warnings());
        }
    }

    #[test]
    fn a_quantity_has_the_datatype_of_its_array() {
        for (value, found) in [
            ("value: !core/ndarray-1.1.0 [1.5, 2.5], datatype: float64", false),
            ("value: !core/ndarray-1.1.0 [1.5, 2.5], datatype: int8", true),
            ("value: 1.5, datatype: float32", false),
        ] {
            let quantity = format!("!unit/quantity-1.3.0 {{{value}, unit: !unit/unit-1.0.0 m}}");
            let tree = parse(&format!("%TAG ! tag:stsci.edu:asdf/\n--- {{q: {quantity}}}\n")).unwrap();
            let report = Validator::standard().validate_tree(&tree);
            let warnings: Vec<String> = report.warnings().iter().map(|one| one.to_string()).collect();
            let expected = "/q/datatype: the quantity has the datatype int8, but its array has float64";
            assert_eq!(warnings.len(), usize::from(found), "{value}: {warnings:?}");
            assert!(warnings.iter().all(|warning| warning.contains(expected)), "{warnings:?}");
        }
    }

    #[test]
    fn columns_have_one_length() {
        let column = |name: &str, data: &str| format!("!core/column-1.1.0 {{name: {name}, data: {data}}}");
        for (second, expected) in [
            ("!core/ndarray-1.1.0 [4, 5, 6]", None),
            ("!core/ndarray-1.1.0 [[4, 5], [6, 7], [8, 9]]", None),
            ("!core/ndarray-1.1.0 {data: [4, 5, 6]}", None),
            ("!core/ndarray-1.1.0 {data: [4, 5, 6], shape: [3], datatype: int8}", None),
            ("!core/ndarray-1.1.0 {source: -1, shape: ['*'], datatype: int8, byteorder: big}", None),
            (
                "!core/ndarray-1.1.0 [4, 5]",
                Some("/t/columns/1: the column 'b' has 2 rows, but the column 'a' has 3"),
            ),
        ] {
            let columns = [column("a", "!core/ndarray-1.1.0 [1, 2, 3]"), column("b", second)].join(", ");
            let text = format!(
                "%TAG ! tag:stsci.edu:asdf/\n--- {{t: !core/table-1.1.0 {{columns: [{columns}]}}}}\n"
            );
            let report = Validator::standard().validate_tree(&parse(&text).unwrap());
            let warnings: Vec<String> = report.warnings().iter().map(|one| one.to_string()).collect();
            assert_eq!(warnings.len(), expected.iter().len(), "{warnings:?}");
            let all = warnings.iter().zip(expected).all(|(warning, expected)| warning.ends_with(expected));
            assert!(all, "{warnings:?}");
        }
    }
}
