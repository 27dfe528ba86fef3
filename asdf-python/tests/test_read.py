"""Reads files."""

import asdfast
import pytest


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "small.asdf"
    path.write_text("#ASDF 1.0.0\n%YAML 1.1\n---\nroman: {meta: {exposure: 1.5, name: a}}\nlist: [1, two]\n...\n")
    return path


def test_a_mapping_has_keys_and_attributes(path):
    with asdfast.open(path) as file:
        assert file["roman"]["meta"]["exposure"] == 1.5
        assert file.roman.meta.name == "a"
        assert list(file["list"]) == [1, "two"]
