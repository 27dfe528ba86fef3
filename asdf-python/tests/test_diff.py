"""Compares files."""

import io

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
    assert {one.path for one in asdfast.diff(*files, ignore=["data", "name", "flags"])} == {"/gain", "/gone", "/new"}
    short = asdfast.diff(*files, max_differences=2)
    assert len(short) < len(asdfast.diff(*files)) and not short.is_complete and "limit" in str(short)


def test_open_files_are_compared_and_not_changed(files):
    with asdfast.open(files[0]) as one, asdfast.open(files[1]) as other:
        assert [str(d) for d in asdfast.diff(one, other)] == str(asdfast.diff(*files)).splitlines()
        assert one["data"][3] == 3.0


def test_errors(files, tmp_path):
    for wrong in ["", "a | b", "a[0"]:
        with pytest.raises(asdfast.UsageError, match="expected a path such as"):
            asdfast.diff(*files, ignore=wrong)
    with pytest.raises(asdfast.UsageError, match="at least 0"):
        asdfast.diff(*files, rtol=-1)
    with pytest.raises(FileNotFoundError):
        asdfast.diff(files[0], tmp_path / "missing.asdf")


@pytest.fixture
def folders(tmp_path, files):
    one, other = tmp_path / "before", tmp_path / "after"
    for folder in (one, other):
        (folder / "late").mkdir(parents=True)
    for name, left, right in [("a", 0, 0), ("b", 0, 1), ("late/c", 1, 0), ("late/d", 0, None), ("e", None, 1)]:
        for folder, number in [(one, left), (other, right)]:
            if number is not None:
                (folder / f"{name}.asdf").write_bytes(files[number].read_bytes())
        (one / "other.txt").write_text("not compared")
    return one, other


def test_folders_are_compared_by_the_names_of_their_files(files, folders):
    found = asdfast.diff(*folders)
    forth, back = asdfast.diff(*files), asdfast.diff(files[1], files[0])
    expected = [f"b.asdf: {one}" for one in forth] + ["e.asdf: only in the second folder"]
    expected += [f"late/c.asdf: {one}" for one in back] + ["late/d.asdf: only in the first folder"]
    assert str(found).splitlines() == expected and found.is_complete
    missing, added = found[-1], found[len(forth)]
    assert (missing.file, missing.path, missing.change) == ("late/d.asdf", "", "missing")
    assert (missing.left, missing.right) == (str(folders[0] / "late" / "d.asdf"), None)
    assert (added.file, added.change, added.left, added.right) == ("e.asdf", "added", None, str(folders[1] / "e.asdf"))
    assert asdfast.diff(folders[0], folders[0]) == []
    # A URL of a folder ends with a slash.
    urls = [f"file://{folder}/" for folder in folders]
    assert str(asdfast.diff(*urls)) == str(found)
    short = asdfast.diff(*folders, max_differences=1)
    assert not short.is_complete and len([one for one in short if one.file == "b.asdf"]) == 1


def test_a_folder_and_a_file(files, folders):
    for sides in [(folders[0], files[0]), (files[0], folders[0])]:
        with pytest.raises(asdfast.UsageError, match="found a folder, but .* is a file"):
            asdfast.diff(*sides)


def test_bytes_and_file_objects(files):
    data = [file.read_bytes() for file in files]
    assert str(asdfast.diff(*data)) == str(asdfast.diff(*files))
    assert str(asdfast.diff(io.BytesIO(data[0]), memoryview(data[1]))) == str(asdfast.diff(*files))
