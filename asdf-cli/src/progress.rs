//! A line on the terminal that shows how far a command is, if it takes long.

use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use indicatif::{BinaryBytes, ProgressBar, ProgressDrawTarget, ProgressStyle};

/// What takes less shows nothing.
const LONG: Duration = Duration::from_millis(500);

/// How often the line is drawn.
const OFTEN: Duration = Duration::from_millis(100);

/// Bytes that are to be read, and that were read and written, by the whole program.
static TO_READ: AtomicU64 = AtomicU64::new(0);
static READ: AtomicU64 = AtomicU64::new(0);
static WRITTEN: AtomicU64 = AtomicU64::new(0);

/// The line that is drawn now.
static SHOWN: Mutex<Option<ProgressBar>> = Mutex::new(None);

/// Whether there is somebody to see it.
pub(crate) fn is_wanted() -> bool {
    std::io::stderr().is_terminal()
}

/// A file is open that is to be read whole.
pub(crate) fn opened(bytes: u64) {
    TO_READ.fetch_add(bytes, Ordering::Relaxed);
}

pub(crate) fn read(bytes: u64) {
    READ.fetch_add(bytes, Ordering::Relaxed);
}

pub(crate) fn written(bytes: u64) {
    WRITTEN.fetch_add(bytes, Ordering::Relaxed);
}

/// The line of a command, from its beginning until it is dropped. Without a terminal there is none.
pub(crate) struct Progress {
    end: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Progress {
    /// The bar of a command that reads all bytes of its files this number of times.
    pub(crate) fn of_bytes(passes: u64) -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        let known = style("{spinner} {bar:30} {percent:>3} % read{msg} {elapsed}");
        let unknown = style("{spinner} {msg} {elapsed}");
        Self::show(bar, move |bar| {
            let [all, read, written] = [&TO_READ, &READ, &WRITTEN].map(|count| count.load(Ordering::Relaxed));
            let all = all.saturating_mul(passes);
            // Each change may draw the line, so the style comes first.
            bar.set_style(if all > 0 { known.clone() } else { unknown.clone() });
            bar.set_message(bytes(all, read, written));
            if all > 0 {
                bar.set_length(all);
                bar.set_position(read.min(all));
            }
        })
    }

    /// The line of a command about many files.
    pub(crate) fn of_files(files: Arc<Files>) -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        bar.set_style(style("{spinner} {msg} {elapsed}"));
        Self::show(bar, move |bar| bar.set_message(files.text(READ.load(Ordering::Relaxed))))
    }

    fn show(bar: ProgressBar, draw: impl Fn(&ProgressBar) + Send + 'static) -> Self {
        let none = Self { end: None, thread: None };
        if !is_wanted() {
            return none;
        }
        let (end, ended) = channel();
        let work = move || {
            let mut wait = LONG;
            while ended.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
                let mut shown = shown();
                draw(&bar);
                if shown.is_none() {
                    bar.set_draw_target(ProgressDrawTarget::stderr());
                    *shown = Some(bar.clone());
                }
                bar.tick();
                wait = OFTEN;
            }
            hide();
        };
        match std::thread::Builder::new().name("asdf progress".to_owned()).spawn(work) {
            Ok(thread) => Self { end: Some(end), thread: Some(thread) },
            Err(_) => none,
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        drop(self.end.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Files that were looked at.
#[derive(Debug, Default)]
pub(crate) struct Files {
    pub(crate) done: AtomicU64,
    pub(crate) wrong: AtomicU64,
}

impl Files {
    /// `2 files, 130.73 MiB read, 1 not valid`
    fn text(&self, read: u64) -> String {
        let [done, wrong] = [&self.done, &self.wrong].map(|count| count.load(Ordering::Relaxed));
        let files = if done == 1 { "1 file".to_owned() } else { format!("{done} files") };
        let read = (read > 0).then(|| format!("{} read", BinaryBytes(read)));
        let wrong = (wrong > 0).then(|| format!("{wrong} not valid"));
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

/// A style from a template that is a constant of this module.
fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_spinner())
}

fn shown() -> std::sync::MutexGuard<'static, Option<ProgressBar>> {
    SHOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Takes the line away.
pub(crate) fn hide() {
    if let Some(bar) = shown().take() {
        bar.finish_and_clear();
    }
}

/// Takes the line away, unless somebody prints beside it and may never end.
#[cfg(unix)]
pub(crate) fn hide_now() {
    if let Ok(mut shown) = SHOWN.try_lock() {
        if let Some(bar) = shown.take() {
            bar.finish_and_clear();
        }
    }
}

/// Prints something else; the line is taken away meanwhile.
pub(crate) fn aside<T>(print: impl FnOnce() -> T) -> T {
    match &*shown() {
        Some(bar) => bar.suspend(print),
        None => print(),
    }
}

/// An output whose bytes are counted.
pub(crate) struct Counted<W>(pub(crate) W);

impl<W: Write> Write for Counted<W> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let count = self.0.write(bytes)?;
        written(count as u64);
        Ok(count)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.0.flush()
    }
}

/// An output beside which the line may stand.
pub(crate) struct Beside<W>(pub(crate) W);

impl<W: Write> Write for Beside<W> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        aside(|| self.0.write(bytes))
    }

    fn flush(&mut self) -> std::io::Result<()> {
        aside(|| self.0.flush())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_stands_apart_from_what_was_read() {
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
        assert_eq!(files.text(3 << 19), "1 file, 1.50 MiB read, 1 not valid");
    }
}
