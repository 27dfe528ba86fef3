//! `Value`: a value of a file, for one cell of a catalogue.

use asdf_core::tree::{ASDF_TAG, Kind as NodeKind, NodeRef};
use asdf_core::value::{FromNode as _, Moment};
use asdf_core::{Error, Result};
use asdf_schemas::time::{Time, TimeScale};
use asdf_schemas::unit::{Quantity, QuantityValue};
use asdf_schemas::{Instant, asdf_units::Unit};
use serde_json::{Map, Value as Json};

use super::Kind;
use crate::json;

/// The most levels of lists and mappings that are read.
const MAX_DEPTH: usize = 32;

/// The most memory for the values of one file.
const ROW_BYTES: usize = 4 << 20;

/// The Modified Julian Date of 1970-01-01.
const EPOCH: i64 = 40_587;

/// 2^53: all smaller integers are exact as floats.
const EXACT: f64 = 9_007_199_254_740_992.0;

const DAY_MICROSECONDS: i64 = 86_400_000_000;

/// The memory that the values of one file can still take. Aliases can repeat a value any number of times.
#[derive(Debug)]
pub(crate) struct Budget(usize);

impl Default for Budget {
    fn default() -> Self {
        Self(ROW_BYTES)
    }
}

impl Budget {
    fn take(&mut self, node: NodeRef<'_>) -> Result<()> {
        let size = size_of::<Value>() + node.text().map_or(0, str::len);
        match self.0.checked_sub(size) {
            Some(left) => {
                self.0 = left;
                Ok(())
            }
            None => {
                let message = format!("the values of the file take more than {} MiB", ROW_BYTES >> 20);
                Err(node.place(Error::limit(message)))
            }
        }
    }

    /// Returns the memory that was taken, in bytes.
    pub(crate) fn taken(&self) -> usize {
        ROW_BYTES - self.0
    }
}

/// A value of a file.
///
/// It is first read as the file has it, and then fitted to the [`Kind`] of its column.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value {
    Null,
    Boolean(bool),
    Integer(i64),
    Float(f64),
    /// A number with its unit.
    Quantity(f64, String),
    String(String),
    /// Microseconds since 1970, in UTC.
    Timestamp(i64),
    List(Vec<Value>),
    /// The entries of a mapping, or the fields of a struct in its order.
    Struct(Vec<(String, Value)>),
}

impl Value {
    /// Reads a node as it is.
    pub(crate) fn read(node: NodeRef<'_>, budget: &mut Budget) -> Result<Self> {
        Self::read_at(node, budget, 0)
    }

    fn read_at(node: NodeRef<'_>, budget: &mut Budget, depth: usize) -> Result<Self> {
        budget.take(node)?;
        if depth == MAX_DEPTH {
            return Err(node.place(Error::limit(format!("the value has more than {MAX_DEPTH} levels"))));
        }
        if let Some(name) = node.own_tag().and_then(|tag| tag.strip_prefix(ASDF_TAG)) {
            if name.starts_with("time/time-") {
                // An array of times would have to be read.
                if node.get("value").is_some_and(|value| !value.kind().is_scalar()) {
                    return Err(node.error("found several times, expected a single one"));
                }
                return timestamp(Time::from_node(node)?.instant()?);
            }
            if name.starts_with("unit/quantity-") {
                let quantity = Quantity::from_node(node)?;
                let QuantityValue::Number(number) = quantity.value else {
                    return Err(node.error("found a quantity of several numbers, expected a single number"));
                };
                return Ok(Self::Quantity(number.to_f64(), quantity.unit.to_string()));
            }
            if name.starts_with("core/ndarray-") {
                return Err(node.error("found an array, expected a value of the tree"));
            }
        }
        let wrong = || node.expected("a value that fits in 64 bits");
        Ok(match node.kind() {
            NodeKind::Null => Self::Null,
            NodeKind::Bool => Self::Boolean(node.as_bool().ok_or_else(wrong)?),
            NodeKind::Int => match node.as_i64() {
                Some(integer) => Self::Integer(integer),
                None => Self::Float(node.as_f64().ok_or_else(wrong)?),
            },
            NodeKind::Float => Self::Float(node.as_f64().ok_or_else(wrong)?),
            NodeKind::Timestamp => {
                parse_time(node.text().unwrap_or_default()).ok_or_else(|| node.expected("a time in UTC"))?
            }
            NodeKind::Sequence => Self::List(
                node.items().map(|item| Self::read_at(item, budget, depth + 1)).collect::<Result<_>>()?,
            ),
            NodeKind::Mapping => {
                let mut entries = Vec::new();
                for (key, value) in node.entries() {
                    let Some(key) = key.text() else { continue };
                    entries.push((key.to_owned(), Self::read_at(value, budget, depth + 1)?));
                }
                Self::Struct(entries)
            }
            _ => Self::String(node.text().unwrap_or_default().to_owned()),
        })
    }

