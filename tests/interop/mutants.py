"""Makes trees to validate: the examples of published schemas, trees made from schemas without examples, and mutants of
both.

All are nodes of PyYAML, so that tags stay as in the text.
"""

import yaml
from asdf.generic_io import resolve_uri
from asdf.util import uri_match
from yaml import MappingNode, ScalarNode, SequenceNode

CORE = "tag:yaml.org,2002:"
HEAD = "%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n---\n"


def scalar(value, kind="str"):
    return ScalarNode(CORE + kind, value)


def mapping(pairs, tag=CORE + "map"):
    return MappingNode(tag, pairs, flow_style=False)


def sequence(items, tag=CORE + "seq"):
    return SequenceNode(tag, items, flow_style=True)


def parsed(text):
    """Returns the node of a text; None if it is not YAML."""
    return yaml.compose(HEAD + text, Loader=yaml.CSafeLoader)


def file(node):
    """Makes a whole file from a node."""
    tree = yaml.serialize(
        node, Dumper=yaml.CSafeDumper, explicit_start=True, explicit_end=True, version=(1, 1), allow_unicode=True
    )
    return "#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n" + tree


def copy(node):
    """Returns a copy without aliases, so that a mutation changes only one place."""
    if isinstance(node, MappingNode):
        return MappingNode(node.tag, [(copy(k), copy(v)) for k, v in node.value], flow_style=node.flow_style)
    if isinstance(node, SequenceNode):
        return SequenceNode(node.tag, [copy(item) for item in node.value], flow_style=node.flow_style)
    return ScalarNode(node.tag, node.value, style=node.style)


def places(node):
    """Yields every value below a node, its parent, and its place in the parent."""
    if isinstance(node, ScalarNode):
        return
    for i, item in enumerate(node.value):
        if isinstance(node, SequenceNode):
            yield item, node, i
            yield from places(item)
        else:
            yield item[1], node, i
            yield from places(item[1])


def replace(parent, i, node):
    parent.value[i] = (parent.value[i][0], node) if isinstance(parent, MappingNode) else node


# The values of other types that replace a value.
OTHERS = [
    ("null", "null"), ("true", "bool"), ("no", "bool"), ("5", "int"), ("-1", "int"), ("0x1F", "int"),
    ("1:30", "int"), ("2.5", "float"), ("1.0", "float"), (".nan", "float"), ("-.inf", "float"), ("text", "str"),
    ("", "str"), ("1e3", "str"), ("2026-11-22", "timestamp"), ("2026-11-22T01:02:03", "timestamp"), ("5", "str"),
    ("float64", "str"), ("little", "str"), ("m", "str"),
]  # fmt: skip
# The numbers that replace a number.
NUMBERS = [
    ("0", "int"), ("-1", "int"), ("-1000000", "int"), ("1000000", "int"), ("9223372036854775807", "int"),
    ("9223372036854775808", "int"), ("-9223372036854775809", "int"), ("1.0e+300", "float"), ("-1.0e-300", "float"),
    (".inf", "float"), ("0.5", "float"), ("-0.0", "float"), ("90", "int"), ("360.5", "float"),
]  # fmt: skip


def drop(rng, node, parent, i, tags):
    del parent.value[i]


def rename(rng, node, parent, i, tags):
    if not isinstance(parent, MappingNode):
        return True
    key = parent.value[i][0]
    name = rng.choice([key.value + "s", key.value[:-1], key.value.upper(), key.value[1:] + key.value[:1]])
    parent.value[i] = (ScalarNode(CORE + "str", name), parent.value[i][1])


def rekey(rng, node, parent, i, tags):
    """Returns a key that is not a string, or an unknown key."""
    if not isinstance(parent, MappingNode):
        return True
    key = rng.choice([("1", "int"), ("true", "bool"), ("2.5", "float"), ("null", "null"), ("unheard_of", "str")])
    parent.value.append((scalar(*key), copy(node)))


def retype(rng, node, parent, i, tags):
    kind = rng.randrange(8)
    if kind == 0:
        new = sequence([scalar(*rng.choice(OTHERS)) for _ in range(rng.randrange(4))])
    elif kind == 1:
        new = mapping([(scalar(rng.choice(["a", "x", "name", "data"])), scalar(*rng.choice(OTHERS)))])
    elif kind == 2:
        new = rng.choice([sequence([copy(node)]), mapping([])])
    else:
        new = scalar(*rng.choice(OTHERS))
    replace(parent, i, new)


def revalue(rng, node, parent, i, tags):
    if isinstance(node, SequenceNode):
        if node.value and rng.randrange(2):
            node.value.append(copy(rng.choice(node.value)))
        else:
            node.value[:] = node.value[: rng.randrange(len(node.value) + 1)]
    elif isinstance(node, MappingNode):
        return True
    elif node.tag in (CORE + "int", CORE + "float"):
        replace(parent, i, scalar(*rng.choice(NUMBERS)))
    else:
        text = rng.choice([node.value + "x", node.value.upper(), node.value[:-1], node.value + "\n", " " + node.value])
        replace(parent, i, ScalarNode(node.tag if not node.tag.startswith(CORE) else CORE + "str", text, style='"'))


