"""Compares the tables of `asdf catalog` with the values that Python's asdf reads from the same files.

usage: catalog.py FOLDER_OF_PROGRAMS

Makes 1,100 files (catalog_files.py), and compares every cell of catalogues in Parquet, Arrow and CSV, with columns of all
types and with those that the program finds. Compares updated catalogues with new ones. catalog_rad.py compares the tables
of the package rad.
"""

import csv
import datetime
import json
import math
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import warnings

import asdf
import astropy.units as u
import numpy as np
import pandas
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet as pq
import yaml
from astropy.time import Time

import catalog_files as files
import catalog_rad

OWN = ["_file", "_size", "_modified", "_standard", "_problems"]
NUMBERS = ["uint8", "int16", "int32", "int64", "float32", "float64"]
EPOCH = datetime.datetime(1970, 1, 1)
LARGE = "integers beyond 64 bits in JSON are floats, since our values have no larger integers"
# Values that Python's asdf reads in another way: YAML, the type of the column, the cell that we expect, and why.
DIFFERENT = [
    ("!time/time-1.2.0 J2026.5", "timestamp", 1783004400000000, "the standard says UTC by default, and astropy TT for years"),
    ("!time/time-1.2.0 {value: 2026.25, format: jyear}", "timestamp", 1775115000000000, "the same"),
    ("!<asdf://x.org/tags/a-1.0.0> 5", "int64", 5, "Python keeps the text of a scalar with an unknown tag"),
    ("!core/constant-1.0.0 7", "int64", 7, "Python has a class for constants"),
    ("!core/complex-1.0.0 1+2j", "string", "1+2j", "Arrow has no complex numbers"),
    ("!unit/unit-1.0.0 m / s", "string", "m / s", "Arrow has no units"),
    ("!!binary aGVsbG8=", "string", "aGVsbG8=", "bytes are in Base64, as in YAML"),
    ("!!set {a, b}", "json", '{"a":null,"b":null}', "JSON has no sets, and YAML writes them as mappings"),
    ("!!omap [a: 1]", "json", '[{"a":1}]', "JSON has no ordered mappings, and YAML writes them as lists"),
    ("!core/integer-1.1.0 {sign: '-', string: '-7', words: !core/ndarray-1.1.0 [7]}", "float64", None,
     "the digits of such an integer are an array"),
    ("18446744073709551615", "json", "1.8446744073709552e+19", LARGE),
]
PROGRAM = None
failures = []
counts = {"cells": 0, "problems": 0, "large": 0}


def check(holds, what):
    """Counts and prints what does not hold."""
    if not holds:
        failures.append(what)
        if len(failures) <= 60:
            print(what)
    return holds


def catalog(*arguments, codes=(0,)):
    """Runs our program, and returns its standard error."""
    return run(arguments, codes).stderr


def output(*arguments):
    """Runs our program, and returns its standard output."""
    return run(arguments, (0,)).stdout


def run(arguments, codes):
    command = [PROGRAM, "catalog", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ | {"VIRTUAL_ENV": sys.prefix})
    check(done.returncode in codes, f"{arguments[-3:]}: exit code {done.returncode}: {done.stderr[-500:]}")
    if "-o" in arguments and not pathlib.Path(arguments[arguments.index("-o") + 1]).exists():
        raise SystemExit(f"{arguments[-3:]}: no catalogue was written: {done.stderr[-1000:]}")
    return done


# What Python reads.


class Unreadable(Exception):
    """The value cannot be in a catalogue."""


def read(path):
    """Returns the tree of a file and the version of its standard; None if Python cannot read it."""
    whole = path.with_suffix(files.WHOLE)
    try:
        with asdf.open(whole if whole.exists() else path, lazy_load=False, memmap=False) as file:
            return simple(file.tree), str(file.version)
    except Exception:  # noqa: BLE001  any failure means that the file has no values
        return None


