//! Writes, validates and reads a file with a type of our own, a generated type and an array.
//!
//! `cargo run -p asdf-schemas --example tour` writes `target/tour.asdf`.

#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use std::sync::Arc;

use asdf_core::value::{Extra, Timestamp};
use asdf_core::{Asdf, Compression, File, NdArray};
use asdf_schemas::unit::{Quantity, QuantityValue, Unit};
use asdf_schemas::{Registry, Validator};

/// One exposure of a camera: a tagged type of our own.
#[derive(Debug, Clone, PartialEq, Asdf)]
#[asdf(tag = "asdf://example.org/camera/tags/exposure-1.0.0")]
struct Exposure {
    start: Timestamp,
    /// A generated type: the standard's `unit/quantity-1.3.0`.
    duration: Quantity,
    filter: Option<Filter>,
    #[asdf(rename = "n_reads", default = 1_u32)]
    reads: u32,
    image: NdArray,
    /// Properties of other programs, which are kept.
    #[asdf(extra)]
    extra: Extra,
}

/// An enumeration of strings.
#[derive(Debug, Clone, Copy, PartialEq, Asdf)]
enum Filter {
    #[asdf(rename = "F106")]
    Y,
    #[asdf(rename = "F158")]
    H,
}

/// The schema of `Exposure`, which Python can use too.
const SCHEMA: &str = "%YAML 1.1
---
$schema: http://stsci.edu/schemas/yaml-schema/draft-01
id: asdf://example.org/camera/schemas/exposure-1.0.0
title: One exposure of a camera.
type: object
properties:
  start: {type: string, format: date-time}
  duration: {tag: 'tag:stsci.edu:asdf/unit/quantity-1.*'}
  filter: {type: string, enum: [F106, F158]}
  n_reads: {type: integer, minimum: 1}
  image: {tag: 'tag:stsci.edu:asdf/core/ndarray-1.*', ndim: 2, datatype: float32}
required: [start, duration, image]
...
";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Make a value.
    let exposure = Exposure {
        start: Timestamp::new("2026-11-20 03:14:15")?,
        duration: Quantity::new(QuantityValue::Number(139.8.into()), Unit::new("s")?),
        filter: Some(Filter::H),
        reads: 4,
        image: NdArray::new(&[2, 3], &[0.5_f32, 1.0, 1.5, 2.0, 2.5, 3.0])?
            .with_compression(Compression::LZ4)?,
        extra: Extra::new(),
    };

    // Write it.
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../target");
    std::fs::create_dir_all(&folder)?;
    let path = folder.join("tour.asdf");
    let mut file = File::new();
    file.set("/exposure", &exposure)?;
    file.write(&path)?;

    // Validate it against the schemas of the standard and our own.
    let mut registry = Registry::new();
    registry.add_schema(SCHEMA)?;
    registry.add_tag(
        "asdf://example.org/camera/tags/exposure-1.0.0",
        "asdf://example.org/camera/schemas/exposure-1.0.0",
    );
    let validator = Validator::new(Arc::new(registry));
    let mut file = File::open(&path)?;
    let report = validator.validate_file(&file);
    for violation in report.violations() {
        println!("{}:{violation}", path.display());
    }
    assert!(report.is_valid(), "what we write is valid");

    // Read it back, as a value or piece by piece.
    let back: Exposure = file.get("/exposure")?;
    assert_eq!(back, exposure);
    let pixels = file.array("/exposure/image")?.view::<f32>()?;
    println!("{} tagged nodes are valid.", report.validated());
    println!("{:?} pixels, the last is {:?}", pixels.shape(), pixels.get(&[1, 2]));
    println!("{} reads of {:?} through {:?}", back.reads, back.duration.value, back.filter);

    // A violation has the place of the wrong value.
    file.set("/exposure/n_reads", &0)?;
    file.set("/exposure/filter", "F999")?;
    let wrong = File::from_bytes(file.to_bytes()?)?;
    println!("\nWith two wrong values the validator says:");
    for violation in validator.validate_file(&wrong).violations() {
        println!("  {violation}");
    }

    println!("\n{}:", path.canonicalize().as_ref().unwrap_or(&path).display());
    for line in File::open(&path)?.tree().text().lines() {
        println!("  {line}");
    }
    Ok(())
}
