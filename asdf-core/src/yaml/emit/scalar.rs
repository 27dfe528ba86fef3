//! Scalars: plain, quoted, and block scalars.

use super::super::quote::{Bytes, Place, is_block, is_plain_string, is_plain_text, quote};
use super::Emitter;
use crate::tree::{Kind, NodeRef, Style, YAML_TAG, from_f64, resolve};

/// Returns whether a node is written as its tag alone.
///
/// For most readers such a node is a text: `!unit/unit-1.0.0` is the unit without a name, and
/// `!unit/unit-1.0.0 null` is a unit called null.
pub(super) fn is_blank(node: NodeRef<'_>) -> bool {
    node.kind() == Kind::Null
        && node.text().is_some_and(str::is_empty)
        && node.tag().is_some_and(|tag| !tag.starts_with(YAML_TAG))
}

impl Emitter<'_> {
    #[inline]
    pub(super) fn scalar(&mut self, node: NodeRef<'_>, indent: usize, place: Place) {
        let text = node.text().unwrap_or_default();
        if node.kind() != Kind::String {
            self.resolved(node, text, place);
            return;
        }
        self.string(node, text, Bytes::of(text), indent, place);
    }

    #[inline]
    pub(super) fn string(
        &mut self,
        node: NodeRef<'_>,
        text: &str,
        bytes: Bytes,
        indent: usize,
        place: Place,
    ) {
        let style = node.style();
        if matches!(style, Style::Any | Style::Plain) && is_plain_string(text, bytes, place) {
            self.out.push_str(text);
        } else {
            self.marked_string(node, text, bytes, indent, place);
        }
    }

    /// Writes a string that is not simply plain.
    fn marked_string(&mut self, node: NodeRef<'_>, text: &str, bytes: Bytes, indent: usize, place: Place) {
        let style = node.style();
        let plain = match style {
            // Merge keys and similar scalars that were read. Those of a program are text.
            Style::Plain if matches!(text, "<<" | "=") && node.span().end > 0 => true,
            Style::Any | Style::Plain => {
                node.tag().is_some_and(|tag| tag.starts_with(YAML_TAG)) && is_plain_text(text, bytes, place)
            }
            _ => false,
        };
        if plain {
            self.out.push_str(text);
            return;
        }
        let block = match style {
            Style::Any => bytes.has_newline(),
            Style::Literal | Style::Folded => true,
            _ => false,
        };
        // Readers disagree on the indentation of a block scalar at the root.
        let indented = text.trim_start_matches('\n').starts_with([' ', '\t']);
        let room = !place.flow && !place.key && (indent > 0 || !indented);
        if block && room && is_block(text) {
            self.text_block(text, indent, style == Style::Folded, indented);
            return;
        }
        quote(text, bytes, style == Style::DoubleQuoted, &mut self.out);
    }

    /// Writes a scalar that is not a string.
    #[inline]
    fn resolved(&mut self, node: NodeRef<'_>, text: &str, place: Place) {
        if text.is_empty() {
            if !is_blank(node) {
                self.out.push_str("null");
            }
            return;
        }
        if !self.forced {
            self.out.push_str(text);
            return;
        }
        self.forced(node, text, place);
    }

    fn forced(&mut self, node: NodeRef<'_>, text: &str, place: Place) {
        // With one of YAML's own tags, a text can have another kind than it resolves to.
        let kind = node.kind();
        if resolve(text) == kind {
            self.out.push_str(text);
        } else if node.tag().is_some_and(|tag| tag.starts_with(YAML_TAG)) {
            let bytes = Bytes::of(text);
            if is_plain_text(text, bytes, place) {
                self.out.push_str(text);
            } else {
                quote(text, bytes, false, &mut self.out);
            }
        } else {
            // The tag was removed.
            match kind {
                Kind::Int => self.out.push_str(&node.as_bigint().unwrap_or_default().to_string()),
                Kind::Float => self.out.push_str(&from_f64(node.as_f64().unwrap_or(f64::NAN))),
                _ => self.out.push_str("null"),
            }
        }
    }

    /// Writes a block scalar after `|`, or after `>` if that style is requested and its lines can be folded.
    fn text_block(&mut self, text: &str, indent: usize, folded: bool, indented: bool) {
        let body = text.trim_end_matches('\n');
        // Lines that begin with a blank are not folded, and then none is.
        let folded = folded && !body.split('\n').any(|line| line.starts_with([' ', '\t']));
        self.out.push(if folded { '>' } else { '|' });
        if indented {
            self.out.push('2');
        }
        self.out.push_str(match text.len() - body.len() {
            0 => "-",
            1 => "",
            _ => "+",
        });
        let indent = indent.max(2);
        // Between two lines, a folded block has one more break than the text.
        let mut begun = false;
        for line in text.strip_suffix('\n').unwrap_or(text).split('\n') {
            if !line.is_empty() && std::mem::replace(&mut begun, true) && folded {
                self.newline(0);
            }
            self.newline(if line.is_empty() { 0 } else { indent });
            if folded {
                self.folded_line(line, indent);
            } else {
                self.out.push_str(line);
            }
        }
    }

    /// Writes a line of text, broken at single spaces if it is too wide.
    fn folded_line(&mut self, line: &str, indent: usize) {
        let mut rest = line;
        loop {
            let room = self.options.width.saturating_sub(self.column()).max(1);
            if rest.len() <= room {
                break;
            }
            let breaks = |&at: &usize| {
                at > 0
                    && matches!(rest.as_bytes().get(at - 1..at + 2), Some([a, b' ', b]) if !is_space(*a) && !is_space(*b))
            };
            let mut spaces = rest.bytes().enumerate().filter(|&(_, byte)| byte == b' ').map(|(at, _)| at);
            // The last space that fits, or else the first one.
            let mut best = None;
            for at in spaces.by_ref().filter(breaks) {
                if at > room && best.is_some() {
                    break;
                }
                best = Some(at);
                if at > room {
                    break;
                }
            }
            let Some((head, tail)) = best.and_then(|at| rest.split_at_checked(at)) else { break };
            self.out.push_str(head);
            self.newline(indent);
            rest = tail.strip_prefix(' ').unwrap_or(tail);
        }
        self.out.push_str(rest);
    }
}

fn is_space(byte: u8) -> bool {
    byte == b' ' || byte == b'\t'
}
