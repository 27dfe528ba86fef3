"""Compresses and decompresses blocks for the package asdf."""

import io
import warnings

import asdf
import asdf._compression
import asdfast
import numpy as np
import pytest
from asdfast._compressors import FastCompressor

LABELS = ["lz4", "zlib", "bzp2", "zstd", "blsc", "lz4f", "xz", "bls2"]
DATA = np.arange(300_000, dtype=">i4").reshape(300, 1000) // 7


def written(label, **options):
    buffer = io.BytesIO()
    asdf.AsdfFile({"data": DATA}).write_to(buffer, all_array_compression=label, **options)
    return buffer.getvalue()


def read(content):
    with asdf.open(io.BytesIO(content)) as file:
        return np.array(file["data"]), file.get_array_compression(file["data"])


@pytest.mark.parametrize("label", LABELS)
def test_blocks_are_the_same_after_both_ways(label):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with asdfast.accelerate():
            content = written(label)
            data, compression = read(content)
    assert compression == label
    assert len(content) < DATA.nbytes
    np.testing.assert_array_equal(data, DATA)


@pytest.mark.parametrize("label", ["lz4", "zlib", "bzp2"])
def test_asdf_and_asdfast_read_each_other(label):
    theirs = written(label)
    with asdfast.accelerate():
        ours = written(label)
        np.testing.assert_array_equal(read(theirs)[0], DATA)
    np.testing.assert_array_equal(read(ours)[0], DATA)


def test_options_are_kept():
    with asdfast.accelerate():
        small = written("lz4", compression_kwargs={"compression_block_size": 1003})
        own = written("zlib", compression_kwargs={"level": 1})
        theirs = written("lz4", compression_kwargs={"mode": "high_compression"})
        zero = written("zlib", compression_kwargs={"level": 0})
        for content in (small, own, theirs, zero):
            np.testing.assert_array_equal(read(content)[0], DATA)
        assert len(zero) > DATA.nbytes > len(own)
        assert len(small) > len(written("lz4"))
        with pytest.raises(ValueError, match="expected preset for xz"):
            written("xz", compression_kwargs={"mode": 5})
    for content in (small, own, theirs, zero):
        np.testing.assert_array_equal(read(content)[0], DATA)


@pytest.mark.parametrize("label", ["lz4", "zlib", "bzp2"])
def test_damaged_blocks_raise_the_exceptions_of_asdf(label):
    content = bytearray(written(label))
    content[-300:] = bytes(300)
    with pytest.raises(Exception) as theirs:
        read(bytes(content))
    with asdfast.accelerate(), pytest.raises(type(theirs.value)) as ours:
        read(bytes(content))
    assert str(ours.value) == str(theirs.value)


def test_damaged_blocks_of_other_labels_raise_errors_of_asdfast():
    with asdfast.accelerate():
        content = bytearray(written("xz"))
        content[-300:] = bytes(300)
        with pytest.raises(asdfast.MalformedError):
            read(bytes(content))
        with pytest.raises(ValueError, match="Supported compression types are"):
            written("none")


def test_nothing_is_left_behind():
    before = asdf._compression._get_compressor, asdf._compression._get_all_compression_extension_labels
    extensions = asdf.get_config().extensions
    with asdfast.accelerate():
        assert isinstance(asdf._compression._get_compressor("lz4"), FastCompressor)
        assert asdf.get_config().extensions == extensions
    assert before == (asdf._compression._get_compressor, asdf._compression._get_all_compression_extension_labels)


def test_compressors_of_other_extensions_stay():
    class Mine:
        label = b"lz4"

        def compress(self, data, **options):
            yield bytes(data)

        def decompress(self, data, out, **options):
            raise NotImplementedError

    class Extension(asdf.extension.Extension):
        extension_uri = "asdf://example.com/extensions/mine-1.0.0"
        compressors = [Mine()]

    with asdf.config_context() as config, asdfast.accelerate():
        config.add_extension(Extension())
        assert isinstance(asdf._compression._get_compressor("lz4"), Mine)


def test_the_extension_has_what_is_missing():
    with warnings.catch_warnings(), asdf.config_context() as config:
        warnings.simplefilter("error")
        extension = asdfast.compressors()
        labels = [compressor.label for compressor in extension.compressors]
        assert b"xz" in labels and b"lz4" not in labels
        config.add_extension(extension)
        np.testing.assert_array_equal(read(written("xz"))[0], DATA)
        assert not asdfast.compressors().compressors
    with asdf.config_context() as config:
        config.add_extension(asdfast.compressors(["lz4"]))
        with pytest.warns(asdf.exceptions.AsdfWarning, match="Found more than one compressor"):
            np.testing.assert_array_equal(read(written("lz4"))[0], DATA)
    with pytest.raises(ValueError, match="found the label 'rar', expected one of lz4, zlib"):
        asdfast.compressors(["rar"])
