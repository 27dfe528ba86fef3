"""Encodes with other libraries and decodes with ours, and the other way round. It uses only the stored bytes, without a
file around them.

usage: codecs.py FOLDER_OF_PROGRAMS
"""

import itertools
import lzma
import pathlib
import subprocess
import sys
import tempfile

import blosc
import blosc2
import lz4.block
import lz4.frame
import numpy as np
import zstandard


def samples():
    """Yields a name, bytes, and the size of an element."""
    rng = np.random.default_rng(7)
    yield "empty", b"", 4
    for size in (1, 127, 128, 1001):
        yield f"small{size}", bytes(i * i % 251 for i in range(size)), 1
    image = (rng.normal(100, 5, 90_000) + np.sin(np.arange(90_000) / 50)).astype("f4")
    yield "float32", image.tobytes(), 4
    yield "float64", image[:9_001].astype("f8").tobytes(), 8
    yield "counts", rng.poisson(900, 40_001).astype("u2").tobytes(), 2
    yield "record", rng.integers(0, 3, 3 * 20_000, dtype="u1").tobytes(), 3
    yield "wide", np.arange(17 * 3_000, dtype="u1").tobytes(), 17
    yield "flags", (rng.random(90_000) < 0.001).astype("u1").tobytes(), 1
    yield "zeros", bytes(600_000), 8
    yield "noise", rng.bytes(100_003), 4


def lz4_chunks(data, size, level):
    options = {"mode": "high_compression", "compression": level} if level else {}
    for start in range(0, len(data), size):
        block = lz4.block.compress(data[start : start + size], **options)
        yield len(block).to_bytes(4, "big") + block


def theirs(data, item):
    """Yields labels, settings and stored bytes of other libraries."""
    for level in (0, 9):
        for size in (1 << 12, 1 << 22, 1 << 23):
            yield "lz4", f"chunks of {size}, level {level}", b"".join(lz4_chunks(data, size, level))
    for linked, block, check, level in itertools.product((0, 1), (4, 7), (0, 1), (0, 9)):
        options = {"block_linked": bool(linked), "block_size": block, "compression_level": level}
        options |= {"content_checksum": bool(check), "block_checksum": bool(check), "store_size": not check}
        for label in ("lz4f", "lz4"):
            yield label, str(options), lz4.frame.compress(data, **options)
    for level in (-5, 3, 12):
        for options in ({}, {"write_checksum": True, "write_content_size": False}, {"threads": 2}):
            yield "zstd", f"{level} {options}", zstandard.ZstdCompressor(level=level, **options).compress(data)
    parameters = zstandard.ZstdCompressionParameters.from_level(3, window_log=28, enable_ldm=True)
    yield "zstd", "long", zstandard.ZstdCompressor(compression_params=parameters).compress(data)
    for level, check in itertools.product((0, 6), (lzma.CHECK_NONE, lzma.CHECK_CRC32, lzma.CHECK_CRC64, lzma.CHECK_SHA256)):
        yield "xz", f"{level} {check}", lzma.compress(data, preset=level, check=check)
    filters = [{"id": lzma.FILTER_DELTA, "dist": item}, {"id": lzma.FILTER_LZMA2, "preset": 3}]
    yield "xz", "delta", lzma.compress(data, filters=filters)
    for codec, shuffle, level in itertools.product(blosc.compressor_list(), (0, 1, 2), (0, 1, 9)):
        stored = blosc.compress(data, typesize=item, clevel=level, shuffle=shuffle, cname=codec)
        yield "blsc", f"{codec} {shuffle} {level}", stored
    yield "blsc", "as asdf-compression asks", blosc.compress(data)
    yield from frames(data, item)


