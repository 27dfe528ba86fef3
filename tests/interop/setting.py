"""Checks that Python still reads files that `asdf set` changed, and that packages bring the schemas that Python registers.

Needs asdf-astropy and rad. The argument is the folder of programs."""

import importlib.metadata
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import asdf
import astropy.units as u
import numpy as np
from astropy.time import Time

PROGRAM = Path(sys.argv[1]).resolve() / "asdf"
ENVIRONMENT = os.environ | {"VIRTUAL_ENV": sys.prefix}
ENVIRONMENT.pop("ASDF_PACKAGES", None)


def run(*words):
    done = subprocess.run([PROGRAM, *words], env=ENVIRONMENT, capture_output=True, text=True)
    assert done.returncode == 0, (words, done.stderr)
    return done.stdout


def values_keep_their_types(folder):
    path = folder / "set.asdf"
    tree = {"t": Time("2024-01-01T00:00:00"), "q": 3.0 * u.m, "a": np.arange(3), "n": {"list": [1, 2]}}
    asdf.AsdfFile(tree).write_to(path)
    run("set", path, "/t", "2025-05-05T12:00:00")
    run("set", path, "q", "{value: 4.5, unit: km}")
    run("set", path, "/a", "[7, 8]")
    run("set", path, "n.list[-1]", "5")
    run("set", "--parents", path, "/new/below", "yes")
    with asdf.open(path) as file:
        assert isinstance(file["t"], Time) and file["t"] == Time("2025-05-05T12:00:00"), file["t"]
        assert isinstance(file["q"], u.Quantity) and file["q"] == 4.5 * u.km, file["q"]
        assert np.array_equal(file["a"], [7, 8]), file["a"]
        assert file["n"]["list"] == [1, 5] and file["new"] == {"below": True}, file.tree


def packages_bring_what_python_registers():
    count = 0
    for entry in importlib.metadata.entry_points(group="asdf.resource_mappings"):
        name = entry.dist.name
        if name == "asdf":
            continue
        theirs = {uri for mapping in entry.load()() for uri in mapping}
        ours = set(json.loads(run("schema", "list", "--json", "--package", name))["schemas"])
        missing = {uri for uri in theirs if "version_map" not in uri} - ours
        assert not missing, (name, sorted(missing)[:10])
        count += len(theirs)
    assert count > 500, count
    return count


with tempfile.TemporaryDirectory() as folder:
    values_keep_their_types(Path(folder))
print(f"set keeps types; packages bring {packages_bring_what_python_registers()} schemas that Python registers")
