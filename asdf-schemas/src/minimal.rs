//! Makes the smallest value of a schema, as a template to fill in.
//!
//! [`sample`](crate::sample) makes the value. This module adds the list of optional properties.

use std::collections::HashMap;

use asdf_core::file::Version;
use asdf_core::tree::{Node, NodeId, NodeRef, Path, Style};
use asdf_core::yaml::{EmitOptions, emit};
use asdf_core::{Error, Result};

use crate::Registry;
use crate::documents::Documents;
use crate::sample::{Gathered, Maker, property};

/// The smallest value of a schema, and the properties that could be added.
#[derive(Debug, Clone)]
pub struct Minimum {
    /// The value, with its tag if the schema has one.
    pub node: Node,
    /// The properties that could be added.
    pub optional: Vec<Optional>,
}

/// An optional property, which the smallest value does not have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Optional {
    /// The path of its mapping, relative to the value.
    pub path: Path,
    /// Its key.
    pub key: String,
    /// Its default in the schema, as YAML on one line, if it is short.
    pub default: Option<String>,
    /// The title of its schema, on one line.
    pub title: Option<String>,
}

/// Makes the smallest value of the schema with a name.
///
/// The name is an id, a tag, or the last parts of one, as for [`Registry::find`]. The value has only the required
/// properties:
///
/// - Each is its default, or the first value of its enumeration, or else the smallest allowed value: 0, an empty string or
///   one that matches the pattern, a list with the minimum number of items. It is null if the schema does not describe it.
/// - Of alternatives, and of several types, it is the first that can be made.
/// - Arrays have no elements, and the required datatype and number of axes.
/// - Nested tags are those of this version of the ASDF Standard if it has them, or else the newest.
///
/// This is the value that a [`Sampler`](crate::sample::Sampler) makes without bytes, in the layout of the schemas. It is not
/// validated: `not`, `uniqueItems` and keywords of programs are ignored. Check the value with a
/// [`Validator`](crate::Validator).
///
/// # Examples
///
/// ```
/// use asdf_core::file::Version;
/// use asdf_core::yaml::{EmitOptions, emit};
/// use asdf_schemas::{Registry, minimal};
///
/// let software = minimal(&Registry::standard(), Version::new(1, 6, 0), "core/software")?;
/// let options = EmitOptions::new().directives(false);
/// let text = emit(software.node.tree(), options)?;
/// assert_eq!(text, "!<tag:stsci.edu:asdf/core/software-1.0.0>\nname: ''\nversion: ''\n");
/// assert_eq!(software.optional[0].key, "author");
/// # Ok::<(), asdf_core::Error>(())
/// ```
///
/// # Errors
/// [`Usage`](asdf_core::error::Kind::Usage) if the schema or the version does not exist;
/// [`Mismatch`](asdf_core::error::Kind::Mismatch) if the schema is empty;
/// [`Unsupported`](asdf_core::error::Kind::Unsupported), with the path in the value, if no value can be made. An example is
/// a reference without a target, or a value that would contain itself. Also fails like [`Registry::schema`].
pub fn minimal(registry: &Registry, version: Version, name: &str) -> Result<Minimum> {
    let edition = registry.edition(version)?;
    let (tag, ids) = match registry.schemas_of(name) {
        known if !known.is_empty() => (Some(name.to_owned()), known),
        _ => {
            let ids = registry.find(name)?;
            let own = ids.first().map(|id| (edition.tags_of(id), registry.tags_of(id)));
            let tag = own.and_then(|(here, all)| here.last().or(all.last()).map(|tag| (*tag).to_owned()));
            (tag, ids)
        }
    };
    let mut documents = Documents::of(registry);
    let schemas: Vec<_> = ids.iter().filter_map(|id| documents.get(id)).collect();
    if schemas.is_empty() {
        // If the registry can parse the schema, it is empty.
        let id = ids.first().copied().unwrap_or(name);
        registry.schema(id)?;
        return Err(Error::mismatch(format!("the schema {} is empty", id.escape_debug())));
    }
    let tags: Vec<String> = registry.tags().into_iter().map(str::to_owned).collect();
    let mut maker = Maker::new(&mut documents, &edition, &tags, &[]);
    let root = match &tag {
        Some(tag) => maker.tagged(tag, &schemas, 0)?,
        None => maker.value(&schemas, &[], None, 0)?,
    };
    let (mut tree, mappings) = (maker.tree, maker.mappings);
    tree.set_root(root);
    let paths = paths(tree.node(root));
    let mut optional = Vec::new();
    for made in mappings {
        let Some(path) = paths.get(&made.id) else { continue };
        if tree.node(made.id).entries().next().is_some() {
            // Comments can only be added to the block style.
            tree.set_style(made.id, Style::Block);
        }
        for key in made.left_out {
            let schemas = property(&documents, &made.schemas, &key);
            // A reference without a target has no default and no title.
            let own = Gathered::of(&mut documents, &schemas, &[]).unwrap_or_default();
            let own = own.outline();
            let default = own.defaults.iter().find_map(|default| one_line(*default));
            let title = own.title.map(|title| title.split_whitespace().collect::<Vec<_>>().join(" "));
            optional.push(Optional { path: path.clone(), key, default, title });
        }
    }
    registry.arrange(&mut tree);
    Ok(Minimum { node: Node::from_ref(tree.node(root))?, optional })
}

