"""The buffer protocol of arrays."""

import gc
import struct
import sys

import asdfast
import numpy as np
import pytest

since_3_12 = pytest.mark.skipif(sys.version_info < (3, 12), reason="classes define buffers from Python 3.12 on")


@since_3_12
@pytest.mark.parametrize("compression", [None, "lz4"])
@pytest.mark.parametrize("dtype", ["?", "i1", "u1", "<i2", ">i2", "<u4", ">u8", "<f2", ">f4", "<f8", ">c16", "S5", "<U3"])
def test_a_view_has_the_elements_of_numpy(tmp_path, rng, dtype, compression):
    data = rng.integers(0, 2, (7, 5)).astype(dtype)
    path = tmp_path / "buffer.asdf"
    asdfast.File({"data": data}).write(path, compression=compression)
    array = asdfast.open(path)["data"]
    view, expected = memoryview(array), memoryview(data)
    assert (view.shape, view.strides, view.itemsize) == (expected.shape, expected.strides, expected.itemsize)
    assert view.format == expected.format and view.c_contiguous
    assert view.tobytes() == data.tobytes() == bytes(array)


@since_3_12
def test_numpy_and_struct_read_the_buffer(write):
    data = np.arange(6, dtype=">i2").reshape(2, 3)
    array = asdfast.open(write({"data": data}))["data"]
    assert struct.unpack(">6h", memoryview(array)) == (0, 1, 2, 3, 4, 5)
    read = np.asarray(array)
    assert read.dtype == data.dtype and read.tolist() == data.tolist()
    read += 1
    assert (array[...] == data).all(), "the memory is new"
    # numpy keeps the memory, not only the array.
    flat = np.frombuffer(array, ">i2")
    more = [np.full(6, number, ">i2") for number in range(1000)]
    assert flat.tolist() == [0, 1, 2, 3, 4, 5] and len(more) == 1000
    del array, read
    gc.collect()
    assert flat.tolist() == [0, 1, 2, 3, 4, 5]


@since_3_12
def test_the_buffer_of_a_map_is_read_only(write):
    array = asdfast.open(write({"data": np.arange(1000.0)}), mmap=True)["data"]
    view = memoryview(array)
    expected = memoryview(np.asarray(array))
    assert view.readonly and (view.format, view.shape, view.strides) == (expected.format, (1000,), (8,))
    del array, expected
    gc.collect()
    assert struct.unpack("1000d", view.tobytes())[998:] == (998.0, 999.0)


@since_3_12
def test_structured_arrays_have_no_buffer(write):
    data = np.zeros(3, [("x", "<i4"), ("y", ">f8")])
    array = asdfast.open(write({"data": data}))["data"]
    with pytest.raises(BufferError, match="structured"):
        memoryview(array)
    assert np.asarray(array).dtype == data.dtype
    assert memoryview(array["x"]).shape == (3,)


@since_3_12
def test_masks_and_slices(write):
    data = np.ma.array([[1.0, 2.0], [3.0, 4.0]], mask=[[False, True], [False, False]])
    array = asdfast.open(write({"data": data}))["data"]
    assert memoryview(array).tolist() == [[1.0, 2.0], [3.0, 4.0]]
    assert memoryview(array[0].data).tolist() == [1.0, 2.0]


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="only Python 3.11")
def test_python_3_11_has_no_buffer(write):
    array = asdfast.open(write({"data": np.arange(3)}))["data"]
    with pytest.raises(TypeError, match="bytes-like"):
        memoryview(array)
    assert memoryview(np.asarray(array)).shape == (3,)
