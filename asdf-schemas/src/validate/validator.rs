//! The validator.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use asdf_core::block::Checksum;
use asdf_core::file::IndexState;
use asdf_core::tree::NodeRef;
use asdf_core::value::FromNode;
use asdf_core::{ErrorKind, File, NdArray, Path, Tree};

use super::engine::Engine;
use super::expansion::Expansion;
use super::{Report, Violation, arrays, expansion, subset};
use crate::Registry;

/// Validates trees and files. Schemas are compiled when their tag is first met and kept; one
/// validator serves many files and threads.
#[derive(Debug)]
pub struct Validator {
    registry: Arc<Registry>,
    engines: Mutex<HashMap<String, Compiled>>,
    most_expanded: u64,
}

/// A compiled schema, or why it cannot be compiled.
type Compiled = Result<Arc<Engine>, Arc<str>>;

/// A tagged node whose aliases stand for more nodes than this is not given to a schema, by default.
const MOST_EXPANDED: u64 = 10_000_000;

/// Nor is one of more levels: schemas walk by recursion. It is as deep as trees are read by default.
const MOST_LEVELS: u32 = 512;

impl Validator {
    /// A validator with the schemas of a registry.
    #[must_use]
    pub fn new(registry: Arc<Registry>) -> Self {
        Self { registry, engines: Mutex::default(), most_expanded: MOST_EXPANDED }
    }

    /// How many nodes may be below a tagged node, every alias counted as often as it stands: schemas walk
    /// trees like that. 10,000,000 by default. What has more, or more than 512 levels, is not given to a schema,
    /// and is a violation of the rule `limit`.
    #[must_use]
    pub fn most_expanded(mut self, nodes: u64) -> Self {
        self.most_expanded = nodes;
        self
    }

    /// The validator with the schemas of the standard, shared.
    #[must_use]
    pub fn standard() -> Arc<Self> {
        static STANDARD: LazyLock<Arc<Validator>> =
            LazyLock::new(|| Arc::new(Validator::new(Registry::standard())));
        STANDARD.clone()
    }

    /// The registry.
    #[must_use]
    pub fn registry(&self) -> &Arc<Registry> {
        &self.registry
    }

    fn engine(&self, id: &str) -> Compiled {
        let known = |engines: &HashMap<String, Compiled>| engines.get(id).cloned();
        if let Some(engine) = known(&self.engines.lock().unwrap_or_else(PoisonError::into_inner)) {
            return engine;
        }
        // Compiled without holding the lock: other threads go on.
        let engine = Engine::new(&self.registry, id).map(Arc::new).map_err(Arc::from);
        let mut engines = self.engines.lock().unwrap_or_else(PoisonError::into_inner);
        engines.entry(id.to_owned()).or_insert(engine).clone()
    }

    /// Validates a tree: every tagged node against the schemas of its tag, and what the standard
    /// asks of YAML. Arrays are not compared with their data; [`validate_file`](Self::validate_file)
    /// does that.
    #[must_use]
    pub fn validate_tree(&self, tree: &Tree) -> Report {
        let mut report = Report::default();
        self.tree(tree, false, &mut report);
        finish(&mut report);
        report
    }

    /// Validates a node, without what is above it, against a schema by its id, whatever its tag says.
    ///
    /// # Errors
    /// [`Usage`](ErrorKind::Usage) when there is no such schema, or it cannot be used.
    pub fn validate_node(&self, node: NodeRef<'_>, schema: &str) -> asdf_core::Result<Report> {
        let engine = self.engine(schema).map_err(|why| asdf_core::Error::usage(why.to_string()))?;
        let mut report = Report { validated: 1, ..Report::default() };
        if let Some(message) =
            expansion::expansions(node).get(&node.id()).and_then(|found| self.too_large(found))
        {
            report.violations.push(Violation::at(node, Path::root(), "limit", message));
            return Ok(report);
        }
        if !engine.is_valid(node) {
            report.violations = engine.violations(node);
        }
        finish(&mut report);
        Ok(report)
    }

