"""Compares Python's asdftool and our program on the same files. The results must be equal if asdftool is right. For each
fault of asdftool, a row of asdf-cli/asdftool.md, it checks what both programs do.

usage: asdftool.py FOLDER_OF_PROGRAMS [FOLDER_OF_FILES]
"""

import contextlib
import io
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import warnings

import asdf
import numpy as np
from asdf._commands.main import main_from_args

import both
import write_for_us


def theirs(*arguments):
    """Runs asdftool. Returns the exit code, standard output, other output, and the exception that ended it."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            code = main_from_args([str(argument) for argument in arguments])
        except SystemExit as end:
            code = end.code
        except Exception as error:
            return "traceback", out.getvalue(), f"{type(error).__name__}: {error}"
    return code or 0, out.getvalue(), err.getvalue()


def alone(*arguments):
    """Runs asdftool in its own process, for commands that keep their own reference to standard output."""
    program = pathlib.Path(sys.executable).with_name("asdftool")
    return subprocess.run([program, *map(str, arguments)], capture_output=True, text=True)


def printing(*arguments):
    return alone(*arguments).stdout


class Ours:
    def __init__(self, folder):
        self.program = pathlib.Path(folder).resolve() / "asdf"

    def __call__(self, *arguments, **environment):
        command = [str(self.program), *map(str, arguments)]
        done = subprocess.run(command, capture_output=True, text=True, env=os.environ | environment)
        return done.returncode, done.stdout, done.stderr


def read(path):
    """Reads a file with Python's asdf, ignoring warnings. Returns the tree without its writer, and the arrays."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with asdf.open(path, lazy_load=False) as file:
            arrays = {}
            tree = both.plain(file.tree, "", arrays, set())
    return {key: value for key, value in tree.items() if key not in ("asdf_library", "history")}, arrays


def same(one, other):
    return both.differences(read(one), read(other))


# Files to run the commands on.


def makes(folder):
    """Makes files of many kinds."""
    for name, tree, options in write_for_us.trees():
        if name != "large":
            asdf.AsdfFile(tree).write_to(folder / f"{name}.asdf", **options)
    shared = {"x": [1, 2.5, "three", None, True]}
    image = np.arange(12, dtype="f4").reshape(3, 4)
    tree = {
        "meta": {"name": "M31", "exposure time": 12.5, "list": [1, 2, 3], "deep": {"a": {"b": {"c": "found"}}}},
        "again": [shared, shared],
        "image": image,
        "complex": 1 + 2j,
        "unicode": "é ☃ 😀",
        "é": 1,
    }
    file = asdf.AsdfFile(tree)
    file.add_history_entry("made here")
    file.write_to(folder / "many.asdf", all_array_compression="zlib")
    asdf.AsdfFile({"a": 1, "b": ["x", {"c": 2}]}).write_to(folder / "plain.asdf")
    parts = folder / "parts.asdf"
    asdf.AsdfFile({"data": image, "text": "part"}).write_to(parts)
    asdf.AsdfFile({"own": {"$ref": "#/v"}, "v": {"w": 5}, "far": {"$ref": "parts.asdf#/data"}}).write_to(
        folder / "refers.asdf"
    )


# Commands that write files.


def written(ours, path, folder, wrong, codecs):
    """Runs commands that write another file with both programs, and compares the files as Python reads them. Data that
    asdftool loses is added to `wrong`."""
    found = []

    def compare(what, name, *arguments):
        own, other = folder / f"ours_{name}", folder / f"theirs_{name}"
        if theirs(*arguments, "-o", other)[0] != 0:
            return None
        code, _, err = ours(*arguments, "-f", "-o", own)
        if code:
            # asdftool drops blocks that no array refers to, and gives damaged data a matching checksum.
            kept = what == "to_yaml" and "blocks that no array refers to" in err
            if not kept and "checksum mismatch" not in err:
                found.append(f"{what}: asdftool can, ours says {err.strip()}")
            return None
        # If asdftool kept the data, Python must read the same from our file. Otherwise use our own `diff`.
        right = not same(path, other) or ("-r" in arguments and f"{path.name}: implode" not in wrong)
        if right:
            found.extend(f"{what}: {difference}" for difference in same(other, own))
        else:
            wrong.append(f"{path.name}: {what}")
        if "-r" not in arguments:
            code, text, err = ours("diff", "-i", "/asdf_library", "-i", "/history", path, own)
            found.extend(f"{what}: {line}" for line in (text + err).splitlines() if code)
        return own, other

    exploded = compare("explode", "exploded.asdf", "explode", path)
    if exploded:
        # Each program implodes the files that the other exploded.
        for name, one in zip(("ours", "theirs"), exploded):
            ours("implode", one, "-f", "-o", folder / "ours_back.asdf")
            theirs("implode", one, "-o", folder / "theirs_back.asdf")
            differences = same(folder / "theirs_back.asdf", folder / "ours_back.asdf")
            if not same(path, folder / "theirs_back.asdf"):
                found.extend(f"implode of what {name} exploded: {difference}" for difference in differences)
    compare("implode", "imploded.asdf", "implode", path)
    compare("implode -r", "resolved.asdf", "implode", "-r", path)
    compare("to_yaml", "text.yaml", "to_yaml", path)
    for codec in codecs:
        compare(f"defragment -c {codec}", f"{codec}.asdf", "defragment", "-c", codec, path)
    return found


