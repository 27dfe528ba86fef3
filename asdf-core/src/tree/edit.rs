//! Adding nodes and changing a tree.

use num_bigint::BigInt;

use super::anchors::Name;
use super::record::{Content, MAX_TAGS, Record};
use super::{Kind, NodeId, Span, Style, Tree, YAML_TAG, pointer, scalar};
use crate::error::{Error, Result};

impl Tree {
    #[inline]
    fn add(&mut self, record: Record) -> NodeId {
        let next = NodeId::from_index(self.nodes.len());
        let Some(id) = next.filter(|_| !self.full) else { return self.overflow() };
        self.nodes.push(record);
        id
    }

    /// Handles running out of ids: returns the last node, and marks the tree so that it cannot be written.
    #[cold]
    fn overflow(&mut self) -> NodeId {
        self.full = true;
        #[allow(clippy::expect_used, reason = "a tree can only be full when it has nodes")]
        NodeId::from_index(self.nodes.len().saturating_sub(1).min(u32::MAX as usize - 1))
            .expect("an index below u32::MAX has an id")
    }

    /// Adds a scalar whose text is a range of the parsed text.
    #[inline]
    pub(crate) fn add_borrowed(&mut self, kind: Kind, style: Style, text: Span, span: Span) -> NodeId {
        let record = Record::written(kind, style, text, span, &mut self.places);
        self.add(record)
    }

    /// Adds a scalar whose text is not part of the parsed text.
    pub(crate) fn add_scalar(&mut self, kind: Kind, style: Style, text: &str, span: Span) -> NodeId {
        let start = u32::try_from(self.side.len());
        let len = u32::try_from(text.len());
        let (start, len) = match (start, len) {
            (Ok(start), Ok(len)) if start.checked_add(len).is_some() => (start, len),
            _ => {
                self.full = true;
                (0, 0)
            }
        };
        if !self.full {
            self.side.push_str(text);
        }
        let span = Some(span).filter(|&span| span != Span::default());
        let record = Record::at(kind, style, (start, len), span, &mut self.places);
        self.add(record.aside())
    }

    fn made(&mut self, kind: Kind, text: &str) -> NodeId {
        self.add_scalar(kind, Style::Any, text, Span::default())
    }

    /// Adds a null.
    pub fn add_null(&mut self) -> NodeId {
        self.made(Kind::Null, "null")
    }

    /// Adds a boolean.
    pub fn add_bool(&mut self, value: bool) -> NodeId {
        self.made(Kind::Bool, if value { "true" } else { "false" })
    }

    /// Adds an integer.
    pub fn add_int(&mut self, value: impl Into<i128>) -> NodeId {
        self.made(Kind::Int, &value.into().to_string())
    }

    /// Adds an integer of any size.
    ///
    /// The standard allows only integers of 64 bits in a tree. Use [`Integer`](crate::array::Integer) for
    /// larger ones.
    #[doc(alias = "IntegerType")]
    pub fn add_bigint(&mut self, value: &BigInt) -> NodeId {
        self.made(Kind::Int, &value.to_string())
    }

    /// Adds a float. It is written in the shortest form that reads back equal.
    pub fn add_float(&mut self, value: f64) -> NodeId {
        self.made(Kind::Float, &scalar::from_f64(value))
    }

    /// Adds a string. It is written with quotes if plain text would read back as something else.
    pub fn add_str(&mut self, value: &str) -> NodeId {
        self.made(Kind::String, value)
    }

    /// Adds a timestamp from its text, such as `2026-11-20 12:30:00`.
    ///
    /// Adds a string if the text is not a timestamp of YAML 1.1.
    #[doc(alias = "datetime")]
    pub fn add_timestamp(&mut self, text: &str) -> NodeId {
        let kind = if scalar::resolve(text) == Kind::Timestamp { Kind::Timestamp } else { Kind::String };
        self.made(kind, text)
    }

    /// Adds a plain scalar of the kind that its text resolves to.
    pub(crate) fn add_scalar_text(&mut self, text: &str) -> NodeId {
        self.made(scalar::resolve(text), text)
    }

