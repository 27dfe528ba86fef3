"""Code that the scripts in this folder share: a tree as Python reads it, in the form of `asdf dump --values`."""

import collections
import datetime
import json
import lzma
import math
import pathlib
import subprocess
import warnings

import asdf
import blosc2
import numpy as np
from asdf.extension import Compressor, Extension
from asdf.tags.core import IntegerType


class Xz(Compressor):
    """The codec that ASDF.jl has and Python's asdf does not."""

    label = b"xz"

    def compress(self, data, **options):
        yield lzma.compress(data, **options)

    def decompress(self, data, out, **options):
        found = lzma.decompress(b"".join(data))
        out[:] = found
        return len(found)


class Blosc2(Compressor):
    """The codec that asdf-cxx has and Python's asdf does not."""

    label = b"bls2"

    def compress(self, data, **options):
        frame = blosc2.SChunk(chunksize=1 << 24, cparams={"typesize": 1, **options})
        if data.nbytes:
            frame.append_data(bytes(data))
        yield frame.to_cframe()

    def decompress(self, data, out, **options):
        frame = blosc2.schunk_from_cframe(b"".join(bytes(part) for part in data))
        if frame.nbytes:
            out[:] = frame[:]
        return frame.nbytes


class Peers(Extension):
    """The codecs that no package for Python's asdf has. The others are in asdf-compression."""

    extension_uri = "asdf://example.org/interop/extensions/peers-1.0.0"
    compressors = [Xz(), Blosc2()]


asdf.get_config().add_extension(Peers())


