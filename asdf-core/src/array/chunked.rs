//! Arrays in chunks: `core/chunked-ndarray-1.0.0`, as in asdf-cxx and ASDF.jl.

use std::sync::Arc;

use super::chunks::{ChunkedBlock, prefetch_blocks};
use super::ndarray::Data;
use super::part::expand;
use super::{Datatype, Element, Mask, NdArray, Slice, Value};
use crate::error::{Error, Result};
use crate::tree::{NodeId, NodeRef, Tree};
use crate::value::{Asdf, Extra, FromNode, KeptTag, Kinds, OwnTag, ToNode, derived, read};

/// An array stored as chunks, each an array with a position in the whole.
///
/// It is the value of a `core/chunked-ndarray-1.0.0` node, whose chunks are `core/ndarray-chunk-1.0.0` nodes.
/// Neither is in the standard. asdf-cxx and ASDF.jl write and read them; Python's asdf reads them as
/// mappings.
///
/// Elements that no chunk covers are 0 (false, empty). If chunks overlap, the later one counts. Every chunk
/// has the datatype of the whole, but can have any byte order, and lies inside the whole. This is checked
/// when a chunk is read or added.
///
/// # Examples
/// ```
/// use asdf_core::array::{ChunkedArray, Slice};
/// use asdf_core::{Datatype, NdArray};
///
/// let mut sky = ChunkedArray::new(Datatype::Float32, &[1000, 1000]);
/// sky.push(&[0, 0], NdArray::new(&[2, 2], &[1.0_f32, 2.0, 3.0, 4.0])?)?;
/// sky.push(&[500, 0], NdArray::new(&[1, 3], &[5.0_f32, 6.0, 7.0])?)?;
///
/// let corner = sky.slice(&Slice::parse(":2, :3")?)?;  // reads nothing from the other chunk
/// assert_eq!(corner.chunks().len(), 1);
/// assert_eq!(corner.read::<f32>()?, [1.0, 2.0, 0.0, 3.0, 4.0, 0.0]);
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ChunkedArray {
    tag: KeptTag,
    datatype: Datatype,
    shape: Vec<u64>,
    chunks: Vec<Chunk>,
    extra: Extra,
}

/// A chunk of a [`ChunkedArray`].
#[derive(Debug, Clone, PartialEq)]
pub struct Chunk {
    tag: KeptTag,
    start: Vec<u64>,
    array: NdArray,
    extra: Extra,
}

impl Chunk {
    /// Returns the index of the first element of the chunk in the whole array, in C order.
    #[must_use]
    pub fn start(&self) -> &[u64] {
        &self.start
    }

    /// Returns the elements of the chunk.
    #[must_use]
    pub fn array(&self) -> &NdArray {
        &self.array
    }
}

impl ChunkedArray {
    /// Makes an array without chunks: all elements are zero.
    #[must_use]
    pub fn new(datatype: Datatype, shape: &[u64]) -> Self {
        let shape = shape.to_vec();
        Self { tag: KeptTag::Newest, datatype, shape, chunks: Vec::new(), extra: Extra::new() }
    }

    /// Adds a chunk, whose first element is at an index of the whole.
    ///
    /// Where it overlaps earlier chunks, it takes precedence.
    ///
    /// # Errors
    /// [`Mismatch`](crate::error::Kind::Mismatch) if its datatype is another, or it reaches outside of the
    /// whole.
    pub fn push(&mut self, start: &[u64], array: NdArray) -> Result<()> {
        let chunk = Chunk { tag: KeptTag::Newest, start: start.to_vec(), array, extra: Extra::new() };
        self.check_chunk(&chunk)?;
        self.chunks.push(chunk);
        Ok(())
    }

