//! Conversion of arrays from nodes and to nodes.

use std::sync::Arc;

use super::datatype::to_usize;
use super::inline;
use super::ndarray::{Data, Inline};
use super::{ByteOrder, Datatype, Mask, NdArray};
use crate::error::{Error, Kind as ErrorKind, Result};
use crate::tree::{Kind, Node, NodeId, NodeRef, Style, Tree};
use crate::value::description::Form;
use crate::value::{Asdf, Description, Extra, FromNode, KeptTag, Kinds, OwnTag, ToNode, derived, read};

/// The properties of an array's mapping, found in one pass over its entries: a file can have millions of arrays.
#[derive(Default)]
struct Properties<'a> {
    source: Option<NodeRef<'a>>,
    data: Option<NodeRef<'a>>,
    mask: Option<NodeRef<'a>>,
    datatype: Option<NodeRef<'a>>,
    byteorder: Option<NodeRef<'a>>,
    shape: Option<NodeRef<'a>>,
    offset: Option<NodeRef<'a>>,
    strides: Option<NodeRef<'a>>,
    /// Whether the mapping has other properties too.
    has_extra: bool,
}

impl<'a> Properties<'a> {
    fn of(node: NodeRef<'a>) -> Self {
        let mut found = Self::default();
        for (key, value) in node.entries() {
            match found.named(key.as_str().unwrap_or_default()) {
                // The last of equal keys counts.
                Some(property) => *property = Some(value),
                None => found.has_extra = true,
            }
        }
        found
    }

    fn named(&mut self, key: &str) -> Option<&mut Option<NodeRef<'a>>> {
        Some(match key {
            "source" => &mut self.source,
            "data" => &mut self.data,
            "mask" => &mut self.mask,
            "datatype" => &mut self.datatype,
            "byteorder" => &mut self.byteorder,
            "shape" => &mut self.shape,
            "offset" => &mut self.offset,
            "strides" => &mut self.strides,
            _ => return None,
        })
    }

    /// Copies the properties that the standard does not define.
    fn extra(&self, node: NodeRef<'_>) -> Result<Extra> {
        if !self.has_extra {
            return Ok(Extra::new());
        }
        let is_extra = |key: NodeRef<'_>| Self::default().named(key.as_str().unwrap_or_default()).is_none();
        Extra::copy(node.entries().filter(|(key, _)| is_extra(*key)))
    }
}

impl Asdf for NdArray {
    const TAG: &'static str = "tag:stsci.edu:asdf/core/ndarray-1.1.0";
    const ACCEPTS: &'static [&'static str] = &["tag:stsci.edu:asdf/core/ndarray-1.*"];
}

impl FromNode for NdArray {
    const TYPES: Kinds = Kinds::MAPPING.or(Kinds::SEQUENCE);
    const OWN_TAG: OwnTag = OwnTag::OneOf(&[Self::TAG, "tag:stsci.edu:asdf/core/ndarray-1.0.0"]);

    fn describe() -> Description {
        Description::new(Form::Array { datatype: None, exact: false, axes: None, max_axes: None })
    }

    /// Reads the properties of the node, but no data, except inline data.
    fn from_node(node: NodeRef<'_>) -> Result<Self> {
        derived::check_tag(node, Self::TAG, Self::ACCEPTS)?;
        let tag = KeptTag::new(node.own_tag(), Self::TAG);
        match node.kind() {
            Kind::Sequence => inline_array(node, node, &Properties::default(), tag),
            Kind::Mapping => {
                let properties = Properties::of(node);
                match (properties.data, properties.source) {
                    (Some(_), Some(_)) => Err(node
                        .error("the array has both `source` and `data`")
                        .with_hint("remove one of them")),
                    (Some(data), None) => inline_array(node, data, &properties, tag),
                    (None, Some(source)) => block_array(node, source, &properties, tag),
                    (None, None) => Err(node.error("the array has neither `source` nor `data`")),
                }
            }
            _ => node.fail("an array: a mapping or a list"),
        }
    }

    fn accepts_tag(tag: &str) -> bool {
        derived::accepts(Self::TAG, Self::ACCEPTS, tag)
    }
}

/// Reads a property; `None` if it is missing or null.
fn optional<T: FromNode>(property: Option<NodeRef<'_>>, key: &str) -> Result<Option<T>> {
    match property.filter(|value| !value.is_null()) {
        Some(value) => read(value).map(Some).map_err(|error| error.under(key)),
        None => Ok(None),
    }
}

fn required<T: FromNode>(node: NodeRef<'_>, property: Option<NodeRef<'_>>, key: &str) -> Result<T> {
    optional(property, key)?.ok_or_else(|| node.error(format!("the required property '{key}' is missing")))
}

