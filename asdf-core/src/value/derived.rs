//! What derived code calls. Not for hand-written code; it may change with the derive.

pub use super::assertion::{can_be_tagged, fits, overlaps, require, tag_fits};
use super::bounds::Level;
pub use super::converted::{GivenAs, MadeFrom, TriedFrom};
use super::description::{Description, Form};
pub use super::field::{Field, FieldOfOther, Written, WrittenOfOther};
pub use super::flatten::{FromFields, Keys, ToFields, properties, read_fields, write_fields};
use super::kinds::UNTAGGED;
use super::kinds::entries;
pub use super::literal::{LiteralEntries, LiteralItems};
pub use super::marked::{ExtraField, TagField, TextDefault, UpgradeOf};
pub use super::name::{Name, describe_names, parse_name, parse_text, read_name};
pub use super::place_tag::place_tag;
pub use super::reach::{
    Pair, PairOfOthers, Variant, covers, covers_property, require_reached, require_told_apart,
};
pub use super::version::{Version, Versions};
use super::{Asdf, Extra, FromNode, KeptTag, Kinds, ToNode, read};
use crate::error::{Code, Error, Result};
use crate::tree::{Kind, NodeId, NodeRef, Tree, nearest, tag_matches};

/// The first version of the ASDF Standard that does not let readers fill in defaults.
const FIRST_WITHOUT_DEFAULTS: (u16, u16, u16) = (1, 6, 0);

/// A list for a description.
#[must_use]
pub fn list<T: Clone>(items: &'static [T]) -> Vec<T> {
    items.to_vec()
}

/// What describes a type.
#[must_use]
pub fn describe<T>(docs: &'static str, tag: Option<&'static str>, form: Form) -> Description {
    Description { name: std::any::type_name::<T>(), docs, tag, form }
}

/// Whether a type with this tag and these further patterns reads a node with that tag.
#[must_use]
pub fn accepts(own: &str, patterns: &[&str], tag: &str) -> bool {
    own == tag || patterns.iter().any(|pattern| tag_matches(pattern, tag))
}

/// Checks that a node has no tag, or one that the type accepts.
///
/// # Errors
/// [`Mismatch`](crate::error::Kind::Mismatch) when it has another.
pub fn check_tag(node: NodeRef<'_>, own: &str, patterns: &[&str]) -> Result<()> {
    match node.own_tag() {
        Some(tag) if !accepts(own, patterns, tag) => Err(foreign_tag(node, tag, own)),
        _ => Ok(()),
    }
}

/// Whether a type reads a tag that fits a pattern.
#[must_use]
#[allow(clippy::indexing_slicing, reason = "a constant function has no other way, and checks the index")]
pub const fn reads_tag<T: Asdf>(pattern: &str) -> bool {
    let mut index = 0;
    while index < T::ACCEPTS.len() {
        let accepted = T::ACCEPTS[index];
        if tag_matches(accepted, pattern) || tag_matches(pattern, accepted) {
            return true;
        }
        index += 1;
    }
    tag_matches(pattern, T::TAG)
}

/// Fails while generated code is compiled if a type does not read a tag that its configuration says it does.
///
/// # Panics
/// If the type reads no tag that fits the pattern: the compiler shows the message.
#[track_caller]
#[allow(clippy::panic, reason = "it is the error that the compiler shows")]
pub const fn assert_reads<T: Asdf>(pattern: &str, message: &'static str) {
    if !reads_tag::<T>(pattern) {
        panic!("{}", message);
    }
}

/// The error for a tag that the expected type does not accept.
#[must_use]
pub fn foreign_tag(node: NodeRef<'_>, tag: &str, expected: &str) -> Error {
    node.error(format!("found the tag {}, expected {expected}", tag.escape_debug()))
        .with_code(Code::Tag)
        .with_hint("a field of type `Tagged<T>` or `Node` keeps values of unknown tags and versions")
}

