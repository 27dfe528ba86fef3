//! Texts that match patterns.

use regex_syntax::hir::{Class, Hir, HirKind};

use super::choices::Choices;

/// The most characters that a repetition without an end is made into.
const MOST_MORE: u32 = 4;
/// The longest text.
const MOST: usize = 4096;

/// A text that all patterns are found in, which has a length within the bounds. Made for the first
/// pattern alone: whoever asks has to see whether it is one for the others.
pub(super) fn matching(
    patterns: &[String],
    least: usize,
    most: Option<usize>,
    choices: &mut Choices<'_>,
) -> Option<String> {
    let mut text = String::new();
    if let Some(pattern) = patterns.first() {
        let hir = regex_syntax::parse(&pattern.replace("\\Z", "\\z")).ok()?;
        write(&hir, choices, &mut text, 0)?;
    }
    let whole = patterns.first().is_some_and(|pattern| pattern.ends_with('$'));
    let room = most.unwrap_or(least.max(8)).max(least);
    let more = if patterns.is_empty() { choices.of(room.min(12) + 1) } else { 0 };
    let wanted = least.max(more).min(MOST);
    while !whole && text.chars().count() < wanted {
        text.push(char::from(b'a' + u8::try_from(choices.of(26)).unwrap_or_default()));
    }
    (text.chars().count() >= least && most.is_none_or(|most| text.chars().count() <= most)).then_some(text)
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

/// A character of a class; one that can be seen, if there is one.
fn one_of(class: &Class, choices: &mut Choices<'_>) -> Option<char> {
    let Class::Unicode(class) = class else {
        let Class::Bytes(class) = class else { return None };
        return class.ranges().first().map(|range| char::from(range.start()));
    };
    let ranges: Vec<(char, char)> = class.ranges().iter().map(|range| (range.start(), range.end())).collect();
    let seen = |(start, end): (char, char)| {
        let (start, end) = (start.max('!'), end.min('~'));
        (start <= end).then_some((start, end))
    };
    let visible: Vec<(char, char)> = ranges.iter().copied().filter_map(seen).collect();
    let ranges = if visible.is_empty() { ranges } else { visible };
    // Letters first: what looks like a number in YAML is quoted, and hard to read.
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
    fn lengths_are_kept() {
        let text = |least, most| matching(&[], least, most, &mut Choices::new(&[200; 40])).unwrap();
        assert_eq!(text(3, Some(3)).len(), 3);
        assert_eq!(text(0, Some(0)), "");
        assert!(
            matching(&["^abc$".to_owned()], 4, None, &mut Choices::new(&[])).is_none(),
            "it cannot be longer"
        );
    }
}
