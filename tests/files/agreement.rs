//! Generated types and schemas agree: what a schema allows reads into its type, and what a type writes or
//! reads is what its schema allows. The values are made of bytes (`asdf_schemas::sample`), and then spoilt
//! in one place. What they do not agree on stands in `agreement.yaml`, with the reasons.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use std::collections::{BTreeMap, BTreeSet};

use asdf_core::tree::tag_matches;
use asdf_core::{Asdf, FromNode, Kind, Node, NodeId, NodeRef, ToNode, Tree, yaml};
use asdf_schemas::sample::{Minimal as _, Sampler};
use asdf_schemas::{Registry, Validator, core, fits, table, time, unit, wcs};

/// How many values are made for each tag, how many of each are spoilt, and how many get another tag within.
const VALUES: u64 = 24;
const SPOILT: u64 = 12;
const RETAGGED: u64 = 6;

/// Makes any value of a type, written as a node; `None` where none is found.
type Made = fn(&mut Sampler, &[u8]) -> Option<Result<Node, String>>;

/// A type of the standard with a tag.
struct Subject {
    name: &'static str,
    tags: Vec<&'static str>,
    /// Writes what it read.
    through: fn(NodeRef<'_>) -> Result<Node, String>,
    /// Writes a value that was made by what the type says of itself.
    made: Made,
    /// Writes the smallest value.
    smallest: fn() -> Option<Result<Node, String>>,
}

fn subject<T: Asdf + FromNode + ToNode>(name: &'static str) -> Subject {
    Subject {
        name,
        tags: std::iter::once(T::TAG).chain(T::ACCEPTS.iter().copied()).collect(),
        through: |node| {
            let value = T::from_node(node).map_err(|error| error.to_string())?;
            Node::new(&value).map_err(|error| error.to_string())
        },
        made: |sampler, bytes| {
            let value: T = sampler.of_type(bytes).unwrap()?;
            Some(Node::new(&value).map_err(|error| error.to_string()))
        },
        smallest: || T::minimal().map(|value| Node::new(&value).map_err(|error| error.to_string())),
    }
}

macro_rules! subjects {
    ($($type:ty,)*) => { vec![$(subject::<$type>(stringify!($type))),*] };
}

fn subjects() -> Vec<Subject> {
    subjects![
        core::Asdf,
        core::Column,
        core::Constant,
        core::ExtensionMetadata,
        core::ExternalArray,
        core::HistoryEntry,
        core::Software,
        core::SubclassMetadata,
        core::Table,
        core::asdf::v1_0_0::Asdf,
        fits::Fits,
        fits::fits::v1_0_0::Fits,
        table::Column,
        table::Table,
        time::Time,
        time::time::v1_0_0::Time,
        time::time::v1_1_0::Time,
        time::time::v1_2_0::Time,
        time::time::v1_3_0::Time,
        unit::Defunit,
        unit::Quantity,
        unit::Unit,
        unit::quantity::v1_1_0::Quantity,
        wcs::CelestialFrame,
        wcs::CompositeFrame,
        wcs::IcrsCoord,
        wcs::SpectralFrame,
        wcs::Step,
        wcs::Wcs,
        wcs::celestial_frame::v1_0_0::CelestialFrame,
        wcs::composite_frame::v1_0_0::CompositeFrame,
        wcs::spectral_frame::v1_0_0::SpectralFrame,
    ]
}

/// Numbers that look like any, the same every time.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb) >> 8
    }

    fn below(&mut self, count: usize) -> usize {
        usize::try_from(self.next() % count.max(1) as u64).unwrap()
    }

    fn bytes(&mut self) -> Vec<u8> {
        let length = self.below(120);
        (0..length).map(|_| self.next().to_le_bytes()[0]).collect()
    }
}

fn tree_of(node: &Node) -> Tree {
    let mut tree = Tree::new();
    let root = tree.graft(node.view()).unwrap();
    tree.set_root(root);
    tree
}

/// A disagreement that is known.
struct Known {
    r#type: String,
    change: String,
    says: String,
    used: std::cell::Cell<bool>,
}

