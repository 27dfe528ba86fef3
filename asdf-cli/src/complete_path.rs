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

use asdf_core::tree::{Kind, NodeRef};
use asdf_core::value::FromNode;
use asdf_core::{NdArray, Result};
use asdf_tables::Dataset;
use clap::{Arg, Command, ValueHint};

use crate::context::Context;
use crate::input::inputs;
use crate::outcome::{Outcome, output};
use crate::place;

/// The words after `asdf` of the line that a shell is about to complete.
pub(crate) fn asked(mut arguments: impl Iterator<Item = OsString>) -> Option<Vec<String>> {
    let is = |word: Option<OsString>, name: &str| word.is_some_and(|word| word == name);
    let asked = is(arguments.nth(1), "complete-path") && is(arguments.next(), "--");
    asked.then(|| arguments.map(|word| word.to_string_lossy().into_owned()).collect())
}

/// How an argument that names a place in a tree is marked: no other kind of value has this hint.
pub(crate) const PLACE: ValueHint = ValueHint::Other;

/// The commands that take columns of tables by name.
const BY_COLUMN: [&str; 4] = ["head", "stats", "preview", "export"];

/// No shell shows more.
const MOST: usize = 500;
/// How long a shell waits: for a file on a network, or a folder of millions, it would be longer.
const PATIENCE: Duration = Duration::from_secs(2);

pub(crate) fn run(words: &[String], mut cli: Command, out: &mut dyn Write) -> Result<Outcome> {
    let words: Vec<String> = words.iter().map(|word| unquoted(word)).collect();
    let Some((word, before)) = words.split_last() else { return Ok(Outcome::NotFine) };
    // Else commands do not know the options that all of them have.
    cli.build();
    let Some(file) = file(&cli, before, word) else { return Ok(Outcome::NotFine) };
    let (answer, answered) = mpsc::channel();
    let word = word.clone();
    let columns = before.first().is_some_and(|command| BY_COLUMN.contains(&command.as_str()));
    // The end of the program ends it too.
    std::thread::spawn(move || drop(answer.send(of_file(file, columns, &word))));
    for place in answered.recv_timeout(PATIENCE).unwrap_or_default() {
        writeln!(out, "{place}").map_err(output)?;
    }
    Ok(Outcome::Fine)
}

/// The places in a file, of a folder in its first one; none where there is no file that can be read, and of standard
/// input and pipes, which somebody types into or the command itself is to read.
fn of_file(path: PathBuf, columns: bool, word: &str) -> Vec<String> {
    let Some(Ok(input)) = inputs(vec![path]).next() else { return Vec::new() };
    if input.is_stdin() || !input.path.is_file() {
        return Vec::new();
    }
    let file = Context::for_completions().open_quietly(&input.path).ok();
    let root = file.as_ref().and_then(|file| file.tree().root());
    let places = root.map(|root| Places { root, columns }.of(word));
    places.unwrap_or_default().into_iter().take(MOST).collect()
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

/// The places in a tree.
struct Places<'t> {
    root: NodeRef<'t>,
    /// Whether the columns of tables are places by their names.
    columns: bool,
}

impl Places<'_> {
    /// The places that begin with a word; what is below, where the word is one already.
    fn of(&self, word: &str) -> Vec<String> {
        let found = self.dotted(word);
        if found.is_empty() { self.pointers(word) } else { found }
    }

    /// The paths with dots that begin with a word. Keys that would need quotes are left out.
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

    /// The JSON Pointers that begin with a word.
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

    /// The places below a node whose last step begins with a text, with what stands before it.
    fn below(&self, node: NodeRef<'_>, before: &str, step: &str) -> Vec<String> {
        let columns = if self.columns { columns(node) } else { Vec::new() };
        let columns = columns.into_iter().map(|name| (name, false));
        let inner = children(node).map(|(name, inner)| (name, is_open(inner)));
        let fitting = columns.chain(inner).filter(|(name, _)| name.starts_with(step));
        fitting.map(|(name, open)| format!("{before}{name}{}", if open { "/" } else { "" })).collect()
    }
}

/// The names of a table's columns as steps.
fn columns(node: NodeRef<'_>) -> Vec<String> {
    if node.get("columns").is_none_or(|list| list.kind() != Kind::Sequence) {
        return Vec::new();
    }
    let Ok(Dataset::Table { columns, .. }) = Dataset::from_node(node) else { return Vec::new() };
    columns.as_slice().iter().filter_map(|column| step(&column.name)).collect()
}

/// Whether there are places below; those of arrays are not for people.
fn is_open(node: NodeRef<'_>) -> bool {
    !node.kind().is_scalar() && !node.is_empty() && !node.tag().is_some_and(NdArray::accepts_tag)
}

/// The steps to what is in a collection, as in a JSON Pointer; those that no line can hold are left out.
fn children<'t>(node: NodeRef<'t>) -> impl Iterator<Item = (String, NodeRef<'t>)> {
    let items = (node.kind() == Kind::Sequence).then(|| node.items().enumerate());
    let items = items.into_iter().flatten().map(|(index, item)| (index.to_string(), item));
    let entries = node.entries().filter_map(|(key, value)| Some((step(key.text()?)?, value)));
    items.chain(entries)
}

/// A key as a step of a JSON Pointer; `None` for those that no line can hold.
fn step(key: &str) -> Option<String> {
    let fits = !key.is_empty() && !key.contains(char::is_control);
    fits.then(|| key.replace('~', "~0").replace('/', "~1"))
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
