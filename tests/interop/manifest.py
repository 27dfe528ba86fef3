"""Reads files through our manifests with zarr, xarray and VirtualiZarr, and compares all arrays with Python's asdf.

usage: manifest.py FOLDER_OF_PROGRAMS [FOLDER_OF_FILES]

With a folder of files, compares the arrays of all its files too, and prints how many are equal and how many are left out.
"""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.parse
import warnings

import asdf
import fsspec
import numpy as np
import xarray
import zarr

import both  # noqa: F401  adds codecs to Python's asdf

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "examples" / "virtualizarr"))
import asdf_parser  # noqa: E402

PROGRAM = None
failures = []
counts = {"equal": 0, "left out": 0}


def check(holds, what):
    """Counts and prints what does not hold."""
    if not holds:
        failures.append(what)
        print(what)
    return holds


def manifest(*arguments, code=0):
    """Runs our program, and returns the paths of arrays that it left out, by file."""
    run = subprocess.run([PROGRAM, "manifest", *map(str, arguments)], capture_output=True, text=True)
    check(run.returncode == code, f"{arguments}: exit code {run.returncode}: {run.stderr}")
    found = re.findall(r"^warning: (.*?): (/[^:]*|): (.*)$", run.stderr, re.MULTILINE)
    return [(path, reason) for _, path, reason in found]


def group(references):
    """Opens references as a group of zarr."""
    files = fsspec.filesystem("reference", fo=str(references), remote_protocol="file", asynchronous=True)
    return zarr.open_group(zarr.storage.FsspecStore(files, path="", read_only=True), mode="r", zarr_format=2)


def names(references):
    """Returns the paths of all arrays in JSON references or in a folder of Parquet files."""
    if references.is_dir():
        keys = json.loads((references / ".zmetadata").read_text())["metadata"]
    else:
        keys = json.loads(references.read_text())["refs"]
    return [key.removesuffix("/.zarray") for key in keys if key.endswith("/.zarray")]


def same(found, expected):
    """Returns whether arrays have the same datatype, shape and bytes."""
    found, expected = np.asarray(found), np.asarray(expected)
    if found.dtype != expected.dtype or found.shape != expected.shape:
        return False
    return np.ascontiguousarray(found).tobytes() == np.ascontiguousarray(expected).tobytes()


def at(tree, name):
    """Returns the node at the path of an array in zarr."""
    for step in name.split("/"):
        step = "" if step == "%" else urllib.parse.unquote(step)
        tree = tree[int(step)] if isinstance(tree, list) else tree[step]
    return tree


def compare(references, tree, left_out=()):
    """Compares all arrays in references with a tree. Returns the names of those that are equal."""
    opened = group(references)
    equal = []
    for name in names(references):
        expected = np.asarray(at(tree, name))
        try:
            found = opened[name][...]
        except Exception as error:  # noqa: BLE001  any failure to read counts
            check(False, f"{references.name}: {name} {expected.dtype}: {type(error).__name__}: {error}")
            continue
        found = np.asarray(found)
        if check(same(found, expected), f"{references.name}: {name} differs: {found.dtype} {expected.dtype}"):
            equal.append(name)
    counts["equal"] += len(equal)
    counts["left out"] += len(left_out)
    return equal


def simple():
    """Returns arrays of every datatype that zarr has, in both byte orders."""
    rng = np.random.default_rng(5)
    arrays = {}
    for code in ("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16"):
        for order in "<>":
            dtype = np.dtype(order + code)
            data = rng.integers(0, 255, (7, 5) if code != "i8" else (3, 4, 5))
            arrays[f"{code}_{'little' if order == '<' else 'big'}"] = (data.astype("f8") / 3).astype(dtype)
    arrays["bool"] = rng.random((9, 4)) < 0.5
    arrays["nan"] = np.array([np.nan, -np.inf, -0.0, 1e-310])
    arrays["scalar"] = np.array(3.25)
    arrays["empty"] = np.zeros((0, 5), "f4")
    arrays["bytes"] = np.array([b"M31", b"", b"NGC 7000"])
    arrays["text"] = np.array(["α Cen", "", "Vega"])
    arrays["text_big"] = np.array(["α Cen", "", "Vega"]).astype(">U5")
    arrays["table"] = np.array([(i, i / 7, b"M%d" % i, True) for i in range(50)],
                               [("a", "<i4"), ("b", ">f8"), ("c", "S5"), ("d", "?")])
    return arrays


