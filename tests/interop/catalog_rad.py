"""Compares the tables that the schemas of rad describe with those of `asdf catalog`, for catalog.py.

Schemas of rad assign values to columns of tables with `archive_catalog: {datatype, destination}`. This is an independent
reader of these schemas. It also makes a file for each tag, with a value for each annotation.
"""

import fnmatch
import importlib.resources
import json
import math
import random
import re

import yaml

KINDS = {"int": "int32", "smallint": "int16", "tinyint": "uint8", "bigint": "int64", "float": "float64", "real": "float32",
         "datetime2": "timestamp"}
TEXTS = ("nvarchar", "nchar", "varchar", "char")
TIME = "!<tag:stsci.edu:asdf/time/time-1.2.0> '2027-03-04T05:06:07.5'"


class Loader(yaml.CSafeLoader if hasattr(yaml, "CSafeLoader") else yaml.SafeLoader):
    """Reads schemas without times, which are texts in them."""


Loader.yaml_implicit_resolvers = {
    first: [pair for pair in pairs if not pair[0].endswith("timestamp")]
    for first, pairs in yaml.SafeLoader.yaml_implicit_resolvers.items()}


class Schemas:
    """The schemas and tags of rad."""

    def __init__(self):
        folder = importlib.resources.files("rad") / "resources"
        self.by_id, self.of_tag = {}, {}
        for path in sorted((folder / "schemas").rglob("*.yaml")):
            schema = yaml.load(path.read_text(), Loader)
            self.by_id[schema["id"]] = schema
        for path in sorted((folder / "manifests").glob("*.yaml")):
            for tag in yaml.load(path.read_text(), Loader)["tags"]:
                self.of_tag[tag["tag_uri"]] = tag["schema_uri"]
        self.known = {}

    def newest(self, pattern):
        """Returns the newest tag that matches a pattern."""
        def version(tag):
            return [int(number) for number in tag.rsplit("-", 1)[1].split(".")]

        return max(fnmatch.filter(self.of_tag, pattern), key=version, default=None)

    def parts(self, schema, base, inner):
        """Lists all schemas for one value: those of references, combinations and tags too."""
        found, pending, seen = [], [(schema, base)], set()
        while pending:
            schema, base = pending.pop(0)
            if id(schema) in seen or not isinstance(schema, dict):
                continue
            seen.add(id(schema))
            found.append((schema, base))
            if "$ref" in schema:
                target, _, pointer = schema["$ref"].partition("#")
                target = target or base
                # Schemas of the standard assign nothing.
                referred = self.by_id.get(target)
                for step in pointer.split("/")[1:] if referred else []:
                    referred = referred[step]
                pending.append((referred, target))
            for word in ("allOf", "anyOf", "oneOf"):
                pending.extend((one, base) for one in schema.get(word, []))
            tag = self.newest(schema["tag"]) if "tag" in schema else None
            if tag:
                inner.add(tag)
                pending.append((self.by_id[self.of_tag[tag]], self.of_tag[tag]))
        return found

    def walk(self, starts, inner, above=()):
        """Lists each annotation with its path, whether it is inside a list, and the schemas of its value."""
        place = tuple(id(schema) for schema, _ in starts)
        if place in above:
            return []
        if place in self.known:
            found, tags = self.known[place]
            inner |= tags
            return found
        tags = set()
        parts = []
        for schema, base in starts:
            parts.extend(part for part in self.parts(schema, base, tags) if all(part[0] is not one for one, _ in parts))
        found = [("", False, schema["archive_catalog"], parts) for schema, _ in parts if "archive_catalog" in schema]
        properties, items = {}, []
        for schema, base in parts:
            for name, value in schema.get("properties", {}).items():
                properties.setdefault(name, []).append((value, base))
            if isinstance(schema.get("items"), dict):
                items.append((schema["items"], base))
        for name, values in properties.items():
            step = "/" + name.replace("~", "~0").replace("/", "~1")
            found += [(step + path, *rest) for path, *rest in self.walk(values, tags, (*above, place))]
        if items:
            found += [("/*" + path, True, *rest) for path, _, *rest in self.walk(items, tags, (*above, place))]
        self.known[place] = found, tags
        inner |= tags
        return found

    def of_files(self):
        """Returns the annotations by the tags of files."""
        inner, by_tag = set(), {}
        for tag, uri in self.of_tag.items():
            by_tag[tag] = self.of_schema(uri, inner)
        # A tag that occurs in values of other tags says nothing about the root of a file.
        return {tag: notes for tag, notes in by_tag.items() if notes and tag not in inner}

    def of_schema(self, uri, inner):
        """Lists the annotations of a schema. The tags inside its value are added to `inner`."""
        return self.walk([(self.by_id[uri], uri)], inner)


