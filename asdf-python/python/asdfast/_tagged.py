"""Scalars with a tag."""


class TaggedString(str):
    """A string with a tag that is not one of YAML's own."""

    __slots__ = ("tag",)

    def __new__(cls, text, tag):
        self = super().__new__(cls, text)
        self.tag = tag
        return self

    def __reduce__(self):
        return type(self), (str(self), self.tag)

    def __repr__(self):
        return f"TaggedString({str(self)!r}, {self.tag!r})"
