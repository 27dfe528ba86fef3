//! Differences between two files.

use super::File;
use super::allowed_folders::named_by;
use super::columns::tables;
use super::survey::is_external_array;
use crate::array::{NdArray, ReadBudget};
use crate::error::{Error, Result};
use crate::tree::{ASDF_TAG, Block as _, DifferenceOptions, Differences, Kind, NodeRef, REF, Special};
use crate::value::FromNode;

/// The keys of an array's mapping that are not compared, because the elements, datatype and shape are.
const STORAGE: &[&str] = &["source", "data", "datatype", "shape", "byteorder", "offset", "strides", "mask"];

impl File {
    /// Compares the trees and arrays of two files.
    ///
    /// Nodes are compared as by [`NodeRef::differences`](crate::NodeRef::differences). Arrays (`core/ndarray-*`) are
    /// compared by datatype, shape and elements within the tolerance. Where their bytes are stored, their byte order,
    /// strides and compression do not matter. A masked element is equal only to a masked element. Two arrays at a time
    /// are read into memory.
    ///
    /// Headers, the order of blocks and the block index do not matter. Every rewrite changes `asdf_library` and the
    /// extensions in `history`; [`DifferenceOptions::writer`] ignores them.
    ///
    /// # Errors
    /// Fails if the data of an array cannot be read; the error names the path and the file. Fails if neither file has a
    /// tree and their blocks differ. [`Limit`](crate::error::Kind::Limit) if the arrays of a file [repeat](ReadBudget) too many elements.
    ///
    /// # Examples
    /// ```
    /// use asdf_core::tree::DifferenceOptions;
    /// use asdf_core::{File, NdArray};
    ///
    /// let mut before = File::new();
    /// before.set("/data", &NdArray::new(&[3], &[1.0_f32, 2.0, 3.0])?)?;
    /// let mut after = File::new();
    /// after.set("/data", &NdArray::new(&[3], &[1.0_f32, 2.5, 3.25])?)?;
    /// assert_eq!(
    ///     before.difference(&after, &DifferenceOptions::new())?.to_string(),
    ///     "/data: 2 of 3 elements differ, the first at [1]: 2.0 -> 2.5, by at most 0.5 at [1]\n"
    /// );
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    #[doc(alias = "diff")]
    pub fn difference<'a>(&'a self, other: &'a Self, options: &DifferenceOptions) -> Result<Differences<'a>> {
        let mut reads = (ReadBudget::of(self.tree()), ReadBudget::of(other.tree()));
        match (self.tree().root(), other.tree().root()) {
            (Some(left), Some(right)) => left
                .differences_with(right, options, |left, right| {
                    if let Some(special) = self.same_target(left, other, right) {
                        return Ok(Some(special));
                    }
                    Ok(match arrays(left, right, options, &mut reads)? {
                        Some(special) => Some(special),
                        None => tables(left, right, options),
                    })
                })
                .map_err(|error| self.named(error)),
            (None, None) if !same_blocks(self, other)? => {
                Err(self.named(Error::mismatch("neither file has a tree, and their blocks differ")))
            }
            (left, right) => Ok(Differences::of_rootless(left, right)),
        }
    }
}

impl File {
    /// Recognizes two nodes that lead to the same place of a third file, each from the folder of its own file.
    ///
    /// Such a node is a reference or an array in a file of another format.
    fn same_target<'a>(&self, left: NodeRef<'a>, other: &Self, right: NodeRef<'a>) -> Option<Special<'a>> {
        const REFERENCE: &[&str] = &[REF];
        const EXTERNAL: &[&str] = &["fileuri"];
        let (key, done) = match left.reference() {
            Some(_) => (REF, REFERENCE),
            None if is_external(left) && is_external(right) => ("fileuri", EXTERNAL),
            None => return None,
        };
        let (a, b) = (left.get(key)?.as_str()?, right.get(key)?.as_str()?);
        if a == b {
            // Equal URIs may lead to two files. They are compared as text.
            return None;
        }
        let split = |uri: &str| {
            let (file, fragment) = uri.split_once('#').unwrap_or((uri, ""));
            (file.to_owned(), fragment.to_owned())
        };
        let ((a, a_fragment), (b, b_fragment)) = (split(a), split(b));
        let same = named_by(self.path()?, &a)? == named_by(other.path()?, &b)? && a_fragment == b_fragment;
        same.then_some(Special { changes: Vec::new(), done: Some(done), columns: Vec::new() })
    }
}