/// Sets the tag of a written node: that of its type, or the one that was kept. `None` removes the tag.
///
/// # Errors
/// [`Usage`](crate::error::Kind::Usage) when the node is a number, a boolean or null: under a tag it would be text.
pub fn set_tag(tree: &mut Tree, id: NodeId, tag: Option<&str>) -> Result<()> {
    let node = tree.node(id);
    // One that has a tag was read as it stands, and is text already.
    if let Some(tag) = tag.filter(|_| UNTAGGED.contains(node.kind()) && node.own_tag().is_none()) {
        let (found, tag) = (node.describe(), tag.escape_debug());
        let message = format!("{found} cannot have the tag {tag}: a tagged scalar is text");
        return Err(Error::usage(message).with_hint("write a mapping or a `String`"));
    }
    tree.set_tag(id, tag);
    Ok(())
}

/// Sets the tag of a written node to the one that its value keeps.
///
/// # Errors
/// [`Usage`](crate::error::Kind::Usage) when the type does not accept the kept tag, and as [`set_tag`].
pub fn set_kept_tag(tree: &mut Tree, id: NodeId, kept: &KeptTag, own: &str, patterns: &[&str]) -> Result<()> {
    match kept {
        KeptTag::As(tag) if !accepts(own, patterns, tag) => Err(foreign_kept_tag(tag, own, patterns)),
        _ => set_tag(tree, id, kept.tag(own)),
    }
}

/// The error for a kept tag that the type does not accept.
pub(super) fn foreign_kept_tag(tag: &str, own: &str, patterns: &[&str]) -> Error {
    let others = patterns.iter().map(|pattern| format!(" or {pattern}")).collect::<String>();
    let tag = tag.escape_debug();
    Error::usage(format!("a value cannot be written with the tag {tag}, expected {own}{others}"))
        .with_code(Code::Tag)
        .with_hint("`KeptTag::Newest` is the tag of new values")
}

/// The text of a node that is a string: also of any scalar with a tag of its own, which is text to whoever
/// asks for text, as in Python.
#[must_use]
pub fn text(node: NodeRef<'_>) -> Option<&str> {
    node.as_str().or_else(|| node.text().filter(|_| node.own_tag().is_some()))
}

/// Whether a node stands for no value of a type: null, and not the empty text of a tagged scalar for a type
/// that is read from text.
pub(super) fn is_nothing(node: NodeRef<'_>, types: Kinds) -> bool {
    node.is_null() && (node.own_tag().is_none() || !types.contains(Kind::String))
}

/// Reads a value that may be null with a function that knows nothing of null.
///
/// # Errors
/// What the function gives.
pub fn optional<T>(node: NodeRef<'_>, from_node: impl FnOnce(NodeRef<'_>) -> Result<T>) -> Result<Option<T>> {
    if node.is_null() { Ok(None) } else { from_node(node).map(Some) }
}

/// Reads the properties of a mapping one by one and remembers every fault.
#[derive(Debug)]
pub struct Fields<'a> {
    node: NodeRef<'a>,
    type_name: &'static str,
    known: Keys,
    /// How deep the type is flattened whose fields are read.
    flattened: usize,
    /// How many entries were read as properties.
    taken: usize,
    fault: Option<Error>,
}

