//! Ending in the middle of the work: Ctrl-C, a closed terminal, or another program's request.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::progress::Progress;

/// The signals that end the program. Clones are about the same program.
///
/// `signal_hook` hands them to a thread, so what it needs is in that thread and not in global variables.
#[derive(Debug, Clone, Default)]
pub(crate) struct Signals {
    /// Whether an editor has the terminal, and with it Ctrl-C.
    editing: Arc<AtomicBool>,
}

impl Signals {
    /// Runs a program that has the terminal: what is typed there, also Ctrl-C, is for that program.
    pub(crate) fn left_to<T>(&self, program: impl FnOnce() -> T) -> T {
        self.editing.store(true, Ordering::Relaxed);
        let result = program();
        self.editing.store(false, Ordering::Relaxed);
        result
    }

    /// Removes what is half written when a signal ends the program, which it then does as it would have done anyway: a
    /// shell shows 128 and the number of the signal, 130 for Ctrl-C.
    ///
    /// Without a thread for it, signals end the program as ever, and the next write removes what stayed.
    #[cfg(unix)]
    pub(crate) fn watch(progress: &Progress) -> Self {
        use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

        let watched = Self::default();
        let ignored = ignored();
        let wanted = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|&signal| match ignored {
            // `nohup` and shells that run something in the background have them ignored.
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

/// The signals that this process was started to ignore, as bits. `None` where the system does not say.
#[cfg(unix)]
fn ignored() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let bits = status.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
    u64::from_str_radix(bits.trim(), 16).ok()
}