/// Returns the paths of the nodes of a value.
fn paths(root: NodeRef<'_>) -> HashMap<NodeId, Path> {
    let mut paths = HashMap::new();
    let mut walk = root.walk();
    while let Some(node) = walk.next() {
        paths.insert(node.id(), walk.path());
    }
    paths
}

/// Writes a default as YAML on one line, if it is short.
fn one_line(default: NodeRef<'_>) -> Option<String> {
    let mut copy = Node::from_ref(default).ok()?;
    if let Some(root) = copy.tree().root().filter(|root| !root.kind().is_scalar()).map(NodeRef::id) {
        copy.tree_mut().set_style(root, Style::Flow);
    }
    let text = emit(copy.tree(), EmitOptions::new().directives(false)).ok()?;
    let text = text.trim_end().to_owned();
    (!text.contains('\n') && text.chars().count() <= 60).then_some(text)
}

#[cfg(test)]
mod tests {
    use asdf_core::File;
    use asdf_core::file::Version;
    use asdf_core::tree::ASDF_TAG;
    use asdf_core::yaml::{EmitOptions, emit};

    use crate::{Registry, Validator, minimal};

    fn text(registry: &Registry, name: &str) -> String {
        let options = EmitOptions::new().directives(false);
        match minimal(registry, Version::new(1, 6, 0), name) {
            Ok(made) => emit(made.node.tree(), options).unwrap().trim_end().to_owned(),
            Err(error) => {
                assert!(error.hint().is_some());
                let path = error.path().filter(|path| !path.is_empty()).unwrap_or("/");
                format!("{path}: {}", error.message())
            }
        }
    }

