//! The validator.

mod rules;

use std::collections::{BTreeSet, HashMap};
use std::ops::ControlFlow;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::Duration;

use asdf_core::tree::{NodeId, NodeRef, Path};
use asdf_core::{File, Result, Tree};
use serde_json::Value;

use super::check::{OwnCheck, OwnKeyword};
use super::engine::{Engine, Unusable};
use super::{Code, Findings, Report, Violation, blocks, external, subset};
use crate::expansion::{self, Expansion};
use crate::{Defaults, Registry};

use rules::{Rules, hold};

/// Validates trees and files against the schemas of a [`Registry`].
///
/// A schema is compiled when its tag is first found, and kept. Use one validator for many files and threads.
///
/// # Examples
///
/// ```
/// use asdf_core::File;
/// use asdf_schemas::Validator;
///
/// let text = "#ASDF 1.0.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n\
///             exposure: !unit/quantity-1.1.0 {value: 5.0, unti: s}\n...\n";
/// let report = Validator::standard().validate_file(&File::from_bytes(text)?);
/// let violation = &report.violations()[0];
/// assert_eq!(violation.to_string(), "5:32: /exposure: the required property 'unit' is missing");
/// assert_eq!(violation.hint(), Some(&"did you mean 'unit' instead of 'unti'?".into()));
/// # Ok::<(), asdf_core::Error>(())
/// ```
///
/// A keyword of the program's own, and a check of all nodes with a tag:
///
/// ```
/// use asdf_core::yaml;
/// use asdf_schemas::{Registry, Validator};
///
/// let validator = Validator::new(Registry::standard())
///     .with_keyword("even", |value, node| {
///         let odd = node.as_i64().is_some_and(|number| number % 2 != 0);
///         (value == true && odd).then(|| "found an odd number".to_owned())
///     })
///     .with_check("tag:stsci.edu:asdf/core/software-*", |node| {
///         node.at("/name")?.as_str().filter(|name| !name.is_empty()).map(|_| ()).ok_or_else(|| node.expected("a name"))
///     });
/// let tree = yaml::parse("%TAG ! tag:stsci.edu:asdf/\n--- {a: !core/software-1.0.0 {name: '', version: '1'}}")?;
/// let report = validator.validate_tree(&tree);
/// assert_eq!(report.violations()[0].code().id(), "ASDF-S029");
/// assert_eq!(report.violations()[0].path().as_str(), "/a");
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[derive(Debug)]
#[doc(alias = "validate")]
#[doc(alias = "custom_schema")]
#[doc(alias = "load_schema")]
#[doc(alias = "check_schema")]
pub struct Validator {
    registry: Arc<Registry>,
    defaults: Defaults,
    engines: Mutex<HashMap<String, Compiled>>,
    schema: Option<String>,
    keywords: Arc<[OwnKeyword]>,
    checks: Vec<OwnCheck>,
    blocks: bool,
    max_expanded: u64,
    max_time: Option<Duration>,
    max_findings: usize,
}

/// A compiled schema, or the reason why it cannot be compiled.
pub(super) type Compiled = std::result::Result<Arc<Engine>, Arc<Unusable>>;

/// The default maximum number of nodes below a tagged node, with its aliases expanded.
const MOST_EXPANDED: u64 = 10_000_000;

/// The maximum depth of a tagged node, since validation is recursive. It is also the default depth limit for reading.
const MOST_LEVELS: u32 = 512;

impl Validator {
    /// Makes a validator with the schemas of a registry.
    #[must_use]
    pub fn new(registry: Arc<Registry>) -> Self {
        Self {
            defaults: Defaults::new(registry.clone()),
            registry,
            engines: Mutex::default(),
            schema: None,
            keywords: Arc::new([]),
            checks: Vec::new(),
            blocks: true,
            max_expanded: MOST_EXPANDED,
            max_time: None,
            max_findings: usize::MAX,
        }
    }

