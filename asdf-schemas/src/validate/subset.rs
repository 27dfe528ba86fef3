//! The rules of ASDF for YAML ("YAML subset" in the standard).

use asdf_core::Tree;
use asdf_core::tree::{Kind, NodeRef, Path};

use super::{Code, Findings, Violation};

/// Checks one node: the keys of a mapping, and whether an integer fits 64 bits.
pub(super) fn check(node: NodeRef<'_>, path: impl Fn() -> Path, out: &mut Findings<'_>) {
    match node.kind() {
        Kind::Int if node.own_tag().is_none() => integer(node, path, out),
        Kind::Mapping => keys(node, path, out),
        _ => {}
    }
}

fn integer(node: NodeRef<'_>, path: impl Fn() -> Path, out: &mut Findings<'_>) {
    if node.as_i64().is_none() {
        let mut violation = Violation::unlike(node, path(), Code::Integers, "a 64-bit integer".to_owned());
        violation.hint = Some("write larger integers with the tag core/integer-1.1.0".into());
        out.push(violation);
    }
}

fn keys(node: NodeRef<'_>, path: impl Fn() -> Path, out: &mut Findings<'_>) {
    let at = |key: NodeRef<'_>| {
        let mut at = path();
        at.push(key.text().unwrap_or("?"));
        at
    };
    for (key, _) in node.entries() {
        match key.kind() {
            Kind::String | Kind::Bool => {}
            Kind::Int => integer(key, || at(key), out),
            _ => {
                let message =
                    format!("found {} as a key, expected a string, an integer or a boolean", key.describe());
                out.push(Violation::at(key, at(key), Code::Keys, message));
            }
        }
    }
    for (first, again) in node.duplicate_keys() {
        let name = again.text().unwrap_or_default().escape_debug();
        // The tree has the position of the anchored node, but not that of the alias.
        let is_alias = again.span().start <= first.span().start;
        let alias = match again.anchor().filter(|_| is_alias) {
            Some(anchor) => format!(", given by the alias *{}", anchor.escape_debug()),
            None => String::new(),
        };
        let before = match first.position() {
            Some((line, column)) => {
                let same = first.text() == again.text();
                let other = if same { String::new() } else { format!(" as {}", first.describe()) };
                format!(" (first{other} in line {line}, column {column})")
            }
            None => String::new(),
        };
        let mut violation = Violation::at(
            again,
            at(again),
            Code::DuplicateKey,
            format!("duplicate key '{name}'{alias}{before}"),
        );
        violation.hint = Some("remove one of the two: readers use the last one".into());
        out.push(violation);
    }
}

/// Checks the directives before the document: ASDF is YAML 1.1.
pub(super) fn directives(tree: &Tree, out: &mut Findings<'_>) {
    let Some(root) = tree.root() else { return };
    // Only comments and empty lines can precede or separate directives.
    let is_before = |line: &&str| {
        let words = line.trim_start();
        words.is_empty() || words.starts_with('#') || line.starts_with('%')
    };
    for line in tree.text().lines().take_while(is_before) {
        let mut words = line.split_whitespace();
        if words.next() == Some("%YAML") {
            if let Some(version) = words.next().filter(|version| *version != "1.1") {
                let message = format!("found %YAML {}, expected %YAML 1.1", version.escape_debug());
                let mut violation = Violation::at(root, Path::root(), Code::Yaml, message);
                violation.position = Some((tree.origin().line, 1));
                out.push(violation);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Code, Validator};
    use asdf_core::yaml::parse;

    #[test]
    fn directives_can_follow_comments() {
        for (text, expected) in [
            ("%YAML 1.2\n--- 1\n", 1),
            ("%YAML 1.1\n--- 1\n", 0),
            ("# one\n\n%YAML 1.2\n--- 1\n", 1),
            ("%TAG ! tag:x\n  # not in the first column\n%YAML 1.2\n--- 1\n", 1),
            // A line of a block scalar, not a directive.
            ("a: |\n %YAML 1.2\n", 0),
        ] {
            let report = Validator::standard().validate_tree(&parse(text).unwrap());
            let found = report.findings().filter(|finding| finding.code() == Code::Yaml).count();
            assert_eq!(found, expected, "{text}");
        }
    }
}