impl<'a> Fields<'a> {
    /// Begins with a node that has to be a mapping; `known` are the keys that have fields.
    ///
    /// # Errors
    /// [`Mismatch`](crate::error::Kind::Mismatch) when the node is not a mapping.
    pub fn open(node: NodeRef<'a>, type_name: &'static str, known: &'static [&'static str]) -> Result<Self> {
        Self::of(node, type_name, Keys { own: known, flattened: &[] })
    }

    /// The same for keys of which some are those of flattened types.
    ///
    /// # Errors
    /// [`Mismatch`](crate::error::Kind::Mismatch) when the node is not a mapping.
    pub fn of(node: NodeRef<'a>, type_name: &'static str, known: Keys) -> Result<Self> {
        if node.is_of(Kinds::MAPPING) {
            Ok(Self { node, type_name, known, flattened: 0, taken: 0, fault: None })
        } else {
            node.fail(format!("a mapping for `{type_name}`"))
        }
    }

    fn fault(&mut self, error: Error) {
        self.fault = Some(match self.fault.take() {
            Some(first) => first.and(error),
            None => error,
        });
    }

    /// Reads a property. `None` when that failed, which [`finish`](Self::finish) then tells.
    pub fn take<T: FromNode>(&mut self, key: &str) -> Option<T> {
        self.take_or(key, T::from_absent)
    }

    /// Reads a property that has a value when it is not there.
    pub fn take_or<T: FromNode>(&mut self, key: &str, absent: impl FnOnce() -> Option<T>) -> Option<T> {
        self.property(key, read, absent)
    }

    /// Reads a property whose default `make` makes, for files older than standard 1.6.0: there it is missing if it
    /// has this value. A default that is not of the type is none.
    pub fn take_old<T: FromNode>(&mut self, key: &str, make: impl FnOnce(&mut Tree) -> NodeId) -> Option<T> {
        let standard = self.node.tree().standard();
        self.take_or(key, || {
            let default = || {
                let mut tree = Tree::new();
                tree.set_standard(standard);
                let id = make(&mut tree);
                read(tree.node(id)).ok()
            };
            if standard < FIRST_WITHOUT_DEFAULTS {
                default().or_else(T::from_absent)
            } else {
                T::from_absent()
            }
        })
    }

    /// Returns which of its names a property has here: its key, unless it is found by an alias.
    pub fn name_of(&mut self, key: &'static str, aliases: &[&'static str]) -> &'static str {
        let names = || std::iter::once(key).chain(aliases.iter().copied());
        let mut found = names().filter(|name| self.get(name).is_some());
        let first = found.next();
        if let (Some(first), Some(second)) = (first, found.next()) {
            let message = format!("found '{first}' and '{second}', which are names of the same property");
            let error = self.node.error(message).with_hint("leave one of them out");
            self.fault(error);
        }
        first.unwrap_or(key)
    }

    /// Reads the fields of a type that is flattened into this one, which keeps or denies the rest.
    pub fn flatten<T: FromFields>(&mut self) -> Option<T> {
        self.flattened += 1;
        let value = T::take(self);
        self.flattened -= 1;
        value
    }

    /// Reads a property with a function.
    pub fn take_with<T>(
        &mut self,
        key: &str,
        from_node: impl FnOnce(NodeRef<'_>) -> Result<T>,
        absent: impl FnOnce() -> Option<T>,
    ) -> Option<T> {
        self.property(key, |node| Level::enter(node).and_then(|_level| from_node(node)), absent)
    }

    fn property<T>(
        &mut self,
        key: &str,
        from_node: impl FnOnce(NodeRef<'_>) -> Result<T>,
        absent: impl FnOnce() -> Option<T>,
    ) -> Option<T> {
        let Some(node) = self.get(key) else {
            let value = absent();
            if value.is_none() {
                let error = self.node.error(format!("the required property '{key}' is missing"));
                self.fault(error);
            }
            return value;
        };
        self.taken += 1;
        match from_node(node) {
            Ok(value) => Some(value),
            Err(error) => {
                self.fault(error.under(key));
                None
            }
        }
    }

    fn get(&self, key: &str) -> Option<NodeRef<'a>> {
        match self.node.kind() {
            Kind::Mapping => self.node.get(key),
            _ => entries(self.node).find(|(name, _)| name.as_str() == Some(key)).map(|(_, value)| value),
        }
    }

    fn unknown(&self) -> impl Iterator<Item = (NodeRef<'a>, NodeRef<'a>)> + use<'a> {
        let known = self.known;
        entries(self.node).filter(move |(key, _)| !known.any(&|name| key.is(name)))
    }

    /// Copies the properties that have no field.
    pub fn rest(&mut self) -> Option<Extra> {
        if self.flattened > 0 {
            return Some(Extra::new());
        }
        match Extra::copy(self.unknown()) {
            Ok(extra) => {
                self.deny_repeated(extra.len());
                Some(extra)
            }
            Err(error) => {
                self.fault(error);
                None
            }
        }
    }

    /// Complains about properties that have no field.
    pub fn deny_rest(&mut self) {
        /// More than this are counted.
        const SHOWN: usize = 10;
        if self.flattened > 0 {
            return;
        }
        let count = self.unknown().count();
        self.deny_repeated(count);
        for (index, (key, _)) in self.unknown().take(SHOWN).enumerate() {
            let described = key.describe();
            let shown = described.trim_start_matches("the string ");
            let mut message = format!("`{}` has no property {shown}", self.type_name);
            let meant = key.as_str().and_then(|key| nearest(key, &self.known.all()));
            let mut hint = meant.map(|name| format!("did you mean '{name}'?")).unwrap_or_default();
            // Said once, with the last of them.
            if index + 1 == count.min(SHOWN) {
                if count > SHOWN {
                    message = format!("{message}, nor {} more that are here", count - SHOWN);
                }
                let space = if hint.is_empty() { "" } else { " " };
                hint = format!("{hint}{space}a field `#[asdf(extra)] extra: Extra` keeps what has no field");
            }
            let error = key.error(message);
            self.fault(if hint.is_empty() { error } else { error.with_hint(hint) });
        }
    }

    /// Complains about properties that stand there twice: only one of them would be kept.
    fn deny_repeated(&mut self, unknown: usize) {
        if self.node.len() <= self.taken + unknown {
            return;
        }
        let mut seen: Vec<NodeRef<'a>> = Vec::new();
        for (key, _) in self.node.entries() {
            let Some(name) = key.as_str().filter(|name| self.known.has(name)) else { continue };
            match seen.iter().find(|earlier| earlier.as_str() == Some(name)) {
                Some(earlier) => {
                    let line = earlier.position().map(|(line, _)| format!(", first in line {line}"));
                    let message = format!("the property '{name}' is given twice{}", line.unwrap_or_default());
                    self.fault(key.error(message));
                }
                None => seen.push(key),
            }
        }
    }

    /// Ends with the error of all faults, if there was any.
    ///
    /// # Errors
    /// [`Mismatch`](crate::error::Kind::Mismatch) when a property was missing, wrong, without a field or repeated.
    pub fn finish(self) -> Result<()> {
        self.fault.map_or(Ok(()), Err)
    }
}