    #[test]
    fn keywords_make_values() {
        for (schema, expected) in [
            ("{type: integer, minimum: 3}", "3"),
            ("{type: integer, minimum: 3, exclusiveMinimum: true}", "4"),
            ("{type: integer, minimum: 3, exclusiveMinimum: 9}", "4"),
            ("{type: integer, minimum: -90, maximum: 90}", "0"),
            ("{type: integer, maximum: -3, multipleOf: 2}", "-4"),
            ("{type: integer, minimum: 1.0e+300, exclusiveMinimum: true}", "9223372036854775807"),
            ("{type: integer, minimum: 1, multipleOf: 9.0e+18}", "9000000000000000000"),
            ("{type: number}", "0.0"),
            ("{type: number, multipleOf: 0}", "0.0"),
            ("{type: number, minimum: -90.5}", "0.0"),
            ("{type: number, maximum: -1.5}", "-1.5"),
            ("{type: number, maximum: 0, exclusiveMaximum: true}", "-1.0"),
            ("{type: number, minimum: 0, maximum: 1, exclusiveMinimum: true}", "0.5"),
            ("{type: integer, minimum: 5, multipleOf: 4}", "8"),
            ("{type: string, minLength: 2}", "xx"),
            ("{type: string, pattern: '^M[0-9]{2}$'}", "M00"),
            ("{type: string, allOf: [{pattern: 'b'}, {pattern: '^ab$'}]}", "ab"),
            (
                "{type: string, pattern: '(?!a)b'}",
                "/: cannot make a value: found no string that matches the pattern",
            ),
            (
                "{type: string, minLength: 5000}",
                "/: cannot make a value: no string of up to 4096 characters has the required length",
            ),
            (
                "{type: string, minLength: 2, maxLength: 1}",
                "/: cannot make a value: no string of up to 4096 characters has the required length",
            ),
            ("{enum: [a, b], type: string}", "a"),
            ("{enum: [1, b], type: string}", "b"),
            ("{default: 7, type: integer}", "7"),
            ("{default: x, type: integer}", "0"),
            ("{type: [string, 'null']}", "''"),
            ("{anyOf: [{type: string, pattern: '(?!a)b'}, {type: boolean}]}", "false"),
            ("{allOf: [{type: object, required: [a]}, {properties: {a: {enum: [1]}}}]}", "a: 1"),
            ("{type: array, minItems: 2, items: {type: boolean}}", "- false\n- false"),
            ("{required: [a], dependencies: {a: [b]}, additionalProperties: {type: integer}}", "a: 0\nb: 0"),
            ("{required: [a1], patternProperties: {'^a': {type: boolean}}}", "a1: false"),
            ("{required: [a], patternProperties: {'^a\\Z': {type: boolean}}}", "a: false"),
            (
                "{minProperties: 4, patternProperties: {'^a': {type: boolean}}, properties: {x: {type: integer}}}",
                "x: 0\na: false\nx0: null\nx1: null",
            ),
            ("{minProperties: 1, properties: {x: {type: integer}, y: {}}}", "x: 0"),
            ("{definitions: {t: {type: boolean}}, $ref: '#/definitions/t'}", "false"),
            (
                "{required: [x], properties: {x: {$ref: '#'}}}",
                "/x/x: cannot make a value: the value would have to contain itself",
            ),
            (
                "{$ref: '#/definitions/none'}",
                "/: cannot make a value: the target of the reference #/definitions/none does not exist",
            ),
            (
                "{tag: 'tag:stsci.edu:asdf/core/ndarray-1.*', ndim: 2, datatype: int16}",
                "!<tag:stsci.edu:asdf/core/ndarray-1.1.0> {data: [], datatype: int16, shape: [0, 0]}",
            ),
            ("{tag: 'tag:nowhere.org:x-1.0.0', type: object}", "!<tag:nowhere.org:x-1.0.0> {}"),
            (
                "{tag: 'tag:nowhere.org:x-*'}",
                "/: cannot make a value: no schema for the tag tag:nowhere.org:x-*",
            ),
            (
                "{type: string, allOf: [{type: integer}]}",
                "/: cannot make a value: the schemas require different types",
            ),
            ("{}", "null"),
            ("{required: [a, b], properties: {a: {}}}", "a: null\nb: null"),
            ("{required: [a], properties: {a: {title: A., description: Anything.}}}", "a: null"),
            ("{required: [a], properties: {a: {title: A., default: 1}}}", "a: 1"),
            (
                "{required: [a], properties: {a: {tag: 'tag:nowhere.org:x-1.0.0'}}}",
                "a: !<tag:nowhere.org:x-1.0.0> {}",
            ),
            (
                "{required: [a], properties: {a: {title: A., tag: 'tag:stsci.edu:asdf/core/software-1.*'}}}",
                "a: !<tag:stsci.edu:asdf/core/software-1.0.0>\n  name: ''\n  version: ''",
            ),
            ("{required: [a], properties: {a: {tag: 'tag:yaml.org,2002:map'}}}", "a: {}"),
            // In the order of the schema.
            ("{required: [a], properties: {a: {anyOf: [{type: string}, {type: 'null'}]}}}", "a: ''"),
            ("{required: [a], properties: {a: {anyOf: [{type: 'null'}, {type: string}]}}}", "a: null"),
            ("{required: [a], properties: {a: {anyOf: [{}, {type: string}]}}}", "a: null"),
            ("{required: [a], properties: {a: {type: ['null', number]}}}", "a: null"),
            ("{required: [a], properties: {a: {anyOf: [{enum: [b, c]}, {type: 'null'}]}}}", "a: b"),
            ("{required: [a], properties: {a: {enum: [null, b]}}}", "a: null"),
            ("{required: [a], properties: {a: {title: A., enum: [2, b], default: b}}}", "a: b"),
            ("{required: [a], properties: {a: {enum: [b, c], default: d}}}", "a: b"),
            (
                "{required: [a], properties: {a: {default: null, anyOf: [{type: string}, {type: 'null'}]}}}",
                "a: null",
            ),
            (
                "{required: [a], properties: {a: {default: 1, anyOf: [{tag: 'tag:x.org:x-1.0.0'}, {type: integer}]}}}",
                "a: 1",
            ),
            (
                "{definitions: {t: {title: T.}}, required: [a], properties: {a: {$ref: '#/definitions/t'}}}",
                "a: null",
            ),
            (
                "{definitions: {t: {enum: [b]}}, required: [a], properties: {a: {$ref: '#/definitions/t'}}}",
                "a: b",
            ),
            ("{required: [a], properties: {a: {type: object}}}", "a: {}"),
            ("{required: [a], properties: {a: {not: {type: 'null'}}}}", "a: ''"),
            ("{required: [a], properties: {a: {not: {type: ['null', string, number]}}}}", "a: false"),
            (
                "{minItems: 1000000, items: {}}",
                "/19999: cannot make a value: more than 20000 nodes were tried",
            ),
            ("{required: [a], properties: {a: {items: {}}}}", "a: []"),
            ("{required: [a], properties: {a: {minItems: 2, items: {}}}}", "a: [null, null]"),
        ] {
            let mut registry = Registry::new();
            registry.add_schema_as("asdf://x.org/s", &format!("{schema}\n")).unwrap();
            assert_eq!(text(&registry, "asdf://x.org/s"), expected, "{schema}");
        }
    }