    /// Validates a file: its tree, its arrays against their blocks, the blocks and their checksums.
    /// Blocks are read one after the other and not kept.
    #[must_use]
    pub fn validate_file(&self, file: &File) -> Report {
        let mut report = Report::default();
        self.tree(file.tree(), true, &mut report);
        blocks(file, &mut report);
        for warning in file.warnings() {
            report.warnings.push(Violation::of(warning, "header"));
        }
        finish(&mut report);
        report
    }

    fn tree(&self, tree: &Tree, data: bool, report: &mut Report) {
        let Some(root) = tree.root() else { return };
        subset::directives(tree, &mut report.violations);
        let expansions = expansion::expansions(root);
        let mut unknown = BTreeSet::new();
        // Each tag is looked up once, however often it stands in the tree.
        let mut by_tag: HashMap<&str, Vec<Compiled>> = HashMap::new();
        let mut walk = root.walk();
        while let Some(node) = walk.next() {
            subset::check(node, || walk.path(), &mut report.violations);
            let Some(tag) = node.own_tag() else { continue };
            // A reference is what it refers to; that is validated where it stands.
            if node.get("$ref").is_some() {
                continue;
            }
            let engines = by_tag.entry(tag).or_insert_with(|| {
                self.registry.schemas_of(tag).into_iter().map(|id| self.engine(id)).collect()
            });
            if engines.is_empty() {
                unknown.insert(tag);
            } else if let Some(message) = expansions.get(&node.id()).and_then(|found| self.too_large(found)) {
                report.violations.push(Violation::at(node, walk.path(), "limit", message));
                continue;
            } else {
                report.validated += 1;
            }
            for engine in engines.iter() {
                validate(node, engine, || walk.path(), report);
            }
            if data && NdArray::accepts_tag(tag) {
                arrays::check(node, || walk.path(), &mut report.violations);
            }
        }
        report.unknown = unknown.into_iter().map(str::to_owned).collect();
    }
}

impl Validator {
    /// Why a node is not given to a schema.
    fn too_large(&self, expansion: &Expansion) -> Option<String> {
        let most = self.most_expanded;
        if expansion.nodes > most {
            return Some(format!(
                "the aliases below stand for more than {most} nodes, which no schema is asked about"
            ));
        }
        (expansion.levels > MOST_LEVELS)
            .then(|| format!("more than {MOST_LEVELS} levels are below, which no schema is asked about"))
    }
}

/// Validates a node against one schema of its tag; its path is asked for only when something is wrong.
fn validate(node: NodeRef<'_>, engine: &Compiled, path: impl Fn() -> Path, report: &mut Report) {
    let engine = match engine {
        Ok(engine) => engine,
        Err(why) => return report.warnings.push(Violation::at(node, path(), "schema", why.to_string())),
    };
    if engine.is_valid(node) {
        return;
    }
    for mut violation in engine.violations(node) {
        let mut at = path();
        for step in violation.path.as_str().split('/').skip(1) {
            at.push(&step.replace("~1", "/").replace("~0", "~"));
        }
        violation.path = at;
        report.violations.push(violation);
    }
}

fn blocks(file: &File, report: &mut Report) {
    let blocks = match file.blocks() {
        Ok(blocks) => blocks,
        Err(error) => return report.violations.push(Violation::of(&error, "block")),
    };
    for block in &blocks {
        match block.verify() {
            Ok(Checksum::Decoded) => {
                let mut warning = Violation::of(
                    &asdf_core::Error::malformed(format!(
                        "block {}: the checksum is of the decoded bytes, as Python's asdf wrote it before 5.3",
                        block.number()
                    )),
                    "block",
                );
                warning.offset = Some(block.offset());
                report.warnings.push(warning);
            }
            Ok(_) => {}
            // What this build cannot decode is not wrong.
            Err(error) if error.kind() == ErrorKind::Unsupported && block.header().compression.is_known() => {
                report.warnings.push(Violation::of(&error, "block"));
            }
            Err(error) => report.violations.push(Violation::of(&error, "block")),
        }
    }
    if file.index().is_ok_and(|index| index == IndexState::Wrong) {
        let error = asdf_core::Error::malformed("the block index does not give the offsets of the blocks");
        report.warnings.push(Violation::of(
            &error.with_hint("it is not used; writing the file again mends it"),
            "index",
        ));
    }
}

