//! Colours of the output.

use std::borrow::Cow;
use std::fmt;
use std::io::{IsTerminal, Write};

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

/// The colours of one stream: standard output or standard error.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Colours {
    is_on: bool,
}

impl Colours {
    /// Decides for a stream by the command line, else environment variables, else the configuration.
    pub(crate) fn of(stream: &impl IsTerminal, choice: Option<Choice>, configured: Option<Choice>) -> Self {
        let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let configured = configured.filter(|_| !set("CLICOLOR_FORCE") && !set("NO_COLOR"));
        let is_on = match choice.or(configured).unwrap_or_default() {
            Choice::Always => true,
            Choice::Never => false,
            Choice::Auto => {
                let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
                set("CLICOLOR_FORCE") || (!set("NO_COLOR") && !dumb && stream.is_terminal())
            }
        };
        Self { is_on }
    }

    /// Returns whether colours are on, for output that other crates colour.
    #[cfg(any(feature = "picture", feature = "query"))]
    pub(crate) fn is_on(self) -> bool {
        self.is_on
    }

    /// Writes bytes in bold, if colours are on. File names need not be valid UTF-8.
    pub(crate) fn write_bold(self, bytes: &[u8], out: &mut dyn Write) -> std::io::Result<()> {
        if !self.is_on {
            return out.write_all(bytes);
        }
        let style = Style::new().bold();
        write!(out, "{}", style.render())?;
        out.write_all(bytes)?;
        write!(out, "{}", style.render_reset())
    }

    pub(crate) fn bold<T>(self, text: T) -> Coloured<T> {
        self.styled(text, Style::new().bold())
    }

    pub(crate) fn dim<T>(self, text: T) -> Coloured<T> {
        self.styled(text, Style::new().dimmed())
    }

    pub(crate) fn red<T>(self, text: T) -> Coloured<T> {
        self.styled(text, AnsiColor::Red.on_default().bold())
    }

    pub(crate) fn yellow<T>(self, text: T) -> Coloured<T> {
        self.styled(text, AnsiColor::Yellow.on_default().bold())
    }

    pub(crate) fn green<T>(self, text: T) -> Coloured<T> {
        self.styled(text, AnsiColor::Green.on_default())
    }

    pub(crate) fn blue<T>(self, text: T) -> Coloured<T> {
        self.styled(text, AnsiColor::Blue.on_default().bold())
    }

    fn styled<T>(self, text: T, style: Style) -> Coloured<T> {
        Coloured { text, style: self.is_on.then_some(style) }
    }

    /// Returns YAML with coloured keys and tags. Lines of block scalars that look like keys are coloured too.
    pub(crate) fn yaml(self, text: &str) -> Cow<'_, str> {
        if self.is_on { painted(text).into() } else { text.into() }
    }
}

/// A text with a style, if colours are on.
pub(crate) struct Coloured<T> {
    text: T,
    style: Option<Style>,
}

impl<T: fmt::Display> fmt::Display for Coloured<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.style {
            Some(style) => write!(f, "{}{}{}", style.render(), self.text, style.render_reset()),
            None => self.text.fmt(f),
        }
    }
}

fn painted(text: &str) -> String {
    let paint = |text: &str, style: Style| format!("{}{text}{}", style.render(), style.render_reset());
    let mut out = String::with_capacity(text.len() * 2);
    for line in text.split_inclusive('\n') {
        let inner = line.trim_start_matches([' ', '-']);
        let (before, inner) = line.split_at(line.len() - inner.len());
        let plain = |key: &str| !key.is_empty() && !key.starts_with(['#', '!', '{', '[', '|', '>']);
        let end = inner.find(": ").or_else(|| inner.trim_end().strip_suffix(':').map(str::len));
        let (key, value) = match end.map(|end| inner.split_at(end)).filter(|(key, _)| plain(key)) {
            Some((key, value)) => (paint(key, AnsiColor::Blue.on_default()), value),
            None => (String::new(), inner),
        };
        out.push_str(&format!("{before}{key}"));
        let rest = value.trim_start_matches([':', ' ']);
        let (between, rest) = value.split_at(value.len() - rest.len());
        out.push_str(between);
        match rest.find([' ', '\n']).filter(|_| rest.starts_with('!')) {
            Some(end) => {
                let (tag, rest) = rest.split_at(end);
                out.push_str(&format!("{}{rest}", paint(tag, Style::new().dimmed())));
            }
            None => out.push_str(rest),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_and_tags_of_yaml_are_coloured_and_nothing_is_lost() {
        let text = "a: !<tag:x> {b: 1}\nlist:\n- key: 'v: w'\n  - plain\n# c: d\n- !t\n  x: 1\nlast";
        let coloured = painted(text);
        assert!(
            coloured.starts_with("\x1b[34ma\x1b[0m: \x1b[2m!<tag:x>\x1b[0m {b: 1}\n\x1b[34mlist\x1b[0m:\n"),
            "{coloured:?}"
        );
        let codes = regex::Regex::new("\x1b\\[[0-9;]*m").unwrap();
        assert_eq!(codes.replace_all(&coloured, ""), text);
    }
}
