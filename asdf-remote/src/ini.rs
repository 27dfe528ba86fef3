//! The format of the configuration files of AWS: sections of keys and values.

/// The value of a key in a section. Names of sections are compared after `profile ` is removed.
pub(crate) fn value<'t>(text: &'t str, section: &str, key: &str) -> Option<&'t str> {
    let mut inside = false;
    let mut found = None;
    for line in text.lines() {
        // Nested keys are indented. They belong to the key before.
        let is_nested = line.starts_with([' ', '\t']);
        let line = line.trim();
        if let Some(name) = line.strip_prefix('[').and_then(|line| line.split(']').next()) {
            let name = name.trim();
            inside = name.strip_prefix("profile").map_or(name, str::trim_start) == section || name == section;
        } else if let Some((name, value)) = line.split_once('=') {
            let is_comment = line.starts_with(['#', ';']);
            if inside && !is_nested && !is_comment && name.trim().eq_ignore_ascii_case(key) {
                found = Some(value.split(" #").next().unwrap_or_default().trim());
            }
        }
    }
    found.filter(|value| !value.is_empty())
}

/// Whether there is a section.
pub(crate) fn has_section(text: &str, section: &str) -> bool {
    text.lines().any(|line| {
        let name = line.trim().strip_prefix('[').and_then(|line| line.split(']').next()).map(str::trim);
        name.is_some_and(|name| {
            name.strip_prefix("profile").map_or(name, str::trim_start) == section || name == section
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# region = none\n[default]\nregion=us-west-2 # mine\ns3 =\n  region = nested\n\n\
        [profile my team]\nREGION = eu-west-1\n;region = none\ncredential_process = get \"a b\" --x=1\n[empty]\nregion =\n";

    #[test]
    fn values_are_found_in_their_section() {
        for (section, key, expected) in [
            ("default", "region", Some("us-west-2")),
            ("my team", "region", Some("eu-west-1")),
            ("my team", "credential_process", Some("get \"a b\" --x=1")),
            ("default", "s3", None),
            ("empty", "region", None),
            ("none", "region", None),
        ] {
            assert_eq!(value(TEXT, section, key), expected, "{section} {key}");
        }
        assert!(has_section(TEXT, "my team") && has_section(TEXT, "empty") && !has_section(TEXT, "my"));
    }
}
