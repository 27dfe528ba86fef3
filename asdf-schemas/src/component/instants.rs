//! Times, in the format of the file.

use asdf_core::array::ByteOrder;
use asdf_core::tree::{Kind, NodeRef};
use asdf_core::{Datatype, NdArray, Result};

use super::{Component, in_words, numbers, single};
use crate::unit::Unit;

/// Returns the values of `time/time-*`: text, or numbers with a format.
///
/// Without a scale it is UTC, as the standard says.
pub(super) fn all_of(node: NodeRef<'_>) -> Result<Vec<Component>> {
    let values = if node.kind() == Kind::Sequence {
        texts(node)?
    } else if node.kind().is_scalar() {
        single::text(node)?
    } else {
        match node.get("value") {
            Some(list) if list.kind() == Kind::Sequence && list.own_tag().is_none() => {
                texts(list).map_err(|error| error.under("value"))?
            }
            Some(text) if matches!(text.kind(), Kind::String | Kind::Timestamp) => {
                single::text(text).map_err(|error| error.under("value"))?
            }
            _ => numbers(node, "value")?,
        }
    };
    let Some(values) = values else { return Ok(Vec::new()) };
    let text = |key: &str| node.get(key).and_then(NodeRef::as_str);
    let is_text = matches!(values.datatype(), Datatype::Ascii(_) | Datatype::Ucs4(_));
    let format = text("format").or(Some("iso").filter(|_| is_text));
    let unit = match format.filter(|_| !is_text) {
        Some("jd" | "mjd") => Some("d"),
        Some("byear" | "jyear" | "decimalyear") => Some("yr"),
        Some("gps" | "unix" | "utime" | "unix_tai" | "tai_seconds" | "cxcsec" | "galexsec" | "stardate") => {
            Some("s")
        }
        _ => None,
    };
    let mut component =
        Component::of_array(values).with("scale", text("scale").unwrap_or("utc")).with("type", "time");
    component.unit = unit.map(Unit::new).transpose()?;
    if let Some(format) = text("base_format").or(format) {
        component = component.with("format", format);
    }
    if let Some(location) = node.get("location") {
        let coordinate = |key: &str| location.get(key).and_then(in_words);
        if let [Some(x), Some(y), Some(z)] = ["x", "y", "z"].map(coordinate) {
            component = component.with("location", format!("{x}, {y}, {z}"));
        }
    }
    Ok(vec![component])
}

/// Reads a list of texts, which can look like timestamps. Returns `None` if some items are not text.
fn texts(list: NodeRef<'_>) -> Result<Option<NdArray>> {
    let is_text = |node: &NodeRef<'_>| matches!(node.kind(), Kind::String | Kind::Timestamp);
    let texts: Vec<Vec<char>> = list
        .items()
        .map_while(|item| Some(item).filter(is_text)?.text().map(|text| text.chars().collect()))
        .collect();
    if texts.len() != list.len() || texts.is_empty() {
        return Ok(None);
    }
    let longest = texts.iter().map(Vec::len).max().unwrap_or(0);
    let mut bytes = Vec::with_capacity(texts.len() * longest * 4);
    for text in &texts {
        let padding = std::iter::repeat_n('\0', longest - text.len());
        for character in text.iter().copied().chain(padding) {
            bytes.extend(u32::from(character).to_le_bytes());
        }
    }
    let datatype = Datatype::Ucs4(longest as u64);
    NdArray::from_bytes(datatype, ByteOrder::Little, &[texts.len() as u64], bytes).map(Some)
}