    /// Adds a `!!binary` scalar, which holds the bytes in base64.
    pub fn add_bytes(&mut self, bytes: &[u8]) -> NodeId {
        use base64::Engine as _;
        let id = self.made(Kind::String, &base64::engine::general_purpose::STANDARD.encode(bytes));
        self.set_tag(id, Some(&format!("{YAML_TAG}binary")));
        id
    }

    /// Adds a sequence of nodes.
    #[doc(alias = "list")]
    pub fn add_sequence(&mut self, items: impl IntoIterator<Item = NodeId>) -> NodeId {
        self.add_collection(Kind::Sequence, Style::Any, items, None)
    }

    /// Adds a mapping of keys and values.
    #[doc(alias = "dict")]
    pub fn add_mapping(&mut self, entries: impl IntoIterator<Item = (NodeId, NodeId)>) -> NodeId {
        let ids = entries.into_iter().flat_map(|(key, value)| [key, value]);
        self.add_collection(Kind::Mapping, Style::Any, ids, None)
    }

    /// Adds a collection that begins at a byte of the text, to be [filled](Self::fill) later.
    pub(crate) fn add_open(&mut self, kind: Kind, style: Style, start: u32) -> NodeId {
        let span = Span { start, end: start };
        let record = Record::at(kind, style, (0, 0), Some(span), &mut self.places);
        self.add(record)
    }

    pub(crate) fn add_collection(
        &mut self,
        kind: Kind,
        style: Style,
        children: impl IntoIterator<Item = NodeId>,
        span: Option<Span>,
    ) -> NodeId {
        let start = self.children.len();
        self.children.extend(children);
        let len = self.children.len() - start;
        let (Ok(start), Ok(len)) = (u32::try_from(start), u32::try_from(len)) else {
            self.full = true;
            return self.add_null();
        };
        let record = Record::at(kind, style, (start, len), span, &mut self.places);
        self.add(record)
    }

    /// Replaces a collection's children. The parser needs this because it meets a collection's anchor before
    /// its content.
    pub(crate) fn fill(&mut self, id: NodeId, children: &[NodeId], end: u32) {
        let start = self.children.len();
        self.children.extend_from_slice(children);
        let (Ok(start), Ok(_)) = (u32::try_from(start), u32::try_from(children.len())) else {
            self.full = true;
            return;
        };
        let mut record = *self.record(id);
        record.set_start(start, false, &mut self.places);
        record.set_len(children.len());
        record.set_end(end, &mut self.places);
        *self.record_mut(id) = record;
        self.keys.forget(id);
    }

    /// Overwrites a node with another. The parser needs this because it names some nodes before it knows
    /// their content.
    pub(crate) fn replace(&mut self, id: NodeId, other: NodeId) {
        *self.record_mut(id) = *self.record(other);
        self.keys.forget_all();
    }

    /// Sets or removes a node's tag, a full URI.
    ///
    /// # Examples
    /// ```
    /// let mut tree = asdf_core::yaml::parse("filter: {name: F158}")?;
    /// let filter = tree.at("/filter")?.id();
    /// tree.set_tag(filter, Some("asdf://example.org/tags/filter-1.0.0"));
    /// assert_eq!(tree.at("/filter")?.tag(), Some("asdf://example.org/tags/filter-1.0.0"));
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    pub fn set_tag(&mut self, id: NodeId, tag: Option<&str>) {
        let index = tag.map_or(0, |tag| self.intern_tag(tag));
        self.set_tag_index(id, index);
    }

    /// Interns a tag and returns its number plus one; 0 if the tree is full.
    pub(crate) fn intern_tag(&mut self, tag: &str) -> u32 {
        let number = self.tags.number(tag, MAX_TAGS);
        self.full |= number.is_none();
        number.map_or(0, |number| number + 1)
    }

    /// Sets a node's tag by its number plus one; 0 for none.
    pub(crate) fn set_tag_index(&mut self, id: NodeId, index: u32) {
        self.record_mut(id).set_tag(index);
    }

    /// Sets the style in which a node is written.
    pub fn set_style(&mut self, id: NodeId, style: Style) {
        self.record_mut(id).set_style(style);
    }

    /// Sets or removes the anchor name of a shared node. Without a name the emitter chooses one.
    pub fn set_anchor(&mut self, id: NodeId, name: Option<&str>) {
        match name {
            Some(name) => self.anchors.set(id, Name::Made(name.into())),
            None => self.anchors.remove(id),
        }
    }