    fn check_chunk(&self, chunk: &Chunk) -> Result<()> {
        let (start, shape) = (&chunk.start, chunk.array.shape());
        if chunk.array.datatype().without_byteorder() != self.datatype.without_byteorder() {
            return Err(Error::mismatch(format!(
                "found a chunk of {}, expected {} as in the whole array",
                chunk.array.datatype(),
                self.datatype
            ))
            .under("ndarray"));
        }
        let mut axes = start.iter().zip(shape).zip(&self.shape);
        let fits = start.len() == self.shape.len()
            && shape.len() == self.shape.len()
            && axes.all(|((&start, &n), &all)| start.checked_add(n).is_some_and(|end| end <= all));
        if fits {
            return Ok(());
        }
        Err(Error::mismatch(format!(
            "a chunk of shape {shape:?} at {start:?} is outside the whole array, which has the shape {:?}",
            self.shape
        ))
        .under("start"))
    }

    /// Returns the datatype of the elements.
    #[must_use]
    pub fn datatype(&self) -> &Datatype {
        &self.datatype
    }

    /// Returns the shape of the whole array, in C order.
    #[must_use]
    pub fn shape(&self) -> &[u64] {
        &self.shape
    }

    /// Returns the chunks, in the order of the file.
    #[must_use]
    pub fn chunks(&self) -> &[Chunk] {
        &self.chunks
    }

    /// Returns a part of the array, with the parts of chunks that are in it.
    ///
    /// No data is read, and other chunks are left out. Slices are those of [`NdArray::slice`].
    ///
    /// # Errors
    /// As [`NdArray::slice`].
    pub fn slice(&self, slices: &[Slice]) -> Result<Self> {
        let slices = expand(slices, &self.shape)?;
        let mut part = Self::new(self.datatype.clone(), &[]);
        let mut lines = Vec::with_capacity(slices.len());
        let mut lengths = self.shape.iter().enumerate();
        for &slice in &slices {
            if slice == Slice::NewAxis {
                part.shape.push(1);
                lines.push(None);
                continue;
            }
            let Some((axis, &n)) = lengths.next() else { continue };
            let (first, step, count) = slice.resolve(axis, n)?;
            part.shape.extend(count);
            lines.push(Some(Line { first, step, count }));
        }
        let mut met = Vec::new();
        for chunk in &self.chunks {
            let mut start = Vec::with_capacity(part.shape.len());
            let mut inner = Vec::with_capacity(slices.len());
            let mut axes = chunk.start.iter().zip(chunk.array.shape());
            let is_met = lines.iter().all(|line| {
                let place = match line {
                    None => Some((Some(0), Slice::NewAxis)),
                    Some(line) => axes.next().and_then(|(&start, &n)| line.meets(start, n)),
                };
                place.is_some_and(|(at, slice)| {
                    start.extend(at);
                    inner.push(slice);
                    true
                })
            });
            if is_met {
                met.push((start, &chunk.array, inner));
            }
        }
        prefetch_blocks(met.iter().map(|(_, array, _)| *array))?;
        for (start, array, inner) in met {
            part.push(&start, array.slice(&inner)?)?;
        }
        Ok(part)
    }

    /// Returns the whole as one array, whose data is assembled when it is read.
    ///
    /// A read looks at the chunks that overlap the part that is read, or that are between its elements. Use
    /// [`slice`](Self::slice) first to leave out the chunks that are not needed. The array is written as one
    /// block.
    ///
    /// Elements that are missing in their chunk are missing in the whole. Chunks that have a mask are read
    /// here.
    ///
    /// # Errors
    /// [`Limit`](crate::error::Kind::Limit) if the array is larger than 2^64 bytes; for chunks with masks, as
    /// [`NdArray::elements`].
    pub fn array(&self) -> Result<NdArray> {
        let places = self.chunks.iter().map(|chunk| (chunk.start.clone(), chunk.array.clone()));
        let array = one(self.datatype.without_byteorder(), &self.shape, places.collect())?;
        let mut masked = Vec::new();
        let mut any = false;
        for chunk in &self.chunks {
            let flags = match (chunk.array.mask(), chunk.array.missing()?) {
                (Some(Mask::Value(_)), _) => {
                    Some(chunk.array.elements()?.map(|value| value == Value::Missing).collect::<Vec<_>>())
                }
                (_, flags) => flags,
            };
            any |= flags.is_some();
            // A chunk without a mask can cover one with a mask.
            let shape = chunk.array.shape();
            let flags = match flags {
                Some(flags) => NdArray::new(shape, &flags)?,
                None => {
                    let zeros = vec![0_i64; shape.len()];
                    NdArray { shape: shape.to_vec(), strides: Some(zeros), ..NdArray::new(&[], &[false])? }
                }
            };
            masked.push((chunk.start.clone(), flags));
        }
        if !any {
            return Ok(array);
        }
        array.with_mask(Mask::Array(Box::new(one(Datatype::Bool8, &self.shape, masked)?)))
    }

