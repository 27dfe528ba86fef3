"""Checks the table of scalars against PyYAML, with the loader of Python's asdf and with the pure Python parser.

usage: check_scalars.py TABLE
"""

import collections
import datetime
import json
import math
import pathlib
import sys

import loaders

HEAD = "%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n---\n"


def document(written):
    return HEAD + "- " + written.replace("⇥", "\t").replace("↵", "\n  ") + "\n...\n"


def meaning(value):
    """Formats a value as in the table."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return f"bool {str(value).lower()}"
    if isinstance(value, int):
        return f"int {value}"
    if isinstance(value, float):
        return "float nan" if math.isnan(value) else f"float {value!r}"
    if isinstance(value, datetime.datetime):
        return f"timestamp {value.isoformat(timespec='microseconds')}"
    if isinstance(value, datetime.date):
        return f"timestamp {value.isoformat()}"
    if isinstance(value, (str, collections.UserString)):
        return f"str {json.dumps(str(value))}"
    if isinstance(value, list):
        return "seq"
    if isinstance(value, dict):
        return "map"
    raise TypeError(type(value))


def same(found, expected):
    kind, _, value = expected.partition(" ")
    if kind == "float":
        # Compare value and sign, because the table can spell a float in different ways.
        expected = meaning(float(value))
    if kind == "str":
        expected = meaning(json.loads(value))
    return found == expected


def read(load, written):
    try:
        (value,) = load(document(written))
    except Exception:
        return "error"
    return meaning(value)


def main(table):
    good = total = deliberate = 0
    for line in pathlib.Path(table).read_text().split("\n"):
        if not line or line.startswith("#"):
            continue
        written, ours, *reason = line.split(" | ")
        total += 1
        found = []
        if reason and (len(reason) != 2 or same(reason[0], ours)):
            found.append("a difference has what Python makes of it and why, and is one")
        expected = reason[0] if reason else ours
        deliberate += bool(reason)
        for name, load in loaders.ALL.items():
            value = read(load, written)
            if not same(value, expected):
                found.append(f"{name} reads {value}, not {expected}")
        for difference in found:
            print(f"{written!r}: {difference}")
        good += not found
    print(f"PyYAML reads {good} of {total} scalars as in the table, {deliberate} of them differently from us on purpose")
    return good < total or total == 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
