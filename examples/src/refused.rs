//! Invalid values, which the compiler, a constructor or writing refuses.
//!
//! The compiler refuses the following. A checked type has no public field:
//!
//! ```compile_fail,E0423
//! use asdf_examples::exposure::FilterName;
//!
//! let name = FilterName("no filter is called so".to_owned());
//! ```
//!
//! Required properties are parameters of `new`:
//!
//! ```compile_fail,E0061
//! use asdf_schemas::basic::Software;
//!
//! let software = Software::new("a name without a version".to_owned());
//! ```
//!
//! A list of allowed words is an enum:
//!
//! ```compile_fail,E0599
//! use asdf_schemas::time::TimeScale;
//!
//! let scale = TimeScale::Moon;
//! ```
//!
//! [`attempts`] makes the values that are only refused at run time.

use asdf_core::array::Array;
use asdf_core::value::{KeptTag, Timestamp};
use asdf_core::{Datatype, Error, File, NdArray, Node, Result, Tagged};
use asdf_schemas::fits::{Card, CardItem, CardItemString, Fits, Hdu};
use asdf_schemas::table::{Column, Table};
use asdf_schemas::time::Time;
use asdf_schemas::unit::{Quantity, Unit};

use crate::exposure::FilterName;

/// An invalid value, and the error of the call that refuses it.
#[derive(Debug)]
pub struct Attempt {
    /// A description of the value.
    pub what: &'static str,
    /// The error; `None` if the value was made and written.
    pub error: Option<Error>,
}

/// Tries to make and write invalid values.
///
/// # Errors
/// If a valid part of a value cannot be made.
pub fn attempts() -> Result<Vec<Attempt>> {
    let mut tried = Vec::new();
    let mut attempt = |what, result: Result<()>| tried.push(Attempt { what, error: result.err() });

    attempt("a filter with an invalid name", FilterName::new("no filter is called so".to_owned()).map(drop));
    attempt(
        "a FITS card with a keyword of 14 characters",
        Card::from_parts("TOOLONGKEYWORD", 1.5, "").map(drop),
    );
    let text = CardItem::String(CardItemString::new("x".to_owned())?);
    let card = Card::new(vec![CardItem::Number(5.into()), CardItem::Number(1.into()), text]);
    attempt("a FITS card with a number for its keyword", card.map(drop));
    attempt("an unknown unit", Unit::checked("not a unit!! %%").map(drop));
    attempt("a quantity in an unknown unit", Quantity::checked(1.0, "furlongz").map(drop));
    attempt("a text that is not a time", Time::parse("yesterday at noon").map(drop));

    let time = Timestamp::new("yesterday at noon");
    let mut file = File::new();
    attempt(
        "a history entry with an invalid time",
        time.and_then(|time| file.add_history("", Some(time), None)),
    );
    let other = KeptTag::As("tag:stsci.edu:asdf/core/software-1.0.0".into());
    attempt(
        "a quantity with the tag of a program",
        write(&Quantity { tag: other, ..Quantity::scalar(1.0, "s")? }),
    );
    attempt("an integer of more than 64 bits", write(&u128::MAX));

    let row = NdArray::new(&[3], &[1.0_f32, 2.0, 3.0])?;
    attempt("a list of numbers for an image", Array::<f32, 2>::new(row.clone()).map(drop));
    let quantity = Quantity { datatype: Some(Datatype::Int8), ..Quantity::checked(row.clone(), "s")? };
    attempt("a quantity with another datatype than its array", write(&quantity));
    let (three, two) =
        (Column::from_array("three", row)?, Column::from_array("two", NdArray::new(&[2], &[1.0_f32, 2.0])?)?);
    attempt(
        "a table of columns of different lengths",
        Table::from_columns([three.clone(), two.clone()]).map(drop),
    );
    attempt(
        "the same table, made from public fields",
        write(&Table::new(vec![Tagged::Known(three.clone()), Tagged::Known(two)])),
    );
    attempt("a table with a column twice", Table::from_columns([three.clone(), three]).map(drop));
    let mut exposure = crate::exposure()?;
    exposure.extra.insert("filter", "the one that is a field")?;
    attempt("an extra property that is also a field", write(&exposure));
    Ok(tried)
}

fn write<T: asdf_core::ToNode>(value: &T) -> Result<()> {
    Node::new(value).map(drop)
}

/// Makes a file with valid values of the same types.
///
/// # Errors
/// If a value cannot be made.
pub fn valid() -> Result<File> {
    let mut file = File::new();
    let row = NdArray::new(&[3], &[1.0_f32, 2.0, 3.0])?;
    file.set("/time", &Time::parse("2026-11-20T12:30:00")?)?;
    file.set(
        "/quantity",
        &Quantity { datatype: Some(Datatype::Float32), ..Quantity::checked(row.clone(), "s")? },
    )?;
    file.set("/table", &Table::from_columns([Column::from_array("three", row)?.with_unit("mJy")?])?)?;
    let header =
        vec![Card::from_parts("SIMPLE", true, "file is FITS")?, Card::from_parts("EXPTIME", 30.0, "[s]")?];
    file.set("/fits", &Fits::new(vec![Hdu::new(header)]))?;
    Ok(file)
}
