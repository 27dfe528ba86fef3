"""Memory and objects that stay after 10,000 rounds of everything."""

import subprocess
import sys
import textwrap

import numpy as np
import pytest

# What a round does, after `import asdfast, gc, io, numpy as np` and with the path of a file.
WORKS = {
    "opens": """
        with asdfast.open(path) as file:
            file["data"][1]["x"], list(file), repr(file["data"]), file.data.tag
    """,
    "slices": """
        file["array"][3:50], file["lz4"][7:9, ::2], file["masked"][...], np.asarray(file["records"]["x"])
    """,
    "errors": """
        for wrong in ("nothing", 3, (1, 2)):
            try: file[wrong]
            except KeyError: pass
        for work, error in (
            (lambda: asdfast.open(path, limits={"tree_nodes": 1}), asdfast.LimitError),
            (lambda: asdfast.open(b"#ASDF 1.0.0\\n%YAML 1.1\\n--- [\\n"), asdfast.AsdfError),
            (lambda: file.at("/nothing"), asdfast.AsdfError),
            (lambda: file["array"][1, 2, 3], IndexError),
            (lambda: asdfast.File({"wrong": object()}), TypeError),
            (lambda: file.write(Failing()), LookupError),
        ):
            try: work()
            except error: pass
            else: raise AssertionError(error)
    """,
    "writes": """
        values = np.arange(500.0)
        new = asdfast.File({"meta": {"number": number, "list": [1, 2]}, "values": values, "same": values})
        new["meta"]["more"] = {"x": [number]}
        del new["meta"]["list"]
        buffer = io.BytesIO()
        new.write(buffer, compression="zlib")
        asdfast.open(buffer.getvalue())["values"][...]
    """,
    "tables": """
        table = asdfast.table(file, "/records")
        table["x"][2:5], table[3:6].__arrow_c_stream__(), table.__arrow_c_schema__(), repr(table)
    """,
}


@pytest.mark.parametrize("work", WORKS)
def test_nothing_is_leaked(write, work):
    """Neither objects, nor memory of Python, nor memory of Rust grows between the rounds 2,000 and 10,000."""
    tree = {
        "data": [1.5, {"x": 1}],
        "array": np.zeros((100, 100)),
        "masked": np.ma.array([1, 2], mask=[True, False]),
        "records": np.zeros(20, [("x", "<i4"), ("y", "<f8")]),
    }
    path = write(tree)
    compressed = write({"lz4": np.zeros((100, 100))}, all_array_compression="lz4")
    script = f"""
import asdfast, ctypes, gc, io, sys
import numpy as np

path = {str(path)!r}
file = asdfast.open(path)
file["lz4"] = asdfast.open({str(compressed)!r})["lz4"]

class Failing:
    def write(self, data):
        raise LookupError("no space")

class Info(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in
                ("arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks", "fordblks", "keepcost")]

try:
    mallinfo = ctypes.CDLL(None).mallinfo2
    mallinfo.restype = Info
except (AttributeError, TypeError):
    mallinfo = None

def used():
    # Objects in cycles are not leaked.
    gc.collect()
    gc.collect()
    objects, blocks = len(gc.get_objects()), sys.getallocatedblocks()
    info = mallinfo() if mallinfo else None
    try:
        pages = int(open("/proc/self/statm").read().split()[1])
    except OSError:
        pages = 0
    return {{"objects": objects, "blocks": blocks, "bytes": info.uordblks + info.hblkhd if info else 0, "pages": pages}}

def work(number):
{textwrap.indent(textwrap.dedent(WORKS[work]), "    ")}

used()
for number in range(2000):
    work(number)
before = used()
for number in range(2000, 10000):
    work(number)
after = used()
grown = {{key: after[key] - before[key] for key in before}}
print(grown)
# 8,000 rounds that leak one object of the smallest size are over each limit.
assert grown["objects"] < 400 and grown["blocks"] < 800, grown
assert grown["bytes"] < 100_000, grown
# 4 MB: pages that are free again stay with the allocator.
assert grown["pages"] * 4096 < 4_000_000, grown
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
