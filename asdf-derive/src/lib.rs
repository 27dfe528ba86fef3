//! `#[derive(Asdf)]`: Rust types as ASDF values. `#[derive(Record)]`: structs as elements of arrays.
//! `#[derive(TagPattern)]`: the tags that a field takes.
//!
//! The derive is used as `asdf_core::Asdf`, which brings the trait of that name along, and is
//! [described here](macro@Asdf). It is the one mechanism behind hand-written and generated types:
//! whatever a generator wants to say, it says in attributes, and so can you.
//!
//! How it works: `attribute` and `item` parse `#[asdf(...)]`, and `docs` comments; `container`, `field`, `check` and
//! `shape` make of it what the type is, and collect every mistake; `mapping`, `list`, `newtype`, `conversion`, `choice`
//! and `names` write the bodies of the functions; `describe` says what the type is for schemas made from it; `schema`
//! compares it with a schema that is there; `implementation` puts all into `impl`s, with the bounds of
//! `generics`; `constructor` and `builder` add what makes values, `text` what strings have. `record` and `tag_pattern`
//! are the other derives. The generated code is in one block, which names what is in `asdf_core::__private` as
//! `__asdf`; the work is done there.

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

/// Reads and writes a type as an ASDF value: implements `FromNode` and `ToNode` and, for a type with
/// a tag, the trait `Asdf`.
///
/// ```
/// use asdf_core::value::{Extra, KeptTag};
/// use asdf_core::Asdf;
///
/// /// A filter in the wheel.
/// #[derive(Debug, Clone, PartialEq, Asdf)]
/// #[asdf(tag = "asdf://example.org/tags/filter-1.1.0", accepts = ["asdf://example.org/tags/filter-1.*"], new)]
/// pub struct Filter {
///     /// What it is called.
///     pub name: FilterName,
///     /// The wavelength in the middle, in nanometres.
///     pub wavelength: Option<f64>,
///     /// Where it is in the wheel.
///     #[asdf(rename = "slot number", default = 1)]
///     pub slot: u8,
///     /// The version of the tag that the value was read with.
///     #[asdf(tag)]
///     pub tag: KeptTag,
///     /// What else the file says.
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
/// // An invalid value cannot be made.
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
/// # What a type becomes
///
/// | type | in the file |
/// |---|---|
/// | `struct Name { field: T, ... }` | a mapping, one property a field, in the order of the fields |
/// | `struct Name;` | a mapping without properties |
/// | `struct Name(T);` | what `T` is |
/// | `struct Name(T, U);` | a sequence of these |
/// | `enum Name { A, B }` | a string, the name of the variant |
/// | `enum Name { A(T), B(U) }` | what `T` or `U` is, told apart by kind and tag |
/// | `enum Name { A, B(T) }` | a string with that name, or what `T` is |
/// | `enum Name { A { field: T }, B(T, U) }` | a mapping or a sequence, told apart by what can be read |
/// | the same with `key = "kind"` | a mapping, told apart by the value of `kind` |
///
/// A field whose type is `Option` may be missing, and is not written when it is `None`; null is
/// `None` too (`Nullable` keeps the two apart). Every fault of a mapping is in one error, with its
/// place. A property that no field names is an error too, unless a field is marked `extra`.
///
/// A node fits a variant with a value when its kind is one of `T::TYPES` and its tag one that `T`
/// accepts. Fitting variants are tried in the order in which they are written, so the narrower one
/// goes first: a `String` after a checked one, a `Node` last. A variant that is never read is an error when the
/// type is compiled: an `i32` after an `f64`, fields that an earlier variant has as well. When only one
/// fits, its error is the error.
///
/// Type parameters that fields mention get the bounds `FromNode` and `ToNode`; other bounds are
/// those of the type.
///
/// A type may hold itself, in a `Box` or a list. A node that holds itself by an alias cannot be read as such
/// a type: that is an error, and no overflow of the stack. What is read is owned: a field is no reference, but
/// may be a `Cow`. A type with references is for writing alone, with `write_only`.
///
/// Not derived: unions, enums without variants.
///
/// # Attributes of a type
///
/// | attribute | |
/// |---|---|
/// | `tag = "uri"` | The tag, the whole URI. New values have it; a node without any tag is read as well, a node with another tag is not. A tagged scalar is text, so a type that holds only numbers, booleans or null cannot have a tag. |
/// | `accepts = ["pattern", ...]` | Further tags that are read: `*` is anything but `/`, `**` anything. Needs `tag`. |
/// | `upgrades = [v1_0::Name, ...]` | Types of older versions with tags of their own; this one is made of them by `TryFrom` (or `From`). See [versions](#versions). |
/// | `versions = [v1_0::Name, ...]` | Types of other versions with tags of their own. A node with such a tag is read if it is valid for its type and fits this one. With a field of type `KeptTag` it is written with that tag again for as long as it is valid for it. |
/// | `schema = "path"` | The file with the schema, from the folder of Cargo.toml; the type is [compared](#schemas) with it. |
/// | `by_tag` | On an enum of values: only a tag leads to a variant after the first. A node without a tag is read as the first variant, or not at all. |
/// | `key = "kind"` | On an enum: the property that says which variant a mapping is. Its variants have fields with names, or nothing. |
/// | `rename_all = "kebab-case"` | The keys of a struct's fields, or the names of an enum's variants, where no `rename` says otherwise: `snake_case`, `kebab-case`, `camelCase`, `PascalCase`, `SCREAMING_SNAKE_CASE`, `SCREAMING-KEBAB-CASE`, `lowercase` or `UPPERCASE`, as in serde. |
/// | `write_only` | Only `ToNode` is implemented: fields may be references. |
/// | `new` | A function `new` of the required fields, in their order. The others are `None`, have their default, or are empty. With more than five of them, a [builder](#builders) instead. A newtype gets `new`, `get`, `into_inner` and `From<T>`. |
/// | `builder` | A [builder](#builders), however many fields are required. |
/// | `text` | The type is [text](#text): a newtype of text, or an enum whose variants are all names. |
/// | `notes = [("property", "keyword", "value"), ...]` | What a schema says beyond its language, for programs that ask: implements `Noted`. An empty property is the value as a whole. |
/// | `check(...)` | [Constraints](#constraints) on the value of a newtype. |
/// | `try_from = "T"`, `into = "T"` | Values are read as `T` and converted by `TryFrom`, whose error is that of the node; they are written as `T`, by `Into` of a clone. Schemas get what they say of `T`. See [other types](#types-that-are-written-as-others). |
/// | `from = "T"`, `into = "T"` | The same for a conversion that cannot fail, by `From`. |
/// | `write_check = path` | A function `fn(&Type) -> Result<()>` that is called before a value is written; its error is that of writing. For what holds between fields. Values that are read are not asked. |
/// | `crate = "path"` | Where asdf-core is, if not at `::asdf_core`. |
///
/// In an enum with a tag the node of whatever variant has that tag, so the values of its variants
/// should be of types without one.
///
/// # Attributes of a field
///
/// | attribute | |
/// |---|---|
/// | `rename = "key"` | The property's key, if it is not the name of the field. |
/// | `alias = "old"` | A further key that is read, never written; may be repeated. If two of the keys are there, it is an error. |
/// | `default` | `Default::default()` when the property is missing. |
/// | `default = value` | This when the property is missing: any expression. A path in lower case is a function to call (`default = Vec::new`), a string is made into the field's type. The property is always written. |
/// | `old_default = value` | This when the property is missing in a file older than standard 1.6.0, for which the standard requires readers to fill in the schema's default: a string, a number, a boolean, a list of these, or `{}`. |
/// | `with = module` | `module::from_node` and `module::to_node` read and write the value, for types of other crates. |
/// | `array` | The elements are stored in a block: `Vec<T>`, `Vec<[T; N]>`, `Box<[T]>`, `[T; N]` of numbers, an array of the crate `ndarray` (with that feature), or an `Option` of one. See [arrays](#arrays). |
/// | `records` | The same for a `Vec` of structs that derive `Record`. |
/// | `codec = "zlib:9"` | Beside `array` or `records`: how the block is compressed, with a level if you like. A level that a codec of asdf-core does not have is an error. Any other label of one to four characters is that of a codec of your own, which [`WriteOptions::codec`](https://docs.rs/asdf-core/latest/asdf_core/struct.WriteOptions.html#method.codec) takes. |
/// | `write_tags = ["uri", "pattern", ...]` | The tag that a value is written with here, if it is not the one of new values of its type: what a schema with `tag: uri` asks for. A value that keeps another tag gets it too, unless that tag fits one of the patterns. The type must accept the tag, and the value must be valid with it: writing fails otherwise. A value without a tag keeps none. |
/// | `skip` | The field is not in the file. When read it has its `default`, or `Default::default()`. |
/// | `flatten` | The properties of the field's type stand beside those of the other fields: [flattened fields](#flattened-fields). With `default`, `new` and the builder use `Default::default()` and do not ask for it. |
/// | `extra` | The field, of type `Extra`, holds the properties that no field names. They are written last. |
/// | `tag` | The field, of type `KeptTag`, holds the tag that the value was read with, which is written again. Without such a field the type's own tag is written. |
///
/// The functions of a `with` module are those of the traits. They get the node with its tag, and
/// nobody else looks at that tag. For a field of type `Option<T>` they are for `T`.
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
/// ## Types that are written as others
///
/// A type whose form in the file is another one than its fields is converted, as in serde:
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
/// The type may have a tag, and then `T` should have none. Attributes that say how the fields are read and written
/// are errors beside it.
///
/// ## Flattened fields
///
/// Fields that several types share are a type of their own, a struct with named fields and without a tag. `flatten`
/// puts its properties into the mapping of another:
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
/// Properties that no field has go to the `extra` of the outer type, and are an error if it has none. That of
/// the flattened type stays empty. Two fields with the same key are an error when the type is compiled, unless it
/// has parameters.
///
/// A newtype with a tag may have a second field for it: `struct Name(T, #[asdf(tag)] KeptTag);`.
///
/// # Arrays
///
/// A `Vec` of numbers is a list in the tree. With `array` its elements are in a block, as those of an `NdArray`:
///
/// | field | array | refused when read |
/// |---|---|---|
/// | `Vec<T>`, `Box<[T]>` | one axis | more axes |
/// | `[T; N]` | shape `[N]` | another length |
/// | `Vec<[T; N]>` | shape `[*, N]`, a row an item | rows of another length, one axis |
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
/// for the length of a row or of an array, so schemas made from the type leave it out. A field of the type `NdArray` or
/// `Array<f32, 2>` of asdf_core is an array without the attribute, and reads its elements when they are used.
///
/// # Attributes of a variant
///
/// | attribute | |
/// |---|---|
/// | `rename = "name"` | The string of a variant without a value, or the value of `key`, if it is not the name of the variant. |
/// | `write_tags = ["uri", "pattern", ...]` | The tag that the value of the variant is written with, as on a field. |
///
/// Fields of variants have the attributes of other fields, but for `tag`.
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
/// With `schema = "schemas/filter-1.0.0.yaml"` the type is compared with that schema whenever it is compiled,
/// and compiled again when the file changes. Each of these is an error at the field, with the schema's words
/// and line:
///
/// - a property that the schema requires and no field has, or whose field may leave it out;
/// - a property that the schema does not require, in a field that needs it; one that no field and no `extra` has;
/// - a name that is nearly one of the schema's, or that `additionalProperties: false` forbids, and then `extra`;
/// - a field of a type that writes what `type` or `enum` do not allow, or another tag than `tag` asks for;
/// - variants that are not in the `enum` of strings, or the other way;
/// - a tag whose name and version are not those at the end of the schema's `id`.
///
/// `$ref` and `allOf` are followed, within the file and to files that are where their ids say, as seen from
/// this one. Types are compared by the compiler, through aliases, parameters and types of your own. What
/// hangs on the value (`anyOf`, patterns, bounds) and what is in files that are not here is left to the
/// validator. It needs the feature `schema` of asdf-core, which is a default one.
///
/// The other way, schemas are made from types: `asdf_schemas::export`.
///
/// # Fields that have to fit each other
///
/// Fields are public, so that a value can be made whose fields contradict each other. `write_check` keeps it out of
/// files:
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
/// A new version of a type that reads what the older one wrote lists the older tags in `accepts`, and fields
/// that are new are `Option`s or have a `default`; with a field of type `KeptTag` a value is written with the
/// version that it was read with. A version that looks otherwise is a type of its own, with its tag and its
/// schema, and `upgrades` makes the newest of it:
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
/// Where the newest type can hold what the older one reads, `versions = [FilterV1]` needs no conversion: the node
/// is checked with the older type and read with the newest. Generated types have this for all versions of their
/// tag. If a value does not fit, the error names the type that reads it.
///
/// A version that nobody knows stays a node, in a field of type `Tagged<T>` or `Node`. `Tagged<T>` takes any
/// tag, `Tagged<T, P>` those that fit a [pattern](macro@TagPattern), as where a schema says `tag: .../filter-1.*`.
///
/// # Builders
///
/// A struct with `builder`, or with `new` and more than five required fields, has a function `builder`. The builder
/// has a function for each field: that of a field of type `Option<T>` takes a `T`. The function `build` gives the value, or one error
/// that names all required fields that are not set. If a field is called `build`, the function is `build_`.
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
/// With `text` a newtype of text and an enum of names are used as strings are:
///
/// | | newtype | newtype with `check` | enum |
/// |---|---|---|---|
/// | `Display` (with padding), `AsRef<str>`, `PartialEq<str>`, `PartialEq<&str>` | yes | yes | yes |
/// | `FromStr` | yes | yes | yes |
/// | of `&str` | `From` | `TryFrom` | `TryFrom` |
/// | of `String` | `From` | `TryFrom` | |
/// | `new` | of `impl Into<String>`, with `new` | of `impl Into<String>` | |
/// | `as_str` | | | yes, `const` |
/// | `VALUES` | | | all values |
///
/// The value of such a newtype is a `String`, a pointer to a `str` (`Box`, `Rc`, `Arc` or `Cow`), or another type
/// that implements `asdf_core::value::check::FromText`, as all types with `text` do that are newtypes. With the latter there is
/// `TryFrom` in place of `From`.
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
/// A newtype with `check(...)` holds only valid values: its field must be private, and it gets
///
/// - `fn new(value: T) -> Result<Self>`, which says what is wrong with the value,
/// - `fn get(&self) -> &T` and `fn into_inner(self) -> T`,
/// - `TryFrom<T>` (unless `T` is a type parameter alone, where Rust forbids it).
///
/// Reading checks as well, and so with the place in the file. The functions are as visible as the
/// type. Code in the same module can still get at the field, and `derive(Default)` knows nothing of
/// constraints: neither belongs beside a checked type.
///
/// | constraint | of | meaning |
/// |---|---|---|
/// | `pattern = "regex"` | text | The pattern is found somewhere in the text, as by Python's `re.search`, in the syntax of the `regex` crate: no look-around, no back references. |
/// | `min_length = 1`, `max_length = 68` | text | How many characters (Unicode scalar values). |
/// | `minimum = 0`, `maximum = 1.5` | numbers | The value or beyond it. NaN is within all bounds. |
/// | `exclusive_minimum = 0`, `exclusive_maximum = 360` | numbers | Beyond the value. |
/// | `multiple_of = 0.5` | numbers | A whole number of times the value. |
/// | `one_of = [-1, 1]` | numbers | One of these. Integers and floats are compared by their values: `1.0` is `1`. |
/// | `min_items = 1`, `max_items = 3` | sequences | How many items. |
/// | `unique_items` | sequences | No two items are equal; 1 and 1.0 are. |
/// | `items = [A, B]` | vectors | The first item is a value of the type `A`, the second one of `B`; items after them may be anything. |
/// | `contains(name = [["/path", "pattern", "^x$"], ...], ...)` | vectors | Each of these is there: an item that passes the tests, `pattern`, `enum` or `required` at a JSON Pointer below it; what is missing there passes, as in JSON Schema. A function `name` gives the first; the test `description` is its documentation. |
///
/// `pattern` and `multiple_of` may be given several times; every one of them holds.
///
/// Text is whatever implements `asdf_core::value::check::Text`, numbers `Numeric`, sequences
/// `Items`. A checked type does so itself: it can be the value of another that narrows it.
#[proc_macro_derive(Asdf, attributes(asdf))]
pub fn derive_asdf(input: TokenStream) -> TokenStream {
    let input = syn::parse2(docs::set_aside(input.into()));
    input
        .and_then(|input| implementation::expand(&input))
        .unwrap_or_else(syn::Error::into_compile_error)
        .into()
}

