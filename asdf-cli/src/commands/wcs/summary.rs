//! What a world coordinate system is about.

use std::io::Write;

use asdf_core::Result;
use asdf_gwcs::{Axis, Frame, Step, Wcs};
use asdf_tables::json::{self, Printable};
use asdf_units::Unit;
use serde_json::{Value as Json, json};

use crate::context::Context;
use crate::outcome::output;
use crate::printable::line;
use crate::value_text::float;

pub(super) fn print(wcs: &Wcs, file: &str, context: &Context, out: &mut dyn Write) -> Result<()> {
    let frames: Vec<String> = wcs.steps().map(|step| line(step.frame().name())).collect();
    let world = wcs.world_frame()?;
    let reference = world.sky_reference().or(world.reference());
    let reference = reference.map(|reference| format!(", {}", line(reference.name()))).unwrap_or_default();
    let mut rows = vec![
        ("path", line(crate::place::shown(wcs.path()))),
        ("name", line(wcs.name())),
        ("frames", frames.join(" > ")),
        ("pixel", axes(wcs.pixel_axes())),
        ("world", format!("{} ({}{reference})", axes(world.axes()), world.kind()).trim_start().to_owned()),
    ];
    if let Some(shape) = wcs.pixel_shape() {
        let sizes: Vec<String> = shape.iter().map(u64::to_string).collect();
        rows.push(("pixel shape", sizes.join(" x ")));
    }
    if let Some(intervals) = wcs.bounding_box() {
        let names = super::names(wcs.pixel_axes(), intervals.len());
        let limits = names.iter().zip(intervals).map(|(name, interval)| match interval {
            Some([low, high]) => format!("{} {} to {}", line(name), float(*low), float(*high)),
            None => format!("{} without limits", line(name)),
        });
        rows.push(("bounding box", limits.collect::<Vec<_>>().join(", ")));
    }
    match wcs.forward() {
        Err(error) => {
            write(&rows, out)?;
            context.warnings.tell(error.at_file(file));
            return Ok(());
        }
        Ok(_) => {
            if let Ok(scale) = wcs.pixel_scale() {
                let sizes: Vec<String> = scale.iter().map(|size| format!("{size:.6}")).collect();
                rows.push(("pixel scale", format!("{} arcsec", sizes.join(" x "))));
            }
            let corners = wcs.footprint().unwrap_or_default();
            let texts = corners
                .iter()
                .take(16)
                .map(|corner| corner.iter().copied().map(float).collect::<Vec<_>>().join(" "));
            rows.extend(
                texts.enumerate().map(|(number, text)| (if number == 0 { "footprint" } else { "" }, text)),
            );
        }
    }
    write(&rows, out)
}

fn write(rows: &[(&str, String)], out: &mut dyn Write) -> Result<()> {
    for (name, text) in rows.iter().filter(|(_, text)| !text.is_empty()) {
        writeln!(out, "{name:<14}{text}").map_err(output)?;
    }
    Ok(())
}

/// Returns the names and units of axes, as in `ra [deg], dec [deg]`.
pub(super) fn axes(axes: &[Axis]) -> String {
    let names = super::names(axes, axes.len());
    let texts = axes.iter().zip(names).map(|(axis, name)| match *axis.unit() == Unit::one() {
        true => line(&name),
        false => format!("{} [{}]", line(&name), line(&axis.unit().to_string())),
    });
    texts.collect::<Vec<_>>().join(", ")
}

pub(super) fn json(wcs: &Wcs, file: &str, context: &Context, out: &mut dyn Write) -> Result<()> {
    let numbers = |numbers: &[f64]| numbers.iter().copied().map(json::float).collect::<Vec<Json>>();
    let footprint = wcs.forward().and_then(|_| wcs.footprint().map(Some).or(Ok(None)));
    let footprint = footprint.unwrap_or_else(|error| {
        context.warnings.tell(error.at_file(file));
        None
    });
    let intervals = wcs.bounding_box().map(|intervals| {
        intervals.iter().map(|interval| interval.map(|ends| numbers(&ends))).collect::<Vec<_>>()
    });
    let report = json!({
        "asdf_wcs": 1,
        "file": file,
        "path": wcs.path(),
        "name": wcs.name(),
        "pixel": frame_json(wcs.pixel_frame()?),
        "world": frame_json(wcs.world_frame()?),
        "pixel_shape": wcs.pixel_shape(),
        "bounding_box": intervals,
        "footprint": footprint.map(|corners| corners.iter().map(|corner| numbers(corner)).collect::<Vec<_>>()),
        "pixel_scale": wcs.pixel_scale().ok().map(|scale| numbers(&scale)),
        "steps": wcs.steps().map(step_json).collect::<Vec<_>>(),
    });
    writeln!(out, "{}", Printable(&report)).map_err(output)
}

/// Returns a frame as JSON: name, kind, reference frame and axes.
pub(super) fn frame_json(frame: &Frame) -> Json {
    let axis = |axis: &Axis| json!({"name": axis.name(), "unit": axis.unit().to_string(), "physical_type": axis.physical_type()});
    json!({
        "name": frame.name(),
        "kind": frame.kind().to_string(),
        "reference": frame.sky_reference().or(frame.reference()).map(|reference| reference.name()),
        "axes": frame.axes().iter().map(axis).collect::<Vec<_>>(),
    })
}

fn step_json(step: &Step) -> Json {
    let transform = step.transform_path().map(|path| {
        let (inputs, outputs) = step.arity().unwrap_or_default();
        let unknown = step.unknown_transforms();
        let unknown: Vec<Json> =
            unknown.iter().map(|(path, tag)| json!({"path": path, "tag": tag})).collect();
        json!({
            "path": path,
            "tag": step.transform_tag(),
            "name": step.transform_name(),
            "inputs": inputs,
            "outputs": outputs,
            "without_formula": unknown,
        })
    });
    json!({"frame": frame_json(step.frame()), "transform": transform})
}
