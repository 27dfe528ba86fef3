//! Checks the examples of a schema.

use asdf_core::File;
use asdf_core::tree::{NodeRef, Path};

use super::document::Document;
use crate::Validator;
use crate::validate::{Code, Violation};

/// The lines before the text of an example.
const HEAD: &str = "#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n---\n";
const HEAD_LINES: u32 = 5;

/// Validates the examples and returns their number.
///
/// Each is a list of a title, an optional `asdf-standard-X.Y.Z`, and the text of a tree. If the root of the tree has no tag,
/// it is validated against the schema itself.
pub(super) fn check(
    validator: &Validator,
    document: &Document,
    root: NodeRef<'_>,
    out: &mut Vec<Violation>,
) -> usize {
    let mut count = 0;
    for (index, example) in root.get("examples").into_iter().flat_map(NodeRef::items).enumerate() {
        let parts: Vec<NodeRef<'_>> = example.items().filter(|part| part.as_str().is_some()).collect();
        let [title, .., text] = parts.as_slice() else { continue };
        count += 1;
        let place = Place { document, node: *text, index, last: example.len() - 1, title: *title };
        let content = text.as_str().unwrap_or_default();
        let standard = parts.iter().find_map(|part| part.as_str()?.strip_prefix("asdf-standard-"));
        let head = HEAD.replacen("1.6.0", standard.unwrap_or("1.6.0"), 1);
        let file = match File::from_bytes(format!("{head}{content}\n...\n").into_bytes()) {
            Ok(file) => file,
            Err(error) => {
                out.push(place.violation(&Violation::from_error(&error, Code::Example)));
                continue;
            }
        };
        let mut reports = vec![validator.validate_tree(file.tree())];
        if let Some(untagged) = file.tree().root().filter(|root| root.own_tag().is_none()) {
            reports.extend(validator.validate_node(untagged, &document.id));
        }
        let wrong = reports.iter().flat_map(|report| report.violations());
        out.extend(wrong.map(|violation| place.violation(violation)));
    }
    count
}

/// The place of an example in the file.
struct Place<'a> {
    document: &'a Document,
    node: NodeRef<'a>,
    index: usize,
    last: usize,
    title: NodeRef<'a>,
}

impl Place<'_> {
    /// Converts a violation in an example to one in the file of the schema.
    fn violation(&self, inner: &Violation) -> Violation {
        let path = Path::from_iter(["examples", &self.index.to_string(), &self.last.to_string()]);
        let title = self.title.as_str().unwrap_or_default().escape_debug();
        let at = inner.path().as_str();
        let at = if at.is_empty() { String::new() } else { format!("{at}: ") };
        let message = format!("the example '{title}' is not valid: {at}{}", inner.message());
        let mut violation = Violation::at(self.node, path, Code::Example, message);
        if let Some(start) = inner.position().and_then(|position| self.position(position)) {
            violation.position = Some(start);
            violation.end = inner.end().and_then(|end| self.position(end));
        }
        violation.schema = inner.schema().map(str::to_owned);
        violation.place = inner.place().map(str::to_owned);
        violation.hint = inner.hint().cloned();
        violation
    }

    /// Converts a position in the example to one in the file, if the example is a literal block.
    fn position(&self, (line, column): (u32, u32)) -> Option<(u32, u32)> {
        let line = line.checked_sub(HEAD_LINES)?;
        let number = usize::try_from(line.checked_sub(1)?).ok()?;
        let wanted = self.node.as_str()?.lines().nth(number)?;
        let (start, _) = self.node.position()?;
        // The text begins in the line of the block indicator, or in the next one.
        [start, start + 1].into_iter().find_map(|first| {
            let real = first.checked_add(line)?.checked_sub(1)?;
            let there = self.document.text.lines().nth(usize::try_from(real.checked_sub(1)?).ok()?)?;
            let indent = there.strip_suffix(wanted).filter(|indent| indent.chars().all(|c| c == ' '))?;
            Some((real, column.checked_add(u32::try_from(indent.len()).ok()?)?))
        })
    }
}
