//! Support for derived code. Not for hand-written code: it can change together with the derive macro.

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

/// The first version of the ASDF Standard that forbids readers to fill in defaults.
const FIRST_WITHOUT_DEFAULTS: (u16, u16, u16) = (1, 6, 0);

/// Creates a list for a description.
#[must_use]
pub fn list<T: Clone>(items: &'static [T]) -> Vec<T> {
    items.to_vec()
}

/// Creates the description of a type.
#[must_use]
pub fn describe<T>(docs: &'static str, tag: Option<&'static str>, form: Form) -> Description {
    Description { name: std::any::type_name::<T>(), docs, tag, form }
}

/// Returns whether a type with this tag and these additional patterns reads a node with that tag.
#[must_use]
pub fn accepts(own: &str, patterns: &[&str], tag: &str) -> bool {
    own == tag || patterns.iter().any(|pattern| tag_matches(pattern, tag))
}

/// Checks that a node has no tag, or one that the type accepts.
///
/// # Errors
/// Returns [`Mismatch`](crate::error::Kind::Mismatch) if it has another tag.
pub fn check_tag(node: NodeRef<'_>, own: &str, patterns: &[&str]) -> Result<()> {
    match node.own_tag() {
        Some(tag) if !accepts(own, patterns, tag) => Err(foreign_tag(node, tag, own)),
        _ => Ok(()),
    }
}

/// Returns whether a type reads a tag that matches a pattern.
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

/// Fails compilation of generated code if a type does not read a tag that its configuration claims.
///
/// # Panics
/// Panics if the type reads no tag that matches the pattern. The compiler shows the message.
#[track_caller]
#[allow(clippy::panic, reason = "it is the error that the compiler shows")]
pub const fn assert_reads<T: Asdf>(pattern: &str, message: &'static str) {
    if !reads_tag::<T>(pattern) {
        panic!("{}", message);
    }
}

/// Creates the error for a tag that the expected type does not accept.
#[must_use]
pub fn foreign_tag(node: NodeRef<'_>, tag: &str, expected: &str) -> Error {
    node.error(format!("found the tag {}, expected {expected}", tag.escape_debug()))
        .with_code(Code::Tag)
        .with_hint("use a field of type `Tagged<T>` or `Node` to keep unknown tags and versions")
}

/// Sets the tag of a written node: that of its type, or the one that was kept. `None` removes the tag.
///
/// # Errors
/// Returns [`Usage`](crate::error::Kind::Usage) if the node is a number, a boolean or null: with a tag it
/// would be text.
pub fn set_tag(tree: &mut Tree, id: NodeId, tag: Option<&str>) -> Result<()> {
    let node = tree.node(id);
    // A node that has a tag was read as it is, and is text already.
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
/// Returns [`Usage`](crate::error::Kind::Usage) if the type does not accept the kept tag. Otherwise same as
/// [`set_tag`].
pub fn set_kept_tag(tree: &mut Tree, id: NodeId, kept: &KeptTag, own: &str, patterns: &[&str]) -> Result<()> {
    match kept {
        KeptTag::As(tag) if !accepts(own, patterns, tag) => Err(foreign_kept_tag(tag, own, patterns)),
        _ => set_tag(tree, id, kept.tag(own)),
    }
}

/// Creates the error for a kept tag that the type does not accept.
pub(super) fn foreign_kept_tag(tag: &str, own: &str, patterns: &[&str]) -> Error {
    let others = patterns.iter().map(|pattern| format!(" or {pattern}")).collect::<String>();
    let tag = tag.escape_debug();
    Error::usage(format!("cannot write a value with the tag {tag}, expected {own}{others}"))
        .with_code(Code::Tag)
        .with_hint("use `KeptTag::Newest` for the tag of new values")
}

/// Returns the text of a string, or of any scalar with an application's tag.
///
/// As in Python, such a scalar is text to code that expects text.
#[must_use]
pub fn text(node: NodeRef<'_>) -> Option<&str> {
    node.as_str().or_else(|| node.text().filter(|_| node.own_tag().is_some()))
}

/// Returns whether a node counts as null for a type.
///
/// The empty text of a tagged scalar does not, if the type is read from text.
pub(super) fn is_nothing(node: NodeRef<'_>, types: Kinds) -> bool {
    node.is_null() && (node.own_tag().is_none() || !types.contains(Kind::String))
}

/// Reads a value that can be null with a function that does not handle null.
///
/// # Errors
/// Returns the error of the function.
pub fn optional<T>(node: NodeRef<'_>, from_node: impl FnOnce(NodeRef<'_>) -> Result<T>) -> Result<Option<T>> {
    if node.is_null() { Ok(None) } else { from_node(node).map(Some) }
}

