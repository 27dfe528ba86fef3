"""Catalogues and manifests."""

import io
import json

import asdf
import asdfast
import fsspec
import numpy as np
import polars
import pyarrow
import pytest
import web_server
from pyarrow import csv, ipc, parquet


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


SCHEMAS = {
    "asdf://x.org/schemas/image": """
id: asdf://x.org/schemas/image
type: object
properties:
  filter:
    title: The filter
    type: string
    archive_catalog: {datatype: nvarchar(10), destination: [Night.filter]}
  exposure: {type: number, archive_catalog: {datatype: float, destination: [Night.time, Other.time]}}
  gain: {type: number}
""",
    "asdf://x.org/manifest": """
id: asdf://x.org/manifest
tags: [{tag_uri: "asdf://x.org/tags/image-1.0.0", schema_uri: "asdf://x.org/schemas/image"}]
""",
}


@pytest.fixture
def images(text):
    tree = "image: !<asdf://x.org/tags/image-1.0.0> {{filter: {}, exposure: {}, gain: 2.0}}"
    return [text(tree.format("F158", 1.5)), text(tree.format("5", 2.5))]


def test_columns_of_schemas(images):
    table = pyarrow.table(asdfast.catalog(images, schema="image", schemas=SCHEMAS))
    assert {"filter", "exposure", "gain"} <= {name.rpartition(".")[2] for name in table.column_names}
    found = asdfast.catalog(images, "gain=/image/gain", table="Night", schemas=SCHEMAS)
    table = pyarrow.table(found)
    assert table.column_names[4:-1] == ["gain", "filter", "time"] and table["time"].to_pylist() == [1.5, 2.5]
    assert table["filter"].to_pylist() == ["F158", None] and found.left_out == []
    assert table.schema.field("filter").metadata[b"title"] == b"The filter"
    assert len(found.problems) == 1 and "filter" in found.problems[0]
    with pytest.raises(asdfast.UsageError, match="both schema and table"):
        asdfast.catalog(images, schema="image", table="Night", schemas=SCHEMAS)
    with pytest.raises(asdfast.AsdfError, match="Day"):
        asdfast.catalog(images, table="Day", schemas=SCHEMAS)


def test_the_columns_of_a_package():
    found = asdfast.catalog([], table="WFIExposure", package="rad")
    assert len(found) == 0 and {"exposure_time", "filename"} <= set(found.column_names)


def test_files_are_validated(images):
    table = pyarrow.table(asdfast.catalog(images, "/image/gain", validate=True, schemas=SCHEMAS))
    assert table["_valid"].to_pylist() == [True, False]
    assert "_valid" not in asdfast.catalog(images, "/image/gain", schemas=SCHEMAS).column_names


def test_catalogues_are_written(night, tmp_path):
    fields = {"t": "/meta/time", "name": "/meta/name"}
    expected = pyarrow.table(asdfast.catalog(night, fields)).to_pylist()
    readers = {"parquet": parquet.read_table, "arrow": lambda path: ipc.open_file(path).read_all(), "csv": csv.read_csv}
    for format, reader in readers.items():
        path = tmp_path / f"night.{format}"
        written = asdfast.catalog(night, fields, output=path)
        assert written == asdfast.CatalogFile(path, 5, 0, 0, [], [])
        rows = reader(path).to_pylist()
        assert [row["t"] for row in rows] == [row["t"] for row in expected]
        assert [row["name"] for row in rows] == [row["name"] for row in expected]
        with pytest.raises(asdfast.UsageError, match="already exists"):
            asdfast.catalog(night, fields, output=path)
        assert asdfast.catalog(night, fields, output=str(path), overwrite=True).read == 5
        out = io.BytesIO()
        asdfast.catalog(night, fields, output=out, format=format)
        assert out.getvalue() == path.read_bytes()


def test_texts_that_spreadsheets_would_calculate(text, tmp_path):
    path = text("name: =1+1")
    out = io.BytesIO()
    asdfast.catalog(path, "/name", output=out, format="csv", csv_safe=True)
    assert b",'=1+1," in out.getvalue()
    with pytest.raises(asdfast.UsageError, match="csv_safe"):
        asdfast.catalog(path, "/name", output=tmp_path / "x.arrow", csv_safe=True)