/// Reads the items of a sequence one by one and remembers every fault.
#[derive(Debug)]
pub struct Items<'a> {
    node: NodeRef<'a>,
    fault: Option<Error>,
}

impl<'a> Items<'a> {
    /// Begins with a node that has to be a sequence of so many items.
    ///
    /// # Errors
    /// [`Mismatch`](crate::error::Kind::Mismatch) when it is not.
    pub fn open(node: NodeRef<'a>, type_name: &str, count: usize) -> Result<Self> {
        if node.kind() == Kind::Sequence && node.len() == count {
            Ok(Self { node, fault: None })
        } else {
            node.fail(format!("a sequence of {count} items for `{type_name}`"))
        }
    }

    /// Reads an item. `None` when that failed, which [`finish`](Self::finish) then tells.
    pub fn take<T: FromNode>(&mut self, index: usize) -> Option<T> {
        match read(self.node.item(index)?) {
            Ok(value) => Some(value),
            Err(error) => {
                let error = error.under(index);
                self.fault = Some(match self.fault.take() {
                    Some(first) => first.and(error),
                    None => error,
                });
                None
            }
        }
    }

    /// Ends with the error of all faults, if there was any.
    ///
    /// # Errors
    /// [`Mismatch`](crate::error::Kind::Mismatch) when an item was wrong.
    pub fn finish(self) -> Result<()> {
        self.fault.map_or(Ok(()), Err)
    }
}

/// Which of these names the value of a key in a mapping is: the variant of an enum that is told by it.
///
/// # Errors
/// [`Mismatch`](crate::error::Kind::Mismatch) when the node is not a mapping, or the key is missing or something
/// else.
pub fn variant(node: NodeRef<'_>, type_name: &str, key: &str, names: &[&str]) -> Result<usize> {
    if node.kind() != Kind::Mapping {
        return node.fail(format!("a mapping for `{type_name}`"));
    }
    let Some(value) = node.get(key) else {
        let message =
            format!("the required property '{key}' is missing, which says which `{type_name}` this is");
        return Err(node.error(message));
    };
    let found = value.as_str().and_then(|name| names.iter().position(|known| *known == name));
    found.ok_or_else(|| {
        let error = value.expected(format!("{} for `{type_name}`", alternatives(names, &[])));
        with_nearest(error, value.as_str().unwrap_or_default(), names).under(key)
    })
}

