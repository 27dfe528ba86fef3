//! serde deserializer for nodes.

use std::cell::Cell;
use std::collections::HashSet;

use ::serde::de::{
    Deserialize, DeserializeSeed, Deserializer, EnumAccess, MapAccess, SeqAccess, VariantAccess, Visitor,
};

use super::DEPTH;
use crate::error::{Error, Result};
use crate::tree::{Kind, NodeRef, YAML_TAG};

/// The number of nodes that can be read beyond four times those of the tree.
const SPARE: u64 = 1_000_000;

pub(super) fn read<'a, T: Deserialize<'a>>(node: NodeRef<'a>) -> Result<T> {
    let nodes = u64::try_from(node.tree().len()).unwrap_or(u64::MAX);
    let budget = Cell::new(nodes.saturating_mul(4).saturating_add(SPARE));
    T::deserialize(Reader { node, budget: &budget, depth: 0, key: false })
}

#[derive(Clone, Copy)]
struct Reader<'a, 'b> {
    node: NodeRef<'a>,
    /// The number of nodes that can still be read.
    budget: &'b Cell<u64>,
    depth: usize,
    /// Whether the node is a mapping's key, which is read as text whatever it looks like.
    key: bool,
}

impl<'a, 'b> Reader<'a, 'b> {
    fn of(self, node: NodeRef<'a>, key: bool) -> Self {
        Self { node, key, depth: self.depth + 1, ..self }
    }

    /// Counts the node against the budget.
    fn enter(self) -> Result<()> {
        if self.depth > DEPTH {
            return Err(self.limit(format!("the value nests deeper than {DEPTH} levels")));
        }
        let left = self.budget.get().checked_sub(1);
        let left = left.ok_or_else(|| self.limit("aliases expand to too many nodes".to_owned()))?;
        self.budget.set(left);
        Ok(())
    }

    fn limit(self, message: String) -> Error {
        self.place(Error::limit(message)).with_hint("check the aliases: a node can contain itself")
    }

    fn place(self, error: Error) -> Error {
        match self.node.position() {
            Some((line, column)) => error.at_position(line, column),
            None => error,
        }
    }

    fn any<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value> {
        let node = self.node;
        match node.kind() {
            Kind::Null => visitor.visit_unit(),
            Kind::Bool => match node.as_bool() {
                Some(value) => visitor.visit_bool(value),
                None => node.fail("a boolean"),
            },
            Kind::Int => self.integer(visitor),
            Kind::Float => match node.as_f64() {
                Some(value) => visitor.visit_f64(value),
                None => node.fail("a float"),
            },
            Kind::String => match node.as_bytes() {
                Some(bytes) => visitor.visit_byte_buf(bytes),
                None => self.text(visitor),
            },
            Kind::Timestamp => self.text(visitor),
            Kind::Sequence => self.sequence(visitor),
            Kind::Mapping => self.mapping(visitor, false),
        }
    }

    fn text<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_borrowed_str(self.node.text().unwrap_or_default())
    }

    fn integer<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value> {
        let Some(value) = self.node.as_i128() else {
            let big = self.node.as_bigint().and_then(|value| u128::try_from(value).ok());
            return match big {
                Some(value) => visitor.visit_u128(value),
                None => self.node.fail("an integer of at most 128 bits"),
            };
        };
        if let Ok(value) = u64::try_from(value) {
            visitor.visit_u64(value)
        } else if let Ok(value) = i64::try_from(value) {
            visitor.visit_i64(value)
        } else if let Ok(value) = u128::try_from(value) {
            visitor.visit_u128(value)
        } else {
            visitor.visit_i128(value)
        }
    }

    fn sequence<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value> {
        let mut items = Sequence { reader: self, nodes: self.node.items(), index: 0 };
        let value = visitor.visit_seq(&mut items)?;
        match items.nodes.len() {
            0 => Ok(value),
            left => {
                Err(Error::mismatch(format!("found {} items, expected {}", items.index + left, items.index)))
            }
        }
    }

    /// Reads a mapping. For structs, repeated properties are reduced to the last one; maps handle them on
    /// their own.
    fn mapping<V: Visitor<'a>>(self, visitor: V, once: bool) -> Result<V::Value> {
        let mut entries: Vec<_> = self.node.entries().collect();
        if once {
            let mut met = HashSet::with_capacity(entries.len());
            entries.reverse();
            entries.retain(|(key, _)| key.text().is_none_or(|text| met.insert(text)));
            entries.reverse();
        }
        visitor.visit_map(Mapping { reader: self, entries: entries.into_iter(), value: None })
    }

    fn is_set(self) -> bool {
        self.node.tag().and_then(|tag| tag.strip_prefix(YAML_TAG)) == Some("set")
    }
}

