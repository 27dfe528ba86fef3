"""New files: what asdfast writes, Python's asdf reads, with equal values."""

import datetime
import io
import os
import signal
import subprocess
import sys
import textwrap
import time

import asdf
import numpy as np
import pytest

import asdfast


def read(tree, **options):
    """Writes a tree with asdfast and opens the file with Python's asdf."""
    version = options.pop("version", None)
    buffer = io.BytesIO()
    asdfast.File(tree, version=version).write(buffer, **options)
    buffer.seek(0)
    return asdf.open(buffer, lazy_load=False, memmap=False)


def own(tree, **options):
    """Writes a tree with asdfast and opens the file with it."""
    path = options.pop("path")
    asdfast.File(tree).write(path, **options)
    return asdfast.open(path)


SCALARS = [
    None,
    True,
    False,
    0,
    -1,
    2**63 - 1,
    -(2**63) + 2,
    1.5,
    1e300,
    float("inf"),
    "text",
    "",
    "true",
    "1",
    "2020-01-01",
    "~",
    "line\nline",
    "\u00e9\U0001f52d",
    b"bytes",
    b"",
    1 + 2j,
    complex(float("inf"), -0.5),
    datetime.date(2026, 11, 20),
    datetime.datetime(2026, 11, 20, 12, 30, 1, 250),
    datetime.datetime(2026, 11, 20, tzinfo=datetime.timezone.utc),
    datetime.datetime(2026, 11, 20, tzinfo=datetime.timezone(datetime.timedelta(hours=-5, minutes=-30))),
]


@pytest.mark.parametrize("value", SCALARS, ids=repr)
def test_scalars_are_equal(value, tmp_path):
    found = read({"a": value})["a"]
    assert found == value and type(found) is type(value)
    found = own({"a": value}, path=tmp_path / "x.asdf")["a"]
    assert found == value and type(found) is type(value)


@pytest.mark.parametrize("value", [2**63, -(2**63), 2**64, -(2**63) + 1, 3**500, -(7**300)])
def test_integers_of_any_size(value, tmp_path):
    assert int(read({"a": value})["a"]) == value
    assert own({"a": value}, path=tmp_path / "x.asdf")["a"] == value


@pytest.mark.parametrize("value", [float("nan"), np.float32("nan")])
def test_nan(value):
    assert np.isnan(read({"a": value})["a"])


@pytest.mark.parametrize(
    ("scalar", "value"),
    [
        (np.int8(-3), -3),
        (np.uint64(2**63 - 1), 2**63 - 1),
        (np.float16(1.5), 1.5),
        (np.float32(0.1), float(np.float32(0.1))),
        (np.float64(0.1), 0.1),
        (np.longdouble(1.5), 1.5),
        (np.bool_(True), True),
        (np.complex64(1 + 2j), 1 + 2j),
        (np.str_("x"), "x"),
        (np.bytes_(b"x"), b"x"),
    ],
)
def test_scalars_of_numpy(scalar, value):
    found = read({"a": scalar})["a"]
    assert found == value and type(found) is type(value)


def test_collections():
    tree = {"list": [1, [2, []], {}], "tuple": (1, 2), "dict": {"b": 1, "a": {"c": None}}, "set": {3, 1, 2}}
    found = read(tree)
    assert found["list"] == [1, [2, []], {}]
    assert found["tuple"] == [1, 2]
    assert list(found["dict"]) == ["b", "a"] and found["dict"]["a"] == {"c": None}
    assert found["set"] == {1, 2, 3}
    assert found["dict"].__class__.__name__ == "dict"


def test_other_mappings_and_sequences():
    import collections
    import types

    tree = {
        "a": collections.OrderedDict(x=1),
        "b": types.MappingProxyType({"y": 2}),
        "c": collections.deque([1, 2]),
        "d": range(3),
        "e": collections.ChainMap({"z": 3}),
        "f": frozenset([1]),
    }
    found = read(tree)
    assert found["a"] == {"x": 1} and found["b"] == {"y": 2} and found["c"] == [1, 2]
    assert found["d"] == [0, 1, 2] and found["e"] == {"z": 3} and found["f"] == {1}


def test_keys():
    found = read({"a": {1: "int", True: "other", "1": "text"}})["a"]
    # For Python 1 and True are one key.
    assert found == {1: "other", "1": "text"}