/// The error when a value could not be put together although there was no fault: never.
#[must_use]
pub fn incomplete(node: NodeRef<'_>, type_name: &str) -> Error {
    node.expected(format!("`{type_name}`"))
}

/// Tries the variants of an enum one by one and remembers what was wrong with each.
#[derive(Debug)]
pub struct Choice<'a> {
    node: NodeRef<'a>,
    by_tag: bool,
    faults: Vec<(&'static str, Error)>,
}

impl<'a> Choice<'a> {
    /// Begins with the node of the enum. The tag of the node tells variants apart, unless it is the
    /// enum's own or that of a type around it.
    #[must_use]
    pub fn open(node: NodeRef<'a>, by_tag: bool) -> Self {
        Self { node, by_tag, faults: Vec::new() }
    }

    /// Reads the value of a variant, if the node looks like one.
    pub fn attempt<T: FromNode>(&mut self, variant: &'static str) -> Option<T> {
        let fits = if self.by_tag { T::matches(self.node) } else { self.node.is_of(T::TYPES) };
        if fits { self.read(variant, T::from_node) } else { None }
    }

    /// Reads a variant of fields with a function, if the node is of its kind and has no tag of its own.
    pub fn attempt_with<T>(
        &mut self,
        variant: &'static str,
        kind: Kinds,
        from_node: impl FnOnce(NodeRef<'a>) -> Result<T>,
    ) -> Option<T> {
        let fits = kind.contains(self.node.kind()) && !(self.by_tag && self.node.own_tag().is_some());
        if fits { self.read(variant, from_node) } else { None }
    }

    fn read<T>(
        &mut self,
        variant: &'static str,
        from_node: impl FnOnce(NodeRef<'a>) -> Result<T>,
    ) -> Option<T> {
        match from_node(self.node) {
            Ok(value) => Some(value),
            Err(error) => {
                self.faults.push((variant, error));
                None
            }
        }
    }

    /// The error when no variant could be read: that of the only one that looked right, or else
    /// what was found and what is expected: one of these names, or one of these values.
    #[must_use]
    pub fn finish(mut self, type_name: &str, names: &[&str], values: &[String]) -> Error {
        let node = self.node;
        if self.faults.len() > 1 {
            let tried: Vec<String> = self
                .faults
                .iter()
                .map(|(variant, error)| format!("as `{variant}`: {}", brief(error)))
                .collect();
            return node.expected(format!("one of `{type_name}`; {}", tried.join("; ")));
        }
        if let Some((_, error)) = self.faults.pop() {
            return error;
        }
        none_of(node, type_name, names, values)
    }
}

/// The error for a node that is neither one of these names nor one of these values.
pub(super) fn none_of(node: NodeRef<'_>, type_name: &str, names: &[&str], values: &[String]) -> Error {
    let error = node.expected(format!("{} for `{type_name}`", alternatives(names, values)));
    with_nearest(error, node.as_str().unwrap_or_default(), names)
}

/// The error for a value whose builder lacks required fields: those of the names whose flag is set.
#[must_use]
pub fn unset(type_name: &str, names: &[&str], missing: &[bool]) -> Error {
    let names: Vec<String> = names
        .iter()
        .zip(missing)
        .filter(|(_, missing)| **missing)
        .map(|(name, _)| format!("`{name}`"))
        .collect();
    let names = match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("fields {} and {last} are", rest.join(", ")),
        _ => format!("field {} is", names.concat()),
    };
    Error::usage(format!("the required {names} not set, so there is no `{type_name}`"))
        .with_hint("set all required fields before `build`")
}

/// The error with the name that was probably meant.
fn with_nearest(error: Error, text: &str, names: &[&str]) -> Error {
    match nearest(text, names) {
        Some(name) => error.with_hint(format!("did you mean '{name}'?")),
        None => error,
    }
}

/// What a type with a tag of its own expects.
#[must_use]
pub fn tagged(kinds: Kinds, tag: &str) -> String {
    format!("{} tagged {}", kind(kinds), tag.escape_debug())
}

/// The kind of a tagged node, for messages; "a value" when it may be one of several.
pub(super) fn kind(kinds: Kinds) -> String {
    let kind = kinds.to_string();
    if kind.contains(" or ") || kind == "anything" { "a value".to_owned() } else { kind }
}

/// What one of several types expects; types that expect the same are named once.
#[must_use]
pub fn either(values: &[String]) -> String {
    alternatives(&[], values)
}

/// An error in one line, without what the outer error says already.
pub(super) fn brief(error: &Error) -> String {
    let path = error.path().filter(|path| !path.is_empty()).map(|path| format!("{path}: "));
    let more = match error.others().len() {
        0 => String::new(),
        count => format!(" (and {count} more)"),
    };
    format!("{}{}{more}", path.unwrap_or_default(), error.message())
}

/// "'a', 'b' or a number".
fn alternatives(names: &[&str], values: &[String]) -> String {
    /// More names than this are not told.
    const SHOWN: usize = 20;
    let mut all: Vec<String> =
        names.iter().take(SHOWN).map(|name| format!("'{}'", name.escape_debug())).collect();
    if names.len() > SHOWN {
        all.push(format!("one of {} more names", names.len() - SHOWN));
    }
    for value in values.iter().flat_map(|value| value.split(" or ")).flat_map(|value| value.split(", ")) {
        if !all.iter().any(|known| known == value) {
            all.push(value.to_owned());
        }
    }
    // Enums of all that builds on a base have hundreds.
    let most = SHOWN + 2;
    if all.len() > most {
        let more = all.len() - SHOWN;
        all.truncate(SHOWN);
        all.push(format!("one of {more} more"));
    }
    match all.split_last() {
        None => "nothing".to_owned(),
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
    }
}

/// Writes the properties of a mapping one by one, up to the first that cannot be written.
#[derive(Debug)]
pub struct MappingWriter<'t> {
    tree: &'t mut Tree,
    entries: Vec<(NodeId, NodeId)>,
    /// The properties that have no field.
    rest: Vec<(NodeId, NodeId)>,
    fault: Option<Error>,
}

