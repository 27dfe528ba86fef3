//! A limit on elements that several arrays, or an array with strides of 0, read from the same bytes.

use std::collections::HashMap;
use std::sync::{Arc, Weak};

use super::ndarray::{Data, Inline};
use super::{Mask, NdArray};
use crate::error::{Code, Error, Hint, LimitName, Result};
use crate::tree::{Block, Tree};

/// Limits how often a program reads the same bytes through the arrays of a file.
///
/// Arrays can share bytes: by strides of 0, by views that overlap, and by aliases. So a small file can have thousands of
/// arrays with millions of elements each. A program that reads all arrays of a file, or an array in pieces, should call
/// [`take`](Self::take) for each array first.
///
/// The decoded data of the arrays before are freed if they are more than
/// [`Limits::decoded_size`](crate::Limits::decoded_size), so an array should be read before the next is taken.
///
/// The elements of all arrays over the same bytes can have four times the size of these bytes. What is beyond that
/// counts, for all bytes together, and is limited by
/// [`Limits::repeated_elements`](crate::Limits::repeated_elements).
///
/// # Examples
/// ```
/// use asdf_core::array::ReadBudget;
/// use asdf_core::{File, NdArray};
///
/// let mut file = File::new();
/// file.set("/left", &NdArray::new(&[2], &[1_u8, 2])?)?;
/// file.set("/right", &NdArray::new(&[2], &[3_u8, 4])?)?;
/// let mut budget = ReadBudget::of(file.tree());
/// for path in ["/left", "/right"] {
///     let array = file.array(path)?;
///     budget.take(&array)?;
///     assert_eq!(array.read::<u8>()?.len(), 2);
/// }
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct ReadBudget {
    /// By address, the bytes of the elements over a block or inline data.
    read: HashMap<usize, Read>,
    /// The bytes that count.
    repeated: u64,
    /// The block of the last array.
    last: Option<Weak<dyn Block>>,
    /// The limit on them; `None` for that of the file of each array.
    most: Option<u64>,
}

#[derive(Debug)]
struct Read {
    bytes: u64,
    /// Keeps the address from being used again.
    _owner: Owner,
}

#[derive(Debug)]
#[allow(dead_code, reason = "it only keeps an address")]
enum Owner {
    Block(Weak<dyn Block>),
    Inline(Weak<Inline>),
}

impl ReadBudget {
    /// The number of times that elements can be read, on average, before they count.
    const FREE: u64 = 4;

    /// The bytes of an inline element that count as stored.
    const INLINE: u64 = 64;

    /// Creates a budget with the limit of the file that each array was read from.
    ///
    /// Arrays in memory have the default limit, and so have inline arrays.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates a budget for all arrays of a tree, with the limit of the file that the tree was read from.
    #[must_use]
    pub fn of(tree: &Tree) -> Self {
        Self { most: Some(tree.blocks().most_repeated()), ..Self::default() }
    }

    /// Counts the elements of an array and of its mask, before they are read.
    ///
    /// # Errors
    /// [`Limit`](crate::error::Kind::Limit) if the arrays so far read the same bytes too often; and as
    /// [`NdArray::check`].
    pub fn take(&mut self, array: &NdArray) -> Result<()> {
        if let Some(Mask::Array(mask)) = array.mask() {
            self.take(mask).map_err(|error| error.under("mask"))?;
        }
        let (address, size, owner) = match (array.block()?, &array.data) {
            (Some(block), _) => {
                self.release_before(&block);
                (Arc::as_ptr(&block).cast::<()>().addr(), block.size(), Owner::Block(Arc::downgrade(&block)))
            }
            (None, Data::Inline { inline, .. }) => {
                // A long text can be given by an element as short as a digit.
                let size = array.len().saturating_mul(Self::INLINE);
                (Arc::as_ptr(inline).cast::<()>().addr(), size, Owner::Inline(Arc::downgrade(inline)))
            }
            (None, _) => return Ok(()),
        };
        let read = self.read.entry(address).or_insert(Read { bytes: 0, _owner: owner });
        // An element without bytes takes time too.
        let bytes = array.len().saturating_mul(array.datatype().size()?.max(1));
        let free = size.saturating_mul(Self::FREE);
        let before = read.bytes.saturating_sub(free);
        read.bytes = read.bytes.saturating_add(bytes);
        let repeated = self.repeated.saturating_add(read.bytes.saturating_sub(free) - before);
        let most = self.most.unwrap_or_else(|| array.most_repeated());
        if repeated > most {
            return Err(Error::limit(format!(
                "the arrays repeat elements: {repeated} bytes beyond {} times the stored ones, which is larger than \
                 the limit of {most} bytes",
                Self::FREE
            ))
            .with_code(Code::RepeatedElements)
            .with_hint(Hint::Raise {
                limit: LimitName::RepeatedElements,
                from: most,
                to: Some(repeated),
            }));
        }
        self.repeated = repeated;
        Ok(())
    }

    /// Releases the block of the array before, if this array is in another one.
    fn release_before(&mut self, block: &Arc<dyn Block>) {
        let last = self.last.replace(Arc::downgrade(block)).and_then(|last| last.upgrade());
        if let Some(last) = last.filter(|last| !Arc::ptr_eq(last, block)) {
            last.release();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Kind;

    /// An array of bytes over fewer stored ones, with a stride of 0.
    fn repeated(count: u64, stored: &NdArray) -> NdArray {
        NdArray { shape: vec![count], strides: Some(vec![0]), ..stored.clone() }
    }

    #[test]
    fn what_arrays_read_from_the_same_bytes_is_limited() {
        let stored = NdArray::new(&[100], &[0_u8; 100]).unwrap();
        let mut budget = ReadBudget { most: Some(1000), ..ReadBudget::new() };
        // To read each of many arrays once does not repeat anything.
        for _ in 0..100 {
            budget.take(&NdArray::new(&[100], &[0_u8; 100]).unwrap()).unwrap();
        }
        for _ in 0..4 {
            budget.take(&stored).unwrap();
        }
        assert_eq!(budget.repeated, 0);
        budget.take(&repeated(900, &stored)).unwrap();
        budget.take(&stored).unwrap();
        let error = budget.take(&stored).unwrap_err();
        assert_eq!((error.kind(), error.code()), (Kind::Limit, Some(Code::RepeatedElements)), "{error}");
        assert!(error.hint().unwrap().to_string().contains("Limits::repeated_elements"));
        // The refused array was not read, so others still can be.
        budget.take(&NdArray::new(&[1], &[0_u8]).unwrap()).unwrap();
    }

    #[test]
    fn masks_and_elements_without_bytes_count() {
        let mut budget = ReadBudget { most: Some(1000), ..ReadBudget::new() };
        let flags = NdArray::new(&[1], &[false]).unwrap();
        let array = NdArray::new(&[2000], &[0_u8; 2000]).unwrap();
        let masked = NdArray { mask: Some(Mask::Array(Box::new(repeated(2000, &flags)))), ..array };
        assert!(budget.take(&masked).unwrap_err().message().contains("1996 bytes beyond 4 times"));
        let empty = NdArray::new::<u8>(&[0], &[]).unwrap();
        let nothing = NdArray { shape: vec![2000], datatype: crate::Datatype::Ascii(0), ..empty };
        assert_eq!(ReadBudget::new().take(&nothing).map_err(|error| error.kind()), Ok(()));
        assert!(budget.take(&nothing).is_err());
    }
}
