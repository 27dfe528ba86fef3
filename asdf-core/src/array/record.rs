//! Structured arrays as Rust structs.

use std::fmt;
use std::marker::PhantomData;

use bytes::Bytes;

use super::datatype::to_usize;
use super::layout::Offsets;
use super::{ByteOrder, Datatype, Element, Field, NdArray, debug};
use crate::error::{Error, Result};

/// A Rust type whose values are elements of an array.
///
/// `#[derive(Record)]` implements it for structs. Their fields are [`Element`]s (numbers and `bool`), texts
/// ([`Ascii`](super::Ascii), [`Ucs4`](super::Ucs4)), arrays `[T; N]` of these, and other records.
///
/// # Examples
/// ```
/// use asdf_core::array::{Ascii, Record};
/// use asdf_core::NdArray;
///
/// #[derive(Debug, Clone, PartialEq, Record)]
/// struct Star {
///     #[asdf(rename = "NAME")]
///     name: Ascii<8>,
///     position: [f64; 2],
///     flux: f32,
/// }
///
/// let stars = [
///     Star { name: Ascii::new("Vega")?, position: [279.2, 38.8], flux: 1.0 },
///     Star { name: Ascii::new("Altair")?, position: [297.7, 8.9], flux: 0.5 },
/// ];
/// let table = NdArray::from_records(&stars)?;
/// assert_eq!(
///     table.datatype().to_string(),
///     "[{name: NAME, datatype: [ascii, 8]}, {name: position, datatype: float64, shape: [2]}, \
///      {name: flux, datatype: float32}]"
/// );
/// assert_eq!(table.records::<Star>()?.collect::<Vec<_>>(), stars);
/// # Ok::<(), asdf_core::Error>(())
/// ```
///
/// Fields are found by name, in any order and byte order of the file. Fields of the file that the struct
/// lacks are skipped. The fields of a tuple struct have no names: they are found by position, and their
/// number must be that of the file. Datatypes and shapes of fields must be those of the struct, but a text
/// can be shorter in the file.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an element or a field of an array",
    label = "not a number, `bool`, `Ascii<N>`, `Ucs4<N>`, an array `[T; N]` of these, or a record",
    note = "a struct is a record with `#[derive(Record)]`; text has a fixed length: `Ascii<N>` or `Ucs4<N>`; a mask marks missing values"
)]
#[doc(alias = "recarray")]
pub trait Record: Sized {
    /// The number of bytes of a value, packed.
    const WIDTH: usize;

    /// Returns the datatype that is written.
    #[must_use]
    fn datatype() -> Datatype;

    /// Returns the shape of a field of this type; it is empty except for arrays.
    #[must_use]
    fn shape() -> Vec<u64> {
        Vec::new()
    }

    /// Reads a value from its packed bytes in this machine's byte order; missing bytes count as zero.
    #[must_use]
    fn unpack(bytes: &[u8]) -> Self;

    /// Appends the packed bytes in this machine's byte order.
    fn pack(&self, out: &mut Vec<u8>);
}

impl<T: Element> Record for T {
    const WIDTH: usize = T::SIZE;

    fn datatype() -> Datatype {
        T::DATATYPE
    }

    #[inline]
    fn unpack(bytes: &[u8]) -> Self {
        T::load(bytes, ByteOrder::NATIVE)
    }

    #[inline]
    fn pack(&self, out: &mut Vec<u8>) {
        (*self).store(ByteOrder::NATIVE, out);
    }
}

impl<T: Record, const N: usize> Record for [T; N] {
    const WIDTH: usize = T::WIDTH * N;

    fn datatype() -> Datatype {
        T::datatype()
    }

    fn shape() -> Vec<u64> {
        let mut shape = vec![N as u64];
        shape.extend(T::shape());
        shape
    }

    fn unpack(bytes: &[u8]) -> Self {
        std::array::from_fn(|index| T::unpack(bytes.get(index * T::WIDTH..).unwrap_or_default()))
    }

    fn pack(&self, out: &mut Vec<u8>) {
        self.iter().for_each(|value| value.pack(out));
    }
}