    /// Sets an anchor name that is part of the parsed text.
    pub(crate) fn set_anchor_at(&mut self, id: NodeId, name: Span) {
        self.anchors.set(id, Name::Written(name));
    }

    /// Appends an item to a sequence, or a key and its value to a mapping.
    pub(super) fn append(&mut self, id: NodeId, added: &[NodeId]) {
        let mut record = *self.record(id);
        let Content { start, len } = record.content(&self.places);
        let head = start.checked_sub(1).filter(|_| record.grown()).and_then(|head| self.children.get(head));
        if len + added.len() > head.map_or(len, |room| room.number() as usize) {
            // Move to the end with twice the room, so that appending stays linear overall.
            let room = (len + added.len()) * 2;
            let begin = self.children.len() + 1;
            let (Some(room_id), Ok(place), Ok(_)) =
                (NodeId::from_index(room - 1), u32::try_from(begin), u32::try_from(begin + room))
            else {
                self.full = true;
                return;
            };
            self.children.push(room_id);
            self.children.extend_from_within(start..start + len);
            self.children.resize(begin + room, room_id);
            record.set_start(place, true, &mut self.places);
        }
        let at = record.content(&self.places).start + len;
        if let Some(slots) = self.children.get_mut(at..at + added.len()) {
            slots.copy_from_slice(added);
        }
        record.set_len(len + added.len());
        *self.record_mut(id) = record;
        self.note_appended(id, len);
    }

    /// Appends an item to a sequence.
    ///
    /// # Panics
    /// Panics if the node is not a sequence.
    pub fn push(&mut self, sequence: NodeId, item: NodeId) {
        assert_eq!(self.record(sequence).kind(), Kind::Sequence, "push is for sequences");
        self.append(sequence, &[item]);
    }

    /// Sets the value of a string key of a mapping. A new key is added at the end.
    ///
    /// # Panics
    /// Panics if the node is not a mapping.
    pub fn insert(&mut self, mapping: NodeId, key: &str, value: NodeId) {
        assert_eq!(self.record(mapping).kind(), Kind::Mapping, "insert is for mappings");
        match self.place(mapping, key) {
            Some(at) => {
                if let Some(slot) = self.children.get_mut(at + 1) {
                    *slot = value;
                }
            }
            None => {
                let key = self.add_str(key);
                self.append(mapping, &[key, value]);
            }
        }
    }

    /// Returns the index of a key among all children. Like `get`, it finds the last one.
    pub(super) fn place(&self, mapping: NodeId, key: &str) -> Option<usize> {
        let start = self.record(mapping).content(&self.places).start;
        Some(start + self.entry_of(mapping, key)? * 2)
    }

    /// Removes a string key and its value from a mapping and returns the value.
    pub fn remove(&mut self, mapping: NodeId, key: &str) -> Option<NodeId> {
        if self.record(mapping).kind() != Kind::Mapping {
            return None;
        }
        let at = self.place(mapping, key)?;
        let value = *self.children.get(at + 1)?;
        let Content { start, len } = self.record(mapping).content(&self.places);
        self.children.copy_within(at + 2..start + len, at);
        self.record_mut(mapping).set_len(len - 2);
        self.keys.forget(mapping);
        Some(value)
    }

    /// Removes an item from a sequence and returns it.
    pub fn remove_item(&mut self, sequence: NodeId, index: usize) -> Option<NodeId> {
        let record = *self.record(sequence);
        let Content { start, len } = record.content(&self.places);
        if record.kind() != Kind::Sequence || index >= len {
            return None;
        }
        let at = start + index;
        let item = *self.children.get(at)?;
        self.children.copy_within(at + 1..start + len, at);
        self.record_mut(sequence).set_len(len - 1);
        Some(item)
    }

