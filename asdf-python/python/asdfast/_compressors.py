"""Compressors for the package ``asdf`` that use all cores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._asdfast import decode_block, encode_block

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from asdf.extension import Extension

__all__ = ["FastCompressor", "compressors"]

# The labels and the names of the options that mean a level and a size of chunks.
OPTIONS: dict[bytes, dict[str, str]] = {
    b"lz4": {"compression_block_size": "chunk"},
    b"zlib": {"level": "level"},
    b"bzp2": {"compresslevel": "level"},
    b"zstd": {"level": "level"},
    b"blsc": {"clevel": "level"},
    b"lz4f": {},
    b"xz": {"preset": "level"},
    b"bls2": {},
}


def compressors(labels: Iterable[str] | None = None) -> Extension:
    """Return an extension of asdf with compressors that use all cores and release the GIL.

    Add it with ``asdf.get_config().add_extension(asdfast.compressors())``. ``asdfast.accelerate`` has the same
    compressors and needs no extension.

    Parameters
    ----------
    labels : iterable of str, optional
        The labels of the compressors: ``lz4``, ``zlib``, ``bzp2``, ``zstd``, ``blsc``, ``lz4f``, ``xz``, ``bls2``.
        The default is all that neither asdf nor an installed extension has. For another one, such as ``lz4``, asdf
        warns ``Found more than one compressor`` for each block that it reads.

    Returns
    -------
    asdf.extension.Extension

    Examples
    --------
    >>> import asdf, asdfast, numpy as np
    >>> with asdf.config_context() as config:
    ...     config.add_extension(asdfast.compressors(["xz"]))
    ...     asdf.AsdfFile({"data": np.arange(1000)}).write_to("small.asdf", all_array_compression="xz")
    """
    from asdf import _compression
    from asdf.extension import Extension

    known = [label.decode() for label in OPTIONS]
    if labels is None:
        others = {"lz4", "zlib", "bzp2", *_compression._get_all_compression_extension_labels()}
        labels = [label for label in known if label not in others]
    wanted = list(labels)
    if unknown := sorted(set(wanted) - set(known)):
        raise ValueError(f"found the label '{unknown[0]}', expected one of {', '.join(known)}")

    made = [FastCompressor(label.encode(), None) for label in wanted]

    class Compressors(Extension):
        extension_uri = "asdf://asdfast/extensions/compressors-1.0.0"
        compressors = made

    return Compressors()


class FastCompressor:
    """A compressor as asdf uses it.

    Parameters
    ----------
    label : bytes
        The label in the headers of blocks.
    original : callable or None
        Makes the compressor for options that this one does not have, and for errors.
    """

    def __init__(self, label: bytes, original: Callable[[], Any] | None) -> None:
        self.label = label
        self._original = original

    def compress(self, data: memoryview, **options: Any) -> Iterator[bytes]:
        """Yield the stored bytes of a block."""
        import numpy as np

        own = self._own(options)
        if own is None:
            if self._original is None:
                names = ", ".join(OPTIONS[self.label]) or "none"
                raise ValueError(f"found the options {options}, expected {names} for {self.label.decode()}")
            yield from self._original().compress(data, **options)
            return
        if "chunk" in own:
            # As in asdf, chunks have whole elements.
            own["chunk"] = own["chunk"] // data.itemsize * data.itemsize
        try:
            yield encode_block(self.label, np.frombuffer(data, np.uint8), data.itemsize, **own)
        except Exception:
            if self._original is None:
                raise
            # The exception of asdf, for example for a level that does not exist.
            yield from self._original().compress(data, **options)

    def decompress(self, data: Iterable[bytes], out: memoryview, **options: Any) -> int:
        """Decode the stored bytes of a block into ``out``."""
        import numpy as np

        parts = [part if isinstance(part, bytes) else bytes(part) for part in data]
        if options and self._original is not None:
            return int(self._original().decompress(iter(parts), out, **options))
        try:
            return decode_block(self.label, parts, np.frombuffer(out, np.uint8))
        except Exception:
            if self._original is None:
                raise
            try:
                original = self._original()
            except ImportError:
                original = None
            if original is None:
                raise
            # The exception of asdf for the same bytes.
            return int(original.decompress(iter(parts), out, **options))

    def _own(self, options: dict[str, Any]) -> dict[str, int] | None:
        """Return the options of the codec, or None if it does not have one of them."""
        names = OPTIONS[self.label]
        own = {}
        for name, value in options.items():
            if name not in names or type(value) is not int or value < 1:
                return None
            own[names[name]] = value
        return own


class CompressorLookup:
    """Replacements of two functions of ``asdf._compression``, which find compressors and their labels.

    They need no extension of asdf, so asdf has no reason to warn of two compressors for a label.
    """

    BUILT_IN = (b"lz4", b"zlib", b"bzp2")

    def __init__(self, module: Any, is_active: Callable[[], bool]) -> None:
        self._module = module
        self._is_active = is_active
        self._get_compressor = module._get_compressor
        self._labels = module._get_all_compression_extension_labels

    def compressor(self, label: str) -> Any:
        """Return the compressor of a label."""
        encoded = label.encode()
        if not self._is_active() or encoded not in OPTIONS:
            return self._get_compressor(label)
        found = self._module._get_compressor_from_extensions(label)
        # Of other packages, only the one with the same codecs is replaced.
        if found is not None and not type(found).__module__.startswith("asdf_compression."):
            return found
        if found is None and encoded not in self.BUILT_IN:
            return FastCompressor(encoded, None)
        return FastCompressor(encoded, lambda: self._get_compressor(label))

    def labels(self) -> list[str]:
        """Return the labels of the compressors that asdf does not have itself."""
        labels = list(self._labels())
        if self._is_active():
            own = (label.decode() for label in OPTIONS if label not in self.BUILT_IN)
            labels += [label for label in own if label not in labels]
        return labels