/// Whether two files have the same bytes in their blocks, whatever their compression.
fn same_blocks(left: &File, right: &File) -> Result<bool> {
    const PIECE: u64 = 1 << 20;
    let (left, right) = (left.blocks()?, right.blocks()?);
    if left.len() != right.len() {
        return Ok(false);
    }
    for (left, right) in left.iter().zip(&right) {
        let size = left.size();
        if size != right.size() {
            return Ok(false);
        }
        let mut start = 0;
        while start < size {
            let end = size.min(start + PIECE);
            if left.read(start..end)? != right.read(start..end)? {
                return Ok(false);
            }
            start = end;
        }
    }
    Ok(true)
}

fn is_array(node: NodeRef<'_>) -> bool {
    let name = node.tag().and_then(|tag| tag.strip_prefix(ASDF_TAG));
    name.is_some_and(|name| name.starts_with("core/ndarray-"))
}

/// Compares two arrays. Returns `None` for other or malformed nodes, which are compared as usual.
fn arrays<'a>(
    left: NodeRef<'a>,
    right: NodeRef<'a>,
    options: &DifferenceOptions,
    reads: &mut (ReadBudget, ReadBudget),
) -> Result<Option<Special<'a>>> {
    if !is_array(left) || !is_array(right) {
        return Ok(None);
    }
    let (Ok(a), Ok(b)) = (NdArray::from_node(left), NdArray::from_node(right)) else { return Ok(None) };
    reads.0.take(&a)?;
    reads.1.take(&b)?;
    let changes = a.difference(&b, options)?;
    let mappings = left.kind() == Kind::Mapping && right.kind() == Kind::Mapping;
    Ok(Some(Special { changes, done: mappings.then_some(STORAGE), columns: Vec::new() }))
}

fn is_external(node: NodeRef<'_>) -> bool {
    node.tag().is_some_and(is_external_array)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file with these nodes.
    fn file(text: &str) -> File {
        let text = format!("#ASDF 1.0.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n---\n{text}\n...\n");
        File::from_bytes(text).unwrap()
    }

    fn compared(left: &File, right: &File) -> String {
        left.difference(right, &DifferenceOptions::new()).unwrap().to_string()
    }

    #[test]
    fn an_array_in_its_short_form_is_the_same_as_in_its_long_form() {
        let short = file("a: !core/ndarray-1.1.0 [1, 2]");
        let long =
            |rest: &str| file(&format!("a: !core/ndarray-1.1.0 {{data: [1, 2], datatype: int64{rest}}}"));
        assert_eq!(compared(&short, &long("")), "");
        assert_eq!(compared(&long(""), &short), "");
        assert_eq!(compared(&short, &file("a: !core/ndarray-1.1.0 [1, 2] # same")), "");
        // Other keys belong to the array too.
        assert_eq!(
            compared(&long(", shape: [2], note: 1"), &long(", note: 2")),
            "/a/note: changed: the integer 1 -> the integer 2\n"
        );
    }

    #[test]
    fn uris_of_the_same_external_file_are_the_same_from_two_folders() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("below")).unwrap();
        let at = |name: &str, text: &str| {
            let path = folder.path().join(name);
            file(text).write(&path).unwrap();
            File::open(&path).unwrap()
        };
        let external =
            |uri: &str| format!("a: !<tag:stsci.edu:asdf/core/externalarray-1.0.0> {{fileuri: {uri}}}");
        let plain = |uri: &str| format!("a: {{fileuri: {uri}}}");
        let here = at("x.asdf", &external("z.fits"));
        assert_eq!(compared(&here, &at("below/x.asdf", &external("../z.fits"))), "");
        assert_eq!(compared(&here, &at("below/x.asdf", &external("z.fits"))), "");
        assert_ne!(compared(&here, &at("below/x.asdf", &external("../y.fits"))), "");
        // The key of another mapping is a text.
        let uri = "/a/fileuri: changed: the string 'z.fits' -> the string '../z.fits'";
        for (left, right) in [
            (at("x.asdf", &external("z.fits")), at("below/y.asdf", &plain("../z.fits"))),
            (at("x.asdf", &plain("z.fits")), at("below/y.asdf", &external("../z.fits"))),
            (at("x.asdf", &plain("z.fits")), at("below/y.asdf", &plain("../z.fits"))),
        ] {
            let found = compared(&left, &right);
            assert!(found.contains(uri), "{found}");
        }
    }
}
