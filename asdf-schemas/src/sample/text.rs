//! Makes strings that match patterns.

use regex::Regex;
use regex_syntax::hir::{Class, Hir, HirKind};

use super::choices::Choices;

/// The maximum number of optional repetitions.
const MOST_MORE: u32 = 4;
/// The maximum length of a string.
pub(super) const MOST: usize = 4096;

/// The preferred characters of a class.
const USUAL: [char; 6] = ['x', 'X', '0', '1', '_', ' '];
/// The default time.
pub(super) const MOMENT: &str = "2000-01-01T00:00:00";

/// Makes a string that matches all patterns and has a length within the bounds.
pub(super) fn matching(
    patterns: &[String],
    least: usize,
    most: Option<usize>,
    choices: &mut Choices<'_>,
) -> Option<String> {
    let fits = |text: &str| {
        let length = text.chars().count();
        length >= least && most.is_none_or(|most| length <= most)
    };
    if patterns.is_empty() {
        let range = most.unwrap_or(least.max(8)).max(least);
        let wanted = least.max(choices.of(range.min(12) + 1)).min(MOST);
        return Some(longer(String::new(), wanted, choices)).filter(|text| fits(text));
    }
    let regexes: Vec<Regex> = patterns.iter().map(|pattern| regex(pattern)).collect::<Option<_>>()?;
    let fits_all = |text: &String| fits(text) && regexes.iter().all(|regex| regex.is_match(text));
    // Patterns of times also match times that do not exist, such as a month 0.
    let is_time = patterns.iter().any(|pattern| pattern.contains("[0-9]{4}-") || pattern.contains("\\d{4}-"));
    if is_time && choices.of(4) == 0 {
        if let Some(text) = Some(MOMENT.to_owned()).filter(fits_all) {
            return Some(text);
        }
    }
    patterns.iter().find_map(|pattern| {
        let mut text = String::new();
        write(&regex_syntax::parse(&of_python(pattern)).ok()?, choices, &mut text, 0)?;
        let whole = pattern.ends_with('$');
        let text = if whole { text } else { longer(text, least.min(MOST), choices) };
        Some(text).filter(fits_all)
    })
}

/// Makes the smallest string that matches a pattern.
pub(super) fn smallest(pattern: &str) -> Option<String> {
    matching(&[pattern.to_owned()], 0, None, &mut Choices::new(&[]))
}

/// Compiles a pattern of a schema.
pub(super) fn regex(pattern: &str) -> Option<Regex> {
    Regex::new(&of_python(pattern)).ok()
}

/// Converts a pattern of Python to the syntax of the crate `regex`.
fn of_python(pattern: &str) -> String {
    pattern.replace("\\Z", "\\z")
}

fn longer(mut text: String, wanted: usize, choices: &mut Choices<'_>) -> String {
    for _ in text.chars().count()..wanted {
        // Starts with `x`, which looks like a placeholder.
        text.push(char::from(b'a' + u8::try_from((choices.of(26) + 23) % 26).unwrap_or_default()));
    }
    text
}

fn write(hir: &Hir, choices: &mut Choices<'_>, out: &mut String, depth: usize) -> Option<()> {
    if out.len() > MOST || depth > 100 {
        return None;
    }
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => {}
        HirKind::Literal(literal) => out.push_str(std::str::from_utf8(&literal.0).ok()?),
        HirKind::Class(class) => out.push(one_of(class, choices)?),
        HirKind::Repetition(repetition) => {
            let most = repetition.max.unwrap_or(repetition.min.saturating_add(MOST_MORE));
            let span = most.saturating_sub(repetition.min).min(MOST_MORE);
            let more = u32::try_from(choices.of(usize::try_from(span).ok()? + 1)).ok()?;
            for _ in 0..repetition.min.saturating_add(more) {
                write(&repetition.sub, choices, out, depth + 1)?;
            }
        }
        HirKind::Capture(capture) => write(&capture.sub, choices, out, depth + 1)?,
        HirKind::Concat(parts) => {
            for part in parts {
                write(part, choices, out, depth + 1)?;
            }
        }
        HirKind::Alternation(branches) => {
            write(branches.get(choices.of(branches.len()))?, choices, out, depth + 1)?;
        }
    }
    Some(())
}

