"""Everything public has a docstring, and its examples work."""

import doctest
import inspect
import pathlib

import asdfast
import pytest


def check(text, name):
    test = doctest.DocTestParser().get_doctest(text, {}, name, None, 0)
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    failures = []
    runner.run(test, out=failures.append)
    assert not failures, "".join(failures)


def documented():
    """Yields the public objects with their names."""
    for name in asdfast.__all__:
        public = getattr(asdfast, name)
        yield name, public
        if inspect.isclass(public):
            for inner in vars(public):
                if not inner.startswith("_"):
                    yield f"{name}.{inner}", getattr(public, inner)


@pytest.mark.parametrize("name, public", list(documented()), ids=lambda value: value if isinstance(value, str) else "")
@pytest.mark.usefixtures("example_files")
def test_examples(name, public, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = inspect.getdoc(public) or ""
    owner, _, attribute = name.rpartition(".")
    if owner and not callable(public):
        text = text or inspect.getdoc(getattr(asdfast, owner)) or ""
        assert attribute in text or vars(getattr(asdfast, owner))[attribute].__doc__, f"{name} is not described"
    assert text, f"{name} has no docstring"
    check(text, name)


def test_the_readme(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    check((pathlib.Path(__file__).parents[1] / "README.md").read_text(), "README.md")
