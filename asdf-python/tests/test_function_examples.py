"""The examples in the documentation of functions."""

import doctest

import asdfast
import gwcs_files
import numpy as np
import pytest

FUNCTIONS = [
    asdfast.catalog,
    asdfast.cutout,
    asdfast.diff,
    asdfast.footprint,
    asdfast.footprints,
    asdfast.html,
    asdfast.manifest,
    asdfast.preview,
    asdfast.table,
    asdfast.wcs,
]


@pytest.fixture
def files(tmp_path, monkeypatch):
    """A folder with the files that the examples name."""
    monkeypatch.chdir(tmp_path)
    gwcs_files.write_image("image.asdf")
    (tmp_path / "night").mkdir()
    for number in (1, 2):
        gwcs_files.write(f"night/{number}.asdf", meta={"exposure_time": 1.5 * number}, data=np.arange(6.0))


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
@pytest.mark.usefixtures("files")
def test_examples(function):
    test = doctest.DocTestParser().get_doctest(function.__doc__, {}, function.__name__, None, None)
    lines = []
    assert test.examples and doctest.DocTestRunner().run(test, out=lines.append).failed == 0, "".join(lines)
    assert all(section in function.__doc__ for section in ("Parameters\n", "Returns\n", "Examples\n"))
