"""Writes random trees with PyYAML, in many styles, and checks that this project reads them as PyYAML does.

usage: write_trees.py FOLDER_OF_PROGRAMS [COUNT [SEED]]
"""

import collections
import datetime
import json
import math
import pathlib
import random
import sys
import tempfile

import yaml
from asdf.yamlutil import AsdfDumper

import both
import loaders
import typed

PIECES = (
    "a|b|word|two words| |  |\t|\n|\n\n|\n \n|\r|\r\n|\0|\x01|\x07|\x1b|\x7f|\x80|\x9f|\xa0|\ufeff|\ufffd|\ufffe|é|😀|日本語"
    "|e\u0301|'|\"|\\|:|: | :|#| #|# |-|- |---|...|\n---\n|\n...\n|?|? |? x|,|, |[|]|{|}|&a|*a|!|!!str|>|%|@|`|=|<<|~"
    "|null|yes|NO|off|y|true|5|-5|0777|0o7|08|0x1F|1_0|1:30|1:99|1.5|-.5|.5|1e3|1.0e+3|.inf|.nan|2001-01-01"
    "|2001-12-14 21:59:43.10 -5|http://example.com/?q=1#top|a: b|a #b|key:|- item|%41|/~0"
).split("|") + ["|", "|-"]
# With `allow_unicode` PyYAML writes these raw and reads them as line breaks. line_breaks.py tests them.
BREAKS = ["\x85", "\u2028", "\u2029"]
FLOATS = [0.0, -0.0, 1.0, 0.1, 1e15, 1e16, 1e22, 1e-5, 5e-324, sys.float_info.max, math.inf, -math.inf, math.nan]
STYLES = {
    "Dumper": [yaml.SafeDumper, yaml.CSafeDumper, AsdfDumper],
    "default_flow_style": [None, True, False],
    "default_style": [None, None, None, '"', "'", "|", ">"],
    "allow_unicode": [True, False],
    "width": [None, 5, 20, 80, 1000],
    "indent": [None, 2, 4, 9],
    "sort_keys": [True, False],
    "canonical": [None, None, None, True],
    "line_break": [None, None, "\n", "\r\n", "\r"],
    "explicit_start": [True, False],
    "explicit_end": [None, True],
    "version": [None, (1, 1)],
    "tags": [None, {"!": "tag:stsci.edu:asdf/", "!e!": "asdf://example.com/"}],
}


class Maker:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.style = {name: self.random.choice(values) for name, values in STYLES.items()}
        if self.style["Dumper"] is AsdfDumper:
            del self.style["default_flow_style"]
        self.pieces = PIECES if self.style["allow_unicode"] else PIECES + BREAKS
        self.made = []
        self.left = 40

    def node(self, depth=0):
        self.left -= 1
        if self.made and self.random.random() < 0.05:
            return self.random.choice(self.made)
        if self.left > 0 and depth < 40 and self.random.random() < (0.9 if depth == 0 else 0.45):
            return self.collection(depth)
        return self.scalar()

    def collection(self, depth):
        count = self.random.choice([0, 1, 1, 2, 3, 5, 12])
        kind = self.random.randrange(10)
        if kind == 0:
            made = set(self.keys(count))
        elif kind < 5:
            made = []
            self.made.append(made)
            made.extend(self.node(depth + 1) for _ in range(count))
        else:
            # Only asdf's dumper supports ordered mappings.
            ordered = kind == 5 and self.style["Dumper"] is AsdfDumper
            made = collections.OrderedDict() if ordered else {}
            self.made.append(made)
            made.update((key, self.node(depth + 1)) for key in self.keys(count))
        return made

    def keys(self, count):
        # Use keys of one kind, because mixed keys cannot be sorted.
        of = self.random.choice([self.text, self.text, self.text, self.integer])
        keys = [of() for _ in range(count)]
        return sorted(keys) if self.style["sort_keys"] else keys

    def scalar(self):
        return self.random.choice([self.text] * 6 + [self.integer, self.float, self.time, self.other])()

    def integer(self):
        return self.random.randrange(-(10 ** (n := self.random.choice([1, 3, 18, 19, 40, 200]))), 10**n)

    def float(self):
        return self.random.choice(FLOATS + [self.random.random() * 10.0 ** self.random.randrange(-300, 300)])

    def time(self):
        zones = [None, datetime.timezone.utc, datetime.timezone(datetime.timedelta(hours=-5, minutes=-30))]
        micros = self.random.choice([0, 5, 123456])
        moment = datetime.datetime(2001, 12, 14, 1, 2, 3, micros, self.random.choice(zones))
        return self.random.choice([moment, moment.date()])

    def other(self):
        return self.random.choice([None, True, False, self.random.randbytes(self.random.choice([0, 1, 2, 100]))])

    def text(self):
        text = "".join(self.random.choices(self.pieces, k=self.random.choice([0, 1, 1, 1, 2, 2, 3, 4, 6, 9])))
        if self.random.random() < 0.02:
            text *= self.random.choice([30, 130, 1100]) // max(len(text), 1) + 1
        return text


def write(seeds, folder):
    """Writes the trees; gives what each one is, in PyYAML's eyes too."""
    for seed in seeds:
        maker = Maker(seed)
        tree = maker.node()
        text = yaml.dump(tree, **maker.style)
        try:
            (folder / str(seed)).write_bytes(text.encode())
        except UnicodeEncodeError:
            continue
        style = {name: getattr(value, "__name__", value) for name, value in maker.style.items() if value is not None}
        yield str(seed), style, text, typed.normal(typed.typed(tree))


def main(programs, count="2000", seed="1"):
    good = total = unread = lost = 0
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        cases = list(write(range(int(seed), int(seed) + int(count)), folder))
        ours = {case["name"]: case for case in map(json.loads, both.program(programs, "read_trees", folder).splitlines())}
    for name, style, text, made in cases:
        try:
            # What PyYAML reads is what we are held to; where that is not what it wrote, it says so below.
            expected = typed.normal(typed.typed(loaders.ALL["libyaml"](text)))
        except Exception:
            unread += 1
            continue
        total += 1
        lost += bool(typed.difference(expected, made))
        case = ours[name]
        found = case.get("error") or typed.difference(typed.normal(case["value"]), expected)
        if found:
            print(f"seed {name}: {found} {style}")
        good += not found
    print(f"we read {good} of {total} random trees that PyYAML wrote like PyYAML")
    print(f"  (PyYAML itself cannot read {unread} more, and reads {lost} with other contents than it wrote)")
    return good < total or total < int(count) / 2


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