# Commands that print.


def steps(path):
    """Converts a path of Python's search, root['a'][0], to a JSON Pointer."""
    pairs = re.findall(r"\[(?:'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\"|(-?\d+))\]", path.removeprefix("root"))
    return "".join("/" + both.escape(single or double or number) for single, double, number in pairs) or "/"


def drawn(text, width, name):
    """Returns the paths of a tree that is drawn with this number of columns per level."""
    stack, paths = [], []
    for line in text.splitlines():
        match = re.match(r"^([│ ]*)[├└]─ ?(.*)$", line)
        if not match:
            continue
        stack[len(match[1]) // width :] = [both.escape(name(match[2]))]
        paths.append("/" + "/".join(stack))
    return paths


def printed(ours, path):
    found = []
    # Ours must show every path that asdftool shows, in the same order. It also shows the contents of values that Python
    # converts to objects.
    code, text, _ = theirs("info", "--max-cols", 10_000, path)
    if code == 0:
        # The properties of arrays that asdftool shows are not in the tree.
        their = drawn("\n".join(without_arrays(text.splitlines())), 2, lambda line: re.sub(r"^\[(-?\d+)\]", r"\1", re.split(r" \((?:\w|\.)+\)", line)[0]))
        code, text, err = ours("info", "--all", "--no-show-values", path)
        own = drawn(text, 3, lambda line: re.sub(r"(?: <[^>]*>| \[\d+\](?: <.*)?|: .*)+$", "", line))
        own = set(own)
        # Python spells booleans differently, and reads an !!omap as a mapping.
        their = [re.sub("/(True|False)(?=/|$)", lambda key: key[0].lower(), place) for place in their]
        missing = [place for place in their if place not in own and not place.startswith("/ordered/")]
        if code or missing:
            found.append(f"info: without {missing[:3]} {err}")
    # Both programs must find the same paths.
    for arguments in (["--key", "a"], ["--key", "^name$"], ["--value", "M"], ["--value", "12.5"], ["--type", "str"],
                      ["--type", "float"], ["--type", "numpy.ndarray"], ["--key", "e", "--type", "str"]):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with asdf.open(path) as file:
                their = places(file, dict(zip(arguments[::2], arguments[1::2])))
        code, text, err = ours("search", "--no-show-values", *arguments, path)
        own = set(text.splitlines())
        # An !!omap is a list of mappings, which Python reads as one mapping.
        their = {place for place in their if not place.startswith("/ordered/")}
        if code == 2 or not their <= own:
            found.append(f"search {arguments}: without {sorted(their - own)[:3]} {err}")
        extra = {place for place in own - their if not within_objects(path, place)}
        if extra:
            found.append(f"search {arguments}: also {sorted(extra)[:3]}")
    return found


def without_arrays(lines):
    """Returns the lines of asdftool's drawing, except those below arrays."""
    within = None
    for line in lines:
        level = len(re.match(r"^[│ ]*", line)[0])
        if within is not None and level > within:
            continue
        within = level if "(NDArrayType)" in line else None
        yield line


def places(file, query):
    kinds = {"str": str, "float": float, "numpy.ndarray": asdf.tags.core.NDArrayType}
    search = {}
    if "--key" in query:
        search["key"] = query["--key"]
    if "--value" in query:
        value = query["--value"]
        search["value"] = float(value) if value[0].isdigit() else value
    if "--type" in query:
        search["type_"] = kinds[query["--type"]]
    return {steps(path) for path in file.search(**search).paths}


def within_objects(path, place):
    """Returns whether Python converted a parent of a path to an object, so that it does not see the path; or has already
    found the node under another path."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with asdf.open(path) as file:
            node = file.tree
            for step in place.split("/")[1:]:
                step = step.replace("~1", "/").replace("~0", "~")
                if isinstance(node, dict):
                    node = next((value for key, value in node.items() if both.key_text(key) == step), None)
                elif isinstance(node, (list, tuple)):
                    node = node[int(step)]
                else:
                    return True
            known = (str, float, int, dict, list, np.ndarray, asdf.tags.core.NDArrayType)
            return not isinstance(node, known) or in_shared(file.tree, place)


def in_shared(tree, place):
    """Returns whether a parent of a path occurs several times in the tree."""
    counts, pending, met = {}, [tree], set()
    while pending:
        node = pending.pop()
        children = node.values() if isinstance(node, dict) else node if isinstance(node, (list, tuple)) else []
        if id(node) in met:
            continue
        met.add(id(node))
        for child in children:
            counts[id(child)] = counts.get(id(child), 0) + 1
            pending.append(child)
    node = tree
    for step in place.split("/")[1:]:
        step = step.replace("~1", "/").replace("~0", "~")
        if isinstance(node, dict):
            node = next((value for key, value in node.items() if both.key_text(key) == step), None)
        else:
            node = node[int(step)]
        if isinstance(node, (dict, list, tuple)) and counts.get(id(node), 0) > 1:
            return True
    return False


# Commands that change a file.


def changed(ours, path, folder):
    """Makes the same edit with both programs, and checks that `diff` shows it."""
    found = []
    editor = folder / "editor.sh"
    editor.write_text("#!/bin/sh\nsed -i 's/M31/M33/; s/12\\.5/13.5/' \"$1\"\n")
    editor.chmod(0o755)
    own, other = folder / "ours_edited.asdf", folder / "theirs_edited.asdf"
    shutil.copy(path, own)
    shutil.copy(path, other)
    os.environ["EDITOR"] = str(editor)
    os.environ.pop("VISUAL", None)
    code, out, err = theirs("edit", other)
    assert code == 0, (code, out, err)
    code, out, err = ours("edit", own)
    if code:
        return [f"edit: {err}"]
    found += [f"edit: {difference}" for difference in same(other, own)]
    their = printing("diff", "--minimal", path, other)
    code, text, _ = ours("diff", "--minimal", path, own)
    if code != 1 or sorted(text.splitlines()) != ["/meta/exposure time", "/meta/name"] or their.count(">") < 2:
        found.append(f"diff --minimal: {text!r} beside {their!r}")
    return found


def compared(ours, folder):
    """Compares pairs of files for which asdftool's `diff` is right."""
    base = {"a": 1, "b": {"c": [1, 2, 3]}, "d": "x", "image": np.arange(6.0).reshape(2, 3), "n": None}

    def with_(**changes):
        return {key: value for key, value in (base | changes).items() if value is not ...}

    pairs = [
        ("nothing", base, True),
        ("a value", with_(a=2), False),
        ("a type", with_(a="1"), False),
        ("a key more", with_(e=1), False),
        ("a key less", with_(a=...), False),
        ("an item", with_(b={"c": [1, 2, 4]}), False),
        ("an element", with_(image=np.array([[0.0, 1, 2], [3, 4, 6]])), False),
        ("a shape", with_(image=np.arange(6.0).reshape(3, 2)), False),
        ("null", with_(n=0), False),
    ]
    found = []
    one, other = folder / "one.asdf", folder / "other.asdf"
    asdf.AsdfFile(base).write_to(one)
    for what, tree, equal in pairs:
        asdf.AsdfFile(tree).write_to(other)
        their = not printing("diff", one, other).strip()
        own = ours("diff", one, other)
        if their != equal:
            found.append(f"diff, {what}: asdftool is not right any more where it was")
        if (own[0] == 0) != equal or own[0] not in (0, 1):
            found.append(f"diff, {what}: {own}")
    return found


def known(ours):
    """Checks that ours has all tags and extensions of Python's core."""
    found = []
    their = {line for line in printing("tags").split() if line.startswith("tag:stsci.edu:asdf/")}
    own = set(ours("tags")[1].split())
    found += [f"tags: without {sorted(their - own)[:3]}"] if not their <= own or not their else []
    their = set(re.findall(r"Extension URI: '([^']+)' package: asdf ", theirs("extensions", "--summary")[1]))
    own = set(ours("extensions", "--summary")[1].split())
    missing = {uri for uri in their - own if "/core/extensions/" in uri}
    found += [f"extensions: without {sorted(missing)}"] if missing or not their else []
    return found


# The faults of asdftool. Each is a row of asdf-cli/asdftool.md.


def faults(ours, folder):
    """Checks for each fault that asdftool still has it, and that ours does not."""

    def write(name, tree, **options):
        asdf.AsdfFile(tree).write_to(folder / name, **options)
        return folder / name

    def text(name, body, standard="1.6.0"):
        head = f"#ASDF 1.0.0\n#ASDF_STANDARD {standard}\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n"
        (folder / name).write_text(f"{head}{body}...\n")
        return folder / name

    one, two = write("f1.asdf", {"a": 1, "list": [1, 2, 3]}), write("f2.asdf", {"a": 2, "list": [1, 2, 3]})
    longer = write("f3.asdf", {"a": 1, "list": [1, 2, 3, 4, 5]})
    yield "diff-exit", alone("diff", one, two).returncode == 0, ours("diff", one, two)[0] == 1
    yield "diff-tail", printing("diff", one, longer).strip() == "", "/list/3" in ours("diff", one, longer)[1]

    bad = text("bad.asdf", "x: {y: !core/complex-1.0.0 junk}\n")
    custom = folder / "custom.yaml"
    custom.write_text("%YAML 1.1\n---\nid: http://example.org/custom\ntype: object\n...\n")
    code, out, err = theirs("validate", "--custom-schema", custom, bad)
    own = ours("validate", "--custom-schema", custom, bad)
    yield "custom-schema", code == 0, own[0] == 1 and "/x/y" in own[1]
    own = ours("validate", bad)
    yield "traceback", theirs("validate", bad)[0] == "traceback", own[0] == 1 and "bad.asdf:6:28: /x/y: found the string 'junk'" in own[1]

    fragmented = folder / "fragmented.asdf"
    asdf.AsdfFile({"a": np.arange(5)}).write_to(fragmented, pad_blocks=True)
    before = set(folder.iterdir())
    code = theirs("defragment", fragmented)[0]
    nothing = code == 0 and set(folder.iterdir()) == before
    own = ours("defragment", fragmented)
    yield "defragment", nothing, own[0] == 0 and (folder / "fragmented_defragmented.asdf").exists()

    taken = folder / "one_more.asdf"
    taken.write_text("mine")
    code = theirs("implode", one, "-o", taken)[0]
    lost = code == 0 and taken.read_bytes()[:5] == b"#ASDF"
    taken.write_text("mine")
    own = ours("implode", one, "-o", taken)
    yield "overwrites", lost, own[0] == 2 and taken.read_text() == "mine"

    comment = text("comment.asdf", "b: 2  # why\na: 1\n")
    theirs("implode", comment, "-o", folder / "c1.asdf")
    ours("implode", comment, "-o", folder / "c2.asdf")
    theirs_text, own_text = (folder / "c1.asdf").read_text(), (folder / "c2.asdf").read_text()
    yield "comments", "why" not in theirs_text, "b: 2  # why\na: 1\n" in own_text

    new = text("new.asdf", "a: 1\n", "9.9.9")
    yield "standard", theirs("info", new)[0] == "traceback", ours("info", new)[0] == 0
    deep = text("deep.asdf", "a: " + "[" * 300 + "]" * 300 + "\n")
    yield "deep", theirs("info", deep)[0] != 0, ours("info", deep)[0] == 0
    date = text("date.asdf", "a: 2001-02-30\nb: 1\n")
    yield "date", theirs("info", date)[0] == "traceback", ours("get", date, "/b")[0] == 0

    rows = np.array([(1, 2.5), (3, 4.5)], dtype=[("a", "i2"), ("b", "f4")])
    table = write("table.asdf", {"t": rows})
    theirs("to_yaml", table, "-o", folder / "t1.yaml")
    ours("to_yaml", table, "-o", folder / "t2.yaml")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with asdf.open(folder / "t1.yaml") as file:
            broken = not hasattr(file["t"], "dtype") or np.asarray(file["t"]).dtype != rows.dtype
    own = ours("head", folder / "t2.yaml", "/t")[1].split()
    yield "records", broken, own[-4:] == ["1", "2.5", "3", "4.5"]

    masked = write("masked.asdf", {"m": np.ma.array([1, 2, 3], mask=[False, True, False])})
    theirs("implode", masked, "-o", folder / "m1.asdf")
    ours("implode", masked, "-o", folder / "m2.asdf")
    lost = read(folder / "m1.asdf")[1]["/m"]["data"] == [1, 2, 3]
    yield "masks", lost, read(folder / "m2.asdf")[1]["/m"]["data"] == [1, None, 3]

    chunks = text("chunks.asdf", "chunks: {first: 0}\n")
    block = b"\xd3BLK\x00\x30" + bytes(8) + (4).to_bytes(8, "big") * 3 + bytes(16) + b"QZ9!"
    chunks.write_bytes(chunks.read_bytes() + block)
    theirs("implode", chunks, "-o", folder / "u1.asdf")
    ours("implode", chunks, "-o", folder / "u2.asdf")
    lost = (folder / "u1.asdf").exists() and b"QZ9!" not in (folder / "u1.asdf").read_bytes()
    kept = b"QZ9!" in (folder / "u2.asdf").read_bytes()
    yield "blocks", lost, kept and ours("to_yaml", chunks, "-o", folder / "u.yaml")[0] == 1

    flags = write("flags.asdf", {"flag": True, "count": 1})
    their = theirs("search", "--type", "int", flags)[1]
    own = ours("search", "--type", "int", flags)[1]
    yield "booleans", "flag" in their, own == "/count: 1\n"
    yield "many", theirs("info", one, two)[0] == 2, ours("info", one, two)[0] == 0

    cut = folder / "cut.asdf"
    whole = write("whole.asdf", {"a": np.arange(1000)}).read_bytes()
    cut.write_bytes(whole[:4000])
    code, _, err = theirs("to_yaml", cut, "-o", folder / "cut.yaml")
    own = ours("to_yaml", cut, "-o", folder / "cut2.yaml")
    located = own[0] == 1 and "at byte" in own[2] and not (folder / "cut2.yaml").exists()
    yield "cut", code == "traceback", located
    damaged = bytearray(whole)
    damaged[-600] ^= 1
    hurt = folder / "hurt.asdf"
    hurt.write_bytes(damaged)
    code = theirs("implode", hurt, "-o", folder / "h1.asdf")[0]
    # The new file does not show any more that its data is damaged.
    blessed = code == 0 and theirs("validate", folder / "h1.asdf")[0] == 0
    own = ours("implode", hurt, "-o", folder / "h2.asdf")
    refused = own[0] == 1 and "checksum mismatch" in own[2] and not (folder / "h2.asdf").exists()
    yield "checksums", blessed, refused


def check_faults(ours, folder):
    documented = (pathlib.Path(__file__).parents[2] / "asdf-cli" / "asdftool.md").read_text()
    names = re.findall(r"^\| `([a-z-]+)` \|", documented, re.MULTILINE)
    found, seen = [], []
    for name, still, right in faults(ours, folder):
        seen.append(name)
        if not still:
            found.append(f"{name}: asdftool has mended it: take it out of asdf-cli/asdftool.md")
        if not right:
            found.append(f"{name}: ours does not do what asdf-cli/asdftool.md says")
    if sorted(names) != sorted(seen):
        found.append(f"asdf-cli/asdftool.md has {sorted(names)}, here are {sorted(seen)}")
    return found, len(seen)


def main(programs, files=None):
    ours = Ours(programs)
    found = []
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "files").mkdir()
        makes(folder / "files")
        paths = sorted((folder / "files").glob("*.asdf"))
        if files:
            # Write the output next to the input, so that references lead to the same files.
            shutil.copytree(files, folder / "others")
            paths += sorted((folder / "others").rglob("*.asdf"))
        count, wrong = 0, []
        for path in paths:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                try:
                    read(path)
                except Exception:
                    # Skip files that asdftool cannot read.
                    continue
            count += 1
            codecs = ("zlib", "bzp2", "lz4") if path.parent == folder / "files" else ("lz4",)
            differences = written(ours, path, path.parent, wrong, codecs) + printed(ours, path)
            found += [f"{path.parent.name}/{path.name}: {one}" for one in differences]
        found += changed(ours, folder / "files" / "many.asdf", folder)
        found += compared(ours, folder)
        found += known(ours)
        (folder / "faults").mkdir()
        unlike, rows = check_faults(ours, folder / "faults")
        found += unlike
    for one in found[:60]:
        print(one)
    print(f"{count} files through asdftool and ours, {len(wrong)} results in which asdftool lost data, "
          f"{rows} faults of asdftool as in asdf-cli/asdftool.md: {len(found)} differences")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
