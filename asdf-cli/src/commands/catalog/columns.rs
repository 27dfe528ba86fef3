//! Shows the columns of a catalogue.

use std::io::{Result, Write};

use asdf_tables::catalog::{Layout, LeftOut};

use crate::printable::line;

/// The columns of options, and the values of schemas that have none.
pub(super) type Named = (Layout, Vec<LeftOut>);

/// Prints a line for each column, and for each value without one.
pub(super) fn show(layout: &Layout, left_out: &[LeftOut], out: &mut dyn Write) -> Result<()> {
    for field in layout.fields() {
        let kind = field.kind().map_or_else(|| "by the first values".to_owned(), ToString::to_string);
        write!(out, "{}: {}", line(field.name()), line(&kind))?;
        if let Some(unit) = field.metadata().get("unit") {
            write!(out, " in {}", line(unit))?;
        }
        if !field.paths().is_empty() {
            write!(out, ", from {}", line(&field.paths().join(" or ")))?;
        }
        match field.metadata().get("title").or_else(|| field.metadata().get("description")) {
            Some(title) => writeln!(out, "  # {}", line(title))?,
            None => writeln!(out)?,
        }
    }
    for left in left_out {
        writeln!(out, "left out: {} at {}: {}", line(&left.column), line(&left.path), line(&left.reason))?;
    }
    Ok(())
}