/// Reads the properties of a mapping one by one and collects every fault.
#[derive(Debug)]
pub struct Fields<'a> {
    node: NodeRef<'a>,
    type_name: &'static str,
    known: Keys,
    /// How deep the type whose fields are being read is flattened.
    flattened: usize,
    /// The number of entries read as properties.
    taken: usize,
    fault: Option<Error>,
}

impl<'a> Fields<'a> {
    /// Begins to read a node that must be a mapping. `known` are the keys that have fields.
    ///
    /// # Errors
    /// Returns [`Mismatch`](crate::error::Kind::Mismatch) if the node is not a mapping.
    pub fn open(node: NodeRef<'a>, type_name: &'static str, known: &'static [&'static str]) -> Result<Self> {
        Self::of(node, type_name, Keys { own: known, flattened: &[] })
    }

    /// Same as [`open`](Self::open), with keys of which some belong to flattened types.
    ///
    /// # Errors
    /// Returns [`Mismatch`](crate::error::Kind::Mismatch) if the node is not a mapping.
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

    /// Reads a property. Returns `None` on a fault, which [`finish`](Self::finish) reports.
    pub fn take<T: FromNode>(&mut self, key: &str) -> Option<T> {
        self.take_or(key, T::from_absent)
    }

    /// Reads a property that has a value if it is missing.
    pub fn take_or<T: FromNode>(&mut self, key: &str, absent: impl FnOnce() -> Option<T>) -> Option<T> {
        self.property(key, read, absent)
    }

    /// Reads a property whose default is created by `make` for files older than standard 1.6.0.
    ///
    /// In those, a property with that value is missing. A default of another type is ignored.
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

    /// Returns the name that a property has in this mapping: its key, or an alias.
    pub fn name_of(&mut self, key: &'static str, aliases: &[&'static str]) -> &'static str {
        let names = || std::iter::once(key).chain(aliases.iter().copied());
        let mut found = names().filter(|name| self.get(name).is_some());
        let first = found.next();
        if let (Some(first), Some(second)) = (first, found.next()) {
            let message = format!("found '{first}' and '{second}', which are names of the same property");
            let error = self.node.error(message).with_hint("remove one of them");
            self.fault(error);
        }
        first.unwrap_or(key)
    }

    /// Reads the fields of a type that is flattened into this one.
    ///
    /// This type keeps or denies unknown properties.
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

    /// Copies the properties without a field.
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

    /// Reports the properties without a field.
    pub fn deny_rest(&mut self) {
        /// Further ones are counted.
        const SHOWN: usize = 10;
        if self.flattened > 0 {
            return;
        }
        let count = self.unknown().count();
        self.deny_repeated(count);
        for (index, (key, _)) in self.unknown().take(SHOWN).enumerate() {
            let described = key.describe();
            let shown = described.trim_start_matches("the string ");
            let mut message = format!("unknown property {shown} of `{}`", self.type_name);
            let meant = key.as_str().and_then(|key| nearest(key, &self.known.all()));
            let mut hint = meant.map(|name| format!("did you mean '{name}'?")).unwrap_or_default();
            // Add this once, to the last one.
            if index + 1 == count.min(SHOWN) {
                if count > SHOWN {
                    message = format!("{message}, and {} more", count - SHOWN);
                }
                let space = if hint.is_empty() { "" } else { " " };
                hint = format!(
                    "{hint}{space}add a field `#[asdf(extra)] extra: Extra` to keep unknown properties"
                );
            }
            let error = key.error(message);
            self.fault(if hint.is_empty() { error } else { error.with_hint(hint) });
        }
    }

    /// Reports repeated properties, because only one of them would be kept.
    fn deny_repeated(&mut self, unknown: usize) {
        if self.node.len() <= self.taken + unknown {
            return;
        }
        let mut seen: Vec<NodeRef<'a>> = Vec::new();
        for (key, _) in self.node.entries() {
            let Some(name) = key.as_str().filter(|name| self.known.has(name)) else { continue };
            match seen.iter().find(|earlier| earlier.as_str() == Some(name)) {
                Some(earlier) => {
                    let line = earlier.position().map(|(line, _)| format!(" (first in line {line})"));
                    let message = format!("duplicate property '{name}'{}", line.unwrap_or_default());
                    self.fault(key.error(message));
                }
                None => seen.push(key),
            }
        }
    }

    /// Returns the error with all faults, if there are any.
    ///
    /// # Errors
    /// Returns [`Mismatch`](crate::error::Kind::Mismatch) if a property was missing, wrong, unknown or
    /// repeated.
    pub fn finish(self) -> Result<()> {
        self.fault.map_or(Ok(()), Err)
    }
}

