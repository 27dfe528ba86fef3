//! The format `junit`: one test suite for each file, with a failed test for each violation or one passed test.

use std::io::Write;

use asdf_schemas::validate::{Code, Severity};

use super::super::judgement::Judgement;
use super::{Printer, Summary};

pub(super) struct Junit {
    pub(super) quiet: bool,
}

impl Printer for Junit {
    fn begin(&mut self, out: &mut dyn Write) -> std::io::Result<()> {
        writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"asdf validate\">")
    }

    fn file(&mut self, judgement: &Judgement, out: &mut dyn Write) -> std::io::Result<()> {
        let name = escaped(&judgement.name);
        let failures = judgement.count(Severity::Error);
        if let Some(error) = &judgement.failure {
            // JUnit's `error` is for tests that could not run.
            let (message, text) = (escaped(error.message()), escaped(&error.to_string()));
            return writeln!(
                out,
                "  <testsuite name=\"{name}\" tests=\"1\" failures=\"0\" errors=\"1\">\n    \
                 <testcase classname=\"{name}\" name=\"{} /\">\n      \
                 <error type=\"file\" message=\"{message}\">{text}</error>\n    </testcase>\n  </testsuite>",
                Code::Unreadable
            );
        }
        writeln!(
            out,
            "  <testsuite name=\"{name}\" tests=\"{}\" failures=\"{failures}\" errors=\"0\">",
            failures.max(1)
        )?;
        if failures == 0 {
            writeln!(out, "    <testcase classname=\"{name}\" name=\"valid\"/>")?;
        }
        for finding in judgement.findings.iter().filter(|one| one.severity == Severity::Error) {
            let violation = &finding.violation;
            let (code, path) = (violation.code(), violation.path().as_str());
            let test = escaped(&format!("{code} {}", if path.is_empty() { "/" } else { path }));
            writeln!(out, "    <testcase classname=\"{name}\" name=\"{test}\">")?;
            let (message, rule) = (escaped(violation.message()), escaped(violation.rule()));
            let text = escaped(&format!("{}:{violation}", judgement.name));
            writeln!(
                out,
                "      <failure type=\"{rule}\" message=\"{message}\">{text}</failure>\n    </testcase>"
            )?;
        }
        let others: Vec<String> = judgement
            .findings
            .iter()
            .filter(|one| !self.quiet && one.severity < Severity::Error)
            .map(|one| format!("{}: {}", one.severity, one.violation))
            .collect();
        if !others.is_empty() {
            writeln!(out, "    <system-out>{}</system-out>", escaped(&others.join("\n")))?;
        }
        writeln!(out, "  </testsuite>")
    }

    fn end(&mut self, _: &Summary, out: &mut dyn Write) -> std::io::Result<()> {
        writeln!(out, "</testsuites>")
    }
}

/// Escapes text for XML 1.0, which does not allow most control characters.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' => out.push(c),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c if c.is_control() => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    #[test]
    fn text_cannot_break_the_xml() {
        assert_eq!(super::escaped("<a b=\"&\">\u{1b}\n"), "&lt;a b=&quot;&amp;&quot;&gt;\\u{1b}\n");
    }
}