def types_of(parts):
    """Returns the names of the types of a value, without null."""
    types = set()
    for schema, _ in parts:
        own = schema.get("type", [])
        types |= {own} if isinstance(own, str) else set(own)
    return types - {"null"} - ({"integer"} if "number" in types else set())


def kind_of(note, parts):
    """Returns the type of the column for an annotation."""
    name = note["datatype"].split("(")[0].strip()
    if name not in TEXTS:
        return KINDS[name]
    types = types_of(parts)
    if types == {"boolean"}:
        return "boolean"
    return "json" if types & {"array", "object"} or len(types) > 1 else "string"


def destinations(schema):
    """Lists all destinations in a schema, wherever they are."""
    if isinstance(schema, dict):
        # The schema of schemas has a property with this name.
        if "destination" in (schema.get("archive_catalog") or {}):
            yield from schema["archive_catalog"]["destination"]
        for value in schema.values():
            yield from destinations(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from destinations(value)


def sample(rng, note, parts, schemas):
    """Makes a value for an annotation, as YAML."""
    # Some texts have tags of their own, such as those of file names.
    tags = [tag for schema, _ in parts if "tag" in schema and (tag := schemas.newest(schema["tag"]))]
    value = untagged(rng, note, parts)
    if not tags or value == "null" or not (value.startswith('"') or value == TIME):
        return value
    return f"!<{tags[0]}> {value.removeprefix(TIME.split()[0])}"


def untagged(rng, note, parts):
    """Makes a value without a tag of rad."""
    if note["datatype"] == "datetime2":
        return TIME
    quantities = [schema for schema, _ in parts if schema.get("tag", "").startswith("tag:stsci.edu:asdf/unit/quantity-")]
    if quantities:
        (unit,) = quantities[0]["properties"]["unit"]["enum"]
        value = rng.randrange(1000) if note["datatype"] == "int" else rng.random()
        unit = f"!<tag:astropy.org:astropy/units/unit-1.0.0> '{unit}'"
        return f"!<tag:stsci.edu:asdf/unit/quantity-1.2.0> {{value: {value}, unit: {unit}}}"
    choices = [value for schema, _ in parts for value in schema.get("enum", [])]
    if choices:
        return json.dumps(rng.choice(choices), ensure_ascii=False)
    types = types_of(parts)
    kind = KINDS.get(note["datatype"].split("(")[0])
    # Some values are null.
    if rng.random() < 0.05:
        return "null"
    value = {
        "boolean": rng.random() < 0.5,
        "integer": rng.randrange(256 if kind == "uint8" else 2**15 if kind == "int16" else 2**31),
        "number": rng.choice([rng.random() * 1e5, rng.randrange(100), math.inf]) if kind == "float64" else rng.randrange(100),
        "array": [rng.random(), rng.random()],
        "object": {"α": [1, None]},
        "string": f"α {rng.randrange(10**6)}",
    }.get(rng.choice(sorted(types)) if types else "string")
    return ".inf" if value == math.inf else json.dumps(value, ensure_ascii=False)


def written(tree, indent):
    """Writes nested mappings of YAML."""
    lines = []
    for name, value in tree.items():
        key = json.dumps(name)
        lines += [f"{indent}{key}:", *written(value, indent + "  ")] if isinstance(value, dict) else [f"{indent}{key}: {value}"]
    return lines


def make(path, tag, notes, rng, schemas):
    """Makes a file with a value for each annotation outside of lists."""
    tree = {}
    for pointer, in_list, note, parts in notes:
        steps = [step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:]]
        if in_list or not steps:
            continue
        node = tree
        for step in steps[:-1]:
            node = node.setdefault(step, {})
            if not isinstance(node, dict):
                break
        if isinstance(node, dict):
            node.setdefault(steps[-1], sample(rng, note, parts, schemas))
    head = f"roman: !<{tag}>" if tag else "roman:"
    path.write_text("\n".join(["#ASDF 1.0.0", "#ASDF_STANDARD 1.6.0", "%YAML 1.1", "--- !<tag:stsci.edu:asdf/core/asdf-1.1.0>",
                               head, *(written(tree, "  ") or ["  {}"]), "...", ""]), encoding="utf-8")


def make_all(folder, by_tag, rng, schemas):
    """Makes a file for each tag, and returns the tags by path."""
    paths = {folder / f"r{number:03}.asdf": tag for number, tag in enumerate(sorted(by_tag))}
    for path, tag in paths.items():
        make(path, tag, by_tag[tag], rng, schemas)
    return paths