/// Reads the shape, and returns whether its first entry is `*`.
fn shape(property: Option<NodeRef<'_>>) -> Result<Option<(Vec<u64>, bool)>> {
    let Some(list) = property.filter(|shape| !shape.is_null()) else { return Ok(None) };
    let streamed = list.item(0).is_some_and(|first| first.as_str() == Some("*"));
    if list.kind() != Kind::Sequence {
        return Err(list.expected("a list of lengths").under("shape"));
    }
    let lengths = list.items().enumerate().skip(usize::from(streamed));
    let shape = lengths.map(|(axis, n)| read(n).map_err(|error| error.under(axis).under("shape")));
    Ok(Some((shape.collect::<Result<_>>()?, streamed)))
}

fn block_array(
    node: NodeRef<'_>,
    source: NodeRef<'_>,
    properties: &Properties<'_>,
    tag: KeptTag,
) -> Result<NdArray> {
    let blocks = node.tree().blocks().clone();
    let data = match (source.as_i64(), source.as_str()) {
        (Some(source), _) => Data::Numbered { blocks, source },
        (None, Some(uri)) => Data::External { blocks, uri: uri.to_owned() },
        _ => return Err(source.expected("the number of a block, or the URI of a file").under("source")),
    };
    let datatype: Datatype = required(node, properties.datatype, "datatype")?;
    let (shape, streamed) =
        shape(properties.shape)?.ok_or_else(|| node.error("the required property 'shape' is missing"))?;
    let mut array = NdArray {
        tag,
        byteorder: required(node, properties.byteorder, "byteorder")?,
        offset: optional(properties.offset, "offset")?.unwrap_or(0),
        strides: optional(properties.strides, "strides")?,
        mask: optional::<Mask>(properties.mask, "mask")?,
        extra: properties.extra(node)?,
        datatype,
        shape,
        streamed,
        data,
    };
    if streamed {
        let rows = rows(&array)?;
        array.shape.insert(0, rows);
    }
    Ok(array)
}

/// Returns the number of whole rows in a block, for a shape that begins with `*` ("Streamed block").
fn rows(array: &NdArray) -> Result<u64> {
    let packed = array.shape.iter().try_fold(array.datatype.size()?, |size, &n| size.checked_mul(n));
    if packed == Some(0) {
        // Rows without bytes fit in any number, and without rows there is nothing to read.
        return Ok(0);
    }
    // The distance from one row to the next, and from the beginning of a row to its end.
    let (row, reach) = match array.strides.as_deref() {
        Some([first, inner @ ..]) => {
            let reach = array.shape.iter().zip(inner).filter(|(n, stride)| **n > 0 && **stride > 0);
            let reach = reach.map(|(n, stride)| (n - 1).saturating_mul(stride.unsigned_abs()));
            (u64::try_from(*first).ok(), Some(reach.fold(array.datatype.size()?, u64::saturating_add)))
        }
        _ => (packed, packed),
    };
    let row = row.filter(|&row| row > 0).ok_or_else(|| {
        Error::mismatch("a row has no bytes, so the number of rows for `*` is not defined")
            .under(0)
            .under("shape")
    })?;
    let block = array.block()?.ok_or_else(|| Error::usage("the array has no block"))?;
    let rest = block.size().saturating_sub(array.offset).checked_sub(reach.unwrap_or(row));
    Ok(rest.map_or(0, |rest| rest / row + 1))
}

fn inline_array(
    node: NodeRef<'_>,
    data: NodeRef<'_>,
    properties: &Properties<'_>,
    tag: KeptTag,
) -> Result<NdArray> {
    let bare = node.id() == data.id();
    let within = |error: Error| if bare { error } else { error.under("data") };
    let (datatype, declared) =
        (optional::<Datatype>(properties.datatype, "datatype")?, shape(properties.shape)?);
    let axes = declared.as_ref().map(|(shape, streamed)| shape.len() + usize::from(*streamed));
    data.tree().check_aliases().map_err(|error| within(data.place(error)))?;
    let parsed = inline::parse(data, datatype.as_ref(), axes).map_err(within)?;
    if let Some((shape, streamed)) = &declared {
        let rest = parsed.shape.get(usize::from(*streamed)..).unwrap_or_default();
        // Empty lists do not show the axes below them.
        let empty = parsed.shape.contains(&0) && shape.contains(&0);
        if rest != shape.as_slice() && !empty {
            return Err(node.error(format!(
                "found data of shape {:?}, expected {} from `shape`",
                parsed.shape,
                properties.shape.map(shape_text).unwrap_or_default()
            )));
        }
    }
    let shape = match &declared {
        Some((shape, false)) => shape.clone(),
        _ => parsed.shape,
    };
    let inline = Inline {
        data: Node::from_ref(data)?,
        bytes: parsed.bytes.into(),
        bare,
        typed: datatype.is_some(),
        shaped: declared.is_some(),
    };
    let missing = match parsed.missing {
        Some(flags) => Some(Box::new(NdArray::new(&shape, &flags)?)),
        None => None,
    };
    Ok(NdArray {
        tag,
        datatype: parsed.datatype,
        byteorder: ByteOrder::Little,
        shape,
        streamed: false,
        offset: 0,
        strides: None,
        data: Data::Inline { inline: Arc::new(inline), missing },
        mask: optional::<Mask>(properties.mask, "mask")?,
        extra: properties.extra(node)?,
    })
}