def retag(rng, node, parent, i, tags):
    own = CORE + ("map" if isinstance(node, MappingNode) else "seq" if isinstance(node, SequenceNode) else "str")
    name, _, version = node.tag.rpartition("-")
    choices = [own, rng.choice(tags), "tag:nobody.org:thing-1.0.0"]
    if name:
        choices += [f"{name}-9.0.0", f"{name}-{version[:-1]}1", rng.choice([t for t in tags if t.startswith(name)] or [own])]
    new = copy(node)
    new.tag = rng.choice(choices)
    replace(parent, i, new)


def refer(rng, node, parent, i, tags):
    replace(parent, i, mapping([(scalar("$ref"), scalar("other.asdf#/a"))]))


KINDS = {
    "dropped": drop, "renamed": rename, "retyped": retype, "out of range": revalue, "retagged": retag,
    "with a strange key": rekey, "referred to": refer,
}  # fmt: skip
WEIGHTS = [4, 3, 6, 6, 5, 2, 1]


def mutant(rng, node, tags):
    """Returns a copy of a node with one change, and a description of the change."""
    new = mapping([(scalar("example"), copy(node))])
    for _ in range(20):
        value, parent, i = rng.choice(list(places(new)))
        if parent is new and rng.random() < 0.8:
            continue
        kind = rng.choices(list(KINDS), WEIGHTS)[0]
        if kind in ("dropped", "renamed", "with a strange key") and parent is new:
            continue
        if not KINDS[kind](rng, value, parent, i, tags):
            return kind, new.value[0][1]
    return "retyped", scalar("5", "int")


class Maker:
    """Makes trees from schemas: the required properties and some others, each of its type."""

    def __init__(self, rng, load, tags):
        """`load` returns a schema by its id, and `tags` maps tags to schemas."""
        self.rng, self.load, self.tags = rng, load, tags

    def tagged(self, tag, depth=0):
        schema = self.tags[tag]
        node = self.made(self.load(schema), schema, depth)
        node.tag = tag
        return node

    def resolved(self, reference, base):
        base, _, fragment = resolve_uri(base, reference).partition("#")
        schema = self.load(base)
        for step in fragment.split("/")[1:]:
            if "$ref" in schema:
                schema, base = self.resolved(schema["$ref"], base)
            schema = schema[int(step) if isinstance(schema, list) else step.replace("~1", "/").replace("~0", "~")]
        return schema, base

    def made(self, schema, base, depth):
        """Returns a node that the schema allows in most cases."""
        if not isinstance(schema, dict) or depth > 12:
            return scalar("text")
        if "$ref" in schema:
            return self.made(*self.resolved(schema["$ref"], base), depth + 1)
        if "tag" in schema:
            known = [tag for tag in self.tags if uri_match(schema["tag"], tag)]
            if "ndarray" in schema["tag"]:
                return self.array(schema)
            if known:
                return self.tagged(known[-1], depth + 1)
            if not schema["tag"].startswith(CORE):
                return mapping([], schema["tag"].replace("*", "1.0.0"))
        parts = [self.made(part, base, depth + 1) for part in schema.get("allOf", []) if "not" not in part]
        for several in ("anyOf", "oneOf"):
            if several in schema:
                parts.append(self.made(self.rng.choice(schema[several]), base, depth + 1))
        own = self.own(schema, base, depth)
        if own is not None:
            parts.append(own)
        maps = [part for part in parts if isinstance(part, MappingNode)]
        if not maps:
            return parts[-1] if parts else scalar("text")
        members = {key.value: (key, value) for part in maps for key, value in part.value}
        tag = next((part.tag for part in maps if not part.tag.startswith(CORE)), CORE + "map")
        return mapping(list(members.values()), tag)

    def own(self, schema, base, depth):
        """Returns a node for the schema's own keywords."""
        if "enum" in schema:
            return plain(self.rng.choice(schema["enum"]))
        kind = schema.get("type")
        kind = kind[0] if isinstance(kind, list) else kind
        if kind == "object" or "properties" in schema:
            wanted = schema.get("required", [])
            wanted = wanted if isinstance(wanted, list) else []
            properties = schema.get("properties", {})
            names = [n for n in properties if n in wanted or (depth < 3 and self.rng.random() < 0.2)]
            return mapping([(scalar(name), self.made(properties[name], base, depth + 1)) for name in names])
        if kind == "array":
            items = schema.get("items", {})
            if isinstance(items, list):
                return sequence([self.made(item, base, depth + 1) for item in items])
            count = max(schema.get("minItems", 1), min(schema.get("maxItems", 1), 1))
            return sequence([self.made(items, base, depth + 1) for _ in range(min(count, 20))])
        if kind in ("integer", "number"):
            least = schema.get("minimum", 1 if schema.get("maximum", 1) >= 1 else schema["maximum"])
            return scalar(str(int(least)), "int") if kind == "integer" else scalar(repr(float(least)), "float")
        if kind == "string":
            return scalar(("text" * 99)[: max(schema.get("minLength", 4), 1)])
        return {"boolean": scalar("true", "bool"), "null": scalar("null", "null")}.get(kind)

    def array(self, schema):
        datatype = schema.get("datatype", "float64")
        shape = sequence([scalar("2", "int")] * int(schema.get("ndim", schema.get("max_ndim", 1))))
        pairs = {"source": scalar("0", "int"), "datatype": plain(datatype), "byteorder": scalar("little"), "shape": shape}
        return mapping([(scalar(key), value) for key, value in pairs.items()], "tag:stsci.edu:asdf/core/ndarray-1.1.0")


def plain(value):
    """Returns the node for a value in a schema."""
    return yaml.SafeDumper(None).represent_data(value) if not isinstance(value, str) else scalar(value)
