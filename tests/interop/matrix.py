"""Writes every datatype in both byte orders, in every layout, with every codec, in every storage. Our files are read by
Python's asdf with validation and checksums, and Python's files are read by us. The values are always compared with those
that numpy makes from the same bytes, never with values that the writer reads back.

usage: matrix.py FOLDER_OF_PROGRAMS
"""

import itertools
import json
import pathlib
import re
import sys
import tempfile
import warnings

import asdf
import numpy as np

import both

CODECS = ["none", "zlib", "bzp2", "lz4", "lz4f", "zstd", "blsc", "bls2", "xz"]
COUNT = 24
FLAGS = np.arange(COUNT).reshape(4, 6) % 5 == 1

# Shape, strides and offset, in elements of a row of 24.
LAYOUTS = {
    "c": ([4, 6], [6, 1], 0),
    "fortran": ([4, 6], [1, 4], 0),
    "swapped": ([2, 3, 4], [4, 8, 1], 0),
    "negative": ([4, 6], [-6, -1], 23),
    "both_signs": ([2, 3], [-12, 2], 19),
    "steps": ([3, 2], [8, 3], 1),
    "broadcast": ([3, 4], [0, 1], 5),
    "one_everywhere": ([2, 3], [0, 0], 7),
    "windows": ([5, 3], [2, 1], 0),
    # With 9 records, it would be ambiguous whether they are the first of 24 or padded.
    "prefix": ([7], [1], 0),
    "offset": ([2, 5], [5, 1], 10),
    "single": ([], [], 13),
    "nothing": ([0, 3], [3, 1], 0),
    "no_columns": ([2, 0], [1, 1], 4),
    "masked": ([4, 6], [6, 1], 0),
    "masked_fortran": ([4, 6], [1, 4], 0),
}

RECORDS = {
    "flat": [("a", "<i2"), ("b", "<f4"), ("c", "S3")],
    "nested": [("a", "i1"), ("n", [("x", "<f8"), ("y", [("z", "<c8"), ("u", "<U2")])])],
    "arrays": [("id", "u1"), ("m", "<f4", (2, 2)), ("n", [("x", "<i2"), ("y", "<u4", (3,))], (2,))],
    "mixed": [("a", "<i4"), ("b", ">f8"), ("c", [("d", ">u2"), ("e", "<u4")]), ("f", ">f4", (3,)), ("g", ">U2")],
}

# Cases that Python's asdf does not support, and its behavior. They are left out.
PYTHON_WRITES_NO = [
    (r"inline /u?int64_", "integers beyond 2**63 - 2 are refused in the tree"),
    (r"inline /.*/single$", "an array without axes cannot be a list; we keep it as a block, Python does not"),
    (r"/(flat|nested|arrays|mixed)_.*/masked", "numpy's masks of records have a mask for each field, which the standard does not support"),
]
PYTHON_READS_NO = [(r"inline /(flat|nested|arrays|mixed)_", "lists of records are read wrongly, or as lists, depending on their shapes")]


def bases():
    """Returns 24 elements of every datatype in both byte orders, by name."""
    dtypes = {np.dtype(d).name: np.dtype(d).newbyteorder("<") for d in "i1 i2 i4 i8 u1 u2 u4 u8 f2 f4 f8 c8 c16 ?".split()}
    dtypes |= {"ascii": np.dtype("S5"), "ucs4": np.dtype("<U3")}
    dtypes |= {name: np.dtype(fields) for name, fields in RECORDS.items()}
    for name, dtype in dtypes.items():
        for order in ("little", "big"):
            array = np.zeros(COUNT, dtype if order == "little" else dtype.newbyteorder("S"))
            fill(array)
            yield f"{name}_{order}", array


