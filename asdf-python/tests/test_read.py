"""Opens files, and reads their trees."""

import collections.abc
import copy
import datetime
import errno
import io
import math
import multiprocessing
import pathlib
import pickle
import subprocess
import sys

import asdf
import asdfast
import fsspec
import numpy as np
import pytest

FORMS = """
set: !!set {x, y}
omap: !!omap [{a: 1}, {b: 2}]
pairs: !!pairs [{a: 1}, {a: 2}]
binary: !!binary aGVsbG8=
time: 2001-12-14t21:59:43.10-05:00
zone: 2001-12-14 21:59:43.5 Z
date: 2001-01-01
complex: !core/complex-1.0.0 1+2j
keys: {1: a, 2.5: b, null: d, 2001-01-01: e}
list: &list [1, 2.5, null, true]
alias: *list
large: 123456789012345678901234567890
tagged: !foo bar
number: !foo 5
mapping: !foo {a: 1}
sequence: !foo [1]
merged: {<<: {z: 1, y: 0}, y: 2}
quoted: {"<<": {z: 1}}
empty:
nan: .nan
minus: -.inf
sexagesimal: 1:30
yes: yes
constant: !core/constant-1.0.0 five
"""


def test_a_mapping_has_keys_and_attributes(text):
    with asdfast.open(text("roman: {meta: {exposure: 1.5, name: a, 'two words': 2}}")) as file:
        assert file["roman"]["meta"]["exposure"] == 1.5
        assert file.roman.meta.name == "a"
        assert {"exposure", "name", "keys"} <= set(dir(file.roman.meta))
        assert "two words" not in dir(file.roman.meta)
        assert file.tree is file
        assert file.at("/roman/meta/two words") == 2
        with pytest.raises(KeyError, match="colour"):
            file["colour"]
        with pytest.raises(AttributeError, match="colour"):
            file.colour
        with pytest.raises(asdfast.MissingError) as caught:
            file.at("/roman/colour")
        assert isinstance(caught.value, KeyError)
    assert file.roman.meta.exposure == 1.5, "a view keeps its file open"


def test_views_are_mappings_and_sequences(text):
    file = asdfast.open(text(FORMS))
    assert isinstance(file, collections.abc.Mapping)
    assert isinstance(file["list"], collections.abc.Sequence)
    assert file["mapping"] == {"a": 1} and {"a": 1} == dict(file["mapping"])
    assert file["list"] == [1, 2.5, None, True] and file["list"] != [1]
    assert file["list"][-1] is True and file["list"][1:3] == [2.5, None]
    assert file["mapping"].items() == {"a": 1}.items() and file["mapping"].keys() & {"a", "b"} == {"a"}
    assert file.get("nothing", 3) == 3 and file.get("nothing") is None
    assert len(file["keys"]) == 4 and 2.5 in file["keys"] and "1" not in file["keys"]
    with pytest.raises(TypeError, match="unhashable"):
        file["keys"][[]]
    with pytest.raises(IndexError):
        file["list"][4]


def test_values_are_those_of_pythons_asdf(text):
    path = text(FORMS)
    file = asdfast.open(path)
    with pytest.warns(asdf.exceptions.AsdfConversionWarning), asdf.open(path) as peer:
        for key, expected in peer.tree.items():
            found = file[key]
            if isinstance(expected, asdf.tags.core.Constant):
                expected = expected.value
            if isinstance(expected, float) and math.isnan(expected):
                assert math.isnan(found)
                continue
            assert found == getattr(expected, "data", expected), key
            if not isinstance(expected, (dict, list)):
                assert isinstance(found, type(expected)) or isinstance(found, asdfast.TaggedString), key
            if key != "constant":
                assert getattr(found, "tag", None) == getattr(expected, "_tag", None), key
    assert list(file["merged"]) == ["z", "y"] and file["merged"]["z"] == 1 and file.merged.y == 2
    assert file["quoted"] == {"<<": {"z": 1}}
    assert file["keys"][datetime.date(2001, 1, 1)] == "e"


def test_anchors_are_the_same_object(text):
    file = asdfast.open(text("a: &x [1]\nb: *x\nc: &me {me: *me}"))
    assert file["a"] is file["b"]
    assert file["c"]["me"] is file["c"]
    kept = id(file["a"])
    assert kept is not None and file["a"] is not asdfast.open(text("a: [1]"))["a"]


@pytest.mark.parametrize("lazy", [True, False])
def test_all_sources_give_the_same(write, lazy):
    path = write({"name": "a", "data": np.arange(100)}, all_array_compression="zlib")
    content = path.read_bytes()
    sources = [path, str(path), path.as_uri(), content, bytearray(content), memoryview(content), io.BytesIO(content)]
    with open(path, "rb") as raw, fsspec.open(path.as_uri()) as remote:
        for source in [*sources, raw, remote]:
            file = asdfast.open(source, lazy=lazy)
            assert file["name"] == "a"
            assert (file["data"][10:20] == np.arange(10, 20)).all()
            assert file["data"].compression == "zlib"


def test_a_file_can_be_removed_after_it_was_read(write):
    path = write({"data": np.arange(100)})
    file = asdfast.open(path, lazy=False)
    path.unlink()
    assert file["data"][...].sum() == 4950


