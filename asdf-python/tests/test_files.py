"""Catalogues and manifests."""

import asdf
import asdfast
import fsspec
import numpy as np
import polars
import pyarrow
import pytest


@pytest.fixture
def night(tmp_path):
    folder = tmp_path / "night"
    (folder / "late").mkdir(parents=True)
    for number in range(5):
        tree = {"meta": {"time": 1.5 * number, "name": f"n{number}", "n": number}, "data": np.full((3, 4), number)}
        name = "late/4.asdf" if number == 4 else f"{number}.asdf"
        asdf.AsdfFile(tree).write_to(folder / name)
    return folder


def test_a_catalogue_of_a_folder(night):
    found = asdfast.catalog(night)
    assert len(found) == 5 and found.problems == []
    frame = polars.DataFrame(found)
    assert frame["meta.time"].to_list() == [0.0, 1.5, 3.0, 4.5, 6.0]
    assert frame["meta.name"].to_list() == [f"n{n}" for n in range(5)]
    assert frame["_file"][4] == str(night / "late" / "4.asdf")
    assert frame["_size"][0] == (night / "0.asdf").stat().st_size
    assert pyarrow.table(found).column_names == found.column_names
    assert "5 files" in repr(found)


def test_named_columns(night):
    paths = [night / "1.asdf", str(night / "3.asdf")]
    found = pyarrow.table(asdfast.catalog(paths, {"t": "/meta/time:float32", "n": "/meta/n"}, threads=1))
    assert found.schema.field("t").type == pyarrow.float32() and found["t"].to_pylist() == [1.5, 4.5]
    assert found["n"].to_pylist() == [1, 3]
    assert pyarrow.table(asdfast.catalog(paths, ["x=/meta/nothing"]))["x"].to_pylist() == [None, None]
    with asdfast.open(paths[0]) as file:
        assert pyarrow.table(asdfast.catalog([file, paths[1]], "name=/meta/name"))["name"].to_pylist() == ["n1", "n3"]


def test_many_files(night):
    found = asdfast.catalog([night / "2.asdf"] * 1500, ["/meta/n:int64"])
    table = pyarrow.table(found)
    assert table.num_rows == 1500 and len(table["meta.n"].chunks) == 2 and set(table["meta.n"].to_pylist()) == {2}


def test_files_that_cannot_be_read(night):
    (night / "5.asdf").write_bytes(b"not ASDF")
    found = asdfast.catalog(night, ["/meta/name", "/meta/n:boolean"])
    assert len(found) == 6 and any("5.asdf" in problem for problem in found.problems)
    assert pyarrow.table(found)["meta.name"].to_pylist()[-2] is None
    with pytest.raises(FileNotFoundError):
        asdfast.catalog([night / "9.asdf"], ["/meta/n"])
    with pytest.raises(asdfast.AsdfError):
        asdfast.catalog(night, ["/meta/n:number"])


def read(references, key):
    """Reads a chunk by the references."""
    return fsspec.filesystem("reference", fo=references).cat(key)


def test_a_manifest_refers_to_the_bytes(night):
    path = night / "3.asdf"
    found = asdfast.manifest(path)
    assert found["version"] == 1
    url, _, size = found["refs"]["data/0.0"]
    assert url == str(path) and size == 96
    assert np.array_equal(np.frombuffer(read(found, "data/0.0"), "<i8"), np.full(12, 3))
    with asdfast.open(path) as file:
        assert asdfast.manifest(file) == found


def test_manifests_of_several_files(night):
    paths = [night / "1.asdf", night / "2.asdf"]
    groups = asdfast.manifest(paths)["refs"]
    assert {"1/data/0.0", "2/data/0.0"} <= set(groups)
    assert "first/data/0.0" in asdfast.manifest({"first": paths[0], "second": paths[1]})["refs"]
    stacked = asdfast.manifest(paths, stack=True)["refs"]
    assert stacked["data/1.0.0"][0] == str(paths[1])


def test_arrays_without_references_are_warned_of(tmp_path):
    path = tmp_path / "masked.asdf"
    tree = {"good": np.arange(3), "masked": np.ma.masked_array(np.arange(4.0), [0, 0, 1, 0])}
    asdf.AsdfFile(tree).write_to(path)
    with pytest.warns(UserWarning, match="/masked"):
        found = asdfast.manifest(path)
    assert "good/0" in found["refs"] and "masked/0" not in found["refs"]
    none = tmp_path / "none.asdf"
    asdf.AsdfFile({"a": 1}).write_to(none)
    with pytest.raises(asdfast.MismatchError, match="no array"):
        asdfast.manifest(none)
    with pytest.raises(asdfast.UsageError, match="no path or URL"):
        asdfast.manifest(path.read_bytes())
