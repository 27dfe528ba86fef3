//! Our side of comparing world coordinates with Python's gwcs. `benches/run wcs` starts this program, requests rounds and
//! compares their times.
#![allow(clippy::print_stdout, reason = "a benchmark prints its measurements")]

use std::error::Error;

use asdf_benches::clock::Moment;
use asdf_benches::memory::Peak;
use asdf_benches::rounds;
use asdf_core::{File, Threads};
use asdf_gwcs::{Bounding, Inverse, Wcs};

const USAGE: &str = "\
wcs forward FILE PATH SIZE  rounds of the world coordinates of SIZE x SIZE pixels: CPU seconds
wcs into FILE PATH SIZE     the same, each time into the same memory
wcs inverse FILE PATH SIZE  rounds of their pixels again, by the stored inverse: CPU seconds
wcs exact FILE PATH SIZE    rounds of their pixels again, by Newton's method: CPU seconds
wcs point FILE PATH         rounds of the world coordinates of one pixel: CPU seconds
wcs footprint FILE PATH     rounds of opening the file and computing the footprint: CPU seconds
wcs memory FILE PATH SIZE   prints the bytes of SIZE x SIZE results, and the increase of memory
wcs error FILE PATH SIZE    prints the largest error of Newton's method in pixels";

/// The pixels along an edge of the image of a Roman detector.
const EDGE: f64 = 4088.0;

/// A single point takes less than the clock can measure.
const REPETITIONS: u32 = 100;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        ["forward", file, path, size] => forward(file, path, size.parse()?),
        ["into", file, path, size] => into(file, path, size.parse()?),
        ["inverse", file, path, size] => inverse(file, path, size.parse()?, Inverse::Stored),
        ["exact", file, path, size] => inverse(file, path, size.parse()?, Inverse::Exact),
        ["point", file, path] => point(file, path),
        ["footprint", file, path] => footprint(file, path),
        ["memory", file, path, size] => memory(file, path, size.parse()?),
        ["error", file, path, size] => error(file, path, size.parse()?),
        _ => Err(USAGE.into()),
    }
}

/// Opens the coordinates of a file, for one thread.
fn open(file: &str, path: &str) -> Result<Wcs> {
    Ok(Wcs::open(&File::open(file)?, path)?.threads(Threads::ONE))
}

/// The pixels of a grid over the image, as two columns.
fn pixels(size: u32) -> [Vec<f64>; 2] {
    let edge = |number: u32| f64::from(number) * EDGE / f64::from(size);
    let x = (0..size).flat_map(|_| (0..size).map(edge)).collect();
    let y = (0..size).flat_map(|row| (0..size).map(move |_| edge(row))).collect();
    [x, y]
}

fn slices(columns: &[Vec<f64>]) -> Vec<&[f64]> {
    columns.iter().map(Vec::as_slice).collect()
}

fn forward(file: &str, path: &str, size: u32) -> Result<()> {
    let (wcs, pixels) = (open(file, path)?, pixels(size));
    rounds::serve("", || {
        let begin = Moment::now();
        std::hint::black_box(wcs.pixel_to_world_columns(&slices(&pixels))?);
        Ok(vec![begin.cost().processor])
    })
}

fn into(file: &str, path: &str, size: u32) -> Result<()> {
    let (wcs, pixels) = (open(file, path)?, pixels(size));
    let mut world = wcs.pixel_to_world_columns(&slices(&pixels))?;
    let mut world: Vec<&mut [f64]> = world.iter_mut().map(Vec::as_mut_slice).collect();
    rounds::serve("", || {
        let begin = Moment::now();
        wcs.pixel_to_world_into(&slices(&pixels), &mut world)?;
        Ok(vec![begin.cost().processor])
    })
}

fn inverse(file: &str, path: &str, size: u32, inverse: Inverse) -> Result<()> {
    let wcs = open(file, path)?;
    let world = wcs.pixel_to_world_columns(&slices(&pixels(size)))?;
    let transform = wcs.inverse_with(inverse, Bounding::Corners)?;
    rounds::serve("", || {
        let begin = Moment::now();
        std::hint::black_box(transform.columns(&slices(&world))?);
        Ok(vec![begin.cost().processor])
    })
}

fn point(file: &str, path: &str) -> Result<()> {
    let wcs = open(file, path)?;
    rounds::serve("", || {
        let begin = Moment::now();
        for _ in 0..REPETITIONS {
            std::hint::black_box(wcs.pixel_to_world(std::hint::black_box(&[2000.0, 1000.0]))?);
        }
        Ok(vec![begin.cost().processor / REPETITIONS])
    })
}

fn footprint(file: &str, path: &str) -> Result<()> {
    rounds::serve("", || {
        let begin = Moment::now();
        std::hint::black_box(open(file, path)?.footprint()?);
        Ok(vec![begin.cost().processor])
    })
}

fn memory(file: &str, path: &str, size: u32) -> Result<()> {
    let (wcs, pixels) = (open(file, path)?, pixels(size));
    wcs.pixel_to_world(&[0.0, 0.0])?;
    let (world, peak) = Peak::during(|| wcs.pixel_to_world_columns(&slices(&pixels)));
    let bytes: usize = world?.iter().map(|column| column.len() * size_of::<f64>()).sum();
    println!("{bytes} {}", peak.rise());
    Ok(())
}

fn error(file: &str, path: &str, size: u32) -> Result<()> {
    let (wcs, pixels) = (open(file, path)?, pixels(size));
    let world = wcs.pixel_to_world_columns(&slices(&pixels))?;
    let found = wcs.inverse_with(Inverse::Exact, Bounding::Exact)?.columns(&slices(&world))?;
    let mut worst = 0.0_f64;
    for (found, expected) in found.iter().flatten().zip(pixels.iter().flatten()) {
        if !found.is_finite() {
            return Err(format!("no pixel was found for {expected}").into());
        }
        worst = worst.max((found - expected).abs());
    }
    println!("{worst:e}");
    Ok(())
}