impl<'t> MappingWriter<'t> {
    /// Begins an empty mapping.
    #[must_use]
    pub fn new(tree: &'t mut Tree) -> Self {
        Self { tree, entries: Vec::new(), rest: Vec::new(), fault: None }
    }

    /// Writes a property, unless its value is absent. What goes wrong [`finish`](Self::finish) tells.
    pub fn put<T: ToNode + ?Sized>(&mut self, key: &str, value: &T) {
        if !value.is_absent() {
            self.put_with(key, |tree| value.to_node(tree));
        }
    }

    /// Writes a property with a function.
    pub fn put_with(&mut self, key: &str, to_node: impl FnOnce(&mut Tree) -> Result<NodeId>) {
        self.step(|writer| {
            let value = to_node(writer.tree).map_err(|error| error.under(key))?;
            if writer.has(&writer.rest, key) {
                return Err(extra_and_field(key));
            }
            let key = writer.tree.add_str(key);
            writer.entries.push((key, value));
            Ok(())
        });
    }

    /// Does nothing after a fault, and remembers one.
    fn step(&mut self, write: impl FnOnce(&mut Self) -> Result<()>) {
        if self.fault.is_none() {
            self.fault = write(self).err();
        }
    }

    /// Takes what a check of the value gave.
    pub fn require(&mut self, checked: Result<()>) {
        self.step(|_| checked);
    }

    /// Writes the fields of a type that is flattened into this one.
    pub fn flatten<T: ToFields>(&mut self, value: &T) {
        value.put(self);
    }

    /// Writes the properties that have no field, after those that have.
    pub fn rest(&mut self, extra: &Extra) {
        self.step(|writer| writer.try_rest(extra));
    }

    fn try_rest(&mut self, extra: &Extra) -> Result<()> {
        for (key, _) in extra.iter() {
            if let Some(key) = key.as_str() {
                if self.has(&self.entries, key) || self.has(&self.rest, key) {
                    return Err(extra_and_field(key));
                }
            }
        }
        let entries = extra.write(self.tree)?;
        self.rest.extend(entries);
        Ok(())
    }

    fn has(&self, entries: &[(NodeId, NodeId)], key: &str) -> bool {
        entries.iter().any(|(other, _)| self.tree.node(*other).as_str() == Some(key))
    }

