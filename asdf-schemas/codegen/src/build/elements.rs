//! Typed arrays: arrays with a datatype and a number of axes.

use asdf_core::Datatype;

use super::Builder;
use super::facts::Facts;
use crate::library::Place;
use crate::model::Type;
use crate::report::LossKind;
use crate::schema::Elements;

/// The type of arrays whose schema does not restrict their elements.
const ARRAY: &str = "::asdf_core::NdArray";

impl<'a> Builder<'a> {
    /// The type of an array with these elements, if the given type is that of arrays.
    pub(super) fn with_elements(&mut self, ty: Type, facts: &Facts<'a>, place: Place) -> Type {
        if facts.elements_differ {
            self.lose(
                LossKind::Looser,
                place,
                "the schemas differ in the datatype or number of axes; only the first is checked",
            );
        }
        if facts.elements.is_empty() {
            return ty;
        }
        if ty != Type::Extern(ARRAY.to_owned()) {
            let message = "the datatype and the number of axes of the array are not checked";
            self.lose(LossKind::Looser, place, message);
            return ty;
        }
        self.array_of(&facts.elements, place).map_or(ty, Type::Extern)
    }

    /// The path of the array type.
    fn array_of(&mut self, elements: &Elements, place: Place) -> Option<String> {
        const OF: &str = "::asdf_core::array";
        let datatype = match &elements.datatype {
            None => None,
            Some(datatype) => {
                let named = element(datatype);
                if named.is_none() {
                    let message = format!("the datatype `{datatype}` of the elements is not checked");
                    self.lose(LossKind::Looser, place, message);
                }
                named
            }
        };
        let of = match datatype {
            None => format!("{OF}::AnyDatatype"),
            Some(datatype) if elements.exact => datatype,
            Some(datatype) => format!("{OF}::Safely<{datatype}>"),
        };
        let any = format!("{{ {OF}::ANY_AXES }}");
        Some(match (elements.axes, elements.max_axes) {
            (None, None) if elements.datatype.is_none() || of.ends_with("AnyDatatype") => return None,
            (None, None) => format!("::asdf_core::array::Array<{of}>"),
            (Some(axes), most) => {
                if most.is_some_and(|most| most < axes) {
                    self.lose(LossKind::Looser, place, "a `max_ndim` less than `ndim` is not checked");
                }
                format!("::asdf_core::array::Array<{of}, {axes}>")
            }
            (None, Some(most)) => format!("::asdf_core::array::Array<{of}, {any}, {most}>"),
        })
    }
}

/// The Rust type of the elements of a datatype.
fn element(datatype: &Datatype) -> Option<String> {
    Some(match datatype {
        Datatype::Int8 => "i8".to_owned(),
        Datatype::Int16 => "i16".to_owned(),
        Datatype::Int32 => "i32".to_owned(),
        Datatype::Int64 => "i64".to_owned(),
        Datatype::Uint8 => "u8".to_owned(),
        Datatype::Uint16 => "u16".to_owned(),
        Datatype::Uint32 => "u32".to_owned(),
        Datatype::Uint64 => "u64".to_owned(),
        Datatype::Float16 => "::asdf_core::array::f16".to_owned(),
        Datatype::Float32 => "f32".to_owned(),
        Datatype::Float64 => "f64".to_owned(),
        Datatype::Complex64 => "::asdf_core::array::Complex32".to_owned(),
        Datatype::Complex128 => "::asdf_core::array::Complex64".to_owned(),
        Datatype::Bool8 => "bool".to_owned(),
        Datatype::Ascii(length) => format!("::asdf_core::array::Ascii<{length}>"),
        Datatype::Ucs4(length) => format!("::asdf_core::array::Ucs4<{length}>"),
        _ => return None,
    })
}
