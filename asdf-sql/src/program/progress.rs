//! The number of files that were read, on a terminal.

use std::io::IsTerminal as _;
use std::sync::Arc;
use std::time::Duration;

use asdf_sql::Problems;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// How often the line is drawn.
const EVERY: Duration = Duration::from_millis(200);

/// A line with the number of files that were read. It is drawn only if standard error is a terminal.
pub(crate) struct Progress {
    bar: ProgressBar,
    task: Option<tokio::task::JoinHandle<()>>,
}

impl Progress {
    /// Starts a line. On a cluster, the number of files is not known.
    pub(crate) fn start(problems: Arc<Problems>, is_remote: bool) -> Self {
        if !std::io::stderr().is_terminal() {
            return Self { bar: ProgressBar::hidden(), task: None };
        }
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(5));
        let style = ProgressStyle::with_template("{elapsed} {msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
        let line = bar.clone();
        let task = tokio::spawn(async move {
            loop {
                tokio::time::sleep(EVERY).await;
                line.set_message(match is_remote {
                    true => "running on the cluster".to_owned(),
                    false => format!("{} files read", problems.files()),
                });
                line.tick();
            }
        });
        Self { bar, task: Some(task) }
    }

    /// Removes the line while something else is written.
    pub(crate) fn pause<T>(&self, write: impl FnOnce() -> T) -> T {
        self.bar.suspend(write)
    }
}

impl Drop for Progress {
    /// Removes the line.
    fn drop(&mut self) {
        if let Some(task) = &self.task {
            task.abort();
        }
        self.bar.finish_and_clear();
    }
}
