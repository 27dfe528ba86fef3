//! References to other places: `{$ref: "#/a/b"}`, JSON Pointers in the fragment of a URI.

use asdf_schema_model::pointer::unescape;
use asdf_schema_model::uri;

use super::{Kind, NodeRef, Path, Search, Tree, pointer};
use crate::error::{Error, Result};

/// The key that makes a mapping a reference, whatever other keys it has.
pub(crate) const REF: &str = "$ref";

/// How many references are followed in a row.
const LONGEST: usize = 100;

impl<'a> NodeRef<'a> {
    /// The URI of a node that is a reference: a mapping whose key `$ref` is a string.
    #[must_use]
    pub fn reference(self) -> Option<&'a str> {
        self.get(REF)?.as_str()
    }

    /// The references here and below, lazily.
    #[must_use]
    pub fn references(self) -> References<'a> {
        // Only of those is the path made, which takes as long as it is deep.
        References(self.search().filter_node(|node| node.reference().is_some()))
    }
}

/// The references in a tree: where each is, its node and its URI. A shared one comes in each place
/// that it directly stands in.
#[derive(Debug)]
pub struct References<'a>(Search<'a>);

impl<'a> Iterator for References<'a> {
    type Item = (Path, NodeRef<'a>, &'a str);

    fn next(&mut self) -> Option<Self::Item> {
        let found = self.0.next()?;
        Some((found.path, found.node, found.node.reference()?))
    }
}

/// Where following references ended.
pub(crate) enum Target<'a> {
    /// At a node of this tree.
    Here(NodeRef<'a>),
    /// At another file: its URI without the fragment, still percent-encoded, and the steps of the
    /// pointer in it.
    There(&'a str, Vec<String>),
}

/// The references that were followed, so that going round in circles is noticed and told.
#[derive(Debug, Default)]
pub(crate) struct Trail {
    /// Which document, which node in it, and which steps were still to go.
    met: Vec<(usize, u32, Vec<String>)>,
    names: Vec<String>,
    /// How many documents have been entered.
    pub(crate) document: usize,
}

impl Trail {
    /// One that begins in a document by its number.
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
                "more than {LONGEST} references lead from one to the next: {chain} -> …"
            )));
        }
        self.met.push(here);
        Ok(())
    }
}

impl Tree {
    /// The references in the tree, lazily.
    #[must_use]
    pub fn references(&self) -> References<'_> {
        References(self.search().filter_node(|node| node.reference().is_some()))
    }

    /// The node that a reference of this tree leads to, through as many further references as it
    /// takes; a node that is no reference is given back as it is. Nothing is copied or changed.
    ///
    /// The fragment is a JSON Pointer, with `%XX` decoded; its first slash may be left out, and an
    /// empty one is the root. Steps of the pointer go through references that stand in their way.
    ///
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
    /// [`Missing`](crate::error::Kind::Missing) if the pointer leads nowhere, with what is there;
    /// [`Mismatch`](crate::error::Kind::Mismatch) if references lead round in a circle, with their chain; [`Limit`](crate::error::Kind::Limit)
    /// when more than 100 follow each other; [`Unsupported`](crate::error::Kind::Unsupported) for a
    /// reference to another file, which [`File::resolve`](crate::File::resolve) follows.
    pub fn resolve<'a>(&'a self, node: NodeRef<'a>) -> Result<NodeRef<'a>> {
        match follow(node, Vec::new(), &mut Trail::default())? {
            Target::Here(node) => Ok(node),
            Target::There(uri, _) => {
                let uri = uri.escape_debug();
                Err(Error::unsupported(format!("the reference leads to another file, '{uri}'"))
                    .with_hint("`File::resolve` follows references to other files"))
            }
        }
    }
}

/// Goes down the steps from a node, through references, up to a node that is none.
pub(crate) fn follow<'a>(start: NodeRef<'a>, steps: Vec<String>, trail: &mut Trail) -> Result<Target<'a>> {
    let mut node = start;
    let mut path = Path::root();
    // The last is the next to take.
    let mut rest: Vec<String> = steps.into_iter().rev().collect();
    loop {
        // A reference's own keys come first, so that `#/a/$ref` is the text of a reference.
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

/// The steps of a pointer in a URI's fragment; `None` when it is not text. Python's asdf reads pointers without the
/// first slash, so this does too.
fn fragment_steps(fragment: &str) -> Option<Vec<String>> {
    let pointer = percent_decode(fragment)?;
    if pointer.is_empty() {
        return Some(Vec::new());
    }
    let steps = pointer.strip_prefix('/').unwrap_or(&pointer).split('/');
    Some(steps.map(unescape).collect())
}

/// Undoes percent-encoding; `None` for what is not UTF-8 or has zeros in it.
pub(crate) fn percent_decode(text: &str) -> Option<String> {
    uri::decode_strict(text).filter(|text| !text.contains('\0'))
}

/// Percent-encodes everything that may not stand in a URI's path or fragment as it is.
pub(crate) fn percent_encode(text: &str) -> String {
    uri::encode(text, uri::PATH)
}

/// The URI of a node that has to be a reference.
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
    fn circles_and_dead_ends_are_told() {
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
        assert!(resolved(&tree, "/grows").starts_with("more than 100 references lead from one to the next"));
        assert_eq!(
            resolved(&tree, "/dead"),
            "/odd/none: there is no 'none' in /odd\n  hint: the keys are x/y~ é"
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
