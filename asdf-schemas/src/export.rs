//! Generates schemas, manifests and examples from Rust types.
//!
//! A type that derives `Asdf` describes its values ([`FromNode::describe`]). Its documentation becomes the title and the
//! description of the schema, and its checks become keywords that Python's asdf and this crate's validator support.
//!
//! The schema does not contain the lengths of the axes of arrays, such as the 2 of `#[asdf(array)] Vec<[f32; 2]>`, because no
//! keyword expresses them. The schema allows arrays of other shapes, but the type refuses them.
//!
//! # Examples
//!
//! ```
//! use asdf_core::Asdf;
//! use asdf_core::file::Extension;
//! use asdf_schemas::export::ExportedPackage;
//!
//! /// A filter in the wheel.
//! ///
//! /// There is one for each band.
//! #[derive(Asdf)]
//! #[asdf(tag = "asdf://example.org/camera/tags/filter-1.0.0")]
//! struct Filter {
//!     /// The name of the filter.
//!     name: Name,
//!     /// The central wavelength, in nanometres.
//!     wavelength: Option<f64>,
//! }
//!
//! #[derive(Asdf)]
//! #[asdf(check(pattern = "^[A-Z0-9]+$"), text)]
//! struct Name(String);
//!
//! let extension = Extension::new("asdf://example.org/camera/extensions/camera-1.0.0")?.with::<Filter>();
//! let mut package = ExportedPackage::new(&extension)?;
//! package.example("One of JWST's.", &Filter { name: Name::new("F150W")?, wavelength: Some(1501.0) })?;
//! let schema = package.schema("asdf://example.org/camera/tags/filter-1.0.0").unwrap();
//! assert!(schema.starts_with(
//!     "%YAML 1.1\n---\n$schema: http://stsci.edu/schemas/yaml-schema/draft-01\n\
//!      id: asdf://example.org/camera/schemas/filter-1.0.0\n\
//!      title: A filter in the wheel.\n\
//!      description: There is one for each band.\n"
//! ));
//! assert!(schema.contains("pattern: ^[A-Z0-9]+$"));
//! // package.write("schemas")?;
//! # Ok::<(), asdf_core::Error>(())
//! ```

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;

use asdf_core::__private::MappingWriter;
use asdf_core::file::Extension;
use asdf_core::tree::{Kind, Style};
use asdf_core::value::check::{Bound, Demand, Test};
use asdf_core::value::description::{Constraint, Describe, Description, Form, Property};
use asdf_core::value::{Kinds, Number};
use asdf_core::yaml::{self, EmitOptions, emit};
use asdf_core::{Asdf, Error, File, FromNode, NdArray, Node, NodeId, Result, ToNode, Tree, WriteOptions};
use asdf_schema_model::pointer;

/// The metaschema of the generated schemas.
const METASCHEMA: &str = "http://stsci.edu/schemas/yaml-schema/draft-01";

/// The schemas and the manifest of an extension, generated from its types.
///
/// # Examples
///
/// ```
/// use asdf_core::Asdf;
/// use asdf_core::file::Extension;
/// use asdf_schemas::export::ExportedPackage;
///
/// #[derive(Asdf)]
/// #[asdf(tag = "asdf://example.org/camera/tags/filter-1.0.0")]
/// struct Filter {
///     name: String,
/// }
///
/// let extension = Extension::new("asdf://example.org/camera/extensions/camera-1.0.0")?.with::<Filter>();
/// let package = ExportedPackage::new(&extension)?;
/// assert_eq!(package.manifest_id(), "asdf://example.org/camera/manifests/camera-1.0.0");
/// let folder = std::env::temp_dir().join(format!("asdf-package-{}", std::process::id()));
/// package.write(&folder)?; // the schema and the manifest, for Python's asdf too
/// # std::fs::remove_dir_all(&folder).unwrap();
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[derive(Debug, Clone)]
#[doc(alias = "ResourceMapping")]
#[doc(alias = "DirectoryResourceMapping")]
#[doc(alias = "ManifestExtension")]
pub struct ExportedPackage {
    uri: String,
    schemas: BTreeMap<String, Schema>,
}

