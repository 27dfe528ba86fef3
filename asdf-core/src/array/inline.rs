//! Arrays whose elements are lists in the tree ("Inline data" of the ndarray schema).

use std::sync::Arc;

use bytes::Bytes;
use num_complex::Complex64;

use super::cast::{Cast, Wide};
use super::datatype::to_usize;
use super::ndarray::{Data, Inline};
use super::{ByteOrder, Complex, Datatype, Element, Field, NdArray, Value};
use crate::error::{Code, Error, Result};
use crate::tree::{Kind, LITERALS, Node, NodeId, NodeRef, Tree};

/// The result of reading inline data.
pub(super) struct Parsed {
    pub(super) datatype: Datatype,
    pub(super) shape: Vec<u64>,
    pub(super) bytes: Vec<u8>,
    pub(super) missing: Option<Vec<bool>>,
}

/// The maximum number of axes, as in numpy.
const MAX_AXES: usize = 64;

/// Reads nested lists. If the datatype is not given, it is inferred by the rules of the standard. The number
/// of axes comes from the declared shape, or from the nesting depth of the lists.
pub(super) fn parse(
    data: NodeRef<'_>,
    datatype: Option<&Datatype>,
    declared: Option<usize>,
) -> Result<Parsed> {
    let axes = match (declared, datatype) {
        (Some(axes), _) => axes,
        (None, Some(datatype)) => depth(data)
            .checked_sub(own_depth(datatype))
            .ok_or_else(|| data.expected(format!("a list of {datatype}")))?,
        (None, None) => depth(data),
    };
    if axes > MAX_AXES {
        return Err(data.error(format!("the lists nest deeper than {MAX_AXES} levels")));
    }
    let (shape, leaves) = flatten(data, axes)?;
    let datatype = match datatype {
        Some(datatype) => datatype.clone(),
        None => infer(&leaves)?,
    };
    let mut bytes = Vec::new();
    let size = to_usize(datatype.size()?)?;
    check_size(leaves.len(), size)?;
    bytes
        .try_reserve(leaves.len().saturating_mul(size))
        .map_err(|_| Error::no_memory(format_args!("{} inline elements", leaves.len())))?;
    let mut missing = Vec::new();
    for (index, leaf) in leaves.iter().enumerate() {
        if leaf.is_null() {
            missing.resize(leaves.len(), false);
            if let Some(flag) = missing.get_mut(index) {
                *flag = true;
            }
        }
        encode(*leaf, &datatype, &mut bytes)?;
    }
    let missing = (!missing.is_empty()).then_some(missing);
    Ok(Parsed { datatype, shape, bytes, missing })
}

/// Refuses elements of a length that their text is far from. A file can declare any.
fn check_size(count: usize, item: usize) -> Result<()> {
    const ALLOWED: usize = 1 << 28;
    const LONG: usize = 256;
    let size = count.saturating_mul(item);
    if size > ALLOWED && item > LONG {
        return Err(Error::limit(format!(
            "the inline array has {size} bytes, which is larger than the limit of {ALLOWED} bytes"
        ))
        .with_hint(
            "declare a datatype of the length of the longest element, or store the array as a block",
        ));
    }
    Ok(())
}

/// Returns the nesting depth of lists, along the first items. It is bounded, because a list can contain
/// itself.
fn depth(data: NodeRef<'_>) -> usize {
    let mut node = data;
    for depth in 0..=MAX_AXES + 32 {
        if node.kind() != Kind::Sequence {
            return depth;
        }
        match node.item(0) {
            Some(first) => node = first,
            None => return depth + 1,
        }
    }
    MAX_AXES + 32
}

/// Returns the nesting depth of the list of one element of a datatype.
fn own_depth(datatype: &Datatype) -> usize {
    match datatype {
        Datatype::Struct(fields) => {
            1 + fields.first().map_or(0, |field| field.shape.len() + own_depth(&field.datatype))
        }
        _ => 0,
    }
}

/// Returns the shape, and the elements in C order. All lists of an axis must have the same length.
fn flatten(data: NodeRef<'_>, axes: usize) -> Result<(Vec<u64>, Vec<NodeRef<'_>>)> {
    // With aliases a small text can claim a huge array: limit the elements by the nodes of the tree.
    let budget = data.tree().len().saturating_add(1 << 20);
    let mut shape = Vec::with_capacity(axes);
    let mut level = vec![data];
    for _ in 0..axes {
        let length = level.first().map_or(0, |list| list.len());
        let mut next = Vec::new();
        for list in &level {
            if list.kind() != Kind::Sequence {
                return Err(
                    list.expected(format!("a list of {length} items, like the first list of this axis"))
                );
            }
            if list.tree().is_endless(list.id()) {
                return Err(list.error("the list contains itself"));
            }
            if list.len() != length {
                return Err(
                    list.expected(format!("a list of {length} items, like the first list of this axis"))
                );
            }
            if next.len() + length > budget {
                return Err(Error::limit("aliases expand the inline array to too many elements"));
            }
            next.extend(list.items());
        }
        shape.push(length as u64);
        level = next;
        if level.is_empty() {
            // Empty lists do not show the axes below them.
            break;
        }
    }
    Ok((shape, level))
}

