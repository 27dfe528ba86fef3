"""Arrays that grow by rows."""

import asdf
import numpy as np
import pytest

import asdfast


@pytest.mark.parametrize("dtype", ["f4", ">i2", "u1", "S3", [("a", "<i4"), ("b", "f8", (2,))]])
def test_rows_are_appended(dtype, tmp_path):
    path = tmp_path / "x.asdf"
    rows = np.zeros((5, 3), dtype)
    if rows.dtype.names is None:
        rows = np.arange(15).reshape(5, 3).astype(dtype)
    else:
        rows["a"] = np.arange(15).reshape(5, 3)
        rows["b"] = 0.5
    with asdfast.stream(path, "data", dtype=dtype, shape=(3,), tree={"target": "M31", "first": np.arange(4)}) as stream:
        assert stream.shape == (3,)
        stream.write(rows[0])
        stream.write(rows[1:4])
        assert stream.rows == 4
        assert not path.exists()
    with asdfast.stream(path, append=True) as stream:
        assert stream.rows == 4 and stream.dtype.newbyteorder("=") == np.dtype(dtype).newbyteorder("=")
        stream.write(rows[4:])
    with asdf.open(path) as found:
        np.testing.assert_array_equal(found["data"], rows)
        assert found["target"] == "M31" and found["first"].tolist() == [0, 1, 2, 3]
    np.testing.assert_array_equal(np.asarray(asdfast.open(path)["data"]), rows)


def test_numbers(tmp_path):
    with asdfast.stream(tmp_path / "x.asdf", "/meta/counts", dtype="f8", tree={"meta": {}}) as stream:
        stream.write(1)
        stream.write([2, 3.5])
        stream.write(np.arange(10.0)[::2])
        stream.write(np.float32(7))
    with asdf.open(tmp_path / "x.asdf") as found:
        assert found["meta"]["counts"].tolist() == [1, 2, 3.5, 0, 2, 4, 6, 8, 7]


def test_a_stream_of_asdf_is_appended_to(tmp_path):
    path = tmp_path / "x.asdf"
    stream = asdf.tags.core.Stream([2], np.dtype(">f4"))
    file = asdf.AsdfFile({"s": stream})
    with open(path, "wb") as out:
        file.write_to(out)
        out.write(np.array([1, 2], ">f4").tobytes())
    with asdfast.stream(path, append=True) as rows:
        assert rows.dtype == np.dtype(">f4")
        rows.write([[3, 4], [5, 6]])
    with asdf.open(path) as found:
        assert found["s"].tolist() == [[1, 2], [3, 4], [5, 6]]


def test_an_exception_keeps_the_old_file(tmp_path):
    path = tmp_path / "x.asdf"
    asdfast.File({"old": 1}).write(path)
    with pytest.raises(RuntimeError):
        with asdfast.stream(path, dtype="u1") as stream:
            stream.write([1, 2])
            raise RuntimeError
    assert asdfast.open(path)["old"] == 1
    assert [p.name for p in tmp_path.iterdir()] == ["x.asdf"]


def test_a_live_file_shows_rows_that_are_flushed(tmp_path):
    path = tmp_path / "x.asdf"
    stream = asdfast.stream(path, dtype="u2", live=True)
    stream.write([1, 2])
    stream.flush()
    assert asdfast.open(path)["data"][...].tolist() == [1, 2]
    stream.sync()
    stream.close()
    stream.close()
    with pytest.raises(asdfast.UsageError, match="the stream is closed"):
        stream.write([1])


def test_wrong_rows(tmp_path):
    with asdfast.stream(tmp_path / "x.asdf", dtype="i4", shape=(2, 3)) as stream:
        for rows in (np.zeros(3), np.zeros((3, 2)), np.zeros((1, 1, 2, 3)), 5):
            with pytest.raises(asdfast.MismatchError, match="expected"):
                stream.write(rows)
        with pytest.raises(TypeError):
            stream.write(np.zeros((2, 3)))
        with pytest.raises(OverflowError):
            stream.write([[1, 2, 3], [4, 5, 2**40]])
        assert stream.rows == 0
        stream.write([[1, 2, 3], [4, 5, 6]])
        assert stream.rows == 1
    for options in ({}, {"append": True, "dtype": "u1"}):
        with pytest.raises(asdfast.UsageError, match="hint"):
            asdfast.stream(tmp_path / "y.asdf", **options)
    asdfast.File({"a": 1}).write(tmp_path / "z.asdf")
    with pytest.raises(asdfast.UsageError, match="no streamed block"):
        asdfast.stream(tmp_path / "z.asdf", append=True)
    with pytest.raises(TypeError, match="no datatype"):
        asdfast.stream(tmp_path / "y.asdf", dtype="M8[s]")
