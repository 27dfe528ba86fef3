"""Makes files like those of Roman with values of many kinds, for the judge of `asdf catalog`."""

import os
import random
import re
import shutil

import asdf
import astropy.units as u
import numpy as np
from astropy.time import Time

# The extension of copies of files before their blocks were cut.
WHOLE = ".whole"
STANDARDS = ["1.0.0", "1.1.0", "1.2.0", "1.3.0", "1.4.0", "1.5.0", "1.6.0"]
HEAD = """#ASDF 1.0.0
#ASDF_STANDARD {standard}
%YAML 1.1
%TAG ! tag:stsci.edu:asdf/
--- !core/asdf-1.1.0
asdf_library: !core/software-1.0.0 {{name: made, version: 1.0.0}}
history:
  entries:
  - !core/history_entry-1.0.0 {{description: made}}
"""

# Values as YAML, by the type of the column that holds them.
BOOLEANS = ["true", "false", "yes", "no", "on", "Off"]
SMALL = ["0", "7", "255", "0x1F", "017", "+5", "1_0"]
SHORT = ["-1", "256", "32767", "-32768"]
INTEGERS = ["32768", "2147483647", "-2147483648"]
LONG = ["2147483648", "9223372036854775807", "-9223372036854775808", "1:30"]
BIG = ["9223372036854775808", "18446744073709551615", "-9223372036854775809", "123456789012345678901234567890"]
FLOATS = ["1.5", "-0.0", "1.0e+5", "2.5e-310", "1.7976931348623157e+308", ".nan", ".NaN", ".inf", "-.inf", "0.1", "3.0",
          "16777217.0", "1_000.5", "6.02214076e+23"]
TEXTS = ["F158", "''", "'7'", "'true'", '"α Cen — ∞"', "'日本語'", '"two\\nlines"', '"a,b;\\"c\\""', "'=1+1'", "'null'",
         "'  spaces '", "1e5", '"\\u200b🔭"', "a:b", "'-'", "'2026-01-02'", "x" * 300]
STAMPS = ["2026-01-02T03:04:05.25", "2026-01-02 03:04:05", "2026-01-02T03:04:05+01:30", "2026-01-02",
          "2026-01-02T03:04:05Z", "1969-12-31T23:59:59.999999", "2026-06-30 23:59:59.5 -8", "1901-02-03T04:05:06.7"]
TIMED = ["'2026-01-02T03:04:05.123456'", "'2026-01-02 03:04:05'", "'2026-03-04T05:06:07.5'"]
UNTIMED = ["'2026-13-02T03:04:05'", "'noon'", "'2026-02-30'"]
TIMES = [
    "!time/time-1.1.0 2026-01-02T03:04:05.123456",
    "!time/time-1.1.0 '2026-01-02 03:04:05.5'",
    "!time/time-1.1.0 {value: 60000.5, format: mjd, scale: tai}",
    "!time/time-1.1.0 {value: 60000.5, format: mjd}",
    "!time/time-1.1.0 {value: 2026.25, base_format: jyear, format: jyear, scale: tt}",
    "!time/time-1.1.0 {value: '2026-01-02 03:04:05.5', format: iso, scale: tai}",
    "!time/time-1.1.0 {value: '2026-01-02 03:04:05.5', format: iso, scale: utc}",
    "!time/time-1.1.0 {value: 1.7e+9, format: unix}",
    "!time/time-1.1.0 {value: 2461042.25, format: jd, scale: utc}",
    "!time/time-1.1.0 {value: '2026:002:03:04:05.5', format: yday, scale: tai}",
    "!time/time-1.1.0 {value: '2016-12-31 23:59:59.75', format: iso, scale: utc}",
    "!time/time-1.1.0 {value: '2017-01-01 00:00:36.5', format: iso, scale: tai}",
]
QUANTITIES = [
    "!unit/quantity-1.1.0 {value: 2.5, unit: !unit/unit-1.0.0 m}",
    "!unit/quantity-1.1.0 {value: 30, unit: !unit/unit-1.0.0 cm}",
    "!unit/quantity-1.1.0 {value: 0.001, unit: !unit/unit-1.0.0 km}",
    "!unit/quantity-1.1.0 {value: 7.25, unit: !unit/unit-1.0.0 mm}",
]
SECONDS = "!unit/quantity-1.1.0 {value: 4.5, unit: !unit/unit-1.0.0 s}"
NUMBERS = ["[1, 2, 3]", "[1, 2.5]", "[~, 1]", "[-3, .nan, .inf]", "[7]"]
WORDS = ["[a, b]", "['α', '', ~]", "[F158]"]
NESTED = ["[[1, 2], [3]]", "[[1.5], []]", "[~, [2, ~]]"]
RECORDS = ["[{a: 1, b: x}, {a: 2}]", "[{b: 'α', a: 2.5, other: true}]", "[{}, ~]"]
MAPPINGS = ["{a: 1, b: x}", "{b: y, c: 1, a: 2.5}", "{a: ~}", "{}", "{a: 1, b: 'two words', c: [1, {d: 2}]}",
            "{12: a, true: b, a: 2.5}"]