def large():
    """Returns arrays that are larger than a chunk."""
    rng = np.random.default_rng(6)
    return {
        "image": rng.poisson(100, (1022, 4088)).astype("<f4"),
        "cube": rng.poisson(3, (6, 700, 1000)).astype(">i2"),
        "line": np.arange(30_000, dtype="<f8"),
        "prime": rng.poisson(9, (1009, 3001)).astype("<u4"),
    }


def one_file(folder):
    """Every datatype with every compression, written by Python's asdf, and read from JSON and Parquet."""
    arrays = {"deep": {"list": [simple()]}, "a/b%c": {"": np.arange(3.0)}, ".zarray": np.arange(5), "__x": np.arange(2)}
    for compression in (None, "zlib", "bzp2", "lz4", "zstd", "xz", "blsc"):
        source = folder / f"simple-{compression}.asdf"
        asdf.AsdfFile(arrays).write_to(source, all_array_compression=compression)
        for references in (source.with_suffix(".json"), source.with_suffix(".parquet")):
            left_out = manifest(source, "-o", references)
            with asdf.open(source, lazy_load=False, memmap=False) as file:
                equal = compare(references, file.tree, left_out)
            check(not left_out, f"{source.name}: left out {left_out}")
            check(len(equal) == len(arrays) - 1 + len(simple()), f"{source.name}: {len(equal)} arrays are equal")
    for compression in ("lz4f", "bls2"):
        source = folder / f"simple-{compression}.asdf"
        asdf.AsdfFile({"data": np.arange(1000)}).write_to(source, all_array_compression=compression)
        (left_out,) = manifest(source, code=1)
        check(left_out[1].startswith("numcodecs has no codec for"), f"{compression}: {left_out}")
        counts["left out"] += 1


def chunks(folder):
    """Arrays of several chunks, uncompressed and in frames of rows of our program."""
    source = folder / "large.asdf"
    asdf.AsdfFile(large()).write_to(source)
    cases = [
        ([], {}),
        # 1022 rows are 7 frames of 146 rows, and 1009 is a prime number.
        (["-c", "lz4", "--frame-rows", "146"], {"line", "prime"}),
        (["-c", "lz4", "--frame-rows", "2"], {"prime"}),
        (["-c", "lz4", "--frame-rows", "1000000"], {}),
        (["-c", "lz4"], {"image", "prime"}),
        (["-c", "zstd", "--frame-rows", "146"], {}),
        (["-c", "zstd:9"], {}),
        (["-c", "zlib"], {}),
        (["-c", "bzp2"], {}),
        (["-c", "xz"], {}),
        (["-c", "blsc"], {}),
        (["-c", "blsc:1"], {}),
    ]
    for number, (options, expected) in enumerate(cases):
        target = folder / f"large-{number}.asdf"
        subprocess.run([PROGRAM, "convert", *options, source, target], check=True, capture_output=True)
        for references in (target.with_suffix(".json"), target.with_suffix(".parquet")):
            left_out = manifest(target, "-o", references)
            compare(references, large(), left_out)
            paths = {path.strip("/") for path, _ in left_out}
            check(paths == set(expected), f"{options}: left out {left_out}")


