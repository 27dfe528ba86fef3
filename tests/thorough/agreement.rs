//! Checks that generated types and schemas agree: a type reads exactly the values that its schema allows, and writes only
//! such values.
//!
//! The values are made from bytes (`asdf_schemas::sample`), and then changed in one place to make them invalid.
//! `agreement.yaml` lists known disagreements with reasons; `agreement-transform.yaml` lists those of transforms, which are
//! compared with the feature `transform`.
//!
//! proptest makes the bytes, and shrinks those of a disagreement. They are the same each time, unless
//! `ASDF_AGREEMENT_CASES` sets another number of cases.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::sync::Arc;

use asdf_core::file::Version;
use asdf_core::tree::{Kind, tag_matches};
use asdf_core::{Asdf, FromNode, Node, NodeId, NodeRef, ToNode, Tree, yaml};
use asdf_schemas::sample::{Minimal as _, Sampler};
use asdf_schemas::{Registry, Validator, basic, export, fits, table, time, unit, wcs};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};

/// The numbers of values for each tag, of invalid copies of each, and of copies with another tag inside.
const VALUES: u32 = 24;
/// The number of values for each tag of a transform. There are many more transforms than types of the standard. The list
/// was written with 16 values, which take several minutes.
#[cfg(feature = "transform")]
const VALUES_OF_TRANSFORMS: u32 = 4;
/// The maximum number of steps that make a disagreement smaller.
const SHRINKS: u32 = 100;
const SPOILT: usize = 12;
const RETAGGED: usize = 6;

/// Makes a value of a type and writes it as a node; `None` if no value is found.
type Made = fn(&mut Sampler, &[u8]) -> Option<Result<Node, String>>;

/// A type of the standard with a tag.
struct Subject {
    name: String,
    tags: Vec<&'static str>,
    /// Reads a node into the type and writes it again.
    through: fn(NodeRef<'_>) -> Result<Node, String>,
    /// Writes a value that was made from the description of the type.
    made: Made,
    /// Exports the schema of the type, with an id.
    exported: fn(&str) -> asdf_core::Result<String>,
    /// Writes the smallest value.
    smallest: fn() -> Option<Result<Node, String>>,
}

fn subject<T: Asdf + FromNode + ToNode>(name: &str) -> Subject {
    Subject {
        name: name.split_whitespace().collect(),
        tags: std::iter::once(T::TAG).chain(T::ACCEPTS.iter().copied()).collect(),
        through: |node| {
            let value = T::from_node(node).map_err(|error| error.to_string())?;
            Node::new(&value).map_err(|error| error.to_string())
        },
        made: |sampler, bytes| {
            let value: T = sampler.sample_type(bytes).unwrap()?;
            Some(Node::new(&value).map_err(|error| error.to_string()))
        },
        exported: export::schema::<T>,
        smallest: || T::minimal().map(|value| Node::new(&value).map_err(|error| error.to_string())),
    }
}

macro_rules! subjects {
    ($($type:ty,)*) => { vec![$(subject::<$type>(stringify!($type))),*] };
}

fn subjects() -> Vec<Subject> {
    asdf_tests::standard_types!(subjects)
}

#[cfg(feature = "transform")]
fn transforms() -> Vec<Subject> {
    use asdf_schemas::transform;
    asdf_tests::transform_types!(subjects)
}

/// Bytes that make choices. After the last byte, the smallest choice is made.
struct Choices<'a>(std::slice::Iter<'a, u8>);

impl Choices<'_> {
    fn below(&mut self, count: usize) -> usize {
        let mut next = || usize::from(self.0.next().copied().unwrap_or(0));
        (next() * 256 + next()) % count.max(1)
    }
}

/// The bytes that choose a value, its invalid copies, and its copies with other tags.
type Case = (Vec<u8>, Vec<[u8; 8]>, Vec<[u8; 4]>);

fn cases() -> impl Strategy<Value = Case> {
    (vec(any::<u8>(), 0..120), vec(any::<[u8; 8]>(), 0..=2 * SPOILT), vec(any::<[u8; 4]>(), 0..=2 * RETAGGED))
}

/// Returns the number of cases, if it differs from that for which `agreement.yaml` was written.
fn chosen() -> Option<u32> {
    std::env::var("ASDF_AGREEMENT_CASES").ok().map(|number| number.parse().unwrap())
}

