"""Reads arrays: datatypes, slices, masks, memory maps, interruptions."""

import gc
import os
import signal
import subprocess
import sys
import textwrap
import threading

import asdf
import asdfast
import numpy as np
import pytest

DTYPES = [
    *("?", "i1", "u1", "<i2", ">i2", "<u4", ">u8", "<f2", ">f2", "<f4", ">f8", "<c8", ">c16", "S5", "<U3", ">U3"),
    [("x", "<i4"), ("y", ">f8")],
    [("x", "<i4", (2, 3)), ("name", "S4"), ("inner", [("a", "u1"), ("b", ">f4")])],
]
KEYS = [
    *(0, -1, ..., slice(None), slice(2, 5), slice(None, None, -2), (1, 2), (slice(None), 1), (..., slice(1, 3))),
    *((None, 3), (slice(5, 1), 0), (slice(-3, None), slice(None, None, 3)), np.int64(3), ([0, 2], 1), np.arange(7) > 3),
]


def filled(dtype, shape, rng):
    """Returns an array of random elements."""
    dtype = np.dtype(dtype)
    if dtype.kind == "U":
        return np.array(rng.integers(100, 999, shape).astype("U3"), dtype)
    if dtype.kind == "S":
        return np.array(rng.integers(10, 99, shape).astype(f"S{dtype.itemsize}"), dtype)
    if dtype.names:
        array = np.zeros(shape, dtype)
        for name in dtype.names:
            base, inner = dtype[name].subdtype or (dtype[name], ())
            array[name] = filled(base, (*shape, *inner), rng)
        return array
    return rng.integers(0, 2 if dtype.kind == "b" else 100, shape).astype(dtype)


@pytest.mark.parametrize("compression", [None, "zlib", "lz4"])
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_every_datatype_is_that_of_numpy(write, rng, dtype, compression):
    data = filled(dtype, (7, 5), rng)
    file = asdfast.open(write({"data": data}, all_array_compression=compression))
    array = file["data"]
    assert (array.shape, array.dtype, array.ndim, array.size) == (data.shape, data.dtype, 2, 35)
    assert (array.nbytes, array.compression, len(array)) == (data.nbytes, compression, 7)
    for key in KEYS:
        part, expected = array[key], data[key]
        assert type(part) is type(expected) and part.dtype == expected.dtype, key
        assert part.tobytes() == expected.tobytes(), key
    assert np.asarray(array).tobytes() == data.tobytes()
    assert [row.tobytes() for row in array] == [row.tobytes() for row in data]


def test_fields_of_tables_are_arrays(write, rng):
    data = filled(DTYPES[-1], (9,), rng)
    array = asdfast.open(write({"t": data}))["t"]
    assert isinstance(array["x"], asdfast.Array) and array["x"].shape == (9, 2, 3)
    assert array["inner"]["b"][2:5].tobytes() == data["inner"]["b"][2:5].tobytes()
    with pytest.raises(asdfast.AsdfError, match="colour"):
        array["colour"]


def test_wrong_indices_are_index_errors(write):
    array = asdfast.open(write({"data": np.zeros((2, 3))}))["data"]
    for key in (2, (0, 0, 0), (0, -4)):
        with pytest.raises(IndexError):
            array[key]


def test_masks(write):
    data = np.ma.array([[1.0, 2.0], [3.0, 4.0]], mask=[[False, True], [False, False]])
    file = asdfast.open(write({"data": data}))
    read = file["data"][...]
    assert isinstance(read, np.ma.MaskedArray) and (read.mask == data.mask).all() and read[1, 1] == 4
    assert file["data"][0].mask.tolist() == [False, True] and file["data"][0, 1] is np.ma.masked
    assert type(np.asarray(file["data"])) is np.ndarray
    assert file["data"].read_all().mask.tolist() == data.mask.tolist()


@pytest.mark.parametrize("array", [
    "{data: [1, -9, 3], datatype: int16, mask: -9}",
    "{data: [1.5, -9.0, 3.0], datatype: float32, mask: -9}",
    "{data: [1.5, .nan, 3.0], datatype: float64, mask: .nan}",
    "{data: [1, null, 3], datatype: int16}",
    "{data: [1, 2, 3], datatype: int8, mask: !core/ndarray-1.1.0 {data: [0, 1, 0], datatype: uint8}}",
])
def test_forms_of_masks(text, array):
    path = text(f"a: !core/ndarray-1.1.0 {array}")
    read = asdfast.open(path)["a"][...]
    assert read.mask.tolist() == [False, True, False]
    with asdf.open(path) as peer:
        expected = peer["a"][...]
        assert expected.mask.tolist() == [False, True, False] and expected.dtype == read.dtype
        assert expected.compressed().tolist() == read.compressed().tolist()
    assert asdfast.open(path)["a"][1] is np.ma.masked


def test_results_can_be_changed(write):
    file = asdfast.open(write({"data": np.zeros((3, 3)), "again": np.zeros(3)}, all_array_compression="zlib"))
    for name in ("data", "again"):
        for _ in range(2):
            read = file[name][...]
            assert read.flags.writeable and not read.any()
            read += 1


