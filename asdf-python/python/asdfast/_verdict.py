"""Validates trees for the package ``asdf``, with its own validator for all that may be invalid."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import TYPE_CHECKING, Any

from ._asdfast import TreeValidator, convert_tagged

if TYPE_CHECKING:
    from collections.abc import Callable

    from ._loader import Loader

__all__ = ["FastValidation"]

# For asdf no value has this tag.
NULL = b"tag:yaml.org,2002:null"


class FastValidation:
    """Replaces ``asdf.schema.validate`` for files that are read.

    It only says that a tree is valid. The original function gets every other tree, and those with schemas or validators
    that this one does not know. Before a file is written the original also sets styles, so it validates then.
    """

    def __init__(self, schema: Any, loader: Loader, is_active: Callable[[], bool]) -> None:
        from asdf.tagged import TaggedDict, TaggedList, TaggedString

        self._original = schema.validate
        self._loader = loader
        self._is_active = is_active
        self._classes = (TaggedDict, TaggedList, TaggedString, OrderedDict)
        self._lock = threading.Lock()
        self._known: _Schemas | None = None

    def validate(
        self,
        instance: Any,
        ctx: Any = None,
        schema: Any = None,
        validators: Any = None,
        reading: bool = False,
        *args: Any,
        **options: Any,
    ) -> Any:
        """Validate a tree as ``asdf.schema.validate``."""
        plain = reading and ctx is not None and schema is None and validators is None and not args and not options
        if self._is_active() and plain and not ctx._custom_schema and self._is_valid(instance, ctx):
            return None
        return self._original(instance, ctx, schema, validators, reading, *args, **options)

    def _is_valid(self, instance: Any, ctx: Any) -> bool:
        from asdf.config import get_config

        manager, resources = ctx.extension_manager, get_config().resource_manager
        if not _has_known_validators(manager):
            return False
        tree = convert_tagged(instance, self._classes)
        if tree is None:
            return False
        with self._lock:
            if self._known is None or not self._known.is_for(manager, resources):
                self._known = _Schemas(manager, resources, self._loader)
            validator = self._known.validator(tree.tags)
        return validator is not None and validator.is_valid(tree)


class _Schemas:
    """The schemas of the tags that were found in trees, with a validator of them."""

    def __init__(self, manager: Any, resources: Any, loader: Loader) -> None:
        self._manager = manager
        self._resources = resources
        self._loader = loader
        self._tags: dict[str, list[str]] = {}
        self._contents: dict[str, bytes] = {}
        self._usable = True
        self._validator: TreeValidator | None = None

    def is_for(self, manager: Any, resources: Any) -> bool:
        """Return whether the extensions and the contents of the schemas are the same as before."""
        if manager is not self._manager or resources is not self._resources:
            return False
        return all(_content(resources, uri) == content for uri, content in self._contents.items())

    def validator(self, tags: set[str]) -> TreeValidator | None:
        """Return the validator of all tags, or None if one has a schema that cannot be used."""
        new = tags - self._tags.keys()
        if new:
            for tag in new:
                self._add(tag)
            self._validator = None
        if not self._usable:
            return None
        if self._validator is None:
            try:
                self._validator = TreeValidator(
                    [(uri, content.decode()) for uri, content in self._contents.items()],
                    [(tag, uri) for tag, uris in self._tags.items() for uri in uris],
                )
            except Exception:
                # asdf reports what is wrong with the schema.
                self._usable = False
        return self._validator

    def _add(self, tag: str) -> None:
        self._tags[tag] = []
        if self._manager.handles_tag_definition(tag):
            self._tags[tag] = list(self._manager.get_tag_definition(tag).schema_uris)
        pending = list(self._tags[tag])
        while pending:
            uri = pending.pop()
            if uri in self._contents:
                continue
            content = _content(self._resources, uri)
            references = None if content is None else self._references(uri, content)
            if content is None or references is None:
                self._usable = False
                return
            self._contents[uri] = content
            pending.extend(references)

    def _references(self, uri: str, content: bytes) -> set[str] | None:
        """Return the URIs of the schemas that a schema refers to, or None if it cannot be used."""
        from asdf.util import _patched_urllib_parse

        schema = self._loader.plain(content, _refuse)
        if not isinstance(schema, dict) or schema.get("id", uri).removesuffix("#") != uri:
            return None
        if NULL in content:
            return None
        found = set()
        pending: list[Any] = [schema]
        while pending:
            node = pending.pop()
            if isinstance(node, dict):
                if node is not schema and isinstance(node.get("id"), str):
                    return None
                reference = node.get("$ref")
                if isinstance(reference, str):
                    found.add(_patched_urllib_parse.urljoin(uri, reference).partition("#")[0] or uri)
                pending.extend(node.values())
            elif isinstance(node, list):
                pending.extend(node)
        return found


def _refuse(stream: Any) -> Any:
    return None


def _content(resources: Any, uri: str) -> bytes | None:
    if uri not in resources:
        return None
    content = resources[uri]
    return content.encode() if isinstance(content, str) else bytes(content)


def _has_known_validators(manager: Any) -> bool:
    """Return whether all validators of extensions are those of asdf itself."""
    return all(
        type(validator).__module__ == "asdf._core._validators.ndarray"
        for validators in manager.validator_manager._validators.values()
        for validator in validators
    )
