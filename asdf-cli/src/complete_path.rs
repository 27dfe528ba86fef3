//! `asdf complete-path -- WORDS`: completes a path in a tree.
//!
//! Prints the paths that the last of the words can become, one per line. Paths of collections end with a slash. The
//! tree is that of the file that the words name. The exit code is 1 if the last word is not a path in a tree.
//!
//! Only completion scripts use this. It is handled before the command line is parsed, so that it is not listed among
//! the commands.

use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;
use std::sync::mpsc;
use std::time::Duration;

use asdf_core::tree::{Kind, NodeRef};
use asdf_core::value::FromNode;
use asdf_core::{NdArray, Result};
use asdf_tables::Dataset;
use clap::{Arg, Command, ValueHint};

use crate::context::Context;
use crate::input::inputs;
use crate::outcome::{Outcome, output};
use crate::remote::{self, Remote};
use crate::{place, printable};

/// Returns the words after the name of the program of the command line that a shell completes, if this is such a call.
pub(crate) fn asked(mut arguments: impl Iterator<Item = OsString>) -> Option<Vec<String>> {
    let is = |word: Option<OsString>, name: &str| word.is_some_and(|word| word == name);
    let asked = is(arguments.nth(1), "complete-path") && is(arguments.next(), "--");
    asked.then(|| arguments.map(|word| word.to_string_lossy().into_owned()).collect())
}

/// The hint that marks arguments that are paths in a tree. No other argument has this hint.
pub(crate) const PLACE: ValueHint = ValueHint::Other;

/// The commands that accept columns of tables by name.
const BY_COLUMN: [&str; 4] = ["head", "stats", "preview", "export"];

/// The most paths that are printed; no shell shows more.
const MOST: usize = 500;
/// The timeout. A file on a network, or a folder with millions of files, could take longer.
const PATIENCE: Duration = Duration::from_secs(2);

pub(crate) fn run(words: &[String], mut cli: Command, out: &mut dyn Write) -> Result<Outcome> {
    let words: Vec<String> = words.iter().map(|word| unquoted(word)).collect();
    let Some((word, before)) = words.split_last() else { return Ok(Outcome::NotFine) };
    // Adds the global options to all commands.
    cli.build();
    let Some(file) = file(&cli, before, word) else { return Ok(Outcome::NotFine) };
    let (answer, answered) = mpsc::channel();
    let word = word.clone();
    let columns = before.first().is_some_and(|command| BY_COLUMN.contains(&command.as_str()));
    // The thread is not joined: it ends with the program.
    std::thread::spawn(move || drop(answer.send(of_file(file, columns, &word))));
    for place in answered.recv_timeout(PATIENCE).unwrap_or_default() {
        writeln!(out, "{place}").map_err(output)?;
    }
    Ok(Outcome::Fine)
}

/// Returns the paths in a file, or in the first file of a folder. Returns none for standard input and pipes, which the
/// command itself reads later, and if there is no readable file.
fn of_file(path: PathBuf, columns: bool, word: &str) -> Vec<String> {
    // A shell does not wait for the network.
    if remote::url(&path).is_some() {
        return Vec::new();
    }
    let Some(Ok(input)) = inputs(vec![path], &Remote::default()).next() else { return Vec::new() };
    if input.is_stdin() || !input.path.is_file() {
        return Vec::new();
    }
    let file = Context::for_completions().open_quietly(&input.path).ok();
    let root = file.as_ref().and_then(|file| file.tree().root());
    let places = root.map(|root| Places { root, columns }.of(word));
    places.unwrap_or_default().into_iter().take(MOST).collect()
}

