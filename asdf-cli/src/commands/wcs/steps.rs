//! The steps of a world coordinate system, for people to read.

use std::io::Write;

use asdf_core::Result;
use asdf_gwcs::{Frame, Step, Wcs};

use super::summary::axes;
use crate::colour::Colours;
use crate::outcome::output;
use crate::printable::line;

pub(super) fn print(wcs: &Wcs, colours: Colours, out: &mut dyn Write) -> Result<()> {
    for step in wcs.steps() {
        frame(step.frame(), colours, out)?;
        transform(step, colours, out)?;
    }
    Ok(())
}

fn frame(frame: &Frame, colours: Colours, out: &mut dyn Write) -> Result<()> {
    let axes = axes(frame.axes());
    let separator = if axes.is_empty() { "" } else { ": " };
    let reference = frame.reference().map(|reference| format!(", {}", line(reference.name()))).unwrap_or_default();
    let name = colours.bold(line(frame.name()));
    writeln!(out, "{name}{separator}{axes} ({}{reference})", frame.kind()).map_err(output)?;
    for part in frame.parts() {
        let reference = part.reference().map(|reference| format!(", {}", line(reference.name()))).unwrap_or_default();
        writeln!(out, "  part {} ({}{reference})", line(part.name()), part.kind()).map_err(output)?;
    }
    Ok(())
}

fn transform(step: &Step, colours: Colours, out: &mut dyn Write) -> Result<()> {
    let (Some(tag), Some((inputs, outputs))) = (step.transform_tag(), step.arity()) else { return Ok(()) };
    let name = step.transform_name().map(|name| format!(" '{}'", line(name))).unwrap_or_default();
    let short = tag.rsplit(['/', ':']).next().unwrap_or(tag);
    writeln!(out, "  {}{name}: {inputs} to {outputs}", line(short)).map_err(output)?;
    for (path, tag) in step.unknown_transforms() {
        let message = colours.yellow("no formula for");
        writeln!(out, "  {message} {}: {}", line(path), line(tag)).map_err(output)?;
    }
    Ok(())
}