def simple(value):
    """Returns a value with a few types: null, boolean, integer, float, text, time, quantity, list and mapping."""
    if isinstance(value, asdf.tagged.TaggedString):
        return str(value.data)
    if isinstance(value, (dict, asdf.tagged.TaggedDict)):
        if "/gwcs/" in getattr(value, "_tag", ""):
            return Closed((key, simple(item)) for key, item in value.items())
        # Keys can be integers and booleans.
        return {str(key).lower() if isinstance(key, bool) else str(key): simple(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, asdf.tagged.TaggedList)):
        return [simple(item) for item in value]
    if isinstance(value, datetime.datetime):
        return Moment((value.astimezone(datetime.UTC).replace(tzinfo=None) if value.tzinfo else value))
    if isinstance(value, datetime.date):
        return Moment(datetime.datetime(value.year, value.month, value.day))
    if isinstance(value, Time):
        return Moment(value)
    if isinstance(value, u.Quantity):
        return value if value.isscalar else Array()
    if isinstance(value, (np.ndarray, asdf.tags.core.NDArrayType)):
        return Array()
    return value


class Array:
    """An array, which is not a value of a catalogue."""


class Closed(dict):
    """A mapping whose entries are not values of the file."""


class Moment:
    """A time in microseconds since 1970, in UTC."""

    tolerance = 1

    def __init__(self, time):
        if isinstance(time, Time):
            if time.scale == "tdb":
                # Our barycentric times differ by up to 50 microseconds, as times.py says.
                self.tolerance = 50
            # astropy counts leap seconds in the days in which they are.
            text = Time(time.utc, format="isot", precision=9).value
            day = datetime.datetime.fromisoformat(text[:10])
            hours, minutes, seconds = text[11:].split(":")
            of_day = (int(hours) * 60 + int(minutes)) * 60 * 10**6 + round(float(seconds) * 1e6)
            self.microseconds = (day - EPOCH).days * 86_400 * 10**6 + min(of_day, 86_400 * 10**6 - 1)
        else:
            self.microseconds = (time - EPOCH) // datetime.timedelta(microseconds=1)

    @classmethod
    def of_text(cls, text):
        """Reads a text as a timestamp of YAML, or else as a time of the standard in UTC; None if it is neither."""
        if text.endswith("Z") or re.search(r"\d{2}:\d{2}\S* *[+-]\d", text):
            found = yaml.safe_load(text)
            return simple(found) if isinstance(found, datetime.datetime) else None
        try:
            return cls(Time(text.strip(), scale="utc"))
        except ValueError:
            return None


def has_array(value):
    """Returns whether a value is or has an array."""
    if isinstance(value, (list, dict)):
        return any(map(has_array, value.values() if isinstance(value, dict) else value))
    return isinstance(value, Array)


def kind_of(value):
    """Returns the type of column that a value alone would have; None if it says nothing."""
    if value is None:
        return None
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int):
        return "int64" if -(2**63) <= value < 2**63 else "float64"
    if isinstance(value, (float, u.Quantity)):
        return "float64"
    if isinstance(value, str):
        return "string"
    if isinstance(value, Moment):
        return "timestamp"
    if isinstance(value, list):
        item = None
        for one in value:
            item = both(item, kind_of(one))
        return item and ("list", item)
    fields = {name: kind for name, one in value.items() if (kind := kind_of(one))}
    return ("struct", tuple(fields.items())) if fields else "json"


def both(one, other):
    """Returns the type that holds the values of both types."""
    if one is None or other is None or one == other:
        return one or other
    if one[0] == other[0] == "list":
        return "list", both(one[1], other[1])
    if one[0] == other[0] == "struct":
        fields = dict(one[1])
        for name, kind in other[1]:
            fields[name] = both(fields.get(name), kind)
        return "struct", tuple(fields.items())
    if one in NUMBERS and other in NUMBERS:
        return max(one, other, key=NUMBERS.index)
    return "json"


def of_most(values):
    """Returns the type of a column without one: that of four fifths of its values, or JSON."""
    groups = []
    for kind in filter(None, map(kind_of, values)):
        for group in groups:
            merged = both(group[0], kind)
            if merged != "json" or kind == group[0] == "json":
                group[:] = merged, group[1] + 1
                break
        else:
            groups.append([kind, 1])
    if not groups:
        return "string" if all(value is None for value in values) else "json"
    kind, count = max(groups, key=lambda group: group[1])
    return kind if count * 5 >= sum(count for _, count in groups) * 4 else "json"


