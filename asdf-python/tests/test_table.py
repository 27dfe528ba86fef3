"""Tables as Arrow streams."""

import gc

import asdf
import asdfast
import numpy as np
import polars
import pyarrow
import pytest
from astropy import units as u
from astropy.table import MaskedColumn, QTable, Table

COUNT = 200_000


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    path = tmp_path_factory.mktemp("tables") / "tables.asdf"
    numbers = np.arange(COUNT)
    stars = Table({"id": numbers, "flux": numbers * 0.5, "name": [f"s{n % 7}" for n in numbers]})
    stars["flux"].unit = "Jy"
    stars["dec"] = MaskedColumn(numbers.astype("f4"), mask=numbers % 3 == 0)
    stars["shape"] = np.arange(COUNT * 2).reshape(COUNT, 2)
    records = np.zeros(3, [("a", "i4"), ("b", "f8", (2,)), ("c", "U3")])
    records["a"], records["c"] = [1, 2, 3], ["x", "yy", "z"]
    tree = {"cat": {"stars": stars, "records": records}, "line": np.arange(4.0)}
    asdf.AsdfFile(tree).write_to(path)
    return path


def test_pyarrow(path):
    table = asdfast.table(path, "/cat/stars")
    assert table.column_names == ["id", "flux", "name", "dec", "shape"]
    assert len(table) == COUNT and table.units == {"flux": "Jy"}
    found = pyarrow.table(table)
    assert found.column_names == table.column_names and found.num_rows == COUNT
    assert np.array_equal(found["id"].to_numpy(), np.arange(COUNT))
    assert np.array_equal(found["flux"].to_numpy(), np.arange(COUNT) * 0.5)
    assert found["name"][8].as_py() == "s1"
    assert found["dec"].null_count == len(range(0, COUNT, 3)) and found["dec"][1].as_py() == 1.0
    assert found["shape"][1].as_py() == [2, 3]
    assert found.schema.field("flux").metadata[b"unit"] == b"Jy"
    assert pyarrow.schema(table) == found.schema
    # A stream can be made again.
    assert pyarrow.table(table).equals(found)


def test_polars(path):
    frame = polars.DataFrame(asdfast.table(path, "/cat/stars")[10:20])
    assert frame["id"].to_list() == list(range(10, 20))
    assert frame["dec"].null_count() == 3


def test_nodes(path):
    with asdfast.open(path) as file:
        assert len(asdfast.table(file["cat"]["stars"])) == COUNT
        assert len(asdfast.table(file, "cat.stars")) == COUNT
        records = pyarrow.table(asdfast.table(file["cat"]["records"]))
        assert records.to_pydict() == {"a": [1, 2, 3], "b": [[0.0, 0.0]] * 3, "c": ["x", "yy", "z"]}
        assert len(asdfast.table(file["cat"], "/stars")) == COUNT
        assert pyarrow.table(asdfast.table(file["line"])).to_pydict() == {"values": [0.0, 1.0, 2.0, 3.0]}


def test_columns_and_rows_are_lazy(path):
    table = asdfast.table(path, "/cat/stars")
    column = table["flux"]
    assert type(column) is asdfast.Array and column.shape == (COUNT,)
    assert column[5] == 2.5
    part = table[-3:]
    del table
    gc.collect()
    assert len(part) == 3 and list(part["id"][:]) == [COUNT - 3, COUNT - 2, COUNT - 1]
    assert "Table of 3 rows: id, flux" in repr(part)
    assert pyarrow.table(part[::-1])["id"].to_pylist() == [COUNT - 1, COUNT - 2, COUNT - 3]
    assert pyarrow.table(part[:0]).num_rows == 0
    with pytest.raises(KeyError, match="nothing"):
        part["nothing"]
    with pytest.raises(TypeError, match="slice"):
        part[1]


def test_a_stream_keeps_the_file(path):
    reader = pyarrow.RecordBatchReader.from_stream(asdfast.table(path, "/cat/stars"))
    gc.collect()
    batches = list(reader)
    assert len(batches) > 1 and sum(batch.num_rows for batch in batches) == COUNT


def test_quantities_have_units(tmp_path):
    path = tmp_path / "q.asdf"
    asdf.AsdfFile({"table": QTable({"t": [1.0, 2.0] * u.s})}).write_to(path)
    table = asdfast.table(path)
    assert table.units == {"t": "s"} and pyarrow.table(table)["t"].to_pylist() == [1.0, 2.0]


def test_errors(path, tmp_path):
    with pytest.raises(asdfast.UsageError, match="2 tables"):
        asdfast.table(path)
    none = tmp_path / "none.asdf"
    asdf.AsdfFile({"a": {"b": 1}}).write_to(none)
    with pytest.raises(asdfast.MismatchError, match="no table"):
        asdfast.table(none)
    with pytest.raises(asdfast.MismatchError):
        asdfast.table(none, "/a")
    with pytest.raises(asdfast.MissingError) as caught:
        asdfast.table(path, "/cat/moons")
    assert caught.value.file == str(path)


def test_a_file_that_is_cut_off_is_an_error_of_the_stream(path, tmp_path):
    short = tmp_path / "short.asdf"
    short.write_bytes(path.read_bytes())
    table = asdfast.table(short, "/cat/stars")
    with open(short, "r+b") as file:
        file.truncate(20_000)
    with pytest.raises((pyarrow.ArrowException, OSError)):
        pyarrow.table(table)
