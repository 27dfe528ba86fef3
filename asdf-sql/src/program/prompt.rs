//! The prompt: statements are typed line by line and end with a semicolon.

use std::io::Write as _;
use std::path::PathBuf;

use asdf_core::Error;
use datafusion::common::Result;
use rustyline::error::ReadlineError;
use rustyline::{Config, DefaultEditor};

use crate::message::message;
use crate::run::{Runner, external, interruptible};

/// What the prompt says first.
const WELCOME: &str = "Type a query that ends with `;`, such as: select * from 'folder/' limit 5;\n\
                       Type Ctrl-C to end a query, and Ctrl-D to quit.";

/// Reads statements and runs them until the input ends.
pub(crate) async fn run(runner: &Runner) -> Result<()> {
    let config = Config::builder().auto_add_history(false).build();
    let mut editor = DefaultEditor::with_config(config).map_err(failed)?;
    let history = history();
    if let Some(path) = &history {
        // There is none before the first use.
        let _ = editor.load_history(path);
    }
    let mut err = std::io::stderr();
    let _ = writeln!(err, "{WELCOME}");
    let mut text = String::new();
    loop {
        let prompt = if text.is_empty() { "asdf> " } else { " ...> " };
        let line = match editor.readline(prompt) {
            Ok(line) => line,
            Err(ReadlineError::Interrupted) => {
                text.clear();
                continue;
            }
            Err(ReadlineError::Eof) => break,
            Err(error) => return Err(failed(error)),
        };
        if text.is_empty() && matches!(line.trim(), "quit" | "exit" | "\\q" | "") {
            if line.trim().is_empty() {
                continue;
            }
            break;
        }
        text.push_str(&line);
        text.push('\n');
        if !line.trim_end().ends_with(';') {
            continue;
        }
        let statement = std::mem::take(&mut text);
        let _ = editor.add_history_entry(statement.trim());
        if let Err(error) = interruptible(runner.run(&statement, None)).await {
            // A query that was ended has not printed its own.
            runner.warn();
            let _ = writeln!(err, "{}", message(&error).0);
        }
    }
    if let Some(path) = &history {
        // Without a home folder that can be written, nothing is kept.
        let _ = editor.save_history(path);
    }
    Ok(())
}

/// The file with the statements of earlier sessions.
fn history() -> Option<PathBuf> {
    let state = std::env::var_os("XDG_STATE_HOME").map(PathBuf::from);
    let state = state.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".local/state")))?;
    let folder = state.join("asdf");
    std::fs::create_dir_all(&folder).ok()?;
    Some(folder.join("sql_history"))
}

fn failed(error: ReadlineError) -> datafusion::common::DataFusionError {
    external(Error::io("reading the terminal", std::io::Error::other(error.to_string())))
}
