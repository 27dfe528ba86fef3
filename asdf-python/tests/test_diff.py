"""Compares files."""

import asdf
import asdfast
import numpy as np
import pytest


@pytest.fixture
def files(tmp_path):
    one, other = tmp_path / "one.asdf", tmp_path / "other.asdf"
    tree = {"name": "a", "gain": 2, "gone": [1], "data": np.arange(6.0), "flags": np.zeros(3, "u1"), "list": [1, 2]}
    asdf.AsdfFile(tree).write_to(one)
    changed = tree | {"name": "b", "gain": 2.5, "new": {"x": 1}, "data": np.array([0, 1, 2, 9, 4, 5.0]), "flags": np.zeros(4, "i2")}
    del changed["gone"]
    asdf.AsdfFile(changed).write_to(other, all_array_compression="zlib")
    return one, other


def test_equal_files_have_no_differences(files, tmp_path):
    assert asdfast.diff(files[0], files[0]) == []
    again = tmp_path / "again.asdf"
    with asdf.open(files[0]) as file:
        file.write_to(again, all_array_compression="bzp2")
    found = asdfast.diff(files[0], again)
    assert found == [] and found.is_complete and str(found) == ""


def test_differences_have_paths_and_both_values(files):
    found = asdfast.diff(*files)
    by_path = {(one.path, one.change): (one.left, one.right) for one in found}
    assert by_path[("/name", "value")] == ("a", "b")
    assert by_path[("/gain", "kind")] == (2, 2.5)
    assert by_path[("/flags", "shape")] == ((3,), (4,))
    assert by_path[("/flags", "datatype")] == ("uint8", "int16")
    left, right = by_path[("/gone", "missing")]
    assert list(left) == [1] and right is None
    left, right = by_path[("/new", "added")]
    assert left is None and right == {"x": 1}
    assert by_path[("/data", "elements")] == ("3.0", "9.0") or by_path[("/data", "elements")] == ("3", "9")
    assert str(found).splitlines() == [one.text for one in found]
    assert str(found[0]) == found[0].text and found[0].column is None


def test_options(files):
    assert {one.path for one in asdfast.diff(*files, ignore=["/data", "/n*", "/g*"])} == {"/flags"}
    assert "/data" not in {one.path for one in asdfast.diff(*files, atol=6)}
    assert "datatype" not in {one.change for one in asdfast.diff(*files, values=True)}
    short = asdfast.diff(*files, max_differences=2)
    assert len(short) < len(asdfast.diff(*files)) and not short.is_complete and "limit" in str(short)


def test_open_files_are_compared_and_not_changed(files):
    with asdfast.open(files[0]) as one, asdfast.open(files[1]) as other:
        assert [str(d) for d in asdfast.diff(one, other)] == str(asdfast.diff(*files)).splitlines()
        assert one["data"][3] == 3.0


def test_errors(files, tmp_path):
    with pytest.raises(asdfast.UsageError, match="begins with"):
        asdfast.diff(*files, ignore="data")
    with pytest.raises(asdfast.UsageError, match="at least 0"):
        asdfast.diff(*files, rtol=-1)
    with pytest.raises(FileNotFoundError):
        asdfast.diff(files[0], tmp_path / "missing.asdf")
