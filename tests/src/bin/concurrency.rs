//! Updates a file from several processes while others read it: `concurrency WAY READS`. WAY is `copy`, `in_place` or
//! `mixed`.
//!
//! Each writer counts its updates in the file, and each update changes the tree at its beginning and at its end. A read
//! is wrong if it is a mixture of two updates, if it lacks an update that was complete before, or if it is older than an
//! earlier read of any process. An update is lost if its writer does not find it again. The program prints the numbers
//! and fails if anything is wrong.
//!
//! The long run: `cargo run --release -p asdf-tests --bin concurrency -- mixed 10000`.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program that reports what it found")]

use std::io::{Seek as _, Write as _};
use std::path::PathBuf;
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use asdf_core::error::Kind;
use asdf_core::file::UpdateOptions;
use asdf_core::{Error, File, Result};

const WRITERS: usize = 2;
const READERS: usize = 4;
const USAGE: &str = "concurrency copy|in_place|mixed READS";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match arguments.as_slice() {
        ["writer", way, number, folder] => number
            .parse()
            .map_err(|error| Error::usage(USAGE).with_source(error))
            .and_then(|number| write(way, number, &Folder(folder.into()))),
        ["reader", number, reads, folder] => match (number.parse(), reads.parse()) {
            (Ok(number), Ok(reads)) => read(number, reads, &Folder(folder.into())),
            _ => Err(Error::usage(USAGE)),
        },
        [way @ ("copy" | "in_place" | "mixed"), reads] => reads
            .parse()
            .map_err(|error| Error::usage(USAGE).with_source(error))
            .and_then(|reads| try_out(way, reads)),
        _ => Err(Error::usage(USAGE)),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// The folder of the file and of the notes of all processes.
struct Folder(PathBuf);

impl Folder {
    fn file(&self) -> PathBuf {
        self.0.join("file.asdf")
    }

    fn stop(&self) -> PathBuf {
        self.0.join("stop")
    }

    /// A number that one process notes for the others.
    fn note(&self, role: &str, number: usize) -> PathBuf {
        self.0.join(format!("{role}-{number}"))
    }

    fn noted(&self, role: &str, number: usize) -> Result<u64> {
        let path = self.note(role, number);
        let bytes = std::fs::read(&path).map_err(|error| Error::io("reading", error).at_file(&path))?;
        Ok(bytes.first_chunk().map_or(0, |bytes| u64::from_be_bytes(*bytes)))
    }
}

/// A number that others read while it is changed. It is written in one call.
struct Note(std::fs::File);

impl Note {
    fn new(folder: &Folder, role: &str, number: usize) -> Result<Self> {
        let file = std::fs::File::options().write(true).open(folder.note(role, number));
        file.map(Self).map_err(|error| Error::io("opening a note", error))
    }

    fn set(&mut self, value: u64) -> Result<()> {
        self.0
            .rewind()
            .and_then(|()| self.0.write_all(&value.to_be_bytes()))
            .map_err(|error| Error::io("writing a note", error))
    }
}

/// Runs all processes and checks the file in the end.
fn try_out(way: &str, reads: u64) -> Result<()> {
    let io = |error| Error::io("preparing the run", error);
    let folder = Folder(std::env::temp_dir().join(format!("asdf-concurrency-{way}-{}", std::process::id())));
    std::fs::create_dir_all(&folder.0).map_err(io)?;
    let mut file = File::new();
    file.set("/first", &0)?;
    // Large, so that reads and writes take several calls.
    file.set("/filler", &"0123456789".repeat(60_000))?;
    file.set("/updates", &vec![0_u64; WRITERS])?;
    file.set("/last", &0)?;
    file.write(folder.file())?;
    for (role, count) in [("writer", WRITERS), ("reader", READERS)] {
        for number in 0..count {
            std::fs::write(folder.note(role, number), 0_u64.to_be_bytes()).map_err(io)?;
        }
    }
    let begin = Instant::now();
    let place = folder.0.to_string_lossy().into_owned();
    let writers: Vec<Child> = (0..WRITERS)
        .map(|number| start(&["writer", way_of(way, number), &number.to_string(), &place]))
        .collect::<Result<_>>()?;
    let each = reads.div_ceil(READERS as u64).to_string();
    let readers: Vec<Child> = (0..READERS)
        .map(|number| start(&["reader", &number.to_string(), &each, &place]))
        .collect::<Result<_>>()?;
    let mut wrong = 0;
    for reader in readers {
        wrong += u32::from(!end(reader)?);
    }
    std::fs::write(folder.stop(), "").map_err(io)?;
    for writer in writers {
        wrong += u32::from(!end(writer)?);
    }
    let found = State::read(&folder)?;
    for (number, updates) in found.updates.iter().enumerate() {
        let noted = folder.noted("writer", number)?;
        if *updates != noted {
            println!("writer {number}: found {updates} updates, expected {noted}");
            wrong += 1;
        }
    }
    println!("{way}: {} updates in {:.1} s", found.first, begin.elapsed().as_secs_f64());
    let left: Vec<_> = std::fs::read_dir(&folder.0)
        .map_err(io)?
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| name.starts_with('.'))
        .collect();
    if !left.is_empty() {
        println!("left over: {left:?}");
        wrong += 1;
    }
    std::fs::remove_dir_all(&folder.0).map_err(io)?;
    if wrong > 0 { Err(Error::usage(format!("{wrong} of the checks failed"))) } else { Ok(()) }
}