/// Puts violations in the order of the file, each once: a node can be judged by its own schema and
/// by that of the node around it.
fn finish(report: &mut Report) {
    let mut seen: HashSet<(Path, String)> = HashSet::new();
    report.violations.retain(|violation| seen.insert((violation.path.clone(), violation.message.clone())));
    report
        .violations
        .sort_by_key(|violation| (violation.position.is_none(), violation.position, violation.offset));
}

#[cfg(test)]
mod tests {
    use super::*;
    use asdf_core::yaml::parse;

    /// The messages about `value` under a schema that is given as flow YAML.
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
                Some("found an array of int16, which does not cast safely to the expected int8"),
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
    fn python_semantics() {
        for (schema, value, valid) in [
            ("{type: integer}", "1.0", false),
            ("{type: number}", "true", false),
            ("{type: number, minimum: 0, maximum: 1}", ".nan", true),
            ("{type: number, minimum: 0}", "-.inf", false),
            ("{type: integer}", ".nan", false),
            ("{type: integer}", "!unknown-1.0.0 5", false),
            ("{type: string}", "!unknown-1.0.0 5", true),
            ("{type: string}", "2026-11-20", false),
            ("{type: string, format: date-time}", "2026-11-20 12:00:00", true),
            ("{type: string, format: uri}", "no uri", true),
            ("{type: string}", "{$ref: 'x.asdf#/a'}", true),
            ("{enum: [1, a, [b]]}", "!unknown-1.0.0 a", true),
            ("{enum: [1]}", "true", false),
            ("{enum: [1]}", "1.0", true),
            ("{uniqueItems: true}", "[1, true, a]", true),
            ("{uniqueItems: true}", "[a, b, a]", false),
            (
                "{$ref: 'http://stsci.edu/schemas/asdf/core/software-1.0.0', required: [author]}",
                "{name: a, version: b}",
                false,
            ),
            ("{exclusiveMinimum: 7, minimum: 7}", "7", false),
            ("{required: []}", "5", true),
            ("{anyOf: [{type: 'null'}, {type: integer}]}", "~", true),
        ] {
            assert_eq!(messages(schema, value).is_empty(), valid, "{schema} of {value}");
        }
    }

    #[test]
    fn a_schema_that_cannot_be_used_is_a_warning() {
        let mut registry = Registry::new();
        registry.add_schema("{id: 'asdf://x.org/s', $ref: nowhere}").unwrap();
        registry.add_tag("asdf://x.org/t", "asdf://x.org/s");
        let report =
            Validator::new(Arc::new(registry)).validate_tree(&parse("!<asdf://x.org/t> {}").unwrap());
        assert!(report.is_valid());
        assert!(report.warnings()[0].message().contains("asdf://x.org/nowhere"), "{:?}", report.warnings());
    }

    #[test]
    fn an_alias_bomb_is_told_and_not_walked() {
        let mut text = "!core/ndarray-1.1.0\n- &l0 [1, 1, 1, 1, 1, 1, 1, 1]\n".to_owned();
        for level in 1..12 {
            let items = vec![format!("*l{}", level - 1); 8].join(", ");
            text.push_str(&format!("- &l{level} [{items}]\n"));
        }
        let text = format!("%TAG ! tag:stsci.edu:asdf/\n--- {text}");
        let report = Validator::standard().validate_tree(&parse(&text).unwrap());
        assert_eq!(report.violations()[0].rule(), "limit");
        let strict = Validator::new(Registry::standard()).most_expanded(5);
        let tree = parse("%TAG ! tag:stsci.edu:asdf/\n--- !core/ndarray-1.1.0 [1, 2, 3, 4, 5]\n").unwrap();
        assert_eq!(strict.validate_tree(&tree).violations()[0].rule(), "limit");
        assert!(Validator::standard().validate_tree(&tree).is_valid());
    }
}
