//! Opens files with the crate `asdf-rs`, for comparison.
//!
//! `asdf-rs-peer open FILE` serves rounds as described in `benches/src/rounds.rs`. `asdf-rs-peer open-once FILE`
//! opens a file once. `asdf-rs-peer arrays FILE` serves rounds of reading all arrays and summing them.

use std::error::Error;
use std::io::BufRead;
use std::time::{Duration, Instant};

use asdf::AsdfFile;
use rustix::time::{ClockId, clock_gettime};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, command, path] = arguments.as_slice() else { return Err("expected: open|open-once|arrays FILE".into()) };
    if command == "arrays" {
        return arrays(path);
    }
    let found = entries(path)?;
    if command == "open-once" {
        println!("{found}");
        return Ok(());
    }
    println!("ready {found} entries");
    for line in std::io::stdin().lock().lines() {
        line?;
        let (wall, begin) = (Instant::now(), processor()?);
        let file = AsdfFile::open(path)?;
        let tree = file.tree()?.ok_or("the file has no tree")?;
        std::hint::black_box(tree.root());
        let (used, passed) = (processor()? - begin, wall.elapsed());
        println!("{:.9} {:.9}", used.as_secs_f64(), passed.as_secs_f64());
    }
    Ok(())
}

fn arrays(path: &str) -> Result<(), Box<dyn Error>> {
    println!("ready {:.0}", sum(path)?);
    for line in std::io::stdin().lock().lines() {
        line?;
        let (wall, begin) = (Instant::now(), processor()?);
        std::hint::black_box(sum(path)?);
        let (used, passed) = (processor()? - begin, wall.elapsed());
        println!("{:.9} {:.9}", used.as_secs_f64(), passed.as_secs_f64());
    }
    Ok(())
}

fn sum(path: &str) -> Result<f64, Box<dyn Error>> {
    let file = AsdfFile::open(path)?;
    let tree = file.tree()?.ok_or("the file has no tree")?;
    let mut sum = 0.0;
    let root = tree.root().ok_or("the tree is empty")?;
    for (_, value) in root.entries() {
        if let Some(array) = value.as_ndarray() {
            sum += file.read_array_f64(&array)?.iter().sum::<f64>();
        }
    }
    Ok(sum)
}

fn entries(path: &str) -> Result<usize, Box<dyn Error>> {
    let tree = AsdfFile::open(path)?.tree()?.ok_or("the file has no tree")?;
    Ok(tree.root().map_or(0, |root| root.entries().count()))
}

fn processor() -> Result<Duration, Box<dyn Error>> {
    Ok(Duration::try_from(clock_gettime(ClockId::ThreadCPUTime))?)
}