#[derive(Debug, Clone)]
struct Schema {
    id: String,
    describe: Describe,
    examples: Vec<(String, String)>,
    text: String,
}

impl ExportedPackage {
    /// Generates the package of an extension, with a schema for each of its types.
    ///
    /// The id of a schema is the tag of its type, with `/schemas/` instead of `/tags/`.
    ///
    /// # Errors
    /// [`Usage`](asdf_core::error::Kind::Usage) if a type contains itself and has no name, or if an id does not contain the
    /// path of a file for [`write`](Self::write). The URI of the extension needs a part `/extensions/`, and tags need `/tags/`.
    pub fn new(extension: &Extension) -> Result<Self> {
        let mut package = Self { uri: extension.uri().to_owned(), schemas: BTreeMap::new() };
        for &(tag, describe) in extension.types() {
            let id = schema_id(tag);
            let text = text(&id, &describe(), &[])?;
            resource(&id)?;
            package.schemas.insert(tag.to_owned(), Schema { id, describe, examples: Vec::new(), text });
        }
        resource(&package.manifest_id())?;
        Ok(package)
    }

    /// Adds a value to the examples in the schema of its type.
    ///
    /// A schema has no blocks, so arrays are written as lists of up to 100 elements.
    ///
    /// # Errors
    /// [`Usage`](asdf_core::error::Kind::Usage) if the type is not part of the extension, or if an array has more than 100
    /// elements or cannot be a list. Also fails if the value cannot be written.
    pub fn example<T: Asdf>(&mut self, description: &str, value: &T) -> Result<()> {
        let schema = self.schemas.get_mut(T::TAG).ok_or_else(|| {
            Error::usage(format!("the extension has no type with the tag {}", T::TAG))
                .with_hint("add it with `Extension::with`")
        })?;
        let mut tree = Tree::new();
        let id = value.to_node(&mut tree)?;
        tree.set_root(id);
        let tree = if tree.blocks().count()? > 0 { inlined(&tree, value)? } else { tree };
        let options = EmitOptions::new().directives(false);
        schema.examples.push((description.to_owned(), emit(&tree, options)?));
        schema.text = text(&schema.id, &(schema.describe)(), &schema.examples)?;
        Ok(())
    }

    /// Returns the text of the schema of a tag.
    #[must_use]
    pub fn schema(&self, tag: &str) -> Option<&str> {
        self.schemas.get(tag).map(|schema| schema.text.as_str())
    }

    /// Returns the ids and texts of the schemas.
    pub fn schemas(&self) -> impl Iterator<Item = (&str, &str)> {
        self.schemas.values().map(|schema| (schema.id.as_str(), schema.text.as_str()))
    }

    /// Returns the id of the manifest.
    ///
    /// It is the URI of the extension, with `/manifests/` instead of `/extensions/`.
    #[must_use]
    pub fn manifest_id(&self) -> String {
        self.uri.replacen("/extensions/", "/manifests/", 1)
    }

    /// Returns the text of the manifest, which assigns a schema to each tag.
    ///
    /// # Errors
    /// None at present.
    pub fn manifest(&self) -> Result<String> {
        let mut tree = Tree::new();
        let mut tags = Vec::new();
        for (tag, schema) in &self.schemas {
            let (title, description) = words((schema.describe)().docs);
            let mut entry = MappingWriter::new(&mut tree);
            entry.put("tag_uri", tag);
            entry.put("schema_uri", &schema.id);
            entry.put("title", &title);
            entry.put("description", &description);
            let entry = entry.finish()?;
            tree.set_style(entry, Style::Block);
            tags.push(entry);
        }
        let tags = tree.add_sequence(tags);
        let name = self.uri.rsplit('/').next().unwrap_or_default().to_owned();
        let mut manifest = MappingWriter::new(&mut tree);
        manifest.put("id", &self.manifest_id());
        manifest.put("extension_uri", &self.uri);
        manifest.put("title", &format!("Tags of {name}"));
        manifest.put_with("tags", |_| Ok(tags));
        let root = manifest.finish()?;
        tree.set_root(root);
        document(&tree)
    }

