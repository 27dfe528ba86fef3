"""Compares `asdf stats` and `asdf head` with numpy and astropy, and `asdf diff` with the differences that numpy finds."""

import json
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

import asdf
import numpy as np
from astropy import units
from astropy.stats import sigma_clipped_stats
from astropy.table import MaskedColumn, Table

PROGRAM = sys.argv[1] + "/asdf"
COUNT = 0


def run(*arguments, code=0):
    done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode != code:
        sys.exit(f"asdf {' '.join(map(str, arguments))}: exit {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def check(ok, what):
    global COUNT
    COUNT += 1
    if not ok:
        sys.exit(what)


def near(found, expected, what):
    check(found is not None and np.isclose(found, expected, rtol=1e-11, atol=1e-300), f"{what}: {found}, not {expected}")


def arrays():
    random = np.random.default_rng(14)
    for kind in "i1 >i2 <i4 <i8 >i8 u1 <u2 >u4 <u8 >u8".split():
        limits = np.iinfo(kind)
        yield kind, random.integers(limits.min, limits.max, 1003, kind.lstrip("<>"), endpoint=True).astype(kind)
    yield "i8 ends", np.array([2**63 - 1, 2**63 - 3, -(2**63)], "i8")
    yield "i8 beyond floats", np.array([2**53 + 1, 5], "i8")
    yield "u8 ends", np.array([2**64 - 1, 0], "u8")
    yield "bool", random.random(77) < 0.3
    for kind in "<f2 >f4 <f8".split():
        numbers = random.normal(50, 3, (31, 67)).astype(kind)
        numbers[3, 4], numbers[5, 6], numbers[7, 8] = np.nan, np.inf, -np.inf
        numbers[9, :5] = 500
        yield kind, numbers
    image = random.normal(100, 5, (500, 400)).astype("f4")
    image.ravel()[random.integers(0, image.size, 900)] = 1e4
    yield "image", image
    yield "strided", image[::3, ::-2]
    yield "one", np.array([4.25])


def exact(values):
    return [int(value) for value in values.ravel()] if values.dtype.kind in "iub" else None


def statistics(folder):
    percents = [0, 1, 5, 25.5, 50, 95, 99, 100]
    for name, values in arrays():
        path = folder / "one.asdf"
        asdf.AsdfFile({"a": values}).write_to(path, all_array_storage="internal")
        (found,) = json.loads(
            run("stats", "--json", "--clip", "--percentiles=" + ",".join(map(str, percents)), path)
        )["arrays"]
        finite = values[np.isfinite(values)]
        check(found["count"] == finite.size, f"{name}: count")
        if values.dtype.kind == "f":
            check(found["nan"] == np.isnan(values).sum(), f"{name}: NaN")
            check(found["infinite"] == np.isinf(values).sum(), f"{name}: infinite")
        whole = exact(finite)
        if whole:
            expected = [min(whole), max(whole), sum(whole)]
            check([int(found[key]) for key in ("minimum", "maximum", "sum")] == expected, f"{name}: {found}, {expected}")
        else:
            check(found["minimum"] == float(finite.min()), f"{name}: minimum")
            check(found["maximum"] == float(finite.max()), f"{name}: maximum")
            near(found["sum"], finite.astype("f8").sum(), f"{name}: sum")
        as_floats = finite.astype("f8")
        near(found["mean"], as_floats.mean(), f"{name}: mean")
        check(np.isclose(found["deviation"], as_floats.std(), rtol=1e-9, atol=1e-9), f"{name}: deviation")
        near(found["median"], np.median(as_floats), f"{name}: median")
        for percent, one in zip(percents, found["percentiles"], strict=True):
            near(one["value"], np.percentile(as_floats, percent), f"{name}: {percent} %")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            clipped = sigma_clipped_stats(as_floats, sigma=3, maxiters=5)
        for key, expected in zip(("mean", "median", "deviation"), clipped, strict=True):
            ours = found["clipped"][key]
            check(np.isclose(ours, expected, rtol=1e-9, atol=1e-9), f"{name}: clipped {key}: {ours}, {expected}")


def planes(folder):
    cube = np.random.default_rng(15).normal(5, 2, (4, 5, 6)).astype("f4")
    path = folder / "cube.asdf"
    asdf.AsdfFile({"cube": cube}).write_to(path, all_array_compression="lz4")
    for axis in (0, 1, 2, -1, -3):
        found = json.loads(run("stats", "--json", "--each", axis, path, "/cube"))["arrays"]
        others = tuple({0, 1, 2} - {axis % 3})
        check(len(found) == cube.shape[axis], f"--each {axis}: {len(found)} parts")
        for key, expected in [("mean", cube.astype("f8").mean(axis=others)), ("minimum", cube.min(axis=others))]:
            check(np.allclose([one[key] for one in found], expected, rtol=1e-12), f"--each {axis}: {key}")
    (found,) = json.loads(run("stats", "--json", "--slice", "1:3, ::-2", path, "/cube"))["arrays"]
    check(found["shape"] == [2, 3, 6] and found["maximum"] == cube[1:3, ::-2].max(), f"--slice: {found}")


def tables(folder):
    path = folder / "table.asdf"
    flux = MaskedColumn(np.arange(6, dtype="f4") + np.float32(0.1), unit="Jy", mask=[0, 0, 1, 0, 0, 0])
    table = Table({"id": np.arange(6) + 2**60, "flux": flux, "name": ["a", "bb", "ccc", "d", "e", "f"]})
    quantity = np.array([1.5, 2.5, 4.0]) * units.m
    asdf.AsdfFile({"cat": table, "q": quantity}).write_to(path)
    found = {(one["path"], one["field"]): one for one in json.loads(run("stats", "--json", path))["arrays"]}
    check(set(found) == {("/cat", "id"), ("/cat", "flux"), ("/q", None)}, f"the columns are {sorted(map(str, found))}")
    check(found["/cat", "id"]["maximum"] == 2**60 + 5, "the largest id")
    flux = found["/cat", "flux"]
    check((flux["missing"], flux["count"], flux["unit"]) == (1, 5, "Jy"), f"masked: {flux}")
    near(flux["mean"], table["flux"].astype("f8").mean(), "the mean of a masked column")
    check(found["/q", None]["unit"] == "m", "the unit of a quantity")
    lines = run("head", "-n", "3", path, "/cat").splitlines()
    words = [line.split() for line in lines]
    check(words[1][:3] == ["id", "flux", "name"], f"head: {lines}")
    check([str(2**60), "0.1", "a"] in words and [str(2**60 + 2), "--", "ccc"] in words, f"head: {lines}")
    rows = json.loads(run("head", "--json", path, "/cat"))
    check([row[0] for row in rows["data"]] == [int(one) for one in table["id"]], "head --json")

    changed = table.copy()
    changed["flux"][4] = 9
    changed["more"] = 1
    asdf.AsdfFile({"cat": changed, "q": quantity}).write_to(folder / "changed.asdf")
    shown = run("diff", path, folder / "changed.asdf", code=1)
    check("(column flux): 1 of 6 rows differ, the first in row 4: 4.1 -> 9.0" in shown, shown)
    check("(column more): added" in shown and len(shown.splitlines()) == 2, shown)


def texts(folder):
    """Checks that floats are printed with the same digits as in numpy."""
    random = np.random.default_rng(3)
    for kind in "f2 f4 f8".split():
        values = np.concatenate([random.normal(0, 100, 200), [0.1, 1e-3, 91.68013, 1, np.nan, np.inf, -np.inf]])
        values = values.astype(kind)
        path = folder / "floats.asdf"
        asdf.AsdfFile({"a": values}).write_to(path)
        lines = run("head", "-n", "1000", path, "/a").splitlines()[1:]
        check(len(lines) == len(values), f"{kind}: {len(lines)} lines")
        for line, value in zip(lines, values, strict=True):
            check(len({"nan": "NaN"}.get(str(value), str(value))) >= len(line.strip()), f"{kind}: {line} of {value}")
            back = np.array(line.strip(), kind)
            check(back == value or (np.isnan(back) and np.isnan(value)), f"{kind}: {line} of {value}")


def differences(folder):
    """Checks that the number of differing elements is that of numpy, for all datatypes."""
    random = np.random.default_rng(5)
    one, other = folder / "left.asdf", folder / "right.asdf"
    for left, right in [("f8", "f4"), ("i8", "f4"), (">i4", "u2"), ("f8", "f8"), ("c16", "f4"), ("b1", "i1")]:
        a = random.integers(0, 2 if "b1" in (left, right) else 50, (23, 17)).astype(left)
        b = a.astype(right, copy=True) if left != "c16" else a.real.astype(right)
        b[random.random(b.shape) < 0.1] += 1
        asdf.AsdfFile({"a": a}).write_to(one)
        asdf.AsdfFile({"a": b}).write_to(other)
        found = json.loads(run("diff", "--json", "--values", one, other, code=1))["files"][0]["differences"]
        (elements,) = found
        expected = a != b
        check(elements["different"] == expected.sum(), f"{left} and {right}: {elements}")
        check(elements["first"] == [int(i[0]) for i in np.nonzero(expected)], f"{left} and {right}: {elements}")
        run("diff", "--values", "--atol", "1", one, other)
        longer = np.concatenate([b, b[:2]])
        asdf.AsdfFile({"a": longer}).write_to(other)
        found = json.loads(run("diff", "--json", "--values", one, other, code=1))["files"][0]["differences"]
        check([one["change"] for one in found] == ["shape", "elements"], f"{found}")
        check(found[1]["different"] == expected.sum() and found[1]["of"] == a.size, f"{found}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        statistics(Path(folder))
        tables(Path(folder))
        planes(Path(folder))
        texts(Path(folder))
        differences(Path(folder))
    print(f"stats: {COUNT} comparisons with numpy and astropy, all equal")


main()