fn shape_text(shape: NodeRef<'_>) -> String {
    let lengths: Vec<&str> = shape.items().filter_map(NodeRef::text).collect();
    format!("[{}]", lengths.join(", ")).escape_debug().collect()
}

impl ToNode for NdArray {
    fn to_node(&self, tree: &mut Tree) -> Result<NodeId> {
        let id = match &self.data {
            // A part of inline data is written as lists of its own elements.
            Data::Inline { .. } if self.strides.is_some() || self.offset != 0 => {
                return self.packed_inline()?.to_node(tree);
            }
            Data::Inline { inline, .. } if inline.bare && self.mask.is_none() => {
                tree.graft(inline.data.view())?
            }
            _ if self.repeats() => self.packed()?.mapping(tree)?,
            _ => self.mapping(tree)?,
        };
        let own = Self::tag_of(tree.standard());
        self.tag.apply(tree, id, own);
        Ok(id)
    }
}

impl NdArray {
    /// Returns the tag for arrays in a version of the standard.
    pub(crate) fn tag_of(standard: (u16, u16, u16)) -> &'static str {
        match standard {
            (0, ..) | (1, ..=5, _) => "tag:stsci.edu:asdf/core/ndarray-1.0.0",
            (1, 6, _) => <Self as Asdf>::TAG,
            _ => "tag:stsci.edu:asdf/core/ndarray-1.2.0",
        }
    }

    /// Returns whether strides of 0 repeat elements, which the standard does not allow.
    fn repeats(&self) -> bool {
        let strides = self.strides.iter().flatten();
        !self.is_empty() && strides.zip(&self.shape).any(|(&stride, &n)| stride == 0 && n > 1)
    }

    /// Returns whether `offset` and `strides` have no meaning: numpy refuses them for arrays without
    /// elements.
    fn is_placeless(&self) -> bool {
        self.is_empty() && !self.streamed
    }

    /// Returns the strides to write. For an axis of length 1, any stride except 0 is right.
    fn written_strides(&self) -> Result<Option<Vec<i64>>> {
        let Some(strides) = self.strides.as_ref().filter(|_| !self.is_placeless()) else { return Ok(None) };
        let item = i64::try_from(self.datatype.size()?.max(1)).unwrap_or(1);
        Ok(Some(strides.iter().map(|&stride| if stride == 0 { item } else { stride }).collect()))
    }

    fn mapping(&self, tree: &mut Tree) -> Result<NodeId> {
        let source = match &self.data {
            Data::Numbered { blocks, source } => {
                let number = tree.blocks_mut().adopt(blocks, *source)?;
                Some(tree.add_int(number))
            }
            Data::Own(block) => {
                let number = tree.blocks_mut().attach(block.clone())?;
                Some(tree.add_int(number))
            }
            // The URI is kept only if it means the same file: in the tree that it was read from.
            Data::External { blocks, uri } => match (blocks.file(), tree.blocks().file()) {
                (Some(own), Some(file)) if Arc::ptr_eq(own, file) => Some(tree.add_str(uri)),
                (None, _) => Some(tree.add_str(uri)),
                (Some(own), _) => match own.external(uri) {
                    Ok(block) => {
                        let number = tree.blocks_mut().attach(block)?;
                        Some(tree.add_int(number))
                    }
                    // A file in memory has no folder, so the URI means as little there as before.
                    Err(error) if error.kind() == ErrorKind::Unsupported => Some(tree.add_str(uri)),
                    Err(error) => return Err(error),
                },
            },
            Data::Inline { .. } => None,
        };
        let shape = self.shape_node(tree);
        let strides = self.written_strides()?;
        let mut writer = derived::MappingWriter::new(tree);
        let (mut typed, mut shaped) = (true, true);
        match (&self.data, source) {
            (Data::Inline { inline, .. }, _) => {
                (typed, shaped) = (inline.typed, inline.shaped);
                writer.put("data", &inline.data);
            }
            (_, Some(source)) => writer.put_with("source", |_| Ok(source)),
            _ => {}
        }
        writer.put("mask", &self.mask);
        if typed {
            writer.put("datatype", &self.datatype);
        }
        if source.is_some() {
            writer.put("byteorder", &self.byteorder);
        }
        if shaped {
            writer.put_with("shape", |_| Ok(shape));
        }
        if self.offset != 0 && !self.is_placeless() {
            writer.put("offset", &self.offset);
        }
        writer.put("strides", &strides);
        writer.rest(&self.extra);
        writer.finish()
    }

    fn shape_node(&self, tree: &mut Tree) -> NodeId {
        let streamed = usize::from(self.streamed);
        let mut ids = Vec::with_capacity(to_usize(self.shape.len() as u64).unwrap_or(0));
        if self.streamed {
            ids.push(tree.add_str("*"));
        }
        ids.extend(self.shape.iter().skip(streamed).map(|&n| tree.add_int(n)).collect::<Vec<_>>());
        let id = tree.add_sequence(ids);
        tree.set_style(id, Style::Flow);
        id
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::{Complex, Field, Slice, Value};
    use crate::yaml::{EmitOptions, emit, parse};

    fn array(text: &str) -> Result<NdArray> {
        parse(&format!("%TAG ! tag:stsci.edu:asdf/\n--- {text}\n")).unwrap().get("")
    }

    fn again(array: &NdArray) -> NdArray {
        let mut tree = Tree::new();
        let id = array.to_node(&mut tree).unwrap();
        tree.set_root(id);
        let mut back = parse(&emit(&tree, EmitOptions::default()).unwrap()).unwrap();
        *back.blocks_mut() = tree.blocks().clone();
        back.get("").unwrap()
    }

    #[test]
    fn inline_data_is_inferred_as_the_standard_says() {
        for (text, datatype, shape) in [
            ("[[1, 0], [0, 1]]", "int64", vec![2_u64, 2]),
            ("[1, 2.5]", "float64", vec![2]),
            ("[true, false]", "bool8", vec![2]),
            ("[]", "bool8", vec![0]),
            ("[1, null, 3]", "int64", vec![3]),
            ("[1, !core/complex-1.0.0 1+2j]", "complex128", vec![2]),
            ("[a, bcd, 5]", "[ucs4, 3]", vec![3]),
            ("[18446744073709551615]", "uint64", vec![1]),
            ("{data: [1, 2], datatype: float32}", "float32", vec![2]),
            ("{data: 5, datatype: int8, shape: []}", "int8", vec![]),
            ("{data: [[M31, 31], [M32, 32]], datatype: [[ascii, 4], uint16]}", "?", vec![2]),
        ] {
            let array = array(&format!("!core/ndarray-1.1.0 {text}")).unwrap();
            if datatype != "?" {
                assert_eq!(array.datatype().to_string(), datatype, "{text}");
            }
            assert_eq!(array.shape(), shape, "{text}");
            assert_eq!(again(&array), array, "{text}");
        }
        let table = array("{data: [[M31, 31], [M32, 32]], datatype: [[ascii, 4], uint16]}").unwrap();
        assert_eq!(
            table.elements().unwrap().next(),
            Some(Value::Record(vec![Value::Text("M31".into()), Value::Int(31)]))
        );
        let holes: Vec<Value> = array("[1, null, 3]").unwrap().elements().unwrap().collect();
        assert_eq!(holes, [Value::Int(1), Value::Missing, Value::Int(3)]);
    }

    #[test]
    fn errors_name_the_fault() {
        for (text, expected) in [
            ("{data: [1, [2]]}", "found a sequence of 1 item"),
            ("[[1, 2], [3]]", "a list of 2 items"),
            ("{data: [300], datatype: int8}", "found the integer 300, expected an integer that fits int8"),
            ("{data: [1, 2], shape: [3]}", "found data of shape [2], expected [3] from `shape`"),
            (
                "{data: [], shape: [1000, 1000]}",
                "found data of shape [0], expected [1000, 1000] from `shape`",
            ),
            ("{shape: [1]}", "neither `source` nor `data`"),
            ("{source: 0, shape: [1], datatype: int8}", "property 'byteorder' is missing"),
            ("{source: 0, data: [1]}", "both"),
            ("{source: 0, datatype: int8, byteorder: middle, shape: [1]}", "`little` or `big`"),
            ("{source: 0, datatype: int8, byteorder: big, shape: [-1]}", "/shape/0: found the integer -1"),
            ("!core/complex-1.0.0 5", "found the tag"),
        ] {
            let error = array(text).unwrap_err().to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
        let missing = array("{source: 3, datatype: int8, byteorder: big, shape: [1]}").unwrap();
        assert!(missing.read::<i8>().unwrap_err().to_string().contains("block 3 does not exist"));
        let bomb = "a: &a [1,1,1,1,1,1,1,1]\n".to_owned()
            + &(1..12).fold(String::from("l0: &l0 [*a,*a,*a,*a,*a,*a,*a,*a]\n"), |text, i| {
                let item = format!("*l{}", i - 1);
                text + &format!("l{i}: &l{i} [{}]\n", vec![item; 8].join(","))
            });
        let error = parse(&bomb).unwrap().get::<NdArray>("/l11").unwrap_err();
        assert_eq!(error.kind(), crate::error::Kind::Limit);
        assert!(parse("&a [*a]").unwrap().get::<NdArray>("").is_err());
        let tree =
            parse("!<tag:stsci.edu:asdf/core/ndarray-1.1.0> {shape: [2, 1], data: [[1], &a [*a]]}").unwrap();
        let error = tree.get::<NdArray>("").unwrap_err();
        assert!(error.message().contains("the list contains itself"), "{error}");
    }

    #[test]
    fn arrays_made_by_a_program_become_blocks() {
        let array = NdArray::new(&[2, 2], &[1.5_f64, -2.0, f64::NAN, 0.0]).unwrap();
        let back = again(&array);
        assert_eq!(back, array);
        assert_eq!(back.source(), Some(0));
        assert_eq!(array.clone().inlined().unwrap().read::<f64>().unwrap()[1], -2.0);
        assert!(array.view::<f32>().unwrap_err().to_string().contains("found an array of float64"));
        assert!(NdArray::new(&[3], &[1_u8]).is_err());
        let complex = NdArray::new(&[1], &[num_complex::Complex32::new(1.0, -1.0)]).unwrap();
        assert_eq!(again(&complex.clone().inlined().unwrap()), complex);
        let _ = Complex::new(1.0, 2.0);
    }

    #[test]
    fn strides_of_zero_are_not_written() {
        let base = NdArray::new(&[2, 3], &[1_i16, 2, 3, 4, 5, 6]).unwrap();
        let wider = again(&base.slice(&[Slice::NewAxis, Slice::from(..).step(-1)]).unwrap());
        assert_eq!((wider.shape(), wider.strides()), ([1, 2, 3].as_slice(), Some([2, -6, 2].as_slice())));
        assert_eq!(wider.read::<i16>().unwrap(), [4, 5, 6, 1, 2, 3]);
        // The mask is one row for all rows. When it is cut with its array, its flags are written once for
        // each row.
        let mask = NdArray::new(&[3], &[true, false, false]).unwrap();
        let masked = base.with_mask(Mask::Array(Box::new(mask))).unwrap();
        let part = again(&masked.slice(&[Slice::from(..), Slice::from(..2)]).unwrap());
        let Some(Mask::Array(mask)) = part.mask() else { panic!("{part:?}") };
        assert_eq!(mask.strides().map(|strides| strides.contains(&0)), None);
        assert_eq!(part.missing().unwrap(), Some(vec![true, false, true, false]));
    }

    #[test]
    fn fields_are_views_of_the_same_bytes() {
        let datatype = Datatype::Struct(vec![
            Field::new("id", Datatype::Uint8),
            Field { byteorder: Some(ByteOrder::Big), shape: vec![2], ..Field::new("xy", Datatype::Int16) },
        ]);
        let bytes: Vec<u8> = vec![7, 0, 1, 0, 2, 8, 0, 3, 0, 4];
        let table = NdArray::from_bytes(datatype, ByteOrder::Little, &[2], bytes).unwrap();
        let xy = table.field("xy").unwrap();
        assert_eq!((xy.shape(), xy.read::<i16>().unwrap()), ([2, 2].as_slice(), vec![1, 2, 3, 4]));
        assert_eq!(table.field("id").unwrap().read::<u8>().unwrap(), [7, 8]);
        assert_eq!(again(&xy), xy);
        assert!(table.field("z").unwrap_err().hint().unwrap().to_string().contains("id, xy"));
        assert_eq!(
            again(&table.clone().inlined().unwrap()).elements().unwrap().last(),
            table.elements().unwrap().last()
        );
        assert_eq!(table.packed_bytes(ByteOrder::Little).unwrap(), [7, 1, 0, 2, 0, 8, 3, 0, 4, 0]);
    }
}