ARRAYS = ["!core/ndarray-1.0.0 [1, 2, 3]", "!core/ndarray-1.0.0 {data: [[1.5, 2], [3, 4]], datatype: float64}"]
NULLS = ["~", "null", ""]

ALL = (BOOLEANS + SMALL + SHORT + INTEGERS + LONG + BIG + FLOATS + TEXTS + STAMPS + TIMED + UNTIMED + TIMES + QUANTITIES
       + [SECONDS] + NUMBERS + WORDS + NESTED + RECORDS + MAPPINGS + ARRAYS + NULLS + ["[]", "[1, a]"])
FITTING = {
    "boolean": BOOLEANS,
    "uint8": SMALL,
    "int16": SMALL + SHORT,
    "int32": SMALL + SHORT + INTEGERS,
    "int64": SMALL + SHORT + INTEGERS + LONG,
    "float32": FLOATS + SMALL,
    "float64": FLOATS + SMALL + LONG + BIG + QUANTITIES,
    "string": TEXTS,
    "timestamp": STAMPS + TIMES + TIMED,
    "json": ALL,
    "list<float64>": NUMBERS + ["[]"],
    "list<string>": WORDS + ["[]"],
    "list<list<int16>>": ["[[1, 2], [3]]", "[[], ~]", "[]"],
    "list<struct<a: float64, b: string>>": RECORDS + ["[]"],
    "struct<a: float64, b: string>": MAPPINGS,
}
# Values whose type the first values decide.
SETTLED = {
    "settled_int": SMALL + LONG,
    "settled_number": SMALL + FLOATS,
    "settled_length": QUANTITIES,
    "settled_text": TEXTS,
    "settled_time": STAMPS + TIMES,
    "settled_flag": BOOLEANS,
    "settled_list": NUMBERS,
    "settled_words": WORDS,
    "settled_nested": NESTED,
    "settled_records": RECORDS,
    "settled_pairs": RECORDS[:2],
    "settled_struct": MAPPINGS[:2],
    "settled_mixed": TEXTS + SMALL,
    "settled_null": NULLS,
}
# The number of files that decide the columns if there are no options for columns, and the number of rows that decide the
# types of columns without one.
SAMPLE, FIRST_ROWS = 100, 1024


def key(kind):
    """Returns the key of the values for columns of a type."""
    return "".join(char if char.isalnum() else "_" for char in kind).strip("_")


def text(rng, number, standard):
    """Returns the YAML of a file."""
    late, final = number >= SAMPLE, number >= FIRST_ROWS
    lines = [HEAD.format(standard=standard)]
    root = "roman" if number % 11 or not number else rng.choice(["jwst", "meta", "dkist"])
    lines.append(f"{root}:\n  meta:\n    number: {number}\n    \"key.with/dots~\": {number % 7}\n")
    lines.append(f"    filename: !<asdf://stsci.edu/datamodels/roman/tags/filename-1.0.0> r{number:04}.asdf\n")
    lines.append("    typed:\n")
    for kind, values in FITTING.items():
        chance = rng.random()
        if chance < 0.05:
            continue
        value = rng.choice(NULLS) if chance < 0.1 else rng.choice(ALL) if chance < 0.35 else rng.choice(values)
        lines.append(f"      {key(kind)}: {value}\n")
    lines.append("    settled:\n")
    for name, values in SETTLED.items():
        chance = rng.random()
        if chance < 0.1:
            continue
        # Values that do not fit come after those that decide the types.
        value = rng.choice(ALL) if (final if name != "settled_nested" else late) and chance < 0.5 else rng.choice(values)
        lines.append(f"      {name}: {value}\n")
    lines.append(f"    deep: {{a: {{b: {{c: {rng.choice(SMALL)}, d: {rng.choice(TEXTS[:3])}}}}}}}\n")
    lines.append(f"    shared: &shared {{time: {rng.choice(TIMES)}, list: [{number}, 2]}}\n    again: *shared\n")
    if number % 5 == 0:
        lines.append("    wcs: !<tag:stsci.edu:gwcs/wcs-1.4.0> {name: x, pixel_shape: [4, 5], steps: []}\n")
    lines.append(f"  data: {ARRAYS[number % 2]}\n")
    if rng.random() < 0.1:
        lines.append(f"  only_some: {rng.choice(FLOATS)}\n")
    lines.append("...\n")
    return with_tags("".join(lines), rng, standard)


