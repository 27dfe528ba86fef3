"""The results of a validation."""

import dataclasses
import html
from collections.abc import Iterator

from .errors import ValidationError

# The violations that the message of an exception lists, and the rows of a table in a notebook.
LISTED = 10
ROWS = 100


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Violation:
    """A finding of a validation: a violation, a warning or a note.

    Attributes
    ----------
    path : str
        The JSON Pointer of the node. It is empty for the root, and for a finding outside of the tree.
    line, column : int or None
        The place in the file, both from 1. Columns are counted in characters.
    end_line, end_column : int or None
        The place just after the node.
    offset : int or None
        The offset in bytes, for a finding outside of the tree.
    code : str
        A stable code, such as ``"ASDF-S003"``.
    rule : str
        The name of the rule, such as ``"required"``.
    severity : str
        ``"error"``, ``"warning"`` or ``"note"``.
    message : str
        What is wrong, without the place and the hint.
    found, expected : str or None
        X and Y, if the message is "found X, expected Y".
    hint : str or None
        What to do.
    tag : str or None
        The tag of the node, or of the nearest node above that has one.
    schema : str or None
        The id of the schema with the rule.
    schema_path : str or None
        The place of the rule in the schema, as a JSON Pointer.
    schema_line : int or None
        The line of that place.
    text : str
        What ``asdf validate`` prints after the name of the file: the message, the marked line, the rule and the hint.
    """

    path: str
    line: int | None
    column: int | None
    end_line: int | None
    end_column: int | None
    offset: int | None
    code: str
    rule: str
    severity: str
    message: str
    found: str | None
    expected: str | None
    hint: str | None
    tag: str | None
    schema: str | None
    schema_path: str | None
    schema_line: int | None
    text: str = dataclasses.field(repr=False, compare=False)

    def __str__(self) -> str:
        """Returns ``LINE:COLUMN: /path: message``."""
        return self.text.partition("\n")[0].lstrip(":").lstrip()


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True, weakref_slot=True)
class Report:
    """The result of a validation.

    It is true if the file is valid, and its length is the number of violations.

    Attributes
    ----------
    file : str or None
        The path or URL of the file. Of a file object, its name; and None for bytes.
    violations, warnings, notes : list of Violation
        The findings, in the order of the file. A note names a tag without a schema.
    validated, unchecked : int
        The numbers of tagged nodes that were validated, and of those without a schema.
    unknown_tags : list of str
        The tags without a schema.
    is_complete : bool
        Whether everything was checked: false if the limit of time or findings stopped the validation.
    has_tree : bool
        Whether the file has a tree.
    error : Exception or None
        Why the file could not be opened, in a report of `Validator.validate_many`.
    """

    file: str | None
    violations: list[Violation]
    warnings: list[Violation]
    notes: list[Violation]
    validated: int
    unchecked: int
    unknown_tags: list[str]
    is_complete: bool
    has_tree: bool
    error: Exception | None = dataclasses.field(compare=False)

    @property
    def is_valid(self) -> bool:
        """Whether there are no violations."""
        return not self.violations

    def __bool__(self) -> bool:
        return self.is_valid

    def __len__(self) -> int:
        return len(self.violations)

    def __iter__(self) -> Iterator[Violation]:
        return iter(self.violations)

    def raise_if_invalid(self) -> None:
        """Raises an exception if there are violations.

        Raises
        ------
        ValidationError
            With the number and the list of violations, the place of the first one, and this report as `report`.
        """
        if self.is_valid:
            return
        lines = [f"{self._name}: {_counted(len(self), 'violation')}"]
        for violation in self.violations[:LISTED]:
            lines.append(f"  {violation}")
            if violation.hint:
                lines.append(f"    hint: {violation.hint}")
        if len(self) > LISTED:
            lines.append(f"  and {len(self) - LISTED} more")
        exception = ValidationError("\n".join(lines))
        first = self.violations[0]
        exception.report = self
        exception.file = self.file
        exception.path = first.path
        exception.line = first.line
        exception.column = first.column
        exception.offset = first.offset
        exception.code = first.code
        raise exception from self.error

    def __str__(self) -> str:
        """Returns the text that ``asdf validate`` prints."""
        findings = [*self.violations, *self.warnings, *self.notes]
        lines = [self._name + finding.text for finding in findings]
        lines.append(f"{self._name}: {self._verdict}")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<asdfast.Report of {self._name}: {self._verdict}>"

    def _repr_html_(self) -> str:
        findings = [*self.violations, *self.warnings, *self.notes]
        rows = "".join(_row(finding) for finding in findings[:ROWS])
        if len(findings) > ROWS:
            rows += f"<tr><td colspan='4'>and {len(findings) - ROWS} more</td></tr>"
        table = ""
        if rows:
            table = f"<table><tr><th>Line</th><th>Path</th><th>Code</th><th>Message</th></tr>{rows}</table>"
        return f"<div><p><code>{html.escape(self._name)}</code>: {html.escape(self._verdict)}</p>{table}</div>"

    @property
    def _name(self) -> str:
        return "<file>" if self.file is None else self.file

    @property
    def _verdict(self) -> str:
        more = "" if self.is_complete else ", the rest was not checked"
        if not self.is_valid:
            return _counted(len(self), "violation") + more
        if not self.has_tree:
            return "valid, no tree" + more
        nodes = _counted(self.validated + self.unchecked, "tagged node")
        if self.unchecked:
            nodes = f"{self.validated} of {nodes}"
        missing = ""
        if len(self.unknown_tags) == 1:
            missing = f"; no schema for {self.unknown_tags[0]}"
        elif self.unknown_tags:
            others = _counted(len(self.unknown_tags) - 1, "more tag")
            missing = f"; no schemas for {self.unknown_tags[0]} and {others}"
        return f"valid, {nodes} checked{more}{missing}"


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _row(finding: Violation) -> str:
    place = f"{finding.line}:{finding.column}" if finding.line is not None else ""
    message = html.escape(finding.message)
    if finding.hint:
        message += f"<br><small>hint: {html.escape(finding.hint)}</small>"
    code = html.escape(finding.code)
    title = html.escape(f"{finding.rule} at {finding.schema}#{finding.schema_path}" if finding.schema else finding.rule)
    path = html.escape(finding.path or "/")
    return f"<tr><td>{place}</td><td><code>{path}</code></td><td title='{title}'>{code}</td><td>{message}</td></tr>"