def program(folder, name, *arguments):
    """Runs one of our programs and returns its output."""
    command = [str(pathlib.Path(folder) / name), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise AssertionError(f"{' '.join(command)}: exit {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def ours(folder, path):
    """Reads a file with our program. Returns the tree and the arrays."""
    values = json.loads(program(folder, "asdf", "dump", "--values", path))
    assert not values["errors"], f"{path}: {values['errors']}"
    return values["tree"], values["arrays"]


def python(path):
    """Reads a file with Python's asdf with all checks. Returns the tree and the arrays."""
    with warnings.catch_warnings(), asdf.config_context() as config:
        warnings.simplefilter("error")
        # Our library is not a Python package, so ignore the warning that it is not installed.
        warnings.filterwarnings("ignore", "File .*was created with extension")
        config.validate_on_read = True
        config.warn_on_failed_conversion = False
        with asdf.open(path, validate_checksums=True, lazy_load=False) as file:
            arrays = {}
            return plain(file.tree, "", arrays, set()), arrays


def plain(node, path, arrays, above):
    """Converts a value to JSON. Arrays are added to `arrays` by path, and are null in the tree."""
    if isinstance(node, (np.ndarray, asdf.tags.core.NDArrayType)):
        array = np.ma.asanyarray(node) if isinstance(node, np.ma.MaskedArray) else np.asanyarray(node)
        if path not in arrays:
            arrays[path] = {"shape": list(array.shape), "data": element(array.tolist(), array.dtype)}
        return None
    if isinstance(node, set):
        return {key_text(item): None for item in node}
    if isinstance(node, collections.OrderedDict):
        node = [{key: value} for key, value in node.items()]
    if isinstance(node, dict):
        if id(node) in above:
            return "cycle"
        above = above | {id(node)}
        return {key_text(k): plain(v, f"{path}/{escape(key_text(k))}", arrays, above) for k, v in node.items()}
    if isinstance(node, (list, tuple)):
        if id(node) in above:
            return "cycle"
        above = above | {id(node)}
        return [plain(v, f"{path}/{i}", arrays, above) for i, v in enumerate(node)]
    if isinstance(node, (bool, int, str)) or node is None:
        return node
    if isinstance(node, float):
        return number(node)
    if isinstance(node, complex):
        return {"re": number(node.real), "im": number(node.imag)}
    if isinstance(node, (datetime.datetime, datetime.date)):
        return {"time": node.isoformat().replace("T", " ")}
    if isinstance(node, bytes):
        return {"bytes": list(node)}
    if isinstance(node, IntegerType):
        return {"integer": str(int(node))}
    # Small types of asdf: software, history entries, constants.
    state = getattr(node, "data", None) if hasattr(node, "data") else getattr(node, "_value", None)
    if state is not None:
        return plain(state, path, arrays, above)
    raise TypeError(f"{path}: {type(node)}")


def element(value, dtype):
    """Converts an element. A record becomes a list of its fields."""
    if isinstance(value, np.ndarray):
        return element(value.tolist(), None)
    if isinstance(value, tuple):
        return [element(v, None) for v in value]
    if isinstance(value, list):
        return [element(v, None) for v in value]
    if isinstance(value, bytes):
        return value.decode("ascii")
    if isinstance(value, complex):
        return {"re": number(value.real), "im": number(value.imag)}
    return number(value) if isinstance(value, float) else value


def number(value):
    if math.isnan(value):
        return "NaN"
    return value if math.isfinite(value) else ("Infinity" if value > 0 else "-Infinity")


def key_text(key):
    return str(key).lower() if isinstance(key, bool) else str(key)


def escape(step):
    return step.replace("~", "~0").replace("/", "~1")


def differences(python_value, our_value, path=""):
    """Describes where two values differ. Values that Python converted to objects are compared as text."""
    if python_value == our_value and not isinstance(python_value, (bool, int, float)):
        return []
    if isinstance(python_value, dict) and len(python_value) == 1:
        ((kind, held),) = python_value.items()
        if kind == "time" and isinstance(our_value, str):
            return [] if held[:19] == our_value.replace("T", " ")[:19] else [f"{path}: {held} is not {our_value}"]
        if kind == "bytes" and isinstance(our_value, str):
            import base64

            return differences(held, list(base64.b64decode(our_value)), path)
        if kind == "integer" and isinstance(our_value, dict):
            sign = "-" if our_value["sign"] == "-" else ""
            return differences(held, sign + our_value["string"], path)
    if isinstance(python_value, dict) and isinstance(our_value, dict):
        found = [f"{path}/{k}: only in one" for k in python_value.keys() ^ our_value.keys()]
        for key in python_value.keys() & our_value.keys():
            found += differences(python_value[key], our_value[key], f"{path}/{key}")
        return found
    if isinstance(python_value, list) and isinstance(our_value, list):
        if len(python_value) != len(our_value):
            return [f"{path}: {len(python_value)} items, not {len(our_value)}"]
        pairs = enumerate(zip(python_value, our_value))
        return [d for i, (a, b) in pairs for d in differences(a, b, f"{path}/{i}")]
    same = type(python_value) is type(our_value) and python_value == our_value
    if same and isinstance(python_value, float):
        same = math.copysign(1, python_value) == math.copysign(1, our_value)
    return [] if same else [f"{path}: {python_value!r} is not {our_value!r}"]


def without_arrays(tree, arrays, path=""):
    """Returns our tree with null for arrays, as in Python's tree."""
    if path in arrays:
        return None
    if isinstance(tree, dict):
        return {k: without_arrays(v, arrays, f"{path}/{escape(k)}") for k, v in tree.items()}
    if isinstance(tree, list):
        return [without_arrays(v, arrays, f"{path}/{i}") for i, v in enumerate(tree)]
    return tree


def compare(folder, path):
    """Returns the differences between a file as Python reads it and as we do."""
    python_tree, python_arrays = python(path)
    our_tree, our_arrays = ours(folder, path)
    # We list an array that occurs twice only once, under its first path.
    tree = without_arrays(our_tree, python_arrays)
    found = differences(python_tree, tree)
    for at, array in our_arrays.items():
        if at not in python_arrays:
            # Python's objects hide their arrays.
            hidden = at.endswith(("/words", "/mask"))
            found += [] if hidden else [f"{at}: Python reads no array there"]
        else:
            found += differences(python_arrays[at], array, at)
    return found
