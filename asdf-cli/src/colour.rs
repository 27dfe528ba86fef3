//! Whether and how the output is coloured.

use std::fmt;
use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};

use anstyle::{AnsiColor, Style};

/// When to colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub(crate) enum Choice {
    /// On a terminal, unless NO_COLOR is set
    #[default]
    Auto,
    Always,
    Never,
}

static ON: AtomicBool = AtomicBool::new(false);

/// Decides for the whole program.
pub(crate) fn choose(choice: Choice) {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let on = match choice {
        Choice::Always => true,
        Choice::Never => false,
        Choice::Auto => {
            let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
            set("CLICOLOR_FORCE") || (!set("NO_COLOR") && !dumb && std::io::stdout().is_terminal())
        }
    };
    ON.store(on, Ordering::Relaxed);
}

/// What was decided.
pub(crate) fn is_on() -> bool {
    ON.load(Ordering::Relaxed)
}

/// A text in a style, if there is colour.
pub(crate) struct Coloured<T>(T, Style);

impl<T: fmt::Display> fmt::Display for Coloured<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match is_on() {
            true => write!(f, "{}{}{}", self.1.render(), self.0, self.1.render_reset()),
            false => self.0.fmt(f),
        }
    }
}

pub(crate) fn bold<T>(text: T) -> Coloured<T> {
    Coloured(text, Style::new().bold())
}

pub(crate) fn dim<T>(text: T) -> Coloured<T> {
    Coloured(text, Style::new().dimmed())
}

pub(crate) fn red<T>(text: T) -> Coloured<T> {
    Coloured(text, AnsiColor::Red.on_default().bold())
}

pub(crate) fn yellow<T>(text: T) -> Coloured<T> {
    Coloured(text, AnsiColor::Yellow.on_default().bold())
}

pub(crate) fn green<T>(text: T) -> Coloured<T> {
    Coloured(text, AnsiColor::Green.on_default())
}

pub(crate) fn blue<T>(text: T) -> Coloured<T> {
    Coloured(text, AnsiColor::Blue.on_default().bold())
}
