"""Replaces the loader of the package asdf."""

import datetime
import importlib.metadata
import io
import threading

import asdf
import asdf.schema
import asdf.yamlutil
import asdfast
import numpy as np
import pytest
import yaml
from asdfast import _accelerate, _loader

LOAD_TREE = asdf.yamlutil.load_tree
HEAD = b"%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n"


class Refused(Exception):
    """The fast loader did not accept the text."""


def refuse(stream):
    raise Refused


def fast(text):
    return _loader.Loader().tagged(io.BytesIO(text), refuse)


@pytest.mark.parametrize(
    "body",
    [
        "a: [0, -0, +1, 1_000, 0x1f, 0b101, 0777, 1:30, -1:30:00, 12345678901234567890123, 0_7]",
        "a: [1.5, 1., .5, 1e3, 1.0e+3, -.inf, .Inf, .NaN, 1:30.5, -1_0.5_0, 1.0e+400]",
        "a: [yes, No, TRUE, off, y, n, null, ~, '', 'null', Null, !!str 5, ! '5']",
        "a: [2026-11-23, 2026-1-2, 2026-11-23T10:11:12, 2026-11-23 10:11:12.123456789 -5:30, 2026-11-23t1:02:03Z]",
        "1: a\n2.5: b\ntrue: c\nnull: d\n2026-11-23: e\n'1': f",
        "a: &x [1, 2]\nb: *x\nc: &y text\nd: *y\n",
        "a: &x {me: *x, list: &l [*l, *x]}",
        "a: 1\na: 2\nb: 3\na: 4",
        "a: !!omap [b: 1, a: 2]\nb: !!map {a: !!seq [!!int 5, !!float 5.5, !!bool on]}",
        "a: !core/x-1.0.0 5\nb: !core/y-1.0.0 [1]\nc: !<tag:example.com,2026:z> {d: !!str ''}",
        "a: |\n  two\n  lines\nb: >-\n  one\n  line\nc: \"\\u00e9\\n\\x41\"\n'é': \U0001f600",
        "{}",
        "[]",
    ],
)
def test_trees_are_equal(body):
    text = HEAD + body.encode() + b"\n...\n"
    theirs = LOAD_TREE(io.BytesIO(text))
    ours = fast(text)
    assert _loader.same(theirs, ours), (theirs, ours)


@pytest.mark.parametrize(
    "body",
    [
        "base: &b {x: 1, y: 2}\nc: {<<: *b, y: 3}",
        "a: !!set {b, c}\nd: !!binary aGk=\ne: !!pairs [a: 1]",
        "a: =\nb: <<",
        "a: [?x]",
        "a: [! , b]",
        "! : a",
        "",
    ],
)
def test_rare_forms_are_left_to_the_original(body):
    text = HEAD + body.encode() + b"\n...\n"
    with pytest.raises(Refused):
        fast(text)
    theirs = LOAD_TREE(io.BytesIO(text))
    with asdfast.accelerate():
        ours = asdf.yamlutil.load_tree(io.BytesIO(text))
    assert repr(ours) == repr(theirs)


@pytest.mark.parametrize(
    "body",
    [
        "a: [1",
        "a: &x 1\nb: &x 2",
        "a: *nothing",
        "[a]: 1",
        "!core/x-1.0.0 a: 1",
        "a: 2026-13-45",
        "a: 0x_",
        "a: !!int x",
        "a: \x01",
        "a: 1\n---\nb: 2",
        "<<: 5",
        "a: [:x]",
        "a: !!omap [5]",
        "%FOO\n--- a",
        "a: " + "9" * 5000,
    ],
)
def test_errors_are_those_of_the_original(body):
    text = HEAD + body.encode() + b"\n...\n"
    with pytest.raises(Exception) as theirs:
        LOAD_TREE(io.BytesIO(text))
    with asdfast.accelerate(), pytest.raises(type(theirs.value)) as ours:
        asdf.yamlutil.load_tree(io.BytesIO(text))
    assert type(ours.value) is type(theirs.value)
    assert str(ours.value) == str(theirs.value)


def test_bytes_that_are_not_utf8_and_other_encodings_are_left_to_the_original():
    for text in (b"a: \xff\n", "\ufeffa: 1\n".encode(), "a: é\n".encode("utf-16")):
        with pytest.raises(Refused):
            fast(text)


