//! Derive macros that read and write Rust types as ASDF values.
//!
//! - [`#[derive(Asdf)]`](macro@Asdf) maps a struct or enum to a node of the tree. Use it as `asdf_core::Asdf`, which
//!   imports the trait of the same name too.
//! - [`#[derive(Record)]`](macro@Record) makes a struct an element of structured arrays.
//! - [`#[derive(TagPattern)]`](macro@TagPattern) names a set of tags that a field accepts.
//!
//! Generated types use the same derive and the same attributes as types written by hand.
//!
//! # Modules
//!
//! - `attribute` and `item` parse `#[asdf(...)]`; `docs` reads doc comments.
//! - `container`, `field`, `check` and `shape` turn the attributes into a model of the type and collect every mistake.
//! - `mapping`, `list`, `newtype`, `conversion`, `choice` and `names` write the bodies of the functions.
//! - `describe` writes the description from which schemas are made; `schema` compares the type with an existing schema.
//! - `implementation` assembles the `impl`s, with the bounds of `generics`.
//! - `constructor` and `builder` add functions that make values; `text` adds the traits of strings.
//! - `record` and `tag_pattern` hold the other two derives.
//!
//! The generated code is one block that imports `asdf_core::__private` as `__asdf`. The functions in that module do the
//! work, so the generated code stays small.

mod absent;
mod accessors;
mod assertion;
mod attribute;
mod builder;
mod case;
mod check;
mod choice;
mod codec;
mod constructor;
mod container;
mod conversion;
mod converted;
mod demand;
mod describe;
mod docs;
mod errors;
mod field;
mod generics;
mod implementation;
mod item;
mod list;
mod mapping;
#[cfg(test)]
mod messages;
mod names;
mod newtype;
mod parts;
mod pattern;
mod reach;
mod record;
#[cfg(feature = "schema")]
mod schema;
mod shape;
#[cfg(test)]
mod snapshots;
mod subject;
mod tag_pattern;
mod text;
mod types;
mod values;

use proc_macro::TokenStream;