def test_wrong_sources_are_errors(tmp_path, write):
    with pytest.raises(TypeError, match="cannot open an object of type float"):
        asdfast.open(1.5)
    path = write({"data": np.arange(3)})
    with open(path, encoding="latin-1") as file, pytest.raises(TypeError, match="binary mode"):
        asdfast.open(file)
    with pytest.raises(asdfast.UsageError, match="unknown limit 'depth'"):
        asdfast.open(path, limits={"depth": 1})
    with pytest.raises(TypeError, match="'colour' is not an option of storage_options"):
        asdfast.open("s3://bucket/key", storage_options={"colour": "red"})
    with pytest.raises(ValueError, match="only local files can be mapped"):
        asdfast.open(b"", mmap=True)
    with pytest.raises(FileNotFoundError) as caught:
        asdfast.open(tmp_path / "nothing.asdf")
    assert caught.value.errno == errno.ENOENT and caught.value.file == str(tmp_path / "nothing.asdf")
    with pytest.raises(IsADirectoryError, match="found a folder, expected a file"):
        asdfast.open(tmp_path)


def test_errors_have_a_place(text):
    path = text("a: [1\nb: 2")
    with pytest.raises(asdfast.MalformedError) as caught:
        asdfast.open(path)
    error = caught.value
    assert isinstance(error, ValueError) and isinstance(error, asdfast.AsdfError)
    assert (error.file, error.line) == (str(path), 7) and error.column
    same = pickle.loads(pickle.dumps(error))
    assert (str(same), same.line, same.file) == (str(error), 7, str(path))


def test_limits_hold(text):
    deep = text("a: " + "[" * 40 + "]" * 40)
    assert asdfast.open(deep)
    with pytest.raises(asdfast.LimitError):
        asdfast.open(deep, limits={"tree_depth": 30})


def test_a_file_object_that_fails_is_an_error(write):
    class Broken(io.BytesIO):
        def read(self, size=-1):
            if size > 0:
                raise RuntimeError("no more")
            return super().read(size)

    with pytest.raises(OSError, match="RuntimeError: no more"):
        asdfast.open(Broken(write({"a": 1}).read_bytes()))


def test_copies_are_plain(write):
    data = np.arange(6).reshape(2, 3)
    file = asdfast.open(write({"m": {"list": [1, {"x": 2}], "data": data}}))
    copied = copy.deepcopy(file["m"])
    assert type(copied) is dict and type(copied["list"]) is list and type(copied["data"]) is np.ndarray
    assert (copied["data"] == data).all()
    assert type(copy.copy(file["m"])) is dict and type(copy.copy(file["m"]["list"])) is list
    assert asdfast.plain(3) == 3


def test_copies_keep_cycles(text):
    file = asdfast.open(text("c: &me {me: *me, list: &list [*list]}"))
    copied = asdfast.plain(file["c"])
    assert copied["me"] is copied and copied["list"][0] is copied["list"]


def test_views_can_be_pickled(write):
    data = np.arange(6).reshape(2, 3)
    table = np.array([(1, 2.5)], dtype=[("x", "i4"), ("y", "f8")])
    path = write({"m": {"list": [1, 2], "data": data, "table": table}})
    for source in (path, path.read_bytes(), io.BytesIO(path.read_bytes())):
        file = asdfast.open(source)
        values = [file, file["m"], file["m"]["list"], file["m"]["data"], file["m"]["table"]["y"]]
        again, mapping, sequence, array, field = pickle.loads(pickle.dumps(values))
        assert isinstance(again, asdfast.File) and again["m"] is mapping
        assert isinstance(mapping, asdfast.Mapping) and mapping["list"] == [1, 2]
        assert isinstance(sequence, asdfast.Sequence) and sequence == [1, 2]
        assert isinstance(array, asdfast.Array) and (array[...] == data).all()
        assert field[...].tolist() == [2.5]


def test_a_changed_file_is_not_pickled(write):
    path = write({"m": {"x": 1}})
    file = asdfast.open(path, mode="rw")
    file["m"]["x"] = 2
    for view in (file, file["m"]):
        with pytest.raises(TypeError, match="was changed"):
            pickle.dumps(view)
    file.update()
    assert pickle.loads(pickle.dumps(file["m"]))["x"] == 2
    with pytest.raises(TypeError, match="was not opened"):
        pickle.dumps(asdfast.File({"m": 1}))


def total(array):
    return float(array[...].sum())


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_processes_share_files(write, method):
    data = np.arange(100_000.0).reshape(1000, 100)
    file = asdfast.open(write({"data": data}, all_array_compression="lz4"))
    assert file["data"][0, 0] == 0
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.map(total, [file["data"]] * 4) == [data.sum()] * 4


def test_a_repr_reads_no_elements(write):
    path = write({"data": np.arange(100), "list": [1]})
    file = asdfast.open(path)
    path.write_bytes(path.read_bytes()[:-700])
    assert repr(file) == "<asdfast.Mapping of 4 entries: ['asdf_library', 'history', 'data', 'list']>"
    assert repr(file["data"]) == "<asdfast.Array of shape (100,), int64>"
    assert repr(file["list"]) == "<asdfast.Sequence of 1 items: [1]>"


def test_opening_a_file_imports_little(write):
    """numpy, typing and others take longer to import than a file takes to open."""
    path = write({"m": {"x": 1}})
    code = f"import asdfast, sys; asdfast.open({str(path)!r})['m']['x']; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert not {"numpy", "typing", "dataclasses", "importlib.metadata"} & set(done.stdout.split())


def test_the_version_is_that_of_the_package():
    metadata = pathlib.Path(__file__).parents[2] / "Cargo.toml"
    assert f'\nversion = "{asdfast.__version__}"\n' in metadata.read_text()
