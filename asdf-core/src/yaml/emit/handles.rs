//! Writing tags, with a `%TAG` handle or in full.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;

use super::EmitOptions;
use super::survey::Survey;
use crate::error::{Error, Result};
use crate::tree::{ASDF_TAG, Tree, YAML_TAG};

/// A prefix gets a handle if at least this many nodes have it.
const OFTEN: usize = 3;

/// The parser rejects longer prefixes.
const MAX_PREFIX: usize = 1024;

/// Longer names of handles are truncated.
const MAX_NAME: usize = 24;

/// The handles of a text, and the tags written with them.
#[derive(Debug)]
pub(super) struct Handles {
    declared: Vec<(String, String)>,
    /// Written tags by tag number; empty for tags that no node has.
    short: Vec<Box<str>>,
}

impl Handles {
    pub(super) fn new(tree: &Tree, survey: &Survey, options: EmitOptions) -> Result<Self> {
        // Without directives, handles cannot be declared.
        let mut declared = if options.directives { tree.handles().to_vec() } else { Vec::new() };
        check(&declared)?;
        let written = || tree.tags().iter().zip(survey.tags()).filter(|&(_, &count)| count > 0);
        if options.directives && options.handles {
            let new = invented(&declared, written().map(|(tag, &count)| (tag, count)));
            declared.extend(new);
        }
        let prefixes = Prefixes::new(&declared);
        let short = tree.tags().iter().zip(survey.tags()).map(|(tag, &count)| match count {
            0 => Ok(Box::default()),
            _ => short(&prefixes, tag).map(String::into_boxed_str),
        });
        let short = short.collect::<Result<_>>()?;
        Ok(Self { declared, short })
    }

    /// Returns the handles and their prefixes: those of the tree, then new ones.
    pub(super) fn declared(&self) -> &[(String, String)] {
        &self.declared
    }

    /// Returns a written tag by its number.
    #[inline]
    pub(super) fn short(&self, index: usize) -> &str {
        self.short.get(index).map_or("", AsRef::as_ref)
    }
}

