//! `#[derive(Asdf)]`: Rust types as ASDF values. `#[derive(Record)]`: structs as elements of arrays.
//!
//! The derive is used as `asdf_core::Asdf`, which brings the trait of that name along, and is
//! [described here](macro@Asdf). It is the one mechanism behind hand-written and generated types:
//! whatever a generator wants to say, it says in attributes, and so can you.
//!
//! How it works: `attribute` and `item` parse `#[asdf(...)]`; `container`, `field`, `check` and
//! `shape` make of it what the type is, and collect every mistake; `mapping`, `newtype` and `choice`
//! write the bodies of the functions; `implementation` puts them into `impl`s, with the bounds of
//! `generics`; `constructor` adds `new`. `record` is the other derive. The generated code names only what is below `::asdf_core`,
//! `::core` and `::std`, and the work is done in `asdf_core::value::derived` and
//! `asdf_core::value::check`.

mod attribute;
mod check;
mod choice;
mod constructor;
mod container;
mod errors;
mod field;
mod generics;
mod implementation;
mod item;
mod mapping;
mod nearest;
mod newtype;
mod pattern;
mod record;
mod shape;
mod types;

use proc_macro::TokenStream;

/// Reads and writes a type as an ASDF value: implements `FromNode` and `ToNode` and, for a type with
/// a tag, the trait `Asdf`.
///
/// ```
/// use asdf_core::{Asdf, Extra, KeptTag};
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
/// #[asdf(check(pattern = "^[A-Z0-9]+$", max_length = 8))]
/// pub struct FilterName(String);
///
/// # fn main() -> asdf_core::Result<()> {
/// let text = "!<asdf://example.org/tags/filter-1.0.0> {name: F150W, slot number: 3, maker: ACME}";
/// let tree = asdf_core::yaml::parse(text)?;
/// let filter: Filter = tree.get("")?;
/// assert_eq!(filter.name.get(), "F150W");
/// assert_eq!(filter.extra.len(), 1);
///
/// // It is written as it was read.
/// assert_eq!(Some(asdf_core::Node::new(&filter)?.view()), tree.root());
///
/// // An invalid value cannot be made.
/// let error = FilterName::new("blue-ish".to_owned()).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "found the string 'blue-ish', expected a match of the pattern '^[A-Z0-9]+$' for `FilterName`"
/// );
/// let new = Filter::new(FilterName::new("F090W".to_owned())?);
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
/// | `struct Name(T);` | what `T` is |
/// | `enum Name { A, B }` | a string, the name of the variant |
/// | `enum Name { A(T), B(U) }` | what `T` or `U` is, told apart by kind and tag |
/// | `enum Name { A, B(T) }` | a string with that name, or what `T` is |
///
/// A field whose type is `Option` may be missing, and is not written when it is `None`; null is
/// `None` too (`Nullable` keeps the two apart). Every fault of a mapping is in one error, with its
/// place. A property that no field names is an error too, unless a field is marked `extra`.
///
/// A node fits a variant with a value when its kind is one of `T::TYPES` and its tag one that `T`
/// accepts. Fitting variants are tried in the order in which they are written, so the narrower one
/// goes first: a `String` after a checked one, a `Node` last. When only one fits, its error is the
/// error.
///
/// Type parameters that fields mention get the bounds `FromNode` and `ToNode`; other bounds are
/// those of the type.
///
/// Not derived: unit structs, tuple structs of several values, unions, variants with several values
/// or named fields. The error says what to write instead.
///
/// # Attributes of a type
///
/// | attribute | |
/// |---|---|
/// | `tag = "uri"` | The tag, the whole URI. New values have it; a node without any tag is read as well, a node with another tag is not. |
/// | `accepts = ["pattern", ...]` | Further tags that are read: `*` is anything but `/`, `**` anything. Needs `tag`. |
/// | `new` | A function `new` of the required fields, in their order. The others are `None`, have their default, or are empty. |
/// | `check(...)` | [Constraints](#constraints) on the value of a newtype. |
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
/// | `default` | `Default::default()` when the property is missing. |
/// | `default = value` | This when the property is missing: any expression. A path in lower case is a function to call (`default = Vec::new`), a string is made into the field's type. The property is always written. |
/// | `with = module` | `module::from_node` and `module::to_node` read and write the value, for types of other crates. |
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
/// A newtype with a tag may have a second field for it: `struct Name(T, #[asdf(tag)] KeptTag);`.
///
/// # Attributes of a variant
///
/// | attribute | |
/// |---|---|
/// | `rename = "name"` | The string of a variant without a value, if it is not the name of the variant. |
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
/// | `min_items = 1`, `max_items = 3` | sequences | How many items. |
/// | `unique_items` | sequences | No two items are equal; 1 and 1.0 are. |
///
/// `pattern` and `multiple_of` may be given several times; every one of them holds.
///
/// Text is whatever implements `asdf_core::value::check::Text`, numbers `Numeric`, sequences
/// `Items`. A checked type does so itself: it can be the value of another that narrows it.
#[proc_macro_derive(Asdf, attributes(asdf))]
pub fn derive_asdf(input: TokenStream) -> TokenStream {
    let input = syn::parse_macro_input!(input as syn::DeriveInput);
    implementation::expand(&input).unwrap_or_else(syn::Error::into_compile_error).into()
}

/// Makes a struct an element of structured arrays: implements `asdf_core::array::Record`. The derive is
/// used as `asdf_core::array::Record`, which brings the trait of that name along.
///
/// ```
/// use asdf_core::array::{Ascii, Record};
/// use asdf_core::{ByteOrder, NdArray};
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