def refused(folder):
    """Arrays that zarr cannot read are left out with a reason."""
    whole = np.arange(600, dtype="i4").reshape(20, 30)
    tree = {
        "rows": whole[5:12],  # packed, with an offset
        "columns": whole[:, 3:9],
        "step": whole[::2],
        "turned": np.asfortranarray(np.arange(12.0).reshape(3, 4)),
        "masked": np.ma.masked_array(np.arange(5), [0, 1, 0, 0, 1]),
        "nested": np.zeros(3, [("a", [("b", "i4")])]),
        "pairs": np.zeros(3, [("a", "i4", (2,))]),
        "one": np.arange(3),
    }
    source = folder / "refused.asdf"
    asdf.get_config().default_array_save_base = True
    asdf.AsdfFile(tree).write_to(source)
    references = source.with_suffix(".json")
    left_out = dict(manifest(source, "-o", references))
    compare(references, tree, left_out)
    check(set(names(references)) == {"rows", "one"}, f"{source.name}: mapped {names(references)}")
    check(set(left_out) == {"/columns", "/step", "/turned", "/masked", "/nested", "/pairs"}, f"left out {left_out}")
    # Views of a compressed block.
    asdf.AsdfFile({"whole": whole, "part": whole[:5]}).write_to(source, all_array_compression="zlib")
    left_out = dict(manifest(source, "-o", references, "-f"))
    compare(references, {"whole": whole}, left_out)
    check(set(left_out) == {"/part"}, f"left out {left_out}")
    asdf.get_config().default_array_save_base = False
    # A streamed block, and its rows.
    stream = folder / "stream.asdf"
    file = asdf.AsdfFile({"stream": asdf.tags.core.Stream([30], np.int32), "data": np.arange(3)})
    with open(stream, "wb") as out:
        file.write_to(out)
        out.write(whole.tobytes())
    references = stream.with_suffix(".json")
    left_out = manifest(stream, "-o", references)
    check(not left_out and len(compare(references, {"stream": whole, "data": np.arange(3)})) == 2, "a streamed block")
    # Inline arrays, and arrays in other files.
    for storage in ("inline", "external"):
        (folder / storage).mkdir()
        source = folder / storage / "x.asdf"
        tree = {"a": {"data": whole, "text": np.array(["a", "β"])}, "b": np.arange(4.5)}
        asdf.AsdfFile(tree).write_to(source, all_array_storage=storage)
        references = source.with_suffix(".json")
        left_out = manifest(source, "-o", references)
        with asdf.open(source, lazy_load=False, memmap=False) as file:
            equal = compare(references, file.tree, left_out)
        check(not left_out and len(equal) == 3, f"{storage}: {equal}, left out {left_out}")
    # Every cut and every changed byte of the headers: an error or a warning, or the right values.
    source = folder / "damaged.asdf"
    asdf.AsdfFile({"data": whole}).write_to(source, all_array_compression="lz4")
    intact = source.read_bytes()
    block = intact.index(b"\xd3BLK")
    for place in range(block, block + 70):
        damaged = bytearray(intact)
        damaged[place] ^= 0x41
        source.write_bytes(damaged)
        run = subprocess.run([PROGRAM, "manifest", source], capture_output=True, text=True)
        check(run.returncode in (0, 1), f"damage at {place - block}: {run.returncode} {run.stderr}")


def many_files(folder):
    """Several files as groups and as a stack."""
    nights = folder / "nights"
    nights.mkdir()
    data = [large()["image"][:40] * n for n in range(5)]
    for number, image in enumerate(data):
        tree = {"roman": {"data": image, "dq": image.astype("u4")}, "n": np.arange(number + 1)}
        compression = "zlib" if number == 3 else None
        file = asdf.AsdfFile(tree)
        file.set_array_compression(tree["roman"]["dq"], compression)
        file.write_to(nights / f"n{number}.asdf")
    for references in (folder / "groups.json", folder / "groups.parquet"):
        left_out = manifest(nights, "-o", references)
        trees = {f"n{n}": {"roman": {"data": image, "dq": image.astype("u4")}, "n": np.arange(n + 1)}
                 for n, image in enumerate(data)}
        check(len(compare(references, trees, left_out)) == 15, "groups")
    for references in (folder / "stack.json", folder / "stack.parquet"):
        left_out = dict(manifest(nights, "--stack", "-o", references))
        check(set(left_out) == {"/roman/dq", "/n"}, f"stack: left out {left_out}")
        check(len(compare(references, {"roman": {"data": np.stack(data)}}, left_out)) == 1, "stack")
        options = {"fo": str(references), "remote_protocol": "file", "asynchronous": True}
        dataset = xarray.open_dataset("reference://", engine="zarr", group="roman",
                                      backend_kwargs={"storage_options": options})
        found = dataset["data"]
        check(found.dims == ("file", "data_dim0", "data_dim1"), f"dimensions {found.dims}")
        check(same(found.values, np.stack(data)), "xarray reads the stack")
        check(found[2, 5:7, 9].values.tolist() == data[2][5:7, 9].tolist(), "xarray reads a part")
    # Files at another place.
    references = folder / "based.json"
    elsewhere = folder / "elsewhere"
    manifest(nights, "--base-url", elsewhere.as_uri() + "/", "-o", references)
    shutil.copytree(nights, elsewhere)
    check(f"{elsewhere.as_uri()}/n0.asdf" in references.read_text(), "--base-url")
    check(len(compare(references, trees)) == 15, "files at --base-url")
    # More references than fit in one Parquet file.
    source = folder / "rows.asdf"
    rows = np.arange(25_000 * 3, dtype="<i4").reshape(25_000, 3)
    asdf.AsdfFile({"rows": rows}).write_to(source)
    target = folder / "frames.asdf"
    arguments = ["convert", "-c", "lz4", "--frame-rows", "1", source, target]
    subprocess.run([PROGRAM, *arguments], check=True, capture_output=True)
    references = target.with_suffix(".parquet")
    manifest(target, "-o", references)
    check(len(list((references / "rows").iterdir())) == 3, "the number of Parquet files")
    check(len(compare(references, {"rows": rows})) == 1, "several Parquet files")


