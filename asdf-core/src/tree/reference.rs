//! References such as `{$ref: "#/a/b"}`, with a JSON Pointer in the fragment of a URI.

use asdf_schema_model::pointer::unescape;
use asdf_schema_model::uri;

use super::{Kind, NodeRef, Path, Search, Tree, pointer};
use crate::error::{Error, Result};

/// The key that makes a mapping a reference, whatever other keys it has.
pub(crate) const REF: &str = "$ref";

/// The maximum number of references that are followed in a row.
const LONGEST: usize = 100;

impl<'a> NodeRef<'a> {
    /// Returns the URI of a reference: a mapping whose key `$ref` is a string.
    #[doc(alias = "$ref")]
    #[must_use]
    pub fn reference(self) -> Option<&'a str> {
        self.get(REF)?.as_str()
    }

    /// Iterates lazily over the references at and below this node.
    #[must_use]
    pub fn references(self) -> References<'a> {
        // Filtering by node first builds the path of references only, which costs as much as it is deep.
        References(self.search().filter_node(|node| node.reference().is_some()))
    }
}

/// An iterator over the references in a tree, as path, node and URI.
///
/// A shared reference is returned for each place that directly contains it.
///
/// # Examples
/// ```
/// let tree = asdf_core::yaml::parse("data: [1, 2]\nfirst: {$ref: '#/data/0'}\n")?;
/// let found: Vec<_> = tree.references().map(|(path, _, uri)| (path.to_string(), uri)).collect();
/// assert_eq!(found, [("/first".to_owned(), "#/data/0")]);
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[derive(Debug)]
pub struct References<'a>(Search<'a>);

impl<'a> Iterator for References<'a> {
    type Item = (Path, NodeRef<'a>, &'a str);

    fn next(&mut self) -> Option<Self::Item> {
        let found = self.0.next()?;
        Some((found.path, found.node, found.node.reference()?))
    }
}

/// The target of a chain of references.
pub(crate) enum Target<'a> {
    /// A node of this tree.
    Here(NodeRef<'a>),
    /// A place in another file: its URI without the fragment, still percent-encoded, and the steps of the
    /// pointer.
    There(&'a str, Vec<String>),
}

/// The references followed so far, to detect cycles and describe them.
#[derive(Debug, Default)]
pub(crate) struct Trail {
    /// The document, the node in it, and the remaining steps.
    met: Vec<(usize, u32, Vec<String>)>,
    names: Vec<String>,
    /// The number of documents entered so far.
    pub(crate) document: usize,
}

impl Trail {
    /// Creates a trail that begins in a document, given its number.
    pub(crate) fn from_document(document: usize) -> Self {
        Self { document, ..Self::default() }
    }

    fn follow(&mut self, node: NodeRef<'_>, uri: &str, rest: &[String]) -> Result<()> {
        let here = (self.document, node.id().number(), rest.to_vec());
        self.names.push(uri.escape_debug().to_string());
        if self.met.contains(&here) {
            return Err(
                node.error(format!("the reference leads back to itself: {}", self.names.join(" -> ")))
            );
        }
        if self.met.len() >= LONGEST {
            let chain = self.names.iter().take(5).map(String::as_str).collect::<Vec<_>>().join(" -> ");
            return Err(Error::limit(format!(
                "the chain of references is longer than {LONGEST}: {chain} -> …"
            )));
        }
        self.met.push(here);
        Ok(())
    }
}

impl Tree {
    /// Iterates lazily over the references in the tree.
    #[doc(alias = "find_references")]
    #[must_use]
    pub fn references(&self) -> References<'_> {
        References(self.search().filter_node(|node| node.reference().is_some()))
    }

    /// Follows a reference to its target in this tree, through any further references.
    ///
    /// Returns a node that is not a reference unchanged. Nothing is copied or changed.
    ///
    /// The fragment is a JSON Pointer, with `%XX` decoded. Its first slash can be left out, and an empty one
    /// is the root. References on the way of the pointer are followed too.
    ///
    /// # Examples
    /// ```
    /// let tree = asdf_core::yaml::parse(
    ///     "wcs: {steps: [a, b]}\nfirst: {$ref: '#/wcs/steps/0'}\nalso: {$ref: '#first'}\nround: {$ref: '#/round'}\n",
    /// )?;
    /// assert_eq!(tree.resolve(tree.at("/also")?)?.as_str(), Some("a"));
    /// assert_eq!(
    ///     tree.resolve(tree.at("/round")?).unwrap_err().message(),
    ///     "the reference leads back to itself: #/round -> #/round"
    /// );
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// - [`Missing`](crate::error::Kind::Missing) if the target does not exist. The message lists what
    ///   exists.
    /// - [`Mismatch`](crate::error::Kind::Mismatch) if references form a cycle. The message shows the cycle.
    /// - [`Limit`](crate::error::Kind::Limit) if more than 100 references follow each other.
    /// - [`Unsupported`](crate::error::Kind::Unsupported) for a reference to another file, which
    ///   [`File::resolve`](crate::File::resolve) follows.
    #[doc(alias = "resolve_references")]
    pub fn resolve<'a>(&'a self, node: NodeRef<'a>) -> Result<NodeRef<'a>> {
        match follow(node, Vec::new(), &mut Trail::default())? {
            Target::Here(node) => Ok(node),
            Target::There(uri, _) => {
                let uri = uri.escape_debug();
                Err(Error::unsupported(format!("the reference leads to another file, '{uri}'"))
                    .with_hint("use `File::resolve` to follow references to other files"))
            }
        }
    }
}