def test_a_catalogue_is_updated(night, tmp_path):
    path = tmp_path / "night.parquet"
    first = asdfast.catalog(night, output=path, update=True)
    assert (first.read, first.kept, first.removed) == (5, 0, 0)
    table = parquet.read_table(path)
    before = path.stat()
    same = asdfast.catalog(night, output=path, update=True)
    assert (same.read, same.kept, same.removed) == (0, 5, 0)
    # It is not written if nothing changed.
    assert path.stat().st_mtime_ns == before.st_mtime_ns and path.stat().st_ino == before.st_ino
    (night / "0.asdf").unlink()
    asdf.AsdfFile({"meta": {"time": 99.0, "name": "changed", "n": 1}}).write_to(night / "1.asdf")
    changed = asdfast.catalog(night, output=path, update=True)
    assert (changed.read, changed.kept, changed.removed) == (1, 3, 2)
    after = parquet.read_table(path)
    assert after.schema.names == table.schema.names
    assert after["meta.time"].to_pylist() == [99.0, 3.0, 4.5, 6.0]
    assert after.slice(1).to_pylist() == table.slice(2).to_pylist()
    other = asdfast.catalog(night, "/meta/n", output=path, update=True)
    assert (other.read, other.kept) == (4, 0) and "meta.n" in parquet.read_table(path).column_names
    for wrong in (tmp_path / "x.csv", io.BytesIO()):
        with pytest.raises(asdfast.UsageError):
            asdfast.catalog(night, output=wrong, update=True)
    strange = tmp_path / "strange.parquet"
    parquet.write_table(table.select(["meta.n"]), strange)
    with pytest.raises(asdfast.MismatchError, match="not a catalogue"):
        asdfast.catalog(night, output=strange, update=True)


def test_options_that_need_an_output(night, tmp_path):
    for options in [{"update": True}, {"overwrite": True}, {"format": "csv"}, {"csv_safe": True}]:
        with pytest.raises(asdfast.UsageError, match="need an output"):
            asdfast.catalog(night, **options)
    with pytest.raises(asdfast.UsageError, match="extension of the output"):
        asdfast.catalog(night, output=tmp_path / "night.txt")
    with pytest.raises(asdfast.UsageError, match="expected 'parquet', 'arrow' or 'csv'"):
        asdfast.catalog(night, output=tmp_path / "night.txt", format="xlsx")
    with pytest.raises(FileNotFoundError):
        asdfast.catalog([night / "9.asdf"], "/a", output=tmp_path / "night.csv")
    assert not (tmp_path / "night.csv").exists()

    class Full(io.BytesIO):
        def write(self, data):
            raise OSError(28, "no space")

    with pytest.raises(OSError, match="no space"):
        asdfast.catalog(night, output=Full(), format="parquet")


def test_progress_and_its_exceptions(night, tmp_path):
    calls = []
    asdfast.catalog(night, progress=lambda *numbers: calls.append(numbers))
    assert calls == [(number, 5) for number in range(1, 6)]
    calls.clear()
    asdfast.catalog(night, progress=lambda *numbers: calls.append(numbers), output=tmp_path / "a.csv")
    assert calls == [(number, 5) for number in range(1, 6)]

    def stop(done, total):
        raise KeyError(done)

    with pytest.raises(KeyError):
        asdfast.catalog([night / "1.asdf"] * 2000, "/meta/n", progress=stop, output=tmp_path / "b.csv", threads=1)
    assert not (tmp_path / "b.csv").exists()


def test_folders_patterns_and_other_sources(night, tmp_path):
    def names(files):
        return pyarrow.table(asdfast.catalog(files, "/meta/name"))["meta.name"].to_pylist()

    assert names([night / "late", str(night / "[12].asdf"), night / "0.asdf"]) == ["n4", "n1", "n2", "n0"]
    assert names(str(night / "*")) == ["n0", "n1", "n2", "n3", "n4"]
    assert names(f"file://{night}/") == ["n0", "n1", "n2", "n3", "n4"]
    data = (night / "3.asdf").read_bytes()
    assert names([data, io.BytesIO(data)]) == ["n3", "n3"] and names(data) == ["n3"]
    with pytest.raises(asdfast.UsageError, match="no file matches"):
        names(str(night / "x*.asdf"))
    (tmp_path / "empty").mkdir()
    with pytest.raises(asdfast.UsageError, match=r"found no \*.asdf file"):
        names([night, tmp_path / "empty"])


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