/// Reads the items of a sequence one by one and collects every fault.
#[derive(Debug)]
pub struct Items<'a> {
    node: NodeRef<'a>,
    fault: Option<Error>,
}

impl<'a> Items<'a> {
    /// Begins to read a node that must be a sequence of `count` items.
    ///
    /// # Errors
    /// Returns [`Mismatch`](crate::error::Kind::Mismatch) if it is not.
    pub fn open(node: NodeRef<'a>, type_name: &str, count: usize) -> Result<Self> {
        if node.kind() == Kind::Sequence && node.len() == count {
            Ok(Self { node, fault: None })
        } else {
            node.fail(format!("a sequence of {count} items for `{type_name}`"))
        }
    }

    /// Reads an item. Returns `None` on a fault, which [`finish`](Self::finish) reports.
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

    /// Returns the error with all faults, if there are any.
    ///
    /// # Errors
    /// Returns [`Mismatch`](crate::error::Kind::Mismatch) if an item was wrong.
    pub fn finish(self) -> Result<()> {
        self.fault.map_or(Ok(()), Err)
    }
}

/// Returns the index of the variant of an enum, which the value of a key in a mapping names.
///
/// # Errors
/// Returns [`Mismatch`](crate::error::Kind::Mismatch) if the node is not a mapping, or the key is missing or
/// has another value.
pub fn variant(node: NodeRef<'_>, type_name: &str, key: &str, names: &[&str]) -> Result<usize> {
    if node.kind() != Kind::Mapping {
        return node.fail(format!("a mapping for `{type_name}`"));
    }
    let Some(value) = node.get(key) else {
        let message =
            format!("the required property '{key}' is missing; it selects the variant of `{type_name}`");
        return Err(node.error(message));
    };
    let found = value.as_str().and_then(|name| names.iter().position(|known| *known == name));
    found.ok_or_else(|| {
        let error = value.expected(format!("{} for `{type_name}`", alternatives(names, &[])));
        with_nearest(error, value.as_str().unwrap_or_default(), names).under(key)
    })
}

/// Creates the error for a value that could not be assembled although there was no fault.
///
/// This never happens.
#[must_use]
pub fn incomplete(node: NodeRef<'_>, type_name: &str) -> Error {
    node.expected(format!("`{type_name}`"))
}

/// Tries the variants of an enum one by one and collects the fault of each.
#[derive(Debug)]
pub struct Choice<'a> {
    node: NodeRef<'a>,
    by_tag: bool,
    faults: Vec<(&'static str, Error)>,
}

impl<'a> Choice<'a> {
    /// Begins with the node of the enum.
    ///
    /// `by_tag` is false if the tag of the node belongs to the enum itself or to a type around it. Otherwise
    /// the tag distinguishes variants.
    #[must_use]
    pub fn open(node: NodeRef<'a>, by_tag: bool) -> Self {
        Self { node, by_tag, faults: Vec::new() }
    }

    /// Reads the value of a variant if the node looks like one.
    pub fn attempt<T: FromNode>(&mut self, variant: &'static str) -> Option<T> {
        let fits = if self.by_tag { T::matches(self.node) } else { self.node.is_of(T::TYPES) };
        if fits { self.read(variant, T::from_node) } else { None }
    }

    /// Reads a variant with fields if the node is of its kind and has no tag of its own.
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

    /// Creates the error for a node that no variant could read.
    ///
    /// That is the error of the only plausible variant, or else what was found and the expected names and
    /// values.
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

/// Creates the error for a node that is neither one of these names nor one of these values.
pub(super) fn none_of(node: NodeRef<'_>, type_name: &str, names: &[&str], values: &[String]) -> Error {
    let error = node.expected(format!("{} for `{type_name}`", alternatives(names, values)));
    with_nearest(error, node.as_str().unwrap_or_default(), names)
}

/// Creates the error for a builder that lacks required fields: the names whose flag is set.
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
    Error::usage(format!("cannot build `{type_name}`: the required {names} not set"))
        .with_hint("set all required fields before `build`")
}

/// Adds the most similar name to an error.
fn with_nearest(error: Error, text: &str, names: &[&str]) -> Error {
    match nearest(text, names) {
        Some(name) => error.with_hint(format!("did you mean '{name}'?")),
        None => error,
    }
}

/// Describes what a type with a tag of its own expects.
#[must_use]
pub fn tagged(kinds: Kinds, tag: &str) -> String {
    format!("{} tagged {}", kind(kinds), tag.escape_debug())
}

