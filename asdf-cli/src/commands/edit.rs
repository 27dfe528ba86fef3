//! `asdf edit`: edits the tree of a file in an editor.

use std::io::{BufRead as _, ErrorKind, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use asdf_core::{Error, File, Result, yaml};
use asdf_tables::json::Printable;

use crate::context::Context;
use crate::outcome::{Outcome, output};
use crate::printable;
use crate::saving::{Checker, Saving};
use crate::signals::Signals;
use crate::standard_streams::is_std;
use crate::warning::Warnings;

/// Edit the tree of a file in a text editor.
///
/// The editor is that of $VISUAL or $EDITOR, else vi. The saved text is checked against the rules of YAML and the
/// schemas, and written exactly as it was saved. Blocks stay in place. If the text has an error, the file is not
/// changed, and the text can be edited again. A text that could not be written is kept, and its path is printed.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  asdf edit image.asdf
  EDITOR='code --wait' asdf edit --output other.asdf image.asdf")]
pub(crate) struct Args {
    #[command(flatten)]
    saving: Saving,

    /// Print JSON: {"asdf_edit": 1, "file", "changed"}
    #[arg(long)]
    json: bool,

    /// The file
    file: PathBuf,
}

pub(crate) fn run(args: &Args, context: &Context, out: &mut dyn Write) -> Result<Outcome> {
    // An output file that exists is reported before the editing, not after it.
    args.saving.free(context)?;
    if is_std(&args.file) || is_std(args.saving.target(&args.file)) {
        return Err(Error::usage("cannot edit standard input or output: the editor needs the terminal")
            .with_hint("name a file"));
    }
    let mut file = context.open_to_change(&args.file)?;
    args.saving.refuse_container(&file, &args.file)?;
    let checker = args.saving.checker(&file, context)?;
    let old = yaml::write(file.tree())?;
    let io = |error| Error::io("writing the text to edit", error);
    let mut text = tempfile::Builder::new().prefix("asdf-").suffix(".yaml").tempfile().map_err(io)?;
    text.write_all(old.as_bytes()).and_then(|()| text.flush()).map_err(io)?;
    let changed = match rounds(args, context, &mut file, &checker, &old, text.path()) {
        Ok(changed) => changed,
        Err(error) => return Err(kept(error, text, &old, &context.warnings)),
    };
    let name = args.saving.target(&args.file).display().to_string();
    let report = match (args.json, changed) {
        (true, _) => {
            let report = serde_json::json!({"asdf_edit": 1, "file": name, "changed": changed});
            Printable(&report).to_string()
        }
        (false, true) => format!("{}: written", printable::line(&name)),
        (false, false) => "nothing was changed".to_owned(),
    };
    writeln!(out, "{report}").map_err(output)?;
    Ok(Outcome::Fine)
}

/// Opens the editor until the text can be written. Returns whether the text was changed.
fn rounds(
    args: &Args,
    context: &Context,
    file: &mut File,
    checker: &Checker,
    old: &str,
    text: &Path,
) -> Result<bool> {
    loop {
        editor(text, &context.signals)?;
        let new = std::fs::read_to_string(text)
            .map_err(|error| Error::io("reading the edited text", error).at_file(text))?;
        if new == old {
            return Ok(false);
        }
        // Lines and columns of errors are those of the edited text.
        match take(file, checker, &new, context).map_err(|error| error.at_file(text)) {
            Ok(warnings) => {
                args.saving.write(file, context)?;
                warnings
                    .into_iter()
                    .for_each(|one| context.warnings.tell(one.at_file(args.saving.target(&args.file))));
                return Ok(true);
            }
            Err(error) if again(&error, &context.warnings)? => {}
            Err(error) => return Err(error),
        }
    }
}

/// Keeps an edited text after an error, so that it need not be typed again, and prints its path.
fn kept(error: Error, text: tempfile::NamedTempFile, old: &str, warnings: &Warnings) -> Error {
    match std::fs::read(text.path()) {
        Ok(bytes) if bytes == old.as_bytes() => return error,
        Err(gone) if gone.kind() == ErrorKind::NotFound => return error,
        _ => {}
    }
    match text.keep() {
        Ok((_, path)) => {
            let path = printable::line(&path.display().to_string());
            warnings.note(&format!("{path}: the edited text is kept here\n"));
            error
        }
        Err(lost) => error.and(Error::io("keeping the edited text", lost.error)),
    }
}

/// Parses and validates a text, makes it the tree of the file, and returns warnings about it.
fn take(file: &mut File, checker: &Checker, text: &str, context: &Context) -> Result<Vec<Error>> {
    let mut text = text.to_owned();
    if !text.ends_with('\n') {
        text.push('\n');
    }
    if !text.ends_with("\n...\n") {
        text.push_str("...\n");
    }
    let mut tree = context.parse(&text)?;
    if tree.root().is_none() {
        return Err(Error::mismatch("found an empty text, expected a tree"));
    }
    *tree.blocks_mut() = file.tree().blocks().clone();
    tree.set_standard(file.tree().standard());
    let old = std::mem::replace(file.tree_mut(), tree);
    let mut warnings = checker.check(file).inspect_err(|_| *file.tree_mut() = old)?;
    warnings.extend(checker.unchecked(file, None));
    Ok(warnings)
}

/// Waits for the editor to end.
fn editor(path: &Path, signals: &Signals) -> Result<()> {
    let named =
        ["VISUAL", "EDITOR"].into_iter().find_map(|name| std::env::var(name).ok().filter(|v| !v.is_empty()));
    let line = named.unwrap_or_else(|| "vi".to_owned());
    let words = shlex::split(&line).filter(|words| !words.is_empty());
    let words = words
        .ok_or_else(|| Error::usage(format!("the value of $VISUAL or $EDITOR is not a command: {line}")))?;
    let (program, arguments) =
        words.split_first().map_or(("vi", [].as_slice()), |(first, rest)| (first, rest));
    let status = signals
        .left_to(|| Command::new(program).args(arguments).arg(path).status())
        .map_err(|error| Error::io(format_args!("starting the editor {program}"), error))?;
    match status.success() {
        true => Ok(()),
        false => {
            Err(Error::usage(format!("the editor {program} failed: {status}; the file was not changed")))
        }
    }
}

/// Asks whether to edit again; returns false if there is no terminal to ask at.
fn again(error: &Error, warnings: &Warnings) -> Result<bool> {
    if !std::io::stdin().is_terminal() || !std::io::stderr().is_terminal() {
        return Ok(false);
    }
    warnings.note(&format!("{}\nEdit again? [Y/n] ", warnings.text(error)));
    let mut answer = String::new();
    std::io::stdin().lock().read_line(&mut answer).map_err(|error| Error::io("reading the answer", error))?;
    Ok(!answer.is_empty() && !answer.trim().to_lowercase().starts_with('n'))
}
