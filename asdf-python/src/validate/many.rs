//! Validates many files on several threads.

use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use asdf_core::Threads;
use pyo3::prelude::*;
use pyo3::types::PyList;

use super::judge::Judge;
use super::outcome::Outcome;
use super::source::Source;
use crate::interrupt::{INTERVAL, Stop, failed, start};

/// The number of files from servers that are validated at once: most of the time is spent waiting.
const REMOTE: usize = 32;

/// Validates files, and returns the reports in the order of the files. Calls `progress(done, total)` after each file.
pub(super) fn validate<'py>(
    py: Python<'py>,
    judge: Judge,
    sources: Vec<Source>,
    threads: Option<usize>,
    progress: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyList>> {
    let threads = match threads {
        Some(threads) => Threads::new(threads),
        None if sources.iter().any(Source::is_remote) => Threads::new(REMOTE),
        None => Threads::ALL,
    };
    let total = sources.len();
    let stop = Stop::default();
    let _guard = stop.on_drop();
    let (sender, mut receiver) = channel();
    start(move || {
        let work = |source| (!stop.is_set()).then(|| judge.judge(&source, &stop));
        // The receiver is gone after an exception.
        let _ = threads.in_order(sources.into_iter(), work, |outcome| match outcome {
            Some(outcome) => sender.send(outcome).map(ControlFlow::Continue),
            None => Ok(ControlFlow::Break(())),
        });
    })?;
    let reports = PyList::empty(py);
    let mut checked = Instant::now();
    while reports.len() < total {
        // A caller that watches the progress hears of each file at once.
        let wait = if progress.is_some() { Duration::ZERO } else { INTERVAL };
        let (same, outcomes, is_over) = py.detach(move || receive(receiver, wait));
        receiver = same;
        for outcome in outcomes {
            reports.append(outcome.into_report(py)?)?;
            if let Some(progress) = &progress {
                progress.call1((reports.len(), total))?;
            }
        }
        if is_over && reports.len() < total {
            return Err(failed());
        }
        if checked.elapsed() >= INTERVAL {
            py.check_signals()?;
            checked = Instant::now();
        }
    }
    Ok(reports)
}

/// Waits for an outcome until the next check for signals. If one comes, also receives those that follow within `wait`. Also
/// returns whether all have come.
fn receive(receiver: Receiver<Outcome>, wait: Duration) -> (Receiver<Outcome>, Vec<Outcome>, bool) {
    let ends = Instant::now() + wait;
    let mut outcomes = Vec::new();
    let mut left = INTERVAL;
    loop {
        match receiver.recv_timeout(left) {
            Ok(outcome) => outcomes.push(outcome),
            Err(RecvTimeoutError::Timeout) => return (receiver, outcomes, false),
            Err(RecvTimeoutError::Disconnected) => return (receiver, outcomes, true),
        }
        left = ends.saturating_duration_since(Instant::now());
    }
}