/// Each method counts the node, reads it, and adds its position to errors.
macro_rules! methods {
    ($($method:ident($($name:ident: $type:ty),*) |$self:ident, $visitor:ident| $body:expr;)*) => {$(
        fn $method<V: Visitor<'a>>($self, $($name: $type,)* $visitor: V) -> Result<V::Value> {
            $self.enter()?;
            let read = || $body;
            read().map_err(|error| $self.place(error))
        }
    )*};
}

macro_rules! as_any {
    ($($method:ident)*) => {
        methods! { $($method() |self, visitor| self.any(visitor);)* }
    };
}

impl<'a> Deserializer<'a> for Reader<'a, '_> {
    type Error = Error;

    as_any! {
        deserialize_any deserialize_bool deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64
        deserialize_i128 deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128
        deserialize_unit
    }

    methods! {
        deserialize_f32() |self, visitor| self.float(visitor);
        deserialize_f64() |self, visitor| self.float(visitor);
        deserialize_char() |self, visitor| self.string(visitor);
        deserialize_str() |self, visitor| self.string(visitor);
        deserialize_string() |self, visitor| self.string(visitor);
        deserialize_identifier() |self, visitor| self.string(visitor);
        deserialize_bytes() |self, visitor| self.any(visitor);
        deserialize_byte_buf() |self, visitor| self.any(visitor);
        deserialize_option() |self, visitor| {
            if self.node.is_null() { visitor.visit_none() } else { visitor.visit_some(self) }
        };
        deserialize_unit_struct(_name: &'static str) |self, visitor| self.any(visitor);
        deserialize_newtype_struct(_name: &'static str) |self, visitor| visitor.visit_newtype_struct(self);
        deserialize_seq() |self, visitor| self.list(visitor);
        deserialize_tuple(_len: usize) |self, visitor| self.list(visitor);
        deserialize_tuple_struct(_name: &'static str, _len: usize) |self, visitor| self.list(visitor);
        deserialize_map() |self, visitor| self.any(visitor);
        deserialize_struct(_name: &'static str, _fields: &'static [&'static str]) |self, visitor| {
            if self.node.kind() == Kind::Mapping { self.mapping(visitor, true) } else { self.any(visitor) }
        };
        deserialize_enum(name: &'static str, _variants: &'static [&'static str]) |self, visitor| {
            self.choice(name, visitor)
        };
        deserialize_ignored_any() |self, visitor| visitor.visit_unit();
    }
}

impl<'a> Reader<'a, '_> {
    fn float<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value> {
        match self.node.as_f64() {
            Some(value) => visitor.visit_f64(value),
            None => self.any(visitor),
        }
    }

    fn string<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value> {
        match self.node.kind() {
            Kind::String | Kind::Timestamp => self.text(visitor),
            kind if self.key && kind.is_scalar() => self.text(visitor),
            _ => self.any(visitor),
        }
    }

    fn list<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value> {
        if self.node.kind() == Kind::Mapping && self.is_set() {
            return visitor.visit_seq(Set { reader: self, entries: self.node.entries(), index: 0 });
        }
        self.any(visitor)
    }

    fn choice<V: Visitor<'a>>(self, name: &str, visitor: V) -> Result<V::Value> {
        let node = self.node;
        let mut entries = node.entries();
        match (node.kind(), entries.next(), entries.next()) {
            (Kind::String, ..) => visitor.visit_enum(Variant { reader: self, name: node, content: None }),
            (Kind::Mapping, Some((name, content)), None) => {
                visitor.visit_enum(Variant { reader: self, name, content: Some(content) })
            }
            _ => {
                node.fail(format!("a variant of `{name}`: its name, or a mapping with that as its only key"))
            }
        }
    }
}

struct Sequence<'a, 'b> {
    reader: Reader<'a, 'b>,
    nodes: crate::tree::Items<'a>,
    index: usize,
}

impl<'a> SeqAccess<'a> for &mut Sequence<'a, '_> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'a>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        let Some(node) = self.nodes.next() else { return Ok(None) };
        let index = self.index;
        self.index += 1;
        seed.deserialize(self.reader.of(node, false)).map(Some).map_err(|error| error.under(index))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.nodes.len())
    }
}

