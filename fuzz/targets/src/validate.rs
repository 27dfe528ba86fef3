//! Validates any file: the findings have places in it, come again, and are those of the same tree written anew.

use asdf_core::source::Bytes;
use asdf_core::yaml::{EmitOptions, emit, parse};
use asdf_core::{Limits, OpenOptions, Threads, Tree};
use asdf_schemas::validate::Violation;
use asdf_schemas::{Registry, Validator};
use std::ops::ControlFlow;
use std::sync::{Arc, OnceLock};

pub fn run(data: &[u8]) {
    let mut limits = Limits::default();
    limits.tree_size = 1 << 14;
    limits.tree_depth = 32;
    limits.decoded_size = 1 << 16;
    limits.decoded_total = Some(1 << 18);
    let options = OpenOptions::new().limits(limits).threads(Threads::ONE);
    let Ok(file) = options.open_bytes(Bytes::copy_from_slice(data)) else { return };
    let validator = validator();
    let report = validator.validate_file(&file);
    let mut streamed = Vec::new();
    validator.stream_file(&file, |violation| {
        streamed.push(shown(&violation));
        ControlFlow::Continue(())
    });
    let mut reported: Vec<_> = report.findings().map(shown).collect();
    // A stream can repeat a finding.
    for findings in [&mut streamed, &mut reported] {
        findings.sort();
        findings.dedup();
    }
    assert_eq!(streamed, reported);
    for finding in report.findings() {
        assert!(finding.offset().is_none_or(|offset| offset <= data.len() as u64), "{finding}");
        assert!(finding.to_string().len() < 4000, "{finding}");
    }
    if !file.is_draft()
        && file.tree().root().is_some()
        && let Ok(text) = emit(file.tree(), EmitOptions::new())
    {
        let again = parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(of_tree(&again), of_tree(file.tree()), "{text}");
    }
}

fn validator() -> &'static Validator {
    static VALIDATOR: OnceLock<Validator> = OnceLock::new();
    VALIDATOR.get_or_init(|| Validator::new(Arc::new(Registry::new())).max_expanded(2000).max_findings(50))
}

/// A finding without its position.
fn shown(finding: &Violation) -> String {
    format!("{} {} {}", finding.code(), finding.path(), finding.message())
}

fn of_tree(tree: &Tree) -> Vec<String> {
    static VALIDATOR: OnceLock<Validator> = OnceLock::new();
    let validator = VALIDATOR.get_or_init(|| {
        Validator::new(Arc::new(Registry::new())).max_expanded(2000).max_findings(50).without_blocks()
    });
    // Findings about the text, such as its version of YAML, end with the text.
    let of_text = |finding: &&Violation| finding.code().to_string().starts_with("ASDF-Y");
    validator.validate_tree(tree).findings().filter(|finding| !of_text(finding)).map(shown).collect()
}
