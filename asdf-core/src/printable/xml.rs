use super::{acts, begins_command};

/// Escapes text for XML 1.0, in elements and in attributes with double quotes.
///
/// Line feeds, tabs and carriage returns become character references. Other control characters, most of which XML does
/// not allow, are escaped as in `\u{1b}`. The noncharacters U+FFFE and U+FFFF become U+FFFD.
///
/// # Examples
/// ```
/// use asdf_core::printable::xml;
///
/// assert_eq!(xml("<a b=\"&\">\u{1b}\n"), r"&lt;a b=&quot;&amp;&quot;&gt;\u{1b}&#10;");
/// ```
#[must_use]
pub fn xml(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (at, c) in text.char_indices() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push_str("&#10;"),
            '\t' => out.push_str("&#9;"),
            '\r' => out.push_str("&#13;"),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            '#' if text.get(at..).is_some_and(begins_command) => out.push_str("&#35;"),
            c if acts(c) => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    #[test]
    fn text_cannot_break_the_xml_or_act_in_a_log() {
        let text = super::xml("<a b=\"&\">\u{1b}\n::error::\u{202e}##[x]\u{ffff}");
        assert_eq!(text, "&lt;a b=&quot;&amp;&quot;&gt;\\u{1b}&#10;::error::\\u{202e}&#35;#[x]\u{fffd}");
    }
}
