//! Hints of the libraries, worded for the command line.

use std::fmt;

use asdf_core::error::{Hint, LimitName};
use asdf_tables::Advice;

use crate::advice;

/// The most levels of a tree that a command can read. Reading is recursive, and the stack has space for these.
pub(crate) const DEEPEST: usize = 512;

/// A hint, worded for the command line: `error.display_with(Words)`.
pub(crate) struct Words<'h>(pub(crate) &'h Hint);

impl fmt::Display for Words<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Hint::Raise { limit: LimitName::TreeDepth, from, .. } if *from >= DEEPEST as u64 => write!(
                f,
                "use a program of your own with the library: commands read at most {DEEPEST} levels"
            ),
            Hint::Raise { limit, .. } => write!(f, "raise {} for files that you trust", option(*limit)),
            Hint::AllowFolder { allowed: 0 } => {
                f.write_str("pass --allow-folder DIR to allow files outside the folder of this file")
            }
            Hint::AllowFolder { .. } => {
                f.write_str("pass --allow-folder DIR to allow files of another folder")
            }
            Hint::ReplaceSiblings => f.write_str("remove it, or pass --force to use another name"),
            Hint::AcceptDamage => f.write_str(
                "restore the data from a copy, or pass --accept-damage to write it with a new checksum",
            ),
            Hint::SetWithParents => f.write_str("pass --parents to create the missing mappings"),
            Hint::AddCodec => f.write_str("skip this block: the rest of the file can be read"),
            Hint::ChooseCodec { known } if !known.is_empty() => write!(f, "use one of {}", known.join(", ")),
            Hint::AddPackage { name: Some(name) } => write!(f, "pass --package {name}"),
            Hint::AddPackage { name: None } => {
                f.write_str("add the package that defines it with --schemas or --package")
            }
            Hint::ActivateEnvironment => {
                f.write_str("activate its environment, or pass its folder of schemas with --schemas")
            }
            Hint::ListSchemas => f.write_str("run `asdf schema list` to see all"),
            Hint::ChooseFill => f.write_str("pass --fill NUMBER with a number that is not in the data"),
            Hint::Named { name: "asdf-remote/allow-url", .. } => {
                f.write_str("pass --allow-url URL to allow files outside the folder of this file")
            }
            Hint::Named { name: "asdf-gwcs/centre-pixel", .. } => {
                f.write_str("pass --pixel X,Y to give the centre as a pixel")
            }
            hint => match Advice::from_hint(hint).and_then(advice::words) {
                Some(words) => f.write_str(words),
                None => hint.fmt(f),
            },
        }
    }
}

/// The option that raises a limit.
fn option(limit: LimitName) -> String {
    format!("--limit-{}", limit.name().replace('_', "-"))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;
    use crate::cli::Cli;

    #[test]
    fn every_option_in_hints_is_one_of_every_command() {
        let mut cli = Cli::command();
        cli.build();
        let limits = LimitName::ALL.iter().map(|limit| option(*limit));
        for option in limits.chain(["--allow-folder", "--allow-url"].map(str::to_owned)) {
            for command in cli.get_subcommands().filter(|command| command.get_name() != "help") {
                let mut longs = command.get_arguments().filter_map(clap::Arg::get_long);
                assert!(longs.any(|long| format!("--{long}") == option), "{} {option}", command.get_name());
            }
        }
    }

    #[test]
    fn hints_have_no_names_of_the_library() {
        let raise = |limit: &LimitName| Hint::Raise { limit: *limit, from: 1, to: None };
        let hints = LimitName::ALL.iter().map(raise).chain([
            Hint::AllowFolder { allowed: 0 },
            Hint::AllowFolder { allowed: 1 },
            Hint::ReplaceSiblings,
            Hint::SetWithParents,
            Hint::AddCodec,
            Hint::ChooseCodec { known: vec!["zlib".to_owned()] },
            Hint::AddPackage { name: Some("rad".into()) },
            Hint::AddPackage { name: None },
            Hint::ActivateEnvironment,
            Hint::ListSchemas,
            Hint::ChooseFill,
            Hint::Named { name: "asdf-remote/allow-url", text: "`Remote::allow_url`".into() },
        ]);
        for hint in hints {
            let words = Words(&hint).to_string();
            assert!(!words.contains("::") && words != hint.to_string(), "{words}");
        }
        let deepest = Hint::Raise { limit: LimitName::TreeDepth, from: DEEPEST as u64, to: None };
        assert!(Words(&deepest).to_string().ends_with("commands read at most 512 levels"));
    }
}
