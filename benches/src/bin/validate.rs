//! Our side of the part `validate`. `benches/run` starts this program, requests rounds and compares their times.
#![allow(clippy::print_stdout, reason = "a benchmark prints its measurements")]

use std::error::Error;
use std::path::Path;

use asdf_benches::clock::Moment;
use asdf_benches::memory::Peak;
use asdf_benches::shapes::named;
use asdf_benches::{files, rounds};
use asdf_core::{File, yaml};
use asdf_schemas::{Registry, Report, Validator};

const USAGE: &str = "\
validate file PATH           rounds of opening a file and validating, in this order: nothing; its tree; also arrays against
                             their block headers; also all blocks. CPU time and wall time of each
validate tree SHAPE BYTES    rounds of validating a parsed tree: CPU time and wall time
validate memory PATH         size of the tree, and peak memory of opening and validating the file, in bytes
validate folder PATH COUNT   writes COUNT small files";

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        ["file", path] => file_rounds(Path::new(path)),
        ["tree", shape, bytes] => tree_rounds(shape, bytes.parse()?),
        ["memory", path] => {
            let validator = Validator::standard();
            let (file, peak) = Peak::during(|| {
                let file = File::open(path)?;
                valid(&validator.validate_file(&file)).map(|()| file)
            });
            println!("{} {}", file?.tree().text().len(), peak.rise());
            Ok(())
        }
        ["folder", path, count] => Ok(files::small_files(count.parse()?, Path::new(path))?),
        _ => Err(USAGE.into()),
    }
}

/// Returns an error unless the file is valid, since only the validation of valid files is measured.
fn valid(report: &Report) -> Result<()> {
    match report.findings().next() {
        None => Ok(()),
        Some(finding) => Err(finding.to_string().into()),
    }
}

fn file_rounds(path: &Path) -> Result<()> {
    let arrays = Validator::new(Registry::standard()).without_blocks();
    let all = Validator::standard();
    // `way` selects how much of the file is validated.
    let report = |file: &File, way| match way {
        0 => None,
        1 => Some(all.validate_tree(file.tree())),
        2 => Some(arrays.validate_file(file)),
        _ => Some(all.validate_file(file)),
    };
    let entries = File::open(path)?.tree().root().map_or(0, |root| root.entries().count());
    rounds::serve(&format!("{entries} entries"), || -> Result<_> {
        let mut costs = Vec::new();
        for way in 0..4 {
            let begin = Moment::now();
            let file = File::open(path)?;
            let report = report(&file, way);
            let cost = begin.cost();
            report.as_ref().map_or(Ok(()), valid)?;
            costs.extend([cost.processor, cost.wall]);
        }
        Ok(costs)
    })
}

fn tree_rounds(shape: &str, bytes: usize) -> Result<()> {
    let shape = named(shape).ok_or_else(|| format!("unknown shape {shape:?}"))?;
    let tree = yaml::parse(&(shape.text)(bytes))?;
    let validator = Validator::standard();
    rounds::serve(&format!("{} nodes", tree.len()), || -> Result<_> {
        let begin = Moment::now();
        let report = validator.validate_tree(&tree);
        let cost = begin.cost();
        valid(&report)?;
        Ok(vec![cost.processor, cost.wall])
    })
}