def virtualizarr(folder):
    """The parser of the example reads the same values."""
    from obspec_utils.registry import ObjectStoreRegistry
    from obstore.store import LocalStore
    from virtualizarr import open_virtual_dataset

    registry = ObjectStoreRegistry({"file://": LocalStore()})
    parser = asdf_parser.AsdfParser(program=str(PROGRAM))
    for path in sorted(folder.glob("large-*.asdf")) + [folder / "simple-None.asdf"]:
        url = path.resolve().as_uri()
        tree = large() if path.name.startswith("large") else {"deep": {"list": [simple()]}}
        prefix = "" if path.name.startswith("large") else "deep/list/0"
        store = parser(url, registry)
        opened = zarr.open_group(store, mode="r", path=prefix or None)
        expected = tree if not prefix else at(tree, prefix)
        found = 0
        for name, array in opened.arrays():
            what = np.asarray(array[...])
            # Datatypes of zarr, version 3, have no byte order.
            native = expected[name].astype(expected[name].dtype.newbyteorder("="))
            found += check(same(what, native), f"VirtualiZarr: {path.name}: {name}: {what.dtype}")
        counts["equal"] += found
        check(found > 0, f"VirtualiZarr: {path.name}: no arrays")
    url = (folder / "large-0.asdf").resolve().as_uri()
    virtual = open_virtual_dataset(url, registry=registry, parser=parser)
    check(set(virtual.variables) == set(large()), f"VirtualiZarr: {set(virtual.variables)}")
    virtual.vz.to_kerchunk(str(folder / "virtual.json"), format="json")
    compare(folder / "virtual.json", large())


def corpus(files, folder):
    """Compares the arrays of all files in a folder."""
    before = dict(counts)
    unread = 0
    for number, path in enumerate(sorted(files.rglob("*.asdf"))):
        references = folder / f"corpus-{number}.json"
        run = subprocess.run([PROGRAM, "manifest", path, "-o", references], capture_output=True, text=True)
        left_out = re.findall(r"^warning: .*", run.stderr, re.MULTILINE)
        check(run.returncode in (0, 1), f"{path}: {run.stderr}")
        if not references.exists():
            counts["left out"] += len(left_out)
            continue
        try:
            with asdf.config_context() as config:
                # The nodes of the tree instead of tables and quantities.
                config.remove_extension(package="asdf-astropy")
                file = asdf.open(path, lazy_load=False, memmap=False, ignore_missing_extensions=True)
            with file:
                tree = file.tree
                wanted = names(references)
                arrays = {}
                for name in wanted:
                    node = at(tree, name)
                    arrays[name] = np.asarray(node.make_array() if hasattr(node, "make_array") else node)
        except Exception as error:  # noqa: BLE001  Python cannot read some of the files
            print(f"{path.name}: not read by Python's asdf: {type(error).__name__}: {str(error)[:100]}")
            unread += len(names(references))
            continue
        opened = group(references)
        counts["left out"] += len(left_out)
        for name, expected in arrays.items():
            found = opened[name][...]
            if check(same(found, expected), f"{path.name}: {name}: {np.asarray(found).dtype} {expected.dtype}"):
                counts["equal"] += 1
    equal, left_out = (counts[key] - before[key] for key in ("equal", "left out"))
    print(f"files of {files}: {equal} arrays are equal, {left_out} left out, {unread} not read by Python's asdf")


def main(programs, files=None):
    global PROGRAM
    PROGRAM = (pathlib.Path(programs) / "asdf").resolve()
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for test in (one_file, chunks, refused, many_files, virtualizarr):
            test(folder)
        if files:
            corpus(pathlib.Path(files), folder)
    print(f"manifests: {counts['equal']} arrays equal those of Python's asdf, {counts['left out']} left out, "
          f"{len(failures)} failures")
    return bool(failures) or counts["equal"] < 400


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
