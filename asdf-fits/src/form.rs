//! `TFORMn` and `TDIMn`: the datatype and shape of the cells of a column.

use asdf_core::{Datatype, Error, Result};

/// The format of the cells of a column of a binary table.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Form {
    /// The kind of the elements.
    pub(crate) kind: FormKind,
    /// The number of elements in a cell; for text, the number of characters.
    pub(crate) repeat: u64,
}

/// The kind of the elements of a cell.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum FormKind {
    /// Elements of a datatype. The length of `Ascii` is that of one text.
    Plain(Datatype),
    /// Bits.
    Bits,
    /// A length and an offset of elements in the heap: integers of 32 bits, or of 64 if `wide`.
    Heap { element: Datatype, wide: bool },
}

impl Form {
    /// Parses the value of `TFORMn`.
    pub(crate) fn parse(form: &str) -> Result<Self> {
        let bad = || {
            let form = form.escape_debug();
            Error::malformed(format!("found '{form}', expected a column format such as 1D or 8A"))
        };
        let (repeat, code, rest) = parts(form).ok_or_else(bad)?;
        let kind = match code {
            'A' => {
                // `12A4` is three texts of four characters.
                let width: u64 = if rest.is_empty() { repeat } else { rest.parse().unwrap_or(repeat) };
                FormKind::Plain(Datatype::Ascii(if width == 0 || width > repeat { repeat } else { width }))
            }
            'X' => FormKind::Bits,
            'P' | 'Q' => {
                let wide = code == 'Q';
                let (_, code, _) = parts(rest).ok_or_else(bad)?;
                let element = match code {
                    'A' => Datatype::Ascii(1),
                    'X' => {
                        return Err(Error::unsupported("bits in variable-length columns are not supported"));
                    }
                    code => plain(code).ok_or_else(bad)?,
                };
                FormKind::Heap { element, wide }
            }
            code => FormKind::Plain(plain(code).ok_or_else(bad)?),
        };
        Ok(Self { kind, repeat })
    }

    /// Returns the datatype and shape of the cell in the row itself. A row holds no elements of the heap.
    pub(crate) fn stored(&self, dim: Option<&str>) -> Result<(Datatype, Vec<u64>)> {
        let counted = |count: u64| if count == 1 { Vec::new() } else { vec![count] };
        match &self.kind {
            FormKind::Plain(Datatype::Ascii(width)) => {
                let shape = dim.and_then(dimension).filter(|axes| fits(axes, self.repeat));
                match shape.as_deref() {
                    // The axes are reversed here, so FITS's first axis, over the characters, is the last.
                    Some([outer @ .., width]) if *width > 0 && whole(outer, *width) == Some(self.repeat) => {
                        Ok((Datatype::Ascii(*width), outer.to_vec()))
                    }
                    // ASDF has no datatype for texts without characters.
                    _ if *width == 0 => Ok((Datatype::Ascii(1), vec![0])),
                    _ if self.repeat.is_multiple_of(*width) => {
                        Ok((Datatype::Ascii(*width), counted(self.repeat / width)))
                    }
                    _ => Ok((Datatype::Ascii(self.repeat), Vec::new())),
                }
            }
            FormKind::Plain(datatype) => {
                let shape = dim.and_then(dimension).filter(|axes| whole(axes, 1) == Some(self.repeat));
                Ok((datatype.clone(), shape.unwrap_or_else(|| counted(self.repeat))))
            }
            FormKind::Bits => Ok((Datatype::Uint8, vec![self.repeat.div_ceil(8)])),
            FormKind::Heap { wide, .. } => {
                let pointer = if *wide { Datatype::Int64 } else { Datatype::Int32 };
                match self.repeat {
                    0 => Ok((pointer, vec![0])),
                    1 => Ok((pointer, vec![2])),
                    repeat => Err(Error::malformed(format!(
                        "found the repeat count {repeat} in a variable-length column, expected 0 or 1"
                    ))),
                }
            }
        }
    }
}

/// Splits a format into the repeat count, the letter and the rest.
fn parts(form: &str) -> Option<(u64, char, &str)> {
    let form = form.trim();
    let at = form.find(|c: char| !c.is_ascii_digit())?;
    let (repeat, rest) = form.split_at_checked(at)?;
    let mut letters = rest.chars();
    let code = letters.next()?.to_ascii_uppercase();
    let repeat = if repeat.is_empty() { 1 } else { repeat.parse().ok()? };
    Some((repeat, code, letters.as_str()))
}

fn plain(code: char) -> Option<Datatype> {
    Some(match code {
        'L' => Datatype::Bool8,
        'B' => Datatype::Uint8,
        'I' => Datatype::Int16,
        'J' => Datatype::Int32,
        'K' => Datatype::Int64,
        'E' => Datatype::Float32,
        'D' => Datatype::Float64,
        'C' => Datatype::Complex64,
        'M' => Datatype::Complex128,
        _ => return None,
    })
}

/// Parses the shape in `TDIMn` and returns it in C order: `(3,2)` is `[2, 3]`.
pub(crate) fn dimension(text: &str) -> Option<Vec<u64>> {
    let inner = text.trim().strip_prefix('(')?.strip_suffix(')')?;
    inner.rsplit(',').map(|axis| axis.trim().parse().ok()).collect()
}

fn whole(axes: &[u64], first: u64) -> Option<u64> {
    axes.iter().try_fold(first, |product, &axis| product.checked_mul(axis))
}

fn fits(axes: &[u64], repeat: u64) -> bool {
    whole(axes, 1).is_some_and(|count| count <= repeat)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_of_columns() {
        for (form, dim, datatype, shape) in [
            ("J", None, Datatype::Int32, vec![]),
            ("6J", Some("(3,2)"), Datatype::Int32, vec![2, 3]),
            ("6J", Some("(9,9)"), Datatype::Int32, vec![6]),
            ("0D", None, Datatype::Float64, vec![0]),
            ("8A", None, Datatype::Ascii(8), vec![]),
            ("8A", Some("(4,2)"), Datatype::Ascii(4), vec![2]),
            ("12A4", None, Datatype::Ascii(4), vec![3]),
            ("0A", None, Datatype::Ascii(1), vec![0]),
            ("11X", None, Datatype::Uint8, vec![2]),
            ("1PE(300)", None, Datatype::Int32, vec![2]),
            ("QD", None, Datatype::Int64, vec![2]),
        ] {
            assert_eq!(Form::parse(form).unwrap().stored(dim).unwrap(), (datatype, shape), "{form}");
        }
        for wrong in ["", "5", "3Z", "99999999999999999999J", "1PX(8)", "1P"] {
            assert!(Form::parse(wrong).is_err(), "{wrong}");
        }
    }
}
