//! Elements as text, with one format for numbers everywhere.

use super::{Datatype, Value};

impl Value {
    /// Returns the element as text for people, and `missing` if it is masked.
    ///
    /// Floats have the fewest digits that their datatype needs; the others are written `NaN`, `inf` and
    /// `-inf`. Complex numbers are written as in Python, records in parentheses, lists in brackets.
    ///
    /// # Examples
    /// ```
    /// use asdf_core::Datatype;
    /// use asdf_core::array::Value;
    ///
    /// let value = Value::Float(f64::from(91.68013_f32));
    /// assert_eq!(value.to_text(&Datatype::Float32, "--"), "91.68013");
    /// assert_eq!(Value::Missing.to_text(&Datatype::Float32, "--"), "--");
    /// ```
    #[must_use]
    pub fn to_text(&self, datatype: &Datatype, missing: &str) -> String {
        let list = |values: Vec<String>| values.join(", ");
        match (self, datatype) {
            (Self::Missing, _) => missing.to_owned(),
            (Self::Bool(flag), _) => flag.to_string(),
            (Self::Int(number), _) => number.to_string(),
            (Self::Uint(number), _) => number.to_string(),
            (Self::Float(number), _) => float(*number, datatype),
            (Self::Complex(number), _) => {
                let imaginary = float(number.im, datatype);
                let sign = if imaginary.starts_with('-') { "" } else { "+" };
                format!("{}{sign}{imaginary}j", float(number.re, datatype))
            }
            (Self::Text(text), _) => text.clone(),
            (Self::Record(values), Datatype::Struct(fields)) => {
                let parts = values.iter().zip(fields);
                format!(
                    "({})",
                    list(parts.map(|(value, field)| value.to_text(&field.datatype, missing)).collect())
                )
            }
            (Self::Record(values) | Self::List(values), _) => {
                format!("[{}]", list(values.iter().map(|value| value.to_text(datatype, missing)).collect()))
            }
        }
    }
}

/// Returns a float with the fewest digits that still identify it among the floats of its type.
#[allow(clippy::cast_possible_truncation, reason = "these floats are of 32 bits or fewer")]
fn float(number: f64, datatype: &Datatype) -> String {
    match datatype {
        Datatype::Float16 | Datatype::Complex32 if number.is_finite() => {
            let shortest = (0..8).map(|digits| format!("{number:.digits$e}")).find_map(|text| {
                let back: f64 = text.parse().ok()?;
                (half::f16::from_f64(back).to_f64() == number).then_some(back)
            });
            format!("{:?}", shortest.unwrap_or(number))
        }
        Datatype::Float32 | Datatype::Complex64 => format!("{:?}", number as f32),
        _ => format!("{number:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::Field;

    #[test]
    fn floats_are_short_and_exact() {
        for (number, datatype, expected) in [
            (f64::from(3.4_f32), Datatype::Float32, "3.4"),
            (3.4, Datatype::Float64, "3.4"),
            (half::f16::from_f64(3.4).to_f64(), Datatype::Float16, "3.4"),
            (65504.0, Datatype::Float16, "65500.0"),
            (1e300, Datatype::Float64, "1e300"),
            (f64::NAN, Datatype::Float32, "NaN"),
            (f64::NEG_INFINITY, Datatype::Float64, "-inf"),
        ] {
            assert_eq!(Value::Float(number).to_text(&datatype, ""), expected);
        }
        let number = num_complex::Complex64::new(1.5, -2.0);
        assert_eq!(Value::Complex(number).to_text(&Datatype::Complex128, ""), "1.5-2.0j");
    }

    #[test]
    fn each_field_of_a_record_has_its_own_type() {
        let field = |datatype| Field { name: None, datatype, byteorder: None, shape: Vec::new() };
        let datatype = Datatype::Struct(vec![field(Datatype::Float32), field(Datatype::Float64)]);
        let record = Value::Record(vec![Value::Float(f64::from(3.4_f32)), Value::Missing]);
        assert_eq!(record.to_text(&datatype, "--"), "(3.4, --)");
    }
}
