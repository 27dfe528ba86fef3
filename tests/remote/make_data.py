"""Makes the files of the tests in a folder: `make_data.py FOLDER`. `expected.json` has values that numpy computed.

The files are the same on each run, but for the versions in their headers. Names of arrays and blocks are those of a Roman
level-2 image. `l2_tree.asdf` is its tree without arrays, as roman_datamodels 1.2.0 writes it. `make_field.py` makes the files
in `roman/`.
"""
import io
import json
import math
import pathlib
import sys
import warnings

import asdf
import make_field
import numpy as np

HERE = pathlib.Path(__file__).parent
PIXELS = 4088
ROWS, COLUMNS = (2000, 2064), (1000, 1064)
ARRAYS = 10_000
FILES = 1_000


def l2_arrays(rng):
    """Returns the arrays below /roman, in the order of their blocks."""
    image = (PIXELS, PIXELS)
    # Most pixels are good, and a few have a flag.
    dq = np.zeros(image, "u4")
    dq.flat[::997] = 1 << 10

    def noise():
        # Random numbers between 1 and 4, which lz4 cannot compress.
        return rng.integers(0x3C00, 0x4400, image, "u2").view("f2")

    data = rng.standard_normal(image, "f4")
    data *= np.float32(5)
    data += np.float32(100)
    arrays = {"data": data, "dq": dq, "dq2": np.zeros(image, "u4")}
    arrays |= {name: noise() for name in ("err", "var_poisson", "chisq", "dumo")}
    arrays["amp33"] = np.full((32, 4096, 128), 7, "u2")
    for side in ("left", "right", "top", "bottom"):
        shape = (1, 4096, 4) if side in ("left", "right") else (1, 4, 4096)
        arrays[f"border_ref_pix_{side}"] = np.arange(math.prod(shape), dtype="f4").reshape(shape)
    for number, side in enumerate(("left", "right", "top", "bottom")):
        shape = (4096, 4) if side in ("left", "right") else (4, 4096)
        arrays[f"dq_border_ref_pix_{side}"] = np.full(shape, number + 1, "u4")
    return arrays


def polynomials(node):
    """Yields the polynomials of a tree, in its order."""
    if isinstance(node, dict):
        if "coefficients" in node:
            yield node
        node = node.values()
    elif not isinstance(node, list):
        return
    for child in node:
        yield from polynomials(child)


def l2_tree():
    """Returns the tree of a level-2 image without arrays."""
    with asdf.open(HERE / "l2_tree.asdf", lazy_tree=False, lazy_load=False, memmap=False) as file:
        return dict(file.tree)


def write_l2(folder):
    """Writes `l2_plain.asdf` and `l2_lz4.asdf`, and returns what a reader has to find in them."""
    rng = np.random.default_rng(20261127)
    tree = l2_tree()
    for polynomial in polynomials(tree["roman"]["meta"]["wcs"]):
        polynomial["coefficients"] = rng.standard_normal((6, 6))
    arrays = l2_arrays(rng)
    tree["roman"] |= arrays
    asdf.AsdfFile(tree).write_to(folder / "l2_plain.asdf")
    asdf.AsdfFile(tree).write_to(folder / "l2_lz4.asdf", all_array_compression="lz4")
    data = arrays["data"]
    cutout = data[slice(*ROWS), slice(*COLUMNS)]
    return {
        "array": "/roman/data",
        "rows": ROWS,
        "columns": COLUMNS,
        "cutout_sum": math.fsum(cutout.flat),
        "cutout_first": float(cutout[0, 0]),
        "cutout_last": float(cutout[-1, -1]),
        "data_sum": float(data.sum(dtype="f8")),
        "arrays": {
            name: {
                "shape": array.shape,
                "datatype": array.dtype.name,
                "sum": float(array.sum(dtype="f8")),
                "last": float(array.flat[-1]),
            }
            for name, array in arrays.items()
        },
    }


def write_arrays(folder):
    """Writes `arrays_10000.asdf`: each array has its own block of 16 values, all equal to the number of the array."""
    names = [f"a{number:05}" for number in range(ARRAYS)]
    tree = {name: np.full(16, number, "f8") for number, name in enumerate(names)}
    asdf.AsdfFile({"arrays": tree}).write_to(folder / "arrays_10000.asdf")
    return {
        "arrays": ARRAYS,
        "first": f"/arrays/{names[0]}",
        "last": f"/arrays/{names[-1]}",
        "last_sum": float(tree[names[-1]].sum()),
        "sum": float(sum(array.sum() for array in tree.values())),
    }


def write_many(folder):
    """Writes `many/exposure_NNNN.asdf`, whose exposure times are 1000.0, 1000.5, 1001.0, ... seconds."""
    times = [1000 + number / 2 for number in range(FILES)]
    meta = {
        "filename": "exposure_0000.asdf",
        "telescope": "ROMAN",
        "instrument": {"name": "WFI", "detector": "WFI01", "optical_element": "F062"},
        "exposure": {"exposure_time": times[0], "type": "WFI_IMAGE"},
    }
    data = np.arange(256, dtype="f4").reshape(16, 16)
    buffer = io.BytesIO()
    asdf.AsdfFile({"roman": {"meta": meta, "data": data}}).write_to(buffer)
    first = buffer.getvalue()
    # Python's asdf needs 14 ms for each file. The files differ only in values of equal length, so they are copies.
    (folder / "many").mkdir()
    for number, time in enumerate(times):
        name = f"exposure_{number:04}.asdf"
        content = first.replace(b"exposure_0000.asdf", name.encode())
        content = content.replace(b"exposure_time: 1000.0", f"exposure_time: {time}".encode())
        assert len(content) == len(first)
        (folder / "many" / name).write_bytes(content)
    return {
        "files": FILES,
        "field": "/roman/meta/exposure/exposure_time",
        "first": times[0],
        "last": times[-1],
        "sum": sum(times),
    }


def write_field(folder):
    """Writes a small image and its catalogue to `roman/`, and returns where the brightest star is."""
    image, catalogue, expected = make_field.field(l2_tree(), polynomials, np.random.default_rng(20261129))
    (folder / make_field.FOLDER).mkdir()
    asdf.AsdfFile(image).write_to(folder / make_field.FOLDER / make_field.IMAGE, all_array_compression="lz4")
    asdf.AsdfFile(catalogue).write_to(folder / make_field.FOLDER / make_field.CATALOGUE)
    return expected


def main():
    # This Python has no classes for the tags of Roman's and gwcs's nodes, and writes them as they are.
    warnings.simplefilter("ignore", asdf.exceptions.AsdfConversionWarning)
    warnings.simplefilter("ignore", asdf.exceptions.AsdfPackageVersionWarning)
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True)
    expected = {"l2": write_l2(folder), "arrays_10000": write_arrays(folder), "many": write_many(folder)}
    expected["roman"] = write_field(folder)
    (folder / "expected.json").write_text(json.dumps(expected, indent=1) + "\n")


main()