ARRAYS = {
    "int8": np.arange(-3, 3, dtype="i1"),
    "big": np.arange(6, dtype=">i4").reshape(2, 3),
    "little": np.arange(6, dtype="<u8"),
    "float16": np.array([0.5, np.inf, 6e-8], "f2"),
    "big float16": np.array([0.5, 1.5], ">f2"),
    "float32": np.linspace(0, 1, 24, dtype="f4").reshape(2, 3, 4),
    "complex64": np.array([1 + 2j], "c8"),
    "complex128": np.array([[1 + 2j]], ">c16"),
    "bool": np.array([True, False]),
    "ascii": np.array([b"ab", b"c"]),
    "ucs4": np.array(["\u00e9a", "b"]),
    "big ucs4": np.array(["\u00e9a", "b"], ">U3"),
    "no axes": np.array(3.5),
    "empty": np.zeros((0, 3)),
    "columns": np.asfortranarray(np.arange(6.0).reshape(2, 3)),
    "transposed": np.arange(24).reshape(2, 3, 4).T,
    "strided": np.arange(20)[::3],
    "reversed": np.arange(5)[::-1],
    "broadcast": np.broadcast_to(np.arange(3), (2, 3)),
    "read-only": np.frombuffer(b"\x01\x02", "u1"),
    "record": np.array([(1, [[1, 2], [3, 4]], b"ab"), (2, [[5, 6], [7, 8]], b"c")], [("a", ">i2"), ("b", "<f4", (2, 2)), ("c", "S3")]),
    "nested": np.array([(1, (2.5, 3))], [("a", "u1"), ("b", [("x", "f8"), ("y", "i4")])]),
    "text record": np.array([("\u00e9", 1)], [("t", "U2"), ("n", "i8")]),
    "gaps": np.array([(1, 2.5), (3, 4.5)], np.dtype([("a", "i1"), ("b", "f8")], align=True)),
    "some fields": np.array([(1, 2.5, 3)], [("a", "i1"), ("b", "f8"), ("c", "i2")])[["a", "c"]],
    "recarray": np.array([(1, 2.5)], [("a", "i1"), ("b", "f8")]).view(np.recarray),
}


@pytest.mark.parametrize("name", ARRAYS)
@pytest.mark.parametrize("compression", [None, "lz4", "zlib", "bzp2"])
def test_arrays_are_equal(name, compression, tmp_path):
    array = ARRAYS[name]
    found = read({"a": array}, compression=compression)["a"]
    np.testing.assert_array_equal(found, np.asarray(array))
    assert found.dtype.names == array.dtype.names
    if array.dtype.names is None:
        assert found.dtype == array.dtype
    assert found.shape == array.shape
    back = own({"a": array}, path=tmp_path / "x.asdf", compression=compression)["a"]
    np.testing.assert_array_equal(np.asarray(back), np.asarray(array))
    assert back.dtype == found.dtype and back.shape == array.shape


@pytest.mark.parametrize("mask", [[0, 1, 0], [0, 0, 0], [1, 1, 1]])
def test_masked_arrays(mask, tmp_path):
    array = np.ma.array([1.5, 2.5, 3.5], mask=mask)
    found = read({"a": array})["a"]
    assert isinstance(found, np.ma.MaskedArray)
    np.testing.assert_array_equal(found.mask, array.mask)
    np.testing.assert_array_equal(found.data, array.data)
    back = own({"a": array}, path=tmp_path / "x.asdf")["a"][...]
    np.testing.assert_array_equal(back.mask, array.mask)


def test_a_masked_array_without_mask_is_an_array():
    assert read({"a": np.ma.array([1, 2])})["a"].tolist() == [1, 2]


def test_shared_objects_stay_shared(tmp_path):
    items, array = [1], np.arange(4)
    tree = {"a": items, "b": {"c": items}, "x": array, "y": array}
    found = read(tree)
    assert found["a"] is found["b"]["c"]
    assert found["x"] is found["y"]
    file = own(tree, path=tmp_path / "x.asdf")
    assert (tmp_path / "x.asdf").read_bytes().count(b"\xd3BLK") == 1
    assert file["a"] == file["b"]["c"] == [1]


def test_cycles():
    tree = {"name": "top", "list": [1]}
    tree["self"] = tree["list"]
    tree["list"].append(tree["list"])
    tree["child"] = {"parent": None}
    tree["child"]["parent"] = tree["child"]
    found = read(tree)
    assert found["list"][1] is found["list"] and found["self"] is found["list"]
    assert found["child"]["parent"] is found["child"]


def nested(levels):
    tree = {}
    for _ in range(levels):
        tree = {"a": tree}
    return tree


def test_deep_nesting_is_an_error():
    buffer = io.BytesIO()
    asdfast.File(nested(500)).write(buffer)
    for levels in (600, 100_000):
        with pytest.raises(asdfast.LimitError, match="more than 512 levels"):
            asdfast.File(nested(levels))
        items = []
        for _ in range(levels):
            items = [items]
        with pytest.raises(asdfast.LimitError, match="more than 512 levels"):
            asdfast.File({"a": items})