    /// Reads the elements of the whole in C order; see [`NdArray::read`].
    ///
    /// # Errors
    /// As [`array`](Self::array) and [`NdArray::read`].
    pub fn read<T: Element>(&self) -> Result<Vec<T>> {
        self.array()?.read()
    }
}

/// Makes one array from chunks.
fn one(datatype: Datatype, shape: &[u64], chunks: Vec<(Vec<u64>, NdArray)>) -> Result<NdArray> {
    let block = ChunkedBlock::new(&datatype, shape, chunks)?;
    let empty = NdArray::from_bytes(datatype, block.byteorder(), &[0], Vec::new())?;
    Ok(NdArray { shape: shape.to_vec(), data: Data::Own(Arc::new(block)), ..empty })
}

/// The selection along an axis: one index, or `count` of them.
struct Line {
    first: u64,
    step: i64,
    count: Option<u64>,
}

impl Line {
    /// Intersects the selection with a chunk that starts at `start` and has `n` entries. Returns the position
    /// in the result (none for an index) and the slice of the chunk.
    fn meets(&self, start: u64, n: u64) -> Option<(Option<u64>, Slice)> {
        let (first, start, n) = (i128::from(self.first), i128::from(start), i128::from(n));
        let Some(count) = self.count else {
            let at = i64::try_from(first - start).ok()?;
            return (first >= start && first < start + n).then_some((None, Slice::Index(at)));
        };
        let step = i128::from(self.step);
        // The k-th index is first + k * step: the first k inside the chunk, and the first beyond it.
        let (from, to) = match step > 0 {
            true => (steps_to(start - first, step), steps_to(start + n - first, step)),
            false => (steps_to(first - start - n + 1, -step), steps_to(first - start + 1, -step)),
        };
        let to = to.min(i128::from(count));
        if from >= to {
            return None;
        }
        let begin = i64::try_from(first + from * step - start).ok()?;
        let last = i64::try_from(first + (to - 1) * step - start).ok()?;
        // Backwards, the end before index 0 is not a number.
        let end = if step > 0 { Some(last + 1) } else { last.checked_sub(1).filter(|&end| end >= 0) };
        let slice = Slice::Range { start: Some(begin), end, step: self.step };
        Some((Some(u64::try_from(from).ok()?), slice))
    }
}

/// Returns the number of steps that cover at least the distance.
fn steps_to(distance: i128, step: i128) -> i128 {
    if distance <= 0 { 0 } else { (distance + step - 1) / step }
}

const KEYS: &[&str] = &["shape", "datatype", "chunks"];
const CHUNK_KEYS: &[&str] = &["start", "ndarray"];

impl Asdf for ChunkedArray {
    const TAG: &'static str = "tag:stsci.edu:asdf/core/chunked-ndarray-1.0.0";
    const ACCEPTS: &'static [&'static str] = &["tag:stsci.edu:asdf/core/chunked-ndarray-1.*"];
}

impl Asdf for Chunk {
    const TAG: &'static str = "tag:stsci.edu:asdf/core/ndarray-chunk-1.0.0";
    const ACCEPTS: &'static [&'static str] = &["tag:stsci.edu:asdf/core/ndarray-chunk-1.*"];
}

