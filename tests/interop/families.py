"""Counts the lines that people write by hand for a tag in Python, and compares with the guide. These are converters of
asdf and asdf-astropy, the types that they make if a package has its own, and schemas of rad, from which its classes are
made. Blank lines, comments and docstrings do not count.

usage: families.py [--print]
"""

import ast
import importlib
import importlib.resources
import inspect
import io
import pathlib
import re
import sys
import textwrap
import tokenize

GUIDE = pathlib.Path(__file__).parents[2] / "asdf-schemas" / "src" / "guide.md"
CORE, TYPES, ASTROPY = "asdf._core._converters", "asdf.tags.core", "asdf_astropy.converters"
FAMILIES = {
    "core/integer": [f"{CORE}.integer:IntegerConverter", f"{TYPES}.integer:IntegerType"],
    "core/externalarray": [
        f"{CORE}.external_reference:ExternalArrayReferenceConverter",
        f"{TYPES}.external_reference:ExternalArrayReference",
    ],
    "core/constant": [f"{CORE}.constant:ConstantConverter", f"{TYPES}.constant:Constant"],
    "core/software": [f"{CORE}.tree:SoftwareConverter", f"{TYPES}:Software"],
    "core/column": [f"{ASTROPY}.table.table:ColumnConverter"],
    "core/table": [f"{ASTROPY}.table.table:AsdfTableConverter"],
    "unit/unit": [f"{ASTROPY}.unit.unit:UnitConverter"],
    "unit/quantity": [f"{ASTROPY}.unit.quantity:QuantityConverter"],
    "time/time": [f"{ASTROPY}.time.time:TimeConverter"],
    "fits/fits": [f"{ASTROPY}.fits.fits:FitsConverter", f"{ASTROPY}.fits.fits:AsdfFitsConverter"],
    "astropy/earthlocation": [f"{ASTROPY}.coordinates.earth_location:EarthLocationConverter"],
    "astropy/longitude": [
        f"{ASTROPY}.coordinates.angle:LongitudeConverter",
        f"{ASTROPY}.unit.quantity:QuantityConverter",
    ],
    "astropy/angle": [
        f"{ASTROPY}.coordinates.angle:AngleConverter",
        f"{ASTROPY}.unit.quantity:QuantityConverter",
    ],
    "astropy/spectralcoord": [f"{ASTROPY}.coordinates.spectral_coord:SpectralCoordConverter"],
    "astropy/equivalency": [f"{ASTROPY}.unit.equivalency:EquivalencyConverter"],
    "astropy/uncertainty": [f"{ASTROPY}.nddata.uncertainty:UncertaintyConverter"],
    "astropy/slicedwcs": [f"{ASTROPY}.wcs.slicedwcs:SlicedWCSConverter"],
    "rad/l2_cal_step": ["l2_cal_step-1.2.0", "cal_step_flag-1.0.0"],
    "rad/coordinates": ["coordinates-1.0.0"],
    "rad/cal_logs": ["cal_logs-1.0.0"],
    "rad/statistics": ["statistics-1.0.0"],
}


def docstrings(tree):
    """Returns the line numbers of all docstrings."""
    lines = set()
    for node in ast.walk(tree):
        if isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.Module)) and ast.get_docstring(node) is not None:
            lines.update(range(node.body[0].lineno, node.body[0].end_lineno + 1))
    return lines


def code_lines(text):
    text = textwrap.dedent(text)
    idle = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
    lines = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in idle:
            lines.update(range(token.start[0], token.end[0] + 1))
    return len(lines - docstrings(ast.parse(text)))


def yaml_lines(name):
    text = (importlib.resources.files("rad") / "resources" / "schemas" / f"{name}.yaml").read_text()
    return sum(1 for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#"))


def count(source):
    if ":" not in source:
        return yaml_lines(source)
    module, name = source.split(":")
    return code_lines(inspect.getsource(getattr(importlib.import_module(module), name)))


def main():
    counted = {family: sum(map(count, sources)) for family, sources in FAMILIES.items()}
    if "--print" in sys.argv:
        for family, lines in counted.items():
            print(family, lines)
        return
    rows = re.findall(r"^\| `([^`]+)` \| (\d+) \| (\d+) ", GUIDE.read_text(), re.MULTILINE)
    said = {family: int(theirs) for family, _, theirs in rows}
    if said != counted:
        sys.exit(f"the guide has other numbers of lines: {sorted(said.items() ^ counted.items())}")
    more = [family for family, ours, theirs in rows if int(ours) >= int(theirs)]
    if more:
        sys.exit(f"not fewer lines than in Python: {more}")
    print(f"{len(rows)} tag families need fewer lines than in Python, as stated in the guide")


main()
