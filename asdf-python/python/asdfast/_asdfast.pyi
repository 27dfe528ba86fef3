from collections.abc import Callable, Iterable, Mapping as AbstractMapping, Sequence as AbstractSequence
from os import PathLike
from typing import TypeAlias, TypedDict, Unpack

from ._report import Report

_Path: TypeAlias = str | PathLike[str]
_Schemas: TypeAlias = _Path | AbstractMapping[str, str | bytes]

class _Limits(TypedDict, total=False):
    tree_size: int
    tree_depth: int
    tree_nodes: int
    tree_tag_bytes: int | None
    decoded_size: int
    decoded_total: int | None
    repeated_elements: int
    blocks: int
    stream_size: int

class _ValidateOptions(TypedDict, total=False):
    schemas: _Schemas | AbstractSequence[_Schemas]
    package: str | AbstractSequence[str] | None
    schema: _Path | None
    blocks: bool
    strict: bool
    max_errors: int | None
    timeout: float | None
    replace_built_in: bool
    limits: _Limits | None

def validate(source: _Path | File, **options: Unpack[_ValidateOptions]) -> Report: ...

class Validator:
    def __new__(cls, **options: Unpack[_ValidateOptions]) -> Validator: ...
    def validate(self, source: _Path | File, /) -> Report: ...
    def validate_many(
        self,
        paths: Iterable[_Path],
        *,
        threads: int | None = None,
        progress: Callable[[int, int], object] | None = None,
    ) -> list[Report]: ...
