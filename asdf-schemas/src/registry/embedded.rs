//! The built-in schemas, which the build script embeds.

use std::io::Read;
use std::sync::OnceLock;

use flate2::read::ZlibDecoder;

include!(concat!(env!("OUT_DIR"), "/embedded.rs"));

/// A schema or manifest, as a byte range of the text of its family.
struct Document {
    id: &'static str,
    family: usize,
    start: usize,
    end: usize,
}

/// The content of a manifest, so that it is not parsed: the versions of the standard that it requires, and its tags with their
/// schemas.
pub(super) struct Manifest {
    pub(super) id: &'static str,
    pub(super) exactly: Option<&'static str>,
    pub(super) least: Option<&'static str>,
    pub(super) beyond: Option<&'static str>,
    pub(super) tags: &'static [(&'static str, &'static [&'static str])],
}

/// The concatenated texts of all versions of a schema, unpacked when the first one is needed.
struct Family {
    packed: &'static [u8],
    text: OnceLock<String>,
}

impl Family {
    const fn new(packed: &'static [u8]) -> Self {
        Self { packed, text: OnceLock::new() }
    }

    fn text(&self) -> &str {
        self.text.get_or_init(|| {
            let mut text = String::new();
            // A test unpacks all of them, so this cannot fail.
            match ZlibDecoder::new(self.packed).read_to_string(&mut text) {
                Ok(_) => text,
                Err(_) => String::new(),
            }
        })
    }
}

/// Returns the text of a schema or manifest.
pub(super) fn text(id: &str) -> Option<&'static str> {
    let index = DOCUMENTS.binary_search_by(|document| document.id.cmp(id)).ok()?;
    let document = DOCUMENTS.get(index)?;
    FAMILIES.get(document.family)?.text().get(document.start..document.end)
}

/// Returns the ids of the schemas of a tag.
pub(super) fn schemas_of(tag: &str) -> &'static [&'static str] {
    let found = TAGS.binary_search_by(|(known, _)| (*known).cmp(tag)).ok();
    found.and_then(|index| TAGS.get(index)).map_or(&[], |(_, schemas)| schemas)
}

/// Whether a schema or manifest has this id.
pub(super) fn has(id: &str) -> bool {
    DOCUMENTS.binary_search_by(|document| document.id.cmp(id)).is_ok()
}

/// Returns all ids, sorted.
pub(super) fn ids<'a>() -> impl Iterator<Item = &'a str> {
    DOCUMENTS.iter().map(|document| document.id)
}

/// Returns all tags, sorted.
pub(super) fn tags<'a>() -> impl Iterator<Item = &'a str> {
    TAGS.iter().map(|(tag, _)| *tag)
}

/// Returns all manifests.
pub(super) fn manifests() -> impl Iterator<Item = &'static Manifest> {
    MANIFESTS.iter()
}
