"""Hands files and nodes over to the package ``asdf``."""

from __future__ import annotations

import io
import warnings
import weakref
from collections import OrderedDict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _asdfast
from ._tagged import TaggedString

if TYPE_CHECKING:
    import asdf

__all__ = ["convert", "to_asdf"]


def to_asdf(file: Any, lazy_tree: bool | None, extensions: Any, ignore_unrecognized_tag: bool) -> asdf.AsdfFile:
    """Return an ``asdf.AsdfFile`` of a file. The steps are those of ``asdf.open``."""
    from asdf import config, lazy_nodes, schema, versioning, yamlutil
    from asdf.tags.core import AsdfObject

    settings = config.get_config()
    instance = _empty(file, extensions, ignore_unrecognized_tag)
    tree = _tagged(file) if file.tree is not None else yamlutil.custom_tree_to_tagged_tree(AsdfObject(), instance)
    if instance.version <= versioning.FILL_DEFAULTS_MAX_VERSION and settings.legacy_fill_schema_defaults:
        schema.fill_defaults(tree, instance, reading=True)
    if settings.validate_on_read:
        instance._validate(tree, reading=True)
    if settings.lazy_tree if lazy_tree is None else lazy_tree:
        converted = AsdfObject()
        converted.data = lazy_nodes.AsdfDictNode(tree, weakref.ref(instance))
    else:
        converted = yamlutil.tagged_tree_to_custom_tree(tree, instance)
    instance._check_extensions(converted, strict=False)
    instance._tree = converted
    return instance


def convert(file: Any, node: Any, extensions: Any) -> Any:
    """Convert a node by the converters of asdf."""
    return _converted(node, lambda view: _empty(view, extensions, False))


def _converted(node: Any, empty: Any) -> Any:
    from asdf import tagged, yamlutil

    if isinstance(node, _asdfast.Array):
        return node[...]
    if isinstance(node, (_asdfast.Mapping, _asdfast.Sequence)):
        instance = empty(node)
        tree = _tagged(node)
    elif isinstance(node, TaggedString):
        instance = empty(None)
        tree = tagged.tag_object(node.tag, str(node))
    elif type(node) is dict:
        return {key: _converted(value, empty) for key, value in node.items()}
    elif type(node) in (list, tuple):
        return type(node)(_converted(value, empty) for value in node)
    else:
        return node
    return _with_arrays(yamlutil.tagged_tree_to_custom_tree(tree, instance))


def _with_arrays(tree: Any) -> Any:
    """Replace the lazy arrays of asdf by arrays of numpy."""
    from asdf import treeutil
    from asdf.tags.core.ndarray import NDArrayType

    return treeutil.walk_and_modify(
        tree, lambda node: node._make_array() if isinstance(node, NDArrayType) else node
    )


def _tagged(view: Any) -> Any:
    """Return a node in the classes of asdf for nodes with a tag."""
    from asdf import yamlutil
    from asdf.tagged import TaggedDict, TaggedList, TaggedString

    loaded = _asdfast.tagged_tree(view, (TaggedDict, TaggedList, TaggedString, OrderedDict))
    if loaded is not None:
        return loaded[0]
    return yamlutil.load_tree(io.BytesIO(_asdfast.node_text(view)))


def _empty(view: Any, extensions: Any, ignore_unrecognized_tag: bool) -> asdf.AsdfFile:
    """Return an ``asdf.AsdfFile`` with the header and the blocks of the file of a node."""
    import asdf
    from asdf import versioning
    from asdf._block.manager import Manager
    from asdf._block.reader import ReadBlock

    class Block(ReadBlock):  # type: ignore[misc]
        """A block that asdfast reads."""

        def __init__(self, number: int) -> None:
            super().__init__(None, view, False, True, False, data=lambda: _asdfast.read_block(view, number))
            self._number = number

        @property
        def header(self) -> Any:
            label, used_size, data_size = _asdfast.block_header(view, self._number)
            return {
                "flags": 0,
                "compression": label.rstrip(b"\0").decode("ascii") or None,
                "allocated_size": used_size,
                "used_size": used_size,
                "data_size": data_size,
                "checksum": bytes(16),
            }

    options = {"extensions": extensions, "ignore_unrecognized_tag": ignore_unrecognized_tag}
    if view is None:
        return asdf.AsdfFile(**options)
    file_format, standard, comments, source = _asdfast.file_header(view)
    if source is not None and "://" not in source:
        source = Path(source).absolute().as_uri()
    # References to other files are relative to this one.
    instance = asdf.AsdfFile(uri=source, **options)
    instance._blocks = Manager(uri=source, lazy_load=True)
    instance._blocks.blocks = [Block(number) for number in range(_asdfast.block_count(view))]
    instance._file_format_version = versioning.AsdfVersion(file_format)
    instance._comments = [f"ASDF_STANDARD {standard}".encode(), *(comment.strip().encode() for comment in comments)]
    with warnings.catch_warnings():
        # The standard of a file that is read can be old.
        warnings.simplefilter("ignore", asdf.exceptions.AsdfDeprecationWarning)
        instance.version = versioning.AsdfVersion(standard)
    return instance