struct Set<'a, 'b> {
    reader: Reader<'a, 'b>,
    entries: crate::tree::Entries<'a>,
    index: usize,
}

impl<'a> SeqAccess<'a> for Set<'a, '_> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'a>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        let Some((key, _)) = self.entries.next() else { return Ok(None) };
        let index = self.index;
        self.index += 1;
        seed.deserialize(self.reader.of(key, false)).map(Some).map_err(|error| error.under(index))
    }
}

struct Mapping<'a, 'b> {
    reader: Reader<'a, 'b>,
    entries: std::vec::IntoIter<(NodeRef<'a>, NodeRef<'a>)>,
    value: Option<(NodeRef<'a>, NodeRef<'a>)>,
}

impl<'a> MapAccess<'a> for Mapping<'a, '_> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'a>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        let Some((key, value)) = self.entries.next() else { return Ok(None) };
        self.value = Some((key, value));
        seed.deserialize(self.reader.of(key, true)).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'a>>(&mut self, seed: V) -> Result<V::Value> {
        let Some((key, value)) = self.value.take() else {
            return Err(Error::usage("cannot read a value before its key"));
        };
        let step = key.text().unwrap_or("?");
        seed.deserialize(self.reader.of(value, false)).map_err(|error| error.under(step))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.entries.len())
    }
}

struct Variant<'a, 'b> {
    reader: Reader<'a, 'b>,
    name: NodeRef<'a>,
    content: Option<NodeRef<'a>>,
}

impl<'a, 'b> EnumAccess<'a> for Variant<'a, 'b> {
    type Error = Error;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'a>>(self, seed: V) -> Result<(V::Value, Self)> {
        let variant = seed.deserialize(self.reader.of(self.name, true))?;
        Ok((variant, self))
    }
}

impl<'a, 'b> Variant<'a, 'b> {
    fn content(&self) -> Result<Reader<'a, 'b>> {
        match self.content {
            Some(content) => Ok(self.reader.of(content, false)),
            None => {
                let name = self.name.text().unwrap_or("?").escape_debug();
                Err(self.name.expected(format!("a mapping `{name}: ...` with the variant's content")))
            }
        }
    }

    fn under(&self, error: Error) -> Error {
        error.under(self.name.text().unwrap_or("?"))
    }
}

impl<'a> VariantAccess<'a> for Variant<'a, '_> {
    type Error = Error;

    fn unit_variant(self) -> Result<()> {
        match self.content {
            Some(content) if !content.is_null() => Err(self.under(content.expected("null, or no content"))),
            _ => Ok(()),
        }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'a>>(self, seed: T) -> Result<T::Value> {
        seed.deserialize(self.content()?).map_err(|error| self.under(error))
    }

    fn tuple_variant<V: Visitor<'a>>(self, len: usize, visitor: V) -> Result<V::Value> {
        self.content()?.deserialize_tuple(len, visitor).map_err(|error| self.under(error))
    }

    fn struct_variant<V: Visitor<'a>>(self, fields: &'static [&'static str], visitor: V) -> Result<V::Value> {
        self.content()?.deserialize_struct("", fields, visitor).map_err(|error| self.under(error))
    }
}
