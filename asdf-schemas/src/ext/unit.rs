//! `Unit`: units of measurement in the notations of VOUnit and astropy.

use std::fmt;
use std::str::FromStr;

use asdf_core::__private as derived;
use asdf_core::tree::{NodeId, NodeRef, Tree, tag_matches};
use asdf_core::value::{Asdf, FromNode, KeptTag, Kinds, OwnTag, ToNode};
use asdf_core::{Error, Node, Result};

/// Astropy's tag for units that VOUnit lacks.
const ASTROPY: &str = "tag:astropy.org:astropy/units/unit-1.0.0";
/// Astropy's tag for magnitudes, and the pattern for all of its versions.
const MAGNITUDE: &str = "tag:astropy.org:astropy/units/magunit-1.1.0";
const MAGNITUDES: &str = "tag:astropy.org:astropy/units/magunit-*";

/// A unit of measurement: a text and the tag that names its notation.
///
/// The standard uses the notation VOUnit (<https://www.ivoa.net/documents/VOUnits/>), as in `erg.s**-1.cm**-2`: `.` joins
/// factors, `**` marks a power, and `/` a division. The empty string is the unit of dimensionless numbers. Files contain any
/// text, so reading does not check it; [`standard`](Self::standard) does.
///
/// Asdf-astropy writes units that VOUnit lacks (`DN / s`, `electron / s`, `mag(AB)`) with tags of its own. These can be read
/// too. A unit with any other tag never prevents reading the numbers beside it. Each unit is written back as it was read.
///
/// | tag | notation | [`get`](Self::get) |
/// |---|---|---|
/// | `tag:stsci.edu:asdf/unit/unit-1.*`, or none | VOUnit | the text |
/// | `tag:astropy.org:astropy/units/unit-*` | astropy's generic format | the text |
/// | `tag:astropy.org:astropy/units/magunit-*` | astropy's, of the physical unit | `mag(TEXT)` |
/// | any other | unknown | the text of a scalar, else empty: [`other`](Self::other) has the node |
///
/// ```
/// use asdf_core::yaml;
/// use asdf_schemas::unit::{Quantity, Unit};
///
/// let tree = yaml::parse(
///     "%TAG ! tag:stsci.edu:asdf/\n--- !unit/quantity-1.3.0\n\
///      value: 120.0\n\
///      unit: !<tag:astropy.org:astropy/units/unit-1.0.0> DN / min\n",
/// )?;
/// let rate: Quantity = tree.get("")?;
/// assert_eq!(rate.unit, Unit::from_astropy("DN / min"));
/// assert_eq!(rate.number_in("DN / s")?, 2.0);
/// assert_eq!(Unit::magnitude("AB").get(), "mag(AB)");
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[doc(alias = "astropy.units")]
pub struct Unit {
    text: String,
    written: Written,
}

/// The form in which a unit is written.
#[derive(Debug, Clone, PartialEq)]
enum Written {
    /// As its text, with this tag.
    Text(KeptTag),
    /// As the text of the physical unit, with this tag.
    Physical(String, KeptTag),
    /// As it was read: a node that is not text.
    Node(Node),
}

impl Unit {
    /// Makes a unit with the standard's tag from any text.
    ///
    /// The schema of the standard accepts every string, because its pattern `[\x00-\x7f]*` always matches. Use
    /// [`checked`](Self::checked) to check the notation and the symbols.
    ///
    /// # Errors
    /// None at present.
    pub fn new(text: impl Into<String>) -> Result<Self> {
        Ok(Self { text: text.into(), written: Written::Text(KeptTag::Newest) })
    }

    /// Makes a unit with the standard's tag from a text that is valid in VOUnit.
    ///
    /// ```
    /// use asdf_schemas::unit::Unit;
    ///
    /// assert_eq!(Unit::checked("erg.s**-1.cm**-2")?.get(), "erg.s**-1.cm**-2");
    /// let error = Unit::checked("km/sec").unwrap_err();
    /// assert_eq!(error.hint(), Some(&"VOUnit writes it 's'".into()));
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// Fails like [`standard`](Self::standard). The hint suggests a similar unit.
    pub fn checked(text: impl Into<String>) -> Result<Self> {
        let unit = Self::new(text)?;
        unit.standard()?;
        Ok(unit)
    }

    /// Makes a unit in astropy's generic format, with astropy's tag, for units that VOUnit lacks.
    #[must_use]
    pub fn from_astropy(text: &str) -> Self {
        Self { text: text.to_owned(), written: Written::Text(KeptTag::As(ASTROPY.into())) }
    }

    /// Makes a magnitude of a physical unit, such as `AB`, in astropy's generic format, with astropy's tag.
    #[doc(alias = "MagUnit")]
    #[must_use]
    pub fn magnitude(physical: &str) -> Self {
        let written = Written::Physical(physical.to_owned(), KeptTag::As(MAGNITUDE.into()));
        Self { text: magnitude(physical), written }
    }

    /// Returns the text, in the notation of the tag. For a magnitude it is `mag(...)`.
    #[must_use]
    pub fn get(&self) -> &str {
        &self.text
    }

    /// Returns the text as a `String`, without a copy.
    #[must_use]
    pub fn into_inner(self) -> String {
        self.text
    }

    /// Whether the text is empty, which is the unit of dimensionless numbers.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Returns the tag with which the unit is written, if any.
    #[must_use]
    pub fn tag(&self) -> Option<&str> {
        match &self.written {
            Written::Text(tag) | Written::Physical(_, tag) => tag.tag(Self::TAG),
            Written::Node(node) => node.view().own_tag(),
        }
    }

    /// Returns the node, if the unit is not written as text.
    #[must_use]
    pub fn other(&self) -> Option<&Node> {
        match &self.written {
            Written::Text(_) | Written::Physical(..) => None,
            Written::Node(node) => Some(node),
        }
    }

