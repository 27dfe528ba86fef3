//! Datatypes as zarr writes them: numpy's strings, such as `<f4`.

use asdf_core::array::{ByteOrder, Field};
use asdf_core::{Datatype, Error, Result};
use serde_json::{Value as Json, json};

/// Returns the `dtype` of zarr, version 2.
///
/// # Errors
/// [`Unsupported`](asdf_core::error::Kind::Unsupported) if zarr has no such datatype.
pub(super) fn dtype(datatype: &Datatype, order: ByteOrder) -> Result<Json> {
    let Datatype::Struct(fields) = datatype else { return simple(datatype, order).map(Json::String) };
    let mut list = Vec::new();
    let mut names: Vec<&str> = Vec::new();
    for Field { name, datatype, byteorder, shape } in fields {
        let name = name.as_deref().filter(|name| !name.is_empty() && !names.contains(name));
        let Some(name) = name else {
            return Err(Error::unsupported("fields without a name of their own have no datatype in zarr"));
        };
        names.push(name);
        if !shape.is_empty() || matches!(datatype, Datatype::Struct(_)) {
            return Err(Error::unsupported(format!(
                "the field '{}' is an array or has fields of its own, which zarr does not read",
                name.escape_debug()
            )));
        }
        list.push(json!([name, simple(datatype, byteorder.unwrap_or(order))?]));
    }
    if list.is_empty() {
        return Err(Error::unsupported("records without fields have no datatype in zarr"));
    }
    Ok(list.into())
}

fn simple(datatype: &Datatype, order: ByteOrder) -> Result<String> {
    let code = match datatype {
        Datatype::Int8 | Datatype::Int16 | Datatype::Int32 | Datatype::Int64 => 'i',
        Datatype::Uint8 | Datatype::Uint16 | Datatype::Uint32 | Datatype::Uint64 => 'u',
        Datatype::Float16 | Datatype::Float32 | Datatype::Float64 => 'f',
        Datatype::Complex64 | Datatype::Complex128 => 'c',
        Datatype::Bool8 => 'b',
        Datatype::Ascii(1..) => 'S',
        Datatype::Ucs4(1..) => 'U',
        other => return Err(Error::unsupported(format!("zarr has no datatype for {other}"))),
    };
    let size = datatype.size()?;
    // The number after U counts characters.
    let number = if code == 'U' { size / 4 } else { size };
    let order = match order {
        _ if size == 1 || code == 'S' => '|',
        ByteOrder::Little => '<',
        ByteOrder::Big => '>',
    };
    Ok(format!("{order}{code}{number}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn datatypes_have_numpys_names() {
        let of = |datatype: Datatype, order| dtype(&datatype, order).unwrap();
        assert_eq!(of(Datatype::Float16, ByteOrder::Big), ">f2");
        assert_eq!(of(Datatype::Bool8, ByteOrder::Big), "|b1");
        assert_eq!(of(Datatype::Complex128, ByteOrder::Little), "<c16");
        assert_eq!(of(Datatype::Ascii(5), ByteOrder::Little), "|S5");
        assert_eq!(of(Datatype::Ucs4(5), ByteOrder::Big), ">U5");
        let field = Field { byteorder: Some(ByteOrder::Big), ..Field::new("b", Datatype::Int32) };
        let record = Datatype::Struct(vec![Field::new("a", Datatype::Int8), field]);
        assert_eq!(of(record, ByteOrder::Little), json!([["a", "|i1"], ["b", ">i4"]]));
    }

    #[test]
    fn other_datatypes_are_refused() {
        let field = |name: &str| Field::new(name, Datatype::Int8);
        let unnamed = Field { name: None, ..field("a") };
        let long = Field { shape: vec![2], ..field("a") };
        for datatype in [
            Datatype::Int128,
            Datatype::Complex32,
            Datatype::Ascii(0),
            Datatype::Ucs4(0),
            Datatype::Struct(vec![]),
            Datatype::Struct(vec![unnamed]),
            Datatype::Struct(vec![long]),
            Datatype::Struct(vec![field("a"), field("a")]),
            Datatype::Struct(vec![Field::new("a", Datatype::Struct(vec![field("b")]))]),
        ] {
            assert!(dtype(&datatype, ByteOrder::Little).is_err(), "{datatype}");
        }
    }
}