def parse(kind):
    """Parses the name of a type, for the types of this script."""
    if kind.startswith("list<"):
        return "list", parse(kind[5:-1])
    if kind.startswith("struct<"):
        return "struct", tuple((name, parse(of)) for name, of in (field.split(": ") for field in kind[7:-1].split(", ")))
    return kind


class Misfit(Exception):
    """A value does not fit a type."""


def fit(value, kind, unit=None):
    """Returns a value as a column of a type has it."""
    if value is None:
        return None
    if kind == "json":
        return value
    if kind == "boolean" and isinstance(value, bool):
        return value
    if kind == "string" and isinstance(value, (str, Moment)):
        return value
    if kind == "timestamp":
        value = Moment.of_text(value) if isinstance(value, str) else value
        if isinstance(value, Moment):
            return value
    if kind in NUMBERS and isinstance(value, (int, float, u.Quantity)) and not isinstance(value, bool):
        if isinstance(value, u.Quantity):
            try:
                value = float((value.to(unit) if unit else value).value)
            except u.UnitConversionError:
                raise Misfit from None
            # Counts can have a unit.
            if not kind.startswith("float") and value.is_integer():
                value = int(value)
        if kind.startswith("float"):
            with np.errstate(over="ignore"):
                return float(np.dtype(kind).type(float(value)))
        limits = np.iinfo(kind)
        if isinstance(value, int) and limits.min <= value <= limits.max:
            return value
    if kind[0] == "list" and isinstance(value, list):
        return [fit(item, kind[1], unit) for item in value]
    if kind[0] == "struct" and isinstance(value, dict):
        return {name: fit(value.get(name), field) for name, field in kind[1]}
    raise Misfit


# Comparing cells.


def same(found, expected, kind=None):
    """Compares a cell of Arrow with a value."""
    if kind == "json" and expected is not None:
        return isinstance(found, str) and same_json(json.loads(found), expected)
    if kind and kind[0] == "list" and expected is not None:
        return (isinstance(found, list) and len(found) == len(expected)
                and all(same(one, value, kind[1]) for one, value in zip(found, expected)))
    if kind and kind[0] == "struct" and expected is not None:
        return isinstance(found, dict) and found.keys() == expected.keys() and all(
            same(found[name], expected[name], field) for name, field in kind[1])
    if isinstance(expected, Moment):
        if isinstance(found, str):
            read = Moment.of_text(found)
            return found.endswith("Z") and read is not None and same(read.microseconds, expected)
        return isinstance(found, int) and abs(found - expected.microseconds) <= expected.tolerance
    if isinstance(expected, float):
        if not isinstance(found, float):
            return False
        if math.isnan(expected) or math.isnan(found):
            return math.isnan(expected) and math.isnan(found)
        # Units are converted with another order of factors.
        close = math.isclose(found, expected, rel_tol=1e-15, abs_tol=0)
        return close and math.copysign(1, found) == math.copysign(1, expected)
    if isinstance(expected, list):
        return isinstance(found, list) and len(found) == len(expected) and all(map(same, found, expected))
    if isinstance(expected, dict):
        return isinstance(found, dict) and found.keys() == expected.keys() and all(
            same(found[name], value) for name, value in expected.items())
    return type(found) is type(expected) and found == expected


def same_json(found, expected):
    """Compares a value of JSON with a value. JSON has no NaN and no infinity."""
    if isinstance(expected, float) and not math.isfinite(expected):
        return found == ("NaN" if math.isnan(expected) else "Infinity" if expected > 0 else "-Infinity")
    if isinstance(expected, Moment):
        return isinstance(found, str) and same(found, expected)
    if isinstance(expected, u.Quantity):
        return (isinstance(found, dict) and same(float(found["value"]), float(expected.value))
                and u.Unit(found["unit"], format="vounit") == expected.unit)
    if isinstance(expected, int) and not isinstance(expected, bool) and not -(2**63) <= expected < 2**63:
        counts["large"] += 1
        return isinstance(found, float) and math.isclose(found, expected, rel_tol=1e-15)
    if isinstance(expected, list):
        return isinstance(found, list) and len(found) == len(expected) and all(map(same_json, found, expected))
    if isinstance(expected, dict):
        return isinstance(found, dict) and found.keys() == expected.keys() and all(
            same_json(found[name], value) for name, value in expected.items())
    return same(found, expected)