class Unknown:
    pass


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Unknown(), r"^/meta/list/1: cannot write an object of type `.*Unknown`\n  hint: convert it"),
        (datetime.time(1), "cannot write an object of type `datetime.time`"),
        (np.array(["2020-01-01"], "M8[D]"), r"no datatype for arrays of `datetime64\[D\]`\n  hint: "),
        (np.array([1, None]), "no datatype for arrays of `object`"),
        (np.datetime64("2020-01-01"), "no type for scalars of `datetime64"),
        ({1.5: 1}, "found the key 1.5 of type `float`, expected a string"),
        ({(1, 2): 1}, "found the key"),
        (lambda: 0, "cannot write an object of type"),
    ],
    ids=repr,
)
def test_unknown_objects_name_their_path(value, text):
    with pytest.raises(TypeError, match=text) as caught:
        asdfast.File({"meta": {"list": [1, value]}})
    assert caught.value.path == "/meta/list/1"
    assert str(caught.value).startswith("/meta/list/1: ")


def test_subclasses_of_arrays_are_not_stripped():
    class Quantity(np.ndarray):
        unit = "m"

    with pytest.raises(TypeError, match="/a: cannot write an object of type"):
        asdfast.File({"a": np.arange(3).view(Quantity)})


def test_tagged_objects_of_asdf():
    from asdf.tagged import TaggedDict, TaggedList, TaggedString

    tag = "asdf://example.org/tags/x-1.0.0"
    buffer = io.BytesIO()
    asdfast.File({"d": TaggedDict({"k": 1}, tag), "l": TaggedList([1, 2], tag), "s": TaggedString("text")}).write(buffer)
    text = buffer.getvalue()
    assert text.count(b"!<asdf://example.org/tags/x-1.0.0>") == 2
    assert b"k: 1" in text


def test_nodes_of_other_files_are_copied_encoded(tmp_path):
    array = np.arange(10_000)
    asdfast.File({"meta": {"x": [1, 2]}, "data": array}).write(tmp_path / "a.asdf", compression="zlib")
    first = asdfast.open(tmp_path / "a.asdf")
    asdfast.File({"m": first["meta"], "n": first["meta"], "d": first["data"], "all": first}).write(tmp_path / "b.asdf")
    with asdf.open(tmp_path / "b.asdf") as found:
        assert found["m"] == {"x": [1, 2]} and found["m"] is found["n"]
        np.testing.assert_array_equal(found["d"], array)
        np.testing.assert_array_equal(found["all"]["data"], array)
        assert found.get_array_compression(found["d"]) == "zlib"
    # One block for both arrays.
    assert (tmp_path / "b.asdf").read_bytes().count(b"\xd3BLK") == 1


def test_the_tree_of_asdf_is_read_back(tmp_path):
    array = np.arange(12.0).reshape(3, 4)
    asdf.AsdfFile({"a": array, "b": [1, {"c": 2 + 1j}]}).write_to(tmp_path / "a.asdf", all_array_compression="lz4")
    asdfast.File(asdfast.open(tmp_path / "a.asdf")).write(tmp_path / "b.asdf")
    with asdf.open(tmp_path / "b.asdf") as found:
        np.testing.assert_array_equal(found["a"], array)
        assert found["b"] == [1, {"c": 2 + 1j}]


@pytest.mark.parametrize("version", ["1.0.0", "1.2.0", "1.5.0", "1.6.0"])
def test_versions_of_the_standard(version):
    found = read({"a": np.arange(3), "b": 2**70 if version > "1.4.0" else 1}, version=version)
    assert found.version_string == version
    assert found["a"].tolist() == [0, 1, 2]


def test_options(tmp_path):
    array = np.arange(20)
    file = asdfast.File({"a": array})
    file.write(tmp_path / "i.asdf", inline_below=100)
    assert b"\xd3BLK" not in (tmp_path / "i.asdf").read_bytes()
    file.write(tmp_path / "e.asdf", storage="external")
    assert (tmp_path / "e0000.asdf").exists()
    file.write(tmp_path / "p.asdf", padding=5000, index=False, checksums=False, alignment=4096, threads=1)
    assert b"BLOCK INDEX" not in (tmp_path / "p.asdf").read_bytes()
    for name in ("i", "e", "p"):
        with asdf.open(tmp_path / f"{name}.asdf") as found:
            np.testing.assert_array_equal(found["a"], array)


@pytest.mark.parametrize(
    "options", [{"compression": "best"}, {"storage": "cloud"}, {"alignment": 3}, {"frame_rows": 0}]
)
def test_wrong_options(options, tmp_path):
    with pytest.raises(asdfast.AsdfError):
        asdfast.File({"a": np.arange(3)}).write(tmp_path / "x.asdf", **options)
    assert not list(tmp_path.iterdir())


