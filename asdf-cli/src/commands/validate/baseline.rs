//! Baselines: known findings, which are ignored.

use std::collections::HashMap;
use std::path::Path;

use asdf_core::{Error, Result};
use serde_json::{Value, json};

use super::judgement::{Finding, Judgement};
use crate::new_file;
use crate::remote::Remote;

/// A finding is identified by its file, code and path, so it is still found if its line or message changes.
type Key = (String, String, String);

enum State {
    None,
    Recording(Vec<Key>),
    /// The number of occurrences left for each finding.
    Known(HashMap<Key, usize>),
}

pub(super) struct Baseline(State);

impl Baseline {
    pub(super) fn none() -> Self {
        Self(State::None)
    }

    pub(super) fn recording() -> Self {
        Self(State::Recording(Vec::new()))
    }

    pub(super) fn read(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path)
            .map_err(|error| Error::io("reading the baseline", error).at_file(path))?;
        let wrong = || {
            Error::usage("not a baseline")
                .at_file(path)
                .with_hint("run `asdf validate --write-baseline FILE` to create one")
        };
        let json: Value = serde_json::from_str(&text).map_err(|_| wrong())?;
        let findings = json.get("asdf_baseline").and_then(|_| json.get("findings")?.as_array());
        let mut known: HashMap<Key, usize> = HashMap::new();
        for finding in findings.ok_or_else(wrong)? {
            let part = |name: &str| finding.get(name).and_then(Value::as_str).map(str::to_owned);
            let key = part("file").zip(part("code")).zip(part("path")).ok_or_else(wrong)?;
            *known.entry((key.0.0, key.0.1, key.1)).or_default() += 1;
        }
        Ok(Self(State::Known(known)))
    }

    /// Removes known findings from a judgement, or records its findings.
    pub(super) fn filter(&mut self, mut judgement: Judgement) -> Judgement {
        let name = judgement.name.clone();
        let key = |finding: &Finding| {
            let violation = &finding.violation;
            (name.clone(), violation.code().id().to_owned(), violation.path().as_str().to_owned())
        };
        match &mut self.0 {
            // A file that could not be opened is always reported.
            _ if judgement.failure.is_some() => {}
            State::None => {}
            State::Recording(all) => all.extend(judgement.findings.iter().map(key)),
            State::Known(known) => judgement.findings.retain(|finding| match known.get_mut(&key(finding)) {
                Some(left @ 1..) => {
                    *left -= 1;
                    false
                }
                _ => true,
            }),
        }
        judgement
    }

    /// Returns the number of known findings that did not occur.
    pub(super) fn gone(&self) -> usize {
        match &self.0 {
            State::Known(known) => known.values().sum(),
            _ => 0,
        }
    }

    pub(super) fn write(&self, path: &Path, remote: &Remote) -> Result<()> {
        let State::Recording(keys) = &self.0 else { return Ok(()) };
        let lines: Vec<String> = keys
            .iter()
            .map(|(file, code, at)| json!({"file": file, "code": code, "path": at}).to_string())
            .collect();
        let text = format!("{{\"asdf_baseline\": 1, \"findings\": [\n{}\n]}}\n", lines.join(",\n"));
        new_file::write_text(text.as_bytes(), path, remote)
    }
}