impl NdArray {
    /// Makes an array of records along one axis, to be written as a block.
    ///
    /// It has this machine's byte order; [`with_byteorder`](Self::with_byteorder) changes it.
    ///
    /// # Errors
    /// [`Usage`](crate::error::Kind::Usage) if the type is an array `[T; N]`, which can only be a field;
    /// [`Limit`](crate::error::Kind::Limit) if there is not enough memory for the bytes.
    pub fn from_records<R: Record>(records: &[R]) -> Result<Self> {
        no_array::<R>()?;
        let mut bytes = Vec::new();
        let size = records.len().saturating_mul(R::WIDTH);
        bytes
            .try_reserve_exact(size)
            .map_err(|_| Error::no_memory(format_args!("records of {size} bytes")))?;
        records.iter().for_each(|record| record.pack(&mut bytes));
        Self::from_bytes(R::datatype(), ByteOrder::NATIVE, &[records.len() as u64], bytes)
    }

    /// Returns an iterator over the elements in C order, as records of a Rust type.
    ///
    /// The bytes are read here, as [`view`](Self::view) does; each record is made on demand. Use
    /// [`rows`](Self::rows) for tables larger than memory. The mask is not applied.
    ///
    /// # Errors
    /// [`Mismatch`](crate::error::Kind::Mismatch) if a field is missing or has another datatype or shape (the
    /// error names the field); and as [`view`](Self::view).
    pub fn records<R: Record>(&self) -> Result<Records<R>> {
        no_array::<R>()?;
        let plan = Plan::new(&self.datatype, self.byteorder, &R::datatype(), R::WIDTH)?;
        let (bytes, layout) = self.load()?;
        // A file can claim any number of records without bytes: refuse more than it stores.
        self.check_expansion(&layout)?;
        let scratch = vec![0; if plan.is_whole { 0 } else { R::WIDTH }];
        Ok(Records {
            bytes,
            item: layout.item,
            offsets: layout.into_offsets(),
            plan,
            scratch,
            record: PhantomData,
        })
    }
}

fn no_array<R: Record>() -> Result<()> {
    if R::shape().is_empty() {
        return Ok(());
    }
    Err(Error::usage(format!(
        "`{}` can be a field of a record, but is not a record",
        std::any::type_name::<R>()
    ))
    .with_hint("read the array with `view` or `read`"))
}

/// An iterator over the records of an array in C order; see [`NdArray::records`].
#[derive(Clone)]
pub struct Records<R> {
    bytes: Bytes,
    item: usize,
    offsets: Offsets,
    plan: Plan,
    scratch: Vec<u8>,
    record: PhantomData<fn() -> R>,
}

impl<R: Record> Iterator for Records<R> {
    type Item = R;

    fn next(&mut self) -> Option<R> {
        let at = self.offsets.next()?;
        let bytes = self.bytes.get(at..at + self.item).unwrap_or_default();
        if self.plan.is_whole {
            return Some(R::unpack(bytes));
        }
        for piece in &self.plan.pieces {
            let from = bytes.get(piece.from..piece.from + piece.width);
            let to = self.scratch.get_mut(piece.to..piece.to + piece.width);
            if let (Some(from), Some(to)) = (from, to) {
                to.copy_from_slice(from);
                if piece.swap {
                    to.reverse();
                }
            }
        }
        Some(R::unpack(&self.scratch))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.offsets.size_hint()
    }
}

impl<R: Record> ExactSizeIterator for Records<R> {}

impl<R: Record> fmt::Debug for Records<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Records({}, {} left)", debug::Short(&R::datatype()), self.len())
    }
}

/// How to assemble the bytes of a record from the bytes in the file.
#[derive(Clone)]
struct Plan {
    pieces: Vec<Piece>,
    /// The file stores the record exactly as it is needed.
    is_whole: bool,
}

/// A run of bytes of a record, to be reversed or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Piece {
    from: usize,
    to: usize,
    width: usize,
    swap: bool,
}