def test_a_base_url_replaces_the_folder(night):
    for files in (night, [night / "1.asdf", night / "late" / "4.asdf"]):
        urls = {value[0] for value in asdfast.manifest(files, base_url="s3://b/x/")["refs"].values() if type(value) is list}
        assert {"s3://b/x/1.asdf", "s3://b/x/4.asdf"} <= urls
    (night / "late" / "1.asdf").write_bytes((night / "1.asdf").read_bytes())
    with pytest.raises(asdfast.UsageError, match="several files have the URL s3://b/1.asdf"):
        asdfast.manifest(night, base_url="s3://b")


def test_manifests_are_written(night, tmp_path):
    expected = asdfast.manifest(night, stack=True)
    path = tmp_path / "night.json"
    assert asdfast.manifest(night, stack=True, output=path) is None and json.loads(path.read_text()) == expected
    with pytest.raises(asdfast.UsageError, match="already exists"):
        asdfast.manifest(night, output=path)
    out = io.BytesIO()
    asdfast.manifest(night, stack=True, output=out)
    assert out.getvalue() == path.read_bytes()
    asdfast.manifest(night / "1.asdf", output=path, overwrite=True)
    assert json.loads(path.read_text()) == asdfast.manifest(night / "1.asdf")
    with pytest.raises(asdfast.UsageError, match="need an output"):
        asdfast.manifest(night, format="kerchunk")
    with pytest.raises(asdfast.UsageError, match="cannot write to the URL"):
        asdfast.manifest(night, output="s3://bucket/night.json")


@pytest.mark.parametrize("name, format", [("night.parquet", None), ("night.parq", None), ("night", "kerchunk-parquet")])
def test_manifests_are_written_as_parquet(night, tmp_path, name, format):
    folder = tmp_path / "out" / name
    asdfast.manifest(night, stack=True, output=folder, format=format)
    expected = asdfast.manifest(night, stack=True)["refs"]
    metadata = json.loads((folder / ".zmetadata").read_text())["metadata"]
    assert metadata["data/.zarray"] == json.loads(expected["data/.zarray"])
    rows = parquet.read_table(folder / "data" / "refs.0.parq").to_pylist()[:5]
    assert [[row["path"], row["offset"], row["size"]] for row in rows] == [expected[f"data/{n}.0.0"] for n in range(5)]
    with pytest.raises(asdfast.UsageError, match="the folder already exists"):
        asdfast.manifest(night, output=folder, format="kerchunk-parquet", overwrite=True)
    with pytest.raises(asdfast.UsageError, match="file object"):
        asdfast.manifest(night, output=io.BytesIO(), format="kerchunk-parquet")


def test_groups_of_open_files_and_patterns(night):
    with asdfast.open(night / "1.asdf") as one:
        assert {"1/data/0.0", "4/data/0.0"} <= set(asdfast.manifest([one, night / "late"])["refs"])
    assert asdfast.manifest(str(night / "?.asdf"), threads=1) == asdfast.manifest([night / f"{n}.asdf" for n in range(4)])
    assert asdfast.manifest(f"file://{night}/late/")["refs"].keys() == asdfast.manifest(night / "late")["refs"].keys()


def test_folders_on_web_servers(night):
    with web_server.serve(night) as url:
        found = pyarrow.table(asdfast.catalog(f"{url}/", "/meta/name"))
        assert found["meta.name"].to_pylist() == [f"n{number}" for number in range(5)]
        assert found["_file"].to_pylist()[::4] == [f"{url}/0.asdf", f"{url}/late/4.asdf"]
        assert {"0/data/0.0", "4/data/0.0"} <= set(asdfast.manifest(f"{url}/")["refs"])
        assert asdfast.manifest([f"{url}/1.asdf"])["refs"]["data/0.0"][0] == f"{url}/1.asdf"
        assert asdfast.diff(f"{url}/", f"{url}/") == []
        assert asdfast.diff(f"{url}/late/", night / "late", storage_options={"timeout": 9}) == []
        with pytest.raises(asdfast.UsageError, match="found no file"):
            asdfast.catalog(f"{url}/x*.asdf", "/meta/name")


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