    #[test]
    fn optional_properties_are_listed() {
        let mut registry = Registry::new();
        let schema = "{required: [a], properties: {a: {required: [b], properties: {b: {}, c: {default: 1.5, title: 'Of  c.'}}}, d: {}}}\n";
        registry.add_schema_as("asdf://x.org/s", schema).unwrap();
        let made = minimal(&registry, Version::new(1, 6, 0), "asdf://x.org/s").unwrap();
        let listed: Vec<_> = made
            .optional
            .iter()
            .map(|one| (one.path.as_str(), one.key.as_str(), one.default.as_deref(), one.title.as_deref()))
            .collect();
        assert_eq!(listed, [("/a", "c", Some("1.5"), Some("Of c.")), ("", "d", None, None)]);
    }

    /// The value of every tag that has a schema is valid.
    #[test]
    fn values_of_all_tags_are_valid() {
        let registry = Registry::standard();
        let validator = Validator::standard();
        let (mut wrong, mut count) = (Vec::new(), 0);
        for tag in registry.tags() {
            count += 1;
            let mut file = File::new();
            let result = minimal(&registry, Version::new(1, 6, 0), tag).and_then(|made| {
                let tree = file.tree_mut();
                let id = tree.graft(made.node.view())?;
                tree.edit("/value").set(id)
            });
            let report = validator.validate_tree(file.tree());
            match (result, report.violations().first()) {
                (Err(error), _) => wrong.push(format!("{tag}: {error}")),
                (_, Some(violation)) => wrong.push(format!("{tag}: {violation}")),
                _ => {}
            }
        }
        assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
        assert!(count > 300 && registry.tags().iter().any(|tag| tag.starts_with(ASDF_TAG)));
    }
}
