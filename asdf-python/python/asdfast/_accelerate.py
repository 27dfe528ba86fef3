"""Makes the package ``asdf`` load YAML with the parser of asdfast."""

from __future__ import annotations

import importlib.metadata
import io
import re
import threading
import types
from typing import TYPE_CHECKING, Any

from ._compressors import CompressorLookup
from ._loader import Loader, same
from ._verdict import FastValidation

if TYPE_CHECKING:
    from types import TracebackType

__all__ = ["Acceleration", "accelerate"]

# The releases of asdf whose functions are replaced. Each release must pass asdf's own tests first.
VERSIONS = re.compile(r"6\.0\.\d+")

# What the check at activation loads with both loaders.
SAMPLE = b"""%YAML 1.1
%TAG ! tag:stsci.edu:asdf/
%TAG !x! asdf://example.com/tags/
--- !core/asdf-1.1.0
data: !core/ndarray-1.1.0 {source: 0, datatype: float64, byteorder: little, shape: [2, 0x10]}
name: !x!name-1.0.0 "M\\u0033\\x31"
words: [yes, Off, ~, null, '', 'yes', 0777, 1:30, 1_000, 1e3, 1.0e+3, -.inf, 12345678901234567890123]
times: [2026-11-23, 2026-11-23T10:11:12.5Z, 2026-11-23 10:11:12 -5]
1: &one [a, &two {b: c, d: *one}]
true: *two
order: !!omap [z: 1, y: 2]
text: |
  two
  lines
folded: >-
  one
  line
...
"""

_lock = threading.RLock()
_active: _Replacements | None = None
_users = 0


def accelerate() -> Acceleration:
    """Make the package ``asdf`` load YAML and compress blocks with asdfast.

    Replaces functions inside ``asdf`` 6.0 and ``yaml.safe_load``:

    - Trees, schemas, manifests and the index of blocks are loaded by the parser of asdfast. The objects and
      exceptions stay those of ``asdf``. The original loader gets each text that the fast one does not accept. The
      fast one accepts a few forms of YAML 1.2 that PyYAML refuses, such as ``{"a":b}``.
    - A file that is read with ``validate_on_read`` is validated by asdfast. The validator of ``asdf`` validates all
      that is not certainly valid, and raises its own exceptions.
    - Blocks are compressed and decompressed on all cores, also those labelled ``zstd``, ``blsc``, ``lz4f``, ``xz``
      and ``bls2``. Options that only the original compressor has are passed to it.

    The effect is global for the process, until the result is stopped or left as a context. Call it before the first
    file is opened: then the extensions load faster too.

    Returns
    -------
    Acceleration
        A context manager with the method ``stop``.

    Raises
    ------
    RuntimeError
        If the installed version of ``asdf`` is not known to this version of asdfast, or if both loaders give
        different trees for a sample.

    Examples
    --------
    >>> import io, asdf, asdfast
    >>> buffer = io.BytesIO()
    >>> asdf.AsdfFile({"gain": 2.5}).write_to(buffer)
    >>> with asdfast.accelerate(), asdf.open(io.BytesIO(buffer.getvalue())) as file:
    ...     print(file["gain"])
    2.5
    """
    global _active, _users
    with _lock:
        if _active is None:
            replacements = _Replacements()
            replacements.check()
            replacements.install()
            _active = replacements
        _users += 1
        return Acceleration()


class Acceleration:
    """The effect of ``accelerate``, until it is stopped.

    Several can be active at once. The functions of ``asdf`` are restored when the last one stops.

    Examples
    --------
    >>> import asdfast
    >>> acceleration = asdfast.accelerate()
    >>> acceleration.active
    True
    >>> acceleration.stop()
    >>> acceleration.active
    False
    """

    def __init__(self) -> None:
        self._active = True

    @property
    def active(self) -> bool:
        """Whether this acceleration was not stopped yet."""
        return self._active

    def stop(self) -> None:
        """Stop the acceleration. Further calls do nothing."""
        global _active, _users
        with _lock:
            if not self._active:
                return
            self._active = False
            _users -= 1
            if _users == 0 and _active is not None:
                _active.remove()
                _active = None

    def __enter__(self) -> Acceleration:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def __repr__(self) -> str:
        return f"<asdfast.Acceleration, {'active' if self._active else 'stopped'}>"


