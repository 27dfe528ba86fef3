//! Names in zarr: of groups, arrays and dimensions.

use std::collections::{BTreeMap, BTreeSet};

/// Returns the steps of a path in zarr's groups for a JSON Pointer. The root becomes `data`.
pub(super) fn steps(pointer: &str) -> Vec<String> {
    match pointer.strip_prefix('/') {
        Some(steps) => {
            steps.split('/').map(|step| name(&step.replace("~1", "/").replace("~0", "~"))).collect()
        }
        None => vec!["data".to_owned()],
    }
}

/// Returns a key as a name, which has no `/` and is not one of zarr's own names. Different keys have different names.
pub(super) fn name(key: &str) -> String {
    let key = key.replace('%', "%25").replace('/', "%2F");
    if key.is_empty() {
        "%".to_owned()
    } else if let Some(rest) = key.strip_prefix('.') {
        format!("%2E{rest}")
    } else if let Some(rest) = key.strip_prefix("__") {
        format!("%5F_{rest}")
    } else {
        key
    }
}

/// The names of the nodes in each group.
#[derive(Debug, Clone, Default)]
pub(super) struct Names {
    arrays: BTreeSet<Vec<String>>,
    groups: BTreeMap<Vec<String>, BTreeSet<String>>,
}

impl Names {
    /// Takes the names of an array and of the groups above it. Returns whether they were free.
    pub(super) fn take(&mut self, path: &[String]) -> bool {
        let above = || (0..path.len()).filter_map(|length| path.get(..length));
        let is_taken = self.arrays.contains(path)
            || self.groups.contains_key(path)
            || above().any(|group| self.arrays.contains(group));
        if is_taken {
            return false;
        }
        for (group, step) in above().zip(path) {
            self.groups.entry(group.to_vec()).or_default().insert(step.clone());
        }
        self.arrays.insert(path.to_vec())
    }

    /// Takes a name in a group, with as many `_` at its end as it needs to be unique.
    pub(super) fn unique(&mut self, group: &[String], mut name: String) -> String {
        let taken = self.groups.entry(group.to_vec()).or_default();
        while !taken.insert(name.clone()) {
            name.push('_');
        }
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_names_of_zarr() {
        assert_eq!(steps("/roman/data"), ["roman", "data"]);
        assert_eq!(steps("/a~1b/c~0/50%"), ["a%2Fb", "c~", "50%25"]);
        assert_eq!(steps("/.zarray//__x/_y/.."), ["%2Ezarray", "%", "%5F_x", "_y", "%2E."]);
        assert_eq!(steps(""), ["data"]);
    }

    #[test]
    fn names_are_unique_in_a_group() {
        let mut names = Names::default();
        let of = |pointer: &str| steps(pointer);
        assert!(names.take(&of("/a/b")) && names.take(&of("/a/c")) && names.take(&of("/b")));
        for taken in ["/a/b", "/a", "/a/b/c"] {
            assert!(!names.take(&of(taken)), "{taken}");
        }
        assert_eq!(names.unique(&of("/a"), "b".to_owned()), "b_");
        assert_eq!(names.unique(&of("/a"), "b".to_owned()), "b__");
        assert_eq!(names.unique(&[], "c".to_owned()), "c");
    }
}
