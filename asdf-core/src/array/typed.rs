//! Arrays whose datatype and number of axes are part of their type.

use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;

use self::sealed::Sealed;
use super::field::schema_datatype;
use super::{ANY_AXES, Datatype, Element, NdArray, Record, Records, View};
use crate::error::{Code, Error, Result};
use crate::tree::{NodeId, NodeRef, Tree};
use crate::value::description::Form;
use crate::value::{Asdf, Description, FromNode, Kinds, OwnTag, ToNode};

/// An [`NdArray`] with elements of type `T` and `N` axes.
///
/// The type expresses what `ndim`, `max_ndim`, `datatype` and `exact_datatype` of a schema require. Datatype
/// and number of axes are checked when the value is made, so code that takes an `Array` need not check them.
/// The check reads no data.
///
/// | in the schema | type |
/// |---|---|
/// | `datatype: float32`, `exact_datatype: true`, `ndim: 2` | `Array<f32, 2>` |
/// | `datatype: float32`, `ndim: 2` | `Array<Safely<f32>, 2>`: or a datatype that casts to it [safely](Datatype::casts_safely_to) |
/// | `ndim: 2` | `Array<AnyDatatype, 2>` |
/// | `max_ndim: 2` | `Array<AnyDatatype, ANY_AXES, 2>` |
/// | `datatype: [ucs4, 40]`, `exact_datatype: true` | `Array<Ucs4<40>>` |
///
/// Axes are in C order, as in the file: the last varies fastest. An `Array` dereferences to [`NdArray`], so
/// its methods work here too: [`slice`](NdArray::slice) returns a part of the array, [`read`](NdArray::read)
/// copies the elements. [`into_inner`](Self::into_inner) returns the `NdArray`.
///
/// # Examples
/// ```
/// use asdf_core::array::{Array, Slice};
/// use asdf_core::NdArray;
///
/// let image = Array::<f32, 2>::new(NdArray::new(&[1, 2], &[1.0_f32, 2.0])?)?;
/// assert_eq!(image.axes(), [1, 2]);
/// assert_eq!(image.values()?.get(&[0, 1]), Some(2.0));
/// assert_eq!(image.read::<f64>()?, [1.0, 2.0]);
/// assert_eq!(image.slice(&[Slice::Index(0)])?.shape(), [2]);
///
/// let cube = NdArray::new(&[1, 1, 2], &[1.0_f32, 2.0])?;
/// let error = Array::<f32, 2>::new(cube).unwrap_err();
/// assert_eq!(error.to_string(), "found an array of float32 with 3 axes, expected one of float32 with 2 axes");
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[doc(alias = "ndim")]
pub struct Array<T, const N: usize = ANY_AXES, const MOST: usize = ANY_AXES> {
    array: NdArray,
    elements: PhantomData<fn() -> T>,
}

/// What an [`Array`] can hold.
///
/// Either any [`Record`] (numbers, `bool`, texts and derived structs), and then its datatype only; or
/// [`Safely`] or [`AnyDatatype`].
///
/// The trait is sealed: other crates cannot implement it.
pub trait Holds: Sealed {
    /// Returns the datatype that is required, if any.
    #[doc(hidden)]
    #[must_use]
    fn datatype() -> Option<Datatype>;

    /// Returns whether only elements of that very datatype are accepted.
    #[doc(hidden)]
    #[must_use]
    fn is_exact() -> bool {
        true
    }

    /// Returns whether elements of a datatype are accepted.
    #[doc(hidden)]
    #[must_use]
    fn takes(found: &Datatype) -> bool;

    /// Describes the accepted elements, for a message after "an array".
    #[doc(hidden)]
    #[must_use]
    fn words() -> String;
}

/// Elements of the datatype of `T`, or of one that casts to it [safely](Datatype::casts_safely_to).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Safely<T>(PhantomData<fn() -> T>);

/// Elements of any datatype.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AnyDatatype;

mod sealed {
    /// The types that an [`Array`](super::Array) can hold.
    pub trait Sealed {}
}

impl<T: Record> Sealed for T {}
impl<T: Record> Sealed for Safely<T> {}
impl Sealed for AnyDatatype {}

/// Other crates cannot implement [`Holds`].
///
/// ```compile_fail,E0277
/// struct Anything;
///
/// impl asdf_core::array::Holds for Anything {
///     fn datatype() -> Option<asdf_core::Datatype> {
///         None
///     }
///
///     fn takes(_: &asdf_core::Datatype) -> bool {
///         true
///     }
///
///     fn words() -> String {
///         String::new()
///     }
/// }
/// ```
#[cfg(doctest)]
struct HoldsIsSealed;

impl<T: Record> Holds for T {
    fn datatype() -> Option<Datatype> {
        Some(<T as Record>::datatype())
    }

