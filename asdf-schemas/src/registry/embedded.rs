//! The schemas of the standard, as the build put them into the program.

use std::io::Read;
use std::sync::OnceLock;

use flate2::read::ZlibDecoder;

include!(concat!(env!("OUT_DIR"), "/embedded.rs"));

/// A schema or manifest: its bytes in the texts of its family.
struct Document {
    id: &'static str,
    family: usize,
    start: usize,
    end: usize,
}

/// What a manifest says, so that it need not be parsed: which versions of the standard it is for, and its tags with
/// their schemas.
pub(super) struct Manifest {
    pub(super) id: &'static str,
    pub(super) exactly: Option<&'static str>,
    pub(super) least: Option<&'static str>,
    pub(super) beyond: Option<&'static str>,
    pub(super) tags: &'static [(&'static str, &'static [&'static str])],
}

/// The texts of all versions of a schema, one after the other, unpacked when the first is asked for.
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
            // The build packed it; a test unpacks them all.
            match ZlibDecoder::new(self.packed).read_to_string(&mut text) {
                Ok(_) => text,
                Err(_) => String::new(),
            }
        })
    }
}

/// The text of a schema or manifest.
pub(super) fn text(id: &str) -> Option<&'static str> {
    let index = DOCUMENTS.binary_search_by(|document| document.id.cmp(id)).ok()?;
    let document = DOCUMENTS.get(index)?;
    FAMILIES.get(document.family)?.text().get(document.start..document.end)
}

/// The ids of the schemas of a tag.
pub(super) fn schemas_of(tag: &str) -> &'static [&'static str] {
    let found = TAGS.binary_search_by(|(known, _)| (*known).cmp(tag)).ok();
    found.and_then(|index| TAGS.get(index)).map_or(&[], |(_, schemas)| schemas)
}

/// Whether there is a schema or manifest with this id.
pub(super) fn has(id: &str) -> bool {
    DOCUMENTS.binary_search_by(|document| document.id.cmp(id)).is_ok()
}

/// All ids, sorted.
pub(super) fn ids<'a>() -> impl Iterator<Item = &'a str> {
    DOCUMENTS.iter().map(|document| document.id)
}

/// All tags, sorted.
pub(super) fn tags<'a>() -> impl Iterator<Item = &'a str> {
    TAGS.iter().map(|(tag, _)| *tag)
}

/// All manifests.
pub(super) fn manifests() -> impl Iterator<Item = &'static Manifest> {
    MANIFESTS.iter()
}
