"""Runs the JSON Schema test suite, draft 4, through `asdf validate`.

usage: json_schema_suite.py FOLDER_OF_PROGRAMS

The suite is part of Python's asdf, so its version is that of the pinned asdf. Each datum is a property of a tagged
mapping, and the tag's schema refers to its schema. If our verdict differs, it must be for one of the REASONS below.
"""

import json
import pathlib
import re
import sys
import tempfile
from collections import Counter

import asdf
import verdicts
import yaml

SUITE = pathlib.Path(asdf.__file__).parent / "_jsonschema/json"
URI = "asdf://example.org/suite/"

# A pattern for the file, group and test as one text, and the reason why our verdict differs from the suite's.
REASONS = [
    ("^optional/format/", "formats are not checked, as in Python's asdf"),
    ("ref overrides any sibling keywords", "keywords next to $ref apply, as in Python's asdf"),
    (r"^ref: property named \$ref", "a mapping with the key $ref is a reference, and fits every schema"),
]


def cases():
    """Yields `(name, schema, data, valid)`."""
    tests = SUITE / "tests/draft4"
    for path in sorted(tests.rglob("*.json")):
        for group in json.loads(path.read_text()):
            for test in group["tests"]:
                name = f"{path.relative_to(tests).with_suffix('')}: {group['description']}: {test['description']}"
                yield name, group["schema"], test["data"], test["valid"]


def dumped(value):
    return yaml.dump(value, Dumper=Plain, allow_unicode=True, sort_keys=False)


class Plain(yaml.SafeDumper):
    """A dumper without aliases, because two equal values of a case are two values."""

    def ignore_aliases(self, data):
        return True


def main(programs):
    found, numbers = [], {}
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        schemas, files = folder / "schemas", folder / "files"
        schemas.mkdir(), files.mkdir()
        for path in sorted((SUITE / "remotes").rglob("*.json")):
            at = str(path.relative_to(SUITE / "remotes"))
            if not at.startswith("draft") and isinstance(remote := json.loads(path.read_text()), dict):
                (schemas / f"remote{len(list(schemas.iterdir()))}.yaml").write_text(
                    dumped(remote | {"id": f"http://localhost:1234/{at}"})
                )
        tags = []
        for i, (name, schema, data, valid) in enumerate(cases()):
            key = json.dumps(schema)
            number = numbers.setdefault(key, len(numbers))
            if number == len(tags):
                uri = f"{URI}{number}"
                inner = schema.get("id") or f"{uri}/inner"
                (schemas / f"{number}.yaml").write_text(dumped({"id": inner, **schema}))
                wrap = {"id": uri, "properties": {"data": {"$ref": inner.rstrip("#")}}}
                (schemas / f"{number}-wrap.yaml").write_text(dumped(wrap))
                tags.append({"tag_uri": f"{URI}tags/{number}", "schema_uri": uri})
            text = dumped({"data": data})
            head = f"#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n--- !<{URI}tags/{number}>\n"
            (files / f"{i}.asdf").write_text(f"{head}{text}...\n")
            found.append((name, valid, schema, data))
        (schemas / "manifest.yaml").write_text(dumped({"id": f"{URI}manifest", "tags": tags}))
        ours = verdicts.ours_says(programs, files, [schemas], "--no-blocks")
    agree, listed, wrong = 0, Counter(), 0
    for i, (name, valid, schema, data) in enumerate(found):
        # The standard has a separate rule for large integers.
        said = [one for one in ours[str(files / f"{i}.asdf")] if one[0][0] in "SF"]
        if valid == (not said):
            agree += 1
        elif why := next((why for pattern, why in REASONS if re.search(pattern, name)), None):
            listed[why] += 1
        else:
            wrong += 1
            print(f"{name}: ours {said or 'valid'}\n  {json.dumps(schema)[:300]}\n  {json.dumps(data)[:200]}")
    for why, count in listed.most_common():
        print(f"  {count} known differences: {why}")
    print(f"JSON Schema test suite, draft 4: {agree} of {len(found)} agree, {listed.total()} known differences, {wrong} others")
    return wrong > 0 or not found


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