impl Plan {
    fn new(have: &Datatype, order: ByteOrder, want: &Datatype, size: usize) -> Result<Self> {
        let mut plan = Self { pieces: Vec::new(), is_whole: false };
        plan.add(have, order, want, 0, 0)?;
        let mut merged: Vec<Piece> = Vec::new();
        for piece in std::mem::take(&mut plan.pieces) {
            match merged.last_mut() {
                Some(last)
                    if !last.swap
                        && !piece.swap
                        && last.from + last.width == piece.from
                        && last.to + last.width == piece.to =>
                {
                    last.width += piece.width;
                }
                _ => merged.push(piece),
            }
        }
        let whole = [Piece { from: 0, to: 0, width: size, swap: false }];
        plan.is_whole = merged == whole && have.size()? == size as u64;
        plan.pieces = merged;
        Ok(plan)
    }

    fn add(
        &mut self,
        have: &Datatype,
        order: ByteOrder,
        want: &Datatype,
        from: usize,
        to: usize,
    ) -> Result<()> {
        match (have, want) {
            (Datatype::Struct(have), Datatype::Struct(want)) => self.add_fields(have, order, want, from, to),
            (Datatype::Ascii(a), Datatype::Ascii(b)) if a <= b => {
                self.pieces.push(Piece { from, to, width: to_usize(*a)?, swap: false });
                Ok(())
            }
            (Datatype::Ucs4(a), Datatype::Ucs4(b)) if a <= b => self.add_pieces(have, order, from, to),
            _ if have == want => self.add_pieces(have, order, from, to),
            _ => Err(Error::mismatch(format!("found the datatype {have}, expected {want}"))),
        }
    }

    fn add_pieces(&mut self, have: &Datatype, order: ByteOrder, from: usize, to: usize) -> Result<()> {
        let swap = order != ByteOrder::NATIVE;
        for (at, width, _) in have.pieces()? {
            self.pieces.push(Piece { from: from + at, to: to + at, width, swap: swap && width > 1 });
        }
        Ok(())
    }

    fn add_fields(
        &mut self,
        have: &[Field],
        order: ByteOrder,
        want: &[Field],
        from: usize,
        to: usize,
    ) -> Result<()> {
        let mut places = Vec::with_capacity(have.len());
        let mut at = from;
        for field in have {
            places.push((field, at));
            at = at.saturating_add(to_usize(field.size()?)?);
        }
        let by_place = want.iter().all(|field| field.name.is_none());
        if by_place && have.len() != want.len() {
            return Err(Error::mismatch(format!(
                "found records of {} fields, expected {}",
                have.len(),
                want.len()
            )));
        }
        let mut to = to;
        for (index, field) in want.iter().enumerate() {
            let found = match &field.name {
                _ if by_place => places.get(index),
                name => places.iter().find(|(have, _)| have.name == *name),
            };
            let Some(&(found, at)) = found else { return Err(no_field(field, have)) };
            let name = field.name.clone().unwrap_or_else(|| index.to_string());
            if found.shape != field.shape {
                return Err(Error::mismatch(format!(
                    "found a field of shape {:?}, expected {:?}",
                    found.shape, field.shape
                ))
                .under(name));
            }
            let order = found.byteorder.unwrap_or(order);
            let (from_size, to_size) = (to_usize(found.datatype.size()?)?, to_usize(field.datatype.size()?)?);
            for place in 0..to_usize(field.count()?)? {
                self.add(
                    &found.datatype,
                    order,
                    &field.datatype,
                    at + place * from_size,
                    to + place * to_size,
                )
                .map_err(|error| error.under(name.as_str()))?;
            }
            to += to_usize(field.size()?)?;
        }
        Ok(())
    }
}

fn no_field(field: &Field, have: &[Field]) -> Error {
    let names: Vec<&str> =
        have.iter().map(|field| field.name.as_deref().unwrap_or("(without a name)")).collect();
    let name = field.name.as_deref().unwrap_or_default();
    Error::mismatch(format!("the array has no field '{}'", name.escape_debug())).with_hint(format!(
        "use one of {}, with `#[asdf(rename = \"...\")]` if the Rust name differs",
        names.join(", ")
    ))
}
