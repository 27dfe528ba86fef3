//! Paths as people write them: with dots and brackets, negative indices, or a misspelled name.

use asdf_schema_model::pointer::unescape;

use super::{Kind, NodeRef, Path, Tree, nearest};

impl Path {
    /// Parses a path with dots and brackets, such as `roman.meta[0]`.
    ///
    /// Quotes allow dots in a key: `"a.b".c`.
    ///
    /// Returns `None` for a JSON Pointer, and for text that is not such a path. Indices become steps
    /// unchanged.
    ///
    /// # Examples
    /// ```
    /// use asdf_core::tree::Path;
    ///
    /// let dotted = |text| Path::from_dotted(text).map(|path| path.to_string());
    /// assert_eq!(dotted("roman.meta[0]").as_deref(), Some("/roman/meta/0"));
    /// assert_eq!(dotted("\"a.b\".c").as_deref(), Some("/a.b/c"));
    /// assert_eq!(dotted("/roman/meta"), None);
    /// ```
    #[must_use]
    pub fn from_dotted(text: &str) -> Option<Self> {
        if text.is_empty() || text.contains('/') {
            return None;
        }
        let mut path = Self::root();
        let mut rest = text;
        loop {
            let step = match rest.strip_prefix('"') {
                Some(quoted) => {
                    let (name, after) = quoted.split_once('"')?;
                    rest = after;
                    name
                }
                None => {
                    let (name, after) = rest.split_at(rest.find(['.', '[']).unwrap_or(rest.len()));
                    rest = after;
                    name
                }
            };
            // A path into a list at the root begins with a bracket.
            let is_root = step.is_empty() && rest.starts_with('[') && path == Self::root();
            if !is_root {
                path.push(Some(step).filter(|step| !step.is_empty())?);
            }
            while let Some(inside) = rest.strip_prefix('[') {
                let (index, after) = inside.split_once(']')?;
                path.push(index.trim_matches('"'));
                rest = after;
            }
            match rest.strip_prefix('.') {
                Some(next) => rest = next,
                None if rest.is_empty() => return Some(path),
                None => return None,
            }
        }
    }

    /// Parses the pattern of paths for [`DifferenceOptions::ignore`](super::DifferenceOptions::ignore).
    ///
    /// A text that begins with `/` or `*` is a pattern already. Others are paths with dots and brackets, in which `[*]` and
    /// `[]` mean each item, or JSON Pointers without their first slash. Returns `None` for other text.
    ///
    /// # Examples
    /// ```
    /// use asdf_core::tree::Path;
    ///
    /// assert_eq!(Path::pattern("**/date").as_deref(), Some("**/date"));
    /// assert_eq!(Path::pattern("list[*].x").as_deref(), Some("/list/*/x"));
    /// assert_eq!(Path::pattern("a | b"), None);
    /// ```
    #[must_use]
    pub fn pattern(text: &str) -> Option<String> {
        if text.starts_with(['/', '*']) {
            return Some(text.to_owned());
        }
        // Queries of other languages, which would find nothing.
        if text.is_empty() || text.contains(['|', '&', '?', '`', '@', '(', '{', '!']) {
            return None;
        }
        if text.contains('/') {
            return Some(format!("/{text}"));
        }
        let path = Self::from_dotted(text)?;
        let steps = path.as_str().split('/').skip(1);
        Some(steps.map(|step| format!("/{}", if step.is_empty() { "*" } else { step })).collect())
    }
}