def at(tree, pointer):
    """Returns a value by its path, and whether there is one."""
    for step in pointer.split("/")[1:]:
        step = step.replace("~1", "/").replace("~0", "~")
        if not isinstance(tree, dict) or step not in tree:
            return None, False
        tree = tree[step]
    return tree, True


def judge(tools, folder):
    """Compares all tables. Returns the numbers of columns, of values that were left out, and of equal cells."""
    check = tools.check
    schemas, rng = Schemas(), random.Random(9)
    by_tag = schemas.of_files()
    with_tags = set(schemas.of_tag.values())
    without_tags = {uri: notes for uri in schemas.by_id if uri not in with_tags and (notes := schemas.of_schema(uri, set()))}
    everything = {name for schema in schemas.by_id.values() for name in destinations(schema)}
    tables = sorted({name.split(".")[0] for name in everything})
    source = folder / "rad"
    source.mkdir()
    paths = make_all(source, by_tag, rng, schemas)
    trees = {path: (tag, tools.read(path)[0]["roman"]) for path, tag in paths.items()}
    mapped = left_out = values = 0
    for table in tables:
        def of_table(notes):
            return [(name.split(".", 1)[1], *one) for one in notes for name in one[2]["destination"]
                    if name.split(".")[0] == table]

        columns, inside, places = {}, set(), {}
        tagged = {tag: own for tag, notes in by_tag.items() if (own := of_table(notes))}
        for own in tagged.values():
            for name, pointer, in_list, note, parts in own:
                (inside.add(name) if in_list else columns.setdefault(name, set()).add(kind_of(note, parts)))
        known = set(columns)
        for notes in without_tags.values():
            for name, pointer, in_list, note, parts in of_table(notes):
                if in_list:
                    inside.add(name)
                elif name not in known:
                    columns.setdefault(name, set()).add(kind_of(note, parts))
        missing = {name.split(".", 1)[1] for name in everything if name.split(".")[0] == table} - set(columns) - inside
        check(not missing, f"rad: {table}: this script did not find {missing}")
        shown = tools.output("--table", table, "--package", "rad", "--columns")
        found = {}
        for line in shown.splitlines():
            if match := re.fullmatch(r"(\w+): ([^,]+?)(?: in .*?)?, from (/.*?)(?:  # .*)?", line):
                found[match[1]] = match[2]
                places[match[1]] = match[3].split(" or ")
        left = set(re.findall(rf"^left out: {table}\.(\S+) at /\S+: \S.*$", shown, re.MULTILINE))
        check(set(found) == set(columns), f"rad: {table}: the columns {set(found) ^ set(columns)} differ")
        check(left == inside, f"rad: {table}: left out {left ^ inside} differ")
        for name, kinds in columns.items():
            kind = next(iter(kinds)) if len(kinds) == 1 else "json"
            numbers = [one for one in ("uint8", "int16", "int32", "int64", "float32", "float64") if one in kinds]
            if len(kinds) > 1 and len(numbers) == len(kinds):
                kind = numbers[-1]
            check(found.get(name) == kind, f"rad: {table}.{name} is {found.get(name)}, expected {kind}")
        mapped += len(columns)
        left_out += len(inside)
        catalogue = folder / f"rad-{table}.parquet"
        tools.catalog(source, "-o", catalogue, "--table", table, "--package", "rad")
        cells = tools.cells(tools.table(catalogue))
        if not check(cells["_file"] == [str(path) for path in trees], f"rad: {table}: other files"):
            continue
        names = {tag.rsplit("-", 1)[0] for tag in tagged}
        for row, (path, (tag, tree)) in enumerate(trees.items()):
            problems = set()
            own = {}
            for name, pointer, in_list, *_ in tagged.get(tag, []):
                if not in_list:
                    own.setdefault(name, []).append(pointer)
            for name in columns:
                # Other versions of the tag can have the value at other paths.
                others = places.get(name, []) if tag.rsplit("-", 1)[0] in names else []
                candidates = [value for pointer in own.get(name, others) for value, exists in [at(tree, pointer)] if exists]
                cell, kind = cells[name][row], found.get(name)
                good, value = not candidates and cell is None, None
                for value in candidates:
                    try:
                        fitted = tools.fit(value, kind)
                    except tools.Misfit:
                        fitted = None
                        problems.add(name)
                    if kind == "json" and fitted is not None:
                        good |= isinstance(cell, str) and tools.same_json(json.loads(cell), fitted)
                    else:
                        good |= tools.same(cell, fitted)
                check(good, f"rad: {table}.{name} of {tag} is {cell!r}, expected {value!r}")
                values += good and bool(candidates)
            told = len(cells["_problems"][row] or [])
            check(told == len(problems), f"rad: {table} of {tag}: {cells['_problems'][row]}, expected {sorted(problems)}")
    return mapped, left_out, values
