"""Makes the files of tests/data with Python's asdf 6.0, and for each a JSON file with the arrays in numpy's view. The tests
read them without Python.

usage: make_data.py FOLDER
"""

import json
import pathlib
import sys

import asdf
import numpy as np

import both
import write_for_us


def main(folder):
    folder = pathlib.Path(folder)
    folder.mkdir(exist_ok=True)
    for name, tree, options in write_for_us.trees():
        if name in ("large", "scalars"):
            continue
        path = folder / f"{name}.asdf"
        with asdf.config_context() as config:
            # Write views as views of one block, with strides and offsets.
            config.default_array_save_base = name == "views"
            asdf.AsdfFile(tree).write_to(path, **options)
        arrays = {f"/{both.escape(key)}": values(array) for key, array in tree.items()}
        path.with_suffix(".json").write_text(json.dumps(arrays, indent=1, ensure_ascii=False) + "\n")
    stream(folder / "stream.asdf")
    exploded(folder / "exploded.asdf")


def values(array):
    return {"shape": list(array.shape), "data": both.element(array.tolist(), array.dtype)}


def stream(path):
    file = asdf.AsdfFile({"rows": asdf.tags.core.Stream([3], np.dtype(">i2")), "one": np.arange(2, dtype="u1")})
    with open(path, "wb") as out:
        file.write_to(out)
        for row in range(4):
            out.write(np.array([row, -row, 300], ">i2").tobytes())
    rows = np.array([[row, -row, 300] for row in range(4)])
    path.with_suffix(".json").write_text(json.dumps({"/rows": values(rows), "/one": values(np.arange(2))}) + "\n")


def exploded(path):
    data = np.arange(6, dtype="f8").reshape(2, 3)
    asdf.AsdfFile({"data": data}).write_to(path, all_array_storage="external")
    path.with_suffix(".json").write_text(json.dumps({"/data": values(data)}) + "\n")


if __name__ == "__main__":
    main(sys.argv[1])
