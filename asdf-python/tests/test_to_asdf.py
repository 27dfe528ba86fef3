"""Hands files and nodes over to the package asdf."""

import asdf
import asdfast
import astropy.units as u
import gwcs
import gwcs.coordinate_frames as frames
import numpy as np
import pytest
from asdf.tags.core.ndarray import NDArrayType
from astropy.coordinates import ICRS
from astropy.modeling.models import Pix2Sky_TAN, RotateNative2Celestial, Scale, Shift
from astropy.table import Table
from astropy.time import Time


def wcs():
    sky = frames.CelestialFrame(reference_frame=ICRS(), name="sky", unit=(u.deg, u.deg))
    detector = frames.Frame2D(name="detector", unit=(u.pix, u.pix))
    model = (Shift(-5) & Shift(-5)) | (Scale(1e-4) & Scale(1e-4)) | Pix2Sky_TAN() | RotateNative2Celestial(10, 20, 180)
    return gwcs.WCS([(detector, model), (sky, None)])


@pytest.fixture
def path(tmp_path):
    image = np.arange(1000.0).reshape(20, 50)
    shared = {"gain": 2.5}
    tree = {
        "image": image,
        "part": image[2:4, ::2],
        "masked": np.ma.array([1, 2, 3], mask=[False, True, False]),
        "inline": np.arange(4),
        "flux": image * u.Jy,
        "when": Time("2026-11-23T10:11:12", format="isot"),
        "unit": u.m / u.s,
        "wcs": wcs(),
        "catalogue": Table({"id": [1, 2], "name": ["a", "b"]}),
        "complex": 2 + 1j,
        "large": asdf.IntegerType(1 << 100),
        "a": shared,
        "b": shared,
        "list": [1, {"x": None}],
    }
    path = tmp_path / "objects.asdf"
    file = asdf.AsdfFile(tree)
    file.set_array_storage(tree["inline"], "inline")
    file.set_array_compression(tree["image"], "lz4")
    file.write_to(path)
    return path


def assert_equal(ours, theirs, masks=True):
    assert ours.keys() == theirs.keys()
    for name in ("image", "part", "inline", "flux"):
        np.testing.assert_array_equal(ours[name], theirs[name])
        assert ours[name].dtype == theirs[name].dtype
    if masks:
        np.testing.assert_array_equal(np.asarray(ours["masked"].mask), [False, True, False])
    for name in ("when", "unit", "complex", "large", "list"):
        assert ours[name] == theirs[name]
        assert type(ours[name]) is type(theirs[name])
    assert (ours["catalogue"] == theirs["catalogue"]).all()
    assert ours["wcs"](1, 2) == theirs["wcs"](1, 2)


@pytest.mark.parametrize("lazy", [False, True])
def test_a_file_is_that_of_asdf(path, lazy):
    with asdfast.open(path) as file:
        ours = file.to_asdf(lazy_tree=lazy)
    assert isinstance(ours, asdf.AsdfFile)
    assert ours._blocks.blocks[0]._cached_data is None
    with asdf.open(path, lazy_tree=lazy) as theirs:
        assert_equal(ours, theirs)
        assert ours.version == theirs.version
        assert ours.comments == theirs.comments
        assert ours.uri == theirs.uri
        assert ours.file_format_version == theirs.file_format_version
        assert ours.get_array_compression(ours["image"]) == "lz4"
    assert ours["a"] is ours["b"]


def test_the_result_is_written(path, tmp_path):
    with asdfast.open(path) as file:
        ours = file.to_asdf()
    ours["added"] = 5
    ours.write_to(tmp_path / "copy.asdf")
    with asdf.open(tmp_path / "copy.asdf") as copy, asdf.open(path) as theirs:
        assert copy["added"] == 5
        del copy.tree["added"]
        # asdf loses the masks of arrays that it read and writes again.
        assert_equal(copy, theirs, masks=False)
        assert copy.get_array_compression(copy["image"]) == "lz4"
    with pytest.raises(ValueError, match="no associated file"):
        ours.update()


def test_nodes_are_converted(path):
    with asdfast.open(path) as file, asdf.open(path) as theirs:
        assert file.convert(file["wcs"])(1, 2) == theirs["wcs"](1, 2)
        assert file.convert(file["when"]) == theirs["when"]
        assert file.convert(file["unit"]) == theirs["unit"]
        assert file.convert(file["a"]) == {"gain": 2.5}
        assert file.convert([file["a"], 5, "text"]) == [{"gain": 2.5}, 5, "text"]
        assert file.convert(file["list"]) == [1, {"x": None}]
        assert file.convert({"x": file["unit"]}) == {"x": theirs["unit"]}
        image = file.convert(file["image"])
        assert type(image) is np.ndarray
        np.testing.assert_array_equal(image, theirs["image"])
        masked = file.convert(file["masked"])
        assert isinstance(masked, np.ma.MaskedArray)
        tree = file.convert(file.tree)
        assert not isinstance(tree["image"], NDArrayType)
        assert_equal(tree, theirs)
    # What was converted does not need the open file.
    assert tree["image"][1, 1] == 51


def test_rare_forms_of_yaml_are_loaded_by_asdf(tmp_path):
    path = tmp_path / "merge.asdf"
    path.write_text("#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n---\nbase: &b {x: 1}\nc: {<<: *b, y: 2}\n...\n")
    with asdfast.open(path) as file:
        assert file.to_asdf()["c"] == {"x": 1, "y": 2}
        assert file.convert(file["c"]) == {"x": 1, "y": 2}


def test_a_file_without_a_tree_and_one_in_memory(tmp_path, path):
    empty = tmp_path / "empty.asdf"
    empty.write_bytes(b"#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n")
    with asdfast.open(empty) as file:
        assert dict(file.to_asdf().tree) == {}
    with asdfast.open(path.read_bytes()) as file:
        ours = file.to_asdf()
        assert ours.uri is None
        assert ours["image"][0, 3] == 3


def test_arrays_in_other_files(tmp_path):
    image = np.arange(10)
    file = asdf.AsdfFile({"image": image})
    file.set_array_storage(image, "external")
    file.write_to(tmp_path / "outer.asdf")
    with asdfast.open(tmp_path / "outer.asdf") as ours:
        np.testing.assert_array_equal(ours.to_asdf()["image"], image)


def test_unknown_tags_warn_as_in_asdf(tmp_path):
    path = tmp_path / "unknown.asdf"
    path.write_text("#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n---\na: !<tag:example.com,2026:z-1.0.0> {b: 1}\n...\n")
    with asdfast.open(path) as file:
        with pytest.warns(asdf.exceptions.AsdfConversionWarning, match="is not recognized"):
            ours = file.to_asdf()
        assert dict(ours["a"]) == {"b": 1}
        assert ours["a"]._tag == "tag:example.com,2026:z-1.0.0"
        assert dict(file.to_asdf(ignore_unrecognized_tag=True)["a"]) == {"b": 1}


def test_objects_that_are_not_nodes(path):
    with asdfast.open(path) as file:
        marker = object()
        assert file.convert(marker) is marker
