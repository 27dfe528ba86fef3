"""What becomes of NEL, LS and PS (U+0085, U+2028, U+2029) in strings that Python's asdf writes.

YAML 1.1 has them as line breaks, YAML 1.2 as characters like others. asdf's dumper, which is libyaml's, writes
NEL as an escape, always in double quotes. LS and PS it writes raw, except in double quotes, and puts the next
line's indentation after them, as after a line feed. libyaml takes that indentation away again; so do we in single
quotes, which is where a string of no other style goes, but not in block scalars. That is what KNOWN lists, and
nothing else may be different.

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
# None is what asdf gives a string; the others are those of a `TaggedString` of that style.
STYLES = {"any": None, "single": "'", "double": '"', "literal": "|", "folded": ">"}
PLACES = {
    "root": lambda text: text,
    "value": lambda text: {"k": text, "l": [1]},
    "deep": lambda text: {"a": {"b": [{"k": text, "l": [[], [1, [2]]]}]}},
    "key": lambda text: {text: 1},
    "flow": lambda text: [[text, 1], {"k": text}],
}

# The character and the style: what our reading adds or refuses.
KNOWN = {
    (name, style): "the indentation behind the character is kept, or taken for too small"
    for name in ("LS", "PS")
    for style in ("literal", "folded")
}


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
    with tempfile.TemporaryDirectory() as folder:
        texts = []
        for index, (_, style, place, text) in enumerate(cases):
            # As asdf calls it.
            dump = {"Dumper": AsdfDumper, "explicit_start": True, "explicit_end": True, "allow_unicode": True}
            texts.append(yaml.dump(PLACES[place](text), default_style=STYLES[style], **dump))
            (pathlib.Path(folder) / str(index)).write_bytes(texts[-1].encode())
        ours = {case["name"]: case for case in map(json.loads, both.program(programs, "read_trees", folder).splitlines())}
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
        if not same and (name, style) not in KNOWN:
            unknown.append(f"{name}, {style}, {place}, {text!r}: {texts[index]!r}: {case}")
    total = collections.Counter()
    for (name, style), count in counts.items():
        total.update(count)
        if count["libyaml"] < count["written"]:
            unknown.append(f"{name}, {style}: asdf reads {count['libyaml']} of {count['written']} as it wrote them")
        if (name, style) in KNOWN and count["ours"] == count["written"]:
            unknown.append(f"{name}, {style}: is known to be different, and is not")
        if "-v" in sys.argv:
            print(name, style, dict(count))
    print(*unknown[:10], sep="\n", end="\n" * bool(unknown))
    print(
        f"we read {total['ours']} of {total['written']} strings with NEL, LS or PS as Python's asdf wrote them; "
        f"the others are known: {KNOWN[('LS', 'literal')]}"
    )
    return bool(unknown)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