/// Implements `FromNode` and `ToNode`, and the trait `Asdf` for types with a tag.
///
/// This is the counterpart of a `Converter` of the Python library `asdf`: it says how values of a type are read from
/// a node of the tree and written to one.
///
/// # Examples
///
/// ```
/// use asdf_core::value::{Extra, KeptTag};
/// use asdf_core::Asdf;
///
/// /// A filter in the wheel.
/// #[derive(Debug, Clone, PartialEq, Asdf)]
/// #[asdf(tag = "asdf://example.org/tags/filter-1.1.0", accepts = ["asdf://example.org/tags/filter-1.*"], new)]
/// pub struct Filter {
///     /// Name of the filter.
///     pub name: FilterName,
///     /// Central wavelength, in nanometres.
///     pub wavelength: Option<f64>,
///     /// Position in the wheel.
///     #[asdf(rename = "slot number", default = 1)]
///     pub slot: u8,
///     /// The version of the tag that the value was read with.
///     #[asdf(tag)]
///     pub tag: KeptTag,
///     /// All other properties of the node.
///     #[asdf(extra)]
///     pub extra: Extra,
/// }
///
/// /// The name of a filter: one to eight capitals and digits.
/// #[derive(Debug, Clone, PartialEq, Asdf)]
/// #[asdf(text, check(pattern = "^[A-Z0-9]+$", max_length = 8))]
/// pub struct FilterName(String);
///
/// # fn main() -> asdf_core::Result<()> {
/// let text = "!<asdf://example.org/tags/filter-1.0.0> {name: F150W, slot number: 3, maker: ACME}";
/// let tree = asdf_core::yaml::parse(text)?;
/// let filter: Filter = tree.get("")?;
/// assert_eq!(filter.name, "F150W");
/// assert_eq!(filter.extra.len(), 1);
///
/// // It is written as it was read.
/// assert_eq!(Some(asdf_core::Node::new(&filter)?.view()), tree.root());
///
/// // Invalid values cannot be constructed.
/// let error = FilterName::new("blue-ish").unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "found the string 'blue-ish', expected a match of the pattern '^[A-Z0-9]+$' for `FilterName`"
/// );
/// let new = Filter::new(FilterName::new("F090W")?);
/// assert_eq!((new.slot, new.tag), (1, KeptTag::Newest));
/// # Ok(())
/// # }
/// ```
///
/// # Representation in the file
///
/// | type | in the file |
/// |---|---|
/// | `struct Name { field: T, ... }` | a mapping with one property per field, in the order of the fields |
/// | `struct Name;` | an empty mapping |
/// | `struct Name(T);` | the same as `T` |
/// | `struct Name(T, U);` | a sequence of the values |
/// | `enum Name { A, B }` | a string, the name of the variant |
/// | `enum Name { A(T), B(U) }` | the same as `T` or `U`; the kind and tag of the node select the variant |
/// | `enum Name { A, B(T) }` | a string with the name of the variant, or the same as `T` |
/// | `enum Name { A { field: T }, B(T, U) }` | a mapping or a sequence; the first variant that can be read is selected |
/// | the same with `key = "kind"` | a mapping; the value of `kind` selects the variant |
///
/// A field of type `Option` can be missing, and is not written if it is `None`. Null is read as `None` too
/// (`Nullable` distinguishes the two). All faults of a mapping are reported in one error, each with its path. A property
/// without a field is an error, unless a field is marked `extra`.
///
/// A node fits a variant with a value if its kind is one of `T::TYPES` and `T` accepts its tag. Variants that fit are
/// tried in the order of their definition, so write the narrower one first: a checked string before a `String`, a `Node`
/// last. If only one variant fits, the error of that variant is reported. A variant that can never be read is a compile
/// error. Examples are an `i32` after an `f64`, and a variant with the same fields as an earlier one.
///
/// Type parameters that fields mention get the bounds `FromNode` and `ToNode`. Other bounds are those of the type.
///
/// A type can contain itself, in a `Box` or a list. Reading such a type from a node that contains itself through an
/// alias is an error; it does not overflow the stack. Values that are read are owned: a field cannot be a reference, but
/// it can be a `Cow`. A type with references can only be written, with `write_only`.
///
/// Unions and enums without variants are not supported.
///
/// # Attributes of a type
///
/// | attribute | |
/// |---|---|
/// | `tag = "uri"` | The tag, as a whole URI. New values are written with it. Reading accepts this tag and nodes without a tag, and refuses other tags. A tagged scalar is text, so a type that holds only numbers, booleans or null cannot have a tag. |
/// | `accepts = ["pattern", ...]` | Further tags that are read: `*` matches anything but `/`, `**` matches anything. Needs `tag`. |
/// | `upgrades = [v1_0::Name, ...]` | Types of older versions with their own tags. Their values are converted to this type with `TryFrom` (or `From`). See [versions](#versions). |
/// | `versions = [v1_0::Name, ...]` | Types of other versions with their own tags. A node with such a tag is read if it is valid for that type and fits this one. With a field of type `KeptTag` it is written with the same tag again while it stays valid for that tag. |
/// | `schema = "path"` | The schema file, relative to the folder of `Cargo.toml`. The type is [compared](#schemas) with it. |
/// | `by_tag` | On an enum of values: only a tag selects a variant after the first. A node without a tag is read as the first variant, or not at all. |
/// | `key = "kind"` | On an enum: the property whose value selects the variant of a mapping. Each variant has named fields or no fields. |
/// | `rename_all = "kebab-case"` | The keys of a struct's fields, or the names of an enum's variants, unless `rename` is given: `snake_case`, `kebab-case`, `camelCase`, `PascalCase`, `SCREAMING_SNAKE_CASE`, `SCREAMING-KEBAB-CASE`, `lowercase` or `UPPERCASE`, as in serde. |
/// | `write_only` | Implements only `ToNode`. Fields can be references. |
/// | `new` | Adds a function `new` with the required fields as arguments, in their order. Other fields are `None`, empty, or have their default. With more than five required fields, adds a [builder](#builders) instead. A newtype gets `new`, `get`, `into_inner` and `From<T>`. |
/// | `builder` | Adds a [builder](#builders) for any number of required fields. |
/// | `text` | Makes the type behave as [text](#text): a newtype of text, or an enum whose variants are all names. |
/// | `notes = [("property", "keyword", "value"), ...]` | Annotations of a schema, for programs that need them: implements `Noted`. An empty property means the value as a whole. |
/// | `check(...)` | [Constraints](#constraints) on the value of a newtype. |
/// | `try_from = "T"`, `into = "T"` | Reads a `T` and converts it with `TryFrom`; an error of the conversion becomes an error of the node. Writes a `T`, with `Into` on a clone. Generated schemas describe `T`. See [conversions](#conversion-through-another-type). |
/// | `from = "T"`, `into = "T"` | The same for a conversion that cannot fail, with `From`. |
/// | `write_check = path` | A function `fn(&Type) -> Result<()>` that is called before a value is written, for conditions between fields. If it fails, writing fails. It is not called for values that are read. |
/// | `crate = "path"` | The path of asdf-core, if it is not `::asdf_core`. |
///
/// If an enum has a tag, the nodes of all its variants have that tag. The values of its variants should be of types
/// without a tag.
///
/// ```
/// use asdf_core::Asdf;
///
/// #[derive(Asdf)]
/// #[asdf(rename_all = "kebab-case", new)]
/// struct ReadOut {
///     gain_factor: f64,
///     dark_current: Option<f64>,
/// }
///
/// let read_out: ReadOut = asdf_core::yaml::parse("gain-factor: 1.5")?.get("")?;
/// assert_eq!(read_out.gain_factor, 1.5);
/// assert_eq!(ReadOut::new(2.0).dark_current, None);
/// # Ok::<(), asdf_core::Error>(())
/// ```
///
/// # Attributes of a field
///
/// | attribute | |
/// |---|---|
/// | `rename = "key"` | The key of the property, if it is not the name of the field. |
/// | `alias = "old"` | A further key that is read but never written. Can be repeated. A mapping with two of the keys is an error. |
/// | `default` | Uses `Default::default()` if the property is missing. |
/// | `default = value` | Uses this expression if the property is missing. A path in lower case is a function to call (`default = Vec::new`); a string is converted to the type of the field. The property is always written. |
/// | `old_default = value` | Uses this value if the property is missing in a file older than standard 1.6.0. For such files the standard requires readers to fill in the schema's default. A string, a number, a boolean, a list of these, or `{}`. |
/// | `with = module` | Reads and writes the value with `module::from_node` and `module::to_node`, for types of other crates. |
/// | `array` | Stores the elements in a block: `Vec<T>`, `Vec<[T; N]>`, `Box<[T]>`, `[T; N]` of numbers, an array of the crate `ndarray` (with that feature), or an `Option` of one. See [arrays](#arrays). |
/// | `records` | The same for a `Vec` of structs that derive `Record`. |
/// | `codec = "zlib:9"` | With `array` or `records`: the compression of the block and, optionally, its level. A level that a codec of asdf-core does not support is an error. Any other label of one to four characters names a custom codec, to be passed to [`WriteOptions::codec`](https://docs.rs/asdf-core/latest/asdf_core/struct.WriteOptions.html#method.codec). |
/// | `write_tags = ["uri", "pattern", ...]` | The tag to write the value with, if the schema requires one (`tag: uri`) that differs from the tag of new values. A value that kept another tag gets it too, unless that tag fits one of the patterns. The type must accept the tag, and the value must be valid with it; otherwise writing fails. A value without a tag gets no tag. |
/// | `skip` | The field is not in the file. Reading sets it to its `default`, or to `Default::default()`. |
/// | `flatten` | Merges the properties of the field's type into this mapping: see [flattened fields](#flattened-fields). With `default`, `new` and the builder use `Default::default()` and have no argument for the field. |
/// | `extra` | The field, of type `Extra`, holds the properties without a field. They are written last. |
/// | `tag` | The field, of type `KeptTag`, holds the tag that the value was read with, and the value is written with it. Without such a field the value is written with the type's own tag. |
///
/// ```
/// use asdf_core::Asdf;
///
/// #[derive(Asdf)]
/// struct Readout {
///     #[asdf(rename = "GAIN", alias = "gain")]
///     gain: f64,
///     #[asdf(default = 16)]
///     bits: u8,
///     #[asdf(skip)]
///     cached: Option<f64>,
/// }
///
/// let readout: Readout = asdf_core::yaml::parse("gain: 1.5")?.get("")?;
/// assert_eq!((readout.gain, readout.bits, readout.cached), (1.5, 16, None));
/// # Ok::<(), asdf_core::Error>(())
/// ```
///
/// The functions of a `with` module have the signatures of the trait functions. They receive the node with its tag, and
/// nothing else checks that tag. For a field of type `Option<T>` they convert a `T`.
///
/// ```
/// use asdf_core::Asdf;
/// use std::time::Duration;
///
/// #[derive(Asdf)]
/// struct Exposure {
///     #[asdf(with = seconds)]
///     time: Duration,
///     #[asdf(with = seconds)]
///     overhead: Option<Duration>,
/// }
///
/// mod seconds {
///     use asdf_core::{FromNode, NodeId, NodeRef, Result, ToNode, Tree};
///     use std::time::Duration;
///
///     pub fn from_node(node: NodeRef<'_>) -> Result<Duration> {
///         Duration::try_from_secs_f64(f64::from_node(node)?).map_err(|_| node.expected("a duration in seconds"))
///     }
///
///     pub fn to_node(time: &Duration, tree: &mut Tree) -> Result<NodeId> {
///         time.as_secs_f64().to_node(tree)
///     }
/// }
///
/// # fn main() -> asdf_core::Result<()> {
/// let exposure: Exposure = asdf_core::yaml::parse("time: 1.5")?.get("")?;
/// assert_eq!((exposure.time, exposure.overhead), (Duration::from_millis(1500), None));
/// # Ok(())
/// # }
/// ```
///
/// ## Conversion through another type
///
/// With `try_from` and `into`, a type is read and written as another type, as in serde:
///
/// ```
/// use asdf_core::Asdf;
///
/// /// An angle, written in degrees.
/// #[derive(Debug, Clone, PartialEq, Asdf)]
/// #[asdf(try_from = "f64", into = "f64")]
/// struct Latitude {
///     radians: f64,
/// }
///
/// impl TryFrom<f64> for Latitude {
///     type Error = &'static str;
///
///     fn try_from(degrees: f64) -> Result<Self, &'static str> {
///         match degrees {
///             -90.0..=90.0 => Ok(Self { radians: degrees.to_radians() }),
///             _ => Err("a latitude is from -90 to 90 degrees"),
///         }
///     }
/// }
///
/// impl From<Latitude> for f64 {
///     fn from(latitude: Latitude) -> Self {
///         latitude.radians.to_degrees()
///     }
/// }
///
/// let tree = asdf_core::yaml::parse("{north: 90, beyond: 91.5}")?;
/// let north: Latitude = tree.get("/north")?;
/// assert_eq!(asdf_core::Node::new(&north)?.view().as_f64(), Some(90.0));
/// assert_eq!(
///     tree.get::<Latitude>("/beyond").unwrap_err().to_string(),
///     "line 1, column 21: /beyond: the float 91.5 cannot become `Latitude`: a latitude is from -90 to 90 degrees"
/// );
/// # Ok::<(), asdf_core::Error>(())
/// ```
///
/// The type can have a tag if `T` does not have one. Attributes that control how the fields are read and written are
/// errors on such a type.
///
/// ## Flattened fields
///
/// Fields that several types share can be moved to a separate struct with named fields and without a tag. `flatten`
/// merges its properties into the mapping of another type:
///
/// ```
/// use asdf_core::Asdf;
///
/// #[derive(Debug, PartialEq, Asdf)]
/// struct Base {
///     name: Option<String>,
///     inputs: Vec<String>,
/// }
///
/// #[derive(Debug, PartialEq, Asdf)]
/// #[asdf(tag = "asdf://example.org/tags/shift-1.0.0")]
/// struct Shift {
///     #[asdf(flatten)]
///     base: Base,
///     offset: f64,
/// }
///
/// let shift: Shift = asdf_core::yaml::parse("{inputs: [x], offset: 1.5}")?.get("")?;
/// assert_eq!(shift.base.inputs, ["x"]);
/// # Ok::<(), asdf_core::Error>(())
/// ```
///
/// Properties without a field are stored in the `extra` field of the outer type; without one they are an error. The
/// `extra` field of the flattened type stays empty. Two fields with the same key are a compile error, unless the type
/// has type parameters.
///
/// A newtype with a tag can have a second field for the tag: `struct Name(T, #[asdf(tag)] KeptTag);`.
///
/// # Arrays
///
/// By default, a `Vec` of numbers is written as a sequence in the tree. With `array`, its elements are stored in a
/// block, as in an `NdArray`:
///
/// | field | array | error when read |
/// |---|---|---|
/// | `Vec<T>`, `Box<[T]>` | one axis | more than one axis |
/// | `[T; N]` | shape `[N]` | another length |
/// | `Vec<[T; N]>` | shape `[*, N]`, one item per row | rows of another length, one axis |
/// | `ndarray::Array<T, D>` | the axes of `D` | another number of axes |
///
/// ```
/// use asdf_core::{Asdf, File};
///
/// #[derive(Debug, PartialEq, Asdf)]
/// struct Track {
///     #[asdf(array, codec = "zlib")]
///     points: Vec<[f32; 2]>,
/// }
///
/// let track = Track { points: vec![[0.0, 1.0], [0.5, 2.0], [1.0, 4.0]] };
/// let mut file = File::new();
/// file.set("/track", &track)?;
/// let file = File::from_bytes(file.to_bytes()?)?;
/// assert_eq!(file.array("/track/points")?.shape(), [3, 2]);
/// assert_eq!(file.get::<Track>("/track")?, track);
///
/// let tree = asdf_core::yaml::parse("points: [[0.0, 1.0, 2.0]]")?;
/// assert!(tree.get::<Track>("").unwrap_err().to_string().contains("found an array of shape [1, 3], expected [*, 2]"));
/// # Ok::<(), asdf_core::Error>(())
/// ```
///
/// Elements are converted if no value changes: an array of integers can be read as floats. ASDF schemas have no keyword
/// for the length of a row or of an array, so schemas generated from the type omit it. Fields of the types `NdArray` and
/// `Array<f32, 2>` of asdf-core are arrays without the attribute, and read their elements on first use.
///
/// # Attributes of a variant
///
/// | attribute | |
/// |---|---|
/// | `rename = "name"` | The string of a variant without a value, or the value of `key`, if it is not the name of the variant. |
/// | `write_tags = ["uri", "pattern", ...]` | The tag to write the value of the variant with, as on a field. |
///
/// Fields of variants take the same attributes as fields of structs, except `tag`.
///
/// ```
/// use asdf_core::Asdf;
///
/// #[derive(Debug, PartialEq, Asdf)]
/// enum Extent {
///     /// As large as it has to be.
///     #[asdf(rename = "auto")]
///     Auto,
///     Both(f64),
///     Each([f64; 2]),
/// }
///
/// # fn main() -> asdf_core::Result<()> {
/// let tree = asdf_core::yaml::parse("[auto, 1.5, [1, 2], large]")?;
/// assert_eq!(tree.get::<Extent>("/0")?, Extent::Auto);
/// assert_eq!(tree.get::<Extent>("/2")?, Extent::Each([1.0, 2.0]));
/// assert_eq!(
///     tree.get::<Extent>("/3").unwrap_err().to_string(),
///     "line 1, column 21: /3: found the string 'large', expected 'auto', a number or a sequence for `Extent`"
/// );
/// # Ok(())
/// # }
/// ```
///
/// ```
/// use asdf_core::Asdf;
///
/// #[derive(Debug, PartialEq, Asdf)]
/// #[asdf(key = "kind")]
/// enum Region {
///     #[asdf(rename = "circle")]
///     Circle { radius: f64 },
///     #[asdf(rename = "box")]
///     Box { width: f64, height: f64 },
/// }
///
/// let region: Region = asdf_core::yaml::parse("{kind: box, width: 1, height: 2}")?.get("")?;
/// assert_eq!(region, Region::Box { width: 1.0, height: 2.0 });
/// # Ok::<(), asdf_core::Error>(())
/// ```
///
/// # Schemas
///
/// With `schema = "schemas/filter-1.0.0.yaml"` the type is compared with that schema whenever it is compiled, and is
/// compiled again if the file changes. Each of the following is an error at the field, and quotes the schema with its
/// line:
///
/// - the schema requires a property that has no field, or whose field may not be written;
/// - the schema does not require a property, but its field is required;
/// - the schema has a property without a field, and the type has no `extra` field;
/// - the name of a field is close to a name of the schema, or `additionalProperties: false` forbids it or an `extra` field;
/// - the type of a field writes values that `type` or `enum` do not allow, or a tag other than that of the keyword `tag`;
/// - a variant is missing in the schema's `enum` of strings, or a string of the `enum` has no variant;
/// - the name and version of the tag differ from those at the end of the schema's `id`.
///
/// `$ref` and `allOf` are followed, within the file and to other files that lie relative to this one as their ids do.
/// The compiler compares the types, so aliases, parameters and your own types work. Conditions on values (`anyOf`,
/// patterns, bounds) and schemas in missing files are not compared; the validator checks them. The attribute needs the
/// feature `schema` of asdf-core, which is enabled by default.
///
/// `asdf_schemas::export` generates schemas from types.
///
/// # Conditions between fields
///
/// Fields are public, so a program can construct a value whose fields contradict each other. `write_check` keeps such
/// values out of files:
///
/// ```
/// use asdf_core::{Asdf, Error, File, Result};
///
/// #[derive(Asdf)]
/// #[asdf(write_check = Self::in_order)]
/// struct Range {
///     first: u32,
///     last: u32,
/// }
///
/// impl Range {
///     fn in_order(&self) -> Result<()> {
///         if self.first <= self.last { Ok(()) } else { Err(Error::mismatch("found a range that ends before it begins")) }
///     }
/// }
///
/// let mut file = File::new();
/// file.set("/good", &Range { first: 1, last: 5 })?;
/// assert!(file.set("/bad", &Range { first: 5, last: 1 }).is_err());
/// # Ok::<(), asdf_core::Error>(())
/// ```
///
/// # Versions
///
/// If the new version of a type can read the old form, list the old tags in `accepts`, and make new fields `Option`s or
/// give them a `default`. With a field of type `KeptTag` a value is written with the version that it was read with.
///
/// If the forms differ, define a separate type for the old version, with its own tag and schema. `upgrades` converts its
/// values to the newest type:
///
/// ```
/// use asdf_core::Asdf;
///
/// #[derive(Asdf)]
/// #[asdf(tag = "asdf://example.org/tags/filter-2.0.0", upgrades = [FilterV1])]
/// struct Filter {
///     nanometres: f64,
/// }
///
/// #[derive(Asdf)]
/// #[asdf(tag = "asdf://example.org/tags/filter-1.0.0")]
/// struct FilterV1 {
///     micrometres: f64,
/// }
///
/// impl From<FilterV1> for Filter {
///     fn from(old: FilterV1) -> Self {
///         Self { nanometres: old.micrometres * 1000.0 }
///     }
/// }
///
/// let text = "!<asdf://example.org/tags/filter-1.0.0> {micrometres: 1.5}";
/// let filter: Filter = asdf_core::yaml::parse(text)?.get("")?;
/// assert_eq!(filter.nanometres, 1500.0);
/// # Ok::<(), asdf_core::Error>(())
/// ```
///
/// If the newest type can hold all values of the older one, `versions = [FilterV1]` needs no conversion: the node is
/// checked with the older type and read with the newest. Generated types have this attribute for all versions of their
/// tag. If a value does not fit, the error names the type that can read it.
///
/// A field of type `Tagged<T>` or `Node` keeps values of unknown versions as nodes. `Tagged<T>` accepts any tag;
/// `Tagged<T, P>` accepts tags that fit a [pattern](macro@TagPattern), such as `tag: .../filter-1.*` in a schema.
///
/// # Builders
///
/// A struct with `builder`, or with `new` and more than five required fields, has a function `builder`. The builder has
/// one function per field. For a field of type `Option<T>` the function takes a `T`. `build` returns the value, or one
/// error that names all required fields that are not set. If a field is called `build`, the function is `build_`.
///
/// ```
/// use asdf_core::Asdf;
///
/// #[derive(Debug, PartialEq, Asdf)]
/// #[asdf(builder)]
/// struct Exposure {
///     seconds: f64,
///     target: String,
///     filter: Option<String>,
/// }
///
/// let exposure = Exposure::builder().seconds(1.5).target("M 31".into()).build()?;
/// assert_eq!(exposure.filter, None);
/// assert_eq!(
///     Exposure::builder().filter("F150W".into()).build().unwrap_err().to_string(),
///     "cannot build `Exposure`: the required fields `seconds` and `target` are not set\n  \
///      hint: set all required fields before `build`"
/// );
/// # Ok::<(), asdf_core::Error>(())
/// ```
///
/// # Text
///
/// With `text`, a newtype of text and an enum of names implement the traits of strings:
///
/// | | newtype | newtype with `check` | enum |
/// |---|---|---|---|
/// | `Display` (with padding), `AsRef<str>`, `PartialEq<str>`, `PartialEq<&str>` | yes | yes | yes |
/// | `FromStr` | yes | yes | yes |
/// | from `&str` | `From` | `TryFrom` | `TryFrom` |
/// | from `String` | `From` | `TryFrom` | |
/// | `new` | from `impl Into<String>`, with `new` | from `impl Into<String>` | |
/// | `as_str` | | | yes, `const` |
/// | `VALUES` | | | all values |
///
/// The value of such a newtype is a `String`, a pointer to a `str` (`Box`, `Rc`, `Arc` or `Cow`), or another type that
/// implements `asdf_core::value::check::FromText`. All newtypes with `text` implement that trait. If the value is of such
/// a type, the newtype implements `TryFrom` instead of `From`.
///
/// ```
/// use asdf_core::Asdf;
///
/// #[derive(Debug, Clone, Copy, PartialEq, Asdf)]
/// #[asdf(text)]
/// enum Detector {
///     Red,
///     Blue,
/// }
///
/// assert_eq!(Detector::VALUES.len(), 2);
/// assert_eq!("Red".parse::<Detector>()?, Detector::Red);
/// assert_eq!(
///     "Bleu".parse::<Detector>().unwrap_err().to_string(),
///     "found the string 'Bleu', expected 'Red' or 'Blue' for `Detector`\n  hint: did you mean 'Blue'?"
/// );
/// println!("{:>8}", Detector::Blue);
/// # Ok::<(), asdf_core::Error>(())
/// ```
///
/// # Constraints
///
/// A newtype with `check(...)` holds only valid values. Its field must be private, and the derive adds:
///
/// - `fn new(value: T) -> Result<Self>`, which fails with the constraints that the value breaks,
/// - `fn get(&self) -> &T` and `fn into_inner(self) -> T`,
/// - `TryFrom<T>` (unless `T` is a type parameter alone, for which Rust forbids it).
///
/// Reading checks the constraints too, and the error has the place in the file. The functions have the visibility of
/// the type. Code in the same module can still change the field, and `derive(Default)` ignores the constraints, so
/// avoid both for checked types.
///
/// ```
/// use asdf_core::Asdf;
///
/// #[derive(Debug, Asdf)]
/// #[asdf(check(minimum = 0, maximum = 100))]
/// struct Percent(f64);
///
/// assert_eq!(*Percent::new(12.5)?.get(), 12.5);
/// assert!(Percent::new(101.0).is_err());
/// assert!(asdf_core::yaml::parse("-1")?.get::<Percent>("").is_err());
/// # Ok::<(), asdf_core::Error>(())
/// ```
///
/// | constraint | on | meaning |
/// |---|---|---|
/// | `pattern = "regex"` | text | The pattern matches anywhere in the text, as with Python's `re.search`. The syntax is that of the `regex` crate: no look-around, no back references. |
/// | `min_length = 1`, `max_length = 68` | text | The number of characters (Unicode scalar values). |
/// | `minimum = 0`, `maximum = 1.5` | numbers | Inclusive bounds. NaN is within all bounds. |
/// | `exclusive_minimum = 0`, `exclusive_maximum = 360` | numbers | Exclusive bounds. |
/// | `multiple_of = 0.5` | numbers | The number is an integer multiple of the value. |
/// | `one_of = [-1, 1]` | numbers | The number equals one of the list. Integers and floats are compared by value: `1.0` equals `1`. |
/// | `min_items = 1`, `max_items = 3` | sequences | The number of items. |
/// | `unique_items` | sequences | No two items are equal; 1 and 1.0 are equal. |
/// | `items = [A, B]` | vectors | The first item is a value of type `A`, the second a value of type `B`. Items after them can be anything. |
/// | `contains(name = [["/path", "pattern", "^x$"], ...], ...)` | vectors | The sequence contains an item that passes the tests. A test is `pattern`, `enum` or `required` at a JSON Pointer below the item; a missing node passes, as in JSON Schema. A function `name` returns the first such item; the text of the test `description` becomes its documentation. |
///
/// `pattern` and `multiple_of` can be repeated; the value must satisfy all of them.
///
/// Text is any type that implements `asdf_core::value::check::Text`; numbers implement `Numeric`, and sequences
/// implement `Items`. A checked type implements these traits itself, so another newtype can narrow it further.
#[doc(alias = "Converter")]
#[doc(alias = "serialize")]
#[doc(alias = "deserialize")]
#[proc_macro_derive(Asdf, attributes(asdf))]
pub fn derive_asdf(input: TokenStream) -> TokenStream {
    let input = syn::parse2(docs::set_aside(input.into()));
    input
        .and_then(|input| implementation::expand(&input))
        .unwrap_or_else(syn::Error::into_compile_error)
        .into()
}

