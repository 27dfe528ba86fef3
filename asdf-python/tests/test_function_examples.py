"""The examples in the documentation of functions."""

import doctest

import asdfast
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


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
@pytest.mark.usefixtures("example_files")
def test_examples(function):
    test = doctest.DocTestParser().get_doctest(function.__doc__, {}, function.__name__, None, None)
    lines = []
    assert test.examples and doctest.DocTestRunner().run(test, out=lines.append).failed == 0, "".join(lines)
    assert all(section in function.__doc__ for section in ("Parameters\n", "Returns\n", "Examples\n"))
