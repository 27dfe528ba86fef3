"""The notebooks run without errors, and their outputs are those that the files have.

With UPDATE=1 in the environment, the outputs are written to the files instead.
"""

import base64
import os
import pathlib
import re
import struct

import nbclient
import nbformat
import pytest

FOLDER = pathlib.Path(__file__).parents[2] / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


@pytest.fixture
def environment(tmp_path, monkeypatch):
    """Sets the variables that astronomers set for their S3 server, and a folder for all that notebooks write."""
    monkeypatch.setenv("AWS_ENDPOINT_URL", os.environ["ASDF_TEST_S3S"])
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", os.environ["ASDF_TEST_S3_ACCESS_KEY"])
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", os.environ["ASDF_TEST_S3_SECRET_KEY"])
    # The user's settings of Jupyter and IPython are not read.
    for name in ("IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR"):
        monkeypatch.setenv(name, str(tmp_path / name.lower()))
    work = tmp_path / "work"
    work.mkdir()
    return work


def executed(notebook, work):
    """Executes a notebook in a new kernel, and returns it with its outputs."""
    client = nbclient.NotebookClient(
        notebook,
        timeout=60,
        kernel_name="python3",
        record_timing=False,
        # A kernel sends a text in one message or in several.
        coalesce_streams=True,
        resources={"metadata": {"path": str(work)}},
    )
    client.execute()
    notebook.metadata = nbformat.from_dict(
        {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        }
    )
    return notebook


def comparable(output):
    """Returns an output without what can differ between two runs."""
    output = dict(output)
    if "data" not in output:
        return output
    data = dict(output["data"])
    # The compression of a picture is that of a library, so only its size is compared.
    if "image/png" in data:
        header = base64.b64decode(data["image/png"])[16:24]
        data["image/png"] = struct.unpack(">II", header)
        data["text/plain"] = re.sub(r"\d+ bytes", "N bytes", data["text/plain"])
    return output | {"data": data}


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_the_notebook(path, environment):
    stored = nbformat.read(path, as_version=4)
    found = executed(nbformat.read(path, as_version=4), environment)
    if os.environ.get("UPDATE") == "1":
        nbformat.write(found, path)
        return
    for number, (new, old) in enumerate(zip(found.cells, stored.cells, strict=True)):
        if new.cell_type == "code":
            outputs = [[comparable(output) for output in cell.outputs] for cell in (new, old)]
            assert outputs[0] == outputs[1], f"cell {number}: run with UPDATE=1 if the new output is right"


def test_there_are_notebooks():
    readme = (FOLDER.parent / "README.md").read_text()
    assert NOTEBOOKS and all(f"notebooks/{path.name}" in readme for path in NOTEBOOKS)
