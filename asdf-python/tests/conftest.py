"""What several tests need."""

import os

import asdf
import numpy as np
import pytest

# The tests in `remote` need the servers that `remote/run` starts.
collect_ignore = [] if "ASDF_TEST_S3S" in os.environ else ["remote"]


@pytest.fixture
def rng():
    return np.random.default_rng(20261129)


@pytest.fixture
def write(tmp_path):
    """A function that writes a tree with Python's asdf, and returns the path."""
    numbers = iter(range(1000))

    def write(tree, **options):
        path = tmp_path / f"{next(numbers)}.asdf"
        asdf.AsdfFile(tree).write_to(path, **options)
        return path

    return write


@pytest.fixture
def text(tmp_path):
    """A function that writes the text of a tree, and returns the path."""
    numbers = iter(range(1000))

    def text(yaml):
        path = tmp_path / f"text{next(numbers)}.asdf"
        head = "#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n"
        path.write_text(f"{head}{yaml}\n...\n")
        return path

    return text


@pytest.fixture
def example_files(tmp_path, monkeypatch):
    """A folder with the files that the examples name."""
    # gwcs is not published for the free-threaded Python.
    import gwcs_files

    monkeypatch.chdir(tmp_path)
    gwcs_files.write_image("image.asdf")
    (tmp_path / "night").mkdir()
    for number in (1, 2):
        gwcs_files.write(f"night/{number}.asdf", meta={"exposure_time": 1.5 * number}, data=np.arange(6.0))
