//! Escapes the parts of workflow commands of GitHub Actions: `::COMMAND PROPERTY=VALUE,..::MESSAGE`.

use super::line;

/// Escapes the message of a command. GitHub shows its line breaks.
///
/// # Examples
/// ```
/// use asdf_core::printable::github::{message, property};
///
/// assert_eq!(message("50 %\n\u{1b}[2J"), r"50 %25%0A\u{1b}[2J");
/// assert_eq!(property("a,b:c"), "a%2Cb%3Ac");
/// ```
#[must_use]
pub fn message(text: &str) -> String {
    line(&encoded(text))
}

/// Escapes the value of a property.
#[must_use]
pub fn property(text: &str) -> String {
    line(&encoded(text).replace(':', "%3A").replace(',', "%2C"))
}

fn encoded(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}
