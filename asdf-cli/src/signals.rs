//! Signals that end the program: Ctrl-C, a closed terminal, or a request by another program.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::progress::Progress;
#[cfg(unix)]
use crate::remote;

/// The signals that end the program. Clones share their state.
///
/// `signal_hook` passes signals to a thread, which holds all state, so there are no global variables.
#[derive(Debug, Clone, Default)]
pub(crate) struct Signals {
    /// Whether an editor has the terminal, so that Ctrl-C is for the editor.
    editing: Arc<AtomicBool>,
}

impl Signals {
    /// Runs another program in the terminal, and ignores Ctrl-C meanwhile.
    pub(crate) fn left_to<T>(&self, program: impl FnOnce() -> T) -> T {
        self.editing.store(true, Ordering::Relaxed);
        let result = program();
        self.editing.store(false, Ordering::Relaxed);
        result
    }

    /// Starts a thread that removes unfinished files when a signal ends the program.
    ///
    /// The program then ends by the same signal. A shell shows 128 plus its number, which is 130 for Ctrl-C. If the
    /// thread cannot be started, signals end the program as usual, and the next write removes the unfinished files.
    #[cfg(unix)]
    pub(crate) fn watch(progress: &Progress) -> Self {
        use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

        let watched = Self::default();
        let ignored = ignored();
        let wanted = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|&signal| match ignored {
            // `nohup`, and shells that run a program in the background, ignore some signals.
            Some(ignored) => ignored >> (signal - 1) & 1 == 0,
            None => signal != SIGHUP,
        });
        let Ok(mut signals) = signal_hook::iterator::Signals::new(wanted) else { return watched };
        let (editing, progress) = (watched.editing.clone(), progress.clone());
        let _ = std::thread::Builder::new().name("asdf signals".to_owned()).spawn(move || {
            for signal in signals.forever() {
                if signal == SIGINT && editing.load(Ordering::Relaxed) {
                    continue;
                }
                asdf_core::file::abandon_writes();
                remote::abandon_uploads();
                progress.hide_now();
                let _ = signal_hook::low_level::emulate_default_handler(signal);
                std::process::exit(128 + signal);
            }
        });
        watched
    }

    #[cfg(not(unix))]
    pub(crate) fn watch(_: &Progress) -> Self {
        Self::default()
    }
}

/// Returns the signals that this process ignores, as bits; `None` if the system does not report them.
#[cfg(unix)]
fn ignored() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let bits = status.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
    u64::from_str_radix(bits.trim(), 16).ok()
}