impl FromNode for ChunkedArray {
    const TYPES: Kinds = Kinds::MAPPING;
    const OWN_TAG: OwnTag = OwnTag::OneOf(&[Self::TAG]);

    fn from_node(node: NodeRef<'_>) -> Result<Self> {
        derived::check_tag(node, Self::TAG, Self::ACCEPTS)?;
        let mut fields = derived::Fields::open(node, "ChunkedArray", KEYS)?;
        let (shape, datatype) = (fields.take("shape"), fields.take("datatype"));
        let chunks: Option<Vec<Chunk>> = fields.take("chunks");
        let extra = fields.rest();
        fields.finish()?;
        let (Some(shape), Some(datatype), Some(chunks), Some(extra)) = (shape, datatype, chunks, extra)
        else {
            return Err(derived::incomplete(node, "ChunkedArray"));
        };
        let tag = KeptTag::new(node.own_tag(), Self::TAG);
        let array = Self { tag, datatype, shape, chunks, extra };
        for (index, chunk) in array.chunks.iter().enumerate() {
            array.check_chunk(chunk).map_err(|error| error.under(index).under("chunks"))?;
        }
        Ok(array)
    }

    fn accepts_tag(tag: &str) -> bool {
        derived::accepts(Self::TAG, Self::ACCEPTS, tag)
    }
}

impl FromNode for Chunk {
    const TYPES: Kinds = Kinds::MAPPING;
    const OWN_TAG: OwnTag = OwnTag::OneOf(&[Self::TAG]);

    fn from_node(node: NodeRef<'_>) -> Result<Self> {
        derived::check_tag(node, Self::TAG, Self::ACCEPTS)?;
        let mut fields = derived::Fields::open(node, "Chunk", CHUNK_KEYS)?;
        let start = fields.take("start");
        let array = fields.take_with("ndarray", read::<NdArray>, || None);
        let extra = fields.rest();
        fields.finish()?;
        let (Some(start), Some(array), Some(extra)) = (start, array, extra) else {
            return Err(derived::incomplete(node, "Chunk"));
        };
        Ok(Self { tag: KeptTag::new(node.own_tag(), Self::TAG), start, array, extra })
    }

    fn accepts_tag(tag: &str) -> bool {
        derived::accepts(Self::TAG, Self::ACCEPTS, tag)
    }
}

impl ToNode for ChunkedArray {
    fn to_node(&self, tree: &mut Tree) -> Result<NodeId> {
        let mut writer = derived::MappingWriter::new(tree);
        writer.put("shape", &self.shape);
        writer.put("datatype", &self.datatype);
        writer.put("chunks", &self.chunks);
        writer.rest(&self.extra);
        let id = writer.finish()?;
        self.tag.apply(tree, id, Self::TAG);
        Ok(id)
    }
}