/// Descends the steps from a node, through references, to a node that is not a reference.
pub(crate) fn follow<'a>(start: NodeRef<'a>, steps: Vec<String>, trail: &mut Trail) -> Result<Target<'a>> {
    let mut node = start;
    let mut path = Path::root();
    // In reverse: the last is the next step.
    let mut rest: Vec<String> = steps.into_iter().rev().collect();
    loop {
        // A reference's own keys come first, so that `#/a/$ref` finds the text of a reference.
        let own = rest.last().and_then(|step| node.child(step));
        match (own, node.reference()) {
            (Some(child), _) => {
                if let Some(step) = rest.pop() {
                    path.push(&step);
                }
                node = child;
            }
            (None, Some(uri)) => {
                trail.follow(node, uri, &rest)?;
                let (file, fragment) = uri.split_once('#').unwrap_or((uri, ""));
                let mut steps = fragment_steps(fragment).ok_or_else(|| {
                    let fragment = fragment.escape_debug();
                    node.error(format!("found the fragment '{fragment}', expected a JSON Pointer"))
                })?;
                if !file.is_empty() {
                    steps.extend(rest.into_iter().rev());
                    return Ok(Target::There(file, steps));
                }
                rest.extend(steps.into_iter().rev());
                let Some(root) = node.tree().root() else { return node.fail("a tree with a root") };
                (node, path) = (root, Path::root());
            }
            (None, None) => match rest.last() {
                None => return Ok(Target::Here(node)),
                Some(step) => {
                    let error = pointer::missing(node, &path, step, None);
                    let asked = rest.iter().rev().fold(path, |mut asked, step| {
                        asked.push(step);
                        asked
                    });
                    return Err(error.at_path(asked.as_str()));
                }
            },
        }
    }
}

/// Splits the pointer in a URI's fragment into steps; `None` if it is not text.
///
/// Python's asdf accepts pointers without the first slash, and so does this.
fn fragment_steps(fragment: &str) -> Option<Vec<String>> {
    let pointer = percent_decode(fragment)?;
    if pointer.is_empty() {
        return Some(Vec::new());
    }
    let steps = pointer.strip_prefix('/').unwrap_or(&pointer).split('/');
    Some(steps.map(|step| unescape(step).into_owned()).collect())
}

/// Decodes percent-encoding; `None` if the result is not UTF-8 or contains NUL.
pub(crate) fn percent_decode(text: &str) -> Option<String> {
    uri::decode_strict(text).filter(|text| !text.contains('\0'))
}