fn known() -> Vec<Known> {
    let tree = yaml::parse(include_str!("agreement.yaml")).unwrap();
    let text =
        |node: NodeRef<'_>, key: &str| node.get(key).and_then(|text| text.as_str()).unwrap().to_owned();
    let entries = tree.root().into_iter().flat_map(|root| root.items());
    entries
        .map(|node| {
            assert!(!text(node, "why").is_empty());
            let (r#type, change, says) = (text(node, "type"), text(node, "change"), text(node, "says"));
            Known { r#type, change, says, used: false.into() }
        })
        .collect()
}

#[test]
fn the_list_of_types_is_whole() {
    let report = include_str!("../../asdf-schemas/generated/report.md");
    let with_tags: BTreeSet<&str> = report
        .lines()
        .filter_map(|line| line.strip_prefix("- `")?.split_once("`: tag:"))
        .map(|(name, _)| name)
        // Written by hand.
        .chain(["unit::Unit"])
        .collect();
    let tried: Vec<String> = subjects().iter().map(|subject| subject.name.replace(' ', "")).collect();
    assert_eq!(tried.iter().map(String::as_str).collect::<BTreeSet<_>>(), with_tags);
}

/// Without its tag no schema would be asked about the value.
#[test]
fn values_that_are_made_have_the_tag_of_their_type() {
    let validator = Validator::standard();
    let mut sampler = Sampler::standard();
    for subject in subjects() {
        let name = subject.name;
        let node = (subject.smallest)().unwrap_or_else(|| panic!("no {name}")).unwrap();
        assert_eq!(node.view().own_tag(), Some(subject.tags[0]), "{name}");
        let report = validator.validate_tree(&tree_of(&node));
        assert!(report.is_valid(), "{name}: {:?}", report.violations());
        // What contradicts itself is not written.
        for made in (0..9).filter_map(|byte| (subject.made)(&mut sampler, &[byte; 40])?.ok()) {
            assert_eq!(made.view().own_tag(), Some(subject.tags[0]), "{name}");
        }
    }
}

#[test]
fn types_and_schemas_agree() {
    let registry = Registry::standard();
    let validator = Validator::new(registry.clone());
    let mut sampler = Sampler::standard();
    let known = known();
    let (mut valid, mut spoilt, mut made) = (0, 0, 0);
    let mut found: BTreeMap<(String, String, String), String> = BTreeMap::new();
    for subject in subjects() {
        // Each with numbers of its own, so that more of the one are no others of the other.
        let (mut numbers, mut tags_numbers) = (Numbers(7), Numbers(8));
        let mut tell = |change: &str, says: &str, detail: String| {
            let fits = |pattern: &str, text: &str| tag_matches(pattern, text);
            let reason = known.iter().find(|known| {
                fits(&known.r#type, subject.name) && fits(&known.change, change) && says.contains(&known.says)
            });
            match reason {
                Some(known) => known.used.set(true),
                None => {
                    found
                        .entry((subject.name.to_owned(), change.to_owned(), says.to_owned()))
                        .or_insert(detail);
                }
            }
        };
        let accepted = |tag: &&str| subject.tags.iter().any(|pattern| tag_matches(pattern, tag));
        let tags: Vec<&str> = registry.tags().into_iter().filter(accepted).collect();
        for tag in tags {
            for _ in 0..VALUES {
                let Some(node) = sampler.of_tag(tag, &numbers.bytes()).unwrap() else { continue };
                valid += 1;
                match (subject.through)(node.view()) {
                    Err(error) => tell("none", &format!("the type refuses: {error}"), shown(&node)),
                    Ok(written) => {
                        let report = validator.validate_tree(&tree_of(&written));
                        if let Some(violation) = report.violations().first() {
                            tell(
                                "none",
                                &format!("written, the schema refuses: {violation}"),
                                shown(&written),
                            );
                        }
                    }
                }
                let spoils = (0..SPOILT).map(|_| spoil(&node, &mut numbers));
                let retags = (0..RETAGGED).map(|_| retag(&node, &mut tags_numbers));
                for (change, node) in spoils.chain(retags).flatten() {
                    spoilt += 1;
                    let report = validator.validate_tree(&tree_of(&node));
                    match ((subject.through)(node.view()), report.violations().first()) {
                        (Ok(_), Some(violation)) => {
                            tell(
                                &change,
                                &format!("the schema refuses: {}", violation.message()),
                                shown(&node),
                            );
                        }
                        (Err(error), None) => {
                            tell(&change, &format!("the type refuses: {error}"), shown(&node));
                        }
                        _ => {}
                    }
                }
            }
        }
        for _ in 0..VALUES {
            let Some(node) = (subject.made)(&mut sampler, &numbers.bytes()) else { continue };
            made += 1;
            let node = match node {
                Ok(node) => node,
                Err(error) => {
                    tell("made", &format!("cannot be written: {error}"), String::new());
                    continue;
                }
            };
            let report = validator.validate_tree(&tree_of(&node));
            if let Some(violation) = report.violations().first() {
                tell("made", &format!("the schema refuses: {}", violation.message()), shown(&node));
            }
        }
    }
    assert!(valid > 400 && spoilt > 4000 && made > 300, "only {valid} valid, {spoilt} spoilt, {made} made");
    let found: Vec<String> = found
        .into_iter()
        .map(|((name, change, says), detail)| format!("{name}, {change}: {says}\n{detail}"))
        .collect();
    let unused: Vec<String> = known
        .iter()
        .filter(|known| !known.used.get())
        .map(|known| format!("{} {} {}", known.r#type, known.change, known.says))
        .collect();
    assert!(
        found.is_empty() && unused.is_empty(),
        "{} disagreements of {valid} valid and {spoilt} spoilt values:\n{}\nno longer needed in agreement.yaml: {unused:?}",
        found.len(),
        found.join("\n")
    );
}

fn shown(node: &Node) -> String {
    let options = yaml::EmitOptions { directives: false, ..Default::default() };
    yaml::emit(node.tree(), options).unwrap_or_default()
}

/// A copy that is different in one place, and what was done to it.
fn spoil(node: &Node, numbers: &mut Numbers) -> Option<(String, Node)> {
    let mut copy = Node::copy(node.view()).ok()?;
    let ids: Vec<NodeId> = copy.view().walk().map(|node| node.id()).collect();
    let id = *ids.get(numbers.below(ids.len()))?;
    let tree = copy.tree_mut();
    let there = tree.node(id);
    let kind = there.kind();
    let keys: Vec<String> = there.entries().filter_map(|(key, _)| key.as_str()).map(str::to_owned).collect();
    let change = match (numbers.below(4), kind) {
        (0, Kind::Mapping) if !keys.is_empty() => {
            let key = keys[numbers.below(keys.len())].clone();
            tree.remove(id, &key);
            format!("without {key}")
        }
        (1, Kind::Mapping) => {
            let value = tree.add_int(1);
            tree.insert(id, "unheard_of", value);
            "with an unknown key".to_owned()
        }
        (_, Kind::Mapping) if !keys.is_empty() => {
            let key = keys[numbers.below(keys.len())].clone();
            let (what, value) = other(tree, numbers);
            tree.insert(id, &key, value);
            format!("{key} is {what}")
        }
        (_, Kind::Sequence) => {
            let (what, value) = other(tree, numbers);
            tree.push(id, value);
            format!("a list with {what}")
        }
        _ => return None,
    };
    Some((change, copy))
}

/// A copy in which a node below the root has another tag, and which one.
fn retag(node: &Node, numbers: &mut Numbers) -> Option<(String, Node)> {
    let mut copy = Node::copy(node.view()).ok()?;
    let tagged = copy.view().walk().skip(1).filter_map(|node| Some((node.id(), node.own_tag()?.to_owned())));
    let tagged: Vec<(NodeId, String)> = tagged.collect();
    let (id, own) = tagged.get(numbers.below(tagged.len()))?;
    let family = own.rsplit_once('-').map_or(own.as_str(), |(family, _)| family);
    let (what, tag) = match numbers.below(4) {
        0 => ("a later tag", format!("{family}-1.99.0")),
        1 => ("a foreign tag, of the next major version", format!("{family}-2.0.0")),
        2 => ("a foreign tag, of another type", "tag:stsci.edu:asdf/core/complex-1.0.0".to_owned()),
        _ => ("a foreign tag, unheard of", "tag:nowhere.org:thing-1.0.0".to_owned()),
    };
    copy.tree_mut().set_tag(*id, Some(&tag));
    Some((what.to_owned(), copy))
}

fn other(tree: &mut Tree, numbers: &mut Numbers) -> (&'static str, NodeId) {
    match numbers.below(9) {
        0 => ("null", tree.add_null()),
        1 => ("an integer", tree.add_int(-1)),
        2 => ("a large integer", tree.add_int(100_000)),
        3 => ("a float", tree.add_float(0.5)),
        4 => ("a boolean", tree.add_bool(true)),
        5 => ("an empty string", tree.add_str("")),
        6 => ("a text", tree.add_str("no such thing")),
        7 => ("an empty list", tree.add_sequence([])),
        _ => ("an empty mapping", tree.add_mapping([])),
    }
}

/// The bytes are what is said of them: the same ones give the same value, and less of them a smaller one.
#[test]
fn bytes_decide() {
    let mut sampler = Sampler::standard();
    let tag = "tag:stsci.edu:asdf/core/software-1.0.0";
    let mut numbers = Numbers(1);
    for _ in 0..20 {
        let bytes = numbers.bytes();
        let one = sampler.of_tag(tag, &bytes).unwrap();
        assert_eq!(one, sampler.of_tag(tag, &bytes).unwrap());
        let size = |node: Option<Node>| node.map_or(0, |node| node.view().walk().count());
        assert!(size(sampler.of_tag(tag, &[]).unwrap()) <= size(one));
    }
}
