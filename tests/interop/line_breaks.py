"""Checks NEL, LS and PS (U+0085, U+2028, U+2029) in strings that Python's asdf writes.

They are line breaks in YAML 1.1, and ordinary characters in YAML 1.2. asdf uses the dumper of libyaml. It writes NEL as an
escape, always in double quotes. It writes LS and PS raw, except in double quotes, and puts the indentation of the next line
after them, as after a line feed. We read all of them like libyaml, also in handwritten text.

usage: line_breaks.py FOLDER_OF_PROGRAMS
"""

import collections
import json
import pathlib
import sys
import tempfile

import yaml
from asdf.yamlutil import AsdfDumper

import both
import loaders
import typed

BREAKS = {"NEL": "\x85", "LS": "\u2028", "PS": "\u2029"}
FORMS = ["%", "%%", "a%", "%a", "a%b", "a %b", "a% b", "a%%b", "a\n%b", "a%\nb", "a%b: c", "é%'\"%", "a%\tb", "a%b\n"]
# None is the style that asdf chooses for a string. The others are the styles of a `TaggedString`.
STYLES = {"any": None, "single": "'", "double": '"', "literal": "|", "folded": ">"}
PLACES = {
    "root": lambda text: text,
    "value": lambda text: {"k": text, "l": [1]},
    "deep": lambda text: {"a": {"b": [{"k": text, "l": [[], [1, [2]]]}]}},
    "key": lambda text: {text: 1},
    "flow": lambda text: [[text, 1], {"k": text}],
}

# Texts with these line breaks outside of quotes. No dumper writes such texts.
WRITTEN = [
    "a: 1%b: 2%", "a: x # c%b: y", "a: x%  y", "a: x\n%  y", "a: x%%  y", "a: |%  x%  y%b: z", "a: |-\n  x%%  y\n",
    "a: |+\n  x%\n%", "a: >\n  x%  y%  z\n", "a: >\n%  x\n   y\n", "a:%  x", "- 'x%  y'%- \"z%  z\"", "[a,%b]",
]


def main(programs):
    cases = [
        (name, style, place, form.replace("%", char))
        for name, char in BREAKS.items()
        for style in STYLES
        for place in PLACES
        for form in FORMS
    ]
    counts = collections.defaultdict(collections.Counter)
    unknown = []
    written = 0
    with tempfile.TemporaryDirectory() as folder:
        texts = []
        for index, (_, style, place, text) in enumerate(cases):
            # Call it as asdf does.
            dump = {"Dumper": AsdfDumper, "explicit_start": True, "explicit_end": True, "allow_unicode": True}
            texts.append(yaml.dump(PLACES[place](text), default_style=STYLES[style], **dump))
            (pathlib.Path(folder) / str(index)).write_bytes(texts[-1].encode())
        others = [text.replace("%", char) for char in BREAKS.values() for text in WRITTEN]
        for index, text in enumerate(others):
            (pathlib.Path(folder) / f"text{index}").write_bytes(text.encode())
        ours = {case["name"]: case for case in map(json.loads, both.program(programs, "read_trees", folder).splitlines())}
    for index, text in enumerate(others):
        case = ours[f"text{index}"]
        same = case.get("value") == typed.typed(loaders.ALL["libyaml"](text))
        written += same
        if not same:
            unknown.append(f"{text!r}: {case}")
    for index, (name, style, place, text) in enumerate(cases):
        count = counts[name, style]
        count["written"] += 1
        made = typed.typed(PLACES[place](text))
        count["raw"] += BREAKS[name] in texts[index]
        for loader in ("libyaml", "pure Python"):
            count[loader] += typed.typed(loaders.ALL[loader](texts[index])) == made
        case = ours[str(index)]
        same = case.get("value") == made
        count["ours"] += same
        count["refused"] += "error" in case
        if not same:
            unknown.append(f"{name}, {style}, {place}, {text!r}: {texts[index]!r}: {case}")
    total = collections.Counter()
    for (name, style), count in counts.items():
        total.update(count)
        if count["libyaml"] < count["written"]:
            unknown.append(f"{name}, {style}: asdf reads {count['libyaml']} of {count['written']} as it wrote them")
        if "-v" in sys.argv:
            print(name, style, dict(count))
    print(*unknown[:10], sep="\n", end="\n" * bool(unknown))
    print(
        f"we read {total['ours']} of {total['written']} strings with NEL, LS or PS as Python's asdf wrote them, and "
        f"{written} of {len(BREAKS) * len(WRITTEN)} texts as libyaml does"
    )
    return bool(unknown)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