    /// Parses the text into a unit for computations and conversions.
    ///
    /// It never fails. A text that cannot be parsed is an unknown unit ([`asdf_units::Unit::parse_lenient`]).
    ///
    /// ```
    /// use asdf_schemas::unit::Unit;
    ///
    /// let unit: Unit = "MJy.sr**-1".parse()?;
    /// assert_eq!(unit.parsed().dimension().unwrap().to_string(), "kg.s**-2.rad**-2");
    /// assert!(!Unit::new("furlong")?.parsed().is_known());
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    #[must_use]
    pub fn parsed(&self) -> asdf_units::Unit {
        asdf_units::Unit::parse_lenient(self.get())
    }

    /// Parses the text by the rules of VOUnit, which the standard requires.
    ///
    /// ```
    /// use asdf_schemas::unit::Unit;
    ///
    /// assert!(Unit::new("km.s**-1")?.standard().is_ok());
    /// let error = Unit::new("km/sec")?.standard().unwrap_err();
    /// assert_eq!(error.message(), "'km/sec' at byte 3: unknown unit 'sec'");
    /// assert_eq!(error.hint(), Some(&"VOUnit writes it 's'".into()));
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Mismatch`](asdf_core::error::Kind::Mismatch) if the text is not valid in VOUnit, or has an unknown symbol that is not
    /// in quotes.
    pub fn standard(&self) -> Result<asdf_units::Unit> {
        asdf_units::Unit::parse(self.get()).map_err(|error| of_units(&error))
    }
}

/// Writes a magnitude like astropy.
fn magnitude(physical: &str) -> String {
    if physical.is_empty() { "mag".to_owned() } else { format!("mag({physical})") }
}

impl Asdf for Unit {
    const TAG: &'static str = "tag:stsci.edu:asdf/unit/unit-1.0.0";
    const ACCEPTS: &'static [&'static str] = &["tag:stsci.edu:asdf/unit/unit-1.*"];
}

impl FromNode for Unit {
    const TYPES: Kinds = Kinds::STRING;
    const OWN_TAG: OwnTag = OwnTag::OneOf(&[Self::TAG]);

    fn from_node(node: NodeRef<'_>) -> Result<Self> {
        let tag = KeptTag::new(node.own_tag(), Self::TAG);
        let is_magnitude = node.own_tag().is_some_and(|tag| tag_matches(MAGNITUDES, tag));
        let kept = || Node::from_ref(node).map(Written::Node);
        match derived::text(node) {
            Some(text) if is_magnitude => {
                Ok(Self { text: magnitude(text), written: Written::Physical(text.to_owned(), tag) })
            }
            Some(text) => Ok(Self { text: text.to_owned(), written: Written::Text(tag) }),
            // In the first version of the tag, the physical unit is a property.
            None if is_magnitude => {
                let physical = node.get("unit").and_then(derived::text).unwrap_or_default();
                Ok(Self { text: magnitude(physical), written: kept()? })
            }
            None if node.own_tag().is_some_and(|tag| !derived::accepts(Self::TAG, Self::ACCEPTS, tag)) => {
                Ok(Self { text: String::new(), written: kept()? })
            }
            None => node.fail("a unit: a string"),
        }
    }

    /// Accepts any tag, because unknown units are kept.
    fn accepts_tag(_tag: &str) -> bool {
        true
    }

    fn expected() -> String {
        derived::tagged(Self::TYPES, Self::TAG)
    }

    /// Matches units of the standard and of astropy. In a choice of types, other tags can belong to other types.
    fn matches(node: NodeRef<'_>) -> bool {
        match node.own_tag() {
            None => node.is_of(Self::TYPES),
            Some(tag) => {
                derived::accepts(Self::TAG, Self::ACCEPTS, tag)
                    || tag_matches("tag:astropy.org:astropy/units/*unit-*", tag)
            }
        }
    }
}

impl ToNode for Unit {
    fn to_node(&self, tree: &mut Tree) -> Result<NodeId> {
        match &self.written {
            Written::Node(node) => node.to_node(tree),
            Written::Text(tag) => write(&self.text, tag, tree),
            Written::Physical(text, tag) => write(text, tag, tree),
        }
    }
}

fn write(text: &str, tag: &KeptTag, tree: &mut Tree) -> Result<NodeId> {
    let id = text.to_node(tree)?;
    tag.apply(tree, id, Unit::TAG);
    Ok(id)
}

impl fmt::Display for Unit {
    /// Writes the text that [`get`](Unit::get) returns.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for Unit {
    type Err = Error;

    /// Accepts any text, like the schema of the standard.
    fn from_str(text: &str) -> Result<Self> {
        Self::new(text)
    }
}

impl TryFrom<&asdf_units::Unit> for Unit {
    type Error = Error;

    /// Makes a unit with the canonical text. For a plain number it is empty.
    fn try_from(unit: &asdf_units::Unit) -> Result<Self> {
        let text = if *unit == asdf_units::Unit::one() { String::new() } else { unit.to_string() };
        Self::new(text)
    }
}

/// Converts an error of `asdf_units`.
pub(super) fn of_units(error: &asdf_units::Error) -> Error {
    let found = Error::mismatch(error.summary().to_string());
    match error.hint() {
        Some(hint) => found.with_hint(hint.to_owned()),
        None => found,
    }
}

/// Parses the unit in a call: VOUnit, or another known notation.
pub(super) fn known(text: &str) -> Result<asdf_units::Unit> {
    asdf_units::Unit::parse(text).or_else(|error| {
        let lenient = asdf_units::Unit::parse_lenient(text);
        if lenient.is_known() { Ok(lenient) } else { Err(of_units(&error)) }
    })
}