impl Tree {
    /// Interprets text that a person wrote as a path in this tree.
    ///
    /// The text is a JSON Pointer, with or without its first slash, or a path with dots and brackets
    /// ([`Path::from_dotted`]). `/` is the root. A key at the root that equals the whole text takes
    /// precedence. A negative index counts from the end of a list.
    ///
    /// The returned path does not have to exist.
    ///
    /// # Examples
    /// ```
    /// use asdf_core::yaml;
    ///
    /// let tree = yaml::parse("{a: {b: [1, 2, 3]}, d.e: 4}")?;
    /// for (text, path) in [
    ///     ("/a/b/0", "/a/b/0"),
    ///     ("a.b[0]", "/a/b/0"),
    ///     ("a.b[-1]", "/a/b/2"),
    ///     ("d.e", "/d.e"),
    ///     ("/", ""),
    /// ] {
    ///     assert_eq!(tree.resolve_path(text).as_str(), path);
    /// }
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    #[must_use]
    pub fn resolve_path(&self, text: &str) -> Path {
        let mut path = Path::root();
        if text.is_empty() || text == "/" {
            return path;
        }
        // A key at the root that contains dots takes precedence.
        let written = match self.root().is_some_and(|root| root.get(text).is_some()) {
            true => Path::from_iter([text]),
            false => Path::from_dotted(text)
                .unwrap_or_else(|| text.strip_prefix('/').unwrap_or(text).split('/').map(unescape).collect()),
        };
        let mut node = self.root();
        for step in written.as_str().split('/').skip(1).map(unescape) {
            path.push(&from_end(node, &step).unwrap_or_else(|| step.into_owned()));
            node = self.find(path.as_str());
        }
        path
    }

    /// Suggests an existing path similar to one that does not exist.
    ///
    /// Returns a key with nearly the same name where the path ends, or else the first key with exactly the
    /// same name anywhere. Searches the whole tree.
    ///
    /// # Examples
    /// ```
    /// use asdf_core::yaml;
    ///
    /// let tree = yaml::parse("{meta: {exposure: {type: WFI_IMAGE}}}")?;
    /// let similar = |path: &str| Ok::<_, asdf_core::Error>(tree.similar_path(&path.parse()?).map(|path| path.to_string()));
    /// assert_eq!(similar("/meta/exposur/type")?.as_deref(), Some("/meta/exposure"));
    /// assert_eq!(similar("/type")?.as_deref(), Some("/meta/exposure/type"));
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    #[must_use]
    pub fn similar_path(&self, missing: &Path) -> Option<Path> {
        let (mut end, mut below) = (missing.parent()?, missing.clone());
        while self.find(end.as_str()).is_none() {
            (end, below) = (end.parent()?, end);
        }
        let node = self.find(end.as_str())?;
        if node.kind() == Kind::Mapping {
            let keys: Vec<&str> = node.entries().filter_map(|(key, _)| key.text()).collect();
            if let Some(key) = nearest(&below.last()?, &keys) {
                end.push(key);
                return Some(end);
            }
        }
        self.search().key(missing.last()?).next().map(|found| found.path)
    }
}

/// Converts a negative index to one from the start.
fn from_end(node: Option<NodeRef<'_>>, step: &str) -> Option<String> {
    let node = node.filter(|node| node.kind() == Kind::Sequence)?;
    let back: usize = step.strip_prefix('-')?.parse().ok().filter(|back| *back > 0)?;
    node.len().checked_sub(back).map(|index| index.to_string())
}

#[cfg(test)]
mod tests {
    #[test]
    fn texts_resolve_to_paths() {
        let tree = crate::yaml::parse("{a: {b: [1, {c: 2}, 3], -1: x}, d.e: 4, f: {g.h: 5}}").unwrap();
        for (text, path) in [
            ("", ""),
            ("/", ""),
            ("a", "/a"),
            ("/a/b/0", "/a/b/0"),
            ("a/b/0", "/a/b/0"),
            ("a.b", "/a/b"),
            ("a.b[0]", "/a/b/0"),
            ("a.b.0", "/a/b/0"),
            ("a.b[1].c", "/a/b/1/c"),
            ("a.b[-2].c", "/a/b/1/c"),
            ("/a/b/-1", "/a/b/2"),
            // These are not indices: a key of a mapping, an item that does not exist, an item to append.
            ("/a/-1", "/a/-1"),
            ("/a/b/-4", "/a/b/-4"),
            ("/a/b/-", "/a/b/-"),
            ("a.b[-]", "/a/b/-"),
            ("d.e", "/d.e"),
            ("/d.e", "/d.e"),
            ("f.\"g.h\"", "/f/g.h"),
            ("f[\"g.h\"]", "/f/g.h"),
            ("/x~1y/z", "/x~1y/z"),
            ("a.b[0", "/a.b[0"),
            ("a..b", "/a..b"),
            (".a", "/.a"),
        ] {
            assert_eq!(tree.resolve_path(text).as_str(), path, "{text}");
        }
    }
}
