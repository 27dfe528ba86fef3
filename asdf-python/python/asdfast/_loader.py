"""Loads YAML for the package ``asdf``, with its own loader for everything that is rare."""

from __future__ import annotations

import io
from collections import OrderedDict
from typing import TYPE_CHECKING, Any

from ._asdfast import load_yaml

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Loader", "same"]

# asdf peeks at this many bytes at once.
CHUNK = 1 << 18


class Loader:
    """Loads YAML into the classes of asdf, or into plain ones."""

    def __init__(self) -> None:
        import yaml
        from asdf.tagged import TaggedDict, TaggedList, TaggedString
        from asdf.yamlutil import AsdfLoader

        self.asdf_loader = AsdfLoader
        self._classes = (TaggedDict, TaggedList, TaggedString, OrderedDict)
        self._base = yaml.constructor.SafeConstructor
        self._resolver = yaml.resolver.Resolver
        self._safe_loader = yaml.SafeLoader
        self.plain_loaders = {yaml.SafeLoader, getattr(yaml, "CSafeLoader", yaml.SafeLoader)}
        # What PyYAML and asdf define themselves, to see what others add later.
        self._tags = len(self._base.yaml_constructors), len(AsdfLoader.yaml_constructors)
        self._resolvers = _count(self._resolver)

    def tagged(self, stream: Any, original: Callable[[Any], Any]) -> Any:
        """Load with the classes of asdf for nodes with a tag."""
        return self._load(stream, original, self.asdf_loader, self._classes)

    def plain(self, stream: Any, original: Callable[[Any], Any]) -> Any:
        """Load as ``yaml.safe_load``."""
        return self._load(stream, original, self._safe_loader, None)

    def _load(self, stream: Any, original: Callable[[Any], Any], loader: Any, classes: Any) -> Any:
        if not self._unchanged(loader):
            return original(stream)
        if isinstance(stream, (bytes, str)):
            loaded = load_yaml(stream, classes)
            return original(stream) if loaded is None else loaded[0]
        replay = _Replay(stream)
        loaded = None if replay.error else load_yaml(replay.content, classes)
        return original(replay) if loaded is None else loaded[0]

    def _unchanged(self, loader: Any) -> bool:
        """Return whether nobody added constructors or resolvers to the loader."""
        own = loader is self.asdf_loader
        return (
            (len(self._base.yaml_constructors), len(self.asdf_loader.yaml_constructors)) == self._tags
            and loader.yaml_implicit_resolvers is self._resolver.yaml_implicit_resolvers
            and _count(self._resolver) == self._resolvers
            and (own or loader.yaml_constructors is self._base.yaml_constructors)
            and not loader.yaml_multi_constructors
            and not loader.yaml_path_resolvers
        )


def _count(resolver: Any) -> int:
    return sum(map(len, resolver.yaml_implicit_resolvers.values()))


class _Replay(io.RawIOBase):
    """The content of a stream, for a second reader.

    The second reader gets the same bytes and then the same exception as the first.
    """

    def __init__(self, stream: Any) -> None:
        super().__init__()
        self.error: Exception | None = None
        chunks = []
        try:
            while chunk := stream.read(CHUNK):
                chunks.append(chunk)
        except Exception as error:
            self.error = error
        text = bool(chunks) and isinstance(chunks[0], str)
        empty: Any = "" if text else b""
        self.content: Any = empty.join(chunks)
        self._rest: Any = io.StringIO(self.content) if text else io.BytesIO(self.content)
        # PyYAML names the stream in its errors.
        if (name := getattr(stream, "name", None)) is not None:
            self.name = name

    def read(self, size: int = -1) -> Any:
        part = self._rest.read(size)
        if not part and self.error is not None:
            raise self.error
        return part


def same(one: Any, other: Any) -> bool:
    """Return whether two trees have equal values of the same types, and share the same nodes."""
    pairs: dict[int, Any] = {}
    pending = [(one, other)]
    while pending:
        one, other = pending.pop()
        if type(one) is not type(other) or getattr(one, "_tag", None) != getattr(other, "_tag", None):
            return False
        if isinstance(one, (dict, list)):
            if id(one) in pairs:
                if pairs[id(one)] is not other:
                    return False
                continue
            pairs[id(one)] = other
            if len(one) != len(other):
                return False
            if isinstance(one, dict):
                pending.extend(zip(one.keys(), other.keys(), strict=True))
                pending.extend(zip(one.values(), other.values(), strict=True))
            else:
                pending.extend(zip(one, other, strict=True))
        elif repr(one) != repr(other) or str(one) != str(other):
            return False
    return True
