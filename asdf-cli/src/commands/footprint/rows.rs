//! Printing outlines.

use std::ffi::OsString;
use std::io::{IsTerminal as _, Result, Write};

use asdf_gwcs::Outline;
use asdf_tables::json::{self, Printable};
use asdf_tables::safe_cell;
use serde_json::{Value as Json, json};

use super::Format;
use crate::printable::{document, line, name};
use crate::value_text::float;

/// The outline of an image.
pub(super) struct Row {
    pub(super) file: OsString,
    pub(super) path: String,
    pub(super) outline: Outline,
    /// The size of a pixel in arcseconds.
    pub(super) pixel_scale: f64,
    pub(super) s_region: Option<String>,
    /// How far the corners are from those of `s_region`, in pixels.
    pub(super) difference: Option<f64>,
}

/// Prints rows in a format.
pub(super) struct Rows<'a> {
    format: Format,
    safe: bool,
    many: bool,
    per_edge: u32,
    any: bool,
    out: &'a mut dyn Write,
}

impl<'a> Rows<'a> {
    pub(super) fn new(format: Format, safe: bool, many: bool, per_edge: u32, out: &'a mut dyn Write) -> Self {
        Self { format, safe, many, per_edge, any: false, out }
    }

    pub(super) fn begin(&mut self) -> Result<()> {
        match self.format {
            Format::Ds9 => writeln!(self.out, "# Region file format: DS9 version 4.1"),
            Format::Geojson => write!(self.out, r#"{{"type":"FeatureCollection","features":["#),
            Format::Csv => {
                let vertices = (1..=4 * self.per_edge).flat_map(|number| [format!("lon{number}"), format!("lat{number}")]);
                let names = ["file", "path", "frame"].map(str::to_owned).into_iter().chain(vertices);
                let last = ["pixel_scale", "s_region", "difference"].map(str::to_owned);
                let header: Vec<Vec<u8>> = names.chain(last).map(String::into_bytes).collect();
                self.csv(&header)
            }
            Format::Stcs | Format::Json => Ok(()),
        }
    }

    pub(super) fn end(&mut self) -> Result<()> {
        match self.format {
            Format::Geojson => writeln!(self.out, "{}]}}", if self.any { "\n" } else { "" }),
            _ => Ok(()),
        }
    }

    pub(super) fn add(&mut self, row: &Row) -> Result<()> {
        let first = !std::mem::replace(&mut self.any, true);
        match self.format {
            Format::Stcs => {
                if self.many {
                    self.out.write_all(&name(&row.file))?;
                    write!(self.out, ": ")?;
                }
                writeln!(self.out, "{}", row.outline.to_stcs())
            }
            Format::Ds9 => {
                let text = line(&row.file.to_string_lossy()).replace(['{', '}'], "_");
                writeln!(self.out, "{} # text={{{text}}}", row.outline.to_ds9())
            }
            Format::Geojson => {
                let geometry: Json = serde_json::from_str(&row.outline.to_geojson()).unwrap_or(Json::Null);
                let feature = json!({"type": "Feature", "geometry": geometry, "properties": properties(row)});
                write!(self.out, "{}{}", if first { "\n" } else { ",\n" }, Printable(&feature))
            }
            Format::Json => {
                let vertices: Vec<Json> =
                    row.outline.vertices().iter().map(|vertex| vertex.map(json::float).to_vec().into()).collect();
                let mut report = properties(row);
                if let Some(report) = report.as_object_mut() {
                    report.insert("asdf_footprint".to_owned(), 1.into());
                    report.insert("vertices".to_owned(), vertices.into());
                }
                writeln!(self.out, "{}", Printable(&report))
            }
            Format::Csv => {
                let mut cells = vec![self.file(row), self.cell(&row.path), self.cell(row.outline.frame())];
                cells.extend(row.outline.vertices().iter().flatten().map(|number| float(*number).into_bytes()));
                cells.push(float(row.pixel_scale).into_bytes());
                cells.push(self.cell(row.s_region.as_deref().unwrap_or_default()));
                cells.push(row.difference.map(float).unwrap_or_default().into_bytes());
                self.csv(&cells)
            }
        }
    }

    fn cell(&self, text: &str) -> Vec<u8> {
        match self.safe {
            true => document(&safe_cell(text)).into_owned().into_bytes(),
            false => document(text).into_owned().into_bytes(),
        }
    }

    /// Returns the name of a file. CSV for programs has the exact bytes that the system uses.
    fn file(&self, row: &Row) -> Vec<u8> {
        match row.file.to_str() {
            Some(text) => self.cell(text),
            None if std::io::stdout().is_terminal() => name(&row.file),
            None => row.file.as_encoded_bytes().to_vec(),
        }
    }

    fn csv(&mut self, cells: &[Vec<u8>]) -> Result<()> {
        let mut writer = csv::Writer::from_writer(&mut *self.out);
        writer.write_record(cells)?;
        writer.flush()
    }
}

fn properties(row: &Row) -> Json {
    json!({
        "file": row.file.to_string_lossy(),
        "path": row.path,
        "frame": row.outline.frame(),
        "pixel_scale": json::float(row.pixel_scale),
        "s_region": row.s_region,
        "difference": row.difference.map(json::float),
    })
}