def with_tags(written, rng, standard):
    """Returns text with the versions of tags that Python's asdf knows in a version of the standard."""
    if standard in ("1.0.0", "1.1.0"):
        written = written.replace("core/asdf-1.1.0", "core/asdf-1.0.0")
    if standard == "1.0.0":
        # It has no quantities.
        written = re.sub(r"!unit/quantity-1.1.0 {value: ([^,]*), .*?}", r"\1", written)
        return written.replace("time-1.1.0", "time-1.0.0")
    if standard == "1.6.0":
        written = written.replace("ndarray-1.0.0", "ndarray-1.1.0")
        written = written.replace("quantity-1.1.0", rng.choice(["quantity-1.2.0", "quantity-1.3.0"]))
        return written.replace("time-1.1.0", rng.choice(["time-1.2.0", "time-1.3.0", "time-1.4.0"]))
    return written


def by_python(rng, number, path):
    """Writes a file with Python's asdf, with objects of astropy and arrays in blocks."""
    scale, form = rng.choice(["tai", "utc", "tt", "tdb"]), rng.choice(["mjd", "iso", "isot", "jyear", "jd", "unix", "yday"])
    moment = Time(55_000 + 8_000 * rng.random(), format="mjd", scale=scale)
    # astropy writes years in UTC without a scale, and reads them as TT.
    moment.format = "mjd" if (form, scale) == ("jyear", "utc") else form
    unit = rng.choice([u.m, u.cm, u.km, u.imperial.yd if number % 5 == 0 else u.mm])
    typed = {
        key("boolean"): number % 3 == 0,
        key("int64"): rng.randrange(-(2**63), 2**63),
        key("float64"): rng.choice([rng.random(), float("nan"), float("-inf"), 5e-324]),
        key("string"): rng.choice(["Ω", "plain", "it's", "\u2028", "no"]),
        key("timestamp"): moment,
        key("list<float64>"): [rng.random() for _ in range(number % 4)],
        key("struct<a: float64, b: string>"): {"a": number, "b": "β"},
        key("json"): {"x": [1, 2.5, {"y": None}], "time": moment},
        key("int16"): np.arange(3) if number % 2 else 5,
    }
    settled = {"settled_length": rng.random() * 10 * unit, "settled_time": moment, "settled_number": rng.random()}
    tree = {"roman": {"meta": {"number": number, "typed": typed, "settled": settled}, "data": np.arange(number % 40 + 1)}}
    # Files of older standards have fewer types of arrays and times.
    asdf.AsdfFile(tree, version=rng.choice(STANDARDS[-3:])).write_to(path, all_array_compression=rng.choice([None, "zlib"]))


def damaged(rng, number, path):
    """Writes a file that is not ASDF, or only its beginning."""
    kind = number // 40 % 6
    whole = text(rng, number, "1.6.0").encode()
    if kind == 5:
        # The block is cut, and the tree is complete.
        by_python(rng, number, path)
        shutil.copy(path, path.with_suffix(WHOLE))
        path.write_bytes(path.read_bytes()[:-3])
        return
    path.write_bytes([
        b"", b"SIMPLE  =                    T / not ASDF\n", rng.randbytes(700), whole[: len(whole) // 2 + rng.randrange(40)],
        whole.replace(b"  meta:\n", b"  meta: [\n"),
    ][kind])


def make(folder, count, seed):
    """Makes files in several folders. Returns their paths."""
    rng = random.Random(seed)
    paths = [folder / f"night{number // 250}" / f"r{number:04}.asdf" for number in range(count)]
    for number, path in enumerate(paths):
        path.parent.mkdir(parents=True, exist_ok=True)
        one(rng, number, path)
    return paths


def one(rng, number, path):
    """Makes one file, with a time of its last change that is not the present."""
    if number % 40 == 39:
        damaged(rng, number, path)
    elif number % 9 == 4:
        by_python(rng, number, path)
    else:
        # Files can do without the line of the standard, which then is 1.0.0 in Python.
        has_line = number % 50 != 1
        written = text(rng, number, rng.choice(STANDARDS) if has_line else "1.0.0")
        if not has_line:
            written = "".join(line for line in written.splitlines(True) if not line.startswith("#ASDF_STANDARD"))
        path.write_text(written, encoding="utf-8")
    os.utime(path, ns=(0, 1_700_000_000_000_000_000 + rng.randrange(10**17)))