def fill(array):
    if array.dtype.names:
        for name in array.dtype.names:
            fill(array[name])
        return
    kind = array.dtype.kind
    if kind in "iu":
        limits = np.iinfo(array.dtype)
        values = [limits.max - n if n % 2 else limits.min + n for n in range(array.size)]
    elif kind == "f":
        limits = np.finfo(array.dtype)
        special = [float("nan"), float("inf"), float("-inf"), -0.0, limits.max, limits.min, limits.smallest_subnormal]
        values = [*special, *(n / 8 - 1 for n in range(array.size))]
    elif kind == "c":
        special = [complex(float("nan"), 1), complex(0.0, float("-inf")), complex(-0.0, 0.5)]
        values = [*special, *(complex(n, -n / 4) for n in range(array.size))]
    elif kind == "b":
        values = [n % 3 == 0 for n in range(array.size)]
    else:
        letters = "abcdefghij" if kind == "S" else "aé😀\u4e2dz"
        texts = ("", *("".join(letters[(n * i + i) % len(letters)] for i in range(n % 6)) for n in range(array.size)))
        values = [text.encode() if kind == "S" else text for text in texts]
    array.flat[:] = np.array(values[: array.size], array.dtype)


def laid_out(base, name):
    """Makes an array over the bytes of `base`."""
    shape, strides, offset = LAYOUTS[name]
    item = base.dtype.itemsize
    array = np.ndarray(shape, base.dtype, base, offset * item, [n * item for n in strides])
    return np.ma.array(array, mask=FLAGS) if name.startswith("masked") else array


def values(array):
    """Returns shape and elements. A masked record is null as a whole."""
    data = both.element(np.ma.getdata(array).tolist(), array.dtype)
    if isinstance(array, np.ma.MaskedArray):
        mask = np.ma.getmaskarray(array)
        while mask.dtype.names:
            mask = mask[mask.dtype.names[0]]
        mask = mask.reshape(array.shape + (-1,))[..., 0]
        data = hidden(data, mask.tolist())
    return {"shape": list(array.shape), "data": data}


def hidden(data, mask):
    if isinstance(mask, list):
        return [hidden(item, flag) for item, flag in zip(data, mask)]
    return None if mask else data


def combinations():
    """Yields the name, codec and storage of each file. Lists in the tree have no codec."""
    yield "inline", "none", "inline"
    for codec, storage in itertools.product(CODECS, ("internal", "external")):
        yield f"{storage}_{codec}", codec, storage


def cannot(reasons, storage, at):
    return any(re.search(pattern, f"{storage} {at}") for pattern, _ in reasons)


def stored(path):
    """Returns the labels of the codecs of a file's blocks."""
    found = re.findall(rb"\xd3BLK\0.[\0\1]{4}([a-z0-9\0]{4})", path.read_bytes(), re.DOTALL)
    return [label.rstrip(b"\0").decode() or "none" for label in found]


def check_storage(path, codec, storage):
    """Checks the storage and codec of a file. Arrays without axes, and masks of lists, can be blocks instead of lists."""
    labels = stored(path)
    if storage == "external":
        assert not labels, f"{len(labels)} blocks in the main file"
        labels = [label for part in path.parent.glob(f"{path.stem}[0-9]*.asdf") for label in stored(part)]
    if storage != "inline":
        assert labels and set(labels) == {codec}, f"codecs {set(labels)}"


def validate(programs, path):
    try:
        both.program(programs, "asdf", "validate", "--quiet", path)
    except Exception as error:
        print(str(error)[:1000])


class Count:
    def __init__(self):
        self.good = self.total = 0

    def file(self, name, expected, read):
        """Reads a file and compares each array that it must have."""
        self.total += len(expected)
        try:
            found = read()
        except Exception as error:
            print(f"{name}: {type(error).__name__}: {error}")
            return
        wrong = 0
        for at, array in expected.items():
            differences = both.differences(array, found[at]) if at in found else ["not there"]
            wrong += bool(differences)
            if differences and wrong < 6:
                print(f"{name} {at}: {differences[0]}")
        self.good += len(expected) - wrong


def write(path, arrays, codec, storage):
    """Writes the views with Python as views of one block."""
    options = {} if codec == "none" else {"all_array_compression": codec}
    with asdf.config_context() as config:
        config.default_array_save_base = True
        asdf.AsdfFile(arrays).write_to(path, all_array_storage=storage, **options)