    /// Puts a node at a JSON Pointer.
    ///
    /// The last step is a key, which is added if it does not exist, the index of an existing item, or `-` for
    /// a new item at the end.
    pub(crate) fn put(&mut self, pointer: &str, value: NodeId) -> Result<()> {
        let Some((id, last, _)) = self.parent(pointer)? else {
            self.set_root(value);
            return Ok(());
        };
        let parent = self.node(id);
        match parent.kind() {
            // As in `at`, the key can be a number.
            Kind::Mapping => match self.key_place(id, &last) {
                Some(place) => self.set_child(id, place + 1, value),
                None => self.insert(id, &last, value),
            },
            Kind::Sequence if last == "-" => self.push(id, value),
            Kind::Sequence => {
                let index = pointer::index(&last).filter(|&index| index < parent.len());
                let slot = index.and_then(|index| {
                    let at = self.record(id).content(&self.places).start + index;
                    self.children.get_mut(at)
                });
                match slot {
                    Some(slot) => *slot = value,
                    None => {
                        let error = Error::missing(format!(
                            "item {} does not exist and cannot be replaced",
                            last.escape_debug()
                        ));
                        return Err(self
                            .node(id)
                            .place(error)
                            .at_path(pointer)
                            .with_hint("write `-` to append"));
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Replaces the content of a scalar in place.
    ///
    /// The node keeps its id, tag and anchor, so all places that share it change.
    ///
    /// # Errors
    /// Returns [`Usage`](crate::error::Kind::Usage) if either node is a collection.
    ///
    /// # Examples
    /// ```
    /// let mut tree = asdf_core::yaml::parse("a: &x 1\nb: *x\n")?;
    /// let old = tree.at("/a")?.id();
    /// let new = tree.add_int(2);
    /// tree.assign(old, new)?;
    /// assert_eq!(tree.get::<i32>("/b")?, 2);
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    pub fn assign(&mut self, id: NodeId, scalar: NodeId) -> Result<()> {
        let (old, new) = (*self.record(id), *self.record(scalar));
        if !(old.kind().is_scalar() && new.kind().is_scalar()) {
            return Err(Error::usage("only a scalar can be assigned to a scalar"));
        }
        let content = new.content(&self.places);
        let (Ok(start), Ok(len)) = (u32::try_from(content.start), u32::try_from(content.len)) else {
            return Ok(());
        };
        let span = Some(old.span(&self.places)).filter(|&span| span != Span::default());
        let mut record = Record::at(new.kind(), new.style(), (start, len), span, &mut self.places);
        if new.side() {
            record = record.aside();
        }
        record.set_tag(old.tag());
        *self.record_mut(id) = record;
        self.keys.forget_all();
        Ok(())
    }

    /// Declares a `%TAG` handle or changes its prefix.
    pub fn set_handle(&mut self, handle: &str, prefix: &str) {
        match self.handles.iter_mut().find(|(name, _)| name == handle) {
            Some((_, old)) => prefix.clone_into(old),
            None => self.handles.push((handle.to_owned(), prefix.to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn collections_grow_and_shrink_in_place() {
        let mut tree = Tree::new();
        let root = tree.add_mapping([]);
        tree.set_root(root);
        let list = tree.add_sequence([]);
        for index in 0..100 {
            let item = tree.add_int(index);
            tree.push(list, item);
            let value = tree.add_float(f64::from(index));
            tree.insert(root, &format!("k{index}"), value);
        }
        tree.insert(root, "list", list);
        assert_eq!(tree.node(list).items().map(|n| n.as_i64().unwrap()).sum::<i64>(), 4950);
        assert_eq!(tree.at("/k7").unwrap().as_f64(), Some(7.0));
        tree.remove(root, "k7").unwrap();
        assert!(tree.find("/k7").is_none());
        assert_eq!(tree.at("/k8").unwrap().as_f64(), Some(8.0));
        assert_eq!(tree.node(root).len(), 100);
        tree.remove_item(list, 0).unwrap();
        assert_eq!(tree.at("/list/0").unwrap().as_i64(), Some(1));
        let new = tree.add_str("x");
        tree.put("/list/0", new).unwrap();
        tree.put("/list/-", new).unwrap();
        assert_eq!(tree.at("/list/99").unwrap().as_str(), Some("x"));
        assert_eq!(
            tree.put("/k8/a", new).unwrap_err().to_string(),
            "/k8: found the float 8.0, expected a mapping or a sequence"
        );
    }

    #[test]
    fn bytes_are_base64() {
        let mut tree = Tree::new();
        let id = tree.add_bytes(b"hello");
        assert_eq!(tree.node(id).text(), Some("aGVsbG8="));
        assert_eq!(tree.node(id).as_bytes().unwrap(), b"hello");
    }
}