/// Returns the file if the last word is a path in its tree; `None` if the word is something else.
fn file(cli: &Command, before: &[String], word: &str) -> Option<PathBuf> {
    let (name, before) = before.split_first()?;
    let command = cli.find_subcommand(name)?;
    let positionals: Vec<&Arg> = command.get_positionals().collect();
    // The last positional argument can be repeated.
    let positional = |number: usize| positionals.get(number).or(positionals.last()).copied();
    let mut count = 0;
    let mut file = None;
    // The option whose value is the next word.
    let mut open: Option<&Arg> = None;
    for word in before {
        // Bash splits `--option=value` into three words.
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

/// Returns the option that a word names: `None` if the word is not an option, `Some(None)` if it is unknown.
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

/// The paths in a tree.
struct Places<'t> {
    root: NodeRef<'t>,
    /// Whether the columns of tables are completed by name.
    columns: bool,
}

impl Places<'_> {
    /// Returns the paths that begin with a word. If the word is a complete path, returns the paths below it.
    fn of(&self, word: &str) -> Vec<String> {
        let found = self.dotted(word);
        if found.is_empty() { self.pointers(word) } else { found }
    }

    /// Returns the paths with dots that begin with a word. Keys that need quotes are left out.
    fn dotted(&self, word: &str) -> Vec<String> {
        let above = word.rsplit_once('.').filter(|_| !word.contains('/'));
        let node = above.and_then(|(above, _)| place::find(self.root.tree(), above));
        let Some(((above, step), node)) = above.zip(node.filter(|node| is_open(*node))) else {
            return Vec::new();
        };
        let before = format!("{above}.");
        let is_plain = |place: &String| {
            place.strip_prefix(&before).is_some_and(|name| !name.contains(['.', '[', '"', '~']))
        };
        self.below(node, &before, step).into_iter().filter(is_plain).collect()
    }

    /// Returns the JSON Pointers that begin with a word.
    fn pointers(&self, word: &str) -> Vec<String> {
        let (above, step) = word.rsplit_once('/').unwrap_or(("", word));
        let slash = if word.contains('/') { "/" } else { "" };
        let pointer =
            if above.is_empty() || above.starts_with('/') { above.to_owned() } else { format!("/{above}") };
        let Some(node) = self.root.find(&pointer) else { return Vec::new() };
        let mut fitting = children(node).filter(|(name, _)| name.starts_with(step));
        match (fitting.next(), fitting.next()) {
            (Some((name, only)), None) if name == step && is_open(only) => {
                self.below(only, &format!("{word}/"), "")
            }
            _ => self.below(node, &format!("{above}{slash}"), step),
        }
    }

    /// Returns the children of a node whose step begins with `step`, each with the prefix `before`.
    fn below(&self, node: NodeRef<'_>, before: &str, step: &str) -> Vec<String> {
        let columns = if self.columns { columns(node) } else { Vec::new() };
        let columns = columns.into_iter().map(|name| (name, false));
        let inner = children(node).map(|(name, inner)| (name, is_open(inner)));
        let fitting = columns.chain(inner).filter(|(name, _)| name.starts_with(step));
        fitting.map(|(name, open)| format!("{before}{name}{}", if open { "/" } else { "" })).collect()
    }
}

/// Returns the names of a table's columns as steps of a path.
fn columns(node: NodeRef<'_>) -> Vec<String> {
    if node.get("columns").is_none_or(|list| list.kind() != Kind::Sequence) {
        return Vec::new();
    }
    let Ok(Dataset::Table { columns, .. }) = Dataset::from_node(node) else { return Vec::new() };
    columns.as_slice().iter().filter_map(|column| step(&column.name)).collect()
}

/// Returns whether a node has children to complete. The children of arrays are not useful on a command line.
fn is_open(node: NodeRef<'_>) -> bool {
    !node.kind().is_scalar() && !node.is_empty() && !node.tag().is_some_and(NdArray::accepts_tag)
}

/// Returns the children of a collection with their steps in a JSON Pointer, without those that do not fit on a line.
fn children<'t>(node: NodeRef<'t>) -> impl Iterator<Item = (String, NodeRef<'t>)> {
    let items = (node.kind() == Kind::Sequence).then(|| node.items().enumerate());
    let items = items.into_iter().flatten().map(|(index, item)| (index.to_string(), item));
    let entries = node.entries().filter_map(|(key, value)| Some((step(key.text()?)?, value)));
    items.chain(entries)
}

/// Returns a key as a step of a JSON Pointer; `None` if it is empty or has characters that are escaped in output.
fn step(key: &str) -> Option<String> {
    let fits = !key.is_empty() && printable::is_plain(key);
    fits.then(|| key.replace('~', "~0").replace('/', "~1"))
}

/// Removes the quotes of a word as a shell does; leaves a word with an open quote unchanged.
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
