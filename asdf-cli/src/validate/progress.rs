//! A line that says how far it is, on a terminal, when it takes long.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::formats::Summary;

/// A line on standard error; nothing where that is no terminal.
pub(super) struct Progress(ProgressBar);

impl Progress {
    pub(super) fn new() -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(10));
        if let Ok(style) = ProgressStyle::with_template("{spinner} {pos} files {per_sec} {msg}") {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(200));
        Self(bar)
    }

    pub(super) fn step(&mut self, summary: &Summary) {
        self.0.inc(1);
        if summary.invalid > 0 {
            self.0.set_message(format!("{} not valid", summary.invalid));
        }
    }

    /// Prints something else meanwhile.
    pub(super) fn aside<T>(&self, print: impl FnOnce() -> T) -> T {
        if self.0.is_hidden() { print() } else { self.0.suspend(print) }
    }

    pub(super) fn end(&self) {
        self.0.finish_and_clear();
    }
}