    /// Writes the schemas and the manifest into a folder, and returns the number of files.
    ///
    /// Schemas go below `schemas`, and the manifest below `manifests`.
    ///
    /// The paths come from the ids, so Python's `DirectoryResourceMapping` can read the folder.
    ///
    /// # Errors
    /// [`Io`](asdf_core::error::Kind::Io) if a file cannot be written, [`Usage`](asdf_core::error::Kind::Usage) if an id
    /// does not contain a path.
    pub fn write(&self, folder: impl AsRef<Path>) -> Result<usize> {
        let mut count = 0;
        let texts = self.schemas().map(|(id, text)| (id.to_owned(), text.to_owned()));
        for (id, text) in texts.chain([(self.manifest_id(), self.manifest()?)]) {
            let path = folder.as_ref().join(resource(&id)?);
            let io = |error| Error::io("writing", error).at_file(&path);
            if let Some(above) = path.parent() {
                std::fs::create_dir_all(above).map_err(io)?;
            }
            asdf_core::file::replace(&path, |out| out.write_all(text.as_bytes()).map_err(io))?;
            count += 1;
        }
        Ok(count)
    }
}

/// The maximum number of elements of an array in an example.
const MOST: u64 = 100;

/// Makes the tree of a value with its arrays as lists.
fn inlined<T: ToNode>(tree: &Tree, value: &T) -> Result<Tree> {
    refuse_blocks(tree, |array| array.shape().iter().product::<u64>() > MOST)?;
    let mut file = File::new();
    file.set("/example", value)?;
    let file = File::from_bytes(WriteOptions::new().inline_below(MOST + 1).to_bytes(&file)?)?;
    let mut tree = Tree::new();
    let root = tree.graft(file.at("/example")?)?;
    tree.set_root(root);
    refuse_blocks(&tree, |_| true)?;
    Ok(tree)
}

/// Returns an error for arrays in blocks.
fn refuse_blocks(tree: &Tree, refused: impl Fn(&NdArray) -> bool) -> Result<()> {
    let Some(root) = tree.root() else { return Ok(()) };
    let mut walk = root.walk();
    while let Some(node) = walk.next() {
        if node.block_reference().is_none() {
            continue;
        }
        let path = walk.path().to_string();
        let array = NdArray::from_node(node).map_err(|error| error.at_path(&path))?;
        if refused(&array) {
            let (datatype, shape) = (array.datatype(), array.shape());
            let found = format!("found an array of {datatype} {shape:?} in a block");
            return Err(Error::usage(format!(
                "{found}, expected one of up to {MOST} elements that can be a list"
            ))
            .with_hint("use a smaller array in the example: a schema has no blocks")
            .at_path(&path));
        }
    }
    Ok(())
}

/// Generates the schema of a type, with the given id.
///
/// ```
/// use asdf_core::Asdf;
/// use asdf_schemas::export;
///
/// #[derive(Asdf)]
/// struct Lens {
///     focus: u32,
/// }
///
/// let schema = export::schema::<Lens>("asdf://example.org/camera/schemas/lens-1.0.0")?;
/// assert!(schema.contains("required: [focus]"));
/// # Ok::<(), asdf_core::Error>(())
/// ```
///
/// # Errors
/// [`Usage`](asdf_core::error::Kind::Usage) if the type contains itself and has no name for a reference.
pub fn schema<T: asdf_core::FromNode>(id: &str) -> Result<String> {
    text(id, &T::describe(), &[])
}

/// Generates the schema of a description.
pub(crate) fn described(id: &str, describe: Describe) -> Result<String> {
    text(id, &describe(), &[])
}

/// Returns the usual id for the schema of a tag.
#[must_use]
pub fn schema_id(tag: &str) -> String {
    if tag.contains("/tags/") {
        return tag.replacen("/tags/", "/schemas/", 1);
    }
    match tag.strip_prefix("tag:").and_then(|rest| rest.split_once(':')) {
        Some((host, path)) => format!("asdf://{host}/schemas/{path}"),
        None => format!("{tag}-schema"),
    }
}