/// Checks that the handles can be read back, because programs can set them too.
fn check(handles: &[(String, String)]) -> Result<()> {
    let mut known = BTreeSet::new();
    for (handle, prefix) in handles {
        let name = handle.strip_prefix('!').map(|rest| rest.strip_suffix('!').unwrap_or(rest));
        let closed = handle == "!" || (handle.len() > 1 && handle.ends_with('!'));
        let named = name.is_some_and(|n| n.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_".contains(&b)));
        if !closed || !named || !known.insert(handle) {
            return Err(Error::usage(format!("cannot write the tag handle '{}'", handle.escape_debug()))
                .with_hint(
                    "use '!', '!!' or '!name!' with letters, digits and '-', and set each handle once",
                ));
        }
        // What the parser accepts. Prefixes are stored as in the text, including escapes.
        let fits = |byte: u8| is_uri_byte(byte) || matches!(byte, b'%' | b'#');
        let begins = !prefix.is_empty() && !prefix.starts_with([',', '[', ']']);
        if !begins || prefix.len() > MAX_PREFIX || !prefix.bytes().all(fits) {
            return Err(Error::usage(format!(
                "cannot write the prefix '{}' of the tag handle {handle}",
                prefix.escape_debug()
            ))
            .with_hint("use the beginning of a URI, with at most 1024 bytes"));
        }
    }
    Ok(())
}

/// Creates handles for prefixes that many tags share and that have none.
///
/// They are sorted by prefix, so that their names depend neither on the order of a tree nor on how often a
/// tag occurs.
fn invented<'t>(
    declared: &[(String, String)],
    tags: impl Iterator<Item = (&'t str, usize)> + Clone,
) -> Vec<(String, String)> {
    let mut taken: BTreeSet<String> = declared.iter().map(|(handle, _)| handle.clone()).collect();
    // `!x` is a separate tag as long as `!` is not a handle.
    let mut whole = !taken.contains("!") && !tags.clone().any(|(tag, _)| tag.starts_with('!'));
    let known = Prefixes::new(declared);
    let mut prefixes: BTreeMap<&str, (usize, String)> = BTreeMap::new();
    for (tag, count) in tags {
        if tag.starts_with('!') || tag.starts_with(YAML_TAG) || known.through(tag).is_some() {
            continue;
        }
        let Some((prefix, name)) = family(tag) else { continue };
        prefixes.entry(prefix).or_insert((0, name)).0 += count;
    }
    let mut new = Vec::new();
    for (prefix, (count, name)) in prefixes {
        if prefix == ASDF_TAG && std::mem::take(&mut whole) {
            new.insert(0, ("!".to_owned(), prefix.to_owned()));
            continue;
        }
        if count < OFTEN {
            continue;
        }
        let names = (1_usize..).map(|n| if n == 1 { format!("!{name}!") } else { format!("!{name}-{n}!") });
        if let Some(handle) = names.into_iter().find(|handle| !taken.contains(handle)) {
            taken.insert(handle.clone());
            new.push((handle, prefix.to_owned()));
        }
    }
    new
}

/// Returns the common prefix of the tags of one package, and a name for it.
///
/// For `asdf://stsci.edu/datamodels/roman/tags/x-1.0.0` these are `asdf://stsci.edu/datamodels/roman/tags/`
/// and `roman`. For `tag:stsci.edu:gwcs/wcs-1.2.0` they are `tag:stsci.edu:gwcs/` and `gwcs`.
fn family(tag: &str) -> Option<(&str, String)> {
    let (authority, path) = match tag.strip_prefix("tag:") {
        Some(rest) => rest.split_once(':')?,
        None => tag.split_once("://")?.1.split_once('/')?,
    };
    let before = tag.len() - path.len();
    let (end, stem) = match (path.find("/tags/"), path.strip_prefix("tags/"), tag.starts_with("tag:")) {
        (Some(at), ..) => (at + "/tags/".len(), path.get(..at)?),
        (None, Some(_), _) => ("tags/".len(), ""),
        (None, None, true) => {
            path.find('/').map_or((0, ""), |at| (at + 1, path.get(..at).unwrap_or_default()))
        }
        (None, None, false) => {
            path.rfind('/').map_or((0, ""), |at| (at + 1, path.get(..at).unwrap_or_default()))
        }
    };
    let (prefix, suffix) = tag.split_at_checked(before + end)?;
    let valid = !suffix.is_empty()
        && suffix.bytes().all(is_suffix_byte)
        && prefix.len() <= MAX_PREFIX
        && prefix.bytes().all(|b| b != b'!' && is_uri_byte(b));
    if !valid {
        return None;
    }
    let last = stem.rsplit('/').next().unwrap_or_default();
    // From a host, take the name before `.edu`. A date can follow the host.
    let host = authority.split(',').next().unwrap_or_default();
    let host = host.rsplit('.').nth(usize::from(host.contains('.'))).unwrap_or_default();
    let name = [last, host, "tags"].into_iter().map(named).find(|name| !name.is_empty())?;
    Some((prefix, name))
}

/// Returns a name of letters, digits and `-` that begins with a letter; empty if that is not possible.
fn named(text: &str) -> String {
    if !text.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return String::new();
    }
    let name: String =
        text.chars().take(MAX_NAME).map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    name.trim_end_matches('-').to_owned()
}

/// Handles by prefix, so that a tag need not be compared with each of them.
struct Prefixes<'h> {
    handles: BTreeMap<&'h [u8], (&'h str, &'h str)>,
    names: BTreeSet<&'h str>,
}

impl<'h> Prefixes<'h> {
    fn new(declared: &'h [(String, String)]) -> Self {
        let mut handles = BTreeMap::new();
        // A prefix with escapes differs from the text that it represents.
        for (handle, prefix) in declared.iter().filter(|(_, prefix)| !prefix.contains('%')) {
            handles.entry(prefix.as_bytes()).or_insert((prefix.as_str(), handle.as_str()));
        }
        Self { handles, names: declared.iter().map(|(handle, _)| handle.as_str()).collect() }
    }

    /// Returns the handle with the longest prefix that leaves a valid suffix, and the suffix.
    fn through<'t>(&self, tag: &'t str) -> Option<(&'h str, &'t str)> {
        let mut most = tag.as_bytes();
        loop {
            // In sorted order, prefixes of the tag come before it, longer ones later.
            let before = self.handles.range::<[u8], _>((Bound::Unbounded, Bound::Included(most)));
            let (_, &(prefix, handle)) = before.into_iter().next_back()?;
            let shared = match tag.strip_prefix(prefix) {
                Some(suffix) if is_suffix(suffix) => return Some((handle, suffix)),
                Some(_) => prefix.len().checked_sub(1)?,
                None => tag.bytes().zip(prefix.bytes()).take_while(|(a, b)| a == b).count(),
            };
            most = most.get(..shared)?;
        }
    }
}