/// Makes a struct an element of structured arrays: implements `asdf_core::array::Record`. The derive is
/// used as `asdf_core::array::Record`, which brings the trait of that name along.
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
/// A field is a number, `bool`, `Ascii<N>` or `Ucs4<N>`, an array `[T; N]` of these, or another record.
/// Fields are written packed, in their order, and read by their names, in whatever order and byte order
/// they are. Those of a tuple struct have no names and are read by their places. Type parameters that
/// fields mention get the bound `Record`.
///
/// Not derived: structs without fields, enums, unions.
///
/// | attribute | of | |
/// |---|---|---|
/// | `rename = "name"` | a field | The name in the file, if it is not the name of the field. |
/// | `crate = "path"` | the type | Where asdf-core is, if not at `::asdf_core`. |
#[proc_macro_derive(Record, attributes(asdf))]
pub fn derive_record(input: TokenStream) -> TokenStream {
    let input = syn::parse_macro_input!(input as syn::DeriveInput);
    record::expand(&input).unwrap_or_else(syn::Error::into_compile_error).into()
}

/// Makes a type a pattern of tags, for the second parameter of `asdf_core::Tagged`: implements
/// `asdf_core::value::TagPattern`, which has an example. The derive is used as `asdf_core::value::TagPattern`, which brings the
/// trait of that name along.
///
/// The type is never a value, so an enum without variants does.
///
/// | attribute | |
/// |---|---|
/// | `tags = ["pattern", ...]` | The tags: `*` is anything but `/`, `**` anything. A tag that fits one of them fits. |
/// | `crate = "path"` | Where asdf-core is, if not at `::asdf_core`. |
#[proc_macro_derive(TagPattern, attributes(asdf))]
pub fn derive_tag_pattern(input: TokenStream) -> TokenStream {
    let input = syn::parse_macro_input!(input as syn::DeriveInput);
    tag_pattern::expand(&input).unwrap_or_else(syn::Error::into_compile_error).into()
}

/// The README's example compiles.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