impl ToNode for Chunk {
    fn to_node(&self, tree: &mut Tree) -> Result<NodeId> {
        let mut writer = derived::MappingWriter::new(tree);
        writer.put("start", &self.start);
        writer.put("ndarray", &self.array);
        writer.rest(&self.extra);
        let id = writer.finish()?;
        self.tag.apply(tree, id, Self::TAG);
        Ok(id)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::array::ByteOrder;
    use crate::array::counted::Counted;
    use crate::yaml::{EmitOptions, emit, parse};

    /// As written by asdf-cxx.
    const CHUNKY: &str = "%YAML 1.1
%TAG ! tag:stsci.edu:asdf/
---
chunky: !core/chunked-ndarray-1.0.0
  shape: [4, 4]
  datatype: float16
  chunks:
    - !core/ndarray-chunk-1.0.0
      start: [0, 0]
      ndarray: !core/ndarray-1.0.0
        data: [[11, 12, 13], [21, 22, 23]]
        datatype: float16
        shape: [2, 3]
    - !core/ndarray-chunk-1.0.0
      start: [0, 3]
      ndarray: !core/ndarray-1.0.0
        data: [[14], [24]]
        datatype: float16
        shape: [2, 1]
    - !core/ndarray-chunk-1.0.0
      start: [2, 1]
      ndarray: !core/ndarray-1.0.0
        data: [[32, 33, 34], [42, null, 44]]
        datatype: float16
        shape: [2, 3]
    - !core/ndarray-chunk-1.0.0
      start: [1, 1]
      ndarray: !core/ndarray-1.0.0
        data: [[-22]]
        datatype: float16
        shape: [1, 1]
...
";

    fn chunky() -> ChunkedArray {
        parse(CHUNKY).unwrap().get("/chunky").unwrap()
    }

    #[test]
    fn chunks_of_a_file_are_one_array() {
        let array = chunky();
        let dense = [11, 12, 13, 14, 21, -22, 23, 24, 0, 32, 33, 34, 0, 42, 0, 44];
        assert_eq!((array.shape(), array.datatype()), ([4, 4].as_slice(), &Datatype::Float16));
        assert_eq!(array.read::<i32>().unwrap(), dense);
        let whole = array.array().unwrap();
        assert_eq!(whole.elements().unwrap().position(|value| value == Value::Missing), Some(14));
        for text in ["1:3, ::-1", "-1", ":, 2", "::-2, 1::2", "3:1", "new, ..., 0", "::3, ::3"] {
            let slices = Slice::parse(text).unwrap();
            let (part, expected) =
                (array.slice(&slices).unwrap().array().unwrap(), whole.slice(&slices).unwrap());
            let values = |array: &NdArray| array.elements().unwrap().collect::<Vec<_>>();
            assert_eq!((part.shape(), values(&part)), (expected.shape(), values(&expected)), "{text}");
        }
        assert_eq!(array.slice(&Slice::parse("3").unwrap()).unwrap().chunks().len(), 1);
    }

    #[test]
    fn chunks_are_written_as_they_were_read() {
        let mut tree = Tree::new();
        let id = chunky().to_node(&mut tree).unwrap();
        tree.set_root(id);
        let text = emit(&tree, EmitOptions::default()).unwrap();
        let back: ChunkedArray = parse(&text).unwrap().get("").unwrap();
        assert_eq!(back, chunky());
        assert!(text.contains("core/ndarray-chunk-1.0.0") && text.contains("core/ndarray-1.0.0"), "{text}");
        // As one array in one block.
        let id = chunky().array().unwrap().to_node(&mut tree).unwrap();
        assert_eq!(NdArray::from_node(tree.node(id)).unwrap(), chunky().array().unwrap());
    }

    #[test]
    fn chunks_must_fit() {
        for (from, to, message) in [
            ("start: [0, 3]", "start: [0, 4]", "a chunk of shape [2, 1] at [0, 4] is outside"),
            ("start: [0, 3]", "start: [0]", "is outside the whole array"),
            ("start: [0, 3]", "start: [18446744073709551615, 3]", "is outside the whole array"),
            (
                "datatype: float16\n  chunks",
                "datatype: int8\n  chunks",
                "found a chunk of float16, expected int8",
            ),
            ("start: [0, 3]", "begin: [0, 3]", "the required property 'start' is missing"),
        ] {
            let tree = parse(&CHUNKY.replace(from, to)).unwrap();
            let error = tree.get::<ChunkedArray>("/chunky").unwrap_err();
            assert!(error.message().contains(message), "{error}");
            assert!(error.path().is_some_and(|path| path.starts_with("/chunky/chunks/")), "{error}");
        }
        let mut huge = ChunkedArray::new(Datatype::Float64, &[1 << 40]);
        huge.push(&[7], NdArray::new(&[1], &[1.0]).unwrap()).unwrap();
        assert!(huge.read::<f64>().is_err(), "a terabyte of zeros is not made");
        assert_eq!(huge.slice(&[Slice::from(6..9)]).unwrap().read::<u8>().unwrap(), [0, 1, 0]);
        assert!(ChunkedArray::new(Datatype::Float64, &[1 << 40, 1 << 40]).array().is_err());
    }

    #[test]
    fn slices_touch_only_their_chunks() {
        let mut blocks = Vec::new();
        let mut array = ChunkedArray::new(Datatype::Uint16, &[200, 200]);
        for index in 0_u64..4 {
            let chunk = NdArray::new(&[100, 100], &vec![u16::try_from(index).unwrap(); 10_000]).unwrap();
            let block = Arc::new(Counted::new(chunk.stored_bytes().unwrap()));
            blocks.push(block.clone());
            let data = Data::Own(block);
            array.push(&[index / 2 * 100, index % 2 * 100], NdArray { data, ..chunk }).unwrap();
        }
        let read = |text: &str| {
            blocks.iter().for_each(|block| block.forget());
            array.slice(&Slice::parse(text).unwrap()).unwrap().read::<u16>().unwrap();
            blocks.iter().map(|block| block.read_bytes()).collect::<Vec<_>>()
        };
        assert_eq!(read("10:20, :100"), [2000, 0, 0, 0]);
        assert_eq!(read("150, 99:101")[..2], [0, 0]);
        assert_eq!(read("90:110, 150:160").iter().filter(|&&bytes| bytes > 0).count(), 2);
        assert_eq!(read(":"), [20_000; 4]);
    }

    proptest! {
        /// Random chunks, laid over each other, read whole, by bytes and by slices.
        #[test]
        fn chunked_is_dense(
            shape in prop::collection::vec(1..6_u64, 1..4),
            seeds in prop::collection::vec((prop::collection::vec((0..6_u64, 0..6_u64), 3), any::<bool>()), 0..5),
            step in prop_oneof![-3..0_i64, 1..3_i64],
        ) {
            let count = usize::try_from(shape.iter().product::<u64>()).unwrap();
            let mut dense = vec![0_i32; count];
            let mut array = ChunkedArray::new(Datatype::Int32, &shape);
            for (number, (axes, is_big)) in (1..).zip(seeds) {
                let start: Vec<u64> = axes.iter().zip(&shape).map(|((start, _), n)| start % n).collect();
                let size: Vec<u64> =
                    axes.iter().zip(&start).zip(&shape).map(|(((_, n), start), all)| n % (all - start + 1)).collect();
                let values: Vec<i32> = (0..i32::try_from(size.iter().product::<u64>()).unwrap()).map(|k| number * 1000 + k).collect();
                let order = if is_big { ByteOrder::Big } else { ByteOrder::Little };
                let chunk = NdArray::new(&size, &values).unwrap().with_byteorder(order).unwrap();
                for (place, &value) in values.iter().enumerate() {
                    let mut rest = u64::try_from(place).unwrap();
                    let mut at = 0;
                    let mut stride = 1;
                    for ((&n, &start), &all) in size.iter().zip(&start).zip(&shape).rev() {
                        at += (start + rest % n) * stride;
                        rest /= n;
                        stride *= all;
                    }
                    dense[usize::try_from(at).unwrap()] = value;
                }
                array.push(&start, chunk).unwrap();
            }
            prop_assert_eq!(array.read::<i32>().unwrap(), dense.clone());
            let whole = NdArray::new(&shape, &dense).unwrap();
            let slices: Vec<Slice> = shape.iter().map(|_| Slice::ALL.step(step)).collect();
            prop_assert_eq!(array.slice(&slices).unwrap().array().unwrap(), whole.slice(&slices).unwrap());
            let bytes: Vec<u8> = dense.iter().flat_map(|value| value.to_ne_bytes()).collect();
            let block = array.array().unwrap().block().unwrap().unwrap();
            for at in 0..bytes.len() {
                let end = (at + 7).min(bytes.len());
                prop_assert_eq!(&block.read(at as u64..end as u64).unwrap()[..], &bytes[at..end]);
            }
        }
    }
}