class _Replacements:
    """The replaced attributes of the modules of asdf and of PyYAML."""

    def __init__(self) -> None:
        version = importlib.metadata.version("asdf")
        if not VERSIONS.fullmatch(version):
            raise RuntimeError(
                f"found asdf {version}, expected 6.0.x\n"
                "install asdf 6.0 or a newer asdfast, or do not call asdfast.accelerate()"
            )
        import asdf
        import asdf._block.io
        import asdf._compression
        import asdf.schema
        import asdf.util
        import asdf.yamlutil
        import yaml

        self.active = False
        self.load_tree = asdf.yamlutil.load_tree
        self.safe_load = yaml.safe_load
        self.loader = Loader()
        shim = _YamlModule(yaml, self)
        validation = FastValidation(asdf.schema, self.loader, lambda: self.active)
        lookup = CompressorLookup(asdf._compression, lambda: self.active)
        # asdf calls these functions through the attributes of the modules.
        self.changes: list[tuple[Any, str, Any, Any]] = [
            (asdf.yamlutil, "load_tree", asdf.yamlutil.load_tree, self._load_tree),
            (asdf.schema, "yaml", asdf.schema.yaml, shim),
            (asdf.schema, "validate", asdf.schema.validate, validation.validate),
            (asdf.util, "yaml", asdf.util.yaml, shim),
            # The index of blocks.
            (asdf._block.io, "yaml", asdf._block.io.yaml, shim),
            (asdf._compression, "_get_compressor", asdf._compression._get_compressor, lookup.compressor),
            (
                asdf._compression,
                "_get_all_compression_extension_labels",
                asdf._compression._get_all_compression_extension_labels,
                lookup.labels,
            ),
            # Manifests of asdf and of packages such as roman_datamodels.
            (yaml, "safe_load", yaml.safe_load, self._safe_load),
        ]

    def _load_tree(self, stream: Any) -> Any:
        return self.loader.tagged(stream, self.load_tree) if self.active else self.load_tree(stream)

    def _safe_load(self, stream: Any) -> Any:
        return self.loader.plain(stream, self.safe_load) if self.active else self.safe_load(stream)

    def check(self) -> None:
        """Compare both loaders on a sample."""
        fast = self.loader.tagged(io.BytesIO(SAMPLE), _refuse)
        if not same(self.load_tree(io.BytesIO(SAMPLE)), fast):
            raise RuntimeError(
                "asdfast and the installed asdf load the same YAML differently\n"
                "report this with the output of `pip freeze`, and do not call asdfast.accelerate() until then"
            )

    def install(self) -> None:
        self.active = True
        for owner, name, _, ours in self.changes:
            setattr(owner, name, ours)

    def remove(self) -> None:
        # If someone replaced ours, it stays and passes the calls on.
        self.active = False
        for owner, name, original, ours in self.changes:
            if getattr(owner, name) == ours:
                setattr(owner, name, original)


def _refuse(stream: Any) -> Any:
    raise RuntimeError(
        "asdfast cannot load its own sample\n"
        "report this with the output of `pip freeze`, and do not call asdfast.accelerate() until then"
    )


class _YamlModule(types.ModuleType):
    """The module ``yaml`` for modules of asdf, with another ``load``."""

    def __init__(self, yaml: types.ModuleType, replacements: _Replacements) -> None:
        super().__init__(yaml.__name__, yaml.__doc__)
        self._yaml = yaml
        self._replacements = replacements

    def __getattr__(self, name: str) -> Any:
        return getattr(self._yaml, name)

    def load(self, stream: Any, Loader: Any) -> Any:  # noqa: N803 (the name of PyYAML)
        def original(stream: Any) -> Any:
            return self._yaml.load(stream, Loader=Loader)

        fast = self._replacements.loader
        if self._replacements.active and Loader is fast.asdf_loader:
            return fast.tagged(stream, original)
        if self._replacements.active and Loader in fast.plain_loaders:
            return fast.plain(stream, original)
        return original(stream)