    /// Adds the mapping to the tree.
    ///
    /// # Errors
    /// When a value could not be written; [`Usage`](crate::error::Kind::Usage) when a property that has no field has the
    /// key of one that is written; those of [`Tree::graft`].
    pub fn finish(mut self) -> Result<NodeId> {
        if let Some(error) = self.fault {
            return Err(error);
        }
        self.entries.append(&mut self.rest);
        Ok(self.tree.add_mapping(self.entries))
    }
}

fn extra_and_field(key: &str) -> Error {
    Error::usage(format!("the extra property '{key}' is also a field")).under(key)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml::parse;

    #[test]
    fn alternatives_read_as_english() {
        let values =
            [Kinds::NUMBER.or(Kinds::STRING).to_string(), tagged(Kinds::MAPPING, "tag:x"), "a string".into()];
        assert_eq!(alternatives(&["a", "b"], &[]), "'a' or 'b'");
        assert_eq!(alternatives(&["a"], &values), "'a', a string, a number or a mapping tagged tag:x");
        assert_eq!(either(&values), "a string, a number or a mapping tagged tag:x");
        assert_eq!(tagged(Kinds::NUMBER.or(Kinds::NULL), "tag:x"), "a value tagged tag:x");
        assert_eq!(alternatives(&["x"; 22], &[]).matches("'x'").count(), 20);
        assert!(alternatives(&["x"; 22], &[]).ends_with(" or one of 2 more names"));
        let many: Vec<String> = (0..50).map(|index| format!("t{index}")).collect();
        assert!(either(&many).ends_with(", t19 or one of 30 more"), "{}", either(&many));
    }

    #[test]
    fn an_unknown_property_is_told_with_what_was_meant() {
        let tree = parse("width: 1\nheigth: 2\n7: 3\n").unwrap();
        let mut fields = Fields::open(tree.root().unwrap(), "Box", &["width", "height"]).unwrap();
        assert_eq!(fields.take::<u8>("width"), Some(1));
        fields.deny_rest();
        assert_eq!(
            fields.finish().unwrap_err().to_string(),
            "line 2, column 1: `Box` has no property 'heigth'\n  hint: did you mean 'height'?\n\
             line 3, column 1: `Box` has no property the integer 7\n  \
             hint: a field `#[asdf(extra)] extra: Extra` keeps what has no field"
        );
    }

    #[test]
    fn not_all_of_a_million_unknown_properties_are_told() {
        let text: String = (0..50).map(|index| format!("k{index}: 1\n")).collect();
        let tree = parse(&text).unwrap();
        let mut fields = Fields::open(tree.root().unwrap(), "Box", &["width"]).unwrap();
        fields.deny_rest();
        let error = fields.finish().unwrap_err();
        assert_eq!(error.others().len(), 9);
        assert!(error.to_string().contains("`Box` has no property 'k9', nor 40 more that are here"));
    }

    #[test]
    fn a_property_that_is_given_twice_is_an_error() {
        let tree = parse("width: 1\nheight: 2\nother: 3\nother: 4\nwidth: 5\nwidth: 6\n").unwrap();
        let mut fields = Fields::open(tree.root().unwrap(), "Box", &["width", "height"]).unwrap();
        assert_eq!((fields.take::<u8>("width"), fields.take::<u8>("height")), (Some(6), Some(2)));
        // What has no field is kept, twice if it is there twice.
        assert_eq!(fields.rest().map(|extra| extra.len()), Some(2));
        assert_eq!(
            fields.finish().unwrap_err().to_string(),
            "line 5, column 1: the property 'width' is given twice, first in line 1\n\
             line 6, column 1: the property 'width' is given twice, first in line 1"
        );
    }

    #[test]
    fn the_key_of_a_field_is_no_extra_key() {
        let mut extra = Extra::new();
        extra.insert("a", &1).unwrap();
        let mut tree = Tree::new();
        let mut mapping = MappingWriter::new(&mut tree);
        mapping.put("a", &2);
        mapping.rest(&extra);
        assert_eq!(mapping.finish().unwrap_err().to_string(), "/a: the extra property 'a' is also a field");
    }
}