/// Returns the path of the file for an id in its package, such as `schemas/filter-1.0.0.yaml`.
fn resource(id: &str) -> Result<String> {
    let found = ["/schemas/", "/manifests/"].into_iter().find_map(|folder| {
        let at = id.find(folder)?;
        id.get(at + 1..).filter(|path| path.split('/').all(|step| !step.is_empty() && !step.starts_with('.')))
    });
    found.map(|path| format!("{path}.yaml")).ok_or_else(|| {
        Error::usage(format!(
            "the id {} has no path, expected `/schemas/` or `/manifests/` in it",
            id.escape_debug()
        ))
        .with_hint("use tags with `/tags/` and an extension URI with `/extensions/`")
    })
}

fn text(id: &str, description: &Description, examples: &[(String, String)]) -> Result<String> {
    let mut writer = Writer { tree: Tree::new(), open: Vec::new(), definitions: BTreeMap::new() };
    writer.open.push(description.name);
    let (title, details) = words(description.docs);
    let mut entries = Vec::new();
    writer.put(&mut entries, "$schema", METASCHEMA)?;
    writer.put(&mut entries, "id", id)?;
    let title = title.or_else(|| description.name.rsplit("::").next().map(str::to_owned));
    writer.put(&mut entries, "title", &title)?;
    writer.put(&mut entries, "description", &details)?;
    if !examples.is_empty() {
        let mut pairs = Vec::new();
        for (description, text) in examples {
            let pair = [writer.tree.add_str(description), writer.tree.add_str(text)];
            pairs.push(writer.tree.add_sequence(pair));
        }
        let examples = writer.tree.add_sequence(pairs);
        writer.push(&mut entries, "examples", examples);
    }
    let form = writer.form(&description.form)?;
    entries.extend(form);
    writer.open.pop();
    if !writer.definitions.is_empty() {
        let definitions = std::mem::take(&mut writer.definitions);
        let mut all = Vec::new();
        for (name, id) in definitions {
            let Some(id) = id else { continue };
            writer.push(&mut all, &name, id);
        }
        let definitions = writer.tree.add_mapping(all);
        writer.push(&mut entries, "definitions", definitions);
    }
    let root = writer.tree.add_mapping(entries);
    writer.tree.set_root(root);
    document(&writer.tree)
}

fn document(tree: &Tree) -> Result<String> {
    let text = emit(tree, EmitOptions::new().directives(false))?;
    Ok(format!("%YAML 1.1\n---\n{}...\n", text.trim_start_matches("---\n")))
}

/// Splits documentation into its first paragraph and the rest.
fn words(docs: &str) -> (Option<String>, Option<String>) {
    let (first, rest) = docs.split_once("\n\n").unwrap_or((docs, ""));
    let line = |text: &str| Some(text.trim().replace('\n', " ")).filter(|text| !text.is_empty());
    (line(first), Some(rest.trim().to_owned()).filter(|text| !text.is_empty()))
}

/// Entries of a mapping that is not in the tree yet.
type Entries = Vec<(NodeId, NodeId)>;

struct Writer {
    tree: Tree,
    /// The types that are being written.
    open: Vec<&'static str>,
    /// The recursive types, without a schema while it is being written.
    definitions: BTreeMap<String, Option<NodeId>>,
}

impl Writer {
    fn push(&mut self, entries: &mut Entries, key: &str, value: NodeId) {
        let key = self.tree.add_str(key);
        entries.push((key, value));
    }

    fn put<T: ToNode + ?Sized>(&mut self, entries: &mut Entries, key: &str, value: &T) -> Result<()> {
        if value.is_absent() {
            return Ok(());
        }
        let value = value.to_node(&mut self.tree)?;
        self.push(entries, key, value);
        Ok(())
    }

    fn sequence(&mut self, schemas: Vec<Entries>) -> NodeId {
        let items: Vec<NodeId> = schemas.into_iter().map(|entries| self.tree.add_mapping(entries)).collect();
        self.tree.add_sequence(items)
    }