fn short(handles: &Prefixes<'_>, tag: &str) -> Result<String> {
    if let Some((handle, suffix)) = handles.through(tag) {
        return Ok(format!("{handle}{suffix}"));
    }
    let own = |handle: &str| handles.names.contains(handle);
    if let Some(suffix) = tag.strip_prefix(YAML_TAG).filter(|suffix| is_suffix(suffix) && !own("!!")) {
        return Ok(format!("!!{suffix}"));
    }
    if tag.strip_prefix('!').is_some_and(is_suffix) && !own("!") {
        return Ok(tag.to_owned());
    }
    if matches!(tag, "" | "!") {
        return Err(Error::usage(format!("cannot write the tag '{tag}'"))
            .with_hint("use a URI as the tag, or `set_tag(id, None)` to remove it"));
    }
    let mut full = String::from("!<");
    for byte in tag.bytes() {
        if is_uri_byte(byte) {
            full.push(char::from(byte));
        } else {
            full.push('%');
            full.extend(
                [byte >> 4, byte & 15]
                    .map(|digit| char::from_digit(u32::from(digit), 16).unwrap_or('0').to_ascii_uppercase()),
            );
        }
    }
    full.push('>');
    Ok(full)
}

fn is_suffix(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(is_suffix_byte)
}

/// Returns whether a byte can be unescaped in a tag's suffix, in flow collections too.
fn is_suffix_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-;/?:@&=+$_.~*'()".contains(&byte)
}

/// Returns whether a byte can be unescaped between `!<` and `>`, and in a prefix.
fn is_uri_byte(byte: u8) -> bool {
    is_suffix_byte(byte) || b"!,[]".contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_prefix_with_a_suffix_is_taken() {
        let pairs = [
            ("!a!", "tag:a/"),
            ("!ab!", "tag:a/b"),
            ("!c!", "tag:a/bc/"),
            ("!z!", "tag:a/bz"),
            ("!e!", "tag:a/%62"),
        ];
        let handles: Vec<_> = pairs.map(|(handle, prefix)| (handle.to_owned(), prefix.to_owned())).into();
        let prefixes = Prefixes::new(&handles);
        for (tag, found) in [
            ("tag:a/bc/x", Some(("!c!", "x"))),
            ("tag:a/bd", Some(("!ab!", "d"))),
            ("tag:a/b", Some(("!a!", "b"))),
            ("tag:a/", None),
            ("tag:a/é", None),
            ("tag:b", None),
            ("", None),
        ] {
            assert_eq!(prefixes.through(tag), found, "{tag}");
        }
    }

    #[test]
    fn families_have_readable_names() {
        for (tag, prefix, name) in [
            ("tag:stsci.edu:gwcs/wcs-1.2.0", "tag:stsci.edu:gwcs/", "gwcs"),
            ("tag:astropy.org:astropy/time/time-1.1.0", "tag:astropy.org:astropy/", "astropy"),
            (
                "asdf://stsci.edu/datamodels/roman/tags/reference_files/dark-1.0.0",
                "asdf://stsci.edu/datamodels/roman/tags/",
                "roman",
            ),
            (
                "asdf://asdf-format.org/transform/tags/transform/shift-1.0.0",
                "asdf://asdf-format.org/transform/tags/",
                "transform",
            ),
            ("asdf://example.com/tags/x-1.0.0", "asdf://example.com/tags/", "example"),
            (
                "asdf://example.com/weather_data/tags/x",
                "asdf://example.com/weather_data/tags/",
                "weather-data",
            ),
            ("http://example.com/a/1.0/x", "http://example.com/a/1.0/", "example"),
            ("asdf://localhost/x", "asdf://localhost/", "localhost"),
            ("tag:yaml.example.org,2002:x", "tag:yaml.example.org,2002:", "example"),
            ("asdf://127.0.0.1/tags/x", "asdf://127.0.0.1/tags/", "tags"),
        ] {
            assert_eq!(family(tag), Some((prefix, name.to_owned())), "{tag}");
        }
        for tag in
            ["x", "tag:x", "tag:x.org:a/", "asdf://x", "asdf://x.org/tags/a b", "asdf://x.org/t!gs/a", ""]
        {
            assert_eq!(family(tag), None, "{tag}");
        }
    }

    #[test]
    fn names_are_new_and_do_not_depend_on_the_order() {
        let tags =
            [("asdf://b.org/x/tags/one", 2), ("asdf://a.org/x/tags/one", 3), ("asdf://b.org/x/tags/two", 1)];
        let own = [("!x-2!".to_owned(), "tag:x.org:".to_owned())];
        let expected = [("!x!", "asdf://a.org/x/tags/"), ("!x-3!", "asdf://b.org/x/tags/")];
        let expected = expected.map(|(handle, prefix)| (handle.to_owned(), prefix.to_owned()));
        assert_eq!(invented(&own, tags.into_iter()), expected);
        assert_eq!(invented(&own, tags.into_iter().rev()), expected);
    }
}