    /// Also validates the root of every tree against the schema with this id.
    ///
    /// Tagged nodes are validated against the schemas of their tags as before.
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use asdf_core::yaml;
    /// use asdf_schemas::{Registry, Validator};
    ///
    /// let mut registry = Registry::new();
    /// registry.add_schema("{id: 'asdf://example.org/archive', required: [target]}")?;
    /// let validator = Validator::new(Arc::new(registry)).with_schema("asdf://example.org/archive")?;
    /// let report = validator.validate_tree(&yaml::parse("{filter: F106}")?);
    /// assert_eq!(report.violations()[0].to_string(), "1:1: /: the required property 'target' is missing");
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Usage`](asdf_core::error::Kind::Usage) if the schema does not exist or cannot be used.
    #[doc(alias = "custom_schema")]
    pub fn with_schema(mut self, id: &str) -> Result<Self> {
        self.engine(id).map_err(|why| why.error())?;
        self.schema = Some(id.to_owned());
        Ok(self)
    }

    /// Adds a keyword for schemas, or replaces one.
    ///
    /// `holds` gets the value of the keyword in the schema, and a node. It returns a message if the node is not valid.
    /// The violation has the code [`Keyword`](super::Code::Keyword).
    ///
    /// The keyword applies to nodes of all kinds, but not to keys. It is ignored if its value in the schema has no JSON
    /// representation, such as infinity.
    #[must_use]
    pub fn with_keyword(
        mut self,
        name: impl Into<String>,
        holds: impl Fn(&Value, NodeRef<'_>) -> Option<String> + Send + Sync + 'static,
    ) -> Self {
        let keyword = OwnKeyword { name: name.into(), holds: Arc::new(holds) };
        self.keywords = self.keywords.iter().cloned().chain([keyword]).collect();
        self.engines = Mutex::default();
        self
    }

    /// Adds a check of every node whose tag matches a pattern, for example reading it into a type.
    ///
    /// In a pattern, `*` matches anything but `/`, and `**` matches anything. The path of the error is relative to the
    /// node. The error and its [others](asdf_core::Error::others) become violations with the code
    /// [`Check`](super::Code::Check).
    #[must_use]
    pub fn with_check(
        mut self,
        pattern: impl Into<String>,
        check: impl Fn(NodeRef<'_>) -> Result<()> + Send + Sync + 'static,
    ) -> Self {
        self.checks.push(OwnCheck { pattern: pattern.into(), check: Arc::new(check) });
        self
    }

    /// Does not check the blocks of files: computes no checksums and decodes no data.
    ///
    /// The block headers of arrays are still read.
    #[must_use]
    pub fn without_blocks(mut self) -> Self {
        self.blocks = false;
        self
    }

    /// Sets the maximum time for one tree or file. It is unlimited by default.
    ///
    /// After that time the rest is not checked, and there is a violation with the code
    /// [`Stopped`](super::Code::Stopped). The clock is read between nodes, between blocks, and
    /// [within blocks](asdf_core::file::FileBlock::verify_until).
    #[doc(alias = "timeout")]
    #[must_use]
    pub fn max_time(mut self, time: Duration) -> Self {
        self.max_time = Some(time);
        self
    }

    /// Sets the maximum number of findings in a [`Report`]. It is unlimited by default.
    ///
    /// Validation stops after that number, and the report is not [complete](Report::is_complete).
    #[must_use]
    pub fn max_findings(mut self, findings: usize) -> Self {
        self.max_findings = findings;
        self
    }

    /// Sets the maximum number of nodes below a tagged node, with aliases expanded.
    ///
    /// The default is 10,000,000.
    ///
    /// Validation follows every alias, so a small file can take very long. A node with more nodes, or with more than 512
    /// levels, is not validated, and is a violation with the code [`Limit`](super::Code::Limit). In a tree with aliases
    /// the limit for all tagged nodes together is ten times as high.
    #[must_use]
    pub fn max_expanded(mut self, nodes: u64) -> Self {
        self.max_expanded = nodes;
        self
    }

    /// Returns the shared validator with the built-in schemas.
    #[must_use]
    pub fn standard() -> Arc<Self> {
        static STANDARD: LazyLock<Arc<Validator>> =
            LazyLock::new(|| Arc::new(Validator::new(Registry::standard())));
        STANDARD.clone()
    }

    /// Returns the registry.
    #[must_use]
    pub fn registry(&self) -> &Arc<Registry> {
        &self.registry
    }

    /// Returns the defaults of the schemas.
    ///
    /// They are filled in before a tree older than standard 1.6.0 is validated.
    #[must_use]
    pub fn defaults(&self) -> &Defaults {
        &self.defaults
    }

    /// Returns a copy of a tree with its missing defaults, or `None` if it lacks none.
    fn filled(&self, tree: &Tree, out: &mut Findings<'_>) -> Option<Tree> {
        self.defaults.filled_for(tree, self.schema()).unwrap_or_else(|error| {
            out.push(Violation::from_error(&error, Code::Limit));
            None
        })
    }

    /// Returns the id of the schema for whole trees.
    fn schema(&self) -> Option<&str> {
        self.schema.as_deref()
    }

    fn checks(&self) -> &[OwnCheck] {
        &self.checks
    }

    fn engine(&self, id: &str) -> Compiled {
        let known = |engines: &HashMap<String, Compiled>| engines.get(id).cloned();
        if let Some(engine) = known(&self.engines.lock().unwrap_or_else(PoisonError::into_inner)) {
            return engine;
        }
        // Compiles without the lock, so that other threads can continue.
        let engine = Engine::new(&self.registry, id, &self.keywords).map(Arc::new).map_err(Arc::new);
        let mut engines = self.engines.lock().unwrap_or_else(PoisonError::into_inner);
        engines.entry(id.to_owned()).or_insert(engine).clone()
    }

    /// Validates a tree against the schemas of its tags, and the rules of the standard for YAML.
    ///
    /// Arrays are not compared with their data; [`validate_file`](Self::validate_file) does that. If the tree belongs to
    /// a file older than standard 1.6.0, its missing [`Defaults`] are filled in first. The tree itself does not change.
    #[doc(alias = "validate")]
    #[must_use]
    pub fn validate_tree(&self, tree: &Tree) -> Report {
        self.report(|out| self.tree(tree, None, out))
    }

    /// Validates one node against the schema with an id, whatever its tag. Fills in no [`Defaults`].
    ///
    /// # Errors
    /// [`Usage`](asdf_core::error::Kind::Usage) if the schema does not exist or cannot be used.
    pub fn validate_node(&self, node: NodeRef<'_>, schema: &str) -> Result<Report> {
        let engine = self.engine(schema).map_err(|why| why.error())?;
        Ok(self.report(|out| {
            out.validated = 1;
            match self.expansions(node).get(&node.id()).and_then(|found| self.too_large(found)) {
                Some(message) => out.push(Violation::at(node, Path::root(), Code::Limit, message)),
                None => hold(node, &Ok(engine), Path::root, out),
            }
            BTreeSet::new()
        }))
    }

    /// Validates a file: its tree, its arrays, and the checksums and data of all blocks.
    ///
    /// Blocks are not kept in memory.
    #[doc(alias = "validate")]
    #[must_use]
    pub fn validate_file(&self, file: &File) -> Report {
        self.report(|out| self.file(file, out))
    }

    /// Validates a file like [`validate_file`](Self::validate_file), but passes each finding on at once.
    ///
    /// Findings come in the order of the tree, then of the blocks. The same finding can come twice. Validation stops when
    /// `take` returns [`Break`](ControlFlow::Break). Returns the number of tagged nodes that were validated.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use asdf_core::{File, file::Software};
    /// use asdf_schemas::Validator;
    ///
    /// let mut file = File::new();
    /// file.set("/made_by", &Software::asdf_core())?;
    /// file.set("/made_by/version", &2.1)?;
    /// let mut first = None;
    /// Validator::standard().stream_file(&file, |finding| {
    ///     first = Some(finding.to_string());
    ///     ControlFlow::Break(())
    /// });
    /// assert_eq!(first.as_deref(), Some("/made_by/version: found the float 2.1, expected a string"));
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    pub fn stream_file(&self, file: &File, mut take: impl FnMut(Violation) -> ControlFlow<()>) -> usize {
        let mut out = Findings::new(&mut take, self.max_time);
        self.file(file, &mut out);
        out.validated
    }

    /// Validates a tree like [`validate_tree`](Self::validate_tree), but passes each finding on at once.
    ///
    /// See [`stream_file`](Self::stream_file).
    pub fn stream_tree(&self, tree: &Tree, mut take: impl FnMut(Violation) -> ControlFlow<()>) -> usize {
        let mut out = Findings::new(&mut take, self.max_time);
        self.tree(tree, None, &mut out);
        out.validated
    }

    fn report(&self, validate: impl FnOnce(&mut Findings<'_>) -> BTreeSet<String>) -> Report {
        let mut findings = Vec::new();
        let mut complete = true;
        let mut take = |finding: Violation| {
            complete = findings.len() < self.max_findings && finding.code() != Code::Stopped;
            if findings.len() < self.max_findings {
                findings.push(finding);
            }
            if complete { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        let mut out = Findings::new(&mut take, self.max_time);
        let unknown = validate(&mut out);
        let validated = out.validated;
        let unchecked = out.unchecked;
        let mut report = Report::new(findings, validated, unknown.into_iter().collect());
        report.unchecked = unchecked;
        report.complete = complete;
        report
    }

    fn file(&self, file: &File, out: &mut Findings<'_>) -> BTreeSet<String> {
        let unknown = self.tree(file.tree(), Some(file), out);
        if self.blocks {
            blocks::check(file, out);
            external::check(file, out);
        }
        for warning in file.warnings() {
            out.push(Violation::from_error(warning, Code::Header));
        }
        unknown
    }

    /// Validates a tree and returns the unknown tags. With a file, also checks the arrays against their blocks.
    fn tree(&self, tree: &Tree, file: Option<&File>, out: &mut Findings<'_>) -> BTreeSet<String> {
        let filled = self.filled(tree, out);
        let tree = filled.as_ref().unwrap_or(tree);
        let Some(root) = tree.root() else { return BTreeSet::new() };
        subset::directives(tree, out);
        let mut rules = Rules::new(self, tree, file);
        rules.root(root, out);
        rules.below(root, Path::root, out);
        rules.unknown_tags()
    }

    /// Returns the expansion of each collection, or nothing if the whole tree is small.
    fn expansions(&self, root: NodeRef<'_>) -> HashMap<NodeId, Expansion> {
        match expansion::is_small(root, self.max_expanded, MOST_LEVELS) {
            true => HashMap::new(),
            false => expansion::expansions(root),
        }
    }

    /// Returns the message if too many nodes were validated in this tree, with aliases expanded.
    fn too_much(&self, given: u64) -> Option<String> {
        let most = self.max_expanded.saturating_mul(10);
        (given > most).then(|| {
            format!("the aliases of this tree expand to more than {most} nodes; the rest was not validated")
        })
    }

    /// Returns the message if a node is too large to validate.
    fn too_large(&self, expansion: &Expansion) -> Option<String> {
        let most = self.max_expanded;
        if expansion.nodes > most {
            return Some(format!("aliases expand to more than {most} nodes; this node was not validated"));
        }
        (expansion.levels > MOST_LEVELS)
            .then(|| format!("nested deeper than {MOST_LEVELS} levels; this node was not validated"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use asdf_core::yaml::parse;

    /// Returns the messages about `value` under a schema in flow YAML.
    fn messages(schema: &str, value: &str) -> Vec<String> {
        let mut registry = Registry::new();
        registry.add_schema(&format!("{{id: 'asdf://x.org/s', properties: {{x: {schema}}}}}")).unwrap();
        registry.add_tag("asdf://x.org/t", "asdf://x.org/s");
        let text = format!("%TAG ! tag:stsci.edu:asdf/\n--- !<asdf://x.org/t> {{x: {value}}}\n");
        let report = Validator::new(Arc::new(registry)).validate_tree(&parse(&text).unwrap());
        assert!(report.warnings().is_empty(), "{:?}", report.warnings());
        report.violations().iter().map(|violation| violation.message().to_owned()).collect()
    }

    #[test]
    fn only_names_that_are_not_allowed_get_similar_ones() {
        let hint = |schema: &str, text: &str| {
            let mut registry = Registry::new();
            registry.add_schema_as("asdf://x.org/s", schema).unwrap();
            let validator = Validator::new(Arc::new(registry)).with_schema("asdf://x.org/s").unwrap();
            let report = validator.validate_tree(&parse(text).unwrap());
            let [violation] = report.violations() else { panic!("{:?}", report.violations()) };
            violation.hint().map(ToString::to_string)
        };
        let closed = "{properties: {filter: {}}, additionalProperties: false}";
        assert_eq!(hint(closed, "{filtre: 1}").as_deref(), Some("did you mean 'filter'?"));
        let small = "{properties: {filter: {minProperties: 1, properties: {filters: {}}}}}";
        assert_eq!(hint(small, "{filter: {}}"), None);
    }

    #[test]
    fn keywords_of_asdf() {
        let array = "!core/ndarray-1.1.0 {source: 0, shape: [2, 3], datatype: int16, byteorder: big}";
        let stream = "!core/ndarray-1.1.0 {source: 0, shape: ['*', 3], datatype: int16, byteorder: big}";
        let inline = "!core/ndarray-1.1.0 [[1, 2], [3, 4]]";
        for (schema, value, expected) in [
            ("{ndim: 2}", array, None),
            ("{ndim: 2}", stream, None),
            ("{ndim: 2}", inline, None),
            ("{ndim: 3}", array, Some("found an array of 2 axes, expected 3")),
            ("{ndim: 3}", inline, Some("found an array of 2 axes, expected 3")),
            ("{max_ndim: 2}", array, None),
            ("{max_ndim: 1}", array, Some("found an array of 2 axes, expected at most 1")),
            ("{datatype: int32}", array, None),
            ("{datatype: float32}", array, None),
            ("{datatype: int64}", inline, None),
            (
                "{datatype: int8}",
                array,
                Some("found an array of int16, expected int8 or a datatype that casts safely to it"),
            ),
            ("{datatype: int16, exact_datatype: true}", array, None),
            (
                "{datatype: int32, exact_datatype: true}",
                array,
                Some("found an array of int16, expected exactly int32"),
            ),
            ("{exact_datatype: true}", array, None),
            ("{ndim: 3, datatype: int8}", "[1, 2]", None),
            ("{tag: 'tag:stsci.edu:asdf/core/ndarray-1.*'}", array, None),
            (
                "{tag: 'tag:stsci.edu:asdf/core/ndarray-1.0.0'}",
                array,
                Some(
                    "found the tag tag:stsci.edu:asdf/core/ndarray-1.1.0, expected tag:stsci.edu:asdf/core/ndarray-1.0.0",
                ),
            ),
            (
                "{tag: 'tag:stsci.edu:asdf/core/ndarray-1.*'}",
                "5",
                Some("found the integer 5, expected a node tagged tag:stsci.edu:asdf/core/ndarray-1.*"),
            ),
            ("{tag: 'tag:yaml.org,2002:int'}", "5", None),
            (
                "{tag: 'tag:yaml.org,2002:str'}",
                "5",
                Some("found the integer 5, expected a node tagged tag:yaml.org,2002:str"),
            ),
            ("{tag: 'tag:yaml.org,2002:null'}", "~", None),
        ] {
            let found = messages(schema, value);
            assert_eq!(found.first().map(String::as_str), expected, "{schema} of {value}: {found:?}");
        }
    }

    #[test]
    fn validation_stops_at_the_limits_of_findings_and_time() {
        let text = "%TAG ! tag:stsci.edu:asdf/\n--- [!core/software-1.0.0 {}, !core/software-1.0.0 {}]";
        let tree = parse(text).unwrap();
        let all = Validator::standard().validate_tree(&tree);
        assert_eq!((all.violations().len(), all.is_complete()), (4, true));
        let some = Validator::new(Registry::standard()).max_findings(3).validate_tree(&tree);
        assert_eq!((some.violations().len(), some.is_complete()), (3, false));
        let file = File::from_bytes(format!("#ASDF 1.0.0\n%YAML 1.1\n{text}\n...\n").into_bytes());
        let late =
            Validator::new(Registry::standard()).max_time(Duration::ZERO).validate_file(&file.unwrap());
        assert_eq!(late.violations().last().map(Violation::code), Some(Code::Stopped));
        assert!(!late.is_complete());
    }

    #[test]
    fn nodes_of_up_to_512_levels_are_validated() {
        let found = |levels: usize| {
            // A text cannot have more, but an alias adds the levels of its collection.
            let nested =
                |levels: usize, inner: &str| format!("{}{inner}{}", "[".repeat(levels), "]".repeat(levels));
            let text = format!(
                "%TAG ! tag:stsci.edu:asdf/\n--- !core/software-1.0.0 {{x: &a {}, y: {}}}",
                nested(300, "1"),
                nested(levels - 301, "*a")
            );
            let report = Validator::standard().validate_tree(&parse(&text).unwrap());
            let missing = report.violations().iter().any(|one| one.code().id() == "ASDF-S003");
            (
                missing,
                report.violations().iter().any(|one| one.message().starts_with("nested deeper than 512")),
            )
        };
        assert_eq!(found(512), (true, false));
        assert_eq!(found(513), (false, true));
    }

    #[test]
    fn a_schema_for_whole_trees_adds_to_those_of_tags() {
        let mut registry = Registry::new();
        registry.add_schema_as("file:///s.yaml", "{properties: {a: {type: object}}, required: [b]}").unwrap();
        let validator = Validator::new(Arc::new(registry)).with_schema("file:///s.yaml").unwrap();
        let tree = parse("%TAG ! tag:stsci.edu:asdf/\n--- {a: {x: !core/complex-1.0.0 junk}}").unwrap();
        let report = validator.validate_tree(&tree);
        let paths: Vec<_> = report.violations().iter().map(|one| one.path().as_str()).collect();
        assert_eq!(paths, ["", "/a/x"]);
        assert_eq!(report.violations()[0].place(), Some("/required"));
        assert_eq!(report.violations()[0].code().id(), "ASDF-S003");
        assert!(Validator::new(Registry::standard()).with_schema("file:///other.yaml").is_err());
    }

    #[test]
    fn unknown_and_misaligned_tags_are_reported_once() {
        let text = "#ASDF 1.0.0\n#ASDF_STANDARD 1.5.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n\
                    a: !core/ndarray-1.1.0 [1]\nb: !core/ndarray-1.1.0 [1]\nc: !core/ndarray-9.0.0 [1]\nd: !core/ndarray-9.0.0 [2]\n...\n";
        let report =
            Validator::standard().validate_file(&File::from_bytes(text.as_bytes().to_vec()).unwrap());
        let shown = |list: &[Violation]| -> Vec<String> {
            list.iter()
                .map(|one| format!("{one} ({})", one.hint().map(ToString::to_string).unwrap_or_default()))
                .collect()
        };
        assert_eq!(
            shown(report.warnings()),
            [
                "6:24: /a: the tag tag:stsci.edu:asdf/core/ndarray-1.1.0 is not in the ASDF Standard 1.5.0 of this file \
                 (use tag:stsci.edu:asdf/core/ndarray-1.0.0)"
            ]
        );
        assert_eq!(report.notes().len(), 1);
        assert!(shown(report.notes())[0].contains("newer than the known versions 1.0.0, 1.1.0"));
    }

    #[test]
    fn a_receiver_that_stops_gets_no_more_findings_and_blocks_are_not_read() {
        let text = "#ASDF 1.0.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- [!core/software-1.0.0 {}, !core/software-1.0.0 {}]\n...\n";
        let mut bytes = text.as_bytes().to_vec();
        // A block with a damaged header.
        bytes.extend(b"\xd3BLK\0\x30");
        bytes.extend([0xff; 48]);
        let file = File::from_bytes(bytes).unwrap();
        let first = |most: usize| {
            let mut codes = Vec::new();
            let validated = Validator::standard().stream_file(&file, |finding| {
                codes.push(finding.code());
                if codes.len() < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            });
            (codes, validated)
        };
        assert_eq!(first(1), (vec![Code::Required], 1));
        assert_eq!(first(4), (vec![Code::Required; 4], 2));
        let (all, _) = first(usize::MAX);
        assert_eq!(all.iter().filter(|code| **code == Code::Required).count(), 4);
        assert!(all.len() > 4, "{all:?}");
    }

    #[test]
    fn what_a_program_adds_sees_each_of_many_equal_nodes() {
        use std::sync::atomic::{AtomicUsize, Ordering};

        let met = Arc::new([const { AtomicUsize::new(0) }; 2]);
        let count = |at: usize| {
            let met = met.clone();
            move || met[at].fetch_add(1, Ordering::Relaxed)
        };
        let mut registry = Registry::new();
        registry.add_schema("{id: 'asdf://x.org/s', properties: {x: {counted: true}}}").unwrap();
        registry.add_tag("asdf://x.org/t", "asdf://x.org/s");
        let text = format!("[{}]", ["!<asdf://x.org/t> {x: 1}"; 7].join(", "));
        let validator = || Validator::new(Arc::new(registry.clone()));
        let keyword = count(0);
        let with_keyword = validator().with_keyword("counted", move |_, _| {
            keyword();
            None
        });
        let check = count(1);
        let with_check = validator().with_check("asdf://x.org/*", move |_| {
            check();
            Ok(())
        });
        for validator in [with_keyword, with_check] {
            assert_eq!(validator.validate_tree(&parse(&text).unwrap()).validated(), 7);
        }
        assert_eq!(met.each_ref().map(|met| met.load(Ordering::Relaxed)), [7, 7]);
    }

    #[test]
    fn the_limit_of_expanded_aliases_can_be_set() {
        let tree = parse("%TAG ! tag:stsci.edu:asdf/\n--- !core/ndarray-1.1.0 [1, 2, 3, 4, 5]\n").unwrap();
        let strict = Validator::new(Registry::standard()).max_expanded(5);
        assert_eq!(strict.validate_tree(&tree).violations()[0].code(), Code::Limit);
        assert!(Validator::standard().validate_tree(&tree).is_valid());
        // Each of these is below the limit, but all together are above ten times the limit.
        let many = ["!core/ndarray-1.1.0 [*a, *a, *a]"; 30].join(", ");
        let text = format!("%TAG ! tag:stsci.edu:asdf/\n--- [&a [1, 2, 3, 4, 5], {many}]\n");
        let report =
            Validator::new(Registry::standard()).max_expanded(30).validate_tree(&parse(&text).unwrap());
        assert_eq!((report.validated(), report.violations().len()), (15, 15));
        assert!(report.violations().iter().all(|one| one.code() == Code::Limit));
    }
}