def python_writes(programs, out, all_bases, expected):
    count = Count()
    for name, codec, storage in combinations():
        path = out / f"{name}.asdf"
        wanted = {at: array for at, array in expected.items() if not cannot(PYTHON_WRITES_NO, storage, at)}
        trees = {}
        for at in wanted:
            _, array, layout = at.split("/")
            trees.setdefault(array, {})[layout] = laid_out(all_bases[array], layout)
        write(path, trees, codec, storage)
        check_storage(path, codec, storage)
        validate(programs, path)
        count.file(f"by Python, {path.name}", wanted, lambda: both.ours(programs, path)[1])
    for array, base in all_bases.items():
        path = out / f"stream_{array}.asdf"
        with open(path, "wb") as file:
            asdf.AsdfFile({"rows": asdf.tags.core.Stream([6], base.dtype)}).write_to(file)
            file.write(base.tobytes())
        wanted = {"/rows": expected[f"/{array}/c"]}
        validate(programs, path)
        count.file(f"by Python, {path.name}", wanted, lambda: both.ours(programs, path)[1])
    return count


def we_write(programs, out, all_bases, expected):
    count, alone = Count(), Count()
    given = out / "given.asdf"
    layouts = {name: dict(zip(("shape", "strides", "offset"), layout)) for name, layout in LAYOUTS.items()}
    tree = {"base": all_bases, "layouts": layouts, "flags": FLAGS}
    asdf.AsdfFile(tree).write_to(given)
    both.program(programs, "write_matrix", given, out, *CODECS)
    for name, codec, storage in combinations():
        path = out / f"{name}.asdf"
        check_storage(path, codec, storage)
        validate(programs, path)
        apart = {at for at in expected if cannot(PYTHON_READS_NO, storage, at)}
        count.file(f"by us, {path.name}", {at: expected[at] for at in expected.keys() - apart}, lambda: read(path))
        alone.file(f"by us and read by us, {path.name}", {at: expected[at] for at in apart}, lambda: both.ours(programs, path)[1])
    for array in all_bases:
        path = out / f"stream_{array}.asdf"
        validate(programs, path)
        count.file(f"by us, {path.name}", {"/rows": expected[f"/{array}/c"]}, lambda: read(path))
    assert alone.good == alone.total > 0
    return count


def read(path):
    """Reads the arrays of a file with Python's asdf with all checks."""
    with warnings.catch_warnings(), asdf.config_context() as config:
        warnings.simplefilter("error")
        # Our library is not a Python package. For lists of records, see above.
        warnings.filterwarnings("ignore", "File .*was created with extension")
        if path.stem == "inline":
            warnings.filterwarnings("ignore", "A node failed to convert")
        config.validate_on_read = True
        with asdf.open(path, validate_checksums=True, lazy_load=False) as file:
            tree = {"": file.tree} if "rows" in file.tree else {f"/{k}": v for k, v in file.tree.items() if isinstance(v, dict)}
            arrays = {f"{above}/{k}": v for above, inner in tree.items() for k, v in inner.items()}
            arrays = {at: array for at, array in arrays.items() if isinstance(array, (np.ndarray, asdf.tags.core.NDArrayType))}
            return {at: values(array if isinstance(array, np.ma.MaskedArray) else array[...]) for at, array in arrays.items()}


def main(programs):
    all_bases = dict(bases())
    pairs = itertools.product(all_bases, LAYOUTS)
    expected = {f"/{base}/{layout}": values(laid_out(all_bases[base], layout)) for base, layout in pairs}
    # Convert through JSON, like the values that these are compared with.
    expected = json.loads(json.dumps(expected))
    bad = False
    for how, run in (("we read {} of {} that Python wrote", python_writes), ("Python reads {} of {} that we wrote", we_write)):
        with tempfile.TemporaryDirectory() as out:
            count = run(programs, pathlib.Path(out), all_bases, expected)
        print("arrays of every datatype, order, layout, codec and storage:", how.format(count.good, count.total))
        bad |= count.good < count.total or count.total < 10_000
    return bad


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