    /// Writes the schema of a nested value: a tag, a reference, or its whole description.
    fn value(&mut self, describe: Describe) -> Result<Entries> {
        let description = describe();
        let mut entries = Vec::new();
        if let Some(tag) = description.tag {
            self.put(&mut entries, "tag", &versions(tag))?;
            return Ok(entries);
        }
        let name = description.name;
        if !name.is_empty() && self.open.first() == Some(&name) {
            self.put(&mut entries, "$ref", "#")?;
            return Ok(entries);
        }
        if !name.is_empty() && self.open.contains(&name) {
            let short = definition(name);
            self.put(&mut entries, "$ref", &format!("#/definitions/{short}"))?;
            self.definitions.entry(short).or_default();
            return Ok(entries);
        }
        self.open.push(name);
        let form = self.form(&description.form);
        self.open.pop();
        let form = form?;
        let short = definition(name);
        if self.definitions.contains_key(&short) {
            let whole = self.tree.add_mapping(form);
            self.definitions.insert(short.clone(), Some(whole));
            self.put(&mut entries, "$ref", &format!("#/definitions/{short}"))?;
            return Ok(entries);
        }
        Ok(form)
    }

    fn form(&mut self, form: &Form) -> Result<Entries> {
        let mut entries = Vec::new();
        match form {
            Form::Kinds(kinds) => self.kinds(&mut entries, *kinds)?,
            Form::Tagged(tag) => self.put(&mut entries, "tag", &versions(tag))?,
            Form::TagLike(patterns) => match patterns {
                [one] => self.put(&mut entries, "tag", *one)?,
                several => {
                    let mut all = Vec::new();
                    for pattern in *several {
                        let mut one = Vec::new();
                        self.put(&mut one, "tag", *pattern)?;
                        all.push(one);
                    }
                    let all = self.sequence(all);
                    self.push(&mut entries, "anyOf", all);
                }
            },
            Form::Array { datatype, exact, axes, max_axes } => {
                self.put(&mut entries, "tag", "tag:stsci.edu:asdf/core/ndarray-1.*")?;
                self.put(&mut entries, "ndim", &axes.map(|axes| axes as u64))?;
                self.put(&mut entries, "max_ndim", &max_axes.map(|axes| axes as u64))?;
                self.put(&mut entries, "datatype", datatype)?;
                self.put(&mut entries, "exact_datatype", &exact.then_some(true))?;
            }
            Form::Mapping { properties, open } => {
                self.put(&mut entries, "type", "object")?;
                self.properties(&mut entries, None, properties, *open)?;
            }
            Form::Map(of) => {
                self.put(&mut entries, "type", "object")?;
                let values = self.value(*of)?;
                let values = self.tree.add_mapping(values);
                self.push(&mut entries, "additionalProperties", values);
            }
            Form::Sequence { items, length } => {
                self.put(&mut entries, "type", "array")?;
                let items = self.value(*items)?;
                let items = self.tree.add_mapping(items);
                self.push(&mut entries, "items", items);
                self.put(&mut entries, "minItems", &length.map(|length| length as u64))?;
                self.put(&mut entries, "maxItems", &length.map(|length| length as u64))?;
            }
            Form::List(items) => {
                self.put(&mut entries, "type", "array")?;
                let count = items.len() as u64;
                let items = items.iter().map(|item| self.value(*item)).collect::<Result<Vec<_>>>()?;
                let items = self.sequence(items);
                self.push(&mut entries, "items", items);
                self.put(&mut entries, "minItems", &count)?;
                self.put(&mut entries, "maxItems", &count)?;
            }
            Form::Choice { words, values } => {
                let mut all = Vec::new();
                if !words.is_empty() {
                    let mut one = Vec::new();
                    self.put(&mut one, "type", "string")?;
                    self.put(&mut one, "enum", words)?;
                    all.push(one);
                }
                for value in values {
                    all.push(self.value(*value)?);
                }
                match <[Entries; 1]>::try_from(all) {
                    Ok([only]) => entries = only,
                    Err(all) => {
                        let all = self.sequence(all);
                        self.push(&mut entries, "anyOf", all);
                    }
                }
            }
            Form::Checked { of, constraints } => {
                entries = self.value(*of)?;
                // Keywords beside a reference are ignored.
                let referring = entries.iter().any(|(key, _)| self.tree.node(*key).as_str() == Some("$ref"));
                if referring && !constraints.is_empty() {
                    let other = std::mem::take(&mut entries);
                    let mut own = Vec::new();
                    self.constraints(&mut own, constraints)?;
                    let both = self.sequence(vec![other, own]);
                    self.push(&mut entries, "allOf", both);
                } else {
                    self.constraints(&mut entries, constraints)?;
                }
            }
            Form::Keyed { key, variants } => {
                let mut all = Vec::new();
                for (name, properties, open) in variants {
                    let mut one = Vec::new();
                    self.put(&mut one, "type", "object")?;
                    self.properties(&mut one, Some((key, name)), properties, *open)?;
                    all.push(one);
                }
                let all = self.sequence(all);
                self.push(&mut entries, "oneOf", all);
            }
            _ => {}
        }
        Ok(entries)
    }