def decoded(found, kind):
    """Returns a value of JSON whose parts of the type JSON were texts."""
    if found is None or kind == "json":
        return found
    if kind[0] == "list":
        return [json.loads(one) if kind[1] == "json" and one is not None else decoded(one, kind[1]) for one in found]
    if kind[0] == "struct":
        return {name: decoded(found[name], field) for name, field in kind[1]}
    return found


def same_text(cell, expected, kind):
    """Compares a cell of CSV with a value of a type."""
    if expected is None or cell == "":
        return cell == "" and expected in (None, "")
    if kind == "json" or kind[0] in ("list", "struct"):
        return same_json(decoded(json.loads(cell), kind), expected)
    if kind == "boolean":
        return cell == str(expected).lower()
    if kind == "timestamp":
        return same(cell, expected)
    if kind == "string":
        return same(cell, expected)
    if kind == "float32":
        # CSV has the digits of the file, which are those of a double.
        with np.errstate(over="ignore"):
            return same(float(np.float32(cell)), expected)
    return same(float(cell) if kind == "float64" else int(cell), expected)


def arrow_type(kind, dictionaries):
    """Returns the type of Arrow for a column of a type."""
    if kind == "timestamp":
        return pa.timestamp("us", "UTC")
    if kind in ("string", "json"):
        return pa.dictionary(pa.int32(), pa.string()) if dictionaries and kind == "string" else pa.string()
    if kind == "boolean":
        return pa.bool_()
    if kind[0] == "list":
        return pa.list_(arrow_type(kind[1], False))
    if kind[0] == "struct":
        return pa.struct([(name, arrow_type(field, False)) for name, field in kind[1]])
    return getattr(pa, kind)()


class Column:
    """A column that a catalogue must have."""

    def __init__(self, name, pointer, kind, steps=None):
        self.name, self.pointer, self.kind, self.unit = name, pointer, kind, None
        self.steps = steps if steps is not None else [
            step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:]]

    def at(self, tree):
        """Returns the value in a tree; None if there is none."""
        for step in self.steps:
            try:
                tree = tree[step] if isinstance(tree, dict) else tree[int(step)] if isinstance(tree, list) else None
            except (KeyError, IndexError, ValueError):
                return None
        return tree

    def settle(self, trees):
        """Finds the type of a column from its first values, as our documentation says."""
        values = [value for tree in trees if not has_array(value := self.at(tree))]
        self.kind = of_most(values)
        self.unit = next((value.unit for value in values if isinstance(value, u.Quantity)), None)
        return self


def expected_rows(columns, trees):
    """Returns the values and the paths of the problems for each file."""
    rows = []
    for tree in trees:
        if tree is None:
            rows.append(None)
            continue
        values, problems = {}, set()
        for column in columns:
            value = column.at(tree[0])
            try:
                if has_array(value):
                    raise Misfit
                values[column.name] = fit(value, column.kind, column.unit)
            except Misfit:
                values[column.name] = None
                problems.add(column.pointer)
        rows.append((values, problems, tree[1]))
    return rows


def table(path):
    """Reads a catalogue in Parquet or Arrow."""
    return pq.read_table(path) if path.suffix == ".parquet" else pa.feather.read_table(path)


def cells(found):
    """Returns the columns of a table as lists. Timestamps are integers."""
    result = {}
    for name, column in zip(found.column_names, found.columns):
        if pa.types.is_timestamp(column.type):
            column = column.cast(pa.int64())
        result[name] = column.to_pylist()
    return result