/// Infers the datatype by the rules of the standard. Strings make ucs4 with the length of the longest.
/// Otherwise complex numbers make complex128, floats float64, integers int64 (uint64 if they do not fit), and
/// anything else bool8.
fn infer(leaves: &[NodeRef<'_>]) -> Result<Datatype> {
    let (mut text, mut complex, mut float, mut int, mut large) = (None, false, false, false, false);
    for leaf in leaves {
        match leaf.kind() {
            _ if leaf.own_tag() == Some(<Complex as crate::value::Asdf>::TAG) => complex = true,
            Kind::Null | Kind::Bool => {}
            Kind::Float => float = true,
            Kind::Int => {
                int = true;
                large |= leaf.as_i64().is_none();
                float |= leaf.as_i64().is_none() && leaf.as_u64().is_none();
            }
            Kind::String | Kind::Timestamp => {
                let length = leaf.text().unwrap_or_default().chars().count() as u64;
                text = text.max(Some(length));
            }
            Kind::Sequence | Kind::Mapping => return Err(leaf.expected("a number, a string or a boolean")),
        }
    }
    Ok(match text {
        Some(_) => {
            let longest =
                leaves.iter().map(|leaf| leaf.text().unwrap_or_default().chars().count() as u64).max();
            Datatype::Ucs4(longest.unwrap_or(0))
        }
        None if complex => Datatype::Complex128,
        None if float => Datatype::Float64,
        None if large => Datatype::Uint64,
        None if int => Datatype::Int64,
        None => Datatype::Bool8,
    })
}

/// Appends the bytes of an element; zeros for null.
fn encode(leaf: NodeRef<'_>, datatype: &Datatype, out: &mut Vec<u8>) -> Result<()> {
    macro_rules! integer {
        ($type:ident) => {{
            let value = match leaf.kind() {
                Kind::Bool => leaf.as_bool().map(i128::from),
                _ => leaf.as_i128(),
            };
            let value = value.and_then(|value| $type::try_from(value).ok());
            value
                .ok_or_else(|| leaf.expected(format!("an integer that fits {datatype}")))?
                .store(ByteOrder::Little, out)
        }};
    }
    if leaf.is_null() {
        let size = to_usize(datatype.size()?)?;
        out.resize(out.len() + size, 0);
        return Ok(());
    }
    let float = || match leaf.kind() {
        Kind::Bool => leaf.as_bool().map(|flag| f64::from(u8::from(flag))),
        _ => leaf.as_f64(),
    };
    let number = || float().ok_or_else(|| leaf.expected(format!("a number for {datatype}")));
    match datatype {
        Datatype::Int8 => integer!(i8),
        Datatype::Int16 => integer!(i16),
        Datatype::Int32 => integer!(i32),
        Datatype::Int64 => integer!(i64),
        Datatype::Uint8 => integer!(u8),
        Datatype::Uint16 => integer!(u16),
        Datatype::Uint32 => integer!(u32),
        Datatype::Uint64 => integer!(u64),
        Datatype::Int128 => integer!(i128),
        Datatype::Uint128 => {
            let value = match leaf.kind() {
                Kind::Bool => leaf.as_bool().map(u128::from),
                _ => leaf.as_bigint().and_then(|value| u128::try_from(value).ok()),
            };
            value
                .ok_or_else(|| leaf.expected(format!("an integer that fits {datatype}")))?
                .store(ByteOrder::Little, out);
        }
        Datatype::Float16 => half::f16::from_f64(number()?).store(ByteOrder::Little, out),
        #[allow(clippy::cast_possible_truncation, reason = "the datatype requires the nearest float32")]
        Datatype::Float32 => (number()? as f32).store(ByteOrder::Little, out),
        Datatype::Float64 => number()?.store(ByteOrder::Little, out),
        Datatype::Complex32 | Datatype::Complex64 | Datatype::Complex128 => {
            let value = match float() {
                Some(real) => Complex64::new(real, 0.0),
                None => leaf
                    .text()
                    .and_then(Complex::number)
                    .ok_or_else(|| leaf.expected("a complex number such as 1.5-2i"))?,
            };
            // Converts to the nearest number of the datatype.
            let wide = Wide::Complex(value.re, value.im);
            match datatype {
                Datatype::Complex32 => {
                    num_complex::Complex::<half::f16>::lossy(wide).store(ByteOrder::Little, out)
                }
                Datatype::Complex64 => num_complex::Complex32::lossy(wide).store(ByteOrder::Little, out),
                _ => value.store(ByteOrder::Little, out),
            }
        }
        Datatype::Bool8 => match (leaf.as_bool(), leaf.as_i128()) {
            (Some(flag), _) => flag.store(ByteOrder::Little, out),
            (None, Some(number)) => (number != 0).store(ByteOrder::Little, out),
            _ => return Err(leaf.expected("a boolean")),
        },
        Datatype::Ascii(length) => {
            let text = leaf.text().ok_or_else(|| leaf.expected("a string"))?;
            let length = to_usize(*length)?;
            if !text.is_ascii() || text.len() > length {
                return Err(leaf.expected(format!("a string of at most {length} ASCII characters")));
            }
            out.extend_from_slice(text.as_bytes());
            out.resize(out.len() + length - text.len(), 0);
        }
        Datatype::Ucs4(length) => {
            let text = leaf.text().ok_or_else(|| leaf.expected("a string"))?;
            let (length, count) = (to_usize(*length)?, text.chars().count());
            if count > length {
                return Err(leaf.expected(format!("a string of at most {length} characters")));
            }
            for c in text.chars() {
                u32::from(c).store(ByteOrder::Little, out);
            }
            out.resize(out.len() + (length - count) * 4, 0);
        }
        Datatype::Struct(fields) => {
            if leaf.kind() != Kind::Sequence || leaf.len() != fields.len() {
                return Err(leaf.expected(format!("a list of the {} fields of a record", fields.len())));
            }
            for (field, item) in fields.iter().zip(leaf.items()) {
                encode_field(item, field, out)?;
            }
        }
    }
    Ok(())
}

fn encode_field(item: NodeRef<'_>, field: &Field, out: &mut Vec<u8>) -> Result<()> {
    let start = out.len();
    if field.shape.is_empty() {
        encode(item, &field.datatype, out)?;
    } else {
        let (shape, leaves) = flatten(item, field.shape.len())?;
        if shape != field.shape {
            return Err(item.expected(format!("lists of shape {:?}", field.shape)));
        }
        for leaf in leaves {
            encode(leaf, &field.datatype, out)?;
        }
    }
    // All bytes of the array are little-endian here, but a field can have its own byte order.
    if field.byteorder == Some(ByteOrder::Big) {
        let size = to_usize(field.datatype.size()?)?;
        let pieces = field.datatype.pieces()?;
        for element in out.get_mut(start..).unwrap_or_default().chunks_exact_mut(size.max(1)) {
            for &(at, width, own) in &pieces {
                if let (None, Some(piece)) = (own, element.get_mut(at..at + width)) {
                    piece.reverse();
                }
            }
        }
    }
    Ok(())
}

impl NdArray {
    /// Returns the same array, to be stored in the tree as lists.
    ///
    /// A mask stays a mask: masked elements do not become `null`, unless they were `null` before.
    ///
    /// # Errors
    /// If the bytes cannot be read, there are more than 1,048,576 elements, or a string has bytes that are not
    /// characters. Also if an integer needs more than the 64 bits that the standard allows in a tree.
    #[doc(alias = "array_storage")]
    pub fn inlined(self) -> Result<Self> {
        const MOST: u64 = 1 << 20;
        if self.is_inline() {
            return Ok(self);
        }
        if self.len() > MOST {
            return Err(Error::limit(format!(
                "the array of {} elements is larger than the limit of {MOST} elements in the tree",
                self.len()
            ))
            .with_hint("store the array as a block"));
        }
        if let Some(integer) = self.beyond_trees()? {
            return Err(Error::usage(format!(
                "cannot write the integer {integer} into the tree: the standard limits it to 64 bits"
            ))
            .with_code(Code::Integers)
            .with_hint("store the array as a block"));
        }
        let packed = self.packed_inline()?;
        Ok(Self { byteorder: ByteOrder::Little, ..packed })
    }

    /// Returns an integer among the elements that is too large for the tree, if the datatype allows any.
    pub(crate) fn beyond_trees(&self) -> Result<Option<i128>> {
        fn wide(datatype: &Datatype) -> bool {
            match datatype {
                Datatype::Int64 | Datatype::Uint64 | Datatype::Int128 | Datatype::Uint128 => true,
                Datatype::Struct(fields) => fields.iter().any(|field| wide(&field.datatype)),
                _ => false,
            }
        }
        fn beyond(value: &Value) -> Option<i128> {
            match value {
                Value::Int(value) => Some(*value).filter(|value| !LITERALS.contains(value)),
                // Beyond 127 bits; the exact number does not matter.
                Value::Uint(_) => Some(i128::MAX),
                Value::Record(values) | Value::List(values) => values.iter().find_map(beyond),
                _ => None,
            }
        }
        if wide(&self.datatype) { Ok(self.elements()?.find_map(|value| beyond(&value))) } else { Ok(None) }
    }

    /// Returns the array as lists of its own elements.
    pub(crate) fn packed_inline(&self) -> Result<Self> {
        if self.is_inline() && self.strides.is_none() && self.offset == 0 {
            return Ok(self.clone());
        }
        let bytes = self.packed_bytes(ByteOrder::Little)?;
        let datatype = self.datatype.without_byteorder();
        let missing = match &self.data {
            Data::Inline { missing: Some(missing), .. } => Some(missing.packed()?),
            _ => None,
        };
        let flags = missing.as_ref().map(Self::read::<bool>).transpose()?;
        let inline = Arc::new(Inline::of(bytes.into(), &datatype, &self.shape, flags.as_deref())?);
        Ok(Self {
            datatype,
            byteorder: ByteOrder::Little,
            offset: 0,
            strides: None,
            streamed: false,
            data: Data::Inline { inline, missing: missing.map(Box::new) },
            ..self.clone()
        })
    }
}

impl Inline {
    /// Makes inline data from packed little-endian bytes, with null for each set flag.
    pub(super) fn of(
        bytes: Bytes,
        datatype: &Datatype,
        shape: &[u64],
        missing: Option<&[bool]>,
    ) -> Result<Self> {
        let array = NdArray::from_bytes(datatype.clone(), ByteOrder::Little, shape, bytes.clone())?;
        let mut elements = array.elements()?;
        if array.elements()?.any(|value| is_not_text(&value)) {
            return Err(Error::mismatch(
                "the array has bytes that are not characters, which lists cannot hold",
            )
            .with_hint("store the array as a block"));
        }
        let data = Node::from_fn(|tree| {
            let leaves = elements.by_ref().enumerate().map(|(index, value)| {
                let is_missing = missing.is_some_and(|flags| flags.get(index) == Some(&true));
                if is_missing { tree.add_null() } else { leaf(&value, datatype, tree) }
            });
            let leaves: Vec<NodeId> = leaves.collect();
            Ok(nest(leaves, shape, tree))
        })?;
        Ok(Self { data, bytes, bare: false, typed: true, shaped: true })
    }
}

/// Returns whether bytes of a text had to be replaced.
fn is_not_text(value: &Value) -> bool {
    match value {
        Value::Text(text) => text.contains('\u{fffd}'),
        Value::Record(values) | Value::List(values) => values.iter().any(is_not_text),
        _ => false,
    }
}

fn leaf(value: &Value, datatype: &Datatype, tree: &mut Tree) -> NodeId {
    match value {
        Value::Missing => tree.add_null(),
        Value::Bool(flag) => tree.add_bool(*flag),
        Value::Int(number) => tree.add_int(*number),
        Value::Uint(number) => tree.add_bigint(&(*number).into()),
        Value::Float(number) => {
            // The digits that the datatype needs, not those of the nearest float64.
            let number = match datatype {
                #[allow(clippy::cast_possible_truncation, reason = "the value came from a float32")]
                Datatype::Float32 => format!("{:e}", *number as f32).parse().unwrap_or(*number),
                _ => *number,
            };
            tree.add_float(number)
        }
        Value::Complex(number) => {
            let id = tree.add_str(&Complex::from(*number).to_string());
            tree.set_tag(id, Some(<Complex as crate::value::Asdf>::TAG));
            id
        }
        Value::Text(text) => tree.add_str(text),
        Value::Record(values) => {
            let fields: &[Field] = if let Datatype::Struct(fields) = datatype { fields } else { &[] };
            let ids: Vec<NodeId> =
                values.iter().zip(fields).map(|(value, field)| leaf(value, &field.datatype, tree)).collect();
            tree.add_sequence(ids)
        }
        Value::List(values) => {
            let ids: Vec<NodeId> = values.iter().map(|value| leaf(value, datatype, tree)).collect();
            tree.add_sequence(ids)
        }
    }
}

/// Nests elements in C order into lists, from the last axis to the first.
fn nest(leaves: Vec<NodeId>, shape: &[u64], tree: &mut Tree) -> NodeId {
    let mut level = leaves;
    for (axis, &n) in shape.iter().enumerate().rev() {
        let above: u64 = shape.iter().take(axis).product();
        let n = usize::try_from(n).unwrap_or(usize::MAX);
        let mut rest = level.into_iter();
        level = (0..above).map(|_| tree.add_sequence(rest.by_ref().take(n).collect::<Vec<_>>())).collect();
    }
    level.into_iter().next().unwrap_or_else(|| tree.add_sequence([]))
}