/// Chooses a character of a class. Prefers visible ones.
fn one_of(class: &Class, choices: &mut Choices<'_>) -> Option<char> {
    let Class::Unicode(class) = class else {
        let Class::Bytes(class) = class else { return None };
        return class.ranges().first().map(|range| char::from(range.start()));
    };
    let ranges: Vec<(char, char)> = class.ranges().iter().map(|range| (range.start(), range.end())).collect();
    let has = |wanted: char| ranges.iter().any(|(start, end)| (*start..=*end).contains(&wanted));
    if let Some(usual) = USUAL.into_iter().find(|wanted| choices.are_over() && has(*wanted)) {
        return Some(usual);
    }
    let seen = |(start, end): (char, char)| {
        let (start, end) = (start.max('!'), end.min('~'));
        (start <= end).then_some((start, end))
    };
    let visible: Vec<(char, char)> = ranges.iter().copied().filter_map(seen).collect();
    let ranges = if visible.is_empty() { ranges } else { visible };
    // Prefers letters: strings that look like numbers are quoted in YAML, and hard to read.
    let letters: Vec<(char, char)> =
        ranges.iter().copied().filter(|(start, _)| start.is_alphabetic()).collect();
    let ranges = if letters.is_empty() { ranges } else { letters };
    let (start, end) = *ranges.get(choices.of(ranges.len()))?;
    let span = usize::try_from(u32::from(end) - u32::from(start)).ok()?;
    let offset = u32::try_from(choices.of(span.min(60_000) + 1)).ok()?;
    Some(char::from_u32(u32::from(start) + offset).unwrap_or(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_match_their_patterns() {
        for pattern in [
            "^[A-Z0-9]+$",
            "^(a|b{2,3})?c*$",
            "[\\x00-\\x7f]*",
            "^[0-9]{4}-[0-9]{2}$",
            "^\\d+\\.\\d+$",
            "(?i)^abc",
            "^[+-]?[0-9]+(\\.[0-9]*)?([eE][+-]?[0-9]+)?$",
        ] {
            let regex = regex::Regex::new(pattern).unwrap();
            for seed in 0..40_u8 {
                let bytes: Vec<u8> = (0..seed).map(|at| at.wrapping_mul(seed).wrapping_add(7)).collect();
                let text = matching(&[pattern.to_owned()], 0, None, &mut Choices::new(&bytes)).unwrap();
                assert!(regex.is_match(&text), "{text:?} for {pattern}");
            }
        }
    }

    #[test]
    fn smallest_texts() {
        for (pattern, expected) in [
            ("^[A-Z]{3}$", "XXX"),
            ("^(WFI(0[1-9]|1[0-8]))$", "WFI01"),
            ("^[0-9]{4}-(0[1-9])", MOMENT),
            ("^[0-9]{4}-[0-9]{2}$", "0000-00"),
            ("a+b?c*", "a"),
            ("", ""),
            ("^asdf://.+$", "asdf://x"),
        ] {
            assert_eq!(smallest(pattern).as_deref(), Some(expected), "{pattern}");
        }
        assert_eq!(smallest("(?!a)b"), None);
    }

    #[test]
    fn texts_match_all_patterns() {
        let patterns = ["b", "^ab$"].map(str::to_owned);
        assert_eq!(matching(&patterns, 0, None, &mut Choices::new(&[])).as_deref(), Some("ab"));
    }

    #[test]
    fn lengths_are_kept() {
        let text = |least, most| matching(&[], least, most, &mut Choices::new(&[200; 40])).unwrap();
        assert_eq!(text(3, Some(3)).len(), 3);
        assert_eq!(text(0, Some(0)), "");
        assert_eq!(smallest("x{60000}"), None);
        assert!(
            matching(&["^abc$".to_owned()], 4, None, &mut Choices::new(&[])).is_none(),
            "it cannot be longer"
        );
    }
}