/// Percent-encodes everything that is not allowed in a URI's path or fragment.
pub(crate) fn percent_encode(text: &str) -> String {
    uri::encode(text, uri::PATH)
}

/// Returns the URI of a node that must be a reference.
pub(crate) fn reference_uri(node: NodeRef<'_>) -> Result<&str> {
    if node.kind() != Kind::Mapping {
        return node.fail("a reference: a mapping with the key `$ref`");
    }
    match node.get(REF) {
        Some(uri) => uri.as_str().ok_or_else(|| uri.expected("the URI of a reference").under(REF)),
        None => Err(node.error("the required property '$ref' is missing")),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn tree(entries: &[(&str, &str)]) -> Tree {
        let mut tree = Tree::new();
        let root = tree.add_mapping([]);
        tree.set_root(root);
        for (key, uri) in entries {
            let reference = tree.add_mapping([]);
            let uri = tree.add_str(uri);
            tree.insert(reference, REF, uri);
            tree.insert(root, key, reference);
        }
        let (one, list) = (tree.add_int(1), tree.add_sequence([]));
        tree.push(list, one);
        let odd = tree.add_mapping([]);
        tree.insert(odd, "x/y~ é", list);
        tree.insert(root, "odd", odd);
        tree
    }

    fn resolved(tree: &Tree, pointer: &str) -> String {
        match tree.at(pointer).and_then(|node| tree.resolve(node)) {
            Ok(node) => node.describe(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn fragments_are_pointers_with_and_without_a_slash() {
        let tree = tree(&[
            ("a", "#/odd/x~1y~0%20%C3%A9/0"),
            ("b", "#odd/x~1y~0 é/0"),
            ("c", "#/a"),
            ("d", "#/e/x~1y~0%20é/0"),
            ("e", "#/odd"),
            ("whole", "#"),
        ]);
        for pointer in ["/a", "/b", "/c", "/d", "/odd/x~1y~0 é/0"] {
            assert_eq!(resolved(&tree, pointer), "the integer 1", "{pointer}");
        }
        assert_eq!(resolved(&tree, "/whole"), "a mapping of 7 entries");
        assert_eq!(tree.references().count(), 6);
        let (path, _, uri) = tree.references().nth(2).unwrap();
        assert_eq!((path.as_str(), uri), ("/c", "#/a"));
    }

    #[test]
    fn cycles_and_missing_targets_are_reported() {
        let tree = tree(&[
            ("a", "#/b"),
            ("b", "#/c"),
            ("c", "#/a"),
            ("grows", "#/grows/more"),
            ("dead", "#/odd/none"),
            ("other", "other.asdf#/x"),
            ("bad", "#/%FF"),
        ]);
        assert_eq!(resolved(&tree, "/a"), "the reference leads back to itself: #/b -> #/c -> #/a -> #/b");
        assert!(resolved(&tree, "/grows").starts_with("the chain of references is longer than 100"));
        assert_eq!(
            resolved(&tree, "/dead"),
            "/odd/none: the key 'none' does not exist in /odd\n  hint: use x/y~ é"
        );
        assert!(resolved(&tree, "/other").starts_with("the reference leads to another file, 'other.asdf'"));
        assert_eq!(resolved(&tree, "/bad"), "found the fragment '/%FF', expected a JSON Pointer");
    }

    proptest! {
        #[test]
        fn percent_encoding_is_undone(text in "[^\0]{0,20}") {
            prop_assert_eq!(percent_decode(&percent_encode(&text)), Some(text));
        }

        #[test]
        fn any_key_can_be_referred_to(key in "[^\0]{1,10}") {
            let mut path = Path::root();
            path.push(&key);
            let uri = format!("#{}", percent_encode(path.as_str()));
            let mut tree = tree(&[("ref to it", &uri)]);
            let (root, value) = (tree.root().unwrap().id(), tree.add_str("found"));
            tree.insert(root, &key, value);
            if key != "ref to it" {
                prop_assert_eq!(resolved(&tree, "/ref to it"), "the string 'found'");
            }
        }
    }
}