def test_wrong_trees():
    with pytest.raises(asdfast.UsageError, match="must be a mapping"):
        asdfast.File([1])
    with pytest.raises(asdfast.UsageError, match="version"):
        asdfast.File({}, version="2")


def test_file_objects(tmp_path):
    file = asdfast.File({"a": np.arange(1_000_000)})
    buffer = io.BytesIO()
    file.write(buffer)
    with open(tmp_path / "x.asdf", "wb") as out:
        file.write(out)
    with open(tmp_path / "raw.asdf", "wb", buffering=0) as out:
        file.write(out)
    assert buffer.getvalue() == (tmp_path / "x.asdf").read_bytes() == (tmp_path / "raw.asdf").read_bytes()

    class Full:
        calls = 0

        def write(self, data):
            self.calls += 1
            raise RuntimeError("no space")

    full = Full()
    with pytest.raises(RuntimeError, match="no space"):
        file.write(full)
    assert full.calls == 1
    with pytest.raises(asdfast.UsageError, match="cannot write to the URL 's3://bucket/x.asdf'\n  hint: pass a file"):
        file.write("s3://bucket/x.asdf")


def test_a_failed_write_keeps_the_old_file(tmp_path):
    path = tmp_path / "x.asdf"
    path.write_bytes(b"old")
    asdfast.File({"a": np.arange(3)}).write(path)
    good = path.read_bytes()
    asdf.AsdfFile({"a": np.arange(1000)}).write_to(tmp_path / "damaged.asdf")
    data = bytearray((tmp_path / "damaged.asdf").read_bytes())
    data[data.index(b"\xd3BLK") + 60] ^= 1
    (tmp_path / "damaged.asdf").write_bytes(data)
    file = asdfast.open(tmp_path / "damaged.asdf")
    # Encoding again would hide the damage.
    with pytest.raises(asdfast.AsdfError, match="checksum"):
        file.write(path, compression="zlib")
    assert path.read_bytes() == good
    assert sorted(p.name for p in tmp_path.iterdir()) == ["damaged.asdf", "x.asdf"]
    with pytest.raises(FileNotFoundError):
        file.write(tmp_path / "none" / "x.asdf")


@pytest.mark.skipif(sys.platform == "win32", reason="there is no getrusage")
@pytest.mark.parametrize("compression", ["none", "lz4"])
def test_contiguous_arrays_are_not_copied(compression, tmp_path):
    size = 128
    script = f"""
        import resource
        import numpy, asdfast
        peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        asdfast.File({{"a": numpy.zeros(1000)}}).write({str(tmp_path / "small.asdf")!r}, compression={compression!r})
        array = numpy.zeros(({size}, 1024, 1024), "u1")
        array[:] = 1
        before = peak()
        asdfast.File({{"a": array, "b": array.T}}).write({str(tmp_path / "x.asdf")!r}, compression={compression!r})
        print(peak() - before)
    """
    out = subprocess.run([sys.executable, "-c", textwrap.dedent(script)], check=True, capture_output=True, text=True)
    assert int(out.stdout) < size // 2, out.stdout


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux lists the threads of a process")
@pytest.mark.parametrize("call", ["file.write(path, compression='xz')", "file.update(compression='xz', compact=True)"])
def test_ctrl_c_ends_a_write(call, tmp_path):
    path = tmp_path / "x.asdf"
    asdfast.File({"a": "old"}).write(path)
    good = path.read_bytes()
    script = f"""
        import io, numpy, os, time, asdfast
        threads = lambda: len(os.listdir("/proc/self/task"))
        noise = numpy.random.default_rng(1).integers(0, 255, 100_000_000, dtype="u1")
        start = time.monotonic()
        asdfast.File({{"a": noise[:2_000_000]}}).write(io.BytesIO(), compression="xz")
        part = time.monotonic() - start
        path = {str(path)!r}
        file = asdfast.open(path, mode="rw")
        file["a"] = noise
        before = threads()
        print("writing", flush=True)
        try:
            {call}
        except KeyboardInterrupt:
            print("interrupted", flush=True)
        start = time.monotonic()
        # Without the signal, the thread that writes would need 50 times as long as for the part.
        while threads() > before:
            time.sleep(0.01)
        print(int((time.monotonic() - start) / part), flush=True)
    """
    with subprocess.Popen([sys.executable, "-c", textwrap.dedent(script)], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "writing\n"
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        assert process.stdout.readline() == "interrupted\n"
        assert int(process.stdout.readline()) < 25
    assert path.read_bytes() == good
    assert [p.name for p in tmp_path.iterdir()] == ["x.asdf"]