fn way_of(way: &str, number: usize) -> &str {
    match way {
        "mixed" if number % 2 == 0 => "copy",
        "mixed" => "in_place",
        way => way,
    }
}

fn start(arguments: &[&str]) -> Result<Child> {
    std::env::current_exe()
        .and_then(|program| Command::new(program).args(arguments).stdout(Stdio::piped()).spawn())
        .map_err(|error| Error::io("starting a process", error))
}

/// Waits for a process and prints what it says.
fn end(process: Child) -> Result<bool> {
    let output = process.wait_with_output().map_err(|error| Error::io("waiting for a process", error))?;
    print!("{}", String::from_utf8_lossy(&output.stdout));
    Ok(output.status.success())
}

/// Updates the file until the reads are done.
fn write(way: &str, number: usize, folder: &Folder) -> Result<()> {
    let mut note = Note::new(folder, "writer", number)?;
    let options = UpdateOptions::new().in_place(way == "in_place");
    let (mut updates, mut refused) = (0_u64, 0_u64);
    while !folder.stop().exists() {
        let mut file = File::open(folder.file())?;
        let found = State::of(&file)?;
        let own = found.updates.get(number).copied().unwrap_or_default();
        if own != updates {
            return Err(Error::usage(format!("writer {number}: found {own} updates, expected {updates}")));
        }
        file.set("/first", &(found.first + 1))?;
        file.set(&format!("/updates/{number}"), &(own + 1))?;
        file.set("/last", &(found.first + 1))?;
        match options.update(&mut file) {
            Ok(()) => {
                updates += 1;
                note.set(updates)?;
            }
            // Another writer was faster.
            Err(error) if error.kind() == Kind::Usage => {
                refused += 1;
                std::thread::sleep(Duration::from_millis(1 + refused % 3));
            }
            Err(error) => return Err(error),
        }
    }
    println!("writer {number}, {way}: {updates} updates, {refused} refused and repeated");
    Ok(())
}

/// Reads the file and compares it with what others have written and read before.
fn read(number: usize, reads: u64, folder: &Folder) -> Result<()> {
    let mut note = Note::new(folder, "reader", number)?;
    let (mut failed, mut mixed, mut old, mut states) = (0, 0, 0, 0);
    let mut last = 0;
    for _ in 0..reads {
        let written: Vec<u64> = (0..WRITERS).map(|n| folder.noted("writer", n)).collect::<Result<_>>()?;
        let mut floor = 0;
        for reader in 0..READERS {
            floor = floor.max(folder.noted("reader", reader)?);
        }
        match State::read(folder) {
            Err(error) => {
                eprintln!("reader {number}: {error}");
                failed += 1;
            }
            Ok(found) => {
                let whole = found.first == found.last && found.first == found.updates.iter().sum::<u64>();
                let lacks = found.updates.iter().zip(&written).any(|(found, written)| found < written);
                mixed += u64::from(!whole);
                old += u64::from(found.first < floor || lacks);
                states += u64::from(found.first != last);
                last = found.first;
                note.set(last.max(floor))?;
            }
        }
    }
    println!(
        "reader {number}: {reads} reads of {states} states, {failed} failed, {mixed} mixed, {old} older than one before"
    );
    if failed + mixed + old > 0 { Err(Error::usage("wrong reads")) } else { Ok(()) }
}

/// The numbers in the file.
struct State {
    first: u64,
    updates: Vec<u64>,
    last: u64,
}

impl State {
    fn read(folder: &Folder) -> Result<Self> {
        Self::of(&File::open(folder.file())?)
    }

    fn of(file: &File) -> Result<Self> {
        Ok(Self { first: file.get("/first")?, updates: file.get("/updates")?, last: file.get("/last")? })
    }
}
