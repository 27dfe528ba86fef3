//! The smallest numbers and texts.

use asdf_core::tree::NodeRef;
use regex::Regex;
use regex_syntax::hir::{Class, Hir, HirKind};

use super::facets::Facets;

/// The number nearest to 0 within all limits, as far as one is found.
pub(super) fn number(facets: &Facets, integer: bool) -> f64 {
    let limits = |keyword: &'static str| facets.each(keyword).filter_map(NodeRef::as_f64);
    let low = limits("minimum").fold(f64::NEG_INFINITY, f64::max);
    let high = limits("maximum").fold(f64::INFINITY, f64::min);
    let open = |keyword: &str| facets.each(keyword).any(|flag| flag.as_bool() == Some(true));
    let mut value = 0.0_f64.max(low).min(high);
    let between = |limit: f64, step: f64, other: f64| match other.is_finite() && !integer {
        true => f64::midpoint(limit, other),
        false => limit + step,
    };
    if value == low && open("exclusiveMinimum") {
        value = between(low, 1.0, high);
    } else if value == high && open("exclusiveMaximum") {
        value = between(high, -1.0, low);
    }
    if integer {
        value = if value < 0.0 { value.floor().max(low.ceil()) } else { value.ceil() };
    }
    match facets.each("multipleOf").filter_map(NodeRef::as_f64).next() {
        Some(step) if step > 0.0 => (value / step).ceil() * step,
        _ => value,
    }
}

/// A text that fits all patterns and lengths; `None` when none was found.
pub(super) fn text(facets: &Facets) -> Option<String> {
    let patterns: Vec<&str> = facets.each("pattern").filter_map(NodeRef::as_str).collect();
    let is_time = facets.each("format").any(|format| format.as_str() == Some("date-time"));
    // A pattern of times is looser than a time.
    let years = |pattern: &&str| pattern.contains("[0-9]{4}-") || pattern.contains("\\d{4}-");
    let first = if is_time || patterns.iter().any(years) { "2000-01-01T00:00:00" } else { "" };
    let made = patterns.iter().filter_map(|pattern| fitting(pattern));
    let fits = |text: &String| {
        let fits = |pattern: &&str| Regex::new(pattern).is_ok_and(|pattern| pattern.is_match(text));
        patterns.iter().all(fits)
    };
    let least = usize::try_from(facets.most("minLength")).ok().filter(|least| *least <= MOST_CHARACTERS)?;
    let most = facets.each("maxLength").filter_map(NodeRef::as_u64).min();
    std::iter::once(first.to_owned())
        .chain(made)
        .map(|mut text| {
            let missing = least.saturating_sub(text.chars().count());
            text.extend(std::iter::repeat_n('x', missing));
            text
        })
        .filter(|text| most.is_none_or(|most| text.chars().count() as u64 <= most))
        .find(fits)
}

/// No text is made longer than this.
const MOST_CHARACTERS: usize = 10_000;

/// A text in which a pattern is found.
pub(super) fn fitting(pattern: &str) -> Option<String> {
    let mut text = String::new();
    let hir = regex_syntax::parse(pattern).ok()?;
    append(&hir, &mut text, 0)?;
    Some(text)
}

fn append(hir: &Hir, text: &mut String, depth: usize) -> Option<()> {
    if depth > 100 || text.len() > MOST_CHARACTERS {
        return None;
    }
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => Some(()),
        HirKind::Literal(literal) => {
            text.push_str(std::str::from_utf8(&literal.0).ok()?);
            Some(())
        }
        HirKind::Class(class) => {
            text.push(character(class)?);
            Some(())
        }
        HirKind::Repetition(repetition) => {
            for _ in 0..repetition.min {
                append(&repetition.sub, text, depth + 1)?;
            }
            Some(())
        }
        HirKind::Capture(capture) => append(&capture.sub, text, depth + 1),
        HirKind::Concat(all) => all.iter().try_for_each(|part| append(part, text, depth + 1)),
        HirKind::Alternation(all) => append(all.first()?, text, depth + 1),
    }
}

/// A character of a class: one that people would choose, if there is any.
fn character(class: &Class) -> Option<char> {
    let ranges: Vec<(char, char)> = match class {
        Class::Unicode(class) => class.ranges().iter().map(|range| (range.start(), range.end())).collect(),
        Class::Bytes(class) => {
            class.ranges().iter().map(|range| (range.start().into(), range.end().into())).collect()
        }
    };
    let has = |wanted: char| ranges.iter().any(|(low, high)| (*low..=*high).contains(&wanted));
    ['x', 'X', '0', '1', '_', ' ']
        .into_iter()
        .find(|wanted| has(*wanted))
        .or(ranges.first().map(|range| range.0))
}

#[cfg(test)]
mod tests {
    use super::fitting;

    #[test]
    fn texts_fit_their_patterns() {
        for (pattern, expected) in [
            ("^[A-Z]{3}$", "XXX"),
            ("^(WFI(0[1-9]|1[0-8]))$", "WFI01"),
            ("^[0-9]{4}-(0[1-9])", "0000-01"),
            ("a+b?c*", "a"),
            ("", ""),
            ("^asdf://.+$", "asdf://x"),
        ] {
            assert_eq!(fitting(pattern).as_deref(), Some(expected), "{pattern}");
        }
        assert_eq!(fitting("(?!a)b"), None);
        assert_eq!(fitting("x{60000}"), None);
    }
}
