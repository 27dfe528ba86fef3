"""Writes files in the pre-release formats 0.1.0 to tests/data and tests/validate, with their expected contents.

usage: make_drafts.py FOLDER_OF_TESTS

No program writes these formats any more. This script makes them byte by byte from their description, without any ASDF
library.
"""

import itertools
import json
import math
import pathlib
import struct
import sys
import zlib

CODES = {
    "int8": "b", "uint8": "B", "int16": "h", "uint16": "H", "int32": "i", "uint32": "I", "int64": "q",
    "uint64": "Q", "float32": "f", "float64": "d", "complex64": "ff", "complex128": "dd", "bool8": "?",
}
EARLY = "%TAG ! tag:stsci.edu:asdf/0.1.0/"
LATE = "%TAG ! tag:stsci.edu:asdf/"


def tree(text, sign="#", tags=EARLY, root="!core/asdf", newline="\n"):
    lines = [f"{sign}ASDF 0.1.0", "%YAML 1.1", tags, f"--- {root}", *text.strip("\n").split("\n"), "...", ""]
    return newline.join(lines).encode()


def block(data, layout, header_size=None, flags=0, slack=b"", memory=None, checksum=0, label=b"", used=None):
    """Makes a block of one of the layouts: "encoding" (89 and d3), "memory", "compression", "current"."""
    used = len(data) if used is None else used
    allocated = len(data) + len(slack)
    memory = used if memory is None else memory
    if flags & 1:
        allocated = used = memory = 0
    if layout in ("encoding", "encoding-d3"):
        fields = struct.pack(">IQQQ16s", flags, allocated, used, checksum, label)
    elif layout == "memory":
        fields = struct.pack(">IQQQQ", flags, allocated, used, memory, checksum)
    elif layout == "compression":
        fields = struct.pack(">I4sQQQQ", flags, label, allocated, used, memory, checksum)
    else:
        fields = struct.pack(">I4sQQQ16s", flags, label, allocated, used, memory, bytes(16))
    size = len(fields) if header_size is None else header_size
    magic = b"\x89BLK" if layout == "encoding" else b"\xd3BLK"
    return magic + struct.pack(">H", size) + fields[:size].ljust(size, b"\0") + data + slack


def encoded(chain, data, memory, **more):
    return block(chain.encode() + b"\n...\n" + data, "memory", flags=2, memory=memory, **more)


def pack(values, datatype, order=">"):
    out = b""
    for value in values:
        parts = value if isinstance(value, tuple) else (value,)
        out += struct.pack(order + CODES[datatype], *parts)
    return out


def number(value):
    if isinstance(value, tuple):
        return {"re": number(value[0]), "im": number(value[1])}
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else ("Infinity" if value > 0 else "-Infinity")
    return value


def array(values, shape):
    """Returns the expected contents: the elements as nested lists."""
    data = [v if isinstance(v, list) else number(v) for v in values]
    for n in reversed(shape[1:]):
        data = [data[i : i + n] for i in range(0, len(data), n)]
    return {"shape": shape, "data": data if shape else data[0]}