def compare(path, columns, paths, trees):
    """Compares all cells of a catalogue."""
    is_csv = path.suffix == ".csv"
    names = [*OWN[:4], *(column.name for column in columns), OWN[4]]
    if is_csv:
        with path.open(newline="", encoding="utf-8") as file:
            head, *lines = csv.reader(file)
        found = dict(zip(head, map(list, zip(*lines))))
    else:
        opened = table(path)
        found, head = cells(opened), opened.column_names
        for column in columns:
            wanted, of = arrow_type(column.kind, path.suffix == ".parquet"), opened.schema.field(column.name).type
            check(of == wanted or len(str(of)) > 200, f"{path.name}: {column.name} is {of}, expected {wanted}")
    check(head == names, f"{path.name}: the columns {set(head) ^ set(names)} differ")
    if not check([*found["_file"]] == [str(path) for path in paths], f"{path.name}: the files differ, or their order"):
        return
    problems = 0
    for row, (file, expected) in enumerate(zip(paths, expected_rows(columns, trees))):
        def cell(name):
            return found[name][row]

        where = f"{path.name}: {file.name}"
        stat = file.stat()
        own = {"_size": (stat.st_size, "int64"), "_modified": (Moment(EPOCH), "timestamp"),
               "_standard": (expected and expected[2], "string")}
        own["_modified"][0].microseconds = stat.st_mtime_ns // 1000
        for name, (value, kind) in own.items():
            good = same_text(cell(name), value, kind) if is_csv else same(cell(name), value)
            check(good, f"{where}: {name} is {cell(name)!r}, expected {value!r}")
        texts = json.loads(cell("_problems") or "null") if is_csv else cell("_problems")
        if expected is None:
            empty = all(cell(column.name) in (None, "") for column in columns)
            check(texts and empty, f"{where}: an unreadable file has values or no problems: {texts}")
            continue
        problems += len(texts or [])
        told = set(map(place_of, texts or []))
        check(told == expected[1], f"{where}: problems {told ^ expected[1]} differ")
        for column in columns:
            value = expected[0][column.name]
            if is_csv:
                good = same_text(cell(column.name), value, column.kind)
            else:
                good = same(cell(column.name), value, column.kind)
            counts["cells"] += 1
            check(good, f"{where}: {column.name} ({column.kind}) is {cell(column.name)!r}, expected {shown(value)}")
    counts["problems"] += problems
    return problems


def shown(value):
    return value.microseconds if isinstance(value, Moment) else repr(value)


def warned(stderr):
    """Returns the number of warnings about values."""
    more = re.search(r"^and (\d+) more warnings", stderr, re.MULTILINE)
    return len(re.findall(r"^warning: ", stderr, re.MULTILINE)) + int(more[1] if more else 0)


# The tests.


def by_fields(folder, source, paths, trees):
    """Columns of all types by their paths, and columns without types."""
    options, columns = [], []
    for kind in files.FITTING:
        pointer = f"/roman/meta/typed/{files.key(kind)}"
        options.append(f"t_{files.key(kind)}={pointer}:{kind}")
        columns.append(Column(f"t_{files.key(kind)}", pointer, parse(kind)))
    # The values of columns without a type decide.
    decide = [tree[0] for tree in trees[: files.FIRST_ROWS] if tree]
    for name in files.SETTLED:
        pointer = f"/roman/meta/settled/{name}"
        options.append(pointer)
        columns.append(Column(f"roman.meta.settled.{name}", pointer, None).settle(decide))
    # The same values as other types.
    for kind in ("string", "timestamp", "float64", "json", "int64"):
        options.append(f"as_{kind}=/roman/meta/settled/settled_time:{kind}")
        columns.append(Column(f"as_{kind}", "/roman/meta/settled/settled_time", kind))
    for option, column in [
        ("roman.meta.number:int32", Column("roman.meta.number", "/roman/meta/number", "int32")),
        ("last=roman.meta.shared.list[-1]:int16", Column("last", "/roman/meta/shared/list/1", "int16")),
        ("again=/roman/meta/again/time:timestamp", Column("again", "/roman/meta/again/time", "timestamp")),
        ("dots=/roman/meta/key.with~1dots~0:uint8", Column("dots", "/roman/meta/key.with~1dots~0", "uint8")),
        ("of_tag=/roman/meta/filename:string", Column("of_tag", "/roman/meta/filename", "string")),
        ("data=/roman/data:json", Column("data", "/roman/data", "json")),
        ("nothing=/roman/nothing/at/all:int16", Column("nothing", "/roman/nothing/at/all", "int16")),
        ("root=/:json:", None),
    ]:
        if column:
            options.append(option)
            columns.append(column)
    arguments = [word for option in options for word in ("--field", option)]
    for name in ("fields.parquet", "fields.arrow", "fields.csv"):
        stderr = catalog(source, "-o", folder / name, *arguments, codes=(1, 2))
        told = compare(folder / name, columns, paths, trees)
        check(told is None or warned(stderr) == told, f"{name}: {warned(stderr)} warnings, {told} problems")
    units = table(folder / "fields.parquet").schema.field("roman.meta.settled.settled_length").metadata
    check(units[b"unit"].decode() == str(next(column.unit for column in columns if column.name.endswith("settled_length"))),
          f"the unit is {units}")
    frame, found = pandas.read_parquet(folder / "fields.parquet"), table(folder / "fields.parquet")
    for column in columns:
        nulls = frame[column.name].isna().sum()
        # pandas shows NaN as missing.
        numbers = [one for one in found[column.name].to_pylist() if one is None or one != one]
        check(nulls == len(numbers), f"pandas: {column.name} has {nulls} nulls, expected {len(numbers)}")
    return arguments


