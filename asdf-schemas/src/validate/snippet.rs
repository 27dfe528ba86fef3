//! The line of a file with a finding, and the columns to mark.

use asdf_core::Tree;
use asdf_core::printable::characters;
use unicode_width::UnicodeWidthChar as _;

use super::Violation;

/// The most characters that are shown before the start of the mark.
const BEFORE: usize = 50;
/// The most characters that are shown from the start of the mark.
const AFTER: usize = 60;

/// The line of a file with a finding, and the columns to mark, for messages on a terminal.
///
/// # Examples
///
/// ```
/// use asdf_core::yaml;
/// use asdf_schemas::Validator;
/// use asdf_schemas::validate::Snippet;
///
/// let text = "%TAG ! tag:stsci.edu:asdf/\n--- {a: !unit/quantity-1.1.0 {value: 5.0, unit: 3}}\n";
/// let tree = yaml::parse(text)?;
/// let report = Validator::standard().validate_tree(&tree);
/// let snippet = Snippet::of(&report.violations()[0], &tree).expect("the node has a position");
/// assert_eq!(snippet.text, "--- {a: !unit/quantity-1.1.0 {value: 5.0, unit: 3}}");
/// assert_eq!((snippet.line, snippet.before, snippet.marked), (2, 48, 1));
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Snippet {
    /// The number of the line, from 1.
    pub line: u32,
    /// The printable part of the line around the mark.
    pub text: String,
    /// The number of terminal columns before the mark.
    pub before: usize,
    /// The number of marked terminal columns.
    pub marked: usize,
}

impl Snippet {
    /// Returns the snippet of a finding, or `None` if the finding has no position in the text of the tree.
    #[must_use]
    pub fn of(violation: &Violation, tree: &Tree) -> Option<Self> {
        let (line, column) = violation.position()?;
        let text = tree.line(line)?;
        let end = violation.end().filter(|(last, _)| *last == line).map(|(_, column)| column);
        Some(Self::new(line, text, column, end))
    }

    /// Creates the snippet of a line. `column` and `end` count characters from 1; without `end`, the rest of the line
    /// is marked.
    fn new(line: u32, text: &str, column: u32, end: Option<u32>) -> Self {
        let column = usize::try_from(column).unwrap_or(usize::MAX).saturating_sub(1);
        let end = end.and_then(|end| usize::try_from(end).ok()).map_or(usize::MAX, |end| end - 1);
        let first = column.saturating_sub(BEFORE);
        let mut snippet = Self { line, text: String::new(), before: 0, marked: 0 };
        let ellipsis = |snippet: &mut Self| snippet.text.push('…');
        if first > 0 {
            ellipsis(&mut snippet);
            snippet.before = 1;
        }
        for (index, shown) in characters(text).enumerate().skip(first) {
            if index >= column.saturating_add(AFTER) {
                ellipsis(&mut snippet);
                break;
            }
            let width: usize = shown.chars().map(|c| c.width().unwrap_or(0)).sum();
            if index < column {
                snippet.before += width;
            } else if index < end {
                snippet.marked += width;
            }
            snippet.text.push_str(&shown);
        }
        let trailing = snippet.text.len() - snippet.text.trim_end().len();
        snippet.marked = snippet.marked.saturating_sub(if end == usize::MAX { trailing } else { 0 }).max(1);
        snippet.text.truncate(snippet.text.trim_end().len());
        snippet
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_counted_as_positions_are() {
        let tree = asdf_core::yaml::parse("a: 1\rb: 2\r\nb: 3\n").unwrap();
        let report = crate::Validator::standard().validate_tree(&tree);
        let snippet = Snippet::of(&report.violations()[0], &tree).unwrap();
        assert_eq!((snippet.line, snippet.text.as_str()), (3, "b: 3"));
    }

    #[test]
    fn marks_are_below_what_they_mark() {
        let snippet = |text: &str, column, end| {
            let snippet = Snippet::new(1, text, column, end);
            (snippet.text, snippet.before, snippet.marked)
        };
        assert_eq!(snippet("a: 5", 4, Some(5)), ("a: 5".to_owned(), 3, 1));
        assert_eq!(snippet("星: [1, 2]  ", 4, None), ("星: [1, 2]".to_owned(), 4, 6));
        assert_eq!(snippet("\u{1b}x: yy", 5, Some(7)), ("\\u{1b}x: yy".to_owned(), 9, 2));
        let long = "x".repeat(500);
        let (text, before, marked) = snippet(&long, 301, Some(303));
        assert_eq!((text.chars().count(), before, marked), (112, 51, 2));
    }
}
