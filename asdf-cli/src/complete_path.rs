//! `asdf complete-path -- WORDS`: the places in a tree that the last word of a command line may become, one a
//! line; those with more below end with a slash. The tree is that of the file that the words name. Exit code 1: the
//! word is no such place.
//!
//! Only the shells' completions ask so, and it is no command that they should show: it is taken out before the
//! command line is parsed.

use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;
use std::sync::mpsc;
use std::time::Duration;

use asdf_core::tree::NodeRef;
use asdf_core::value::FromNode;
use asdf_core::{Kind, NdArray, Result};
use clap::{Arg, Command, CommandFactory as _, ValueHint};

use crate::commands::{Cli, Outcome, output};
use crate::files::inputs;
use crate::opening;

/// The words after `asdf` of the line that a shell is about to complete.
pub(crate) fn asked(mut arguments: impl Iterator<Item = OsString>) -> Option<Vec<String>> {
    let is = |word: Option<OsString>, name: &str| word.is_some_and(|word| word == name);
    let asked = is(arguments.nth(1), "complete-path") && is(arguments.next(), "--");
    asked.then(|| arguments.map(|word| word.to_string_lossy().into_owned()).collect())
}

/// How an argument that names a place in a tree is marked: no other kind of value has this hint.
pub(crate) const PLACE: ValueHint = ValueHint::Other;

/// No shell shows more.
const MOST: usize = 500;
/// How long a shell waits: for a file on a network, or a folder of millions, it would be longer.
const PATIENCE: Duration = Duration::from_secs(2);

pub(crate) fn run(words: &[String], out: &mut dyn Write) -> Result<Outcome> {
    let words: Vec<String> = words.iter().map(|word| unquoted(word)).collect();
    let Some((word, before)) = words.split_last() else { return Ok(Outcome::NotFine) };
    let mut cli = Cli::command();
    // Else commands do not know the options that all of them have.
    cli.build();
    let Some(file) = file(&cli, before, word) else { return Ok(Outcome::NotFine) };
    opening::choose_small();
    let (answer, answered) = mpsc::channel();
    let word = word.clone();
    // The end of the program ends it too.
    std::thread::spawn(move || drop(answer.send(of_file(file, &word))));
    for place in answered.recv_timeout(PATIENCE).unwrap_or_default() {
        writeln!(out, "{place}").map_err(output)?;
    }
    Ok(Outcome::Fine)
}

/// The places in a file, of a folder in its first one; none where there is no file that can be read, and of standard
/// input and pipes, which somebody types into or the command itself is to read.
fn of_file(path: PathBuf, word: &str) -> Vec<String> {
    let Some(Ok(input)) = inputs(vec![path]).next() else { return Vec::new() };
    if input.is_stdin() || !input.path.is_file() {
        return Vec::new();
    }
    let file = input.open_quietly().ok();
    let root = file.as_ref().and_then(|file| file.tree().root());
    root.map_or_else(Vec::new, |root| places(root, word).into_iter().take(MOST).collect())
}

/// The file whose tree the last word is a place in; `None` when it is something else.
fn file(cli: &Command, before: &[String], word: &str) -> Option<PathBuf> {
    let (name, before) = before.split_first()?;
    let command = cli.find_subcommand(name)?;
    let positionals: Vec<&Arg> = command.get_positionals().collect();
    // The last one may be there many times, or the first where one has to follow.
    let positional = |number: usize| positionals.get(number).or(positionals.last()).copied();
    let mut count = 0;
    let mut file = None;
    // The option whose value comes next.
    let mut open: Option<&Arg> = None;
    for word in before {
        // Bash takes `--option=value` apart.
        if word == "=" {
            continue;
        }
        if open.take().is_some() {
            continue;
        }
        if let Some(option) = option(command, word) {
            open = option.filter(|option| option.get_action().takes_values() && !word.contains('='));
            continue;
        }
        if positional(count).is_some_and(is_file) {
            file.get_or_insert_with(|| PathBuf::from(word));
        }
        count += 1;
    }
    let is_option = |word: &str| word.len() > 1 && word.starts_with('-');
    let arg = match open {
        Some(option) => option,
        None if is_option(word) => return None,
        None => positional(count)?,
    };
    (arg.get_value_hint() == PLACE).then_some(file).flatten()
}

/// What an option is; `None` for a word that is none, `Some(None)` for one that is not known.
fn option<'c>(command: &'c Command, word: &str) -> Option<Option<&'c Arg>> {
    if let Some(long) = word.strip_prefix("--") {
        let name = long.split('=').next().unwrap_or(long);
        return Some(command.get_opts().find(|arg| arg.get_long() == Some(name)));
    }
    let short = word.strip_prefix('-').filter(|short| !short.is_empty())?;
    Some(command.get_opts().find(|arg| arg.get_short() == short.chars().last()))
}

fn is_file(arg: &Arg) -> bool {
    matches!(arg.get_value_hint(), ValueHint::AnyPath | ValueHint::FilePath)
}

/// The places whose pointers begin with a word; what is below, where the word is one already.
fn places(root: NodeRef<'_>, word: &str) -> Vec<String> {
    let (above, step) = word.rsplit_once('/').unwrap_or(("", word));
    let slash = if word.contains('/') { "/" } else { "" };
    let pointer =
        if above.is_empty() || above.starts_with('/') { above.to_owned() } else { format!("/{above}") };
    let Some(node) = root.find(&pointer) else { return Vec::new() };
    let fitting: Vec<(String, NodeRef<'_>)> =
        children(node).filter(|(name, _)| name.starts_with(step)).collect();
    if let [(name, only)] = fitting.as_slice() {
        if name == step && is_open(*only) {
            return children(*only).map(|(below, node)| shown(&format!("{word}/{below}"), node)).collect();
        }
    }
    fitting.into_iter().map(|(name, node)| shown(&format!("{above}{slash}{name}"), node)).collect()
}

fn shown(place: &str, node: NodeRef<'_>) -> String {
    if is_open(node) { format!("{place}/") } else { place.to_owned() }
}

/// Whether there are places below; those of arrays are not for people.
fn is_open(node: NodeRef<'_>) -> bool {
    !node.kind().is_scalar() && !node.is_empty() && !node.tag().is_some_and(NdArray::accepts_tag)
}

/// The steps to what is in a collection, as in a JSON Pointer; those that no line can hold are left out.
fn children<'t>(node: NodeRef<'t>) -> impl Iterator<Item = (String, NodeRef<'t>)> {
    let items = (node.kind() == Kind::Sequence).then(|| node.items().enumerate());
    let items = items.into_iter().flatten().map(|(index, item)| (index.to_string(), item));
    let entries = node.entries().filter_map(|(key, value)| {
        let name = key.text().filter(|name| !name.is_empty() && !name.contains(char::is_control))?;
        Some((name.replace('~', "~0").replace('/', "~1"), value))
    });
    items.chain(entries)
}

/// A word as the shell would hand it to a program; as it stands where its quotes are still open.
fn unquoted(word: &str) -> String {
    let bare = match shlex::split(word).as_deref() {
        Some([only]) => only.clone(),
        _ => word.to_owned(),
    };
    match (bare.strip_prefix("~/"), std::env::var("HOME")) {
        (Some(rest), Ok(home)) => format!("{home}/{rest}"),
        _ => bare,
    }
}