    /// Returns the type of a value; `None` if it says nothing, as null and empty lists.
    pub(crate) fn kind(&self) -> Option<Kind> {
        Some(match self {
            Self::Null => return None,
            Self::Boolean(_) => Kind::Boolean,
            Self::Integer(_) => Kind::Int64,
            Self::Float(_) | Self::Quantity(..) => Kind::Float64,
            Self::String(_) => Kind::String,
            Self::Timestamp(_) => Kind::Timestamp,
            Self::List(items) => Kind::List(Box::new(items.iter().filter_map(Self::kind).reduce(Kind::or)?)),
            Self::Struct(entries) => {
                let fields: Vec<_> =
                    entries.iter().filter_map(|(name, value)| Some((name.clone(), value.kind()?))).collect();
                // Neither Arrow nor Parquet files can have a struct without fields.
                if fields.is_empty() { Kind::Json } else { Kind::Struct(fields) }
            }
        })
    }

    /// Converts a value to a type, and a quantity to a unit. `None` if it does not fit.
    pub(crate) fn fit(self, kind: &Kind, unit: Option<&Unit>) -> Option<Self> {
        if self == Self::Null {
            return Some(self);
        }
        Some(match kind {
            Kind::Boolean => match self {
                Self::Boolean(_) => self,
                _ => return None,
            },
            Kind::Uint8 => self.integer(0, 255, unit)?,
            Kind::Int16 => self.integer(i16::MIN.into(), i16::MAX.into(), unit)?,
            Kind::Int32 => self.integer(i32::MIN.into(), i32::MAX.into(), unit)?,
            Kind::Int64 => self.integer(i64::MIN, i64::MAX, unit)?,
            Kind::Float32 | Kind::Float64 => match self {
                #[expect(clippy::cast_precision_loss, reason = "a column of floats holds the nearest float")]
                Self::Integer(integer) => Self::Float(integer as f64),
                Self::Float(_) => self,
                Self::Quantity(number, own) => match unit {
                    Some(unit) if unit.to_string() != own => {
                        Self::Float(Unit::parse_lenient(&own).convert(number, unit).ok()?)
                    }
                    _ => Self::Float(number),
                },
                _ => return None,
            },
            Kind::String => match self {
                Self::String(_) => self,
                Self::Timestamp(time) => Self::String(shown(time)),
                _ => return None,
            },
            Kind::Timestamp => match self {
                Self::Timestamp(_) => self,
                Self::String(text) => parse_time(text.trim())?,
                _ => return None,
            },
            Kind::Json => Self::String(self.to_json().to_string()),
            Kind::List(item) => match self {
                Self::List(items) => {
                    Self::List(items.into_iter().map(|value| value.fit(item, unit)).collect::<Option<_>>()?)
                }
                _ => return None,
            },
            Kind::Struct(fields) => match self {
                Self::Struct(mut entries) => {
                    let mut fitted = Vec::new();
                    for (name, kind) in fields {
                        let found = entries.iter_mut().find(|(known, _)| known == name);
                        let value =
                            found.map_or(Self::Null, |(_, value)| std::mem::replace(value, Self::Null));
                        fitted.push((name.clone(), value.fit(kind, None)?));
                    }
                    Self::Struct(fitted)
                }
                _ => return None,
            },
        })
    }