def test_conversion_by_numpy(write):
    array = asdfast.open(write({"data": np.arange(4, dtype=">i4")}))["data"]
    assert np.asarray(array, dtype="f4").tolist() == [0, 1, 2, 3]
    assert np.add(array, 1).tolist() == [1, 2, 3, 4]
    with pytest.raises(ValueError, match="copy=False"):
        array.__array__(copy=False)
    # From 3.12 on numpy takes new memory from the buffer protocol instead.
    if sys.version_info < (3, 12):
        with pytest.raises(ValueError, match="copy=False"):
            np.array(array, copy=False)


def test_dlpack(write):
    array = asdfast.open(write({"data": np.arange(6.0).reshape(2, 3)}))["data"]
    assert array.__dlpack_device__() == (1, 0)
    assert np.from_dlpack(array).tolist() == [[0, 1, 2], [3, 4, 5]]


def test_a_map_is_borrowed(write):
    data = np.arange(1_000_000.0)
    file = asdfast.open(write({"data": data}), mmap=True)
    first, second = np.asarray(file["data"]), np.array(file["data"], copy=False)
    assert first.ctypes.data == second.ctypes.data, "both are the map"
    assert not first.flags.writeable and (first == data).all()
    assert file["data"][10:20].ctypes.data == first[10:].ctypes.data
    copied = np.array(file["data"])
    assert copied.flags.writeable and copied.ctypes.data != first.ctypes.data
    del file
    gc.collect()
    assert first[-1] == 999_999, "the array keeps the map"


def test_a_file_that_became_shorter_is_an_error(write):
    path = write({"data": np.arange(100_000)})
    array = asdfast.open(path)["data"]
    os.truncate(path, 10_000)
    with pytest.raises(OSError, match="when it was opened"):
        array[...]


def test_only_the_slice_is_read(write):
    path = write({"data": np.arange(1_000_000.0).reshape(1000, 1000)})
    with open(path, "rb") as raw:
        read = []

        class Counting:
            def seek(self, *arguments):
                return raw.seek(*arguments)

            def tell(self):
                return raw.tell()

            def read(self, size=-1):
                read.append(size)
                return raw.read(size)

        array = asdfast.open(Counting())["data"]
        before = sum(read)
        assert before < 200_000
        assert array[500:502, 10:20].shape == (2, 10)
        assert sum(read) - before < 100_000


def test_threads_read_one_file(write, rng):
    data = {str(number): rng.normal(size=(300, 400)) for number in range(6)}
    file = asdfast.open(write(data, all_array_compression="lz4"))
    failures = []

    def work(seed):
        random = np.random.default_rng(seed)
        for _ in range(50):
            name, row = str(random.integers(6)), random.integers(290)
            if not (file[name][row : row + 10, ::3] == data[name][row : row + 10, ::3]).all():
                failures.append((name, row))

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_ctrl_c_ends_a_long_read(tmp_path):
    script = """
        import asdfast, io, numpy as np, time
        class Slow:
            def __init__(self, raw): self.raw, self.at = raw, 0
            def seek(self, offset, whence=0):
                self.at = (0, self.at, len(self.raw))[whence] + offset
                return self.at
            def tell(self): return self.at
            def read(self, size=-1):
                if size > 100_000:
                    print("reading", flush=True)
                    time.sleep(60)
                part = self.raw[self.at : self.at + size]
                self.at += len(part)
                return part
        buffer = io.BytesIO()
        asdfast.File({"data": np.arange(1_000_000.0)}).write(buffer)
        array = asdfast.open(Slow(buffer.getvalue()))["data"]
        try:
            array[...]
        except KeyboardInterrupt:
            print("interrupted", flush=True)
    """
    with subprocess.Popen([sys.executable, "-c", textwrap.dedent(script)], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "reading\n"
        process.send_signal(signal.SIGINT)
        assert process.stdout.readline() == "interrupted\n"
        process.kill()


@pytest.mark.skipif(os.name != "posix", reason="Windows cannot send SIGINT to a single process")
def test_ctrl_c_ends_slow_decoding():
    script = """
        import io, os, signal, threading, time, asdfast, numpy as np
        buffer = io.BytesIO()
        noise = np.random.default_rng(1).integers(0, 255, 16_000_000, dtype="u1")
        asdfast.File({"data": noise}).write(buffer, compression="bzp2:1")
        # A file keeps what it decoded.
        first, second = (asdfast.open(buffer.getvalue())["data"] for _ in range(2))
        start = time.monotonic()
        first[...]
        whole = time.monotonic() - start
        threading.Timer(whole / 10, os.kill, (os.getpid(), signal.SIGINT)).start()
        start = time.monotonic()
        try:
            second[...]
        except KeyboardInterrupt:
            print("interrupted", time.monotonic() - start < 0.8 * whole)
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(script)], check=True, capture_output=True, text=True)
    assert done.stdout == "interrupted True\n"


def test_arrays_of_other_files(write, tmp_path):
    data = np.arange(10)
    path = tmp_path / "exploded.asdf"
    asdf.AsdfFile({"data": data}).write_to(path, all_array_storage="external")
    assert (asdfast.open(path)["data"][...] == data).all()


def test_a_streamed_array(tmp_path):
    path = tmp_path / "stream.asdf"
    asdf.AsdfFile({"data": asdf.tags.core.Stream([4], np.float64)}).write_to(path)
    with open(path, "ab") as file:
        file.write(np.arange(12.0).tobytes())
    array = asdfast.open(path)["data"]
    assert array.shape == (3, 4) and (array[...] == np.arange(12.0).reshape(3, 4)).all()
