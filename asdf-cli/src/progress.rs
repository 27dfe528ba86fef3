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
        let known = ProgressStyle::with_template("{spinner} {bar:30} {percent:>3} % read{msg} {elapsed}");
        let unknown = ProgressStyle::with_template("{spinner} {msg} {elapsed}");
        Self::show(bar, move |bar| {
            let [all, read, written] = [&TO_READ, &READ, &WRITTEN].map(|count| count.load(Ordering::Relaxed));
            let all = all.saturating_mul(passes);
            if all > 0 {
                bar.set_length(all);
                bar.set_position(read.min(all));
            }
            let mut message = match (all, read) {
                (0, 1..) => format!("{} read", BinaryBytes(read)),
                _ => String::new(),
            };
            if written > 0 {
                message.push_str(&format!(", {} written", BinaryBytes(written)));
            }
            if let Ok(style) = if all > 0 { &known } else { &unknown } {
                bar.set_style(style.clone());
            }
            bar.set_message(message.trim_start_matches(", ").to_owned());
        })
    }

    /// The line of a command about many files.
    pub(crate) fn of_files(files: Arc<Files>) -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template("{spinner} {pos} files {per_sec} {msg}") {
            bar.set_style(style);
        }
        Self::show(bar, move |bar| {
            bar.set_position(files.done.load(Ordering::Relaxed));
            match files.wrong.load(Ordering::Relaxed) {
                0 => {}
                wrong => bar.set_message(format!("{wrong} not valid")),
            }
        })
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
                if shown.is_none() {
                    bar.set_draw_target(ProgressDrawTarget::stderr());
                    *shown = Some(bar.clone());
                }
                draw(&bar);
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