def inferred(folder, source, paths, trees):
    """The columns that the first files have."""
    columns = {}
    decide = [tree[0] for tree in trees[: files.SAMPLE] if tree]

    def add(value, steps):
        if isinstance(value, dict):
            if not isinstance(value, Closed):
                for key, item in value.items():
                    add(item, [*steps, key])
        elif not has_array(value) and not (isinstance(value, list) and any(isinstance(item, dict) for item in value)):
            pointer = "".join("/" + step.replace("~", "~0").replace("/", "~1") for step in steps)
            columns.setdefault(pointer, []).append(value)

    for tree in decide:
        for key, value in tree.items():
            if key not in ("asdf_library", "history"):
                add(value, [key])
    expected = []
    for pointer, values in columns.items():
        column = Column("", pointer, None)
        column.name = ".".join(column.steps)
        column.kind = of_most(values)
        column.unit = next((value.unit for value in values if isinstance(value, u.Quantity)), None)
        expected.append(column)
    for name in ("found.parquet", "found.arrow", "found.csv"):
        stderr = catalog(source, "-o", folder / name, codes=(1, 2))
        told = compare(folder / name, expected, paths, trees)
        check(told is None or warned(stderr) == told, f"{name}: {warned(stderr)} warnings, {told} problems")


def place_of(problem):
    """Returns the path of a value that is missing."""
    return problem.split(": ")[0]


def same_rows(what, old, new):
    """Checks that two catalogues are the same, with types and metadata."""
    check(old.schema.equals(new.schema, check_metadata=True), f"{what}: other columns")
    if check(old.num_rows == new.num_rows, f"{what}: {old.num_rows} rows, expected {new.num_rows}"):
        left, right = cells(old), cells(new)
        for name in new.column_names:
            if name == "_problems":
                # A type that an earlier catalogue found is known when a value is read, and has another message.
                for side in (left, right):
                    side[name] = [sorted(map(place_of, texts or [])) for texts in side[name]]
            # NaN differs from itself, and its text does not.
            rows = [row for row, pair in enumerate(zip(left[name], right[name])) if repr(pair[0]) != repr(pair[1])]
            check(not rows, f"{what}: {name} differs in the rows {rows[:5]}")