def frames(data, item):
    """Makes frames of c-blosc2."""
    codecs = [blosc2.Codec.BLOSCLZ, blosc2.Codec.LZ4, blosc2.Codec.LZ4HC, blosc2.Codec.ZLIB, blosc2.Codec.ZSTD]
    none, shuffle, bits = blosc2.Filter.NOFILTER, blosc2.Filter.SHUFFLE, blosc2.Filter.BITSHUFFLE
    pipelines = [[none], [shuffle], [bits], [blosc2.Filter.DELTA, shuffle], [blosc2.Filter.DELTA], [shuffle, bits]]
    never, always, auto = blosc2.SplitMode.NEVER_SPLIT, blosc2.SplitMode.ALWAYS_SPLIT, blosc2.SplitMode.AUTO_SPLIT
    kinds = [(filters, auto, 5, 30_000) for filters in pipelines]
    kinds += [([shuffle], never, 1, 1 << 28), ([shuffle], always, 9, 5_000), ([bits], auto, 9, 1 << 28)]
    for codec, (filters, split, level, items) in itertools.product(codecs, kinds):
        options = {"codec": codec, "clevel": level, "typesize": item, "filters": filters}
        options |= {"filters_meta": [0] * len(filters), "splitmode": split, "nthreads": 1}
        frame = blosc2.SChunk(chunksize=min(items, (1 << 28) // item) * item, cparams=options)
        for start in range(0, len(data), frame.chunksize):
            frame.append_data(data[start : start + frame.chunksize])
        yield "bls2", f"{codec} {filters} {level} {split} {items}", frame.to_cframe()


def special():
    """Yields frames with one repeated value: the contents and the frame."""
    for kind, item in itertools.product(("zeros", "nans", "value", "uninit"), (4, 8)):
        special = {"zeros": blosc2.SpecialValue.ZERO, "nans": blosc2.SpecialValue.NAN}
        special |= {"value": blosc2.SpecialValue.VALUE, "uninit": blosc2.SpecialValue.UNINIT}
        frame = blosc2.SChunk(chunksize=40_000, cparams={"typesize": item})
        value = (1.25 if item == 8 else 77) if kind == "value" else None
        frame.fill_special(100_000 // item, special[kind], value)
        data = bytes(len(frame) and frame.nbytes) if kind == "uninit" else frame[:]
        yield f"{kind}{item}", data, frame.to_cframe()


def decode(label, stored):
    """Decodes our stored bytes with another library."""
    if label == "lz4" and stored:
        data, at = b"", 0
        while at < len(stored):
            size = int.from_bytes(stored[at : at + 4], "big")
            data += lz4.block.decompress(stored[at + 4 : at + 4 + size])
            at += 4 + size
        return data
    if label == "bls2":
        frame = blosc2.schunk_from_cframe(stored)
        return frame[:] if frame.nbytes else b""
    return {
        "lz4": bytes,
        "lz4f": lz4.frame.decompress,
        "zstd": zstandard.ZstdDecompressor().decompress,
        "xz": lzma.decompress,
        "blsc": lambda stored: blosc.decompress(stored) if stored[4:8] != bytes(4) else b"",
    }[label](stored)


def main(programs):
    program = pathlib.Path(programs) / "codec"
    kinds = ["lz4", "lz4f", "zstd", "zstd:1", "zstd:22", "xz", "xz:0", "xz:9"]
    kinds += [f"{label}:{level}" for label in ("blsc", "bls2") for level in (0, 1, 2, 3, 9)]
    read, written = {}, {}
    with tempfile.TemporaryDirectory() as out:
        out = pathlib.Path(out)
        tasks, asked = [], []
        given = [
            (label, f"{name}, {how}", data, stored)
            for name, data, item in samples()
            for label, how, stored in theirs(data, item)
        ]
        given += [("bls2", name, data, stored) for name, data, stored in special()]
        for label, name, data, stored in given:
            (out / f"{len(tasks)}.in").write_bytes(stored)
            asked.append((label, name, data))
            tasks.append(f"decode\t{label}\t{len(data)}\t{out}/{len(tasks)}.in\t{out}/{len(tasks)}.out")
        theirs_count = len(tasks)
        for (name, data, item), kind in itertools.product(samples(), kinds):
            for chunk in (0, 10_000) if kind in ("lz4", "zstd", "zstd:22", "bls2:1") else (0,):
                (out / f"{len(tasks)}.in").write_bytes(data)
                asked.append((kind.split(":")[0], f"{name}, {kind} {chunk}", data))
                tasks.append(f"encode\t{kind}\t{item}\t{chunk}\t{out}/{len(tasks)}.in\t{out}/{len(tasks)}.out")
        done = subprocess.run([program], input="\n".join(tasks) + "\n", capture_output=True, text=True, check=True)
        said = done.stdout.split("\n")
        assert len(said) == len(tasks) + 1, f"{len(said)} answers to {len(tasks)} tasks"
        for number, ((label, name, data), error) in enumerate(zip(asked, said)):
            counts = read if number < theirs_count else written
            good, total = counts.get(label, (0, 0))
            try:
                assert not error, error
                found = (out / f"{number}.out").read_bytes()
                if number >= theirs_count:
                    found = decode(label, found)
                assert found == data, f"{len(found)} bytes, not the {len(data)} expected, or others"
                good += 1
            except Exception as problem:
                print(f"{label}: {name}: {type(problem).__name__}: {problem}")
            counts[label] = good, total + 1
    tell = lambda counts: ", ".join(f"{label} {good} of {total}" for label, (good, total) in sorted(counts.items()))
    print(f"we decode data of other libraries: {tell(read)}")
    print(f"other libraries decode our data: {tell(written)}")
    all_counts = [*read.values(), *written.values()]
    return any(good < total for good, total in all_counts) or len(all_counts) < 10


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
