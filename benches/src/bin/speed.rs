//! Our side of most comparisons. `benches/run` starts this program, requests rounds and compares their times.
#![allow(clippy::print_stdout, reason = "a benchmark prints its measurements")]

use std::error::Error;
use std::path::Path;
use std::sync::Arc;

use asdf_benches::clock::Moment;
use asdf_benches::memory::Peak;
use asdf_benches::shapes::{SHAPES, Shape, named};
use asdf_benches::{files, rounds};
use asdf_core::File;
use asdf_core::yaml::{EmitOptions, ParseOptions, emit, parse_with};

const USAGE: &str = "\
speed shapes                      prints the names of all shapes
speed text SHAPE BYTES            prints a text
speed parse SHAPE BYTES [TIMES]   rounds of parsing a text: CPU time, wall time, and CPU time including dropping
                                  the tree
speed emit SHAPE BYTES [TIMES]    rounds of writing its tree: CPU time and wall time
speed memory SHAPE BYTES          size of the text, and peak memory of parsing without the text, in bytes
speed file PATH COUNT             writes a file of COUNT arrays
speed open PATH                   rounds of opening a file: CPU time and wall time
speed open-once PATH              opens a file once
speed open-memory PATH            size of the tree, and peak memory of opening the file, in bytes";

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        ["shapes"] => {
            SHAPES.iter().for_each(|shape| println!("{}", shape.name));
            Ok(())
        }
        ["text", shape, bytes] => {
            print!("{}", (a_shape(shape)?.text)(bytes.parse()?));
            Ok(())
        }
        ["parse", shape, bytes] => parse_rounds(a_shape(shape)?, bytes.parse()?, 1),
        ["parse", shape, bytes, times] => parse_rounds(a_shape(shape)?, bytes.parse()?, times.parse()?),
        ["emit", shape, bytes] => emit_rounds(a_shape(shape)?, bytes.parse()?, 1),
        ["emit", shape, bytes, times] => emit_rounds(a_shape(shape)?, bytes.parse()?, times.parse()?),
        ["memory", shape, bytes] => memory(a_shape(shape)?, bytes.parse()?),
        ["file", path, count] => Ok(files::many_arrays(count.parse()?, Path::new(path))?),
        ["open", path] => open_rounds(Path::new(path)),
        ["open-once", path] => {
            println!("{}", entries(&File::open(path)?));
            Ok(())
        }
        ["open-memory", path] => {
            let (file, peak) = Peak::during(|| File::open(path));
            println!("{} {}", file?.tree().text().len(), peak.rise());
            Ok(())
        }
        _ => Err(USAGE.into()),
    }
}

fn a_shape(name: &str) -> Result<Shape> {
    named(name).ok_or_else(|| format!("unknown shape {name:?}").into())
}

fn options(shape: Shape) -> ParseOptions {
    let options = ParseOptions::new();
    shape.depth.map_or(options, |depth| options.max_depth(depth))
}

fn parse_rounds(shape: Shape, bytes: usize, times: u32) -> Result<()> {
    let text: Arc<str> = (shape.text)(bytes).into();
    let nodes = parse_with(text.clone(), options(shape))?.len();
    rounds::serve(&format!("{} bytes {nodes} nodes", text.len()), || {
        if times == 1 {
            let begin = Moment::now();
            let tree = parse_with(text.clone(), options(shape))?;
            let finished = begin.cost();
            drop(tree);
            return Ok(vec![finished.processor, finished.wall, begin.cost().processor]);
        }
        let begin = Moment::now();
        for _ in 0..times {
            std::hint::black_box(parse_with(text.clone(), options(shape))?);
        }
        let cost = begin.cost();
        Ok(vec![cost.processor / times, cost.wall / times, cost.processor / times])
    })
}

fn emit_rounds(shape: Shape, bytes: usize, times: u32) -> Result<()> {
    let text: Arc<str> = (shape.text)(bytes).into();
    let tree = parse_with(text.clone(), options(shape))?;
    let written = emit(&tree, EmitOptions::default())?.len();
    rounds::serve(&format!("{} bytes {written} written", text.len()), || {
        let begin = Moment::now();
        for _ in 1..times {
            std::hint::black_box(emit(&tree, EmitOptions::default())?);
        }
        let written = emit(&tree, EmitOptions::default())?;
        let cost = begin.cost();
        drop(written);
        Ok(vec![cost.processor / times, cost.wall / times])
    })
}

fn memory(shape: Shape, bytes: usize) -> Result<()> {
    let text: Arc<str> = (shape.text)(bytes).into();
    let (tree, peak) = Peak::during(|| parse_with(text.clone(), options(shape)));
    tree?;
    println!("{} {}", text.len(), peak.rise());
    Ok(())
}

fn open_rounds(path: &Path) -> Result<()> {
    let found = entries(&File::open(path)?);
    rounds::serve(&format!("{found} entries"), || {
        let begin = Moment::now();
        let file = File::open(path)?;
        std::hint::black_box(file.tree().root());
        let cost = begin.cost();
        drop(file);
        Ok(vec![cost.processor, cost.wall])
    })
}

fn entries(file: &File) -> usize {
    file.tree().root().map_or(0, |root| root.entries().count())
}