/// Implements `asdf_core::array::Record`: makes a struct an element of structured arrays.
///
/// Use the derive as `asdf_core::array::Record`, which imports the trait of the same name too. The counterpart in numpy
/// is a structured dtype.
///
/// # Examples
///
/// ```
/// use asdf_core::array::{Ascii, ByteOrder, Record};
/// use asdf_core::NdArray;
///
/// #[derive(Debug, Clone, Copy, PartialEq, Record)]
/// struct Position {
///     ra: f64,
///     dec: f64,
/// }
///
/// #[derive(Debug, Clone, PartialEq, Record)]
/// struct Source {
///     #[asdf(rename = "ID")]
///     id: u32,
///     filter: Ascii<5>,
///     position: Position,
///     covariance: [[f32; 2]; 2],
/// }
///
/// # fn main() -> asdf_core::Result<()> {
/// let source = Source {
///     id: 7,
///     filter: Ascii::new("F150W")?,
///     position: Position { ra: 10.68, dec: 41.27 },
///     covariance: [[1.0, 0.0], [0.0, 1.0]],
/// };
/// let table = NdArray::from_records(&[source.clone()])?.with_byteorder(ByteOrder::Big)?;
/// assert_eq!(table.records::<Source>()?.next(), Some(source));
/// assert_eq!(table.field("position")?.field("dec")?.read::<f64>()?, [41.27]);
/// # Ok(())
/// # }
/// ```
///
/// A field is a number, `bool`, `Ascii<N>` or `Ucs4<N>`, an array `[T; N]` of these, or another record. Fields are
/// written packed, in their order. They are read by name, in any order and with any byte order. Fields of a tuple struct
/// have no names and are read by position. Type parameters that fields mention get the bound `Record`.
///
/// Structs without fields, enums and unions are not supported.
///
/// | attribute | on | |
/// |---|---|---|
/// | `rename = "name"` | a field | The name in the file, if it is not the name of the field. |
/// | `crate = "path"` | the type | The path of asdf-core, if it is not `::asdf_core`. |
#[doc(alias = "dtype")]
#[doc(alias = "recarray")]
#[proc_macro_derive(Record, attributes(asdf))]
pub fn derive_record(input: TokenStream) -> TokenStream {
    let input = syn::parse_macro_input!(input as syn::DeriveInput);
    record::expand(&input).unwrap_or_else(syn::Error::into_compile_error).into()
}