/// Returns the kind of a tagged node for messages; "a value" if there are several.
pub(super) fn kind(kinds: Kinds) -> String {
    let kind = kinds.to_string();
    if kind.contains(" or ") || kind == "anything" { "a value".to_owned() } else { kind }
}

/// Describes what one of several types expects. Equal descriptions are listed once.
#[must_use]
pub fn either(values: &[String]) -> String {
    alternatives(&[], values)
}

/// Formats an error in one line, without what the outer error already says.
pub(super) fn brief(error: &Error) -> String {
    let path = error.path().filter(|path| !path.is_empty()).map(|path| format!("{path}: "));
    let more = match error.others().len() {
        0 => String::new(),
        count => format!(" (and {count} more)"),
    };
    format!("{}{}{more}", path.unwrap_or_default(), error.message())
}

/// Formats alternatives such as "'a', 'b' or a number".
fn alternatives(names: &[&str], values: &[String]) -> String {
    /// Further names are only counted.
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
    // Enums of all types that extend a base can have hundreds of alternatives.
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
    /// The properties without a field.
    rest: Vec<(NodeId, NodeId)>,
    fault: Option<Error>,
}

impl<'t> MappingWriter<'t> {
    /// Begins an empty mapping.
    #[must_use]
    pub fn new(tree: &'t mut Tree) -> Self {
        Self { tree, entries: Vec::new(), rest: Vec::new(), fault: None }
    }

    /// Writes a property unless its value is absent. [`finish`](Self::finish) reports errors.
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

    /// Runs a step unless there was a fault, and records a new fault.
    fn step(&mut self, write: impl FnOnce(&mut Self) -> Result<()>) {
        if self.fault.is_none() {
            self.fault = write(self).err();
        }
    }

    /// Records the result of a check of the value.
    pub fn require(&mut self, checked: Result<()>) {
        self.step(|_| checked);
    }

    /// Writes the fields of a type that is flattened into this one.
    pub fn flatten<T: ToFields>(&mut self, value: &T) {
        value.put(self);
    }

    /// Writes the properties without a field, after those with one.
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
    /// Returns an error if a value could not be written. Returns [`Usage`](crate::error::Kind::Usage) if an
    /// extra property has the key of a field. Otherwise same as [`Tree::graft`].
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
    fn an_unknown_property_is_reported_with_a_suggestion() {
        let tree = parse("width: 1\nheigth: 2\n7: 3\n").unwrap();
        let mut fields = Fields::open(tree.root().unwrap(), "Box", &["width", "height"]).unwrap();
        assert_eq!(fields.take::<u8>("width"), Some(1));
        fields.deny_rest();
        assert_eq!(
            fields.finish().unwrap_err().to_string(),
            "line 2, column 1: unknown property 'heigth' of `Box`\n  hint: did you mean 'height'?\n\
             line 3, column 1: unknown property the integer 7 of `Box`\n  \
             hint: add a field `#[asdf(extra)] extra: Extra` to keep unknown properties"
        );
    }

    #[test]
    fn a_million_unknown_properties_are_not_all_listed() {
        let text: String = (0..50).map(|index| format!("k{index}: 1\n")).collect();
        let tree = parse(&text).unwrap();
        let mut fields = Fields::open(tree.root().unwrap(), "Box", &["width"]).unwrap();
        fields.deny_rest();
        let error = fields.finish().unwrap_err();
        assert_eq!(error.others().len(), 9);
        assert!(error.to_string().contains("unknown property 'k9' of `Box`, and 40 more"));
    }

    #[test]
    fn a_property_that_is_given_twice_is_an_error() {
        let tree = parse("width: 1\nheight: 2\nother: 3\nother: 4\nwidth: 5\nwidth: 6\n").unwrap();
        let mut fields = Fields::open(tree.root().unwrap(), "Box", &["width", "height"]).unwrap();
        assert_eq!((fields.take::<u8>("width"), fields.take::<u8>("height")), (Some(6), Some(2)));
        // An unknown property is kept, even twice if it occurs twice.
        assert_eq!(fields.rest().map(|extra| extra.len()), Some(2));
        assert_eq!(
            fields.finish().unwrap_err().to_string(),
            "line 5, column 1: duplicate property 'width' (first in line 1)\n\
             line 6, column 1: duplicate property 'width' (first in line 1)"
        );
    }

    #[test]
    fn extra_properties_cannot_have_the_key_of_a_field() {
        let mut extra = Extra::new();
        extra.insert("a", &1).unwrap();
        let mut tree = Tree::new();
        let mut mapping = MappingWriter::new(&mut tree);
        mapping.put("a", &2);
        mapping.rest(&extra);
        assert_eq!(mapping.finish().unwrap_err().to_string(), "/a: the extra property 'a' is also a field");
    }
}
