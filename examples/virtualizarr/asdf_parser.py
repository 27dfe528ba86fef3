"""A parser of ASDF files for VirtualiZarr, which runs `asdf manifest`.

    from virtualizarr import open_virtual_dataset
    dataset = open_virtual_dataset("file:///data/x.asdf", registry=registry, parser=AsdfParser(group="roman"))

It needs VirtualiZarr 2.5 and the program `asdf`.
"""

import json
import subprocess
import urllib.parse
import warnings

import numpy as np
from virtualizarr.manifests import ChunkManifest, ManifestArray, ManifestGroup, ManifestStore
from virtualizarr.manifests.utils import create_v3_array_metadata

FILE = "file://"


class AsdfParser:
    """Reads where the arrays of an ASDF file are, as VirtualiZarr calls it: `parser(url, registry)`.

    `group` is the path in the tree that becomes the root, such as `roman`. `program` is the program to run.

    Warns about arrays that it leaves out: those that zarr cannot read, inline arrays, and records.
    """

    def __init__(self, group="", program="asdf"):
        self.group = group.strip("/")
        self.program = program

    def __call__(self, url, registry):
        return ManifestStore(group=_group(self._references(url), self.group), registry=registry)

    def _references(self, url):
        """Returns the references of a file as kerchunk defines them."""
        path = urllib.parse.unquote(url.removeprefix(FILE)) if url.startswith(FILE) else url
        command = [self.program, "manifest", "--format", "kerchunk", path]
        run = subprocess.run(command, capture_output=True, text=True)
        if run.returncode:
            raise ValueError(run.stderr.strip())
        if run.stderr:
            warnings.warn(run.stderr.strip(), stacklevel=4)
        return json.loads(run.stdout)["refs"]


def _group(references, root):
    """Returns the group at a path, with the groups below it."""
    arrays, groups = {}, {}
    found = {}
    for key in references:
        path, _, last = key.rpartition("/")
        if last == ".zarray":
            found[path] = {}
        elif not last.startswith(".z"):
            found[path][last] = references[key]
    prefix = f"{root}/" if root else ""
    if root and f"{prefix}.zgroup" not in references:
        raise ValueError(f"the file has no group {root!r} with arrays")
    below = set()
    for path, chunks in found.items():
        if not path.startswith(prefix):
            continue
        name, _, rest = path.removeprefix(prefix).partition("/")
        if rest:
            below.add(name)
            continue
        array = _array(path, references, chunks)
        if array is not None:
            arrays[name] = array
    for name in sorted(below):
        groups[name] = _group(references, prefix + name)
    return ManifestGroup(arrays=arrays, groups=groups)


def _array(path, references, chunks):
    """Returns an array, or `None` if VirtualiZarr cannot describe it."""
    zarray = json.loads(references[f"{path}/.zarray"])
    if isinstance(zarray["dtype"], list):
        warnings.warn(f"{path}: records are left out", stacklevel=6)
        return None
    if any(isinstance(chunk, str) for chunk in chunks.values()):
        warnings.warn(f"{path}: inline arrays are left out", stacklevel=6)
        return None
    compressor = zarray["compressor"]
    codecs = []
    if compressor:
        codecs = [{"name": f"numcodecs.{compressor.pop('id')}", "configuration": compressor}]
    metadata = create_v3_array_metadata(
        shape=tuple(zarray["shape"]),
        chunk_shape=tuple(zarray["chunks"]),
        data_type=np.dtype(zarray["dtype"]),
        codecs=codecs,
        dimension_names=json.loads(references[f"{path}/.zattrs"])["_ARRAY_DIMENSIONS"],
    )
    grid = tuple(n // chunk for n, chunk in zip(zarray["shape"], zarray["chunks"]))
    paths, offsets, lengths = [], [], []
    # The chunks are in C order.
    for location, offset, length in chunks.values():
        paths.append(location if "://" in location else FILE + location)
        offsets.append(offset)
        lengths.append(length)
    manifest = ChunkManifest.from_arrays(
        paths=np.array(paths, np.dtypes.StringDType()).reshape(grid),
        offsets=np.array(offsets, "u8").reshape(grid),
        lengths=np.array(lengths, "u8").reshape(grid),
        validate_paths=False,
    )
    return ManifestArray(metadata=metadata, chunkmanifest=manifest)