def tiles(values, shape, tile, padding):
    """Returns the elements in the order of tiles."""
    out = []
    counts = [-(-n // t) for n, t in zip(shape, tile)]
    for place in itertools.product(*map(range, counts)):
        for inside in itertools.product(*map(range, tile)):
            at = [p * t + i for p, t, i in zip(place, tile, inside)]
            flat = 0
            for n, i in zip(shape, at):
                flat = flat * n + i
            out.append(values[flat] if all(i < n for i, n in zip(at, shape)) else padding)
    return out


def chunk(bits, offset, scale, values):
    text = "".join(format(v & ((1 << bits) - 1), f"0{bits}b") for v in values)
    text += "0" * (-len(text) % 8)
    packed = bytes(int(text[i : i + 8], 2) for i in range(0, len(text), 8))
    return struct.pack(">BddQ", bits, offset, scale, len(values)) + packed


def datatypes(layout, sign, tags, key, ndarray, root):
    """Makes every datatype in every byte order, one block each, and the default order in the oldest layout."""
    text, blocks, expected = "", b"", {}
    samples = {
        "int": lambda bits: [-(2 ** (bits - 1)), -1, 0, 2 ** (bits - 1) - 1],
        "uint": lambda bits: [0, 1, 2, 2**bits - 1],
    }
    source = 0
    for datatype in CODES:
        kind = datatype.rstrip("0123456789")
        if kind in samples:
            values = samples[kind](int(datatype[len(kind) :]))
        elif kind == "float":
            values = [1.5, -0.25, math.inf, math.nan]
        elif kind == "complex":
            values = [(1.5, -2.0), (0.0, math.inf), (math.nan, 0.5), (3.0, 4.0)]
        else:
            values = [True, False, True, True]
        for order in ("big", "little", None):
            if order is None and key != "dtype":
                continue
            name = f"{datatype}_{order or 'default'}"
            given = f", byteorder: {order}" if order else ""
            text += f"{name}: {ndarray} {{source: {source}, shape: [2, 2], {key}: {datatype}{given}}}\n"
            blocks += block(pack(values, datatype, "<" if order == "little" else ">"), layout)
            expected[f"/{name}"] = array(values, [2, 2])
            source += 1
    return tree(text, sign, tags, root) + blocks, expected


def views():
    """Makes structures, strings, views, masks and inline data in the oldest layout, padding, and large headers."""
    text = """
table: !core/ndarray
  source: 0
  shape: [2]
  dtype:
  - name: n
    dtype: [ascii, 3]
  - name: v
    dtype: int16
    byteorder: little
  - name: p
    dtype:
    - {name: x, dtype: float32}
    - {name: k, dtype: uint8, shape: [2]}
unnamed: !core/ndarray {source: 0, shape: [2], dtype: [[ascii, 3], uint16], strides: [11]}
unicode: !core/ndarray {source: 1, shape: [2], dtype: [ucs4, 2]}
unicode_little: !core/ndarray {source: 2, shape: [2], dtype: [ucs4, 2], byteorder: little}
base: !core/ndarray {source: 3, shape: [2, 3], dtype: int16}
slice: !core/ndarray {source: 3, shape: [2, 2], dtype: int16, strides: [6, 4]}
back: !core/ndarray {source: -2, shape: [6], dtype: int16, offset: 10, strides: [-2]}
last: !core/ndarray {source: -1, shape: [3], dtype: bool8, offset: 3}
masked: !core/ndarray
  source: 3
  shape: [2, 3]
  dtype: int16
  mask: !core/ndarray {source: 4, shape: [2, 3], dtype: bool8}
by_number: !core/ndarray {source: 3, shape: [6], dtype: int16, mask: 3}
inline: !core/ndarray [[1, 0], [0, 1]]
typed: !core/ndarray {dtype: float32, data: [1, 2.5]}
rows: !core/ndarray {dtype: [[ascii, 4], uint16], data: [[M110, 110], [M31, 31]]}
complex: !core/complex 1-1j
"""
    row = lambda n, v, x, k: n.ljust(3, b"\0") + struct.pack("<h", v) + struct.pack(">f2B", x, *k)
    numbers = [1, 2, 3, 4, 5, 6]
    blocks = block(row(b"ab", 5, 1.5, (1, 2)) + row(b"c", -7, -2.0, (3, 4)), "encoding", slack=b"x" * 9)
    blocks += block("aéb€".encode("utf-32-be"), "encoding", header_size=64)
    blocks += block("aéb€".encode("utf-32-le"), "encoding", header_size=40)
    blocks += block(pack(numbers, "int16"), "encoding", checksum=5)
    blocks += block(bytes([0, 1, 0, 0, 1, 0]), "encoding", header_size=4096 - 6, slack=b"\0" * 5)
    expected = {
        "/table": array([["ab", 5, [1.5, [1, 2]]], ["c", -7, [-2.0, [3, 4]]]], [2]),
        "/unnamed": array([["ab", 0x0500], ["c", 0xF9FF]], [2]),
        "/unicode": array(["aé", "b€"], [2]),
        "/unicode_little": array(["aé", "b€"], [2]),
        "/base": array(numbers, [2, 3]),
        "/slice": array([1, 3, 4, 6], [2, 2]),
        "/back": array(numbers[::-1], [6]),
        "/last": array([False, True, False], [3]),
        "/masked": array([1, None, 3, 4, None, 6], [2, 3]),
        "/masked/mask": array([False, True, False] * 2, [2, 3]),
        "/by_number": array([1, 2, None, 4, 5, 6], [6]),
        "/inline": array([1, 0, 0, 1], [2, 2]),
        "/typed": array([1.0, 2.5], [2]),
        "/rows": array([["M110", 110], ["M31", 31]], [2]),
    }
    return tree(text, "%", newline="\r\n") + b" " * 37 + blocks, expected


def stream():
    text = "fixed: !core/ndarray {source: 0, shape: [2], dtype: uint8}\n" \
        "rows: !core/ndarray {source: 1, shape: ['*', 2], dtype: float64}\n"
    values = [0.0, 1.5, -2.25, math.inf, 5.0, 6.0]
    blocks = block(b"\x07\x08", "encoding") + block(pack(values, "float64"), "encoding", flags=1)
    return tree(text, "%") + blocks, {"/fixed": array([7, 8], [2]), "/rows": array(values, [3, 2])}


def encodings():
    """Makes every encoding alone and in chains."""
    text, blocks, expected = "", b"", {}
    count = itertools.count()

    def add(name, chain, data, values, shape, datatype, order=">", **more):
        nonlocal text, blocks
        byteorder = "little" if order == "<" else "big"
        text += f"{name}: !core/ndarray {{source: {next(count)}, shape: {shape}, datatype: {datatype}, " \
            f"byteorder: {byteorder}}}\n"
        blocks += encoded(chain, data, len(pack(values, datatype, order)), **more)
        expected[f"/{name}"] = array(values, shape)

    numbers = [n * n - 50 for n in range(35)]
    plain = pack(numbers, "int32")
    add("nothing", "[]", plain, numbers, [5, 7], "int32")
    add("zlib", "[zlib]", zlib.compress(plain), numbers, [5, 7], "int32", header_size=90)
    add("zlib_list", "%YAML 1.1\n---\n- [zlib, {}]\n- zlib", zlib.compress(zlib.compress(plain)), numbers, [5, 7],
        "int32", slack=b"z" * 11)
    for shape, tile in [([5, 7], [2, 3]), ([35], [4]), ([5, 7], [8, 8]), ([7, 5, 1], [7, 1, 1]), ([5, 1, 7], [2, 2, 3])]:
        name = "tile_" + "_".join(map(str, tile))
        arguments = f"{{shape: {tile}, original_shape: {shape}, item_size: 4}}"
        data = pack(tiles(numbers, shape, tile, 12345), "int32", "<")
        add(name, f"[[tile, {arguments}]]", data, numbers, shape, "int32", "<")
        add(name + "_zlib", f"[[tile, {arguments}], zlib]", zlib.compress(data), numbers, shape, "int32", "<")
    for bits in (1, 2, 5, 8, 12, 16, 33, 52, 64):
        top = 1 << (bits - 1)
        ints = [-top, -1, 0, top - 1, -top // 2, (top - 1) // 3, 0, -1, 0]
        if bits == 1:
            ints = [0, -1, -1, 0, -1, 0, 0, 0, -1]
        values = [v * 0.25 - 3.0 for v in ints[:5]] + [v * 2.0 + 0.5 for v in ints[5:]]
        data = chunk(bits, -3.0, 0.25, ints[:5]) + chunk(bits, 0.0, 1.0, []) + chunk(bits, 0.5, 2.0, ints[5:])
        for datatype, order in (("float64", ">"), ("float32", "<")):
            if datatype == "float32":
                values = [struct.unpack("<f", struct.pack("<f", v))[0] for v in values]
            arguments = f"{{dtype: {datatype[5:]}, original_shape: [3, 3]}}"
            add(f"quantize_{bits}_{datatype}", f"[[quantize, {arguments}]]", data, values, [3, 3], datatype, order)
    ints = [n % 17 - 8 for n in range(30)]
    tiled = tiles(ints, [5, 6], [4, 4], 3)
    chain = "[[tile, {shape: [4, 4], original_shape: [5, 6], item_size: 4}],\n" \
        " [quantize, {dtype: 32, original_shape: [64], quality: 4}], zlib]"
    data = zlib.compress(chunk(6, 1.0, 0.5, tiled[:20]) + chunk(5, 1.0, 0.5, tiled[20:]))
    add("all", chain, data, [v * 0.5 + 1.0 for v in ints], [5, 6], "float32")
    text += f"plain: !core/ndarray {{source: {next(count)}, shape: [2], dtype: uint16}}\n"
    blocks += block(pack([1, 2], "uint16"), "memory", header_size=100, slack=b"pp")
    expected["/plain"] = array([1, 2], [2])
    return tree(text) + blocks, expected


def late():
    """Makes the last pre-release layouts: current labels with a short checksum, and current block headers."""
    values = [n % 3 for n in range(64)]
    text = "".join(
        f"{name}: !core/ndarray-0.1.0 {{source: {source}, shape: [64], datatype: int64, byteorder: little}}\n"
        for source, name in enumerate(["plain", "zlib", "today"])
    )
    data = pack(values, "int64", "<")
    blocks = block(data, "compression")
    blocks += block(zlib.compress(data), "compression", memory=len(data), label=b"zlib")
    blocks += block(zlib.compress(data), "current", memory=len(data), label=b"zlib")
    file = tree(text, tags=LATE, root="!core/asdf-0.1.0")
    return file + blocks, {f"/{name}": array(values, [64]) for name in ("plain", "zlib", "today")}


def damaged():
    """Makes files with one fault each, for tests/validate."""
    numbers = pack(range(8), "int16")
    squeezed = zlib.compress(numbers)
    node = "a: !core/ndarray {source: 0, shape: [8], dtype: int16, byteorder: big}\n"
    both = node + "b: !core/ndarray {source: 1, shape: [8], dtype: int16, byteorder: big}\n"
    fine = block(numbers, "memory")
    tile = "[[tile, {shape: [3], original_shape: [%s], item_size: 2}]]"
    yield "header_small", tree(node, "%") + block(numbers, "encoding", header_size=39)
    yield "header_cut", tree(node) + block(numbers, "memory")[:30]
    yield "allocated_below_used", tree(node, "%") + block(numbers, "encoding", used=17)
    yield "cut", tree(node) + block(numbers, "memory")[:-1]
    yield "memory_lies", tree(node) + block(numbers, "memory", memory=15)
    yield "named_encoding", tree(node, "%") + block(numbers, "encoding", label=b"zipzap")
    yield "streamed_and_encoded", tree(node) + block(numbers, "memory", flags=3)
    yield "unknown_encoding", tree(both) + encoded("[rot13]", numbers, 16) + fine
    yield "no_end", tree(node) + block(b"[zlib]\n" + squeezed, "memory", flags=2, memory=16)
    yield "order", tree(node) + encoded("[zlib, " + (tile % 8)[1:], squeezed, 16)
    yield "zlib_cut", tree(both) + encoded("[zlib]", squeezed[:-3], 16) + fine
    yield "zlib_more", tree(node) + encoded("[zlib]", zlib.compress(numbers * 9), 16)
    yield "tile_size", tree(node) + encoded(tile % 9, numbers, 16)
    yield "tile_cut", tree(node) + encoded(tile % 8, numbers, 16)
    yield "bits", tree(node) + encoded("[[quantize, {dtype: 32, original_shape: [4]}]]", chunk(1, 0, 1, [0])[1:], 16)
    yield "dtype", tree("a: !core/ndarray {source: 0, shape: [8], dtype: int7}\n", "%") + block(numbers, "encoding")


def main(folder):
    folder = pathlib.Path(folder)
    files = {
        "draft_datatypes": datatypes("encoding", "%", EARLY, "dtype", "!core/ndarray", "!core/asdf"),
        "draft_datatypes_d3": datatypes("encoding-d3", "#", EARLY, "dtype", "!core/ndarray", "!core/asdf"),
        "draft_memory": datatypes("memory", "#", EARLY, "datatype", "!core/ndarray", "!core/asdf"),
        "draft_views": views(),
        "draft_stream": stream(),
        "draft_encodings": encodings(),
        "draft_late": late(),
    }
    exploded = tree(
        "a: !core/ndarray {source: draft_exploded0000.asdf, shape: [3], dtype: int16}\n"
        'unit: !unit/unit "2.1798721 10-18kg m2 s-2"\n', "%"
    )
    files["draft_exploded"] = exploded, {"/a": array([1, 2, -3], [3])}
    for name, (data, expected) in files.items():
        (folder / "data" / f"{name}.asdf").write_bytes(data)
        text = json.dumps(expected).replace('}, "/', '},\n "/')
        (folder / "data" / f"{name}.json").write_text(text + "\n")
    single = b"%ASDF 0.1.0\n" + block(pack([1, 2, -3], "int16"), "encoding")
    (folder / "data" / "draft_exploded0000.asdf").write_bytes(single)
    for name, data in damaged():
        (folder / "validate" / f"draft_{name}.asdf").write_bytes(data)


if __name__ == "__main__":
    main(sys.argv[1])
