"""Outlines, searches, and what schemas say."""

import re

import asdf
import asdfast
import numpy as np
import pytest
import roman_datamodels.datamodels


@pytest.fixture
def file(text):
    return asdfast.open(text("""
        meta: &meta {target: M31, exposure: 1.5, "a/b~c": {x: 1}}
        again: *meta
        list: [1, two, {target: M33}]
        tagged: !foo {target: M31}
        data: !core/ndarray-1.1.0 {data: [1, 2], datatype: int16}
        self: &self {self: *self}
    """))


def test_info_is_an_outline(file, capsys):
    file.info(max_rows=None)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "root (File)"
    assert lines[1:4] == ["├─meta (Mapping)", "│ ├─target (str): M31", "│ ├─exposure (float): 1.5"]
    assert "├─data (Array): shape=(2,), dtype=int16" in lines
    assert "├─tagged (tag:stsci.edu:asdf/foo)" in lines
    assert lines[-1] == "  └─self (Mapping)", "a cycle ends"
    file.info(max_rows=None, show_values=False)
    assert "│ ├─target (str)" in capsys.readouterr().out.splitlines()


def test_info_has_limits(file, capsys):
    file.info(max_rows=4)
    lines = capsys.readouterr().out.splitlines()
    assert lines == [
        "root (File)",
        "├─meta (Mapping)",
        "│ └─... 3 not shown",
        "├─again (Mapping)",
        "├─list (Sequence)",
        "│ └─... 3 not shown",
        "└─... 3 not shown",
    ]
    file.info(max_cols=15)
    assert capsys.readouterr().out.splitlines()[1] == "├─m (truncated)"


def test_search(file):
    assert file.search("target").paths == ["/meta/target", "/list/2/target", "/tagged/target"]
    assert file.search(key="^x$").paths == ["/meta/a~1b~0c/x"]
    assert file.search(2).paths == ["/list/2"]
    assert file.search(value="M3[13]").nodes == ["M31", "M33", "M31"]
    assert file.search(value=1.5).path == "/meta/exposure" and file.search(value=1.5).node == 1.5
    assert file.search(type_="Array").paths == file.search(type_=asdfast.Array).paths == ["/data"]
    assert file.search(type_="asdf/foo").paths == ["/tagged"]
    assert file.search(filter_=lambda node: node == "two").paths == ["/list/1"]
    assert file.search("target", filter_=lambda node, key: node == "M33").paths == ["/list/2/target"]
    assert len(file.search("nothing")) == 0 and file.search("nothing").node is None
    assert repr(file.search("nothing")) == "nothing was found"
    with pytest.raises(ValueError, match="found 3 nodes, such as /meta/target and /list/2/target"):
        file.search("target").node
    for path, node in file.search("target"):
        assert file.at(path) == node
    with pytest.raises(TypeError, match="expected a class"):
        file.search(type_=3)


def test_searches_agree_with_pythons_asdf(write):
    tree = {"a": {"flux": 1.5, "list": [{"flux": 2}, "flux"]}, "fluxes": np.arange(3)}
    path = write(tree)
    with asdf.open(path) as peer:
        for options in ({"key": "flux"}, {"value": "flux"}, {"value": 2}, {"type_": float}):
            expected = [
                "".join(f"/{key or index}" for key, index in re.findall(r"\['(.*?)'\]|\[(\d+)\]", found))
                for found in peer.search(**options).paths
            ]
            assert sorted(asdfast.open(path).search(**options).paths) == sorted(expected), options


def test_schema_info_is_that_of_pythons_asdf(tmp_path):
    model = roman_datamodels.datamodels.ImageModel.create_fake_data(shape=(8, 8))
    path = tmp_path / "image.asdf"
    model.save(path)
    for key in ("title", "archive_catalog"):
        with asdf.open(path) as peer:
            expected = peer.schema_info(key)
        found = asdfast.open(path).schema_info(key, package=["rad"])
        theirs, ours = dict(flat(expected, key)), dict(flat(found, key))
        assert theirs
        for place, said in theirs.items():
            assert " ".join(str(said).split()) == " ".join(str(ours.get(place)).split()), place


def flat(nested, key, path=""):
    for name, inner in nested.items():
        if name == key and not isinstance(inner, dict):
            yield path, getattr(inner, "info", inner)
        elif name == key and path.count("/") > 1:
            yield path, inner
        elif isinstance(inner, dict):
            yield from flat(inner, key, f"{path}/{name}")