    fn integer(self, least: i64, most: i64, unit: Option<&Unit>) -> Option<Self> {
        let integer = match self {
            Self::Integer(integer) => integer,
            // Counts can have a unit, and the number of a quantity is a float.
            Self::Quantity(..) => match self.fit(&Kind::Float64, unit)? {
                #[expect(clippy::cast_possible_truncation, reason = "less than 2^53")]
                Self::Float(number) if number.fract() == 0.0 && number.abs() < EXACT => number as i64,
                _ => return None,
            },
            _ => return None,
        };
        (least..=most).contains(&integer).then_some(Self::Integer(integer))
    }

    /// Returns the value as JSON. NaN and infinity are strings.
    pub(crate) fn to_json(&self) -> Json {
        match self {
            Self::Null => Json::Null,
            Self::Boolean(boolean) => (*boolean).into(),
            Self::Integer(integer) => (*integer).into(),
            Self::Float(number) => json::float(*number),
            Self::Quantity(number, unit) => {
                let unit = Json::from(unit.as_str());
                Json::Object(Map::from_iter([
                    ("value".to_owned(), json::float(*number)),
                    ("unit".to_owned(), unit),
                ]))
            }
            Self::String(text) => text.as_str().into(),
            Self::Timestamp(time) => shown(*time).into(),
            Self::List(items) => items.iter().map(Self::to_json).collect(),
            Self::Struct(entries) => {
                entries.iter().map(|(name, value)| (name.clone(), value.to_json())).collect()
            }
        }
    }

    /// Returns the value as the text of a cell: JSON for lists and structs, and nothing for null.
    pub(crate) fn to_text(&self) -> String {
        match self {
            Self::Null => String::new(),
            Self::Float(number) if !number.is_finite() => number.to_string(),
            Self::String(text) => text.clone(),
            Self::Timestamp(time) => shown(*time),
            other => other.to_json().to_string(),
        }
    }
}

/// Parses a time: a time of the standard without a time zone, in UTC, or a timestamp of YAML with one.
fn parse_time(text: &str) -> Option<Value> {
    if let Ok(instant) = text.parse::<Instant>() {
        return timestamp(instant).ok();
    }
    let moment = Moment::parse(text)?;
    let local = Moment { offset: None, ..moment }.to_string();
    let Value::Timestamp(local) = timestamp(local.parse().ok()?).ok()? else { return None };
    let offset = i64::from(moment.offset.unwrap_or_default()) * 60_000_000;
    local.checked_sub(offset).map(Value::Timestamp)
}

/// Converts an instant to UTC. An instant in a leap second becomes the last microsecond before the next day.
pub(crate) fn timestamp(instant: Instant) -> Result<Value> {
    let utc = if instant.scale() == TimeScale::Utc { instant } else { instant.to(TimeScale::Utc)? };
    let seconds = (utc.seconds() * 1e6).round();
    if !seconds.is_finite() {
        return Err(Error::mismatch("the time is not a finite number"));
    }
    #[expect(clippy::cast_possible_truncation, reason = "a day has less than 2^63 microseconds")]
    let within = (seconds as i64).clamp(0, DAY_MICROSECONDS - 1);
    let days = utc.day().checked_sub(EPOCH).and_then(|days| days.checked_mul(DAY_MICROSECONDS));
    let time = days.and_then(|days| days.checked_add(within));
    time.map(Value::Timestamp).ok_or_else(|| Error::limit("the time does not fit in 64 bits of microseconds"))
}

