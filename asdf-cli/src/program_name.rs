//! The name of the program in help and hints, which are written for the name `asdf`.

use clap::Command;
use clap::builder::StyledStr;

/// The name in the texts of this crate.
const USUAL: &str = "asdf";

/// The name by which users call the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ProgramName(pub(crate) &'static str);

impl Default for ProgramName {
    fn default() -> Self {
        Self(USUAL)
    }
}

impl ProgramName {
    /// Returns a text with this name in its commands, which are in backticks.
    pub(crate) fn in_text(self, text: &str) -> String {
        text.replace(&format!("`{USUAL} "), &format!("`{} ", self.0))
    }

    /// Returns a command line whose help has this name.
    pub(crate) fn in_command_line(self, cli: Command) -> Command {
        if self == Self::default() {
            return cli;
        }
        let names = cli.get_subcommands().map(|command| command.get_name().to_owned()).collect();
        Renaming { name: self.0, commands: names }.of(cli).name(self.0)
    }
}

/// Replaces the name in all texts of a command line.
struct Renaming {
    name: &'static str,
    /// The names of the commands.
    commands: Vec<String>,
}

impl Renaming {
    fn of(&self, mut command: Command) -> Command {
        if let Some(text) = self.changed(command.get_about()) {
            command = command.about(text);
        }
        if let Some(text) = self.changed(command.get_long_about()) {
            command = command.long_about(text);
        }
        if let Some(text) = self.changed(command.get_after_help()) {
            command = command.after_help(text);
        }
        if let Some(text) = self.changed(command.get_after_long_help()) {
            command = command.after_long_help(text);
        }
        if let Some(text) = self.changed(command.get_overridden_usage()) {
            command = command.override_usage(text);
        }
        let command = command.mut_args(|mut arg| {
            if let Some(text) = self.changed(arg.get_help()) {
                arg = arg.help(text);
            }
            if let Some(text) = self.changed(arg.get_long_help()) {
                arg = arg.long_help(text);
            }
            arg
        });
        command.mut_subcommands(|below| self.of(below))
    }

    /// Returns a text with the name, or `None` if that is the same text.
    fn changed(&self, text: Option<&StyledStr>) -> Option<String> {
        let text = text?.ansi().to_string();
        let changed = self.text(&text);
        (changed != text).then_some(changed)
    }

    /// Replaces the usual name at the start of a word and before the name of a command.
    fn text(&self, text: &str) -> String {
        let mut changed = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once(USUAL) {
            let starts = before
                .chars()
                .next_back()
                .map_or(changed.is_empty(), |last| last.is_whitespace() || last == '`');
            let next = after.strip_prefix(' ').map(|after| {
                after.split(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '-')).next().unwrap_or(after)
            });
            let is_command =
                next.is_some_and(|next| next == "--help" || self.commands.iter().any(|name| name == next));
            changed.push_str(before);
            changed.push_str(if starts && is_command { self.name } else { USUAL });
            rest = after;
        }
        changed.push_str(rest);
        changed
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;
    use crate::cli::Cli;

    #[test]
    fn only_the_program_is_renamed() {
        let renaming = Renaming { name: "other", commands: vec!["info".into(), "new".into()] };
        for (text, expected) in [
            ("asdf info a.asdf", "other info a.asdf"),
            ("  asdf new old.asdf new.asdf", "  other new old.asdf new.asdf"),
            ("x | asdf info -; see `asdf --help`", "x | other info -; see `other --help`"),
            ("convert old.asdf new", "convert old.asdf new"),
            ("an asdf newer than asdf-sql", "an asdf newer than asdf-sql"),
            ("asdfinfo asdf", "asdfinfo asdf"),
        ] {
            assert_eq!(renaming.text(text), expected);
        }
        assert_eq!(ProgramName("other").in_text("run `asdf info` first"), "run `other info` first");
    }

    /// Returns all help of a command and of those below it.
    fn help(command: &mut Command) -> String {
        let mut text = command.render_long_help().to_string();
        for below in command.get_subcommands_mut() {
            text += &help(below);
        }
        text
    }

    #[test]
    fn all_help_has_the_name() {
        let mut usual = Cli::command();
        usual.build();
        let mut other = ProgramName("xsdf").in_command_line(Cli::command());
        other.build();
        let (usual, other) = (help(&mut usual), help(&mut other));
        let count = |text: &str, part: &str| text.matches(part).count();
        assert_eq!(count(&usual, "Usage: asdf"), count(&other, "Usage: xsdf"));
        assert_eq!(count(&usual, "\n  asdf "), count(&other, "\n  xsdf "));
        assert_eq!(count(&other, "`asdf ") + count(&other, "\n  asdf ") + count(&other, "| asdf "), 0);
        assert!(count(&other, "`xsdf ") > 0);
    }
}