fn runner(values: u32) -> TestRunner {
    let config = Config { failure_persistence: None, max_shrink_iters: SHRINKS, ..Config::default() };
    if let Some(cases) = chosen() {
        return TestRunner::new(Config { cases, ..config });
    }
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    TestRunner::new_with_rng(Config { cases: values, ..config }, rng)
}

/// Tests a property on cases. Returns the smallest case that violates it, and the reason.
fn disagreement<S: Strategy>(
    values: u32,
    strategy: &S,
    property: impl Fn(S::Value) -> Result<(), TestCaseError>,
) -> Option<String> {
    match runner(values).run(strategy, property) {
        Ok(()) => None,
        Err(TestError::Fail(reason, _)) => Some(reason.message().to_owned()),
        Err(TestError::Abort(reason)) => Some(format!("aborted: {}", reason.message())),
    }
}

fn tree_of(node: &Node) -> Tree {
    let mut tree = Tree::new();
    let root = tree.graft(node.view()).unwrap();
    tree.set_root(root);
    tree
}

/// A known disagreement.
struct Known {
    r#type: String,
    change: String,
    says: String,
    /// Whether the disagreement is not found with all numbers of cases.
    rare: bool,
    used: Cell<bool>,
}

/// Reads a list of disagreements.
fn known(list: &str) -> Vec<Known> {
    let tree = yaml::parse(list).unwrap();
    let text =
        |node: NodeRef<'_>, key: &str| node.get(key).and_then(|text| text.as_str()).unwrap().to_owned();
    let entries = tree.root().into_iter().flat_map(|root| root.items());
    entries
        .map(|node| {
            assert!(!text(node, "why").is_empty());
            let (r#type, change, says) = (text(node, "type"), text(node, "change"), text(node, "says"));
            let rare = node.get("rare").and_then(NodeRef::as_bool) == Some(true);
            Known { r#type, change, says, rare, used: false.into() }
        })
        .collect()
}

/// Returns the types in a report that have tags.
fn with_tags(report: &str, module: &str) -> BTreeSet<String> {
    let types = report.lines().filter_map(|line| line.strip_prefix("- `")?.split_once("`: tag:"));
    types.map(|(name, _)| format!("{module}{name}")).collect()
}

fn names(subjects: &[Subject]) -> BTreeSet<String> {
    subjects.iter().map(|subject| subject.name.clone()).collect()
}

#[test]
fn the_list_of_types_is_complete() {
    let mut expected = with_tags(include_str!("../../asdf-schemas/generated/report.md"), "");
    // This type is written by hand.
    expected.insert("unit::Unit".to_owned());
    assert_eq!(names(&subjects()), expected);
}

#[cfg(feature = "transform")]
#[test]
fn the_list_of_transforms_is_complete() {
    let report = include_str!("../../asdf-schemas/generated/transform/report.md");
    assert_eq!(names(&transforms()), with_tags(report, "transform::"));
}

#[test]
fn made_values_have_the_tag_of_their_type() {
    made_with_tags(subjects(), &known(include_str!("agreement.yaml")), 9);
}

#[cfg(feature = "transform")]
#[test]
fn made_transforms_have_the_tag_of_their_type() {
    made_with_tags(transforms(), &known(include_str!("agreement-transform.yaml")), 2);
}

/// Without its tag, the value would not be validated by any schema.
fn made_with_tags(subjects: Vec<Subject>, known: &[Known], count: u8) {
    let validator = Validator::standard();
    let mut sampler = Sampler::standard();
    for subject in subjects {
        let name = &subject.name;
        let node = (subject.smallest)().unwrap_or_else(|| panic!("no {name}")).unwrap();
        assert_eq!(node.view().own_tag(), Some(subject.tags[0]), "{name}");
        let report = validator.validate_tree(&tree_of(&node));
        for violation in report.violations() {
            assert!(reason(known, name, "made", violation.message()).is_some(), "{name}: {violation}");
        }
        // Values that contradict themselves cannot be written.
        for made in (0..count).filter_map(|byte| (subject.made)(&mut sampler, &[byte; 40])?.ok()) {
            assert_eq!(made.view().own_tag(), Some(subject.tags[0]), "{name}");
        }
    }
}

/// The test of one type.
struct Trial<'a> {
    subject: &'a Subject,
    validator: &'a Validator,
    sampler: &'a RefCell<Sampler>,
    known: &'a [Known],
    counts: &'a [Cell<u32>; 3],
}

/// Returns the known disagreement that matches, if any.
fn reason<'k>(known: &'k [Known], subject: &str, change: &str, says: &str) -> Option<&'k Known> {
    known.iter().find(|known| {
        tag_matches(&known.r#type, subject)
            && tag_matches(&known.change, change)
            && says.contains(&known.says)
    })
}

