//! Makes every call of the program that changes a file fail, and checks what is left. `tests/faults/run` starts it.

mod folder;
mod operation;
mod tracer;
mod trial;

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::folder::Folder;
use crate::operation::OPERATIONS;
use crate::tracer::Programs;
use crate::trial::{Point, Trial};

const USAGE: &str = "faults TRACER PROGRAM EDITOR FOLDER [--sample N] [--seed N]";

fn main() -> std::process::ExitCode {
    match run(&std::env::args().skip(1).collect::<Vec<_>>()) {
        Ok(report) => {
            let _ = std::io::stdout().write_all(report.text.as_bytes());
            std::process::ExitCode::from(u8::from(report.failed))
        }
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "faults: {error}");
            std::process::ExitCode::from(2)
        }
    }
}

struct Report {
    text: String,
    failed: bool,
}

fn run(arguments: &[String]) -> Result<Report, String> {
    let [tracer, asdf, editor, folder, options @ ..] = arguments else { return Err(USAGE.to_owned()) };
    let number = |name: &str| -> Result<Option<u64>, String> {
        let Some(at) = options.iter().position(|option| option == name) else { return Ok(None) };
        let value = options.get(at + 1).and_then(|value| value.parse().ok());
        value.map(Some).ok_or_else(|| format!("{name}: expected a number"))
    };
    let (sample, seed) = (number("--sample")?, number("--seed")?.unwrap_or(1));
    let programs = Programs { tracer: tracer.into(), asdf: asdf.into(), editor: editor.into() };
    let folder = PathBuf::from(folder);
    let mut trials = Vec::new();
    let inputs = inputs(&folder).map_err(|error| error.to_string())?;
    for operation in OPERATIONS {
        trials.push(Trial::new(&programs, operation, &inputs, &folder.join("plan"))?);
    }
    let mut points: Vec<(usize, Point)> = (0..)
        .zip(&trials)
        .flat_map(|(number, trial)| trial.points().into_iter().map(move |point| (number, point)))
        .collect();
    let all = points.len();
    if let Some(sample) = sample {
        shuffle(&mut points, seed);
        points.truncate(usize::try_from(sample).unwrap_or(usize::MAX));
    }
    let failures = failures(&trials, &points, &folder);
    let mut text = String::new();
    for failure in &failures {
        text.push_str(&format!("FAIL {}\n", failure.trim_end()));
    }
    let mut kinds = BTreeMap::<String, usize>::new();
    for (_, (_, fault)) in &points {
        *kinds.entry(fault.to_string()).or_default() += 1;
    }
    let kinds: Vec<_> = kinds.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
    text.push_str(&format!(
        "{} of {all} points of {} operations ({}): {} failed\n",
        points.len(),
        trials.len(),
        kinds.join(", "),
        failures.len()
    ));
    Ok(Report { text, failed: !failures.is_empty() || points.is_empty() })
}

fn inputs(folder: &Path) -> Result<Folder, Box<dyn std::error::Error>> {
    let inputs = folder.join("inputs");
    std::fs::create_dir_all(&inputs)?;
    operation::write_inputs(&inputs)?;
    Ok(Folder::read(&inputs)?)
}

/// Tests points on all processors. Returns the failures in the order of the points.
fn failures(trials: &[Trial<'_>], points: &[(usize, Point)], folder: &Path) -> Vec<String> {
    let (next, found) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for worker in 0..workers {
            let (next, found) = (&next, &found);
            scope.spawn(move || {
                let root = folder.join(format!("worker{worker}"));
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some((operation, point)) = points.get(number) else { break };
                    let Some(trial) = trials.get(*operation) else { break };
                    let done = std::fs::create_dir_all(root.join("tmp")).map_err(|error| error.to_string());
                    if let Err(error) = done.and_then(|()| trial.run(*point, &root)) {
                        found.lock().unwrap_or_else(|broken| broken.into_inner()).push((number, error));
                    }
                }
            });
        }
    });
    let mut found = found.into_inner().unwrap_or_else(|broken| broken.into_inner());
    found.sort();
    found.into_iter().map(|(_, error)| error).collect()
}

/// Shuffles the points, in the same way for the same seed.
fn shuffle<T>(points: &mut [T], seed: u64) {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    for end in (2..=points.len()).rev() {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let at = usize::try_from((state >> 8) % (end as u64)).unwrap_or(0);
        points.swap(end - 1, at);
    }
}
