"""Compares the output of `asdf query` with jq on the same trees. jq must be installed."""

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAM = sys.argv[1] + "/asdf"
JQ = shutil.which("jq")

TREES = [
    {"name": "M31", "list": [3, 1, 2], "deep": {"b": [{"x": 1}, {"x": None}], "a": "é\n"}, "on": True},
    {"name": "NGC 205", "list": [], "deep": {}, "on": False, "n": 2.5},
]
FILTERS = [
    [".name"], ["-r", ".name, .list[]"], ["-j", ".name, .list[], 1"], ["-c", "."], ["-S", "-c", "."],
    ["-n", "1 + 1"], ["-n", "-c", "[inputs.name]"], ["-n", "input.name, input.name"], ["-c", "[.name, input.name]"],
    ["-n", "-c", "reduce inputs as $t ([]; . + $t.list)"], ["-s", "-c", "map(.name)"], ["-n", "-s", "input | length"],
    ["--raw-output0", ".name"], ["-c", "$__loc__"], ["-n", "-c", "\n$__loc__, \"\\($__loc__.line)\""],
    ["-c", "--arg", "x", "1", "[$x, .n]"], ["-c", "--argjson", "x", "{\"y\": 2}", "$x.y"],
    ["-e", ".on"], ["-e", "empty"], ["-r", "[.name, .on, null] | @csv, @tsv"], ["-c", "[paths] | length"],
    ["-c", "to_entries | map(.key)"], ["-c", ".deep | tojson"], ["-r", ".name | test(\"^M\")"],
    ["-c", "first(inputs).name"], ["-c", "[limit(2; .list[])]"], ["-c", ".list | sort | [min, max, add]"],
]


def run(*arguments):
    done = subprocess.run([*map(str, arguments)], capture_output=True)
    return done.stdout, done.returncode


if JQ is None:
    sys.exit("the tests of `asdf query` need jq: install it, for example with `apt-get install jq`")
with tempfile.TemporaryDirectory() as name:
    ours, theirs = [], []
    for number, tree in enumerate(TREES):
        path = Path(name) / f"{number}"
        # JSON is YAML.
        header = "#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n---\n"
        path.with_suffix(".asdf").write_text(f"{header}{json.dumps(tree)}\n...\n")
        path.with_suffix(".json").write_text(json.dumps(tree))
        ours.append(path.with_suffix(".asdf"))
        theirs.append(path.with_suffix(".json"))
    for words in FILTERS:
        found = run(PROGRAM, "query", *words[:-1], *ours, words[-1])
        expected = run(JQ, *words, *theirs)
        if expected == (b"", 2) and "--raw-output0" in words:
            # jq 1.6 does not support this.
            continue
        # jq exits with 4 if there is no value.
        if (found[0], min(found[1], 1)) != (expected[0], min(expected[1], 1)):
            sys.exit(f"asdf query {words}: found {found}, expected {expected}")
print(f"{len(FILTERS)} filters have the same output as in jq")
