//! Extensions: tags, types, schemas and codecs of a package in one value.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::Software;
use super::survey::Survey;
use crate::block::codec::Codecs;
use crate::block::{Codec, Label};
use crate::error::{Code, Error, Result};
use crate::tree::{Kind, NodeRef, Stored, Tree, YAML_TAG, tag_matches, uri};
use crate::value::Asdf;
use crate::value::description::Describe;
use crate::yaml;

/// An extension ("Extensions" in the standard): its URI, package, tags, types, schemas and codecs.
///
/// A file with an extension uses its codecs and the handles of its tags. When a file is written, `history.extensions`
/// lists the extension if the tree has one of its tags, or a block one of its codecs. When a file is opened, it gets a
/// [warning](crate::File::warnings) if it was written with a newer version of the package.
///
/// # Examples
/// ```
/// use asdf_core::file::Extension;
/// use asdf_core::{Asdf, File, OpenOptions};
///
/// /// A filter in the wheel.
/// #[derive(Asdf)]
/// #[asdf(tag = "asdf://example.org/camera/tags/filter-1.0.0")]
/// struct Filter {
///     name: String,
/// }
///
/// fn camera(version: &str) -> asdf_core::Result<Extension> {
///     let camera = Extension::new("asdf://example.org/camera/extensions/camera-1.0.0")?;
///     Ok(camera
///         .package("camera", version)
///         .with::<Filter>()
///         .handle("!camera!", "asdf://example.org/camera/tags/"))
/// }
///
/// let mut file = File::new();
/// file.add_extension(camera("1.2.0")?);
/// file.set("/filter", &Filter { name: "F150W".into() })?;
/// let bytes = file.to_bytes()?;
/// assert!(String::from_utf8_lossy(&bytes).contains("filter: !camera!filter-1.0.0"));
///
/// let file = OpenOptions::new().extension(camera("1.0.0")?).open_bytes(bytes)?;
/// assert!(file.get::<String>("/history/extensions/1/extension_uri")?.ends_with("camera-1.0.0"));
/// assert_eq!(
///     file.warnings()[0].message(),
///     "the file was written with camera 1.2.0, but this program has camera 1.0.0"
/// );
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Extension {
    uri: String,
    package: Option<Software>,
    tags: Vec<String>,
    types: Vec<(&'static str, Describe)>,
    schemas: Vec<String>,
    manifests: Vec<String>,
    codecs: Codecs,
    labels: Vec<Label>,
    handles: Vec<(String, String)>,
}

impl Extension {
    /// Makes an empty extension with a URI.
    ///
    /// # Errors
    /// Fails with [`Usage`](crate::error::Kind::Usage) if the text is not a URI with a scheme.
    ///
    /// # Examples
    /// ```
    /// use asdf_core::file::Extension;
    ///
    /// assert!(Extension::new("asdf://example.org/camera/extensions/camera-1.0.0").is_ok());
    /// assert!(Extension::new("my camera").is_err());
    /// ```
    pub fn new(uri: impl Into<String>) -> Result<Self> {
        let uri = uri.into();
        uri::check(&uri, "an extension", "asdf://example.org/camera/extensions/camera-1.0.0")?;
        Ok(Self {
            uri,
            package: None,
            tags: Vec::new(),
            types: Vec::new(),
            schemas: Vec::new(),
            manifests: Vec::new(),
            codecs: Codecs::new(),
            labels: Vec::new(),
            handles: Vec::new(),
        })
    }

    /// Sets its package, such as `package(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"))`.
    #[must_use]
    pub fn package(mut self, name: impl Into<String>, version: impl Into<String>) -> Self {
        self.package = Some(Software { name: name.into(), version: version.into() });
        self
    }

    /// Adds a type with the tags that it reads.
    #[doc(alias = "Converter")]
    #[must_use]
    pub fn with<T: Asdf>(mut self) -> Self {
        self.tags.push(T::TAG.to_owned());
        self.tags.extend(T::ACCEPTS.iter().map(|&tag| tag.to_owned()));
        self.types.push((T::TAG, T::describe));
        self
    }

    /// Adds a tag without a type, or a pattern of tags as for [`tag_matches`].
    #[must_use]
    pub fn tag(mut self, pattern: impl Into<String>) -> Self {
        self.tags.push(pattern.into());
        self
    }

    /// Adds the text of a schema, for `asdf_schemas::Registry::add_extension`.
    #[must_use]
    pub fn schema(mut self, text: impl Into<String>) -> Self {
        self.schemas.push(text.into());
        self
    }

    /// Adds the text of a manifest and the tags that it lists.
    ///
    /// # Errors
    /// [`Malformed`](crate::error::Kind::Malformed) if the text is not YAML,
    /// [`Missing`](crate::error::Kind::Missing) if it has no tags, or one has no URI,
    /// [`Mismatch`](crate::error::Kind::Mismatch) if the tags are not a list.
    #[doc(alias = "ManifestExtension")]
    pub fn manifest(mut self, text: impl Into<String>) -> Result<Self> {
        let text = text.into();
        let tree = yaml::parse(&text)?;
        let tags = tree.at("/tags")?;
        if tags.kind() != Kind::Sequence {
            return Err(tags.expected("a sequence").at_path("/tags"));
        }
        for (index, tag) in tags.items().enumerate() {
            let uri = tag.at("/tag_uri").map_err(|error| error.under(index).at_path("/tags"))?;
            self.tags.extend(uri.as_str().map(str::to_owned));
        }
        self.manifests.push(text);
        Ok(self)
    }

    /// Adds a codec, as [`OpenOptions::codec`](crate::OpenOptions::codec) does.
    #[doc(alias = "Compressor")]
    #[must_use]
    pub fn codec(mut self, codec: Arc<dyn Codec>) -> Self {
        self.labels.push(codec.label());
        self.codecs.add(codec);
        self
    }

    /// Adds a handle for tags that begin with a prefix, which abbreviates them in new files.
    ///
    /// The handle `!camera!` turns a tag into `!camera!filter-1.0.0`.
    #[must_use]
    pub fn handle(mut self, handle: impl Into<String>, prefix: impl Into<String>) -> Self {
        self.handles.push((handle.into(), prefix.into()));
        self
    }

    /// Returns the URI.
    #[must_use]
    pub fn uri(&self) -> &str {
        &self.uri
    }

    /// Returns the package.
    #[must_use]
    pub fn software(&self) -> Option<&Software> {
        self.package.as_ref()
    }

    /// Returns the tags of its types, with the functions that describe the types.
    #[must_use]
    pub fn types(&self) -> &[(&'static str, Describe)] {
        &self.types
    }

    /// Returns the texts of its schemas.
    pub fn schemas(&self) -> impl Iterator<Item = &str> {
        self.schemas.iter().map(String::as_str)
    }

    /// Returns the texts of its manifests.
    pub fn manifests(&self) -> impl Iterator<Item = &str> {
        self.manifests.iter().map(String::as_str)
    }

    /// Whether the tags of a tree or the labels of its blocks need the extension.
    fn is_used(&self, tags: &BTreeSet<&str>, labels: &BTreeSet<Label>) -> bool {
        let tagged = |tag: &&str| self.tags.iter().any(|pattern| tag_matches(pattern, tag));
        tags.iter().any(tagged) || self.labels.iter().any(|label| labels.contains(label))
    }
}

/// The extensions of a file.
#[derive(Debug, Clone, Default)]
pub(super) struct Extensions(Vec<Arc<Extension>>);

impl Extensions {
    pub(super) fn add(&mut self, extension: Extension) {
        self.0.retain(|known| known.uri != extension.uri);
        self.0.push(Arc::new(extension));
    }

    /// Appends the codecs of the extensions.
    pub(super) fn with_codecs(&self, mut codecs: Codecs) -> Codecs {
        self.0.iter().for_each(|extension| codecs.add_all(&extension.codecs));
        codecs
    }

    /// Sets the handles of tags in a new tree.
    pub(super) fn set_handles(&self, tree: &mut Tree) {
        for (handle, prefix) in self.0.iter().flat_map(|extension| &extension.handles) {
            tree.set_handle(handle, prefix);
        }
    }

    /// The extensions that a tree needs, by the tags of its nodes or the codecs of its blocks.
    pub(super) fn used(&self, tree: &Tree, survey: &Survey) -> Vec<&Extension> {
        if self.0.is_empty() {
            return Vec::new();
        }
        let tags = survey.tags(tree).filter(|tag| !tag.starts_with(YAML_TAG)).collect();
        let coded = self.0.iter().any(|extension| !extension.labels.is_empty());
        let sources = survey.blocks.iter().filter(|_| coded).map(|array| array.source);
        let sources: BTreeSet<i64> = sources.collect();
        let labels = sources.into_iter().filter_map(|source| label(tree, source)).collect();
        self.0.iter().filter(|extension| extension.is_used(&tags, &labels)).map(AsRef::as_ref).collect()
    }

    /// Warns about extensions of which the file was written with a newer version.
    pub(super) fn warnings(&self, tree: &Tree) -> Vec<Error> {
        let Some(entries) = tree.find("/history/extensions") else { return Vec::new() };
        let entries = entries.items().filter_map(|entry| {
            let uri = entry.get("extension_uri")?.as_str()?;
            let here = self.0.iter().find(|extension| extension.uri == uri)?.package.as_ref()?;
            // Older files name the program `package`.
            let there = entry.get("software").or_else(|| entry.get("package"))?;
            newer(there, here)
        });
        entries.collect()
    }
}

/// The label of the codec of a block, if the block can be read.
fn label(tree: &Tree, number: i64) -> Option<Label> {
    match tree.blocks().block(number).ok()?.stored().ok()? {
        Stored::Plain { compression, .. } => Some(compression.label()),
        Stored::Encoded { label, .. } | Stored::InPlace { label, .. } => Some(label),
    }
}

/// The warning if a file was written with a newer version of a package.
fn newer(there: NodeRef<'_>, here: &Software) -> Option<Error> {
    let (name, version) = (there.get("name")?.as_str()?, there.get("version")?.text()?);
    if name != here.name || numbers(version)? <= numbers(&here.version)? {
        return None;
    }
    let message = format!(
        "the file was written with {} {}, but this program has {} {}",
        name.escape_debug(),
        version.escape_debug(),
        here.name,
        here.version
    );
    let error = Error::unsupported(message)
        .with_code(Code::NewerPackage)
        .with_hint("check values with unknown tags: they are kept unchanged")
        .at_path("/history/extensions");
    Some(match there.position() {
        Some((line, column)) => error.at_position(line, column),
        None => error,
    })
}

/// The numbers at the beginning of a version; suffixes such as `-rc.1`, `+local` and `.dev3` are ignored.
fn numbers(version: &str) -> Option<Vec<u64>> {
    let end = version.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(version.len());
    let text = version.get(..end)?.trim_end_matches('.');
    let mut numbers = text.split('.').map(|part| part.parse().ok()).collect::<Option<Vec<u64>>>()?;
    while numbers.last() == Some(&0) {
        numbers.pop();
    }
    Some(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::File;

    #[test]
    fn versions_are_compared_by_their_numbers() {
        for (version, expected) in [
            ("1.2.0", Some(vec![1, 2])),
            ("1.10", Some(vec![1, 10])),
            ("2", Some(vec![2])),
            ("1.2.dev3+g1", Some(vec![1, 2])),
            ("1.2rc1", Some(vec![1, 2])),
            ("unknown", None),
            ("", None),
            ("99999999999999999999999", None),
        ] {
            assert_eq!(numbers(version), expected, "{version}");
        }
    }

    #[test]
    fn only_newer_versions_get_a_warning() {
        let text = |version: &str| {
            format!(
                "history: {{extensions: [{{extension_uri: 'asdf://x/e-1', software: {{name: cam, version: {version}}}}}]}}"
            )
        };
        let mut extensions = Extensions::default();
        let count = |extensions: &Extensions, version: &str| {
            extensions.warnings(&yaml::parse(&text(version)).unwrap()).len()
        };
        assert_eq!(count(&extensions, "9.0"), 0);
        extensions.add(Extension::new("asdf://x/e-1").unwrap().package("cam", "1.9.0"));
        for (version, warned) in [("1.9", 0), ("1.10", 1), ("1.8.5", 0), ("new", 0), ("2.0.0.dev1", 1)] {
            assert_eq!(count(&extensions, version), warned, "{version}");
        }
        extensions.add(Extension::new("asdf://x/e-1").unwrap().package("other", "1.0"));
        assert_eq!(count(&extensions, "9.0"), 0);
        assert!(extensions.warnings(&yaml::parse("history: [1]").unwrap()).is_empty());
        assert!(
            extensions
                .warnings(&yaml::parse("history: {extensions: [[], 5, {extension_uri: 5}]}").unwrap())
                .is_empty()
        );
    }

    #[test]
    fn an_extension_lists_its_types() {
        use crate::array::NdArray;
        let extension = Extension::new("asdf://x/e-1").unwrap().with::<NdArray>();
        let tags: Vec<_> = extension.types().iter().map(|(tag, _)| *tag).collect();
        assert_eq!(tags, [<NdArray as Asdf>::TAG]);
    }

    #[test]
    fn an_extension_is_used_by_its_tags() {
        let extension = Extension::new("asdf://x/e-1").unwrap().tag("asdf://x/t-1.*");
        for (text, used) in [("!<asdf://x/t-1.2> 5", true), ("!<asdf://x/u-1.2> 5", false), ("5", false)] {
            let mut file = File::new();
            *file.tree_mut() = yaml::parse(&format!("a: {text}")).unwrap();
            file.add_extension(extension.clone());
            let file = File::from_bytes(file.to_bytes().unwrap()).unwrap();
            let found = file.get::<String>("/history/extensions/1/extension_uri");
            assert_eq!(found.ok().as_deref(), used.then_some("asdf://x/e-1"), "{text}");
        }
    }

    #[test]
    #[cfg(feature = "zlib")]
    fn an_extension_is_used_by_its_codec_even_if_the_block_gets_another_number() {
        use crate::array::NdArray;
        use crate::block::Compression;

        let mut file = File::new();
        file.set("/first", &NdArray::new(&[1], &[1_u8]).unwrap()).unwrap();
        let packed = NdArray::new(&[100], &[2_u8; 100]).unwrap().with_compression(Compression::ZLIB);
        file.set("/packed", &packed.unwrap()).unwrap();
        file.tree_mut().edit("/first").remove().unwrap();
        let mut extension = Extension::new("asdf://x/e-1").unwrap();
        extension.labels.push(Label::ZLIB);
        file.add_extension(extension);
        let file = File::from_bytes(file.to_bytes().unwrap()).unwrap();
        assert_eq!(file.get::<String>("/history/extensions/1/extension_uri").unwrap(), "asdf://x/e-1");
    }

    #[test]
    fn a_manifest_lists_tags_and_an_extension_names_its_package() {
        let extension = Extension::new("asdf://x/e-1").unwrap();
        assert!(extension.software().is_none());
        use crate::error::Kind::{Malformed, Mismatch, Missing};
        for (text, kind) in [
            ("a: 1", Missing),
            ("tags: 1", Mismatch),
            ("tags: {tag_uri: x}", Mismatch),
            ("tags: [{}]", Missing),
            ("tags: [", Malformed),
        ] {
            let error = extension.clone().manifest(text).unwrap_err();
            assert_eq!(error.kind(), kind, "{text}: {error}");
        }
        let extension =
            extension.manifest("tags: [{tag_uri: 'asdf://x/t-1'}]").unwrap().package("cam", "1.0");
        assert_eq!(extension.tags, ["asdf://x/t-1"]);
        assert_eq!(extension.software().unwrap().name, "cam");
    }

    #[test]
    fn the_handles_of_an_extension_abbreviate_tags_in_new_files() {
        let mut file = File::new();
        *file.tree_mut() = yaml::parse("a: !<asdf://x/t-1> 1").unwrap();
        file.add_extension(
            Extension::new("asdf://x/e-1").unwrap().tag("asdf://x/t-1").handle("!x!", "asdf://x/"),
        );
        let text = String::from_utf8(file.to_bytes().unwrap()).unwrap();
        assert!(text.contains("%TAG !x! asdf://x/\n") && text.contains("a: !x!t-1 1\n"), "{text}");
    }
}
