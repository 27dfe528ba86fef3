"""Scalars with a tag."""

from __future__ import annotations


class TaggedString(str):
    """A string with a tag that is not one of YAML's own."""

    __slots__ = ("tag",)

    tag: str

    def __new__(cls, text: str, tag: str) -> TaggedString:
        self = super().__new__(cls, text)
        self.tag = tag
        return self

    def __reduce__(self) -> tuple[type[TaggedString], tuple[str, str]]:
        return type(self), (str(self), self.tag)

    def __repr__(self) -> str:
        return f"TaggedString({str(self)!r}, {self.tag!r})"