    fn takes(found: &Datatype) -> bool {
        *found == <T as Record>::datatype()
    }

    fn words() -> String {
        format!(" of {}", <T as Record>::datatype())
    }
}

impl<T: Record> Holds for Safely<T> {
    fn datatype() -> Option<Datatype> {
        Some(T::datatype())
    }

    fn is_exact() -> bool {
        false
    }

    fn takes(found: &Datatype) -> bool {
        found.casts_safely_to(&T::datatype())
    }

    fn words() -> String {
        format!(" of a datatype that casts safely to {}", T::datatype())
    }
}

impl Holds for AnyDatatype {
    fn datatype() -> Option<Datatype> {
        None
    }

    fn takes(_found: &Datatype) -> bool {
        true
    }

    fn words() -> String {
        String::new()
    }
}

fn axes(count: usize) -> String {
    format!("{count} {}", if count == 1 { "axis" } else { "axes" })
}

impl<T: Holds, const N: usize, const MOST: usize> Array<T, N, MOST> {
    /// Checks the datatype and the number of axes of an array.
    ///
    /// # Errors
    /// [`Mismatch`](crate::error::Kind::Mismatch) if the datatype or the number of axes is another.
    pub fn new(array: NdArray) -> Result<Self> {
        let found = array.shape().len();
        let fits = (N == ANY_AXES || found == N) && (MOST == ANY_AXES || found <= MOST);
        if fits && T::takes(array.datatype()) {
            return Ok(Self { array, elements: PhantomData });
        }
        let datatype = array.datatype();
        let message =
            format!("found an array of {datatype} with {}, expected {}", axes(found), Self::words("one"));
        Err(Error::mismatch(message).with_code(if fits { Code::Datatype } else { Code::Shape }))
    }

    fn words(noun: &str) -> String {
        let datatype = T::words();
        let number = match (N, MOST) {
            (ANY_AXES, ANY_AXES) => String::new(),
            (ANY_AXES, most) => format!(" with at most {}", axes(most)),
            (count, _) => format!(" with {}", axes(count)),
        };
        format!("{noun}{datatype}{number}")
    }

    /// Returns the array as an [`NdArray`], without the checks of its type.
    #[must_use]
    pub fn into_inner(self) -> NdArray {
        self.array
    }
}

impl<T, const N: usize> Array<T, N> {
    /// Returns the lengths of the axes, in C order.
    #[must_use]
    pub fn axes(&self) -> [u64; N] {
        let shape = self.array.shape();
        std::array::from_fn(|axis| shape.get(axis).copied().unwrap_or_default())
    }
}

impl<T: Element, const N: usize, const MOST: usize> Array<T, N, MOST> {
    /// Returns a view of the elements, as [`NdArray::view`] does.
    ///
    /// # Errors
    /// As [`NdArray::view`].
    pub fn values(&self) -> Result<View<T, N>> {
        self.array.view().map(View::with_axes)
    }
}

impl<T: Record, const N: usize, const MOST: usize> Array<T, N, MOST> {
    /// Returns an iterator over the elements in C order, for texts and structs.
    ///
    /// Does the same as [`NdArray::records`].
    ///
    /// # Errors
    /// As [`NdArray::records`].
    pub fn each(&self) -> Result<Records<T>> {
        self.array.records()
    }
}

impl<T, const N: usize, const MOST: usize> Deref for Array<T, N, MOST> {
    type Target = NdArray;

    fn deref(&self) -> &NdArray {
        &self.array
    }
}

impl<T: Holds, const N: usize, const MOST: usize> TryFrom<NdArray> for Array<T, N, MOST> {
    type Error = Error;

    fn try_from(array: NdArray) -> Result<Self> {
        Self::new(array)
    }
}

impl<T, const N: usize, const MOST: usize> From<Array<T, N, MOST>> for NdArray {
    fn from(array: Array<T, N, MOST>) -> Self {
        array.array
    }
}

impl<T, const N: usize, const MOST: usize> Clone for Array<T, N, MOST> {
    fn clone(&self) -> Self {
        Self { array: self.array.clone(), elements: PhantomData }
    }
}

impl<T, const N: usize, const MOST: usize> PartialEq for Array<T, N, MOST> {
    fn eq(&self, other: &Self) -> bool {
        self.array == other.array
    }
}

impl<T, const N: usize, const MOST: usize> fmt::Debug for Array<T, N, MOST> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.array.fmt(f)
    }
}

impl<T: Holds, const N: usize, const MOST: usize> FromNode for Array<T, N, MOST> {
    const TYPES: Kinds = <NdArray as FromNode>::TYPES;
    const OWN_TAG: OwnTag = <NdArray as FromNode>::OWN_TAG;

