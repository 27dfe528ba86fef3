//! The progress bar of commands that take long.

use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use indicatif::{BinaryBytes, ProgressBar, ProgressDrawTarget, ProgressStyle};

/// The bar is shown after this time.
const LONG: Duration = Duration::from_millis(500);

/// The interval at which the bar is drawn.
const OFTEN: Duration = Duration::from_millis(100);

/// Counts the bytes that were read and written. Clones share their counts.
#[derive(Debug, Clone, Default)]
pub(crate) struct Progress(Arc<State>);

#[derive(Debug, Default)]
struct State {
    /// Whether standard error is a terminal.
    is_shown: bool,
    /// The bytes to be read, already read, and already written.
    to_read: AtomicU64,
    read: AtomicU64,
    written: AtomicU64,
    /// The bar that is on the terminal.
    drawn: Mutex<Option<ProgressBar>>,
}

impl Progress {
    /// Creates a progress that is shown if standard error is a terminal.
    pub(crate) fn of_terminal() -> Self {
        Self(Arc::new(State { is_shown: std::io::stderr().is_terminal(), ..State::default() }))
    }

    pub(crate) fn is_shown(&self) -> bool {
        self.0.is_shown
    }

    /// Adds the bytes of an open file that will be read as a whole.
    pub(crate) fn opened(&self, bytes: u64) {
        self.0.to_read.fetch_add(bytes, Ordering::Relaxed);
    }

    pub(crate) fn read(&self, bytes: u64) {
        self.0.read.fetch_add(bytes, Ordering::Relaxed);
    }

    fn written(&self, bytes: u64) {
        self.0.written.fetch_add(bytes, Ordering::Relaxed);
    }

    /// Returns a function that counts bytes that were read.
    pub(crate) fn reader(&self) -> impl Fn(u64) + Send + Sync + 'static {
        let progress = self.clone();
        move |bytes| progress.read(bytes)
    }

    /// Returns a function that counts bytes that were written.
    pub(crate) fn writer(&self) -> impl Fn(u64) + Send + Sync + 'static {
        let progress = self.clone();
        move |bytes| progress.written(bytes)
    }

    fn drawn(&self) -> MutexGuard<'_, Option<ProgressBar>> {
        self.0.drawn.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Clears the bar.
    fn hide(&self) {
        if let Some(bar) = self.drawn().take() {
            bar.finish_and_clear();
        }
    }

    /// Clears the bar, but does not wait for another thread that is printing, which could be blocked forever.
    #[cfg(unix)]
    pub(crate) fn hide_now(&self) {
        if let Ok(mut drawn) = self.0.drawn.try_lock() {
            if let Some(bar) = drawn.take() {
                bar.finish_and_clear();
            }
        }
    }

    /// Clears the bar while `print` runs.
    pub(crate) fn aside<T>(&self, print: impl FnOnce() -> T) -> T {
        match &*self.drawn() {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }

    /// Returns an output whose bytes are counted as written.
    pub(crate) fn counted<W: Write>(&self, out: W) -> impl Write {
        Counted { progress: self.clone(), out }
    }

    /// Returns an output that clears the bar while it writes.
    pub(crate) fn beside<W: Write>(&self, out: W) -> impl Write {
        Beside { progress: self.clone(), out }
    }
}

/// The bar of a command, until it is dropped. Without a terminal, nothing is drawn.
pub(crate) struct Bar {
    end: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Bar {
    /// Creates the bar of a command that reads all bytes of its files `passes` times.
    pub(crate) fn of_bytes(progress: &Progress, passes: u64) -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        let known = style("{spinner} {bar:30} {percent:>3} % read{msg} {elapsed}");
        let unknown = style("{spinner} {msg} {elapsed}");
        Self::show(progress, bar, move |bar, state| {
            let [all, read, written] =
                [&state.to_read, &state.read, &state.written].map(|count| count.load(Ordering::Relaxed));
            let all = all.saturating_mul(passes);
            // Each change can draw the bar, so the style comes first.
            bar.set_style(if all > 0 { known.clone() } else { unknown.clone() });
            bar.set_message(bytes(all, read, written));
            if all > 0 {
                bar.set_length(all);
                bar.set_position(read.min(all));
            }
        })
    }