/// Implements `asdf_core::value::TagPattern`: names a set of tags for `asdf_core::Tagged`.
///
/// Use the derive as `asdf_core::value::TagPattern`, which imports the trait of the same name too. The type is the second
/// parameter of `Tagged` and never has values, so an enum without variants is enough.
///
/// # Examples
///
/// ```
/// use asdf_core::value::TagPattern;
///
/// #[derive(TagPattern)]
/// #[asdf(tags = ["asdf://example.org/tags/filter-1.*"])]
/// enum Filters {}
///
/// assert_eq!(Filters::PATTERNS, ["asdf://example.org/tags/filter-1.*"]);
/// ```
///
/// | attribute | |
/// |---|---|
/// | `tags = ["pattern", ...]` | The accepted tags: `*` matches anything but `/`, `**` matches anything. A tag is accepted if it fits one of the patterns. |
/// | `crate = "path"` | The path of asdf-core, if it is not `::asdf_core`. |
#[proc_macro_derive(TagPattern, attributes(asdf))]
pub fn derive_tag_pattern(input: TokenStream) -> TokenStream {
    let input = syn::parse_macro_input!(input as syn::DeriveInput);
    tag_pattern::expand(&input).unwrap_or_else(syn::Error::into_compile_error).into()
}

/// Compiles the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
