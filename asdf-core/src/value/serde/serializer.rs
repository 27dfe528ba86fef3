//! serde serializer for trees.

use super::DEPTH;
use crate::error::{Code, Error, Result};
use crate::tree::{Kind, NodeId, Tree};
use crate::value::ToNode;
use ::serde::ser::{
    Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant, Serializer,
};

pub(super) fn write<T: Serialize + ?Sized>(value: &T, tree: &mut Tree) -> Result<NodeId> {
    value.serialize(Writer { tree, depth: 0 })
}

struct Writer<'t> {
    tree: &'t mut Tree,
    depth: usize,
}

/// A sequence or a mapping that is being written. In a mapping, keys and values alternate.
struct Collection<'t> {
    tree: &'t mut Tree,
    depth: usize,
    ids: Vec<NodeId>,
    kind: Kind,
    /// The variant whose content the collection is.
    variant: Option<&'static str>,
}

impl<'t> Writer<'t> {
    fn collection(self, kind: Kind, variant: Option<&'static str>) -> Result<Collection<'t>> {
        let depth = deeper(self.depth)?;
        Ok(Collection { tree: self.tree, depth, ids: Vec::new(), kind, variant })
    }
}

fn deeper(depth: usize) -> Result<usize> {
    if depth >= DEPTH {
        return Err(
            Error::limit(format!("the value nests deeper than {DEPTH} levels")).with_code(Code::Depth)
        );
    }
    Ok(depth + 1)
}

fn variant_of(tree: &mut Tree, name: &str, content: NodeId) -> NodeId {
    let key = tree.add_str(name);
    tree.add_mapping([(key, content)])
}

macro_rules! integers {
    ($($method:ident $type:ty;)*) => {$(
        fn $method(self, value: $type) -> Result<NodeId> {
            value.to_node(self.tree)
        }
    )*};
}

impl<'t> Serializer for Writer<'t> {
    type Ok = NodeId;
    type Error = Error;
    type SerializeSeq = Collection<'t>;
    type SerializeTuple = Collection<'t>;
    type SerializeTupleStruct = Collection<'t>;
    type SerializeTupleVariant = Collection<'t>;
    type SerializeMap = Collection<'t>;
    type SerializeStruct = Collection<'t>;
    type SerializeStructVariant = Collection<'t>;

    integers! {
        serialize_i8 i8; serialize_i16 i16; serialize_i32 i32; serialize_i64 i64; serialize_i128 i128;
        serialize_u8 u8; serialize_u16 u16; serialize_u32 u32; serialize_u64 u64; serialize_u128 u128;
    }

    fn serialize_bool(self, value: bool) -> Result<NodeId> {
        Ok(self.tree.add_bool(value))
    }

    fn serialize_f32(self, value: f32) -> Result<NodeId> {
        value.to_node(self.tree)
    }

    fn serialize_f64(self, value: f64) -> Result<NodeId> {
        Ok(self.tree.add_float(value))
    }

    fn serialize_char(self, value: char) -> Result<NodeId> {
        Ok(self.tree.add_str(value.encode_utf8(&mut [0; 4])))
    }

    fn serialize_str(self, value: &str) -> Result<NodeId> {
        Ok(self.tree.add_str(value))
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<NodeId> {
        Ok(self.tree.add_bytes(value))
    }

    fn serialize_none(self) -> Result<NodeId> {
        Ok(self.tree.add_null())
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<NodeId> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<NodeId> {
        Ok(self.tree.add_null())
    }

    fn serialize_unit_struct(self, _name: &'static str) -> Result<NodeId> {
        Ok(self.tree.add_null())
    }

    fn serialize_unit_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
    ) -> Result<NodeId> {
        Ok(self.tree.add_str(variant))
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        value: &T,
    ) -> Result<NodeId> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<NodeId> {
        let depth = deeper(self.depth)?;
        let content = value.serialize(Writer { tree: &mut *self.tree, depth });
        Ok(variant_of(self.tree, variant, content.map_err(|error| error.under(variant))?))
    }

    fn serialize_seq(self, _len: Option<usize>) -> Result<Collection<'t>> {
        self.collection(Kind::Sequence, None)
    }

    fn serialize_tuple(self, _len: usize) -> Result<Collection<'t>> {
        self.collection(Kind::Sequence, None)
    }

    fn serialize_tuple_struct(self, _name: &'static str, _len: usize) -> Result<Collection<'t>> {
        self.collection(Kind::Sequence, None)
    }

    fn serialize_tuple_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        _len: usize,
    ) -> Result<Collection<'t>> {
        self.collection(Kind::Sequence, Some(variant))
    }

    fn serialize_map(self, _len: Option<usize>) -> Result<Collection<'t>> {
        self.collection(Kind::Mapping, None)
    }

    fn serialize_struct(self, _name: &'static str, _len: usize) -> Result<Collection<'t>> {
        self.collection(Kind::Mapping, None)
    }

    fn serialize_struct_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        _len: usize,
    ) -> Result<Collection<'t>> {
        self.collection(Kind::Mapping, Some(variant))
    }
}

impl Collection<'_> {
    fn add<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<NodeId> {
        value.serialize(Writer { tree: &mut *self.tree, depth: self.depth })
    }

    fn item<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        let id = self.add(value).map_err(|error| error.under(self.ids.len()))?;
        self.ids.push(id);
        Ok(())
    }

    fn field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<()> {
        let id = self.add(value).map_err(|error| error.under(key))?;
        let key = self.tree.add_str(key);
        self.ids.extend([key, id]);
        Ok(())
    }

    fn close(self) -> NodeId {
        let pairs = self.ids.chunks_exact(2).filter_map(|pair| match pair {
            &[key, value] => Some((key, value)),
            _ => None,
        });
        let id = match self.kind {
            Kind::Mapping => self.tree.add_mapping(pairs),
            _ => self.tree.add_sequence(self.ids.iter().copied()),
        };
        match self.variant {
            Some(variant) => variant_of(self.tree, variant, id),
            None => id,
        }
    }
}

macro_rules! items {
    ($($trait:ident $method:ident)*) => {$(
        impl $trait for Collection<'_> {
            type Ok = NodeId;
            type Error = Error;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
                self.item(value)
            }

            fn end(self) -> Result<NodeId> {
                Ok(self.close())
            }
        }
    )*};
}

items! {
    SerializeSeq serialize_element SerializeTuple serialize_element
    SerializeTupleStruct serialize_field SerializeTupleVariant serialize_field
}

macro_rules! fields {
    ($($trait:ident)*) => {$(
        impl $trait for Collection<'_> {
            type Ok = NodeId;
            type Error = Error;

            fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<()> {
                self.field(key, value)
            }

            fn end(self) -> Result<NodeId> {
                Ok(self.close())
            }
        }
    )*};
}

fields! { SerializeStruct SerializeStructVariant }

impl SerializeMap for Collection<'_> {
    type Ok = NodeId;
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<()> {
        let id = self.add(key)?;
        let node = self.tree.node(id);
        if !matches!(node.kind(), Kind::String | Kind::Int | Kind::Bool) || node.tag().is_some() {
            return Err(Error::usage(format!(
                "found {} as a key, expected a string, an integer or a boolean",
                node.describe()
            )));
        }
        self.ids.push(id);
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        let id = self.add(value).map_err(|error| match self.ids.last() {
            Some(&key) => error.under(self.tree.node(key).text().unwrap_or("?")),
            None => error,
        })?;
        self.ids.push(id);
        Ok(())
    }

    fn end(self) -> Result<NodeId> {
        Ok(self.close())
    }
}