/// Writes a time in the format of ISO 8601.
fn shown(time: i64) -> String {
    #[expect(clippy::cast_precision_loss, reason = "less than a day of microseconds")]
    let seconds = time.rem_euclid(DAY_MICROSECONDS) as f64 / 1e6;
    let instant = Instant::new(time.div_euclid(DAY_MICROSECONDS) + EPOCH, seconds, TimeScale::Utc);
    format!("{instant}Z")
}

#[cfg(test)]
mod tests {
    use asdf_core::yaml;

    use super::*;

    #[test]
    fn values_fit_their_types_or_not_at_all() {
        for (text, kind, expected) in [
            ("7", "int16", Some("7")),
            ("70000", "int16", None),
            ("7", "float64", Some("7.0")),
            ("7.5", "int64", None),
            ("7", "string", None),
            ("'7'", "int64", None),
            ("true", "boolean", Some("true")),
            ("yes", "boolean", Some("true")),
            ("1", "boolean", None),
            ("~", "int16", Some("")),
            ("18446744073709551615", "int64", None),
            ("18446744073709551615", "float64", Some("1.8446744073709552e+19")),
            (".nan", "float64", Some("NaN")),
            ("[1, 2.5]", "list<float64>", Some("[1.0,2.5]")),
            ("[1, a]", "list<float64>", None),
            ("{a: 1, b: [x]}", "json", Some(r#"{"a":1,"b":["x"]}"#)),
            (
                "{b: x, c: 1, a: 2}",
                "struct<a: float64, b: string, d: int64>",
                Some(r#"{"a":2.0,"b":"x","d":null}"#),
            ),
            ("2026-01-02T03:04:05.25", "timestamp", Some("2026-01-02T03:04:05.25Z")),
            ("2026-01-02T03:04:05.25", "string", Some("2026-01-02T03:04:05.25Z")),
            ("'2026-01-02 03:04:05'", "timestamp", Some("2026-01-02T03:04:05Z")),
            ("2026-01-02T03:04:05+01:30", "timestamp", Some("2026-01-02T01:34:05Z")),
            ("2026-01-02", "timestamp", Some("2026-01-02T00:00:00Z")),
            ("noon", "timestamp", None),
            (
                "!<tag:stsci.edu:asdf/time/time-1.1.0> 2026-01-02T03:04:05",
                "timestamp",
                Some("2026-01-02T03:04:05Z"),
            ),
            (
                "!<tag:stsci.edu:asdf/time/time-1.1.0> {value: 60000.5, format: mjd, scale: tai}",
                "timestamp",
                Some("2023-02-25T11:59:23Z"),
            ),
            ("!<tag:stsci.edu:asdf/unit/quantity-1.1.0> {value: 2.5, unit: m}", "float64", Some("2.5")),
            ("!<tag:stsci.edu:asdf/unit/quantity-1.1.0> {value: 200, unit: DN}", "uint8", Some("200")),
            ("!<tag:stsci.edu:asdf/unit/quantity-1.1.0> {value: 300, unit: DN}", "uint8", None),
            ("!<tag:stsci.edu:asdf/unit/quantity-1.1.0> {value: 2.5, unit: DN}", "int32", None),
            ("!<tag:stsci.edu:asdf/unit/quantity-1.1.0> {value: .nan, unit: DN}", "int64", None),
        ] {
            let tree = yaml::parse(text).unwrap();
            let value = Value::read(tree.root().unwrap(), &mut Budget::default()).unwrap();
            let found = value.fit(&kind.parse().unwrap(), None).map(|value| value.to_text());
            assert_eq!(found.as_deref(), expected, "{text} as {kind}");
        }
    }

    #[test]
    fn quantities_are_converted_to_the_unit_of_their_column() {
        let unit = Unit::parse("cm").unwrap();
        let fit = |text: &str| Value::Quantity(2.5, text.to_owned()).fit(&Kind::Float64, Some(&unit));
        assert_eq!(fit("m"), Some(Value::Float(250.0)));
        assert_eq!(fit("cm"), Some(Value::Float(2.5)));
        assert_eq!(fit("s"), None);
    }
}
