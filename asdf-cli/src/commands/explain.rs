//! `asdf explain`: explains the codes of the validator.

use std::io::Write;

use asdf_core::Result;
use asdf_schemas::validate::Code;
use asdf_tables::json::Printable;

use crate::colour::Colours;
use crate::outcome::{Outcome, output};
use crate::suggested::Suggested;

/// Parses any word and suggests all codes. `run` parses the code, and its error lists all of them.
const CODE: Suggested<String> = Suggested {
    parse: |text| Ok(text.to_owned()),
    names: || Code::ALL.iter().map(|code| code.id()).collect(),
};

/// Explain a code that `asdf validate` prints, such as ASDF-S001.
///
/// Without a code, lists all of them.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  asdf explain S003
  asdf explain --json | jq -r .codes[].code")]
pub(crate) struct Args {
    /// Print JSON: {"asdf_explain": 1, "codes"}
    ///
    /// The keys of each code are "code", "rule", "severity", "title" and "explanation".
    #[arg(long)]
    json: bool,

    /// The code, with or without ASDF-
    #[arg(value_parser = CODE, hide_possible_values = true)]
    code: Option<String>,
}

pub(crate) fn run(args: &Args, colours: Colours, out: &mut dyn Write) -> Result<Outcome> {
    let one = args.code.as_deref().map(str::parse::<Code>).transpose()?;
    let codes = one.as_ref().map_or(Code::ALL, std::slice::from_ref);
    if args.json {
        let codes: Vec<_> = codes
            .iter()
            .map(|code| {
                serde_json::json!({
                    "code": code.id(),
                    "rule": code.rule(),
                    "severity": code.severity().name(),
                    "title": code.title(),
                    "explanation": code.explanation(),
                })
            })
            .collect();
        let report = serde_json::json!({"asdf_explain": 1, "codes": codes});
        writeln!(out, "{}", Printable(&report)).map_err(output)?;
        return Ok(Outcome::Fine);
    }
    match one {
        Some(code) => {
            let head = format!("{} ({}, {})", code.id(), code.rule(), code.severity());
            writeln!(out, "{}: {}\n\n{}", colours.bold(head), code.title(), code.explanation())
        }
        None => codes.iter().try_for_each(|code| {
            writeln!(
                out,
                "{}  {:<8} {:<21} {}",
                colours.bold(code.id()),
                code.severity().name(),
                code.rule(),
                code.title()
            )
        }),
    }
    .map_err(output)?;
    Ok(Outcome::Fine)
}