    fn kinds(&mut self, entries: &mut Entries, kinds: Kinds) -> Result<()> {
        if kinds == Kinds::ANY {
            return Ok(());
        }
        let mut names = Vec::new();
        for kind in Kind::ALL.into_iter().filter(|kind| kinds.contains(*kind)) {
            let name = match kind {
                Kind::Null => "null",
                Kind::Bool => "boolean",
                Kind::Int if kinds.has(Kinds::NUMBER) => continue,
                Kind::Float => "number",
                Kind::Int => "integer",
                Kind::String | Kind::Timestamp => "string",
                Kind::Sequence => "array",
                Kind::Mapping => "object",
            };
            if !names.contains(&name) {
                names.push(name);
            }
        }
        match names.as_slice() {
            [one] => self.put(entries, "type", *one)?,
            several => self.put(entries, "type", several)?,
        }
        if kinds.contains(Kind::Timestamp) {
            self.put(entries, "format", "date-time")?;
        }
        Ok(())
    }

    fn properties(
        &mut self,
        entries: &mut Entries,
        variant: Option<(&str, &str)>,
        properties: &[Property],
        open: bool,
    ) -> Result<()> {
        let mut all = Vec::new();
        let mut required = Vec::new();
        if let Some((key, name)) = variant {
            let mut one = Vec::new();
            self.put(&mut one, "enum", &[name][..])?;
            let one = self.tree.add_mapping(one);
            self.push(&mut all, key, one);
            required.push(key);
        }
        for property in properties {
            let mut one = Vec::new();
            let (title, description) = words(property.docs);
            self.put(&mut one, "title", &title)?;
            self.put(&mut one, "description", &description)?;
            let value = self.value(property.of)?;
            let referring = value.iter().any(|(key, _)| self.tree.node(*key).as_str() == Some("$ref"));
            if referring && !one.is_empty() {
                let part = self.sequence(vec![value]);
                self.push(&mut one, "allOf", part);
            } else {
                one.extend(value);
            }
            if let Some(default) = property.default {
                self.put(&mut one, "default", &default()?)?;
            }
            let one = self.tree.add_mapping(one);
            self.tree.set_style(one, Style::Block);
            self.push(&mut all, property.key, one);
            if property.required {
                required.push(property.key);
            }
        }
        let order: Vec<&str> = variant
            .iter()
            .map(|(key, _)| *key)
            .chain(properties.iter().map(|property| property.key))
            .collect();
        let all = self.tree.add_mapping(all);
        self.push(entries, "properties", all);
        // Draft 4 does not allow an empty list.
        if !required.is_empty() {
            self.put(entries, "required", &required)?;
        }
        // Python's asdf sets the order as an attribute of the mapping, which fails for a mapping without a tag.
        if !order.is_empty() && self.open.len() == 1 {
            self.put(entries, "propertyOrder", &order)?;
        }
        if !open {
            self.put(entries, "additionalProperties", &false)?;
        }
        Ok(())
    }

