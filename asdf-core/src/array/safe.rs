//! Safe casts between datatypes, as in numpy.

use super::Datatype;

impl Datatype {
    /// Returns whether a datatype casts safely to another, as numpy's `can_cast` does.
    ///
    /// The rules are those of `casting="safe"`, which `datatype` in a schema follows without
    /// `exact_datatype`: every value of this datatype is a value of the other. As an exception, integers of
    /// 64 bits cast to `float64`, although it cannot represent them all. Structured datatypes are compared
    /// field by field, whatever the names, as in Python's asdf.
    ///
    /// # Examples
    /// ```
    /// use asdf_core::Datatype;
    ///
    /// assert!(Datatype::Int16.casts_safely_to(&Datatype::Float32));
    /// assert!(!Datatype::Int32.casts_safely_to(&Datatype::Float32));
    /// ```
    #[must_use]
    #[doc(alias = "can_cast")]
    pub fn casts_safely_to(&self, to: &Self) -> bool {
        match (self, to) {
            (Self::Struct(a), Self::Struct(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.datatype.casts_safely_to(&b.datatype))
            }
            (Self::Struct(_), _) | (_, Self::Struct(_)) => false,
            (Self::Ascii(a), Self::Ascii(b) | Self::Ucs4(b)) | (Self::Ucs4(a), Self::Ucs4(b)) => a <= b,
            (Self::Ascii(_) | Self::Ucs4(_), _) => false,
            (number, Self::Ascii(length) | Self::Ucs4(length)) => {
                number_traits(number).is_some_and(|n| n.characters <= *length)
            }
            (from, to) => match (number_traits(from), number_traits(to)) {
                (Some(from), Some(to)) => from.fits(&to),
                _ => false,
            },
        }
    }
}

/// The properties of a number that decide about casts.
struct Number {
    /// The kind of the values: booleans, integers, floats, complex numbers.
    level: u8,
    signed: bool,
    /// The number of bits of one part.
    bits: u32,
    /// The number of characters of its text in numpy.
    characters: u64,
}

impl Number {
    fn fits(&self, to: &Self) -> bool {
        match (self.level, to.level) {
            (0, _) => true,
            (from, to) if from > to => false,
            (1, 1) => match (self.signed, to.signed) {
                (true, false) => false,
                (false, true) => to.bits > self.bits,
                _ => to.bits >= self.bits,
            },
            // The mantissa must hold the integer, except that 64 bits cast to the largest float.
            (1, _) => match to.bits {
                16 => self.bits <= 8,
                32 => self.bits <= 16,
                _ => true,
            },
            _ => to.bits >= self.bits,
        }
    }
}

fn number_traits(datatype: &Datatype) -> Option<Number> {
    let number = |level, signed, bits, characters| Some(Number { level, signed, bits, characters });
    match datatype {
        Datatype::Bool8 => number(0, false, 8, 5),
        Datatype::Int8 => number(1, true, 8, 4),
        Datatype::Int16 => number(1, true, 16, 6),
        Datatype::Int32 => number(1, true, 32, 11),
        Datatype::Int64 => number(1, true, 64, 21),
        Datatype::Uint8 => number(1, false, 8, 3),
        Datatype::Uint16 => number(1, false, 16, 5),
        Datatype::Uint32 => number(1, false, 32, 10),
        Datatype::Uint64 => number(1, false, 64, 20),
        Datatype::Int128 => number(1, true, 128, 40),
        Datatype::Uint128 => number(1, false, 128, 39),
        Datatype::Float16 => number(2, true, 16, 32),
        Datatype::Float32 => number(2, true, 32, 32),
        Datatype::Float64 => number(2, true, 64, 32),
        Datatype::Complex32 => number(3, true, 16, 64),
        Datatype::Complex64 => number(3, true, 32, 64),
        Datatype::Complex128 => number(3, true, 64, 64),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn casts_are_those_of_numpy() {
        // From numpy 2.4.6: can_cast(from, to, "safe").
        for (from, to, safe) in [
            ("int64", "float64", true),
            ("int32", "float32", false),
            ("int16", "float32", true),
            ("int8", "float16", true),
            ("int16", "float16", false),
            ("uint8", "int8", false),
            ("uint8", "int16", true),
            ("uint64", "int64", false),
            ("uint64", "float64", true),
            ("int8", "uint8", false),
            ("bool8", "int8", true),
            ("int8", "bool8", false),
            ("float32", "complex64", true),
            ("float64", "complex64", false),
            ("int32", "complex64", false),
            ("int64", "complex128", true),
            ("float64", "float32", false),
            ("[ascii, 4]", "[ascii, 2]", false),
            ("[ascii, 4]", "[ucs4, 4]", true),
            ("[ucs4, 2]", "[ascii, 4]", false),
            ("int8", "[ascii, 30]", true),
            ("int64", "[ascii, 20]", false),
            ("[int8, float32]", "[int16, float64]", true),
            ("[int8]", "[int8, int8]", false),
            ("int8", "[{datatype: int8}]", false),
        ] {
            let datatype = |text: &str| crate::yaml::parse(text).unwrap().get::<Datatype>("").unwrap();
            assert_eq!(datatype(from).casts_safely_to(&datatype(to)), safe, "{from} to {to}");
        }
    }
}
