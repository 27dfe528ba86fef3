//! Writes rows as JSON: one array of objects, or one object per line.

use std::io::Write;

use asdf_core::{Datatype, Error, NdArray, Result};

use super::cells::{Cell, json, rows};
use super::output;
use crate::Columns;
use crate::json::{Printable, nested};

/// Writes a table as one object for each row. The keys are the names of the columns.
pub(super) fn table(columns: &Columns, lines: bool, out: &mut dyn Write) -> Result<()> {
    let mut list = List::begin(lines, out)?;
    rows(columns, |cells| {
        // Build the object as text, because a JSON map would not keep the order of the columns.
        let pair = |cell: &Cell<'_>| {
            format!("{}:{}", Printable(&cell.column.name.as_str().into()), Printable(&cell.json()))
        };
        let row: Vec<String> = cells.iter().map(pair).collect();
        list.add(&format!("{{{}}}", row.join(",")))
    })?;
    list.end()
}

/// Writes an array as one element, or nested lists of elements, for each entry of the first axis.
pub(super) fn array(array: &NdArray, lines: bool, out: &mut dyn Write) -> Result<()> {
    if let Datatype::Struct(_) = array.datatype() {
        return Err(Error::unsupported("a record without axes has no rows"));
    }
    let datatype = array.datatype();
    let Some((&first, rest)) = array.shape().split_first() else {
        let value = array.elements()?.next().map(|value| json(&value, datatype)).unwrap_or_default();
        return writeln!(out, "{}", Printable(&value)).map_err(output);
    };
    const PIECE: u64 = 1 << 16;
    let width: u64 = rest.iter().product();
    let mut list = List::begin(lines, out)?;
    if first > 0 {
        for piece in array.rows((PIECE / width.max(1)).max(1))? {
            let piece = piece?;
            let mut values = piece.elements()?.map(|value| json(&value, datatype));
            for _ in 0..piece.shape().first().copied().unwrap_or(0) {
                list.add(&Printable(&nested(&mut values, rest)).to_string())?;
            }
        }
    }
    list.end()
}

/// A list that is written with one value per line.
struct List<'o> {
    lines: bool,
    out: &'o mut dyn Write,
    any: bool,
}

impl<'o> List<'o> {
    fn begin(lines: bool, out: &'o mut dyn Write) -> Result<Self> {
        if !lines {
            out.write_all(b"[").map_err(output)?;
        }
        Ok(Self { lines, out, any: false })
    }

    fn add(&mut self, value: &str) -> Result<()> {
        let before = match (self.lines, self.any) {
            (true, _) => "",
            (false, false) => "\n",
            (false, true) => ",\n",
        };
        self.any = true;
        let after = if self.lines { "\n" } else { "" };
        write!(self.out, "{before}{value}{after}").map_err(output)
    }

    fn end(self) -> Result<()> {
        match self.lines {
            true => Ok(()),
            false => self.out.write_all(if self.any { b"\n]\n" } else { b"]\n" }).map_err(output),
        }
    }
}