def updated(folder, source, paths, fields):
    """An updated catalogue equals a new one, and only files that changed are read."""
    rng = random.Random(77)
    typed = [word for word in fields if not word.startswith("/roman/meta/settled")]
    typed = [word for word, after in zip(typed, [*typed[1:], ""]) if word != "--field" or after != "--field"]
    # The first files decide the columns and their types, if the options do not.
    late = files.FIRST_ROWS
    for what, arguments, first in (("all types", fields, late), ("found", [], late), ("typed", typed, 0)):
        catalogue, fresh = folder / "updated.parquet", folder / "fresh.parquet"
        # The catalogue does not exist at first.
        catalogue.unlink(missing_ok=True)
        catalog(source, "-o", catalogue, "--update", *arguments, codes=(1, 2))
        touched = rng.sample(paths[first:], 40)
        changed, removed = touched[:25], touched[25:]
        for path in removed:
            path.unlink()
        added = [path.parent / f"{path.stem}-{rng.randrange(1000)}.asdf" for path in removed[:10]]
        for number, path in enumerate([*changed, *added]):
            files.one(rng, 2000 + number, path)
        paths = sorted({*paths, *added} - {*removed})
        # Files that cannot be read have rows too, and are not read again.
        stderr = catalog(source, "-o", catalogue, "--update", *arguments, codes=(0, 1, 2))
        read = len(changed) + len(added)
        note = f"read {read} files, kept {len(paths) - read} rows, replaced or removed 40"
        check(note in stderr, f"update of {what}: expected {note!r}, found {stderr.splitlines()[-3:]}")
        catalog(source, "-f", "-o", fresh, *arguments, codes=(1, 2))
        same_rows(f"update of {what}", table(catalogue), table(fresh))
        check(table(catalogue)["_file"].to_pylist() == [str(path) for path in paths], f"update of {what}: the files differ")
        # Without options, the columns stay the same. A file with other contents and the same size and time is not read.
        path = next(path for path in paths[first:] if path.read_bytes().startswith(b"#ASDF"))
        before, times = path.read_bytes(), path.stat()
        path.write_bytes(before.replace(b"#ASDF", b"#asdf", 1))
        os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
        stderr = catalog(source, "-o", catalogue, "--update")
        check(f"read 0 files, kept {len(paths)} rows, replaced or removed 0" in stderr, f"second update of {what}: {stderr}")
        same_rows(f"second update of {what}", table(catalogue), table(fresh))
        path.write_bytes(before)
        os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    # Other columns need all files.
    stderr = catalog(source, "-o", catalogue, "--update", "--field", "/roman/meta/number:int64", codes=(1, 2))
    check("all files are read" in stderr and table(catalogue).column_names == [*OWN[:4], "roman.meta.number", OWN[4]],
          f"update with other columns: {stderr}")
    # New files are validated if the catalogue says which are valid.
    catalogue.unlink()
    catalog(source, "-o", catalogue, "--validate", "--field", "/roman/meta/number:int64", codes=(1, 2))
    files.one(rng, 4000, source / "valid-4000.asdf")
    catalog(source, "-o", catalogue, "--update", codes=(0, 1, 2))
    catalog(source, "-f", "-o", fresh, "--validate", "--field", "/roman/meta/number:int64", codes=(1, 2))
    check(None not in table(fresh)["_valid"].to_pylist(), "a file is neither valid nor invalid")
    same_rows("update with --validate", table(catalogue), table(fresh))
    (source / "valid-4000.asdf").unlink()


def different(folder):
    """Values that we read in another way than Python's asdf, each for a reason."""
    path, catalogue = folder / "different.asdf", folder / "different.parquet"
    lines = [f"v{number}: {value}\n" for number, (value, *_) in enumerate(DIFFERENT)]
    path.write_text(files.HEAD.format(standard="1.6.0") + "".join(lines) + "...\n")
    fields = [word for number, (_, kind, *_) in enumerate(DIFFERENT) for word in ("--field", f"/v{number}:{kind}")]
    catalog(path, "-o", catalogue, *fields)
    found = cells(table(catalogue))
    for number, (value, kind, expected, reason) in enumerate(DIFFERENT):
        check(found[f"v{number}"] == [expected], f"{value} as {kind} is {found[f'v{number}']}: {reason}")


def main(programs):
    global PROGRAM
    PROGRAM = (pathlib.Path(programs) / "asdf").resolve()
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder).resolve()
        source = folder / "files"
        paths = files.make(source, 1_100, 20)
        trees = [read(path) for path in paths]
        fields = by_fields(folder, source, paths, trees)
        inferred(folder, source, paths, trees)
        updated(folder, source, paths, fields)
        different(folder)
        mapped, left_out, values = catalog_rad.judge(sys.modules[__name__], folder)
    print(f"{counts['large']} times: {LARGE}")
    print(f"catalogues: {counts['cells']} cells of {len(paths)} files equal those of Python's asdf, with {counts['problems']} "
          f"problems; rad: {mapped} columns, {left_out} left out, {values} values equal; {len(failures)} failures")
    return bool(failures) or counts["cells"] < 200_000


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