    /// Creates the bar of a command for many files.
    pub(crate) fn of_files(progress: &Progress, files: Arc<Files>) -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        bar.set_style(style("{spinner} {msg} {elapsed}"));
        Self::show(progress, bar, move |bar, state| {
            bar.set_message(files.text(state.read.load(Ordering::Relaxed)));
        })
    }

    fn show(
        progress: &Progress,
        bar: ProgressBar,
        draw: impl Fn(&ProgressBar, &State) + Send + 'static,
    ) -> Self {
        let none = Self { end: None, thread: None };
        if !progress.is_shown() {
            return none;
        }
        let (end, ended) = channel();
        let progress = progress.clone();
        let work = move || {
            let mut wait = LONG;
            while ended.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
                let mut drawn = progress.drawn();
                draw(&bar, &progress.0);
                if drawn.is_none() {
                    bar.set_draw_target(ProgressDrawTarget::stderr());
                    *drawn = Some(bar.clone());
                }
                bar.tick();
                wait = OFTEN;
            }
            progress.hide();
        };
        match std::thread::Builder::new().name("asdf progress".to_owned()).spawn(work) {
            Ok(thread) => Self { end: Some(end), thread: Some(thread) },
            Err(_) => none,
        }
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        drop(self.end.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// The numbers of checked and of invalid files.
#[derive(Debug, Default)]
pub(crate) struct Files {
    pub(crate) done: AtomicU64,
    pub(crate) wrong: AtomicU64,
}

impl Files {
    /// Returns a text such as `2 files, 130.73 MiB read, 1 invalid`.
    fn text(&self, read: u64) -> String {
        let [done, wrong] = [&self.done, &self.wrong].map(|count| count.load(Ordering::Relaxed));
        let files = if done == 1 { "1 file".to_owned() } else { format!("{done} files") };
        let read = (read > 0).then(|| format!("{} read", BinaryBytes(read)));
        let wrong = (wrong > 0).then(|| format!("{wrong} invalid"));
        std::iter::once(files).chain(read).chain(wrong).collect::<Vec<_>>().join(", ")
    }
}

/// Returns the text after `47 % read`, or the whole text if the total is unknown.
fn bytes(all: u64, read: u64, written: u64) -> String {
    let counted = |bytes: u64, what: &str| (bytes > 0).then(|| format!("{} {what}", BinaryBytes(bytes)));
    match (all, counted(read, "read"), counted(written, "written")) {
        (1.., _, written) => written.map(|written| format!(", {written}")).unwrap_or_default(),
        (0, read, written) => read.into_iter().chain(written).collect::<Vec<_>>().join(", "),
    }
}

/// Returns the style for a template, which must be a valid constant of this module.
fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_spinner())
}

/// An output whose bytes are counted.
struct Counted<W> {
    progress: Progress,
    out: W,
}

impl<W: Write> Write for Counted<W> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let count = self.out.write(bytes)?;
        self.progress.written(count as u64);
        Ok(count)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.out.flush()
    }
}

/// An output that clears the bar while it writes.
struct Beside<W> {
    progress: Progress,
    out: W,
}

impl<W: Write> Write for Beside<W> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.progress.aside(|| self.out.write(bytes))
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.progress.aside(|| self.out.flush())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_written_are_separate_from_bytes_read() {
        assert_eq!(bytes(0, 0, 0), "");
        assert_eq!(bytes(0, 1 << 20, 1 << 21), "1.00 MiB read, 2.00 MiB written");
        assert_eq!(bytes(9, 5, 0), "");
        assert_eq!(bytes(9, 5, 1 << 20), ", 1.00 MiB written");
    }

    #[test]
    fn files_are_shown_with_their_bytes() {
        let files = Files::default();
        assert_eq!(files.text(0), "0 files");
        assert_eq!(files.text(3 << 20), "0 files, 3.00 MiB read");
        files.done.store(1, Ordering::Relaxed);
        files.wrong.store(1, Ordering::Relaxed);
        assert_eq!(files.text(3 << 19), "1 file, 1.50 MiB read, 1 invalid");
    }
}