    fn constraints(&mut self, entries: &mut Entries, constraints: &[Constraint]) -> Result<()> {
        let mut patterns = Vec::new();
        for constraint in constraints {
            match constraint {
                Constraint::Pattern(pattern) => patterns.push(*pattern),
                Constraint::Count(keyword, count) => self.put(entries, keyword, &(*count as u64))?,
                Constraint::Int(keyword, number, exclusive) => {
                    self.replace_bound(entries, keyword);
                    self.put(entries, keyword, number)?;
                    self.exclusive(entries, keyword, *exclusive)?;
                }
                Constraint::Float(keyword, number, exclusive) => {
                    self.replace_bound(entries, keyword);
                    self.put(entries, keyword, number)?;
                    self.exclusive(entries, keyword, *exclusive)?;
                }
                Constraint::OneOf(numbers) => {
                    let numbers: Vec<Number> = numbers.iter().map(number_of).collect();
                    self.put(entries, "enum", &numbers)?;
                }
                Constraint::Unique => self.put(entries, "uniqueItems", &true)?,
                Constraint::Items(places) => {
                    let mut schemas = Vec::new();
                    for describe in places {
                        schemas.push(self.value(*describe)?);
                    }
                    // The schema of all items becomes that of the items after the described ones.
                    for (key, _) in entries.iter_mut() {
                        if self.tree.node(*key).as_str() == Some("items") {
                            *key = self.tree.add_str("additionalItems");
                        }
                    }
                    let places = self.sequence(schemas);
                    self.push(entries, "items", places);
                }
                Constraint::Contains(demands) => {
                    // JSON is YAML.
                    let all: Vec<serde_json::Value> = demands.iter().map(demanded).collect();
                    let all: Node = yaml::parse(&serde_json::Value::from(all).to_string())?.get("")?;
                    self.put(entries, "allOf", &all)?;
                }
                _ => {}
            }
        }
        match patterns.as_slice() {
            [] => {}
            [one] => self.put(entries, "pattern", *one)?,
            several => {
                let mut all = Vec::new();
                for pattern in several {
                    let mut one = Vec::new();
                    self.put(&mut one, "pattern", *pattern)?;
                    all.push(one);
                }
                let all = self.sequence(all);
                self.push(entries, "allOf", all);
            }
        }
        Ok(())
    }

    /// Removes the bound of a wider type, such as that of `u8`.
    fn replace_bound(&mut self, entries: &mut Entries, keyword: &str) {
        entries.retain(|(key, _)| self.tree.node(*key).as_str() != Some(keyword));
    }

    fn exclusive(&mut self, entries: &mut Entries, keyword: &str, exclusive: bool) -> Result<()> {
        match keyword {
            _ if !exclusive => Ok(()),
            "minimum" => self.put(entries, "exclusiveMinimum", &true),
            _ => self.put(entries, "exclusiveMaximum", &true),
        }
    }
}

/// Shortens the name of a type: `camera::parts::Filter` becomes `Filter`. Replaces all characters but letters and numbers.
fn definition(name: &str) -> String {
    let (path, arguments) = name.split_once('<').unwrap_or((name, ""));
    let short = path.rsplit("::").next().unwrap_or_default();
    let whole = format!("{short}{}{arguments}", if arguments.is_empty() { "" } else { "_" });
    whole.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
}

/// Returns a pattern for the versions of a tag with the same major number.
fn versions(tag: &str) -> String {
    match tag.rsplit_once('-') {
        Some((name, version)) => match version.split_once('.') {
            Some((major, _)) if major.bytes().all(|byte| byte.is_ascii_digit()) => {
                format!("{name}-{major}.*")
            }
            _ => tag.to_owned(),
        },
        None => tag.to_owned(),
    }
}
/// Returns the number of a bound.
fn number_of(bound: &Bound) -> Number {
    match *bound {
        Bound::Int(value) => Number::Int(value.into()),
        Bound::Float(value) => Number::Float(value),
    }
}

/// Makes the schema, in draft 4, of a list that must contain an item.
fn demanded(demand: &Demand) -> serde_json::Value {
    use serde_json::json;
    let tests = demand.tests.iter().map(|test| {
        let (path, own) = match test {
            Test::Pattern(path, pattern) => (path, json!({ "pattern": pattern.source() })),
            Test::OneOf(path, words) => (path, json!({ "enum": words })),
            Test::Required(path, key) => (path, json!({ "required": [key] })),
        };
        let steps: Vec<_> = pointer::steps(path).collect();
        steps.iter().rev().fold(own, |inner, step| json!({ "properties": { (step.as_ref()): inner } }))
    });
    json!({ "not": { "items": { "not": { "allOf": tests.collect::<Vec<_>>() } } } })
}