impl Trial<'_> {
    /// Reports that type and schema disagree, unless that is known.
    fn report(&self, change: &str, says: &str, node: Option<&Node>) -> Result<(), TestCaseError> {
        let subject = &self.subject.name;
        match reason(self.known, subject, change, says) {
            Some(known) => known.used.set(true),
            None => {
                let value = node.map(shown).unwrap_or_default();
                return Err(TestCaseError::fail(format!("{subject}, {change}: {says}\n{value}")));
            }
        }
        Ok(())
    }

    fn count(&self, which: usize) {
        self.counts[which].set(self.counts[which].get() + 1);
    }

    /// Checks that the type reads a value that the schemas allow and writes a valid value, and that both refuse invalid
    /// copies.
    fn of_tag(&self, tag: &str, (bytes, spoils, retags): Case) -> Result<(), TestCaseError> {
        let Some(node) = self.sampler.borrow_mut().sample_tag(tag, &bytes).unwrap() else { return Ok(()) };
        self.count(0);
        match (self.subject.through)(node.view()) {
            Err(error) => self.report("none", &format!("the type refuses: {error}"), Some(&node))?,
            Ok(written) => {
                let report = self.validator.validate_tree(&tree_of(&written));
                if let Some(violation) = report.violations().first() {
                    let says = format!("written, the schema refuses: {violation}");
                    self.report("none", &says, Some(&written))?;
                }
            }
        }
        let spoils = spoils.iter().map(|bytes| spoil(&node, &mut Choices(bytes.iter())));
        let retags = retags.iter().map(|bytes| retag(&node, &mut Choices(bytes.iter())));
        for (change, node) in spoils.chain(retags).flatten() {
            self.count(1);
            let report = self.validator.validate_tree(&tree_of(&node));
            match ((self.subject.through)(node.view()), report.violations().first()) {
                (Ok(_), Some(violation)) => {
                    self.report(
                        &change,
                        &format!("the schema refuses: {}", violation.message()),
                        Some(&node),
                    )?;
                }
                (Err(error), None) => {
                    self.report(&change, &format!("the type refuses: {error}"), Some(&node))?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Checks that the type reads a value that the exported schema allows and writes a valid value.
    fn of_schema(&self, id: &str, bytes: &[u8]) -> Result<(), TestCaseError> {
        let Some(node) = self.sampler.borrow_mut().sample_schema(id, bytes).unwrap() else { return Ok(()) };
        self.count(0);
        let written = match (self.subject.through)(node.view()) {
            Ok(written) => tree_of(&written),
            Err(error) => return self.report("exported", &format!("the type refuses: {error}"), Some(&node)),
        };
        let own = self.validator.validate_node(written.root().unwrap(), id).unwrap();
        let within = self.validator.validate_tree(&written);
        match own.violations().first().or(within.violations().first()) {
            Some(violation) => {
                let says = format!("written, the schema refuses: {}", violation.message());
                self.report("exported", &says, Some(&node))
            }
            None => Ok(()),
        }
    }

    /// Checks that a value made from the description of the type can be written, and that the schemas allow it.
    fn of_type(&self, bytes: &[u8]) -> Result<(), TestCaseError> {
        let Some(node) = (self.subject.made)(&mut self.sampler.borrow_mut(), bytes) else { return Ok(()) };
        self.count(2);
        let node = match node {
            Ok(node) => node,
            Err(error) => return self.report("made", &format!("cannot be written: {error}"), None),
        };
        let report = self.validator.validate_tree(&tree_of(&node));
        match report.violations().first() {
            Some(violation) => {
                self.report("made", &format!("the schema refuses: {}", violation.message()), Some(&node))
            }
            None => Ok(()),
        }
    }
}

/// Marks all disagreements as rare, for tests that do not find all of them.
fn rare(known: Vec<Known>) -> Vec<Known> {
    known.into_iter().map(|known| Known { rare: true, ..known }).collect()
}

#[test]
fn types_and_schemas_agree() {
    let known = known(include_str!("agreement.yaml"));
    let counts = agree(&subjects(), VALUES, &known);
    let [valid, spoilt, made] = counts;
    assert!(valid > 400 && spoilt > 4000 && made > 300, "only {valid} valid, {spoilt} spoilt, {made} made");
}

#[cfg(feature = "transform")]
#[test]
fn transforms_and_schemas_agree() {
    let mut known = known(include_str!("agreement-transform.yaml"));
    known.extend(rare(self::known(include_str!("agreement.yaml"))));
    let counts = agree(&transforms(), VALUES_OF_TRANSFORMS, &known);
    let [valid, spoilt, made] = counts;
    assert!(valid > 400 && spoilt > 4000 && made > 300, "only {valid} valid, {spoilt} spoilt, {made} made");
}

/// The schema of `add-1.3.0` allows only `quantity-1.2.0` in a bounding box, which is not the newest version.
#[cfg(feature = "transform")]
#[test]
fn a_new_quantity_fits_if_the_schema_requires_an_older_tag() {
    use asdf_core::value::KeptTag;
    use asdf_schemas::transform::{Add, TransformBoundingBox, property::Bound};

    let quantity =
        |value: f64| unit::Quantity::new(unit::QuantityValue::Number(value.into()), "pix".parse().unwrap());
    let with = |tag: KeptTag| {
        let mut upper = quantity(1.5);
        upper.tag = tag;
        let mut add = Add::new(Vec::new());
        let bounds = (Bound::Quantity(quantity(0.5)), Bound::Quantity(upper));
        add.base.bounding_box = Some(TransformBoundingBox::Interval(bounds));
        Node::new(&add).unwrap()
    };
    let node = with(KeptTag::Newest);
    let upper = node.view().get("bounding_box").and_then(|bounds| bounds.item(1)).unwrap();
    assert_eq!(upper.own_tag(), Some("tag:stsci.edu:asdf/unit/quantity-1.2.0"));
    let report = Validator::standard().validate_tree(&tree_of(&node));
    assert!(report.is_valid(), "{:?}", report.violations());
}

/// Compares types with their schemas. Returns the numbers of valid values, of invalid copies, and of values that were made
/// from the descriptions of the types.
fn agree(subjects: &[Subject], values: u32, known: &[Known]) -> [u32; 3] {
    let registry = Registry::standard();
    let validator = Validator::new(registry.clone());
    let sampler = RefCell::new(Sampler::standard());
    let counts = Default::default();
    let mut found = Vec::new();
    for subject in subjects {
        let trial = Trial { subject, validator: &validator, sampler: &sampler, known, counts: &counts };
        let accepted = |tag: &&str| subject.tags.iter().any(|pattern| tag_matches(pattern, tag));
        for tag in registry.tags().into_iter().filter(accepted) {
            found.extend(disagreement(values, &cases(), |case| trial.of_tag(tag, case)));
        }
        found.extend(disagreement(values, &vec(any::<u8>(), 0..120), |bytes| trial.of_type(&bytes)));
    }
    finish(found, known, counts)
}

/// Fails for unknown disagreements, and for known ones that were not found.
fn finish(found: Vec<String>, known: &[Known], counts: [Cell<u32>; 3]) -> [u32; 3] {
    let unused: Vec<String> = known
        .iter()
        .filter(|known| !known.used.get() && !known.rare && chosen().is_none())
        .map(|known| format!("{} {} {}", known.r#type, known.change, known.says))
        .collect();
    let counts = counts.map(Cell::into_inner);
    let [valid, spoilt, _] = counts;
    assert!(
        found.is_empty() && unused.is_empty(),
        "{} disagreements of {valid} valid and {spoilt} spoilt values:\n{}\nno longer needed in the list: {unused:?}",
        found.len(),
        found.join("\n")
    );
    counts
}

/// A type reads the values that its exported schema allows, and writes only such values.
#[test]
fn types_and_their_exported_schemas_agree() {
    const ID: &str = "asdf://example.org/exported/schemas/value-1.0.0";
    let known = rare(known(include_str!("agreement.yaml")));
    let counts = Default::default();
    let mut found = Vec::new();
    for subject in &subjects() {
        let mut registry = Registry::new();
        registry.add_schema(&(subject.exported)(ID).unwrap()).unwrap();
        let registry = Arc::new(registry);
        let validator = Validator::new(registry.clone());
        let sampler = RefCell::new(Sampler::new(registry, Version::new(1, 6, 0)).unwrap());
        let trial =
            Trial { subject, validator: &validator, sampler: &sampler, known: &known, counts: &counts };
        found.extend(disagreement(VALUES, &vec(any::<u8>(), 0..120), |bytes| trial.of_schema(ID, &bytes)));
    }
    let [valid, ..] = finish(found, &known, counts);
    assert!(valid > 400, "only {valid} valid");
}

fn shown(node: &Node) -> String {
    let options = yaml::EmitOptions::new().directives(false);
    yaml::emit(node.tree(), options).unwrap_or_default()
}

/// Returns a copy that differs in one place, and a description of the change.
fn spoil(node: &Node, choices: &mut Choices<'_>) -> Option<(String, Node)> {
    let mut copy = Node::from_ref(node.view()).ok()?;
    let ids: Vec<NodeId> = copy.view().walk().map(|node| node.id()).collect();
    let id = *ids.get(choices.below(ids.len()))?;
    let tree = copy.tree_mut();
    let there = tree.node(id);
    let kind = there.kind();
    let keys: Vec<String> = there.entries().filter_map(|(key, _)| key.as_str()).map(str::to_owned).collect();
    let change = match (choices.below(4), kind) {
        (0, Kind::Mapping) if !keys.is_empty() => {
            let key = keys[choices.below(keys.len())].clone();
            tree.remove(id, &key);
            format!("without {key}")
        }
        (1, Kind::Mapping) => {
            let value = tree.add_int(1);
            tree.insert(id, "unheard_of", value);
            "with an unknown key".to_owned()
        }
        (_, Kind::Mapping) if !keys.is_empty() => {
            let key = keys[choices.below(keys.len())].clone();
            let (what, value) = other(tree, choices);
            tree.insert(id, &key, value);
            format!("{key} is {what}")
        }
        (_, Kind::Sequence) => {
            let (what, value) = other(tree, choices);
            tree.push(id, value);
            format!("a list with {what}")
        }
        _ => return None,
    };
    Some((change, copy))
}

/// Returns a copy in which a node below the root has another tag, and a description of the change.
fn retag(node: &Node, choices: &mut Choices<'_>) -> Option<(String, Node)> {
    let mut copy = Node::from_ref(node.view()).ok()?;
    let tagged = copy.view().walk().skip(1).filter_map(|node| Some((node.id(), node.own_tag()?.to_owned())));
    let tagged: Vec<(NodeId, String)> = tagged.collect();
    let (id, own) = tagged.get(choices.below(tagged.len()))?;
    let family = own.rsplit_once('-').map_or(own.as_str(), |(family, _)| family);
    let (what, tag) = match choices.below(4) {
        0 => ("a later tag", format!("{family}-1.99.0")),
        1 => ("a foreign tag, of the next major version", format!("{family}-2.0.0")),
        2 => ("a foreign tag, of another type", "tag:stsci.edu:asdf/core/complex-1.0.0".to_owned()),
        _ => ("a foreign tag, unheard of", "tag:nowhere.org:thing-1.0.0".to_owned()),
    };
    copy.tree_mut().set_tag(*id, Some(&tag));
    Some((what.to_owned(), copy))
}

fn other(tree: &mut Tree, choices: &mut Choices<'_>) -> (&'static str, NodeId) {
    match choices.below(9) {
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

proptest! {
    /// The same bytes always make the same value, and fewer bytes make a smaller one.
    #[test]
    fn bytes_decide(bytes in vec(any::<u8>(), 0..120)) {
        let mut sampler = Sampler::standard();
        let tag = "tag:stsci.edu:asdf/core/software-1.0.0";
        let one = sampler.sample_tag(tag, &bytes).unwrap();
        prop_assert_eq!(&one, &sampler.sample_tag(tag, &bytes).unwrap());
        let size = |node: Option<Node>| node.map_or(0, |node| node.view().walk().count());
        prop_assert!(size(sampler.sample_tag(tag, &[]).unwrap()) <= size(one));
    }
}
