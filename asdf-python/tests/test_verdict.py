"""Validates files that the package asdf reads."""

import io
import warnings

import asdf
import asdf.schema
import asdfast
import astropy.units as u
import numpy as np
import pytest
from asdf.exceptions import AsdfWarning, ValidationError
from astropy.time import Time

VALIDATE = asdf.schema.validate
HEAD = "#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n"
URI = "asdf://example.com/schemas/lens-1.0.0"


@pytest.fixture
def originals(monkeypatch):
    """Lists the trees that asdf validates."""
    seen = []

    def validate(*args, **options):
        seen.append(args)
        return VALIDATE(*args, **options)

    monkeypatch.setattr(asdf.schema, "validate", validate)
    return seen


def opened(content):
    with asdf.config_context() as config:
        config.validate_on_read = True
        with asdf.open(io.BytesIO(content)):
            pass


def text(body):
    return f"{HEAD}{body}\n...\n".encode()


LENS = text("a: !<asdf://example.com/tags/lens-1.0.0> {focus: 5}")


def test_a_valid_file_needs_no_other_validator(originals):
    buffer = io.BytesIO()
    tree = {"data": np.arange(3), "flux": np.arange(3) * u.Jy, "when": Time("2026-11-23"), "text": ["a", None, 2.5, True]}
    asdf.AsdfFile(tree).write_to(buffer)
    originals.clear()
    with asdfast.accelerate():
        opened(buffer.getvalue())
        opened(text("a: !core/software-1.0.0 {name: a, version: '1'}"))
    assert not originals


@pytest.mark.parametrize(
    "body",
    [
        "a: !core/software-1.0.0 {name: a}",
        "a: !core/software-1.0.0 {name: a, version: 1}",
        "a: !core/ndarray-1.1.0 {source: 0, datatype: nothing, byteorder: little, shape: [1]}",
        "a: !core/complex-1.0.0 no number",
        "history: {extensions: [5]}",
        "a: [!core/software-1.0.0 {name: a, version: '1'}, !core/software-1.0.0 5]",
    ],
)
def test_an_invalid_file_raises_the_exception_of_asdf(body, originals):
    with pytest.raises(ValidationError) as theirs:
        opened(text(body))
    originals.clear()
    with asdfast.accelerate(), pytest.raises(ValidationError) as ours:
        opened(text(body))
    assert originals
    assert str(ours.value) == str(theirs.value)
    assert list(ours.value.path) == list(theirs.value.path)
    assert ours.value.validator == theirs.value.validator


@pytest.mark.parametrize("body", ["a: 9223372036854775808", "2.5: a", "null: a", "-9223372036854775808: a"])
def test_warnings_are_those_of_asdf(body):
    with pytest.warns(AsdfWarning) as theirs:
        opened(text(body))
    with asdfast.accelerate(), pytest.warns(AsdfWarning) as ours:
        opened(text(body))
    assert [str(warning.message) for warning in ours] == [str(warning.message) for warning in theirs]


@pytest.mark.parametrize("body", ["a: .nan", "a: 2026-11-23", "a: &x [*x]", "a: !!set {b}", "a: !!binary aGk="])
def test_values_with_a_meaning_of_their_own_are_left_to_asdf(body, originals):
    with asdfast.accelerate():
        opened(text(body))
    assert originals


def schema_and_extension(content, validators=()):
    class Extension(asdf.extension.Extension):
        extension_uri = "asdf://example.com/extensions/lens-1.0.0"
        tags = [asdf.extension.TagDefinition("asdf://example.com/tags/lens-1.0.0", schema_uris=URI)]

    Extension.validators = list(validators)
    return {URI: content}, Extension()


def test_schemas_that_change_are_read_again():
    mapping, extension = schema_and_extension(f"id: {URI}\nproperties: {{focus: {{type: integer}}}}\n".encode())
    with warnings.catch_warnings(), asdf.config_context() as config, asdfast.accelerate():
        warnings.simplefilter("ignore", asdf.exceptions.AsdfConversionWarning)
        config.add_resource_mapping(mapping)
        config.add_extension(extension)
        opened(LENS)
        mapping[URI] = f"id: {URI}\nproperties: {{focus: {{type: string}}}}\n".encode()
        with pytest.raises(ValidationError, match="5 is not of type 'string'"):
            opened(LENS)


@pytest.mark.filterwarnings("ignore::asdf.exceptions.AsdfConversionWarning")
def test_a_missing_schema_is_a_warning_of_asdf():
    _, extension = schema_and_extension(b"")
    with asdf.config_context() as config, asdfast.accelerate():
        config.add_extension(extension)
        with pytest.warns(AsdfWarning, match="Unable to locate schema file"):
            opened(LENS)


def test_validators_of_other_extensions_are_used():
    class Even(asdf.extension.Validator):
        schema_property = "even"
        tags = ["**"]

        def validate(self, value, node, schema):
            if value and node % 2:
                yield ValidationError("found an odd number")

    content = f"id: {URI}\nproperties: {{focus: {{even: true}}}}\n".encode()
    mapping, extension = schema_and_extension(content, [Even()])
    with asdf.config_context() as config, asdfast.accelerate():
        config.add_resource_mapping(mapping)
        config.add_extension(extension)
        with pytest.raises(ValidationError, match="found an odd number"):
            opened(LENS)


def test_custom_schemas_are_left_to_asdf(tmp_path):
    custom = tmp_path / "custom.yaml"
    custom.write_text("type: object\nrequired: [b]\n")
    path = tmp_path / "a.asdf"
    path.write_bytes(text("a: 1"))
    with asdf.config_context() as config, asdfast.accelerate():
        config.validate_on_read = True
        with pytest.raises(ValidationError, match="'b' is a required property"):
            asdf.open(path, custom_schema=custom)


def test_writing_is_validated_by_asdf(originals, tmp_path):
    with asdfast.accelerate():
        asdf.AsdfFile({"a": 1}).write_to(tmp_path / "a.asdf")
    assert originals