    fn from_node(node: NodeRef<'_>) -> Result<Self> {
        let array = NdArray::from_node(node)?;
        crate::value::check::placed(Self::new(array), node)
    }

    fn accepts_tag(tag: &str) -> bool {
        NdArray::accepts_tag(tag)
    }

    fn expected() -> String {
        Self::words("an array")
    }

    fn describe() -> Description {
        let datatype = T::datatype().as_ref().and_then(schema_datatype);
        Description::new(Form::Array {
            exact: datatype.is_some() && T::is_exact(),
            datatype,
            axes: (N != ANY_AXES).then_some(N),
            max_axes: (MOST != ANY_AXES).then_some(MOST),
        })
    }
}

impl<T: Holds, const N: usize, const MOST: usize> ToNode for Array<T, N, MOST> {
    fn to_node(&self, tree: &mut Tree) -> Result<NodeId> {
        self.array.to_node(tree)
    }
}

impl<T: Holds, const N: usize, const MOST: usize> Asdf for Array<T, N, MOST> {
    const TAG: &'static str = NdArray::TAG;
    const ACCEPTS: &'static [&'static str] = NdArray::ACCEPTS;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::Ucs4;

    fn array(datatype: &str, shape: &str) -> Result<NdArray> {
        let text = format!("{{source: 0, datatype: {datatype}, byteorder: little, shape: {shape}}}");
        crate::yaml::parse(&text)?.get("")
    }

    /// Reads arrays of a datatype and a shape as each type.
    #[test]
    fn datatype_and_axes_are_checked() {
        fn takes<T: FromNode>(datatype: &str, shape: &str) -> bool {
            let text = format!("{{source: 0, datatype: {datatype}, byteorder: little, shape: {shape}}}");
            crate::yaml::parse(&text).unwrap().get::<T>("").is_ok()
        }
        type Takes = fn(&str, &str) -> bool;
        let cases: [(&str, Takes, &str, &str, bool); 15] = [
            ("exact", takes::<Array<f32, 2>>, "float32", "[3, 4]", true),
            ("exact", takes::<Array<f32, 2>>, "float32", "[3]", false),
            ("exact", takes::<Array<f32, 2>>, "float32", "[0, 4]", true),
            ("exact", takes::<Array<f32, 2>>, "int16", "[3, 4]", false),
            ("exact bool", takes::<Array<bool, 1>>, "bool8", "[3]", true),
            ("exact bool", takes::<Array<bool, 1>>, "int8", "[3]", false),
            ("safe", takes::<Array<Safely<f32>, 2>>, "int16", "[3, 4]", true),
            ("safe", takes::<Array<Safely<f32>, 2>>, "int32", "[3, 4]", false),
            ("any", takes::<Array<AnyDatatype, 2>>, "int32", "[3, 4]", true),
            ("any", takes::<Array<AnyDatatype, 2>>, "int32", "[3]", false),
            ("at most", takes::<Array<AnyDatatype, ANY_AXES, 2>>, "int32", "[3]", true),
            ("at most", takes::<Array<AnyDatatype, ANY_AXES, 2>>, "int32", "[3, 1, 1]", false),
            ("text", takes::<Array<Ucs4<4>>>, "[ucs4, 4]", "[3, 1]", true),
            ("text", takes::<Array<Ucs4<4>>>, "[ucs4, 5]", "[3, 1]", false),
            ("text", takes::<Array<Safely<Ucs4<4>>>>, "[ascii, 3]", "[3, 1]", true),
        ];
        for (what, takes, datatype, shape, fits) in cases {
            assert_eq!(takes(datatype, shape), fits, "{what} of {datatype} {shape}");
        }
    }

    #[test]
    fn errors_name_the_expected_type() {
        let error = Array::<Safely<f32>, 2>::new(array("float64", "[3]").unwrap()).unwrap_err();
        assert_eq!(
            error.to_string(),
            "found an array of float64 with 1 axis, expected one of a datatype that casts safely to float32 with 2 axes"
        );
        let error = crate::yaml::parse("a: 5").unwrap().get::<Array<AnyDatatype, ANY_AXES, 1>>("/a");
        assert!(error.unwrap_err().to_string().contains("an array"), "a number is not an array");
    }

    #[test]
    fn a_typed_array_is_written_as_a_plain_one() {
        let plain = NdArray::new(&[2], &[1_u8, 2]).unwrap();
        let typed = Array::<u8, 1>::try_from(plain.clone()).unwrap();
        assert_eq!(typed.values().unwrap().to_vec(), [1, 2]);
        assert_eq!(NdArray::from(typed.clone()), plain);
        let node = crate::Node::new(&typed).unwrap();
        assert_eq!(node.view().own_tag(), Some(NdArray::TAG));
        assert_eq!(Array::<u8, 1>::from_node(node.view()).unwrap(), typed);
    }
}