def test_an_error_of_the_stream_is_raised():
    class Broken(io.RawIOBase):
        parts = [b"a: 1\n", b"b: 2\n"]

        def read(self, size=-1):
            if not self.parts:
                raise asdf.exceptions.DelimiterNotFoundError("End of YAML marker not found")
            return self.parts.pop(0)

    with asdfast.accelerate(), pytest.raises(asdf.exceptions.DelimiterNotFoundError):
        asdf.yamlutil.load_tree(Broken())


def test_files_open_the_same(tmp_path):
    path = tmp_path / "a.asdf"
    shared = {"x": 1}
    tree = {"array": np.arange(10), "when": datetime.date(2026, 11, 23), "a": shared, "b": shared}
    asdf.AsdfFile(tree).write_to(path)
    for lazy in (False, True):
        with asdfast.accelerate(), asdf.open(path, lazy_tree=lazy) as file:
            assert file["array"].sum() == 45
            assert file["when"] == tree["when"]
            assert file["a"] is file["b"] or lazy
    with asdfast.accelerate():
        assert asdf.util.load_yaml(path, tagged=True)["a"] == shared


def test_everything_is_restored():
    before = asdf.yamlutil.load_tree, asdf.schema.yaml, asdf.util.yaml, yaml.safe_load, asdf.schema.validate
    one = asdfast.accelerate()
    assert asdf.yamlutil.load_tree is not before[0]
    assert asdf.schema.yaml.YAMLError is yaml.YAMLError
    with asdfast.accelerate() as two:
        one.stop()
        one.stop()
        assert two.active and not one.active
        assert asdf.yamlutil.load_tree is not before[0]
    assert repr(two) == "<asdfast.Acceleration, stopped>"
    after = asdf.yamlutil.load_tree, asdf.schema.yaml, asdf.util.yaml, yaml.safe_load, asdf.schema.validate
    assert all(one is other for one, other in zip(before, after, strict=True))


def test_a_function_that_someone_else_replaced_stays():
    acceleration = asdfast.accelerate()
    ours = asdf.yamlutil.load_tree

    def wrapped(stream):
        return ours(stream)

    asdf.yamlutil.load_tree = wrapped
    try:
        acceleration.stop()
        assert asdf.yamlutil.load_tree is wrapped
        assert wrapped(io.BytesIO(b"a: yes\n")) == {"a": True}
    finally:
        asdf.yamlutil.load_tree = LOAD_TREE


def test_other_versions_and_a_failed_check_are_refused(monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(importlib.metadata, "version", lambda name: "6.1.0")
        with pytest.raises(RuntimeError, match="found asdf 6.1.0, expected 6.0.x"):
            asdfast.accelerate()
    with monkeypatch.context() as patch:
        patch.setattr(_accelerate, "same", lambda one, other: False)
        with pytest.raises(RuntimeError, match="load the same YAML differently"):
            asdfast.accelerate()
    assert asdf.yamlutil.load_tree is LOAD_TREE


def test_constructors_that_others_added_are_used():
    text = b"a: !mine 5\nb: 6\n"

    class Mine(yaml.SafeLoader):
        pass

    with asdfast.accelerate():
        assert yaml.safe_load("a: yes\n") == {"a": True}
        with pytest.raises(yaml.constructor.ConstructorError):
            yaml.safe_load(text)
        Mine.add_constructor("!mine", lambda loader, node: int(node.value))
        assert yaml.load(text, Loader=Mine) == {"a": 5, "b": 6}
        old = dict(yaml.constructor.SafeConstructor.yaml_constructors)
        try:
            yaml.constructor.SafeConstructor.yaml_constructors["!mine"] = lambda loader, node: int(node.value)
            assert yaml.safe_load(text) == {"a": 5, "b": 6}
        finally:
            yaml.constructor.SafeConstructor.yaml_constructors.clear()
            yaml.constructor.SafeConstructor.yaml_constructors.update(old)


def test_threads_load_while_others_stop():
    errors = []

    def work():
        try:
            for _ in range(50):
                with asdfast.accelerate():
                    assert asdf.yamlutil.load_tree(io.BytesIO(b"a: [yes, 1]\n")) == {"a": [True, 1]}
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
    assert asdf.yamlutil.load_tree is LOAD_TREE


def test_same_finds_differences():
    shared = [1]
    assert not _loader.same([shared, shared], [[1], [1]])
    assert not _loader.same({"a": 1}, {"a": 1.0})
    assert not _loader.same({"a": 1, "b": 2}, {"b": 2, "a": 1})
    assert _loader.same([float("nan"), shared, shared], [float("nan"), (other := [1]), other])
