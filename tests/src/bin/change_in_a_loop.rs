//! Changes a file repeatedly until it is killed: `change_in_a_loop WAY PATH`. WAY is `write`, `update`, `in_place` or
//! `append`.

use asdf_core::file::{StreamOptions, StreamWriter, UpdateOptions};
use asdf_core::{Datatype, Error, File, NdArray, Result};

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let (Some(way), Some(path)) = (arguments.next(), arguments.next()) else {
        return Err(Error::usage("change_in_a_loop WAY PATH"));
    };
    if way == "append" {
        return append(&path);
    }
    if !std::path::Path::new(&path).exists() {
        changed(File::new(), 0)?.write(&path)?;
    }
    loop {
        let file = File::open(&path)?;
        let round: i32 = file.get("/round")?;
        let mut file = changed(file, round + 1)?;
        match way.as_str() {
            "write" => file.write(&path)?,
            "update" => file.update()?,
            _ => UpdateOptions::new().in_place(true).update(&mut file)?,
        }
    }
}

/// Sets every element of every array to the number of the round.
fn changed(mut file: File, round: i32) -> Result<File> {
    file.set("/round", &round)?;
    for name in ["/a", "/b", "/c"] {
        let len = 20_000 + u64::from(round.unsigned_abs() % 5) * 7_000;
        let values: Vec<i32> = (0..len).map(|_| round).collect();
        file.set(name, &NdArray::new(&[len], &values)?)?;
    }
    Ok(file)
}

/// Appends rows. Row `n` holds `n` a thousand times.
fn append(path: &str) -> Result<()> {
    if !std::path::Path::new(path).exists() {
        StreamOptions::new().create(path, &File::new(), "/rows", Datatype::Uint64, &[1000])?.finish()?;
    }
    loop {
        let mut stream = StreamWriter::append(path)?;
        for _ in 0..10 {
            let row = vec![stream.rows(); 1000];
            stream.push(&row)?;
            stream.flush()?;
        }
        stream.finish()?;
    }
}
