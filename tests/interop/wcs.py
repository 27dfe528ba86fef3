"""Compares `asdf wcs` with gwcs: real files, the examples of gwcs, and transforms of each kind with random parameters.

usage: wcs.py FOLDER_OF_PROGRAMS [PATTERN]

PATTERN is a regular expression; only cases whose name has it are compared. Results differ by at most 1e-12 radian on the
sky, 1e-9 pixel, or 1e-12 of other values, or by what a few roundings of the inputs change. NaN are the same. A known
difference needs a row in REASONS. Real files are those of the folder ASDF_WCS_FILES, or of `../shared/trials/gwcs`.
"""

import copy
import functools
import os
import pathlib
import re
import sys
import tempfile
import time
import warnings
from collections import Counter

import agreement
import asdf
import astropy.units as u
import gwcs
import numpy as np
import points
import transforms
from asdf.extension import Converter, Extension
from astropy.coordinates import ICRS
from astropy.modeling import models
from astropy.modeling.bounding_box import CompoundBoundingBox
from astropy.modeling.core import CompoundModel
from astropy.modeling.tabular import _Tabular
from gwcs import coordinate_frames as frames
from gwcs import examples
from gwcs.selector import RegionsSelector

ROOT = pathlib.Path(__file__).resolve().parents[2]
COUNT, FEWER, CLOSED = 20_000, 3_000, 2_000
SEED = 20

def near(limit):
    """Finds points that are apart by less than a multiple of what is allowed."""
    return lambda outcome: ~outcome.kinds & (outcome.errors <= limit)


def infinite(outcome):
    return np.any([np.isinf(column) for column in outcome.points], axis=0)


def not_finite(outcome):
    return ~np.all([np.isfinite(column) for column in outcome.points], axis=0)


def beyond_the_poles(outcome):
    return np.abs(outcome.points[1]) >= np.nextafter(90, 0)


def on_the_central_meridian(outcome):
    return (np.abs(outcome.points[0]) < 1e-150) & np.isnan(outcome.theirs[0]) & np.isfinite(outcome.ours[0])


def between_wings(outcome):
    off = np.remainder(outcome.points[0], 90)
    return np.minimum(off, 90 - off) < 1e-13


def at_infinity(outcome):
    return np.isinf(outcome.theirs[0]) & np.isnan(outcome.ours[0])


# Known differences: patterns of the name of a case and of what is compared, the points they concern, and why ours is right.
# A row that explains nothing is an error.
REASONS = [
    ("^(chain of affine|polynomial|Chebyshev|Legendre|Hermite|back and there)", "", infinite, "sums and products of infinities depend on the order of the steps, which we merge or reorder"),
    ("(pix2sky|sky2pix) CSC", "", near(1e6), "wcslib computes the COBE cube in single precision"),
    ("(pix2sky|sky2pix) (AIR|MOL)", "", near(1e3), "wcslib ends its iterations before double precision; ours satisfy the equation to 1e-15"),
    ("(pix2sky|sky2pix) PCO", "", on_the_central_meridian, "wcslib has no answer where x is 0, except at the equator and the poles"),
    ("(pix2sky|sky2pix) XPH", "", between_wings, "wcslib adds 180 degrees before it chooses a wing, which rounds to the next wing"),
    ("fitswcs_imaging AIT", "inverse", at_infinity, "wcslib divides by zero at the longitude 360, which has no image"),
    ("(pix2sky|sky2pix) QSC", "", not_finite, "wcslib takes NaN and infinity for a pole of the cube"),
    ("(pix2sky|sky2pix) (SIN|COO|MER)", "", beyond_the_poles, "wcslib takes latitudes beyond a pole for points near it"),
    ("sky2pix SZP", "forward", near(2), "our formula loses a digit near the horizon"),
    ("test_visp.asdf", "inverse", near(2), "a rotation rounds arcseconds near 0 like a radian, which is 1e-9 of these pixels"),
]


class UnknownFrames(Converter):
    """Reads reference frames of sunpy, whose names do not change the coordinates."""

    tags = ("tag:sunpy.org:sunpy/coordinates/frames/*",)
    types = ()

    def from_yaml_tree(self, node, tag, ctx):
        return ICRS()

    def select_tag(self, obj, tags, ctx):
        return tags[0]

    def to_yaml_tree(self, obj, tag, ctx):
        raise NotImplementedError


class Sunpy(Extension):
    extension_uri = "asdf://example.org/sunpy-frames-1.0.0"
    converters = (UnknownFrames(),)
    tags = [
        f"tag:sunpy.org:sunpy/coordinates/frames/{name}-1.{minor}.0"
        for name in ("helioprojective", "heliographic_stonyhurst") for minor in (0, 1)
    ]


@functools.cache
def opened(path):
    """Returns the wcs of a file by their paths."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with asdf.open(path, memmap=False, lazy_load=False) as file:
            found = dict(places(file.tree))
    for wcs in found.values():
        lenient(wcs)
    return found


def wcs_of(path, place):
    """Returns a wcs, or a copy if gwcs would change it: an identity is its own inverse, whose box gwcs removes."""
    wcs = opened(path)[place]
    return wcs if isinstance(wcs.pipeline[0].transform, CompoundModel) else copy.deepcopy(wcs)


def lenient(wcs):
    """Makes tables answer NaN where they would raise an error."""
    for step in wcs.pipeline:
        pending = [step.transform]
        while pending:
            model = pending.pop()
            if isinstance(model, _Tabular) and model.bounds_error:
                model.bounds_error, model.fill_value = False, np.nan
            if isinstance(model, RegionsSelector):
                pending += model.selector.values()
            pending += [part for part in (getattr(model, "left", None), getattr(model, "right", None), getattr(model, "_user_inverse", None)) if hasattr(part, "evaluate")]


def places(tree, path=""):
    """Yields the wcs in a tree with their paths."""
    if isinstance(tree, gwcs.WCS):
        yield path, tree
    elif hasattr(tree, "items"):
        for key, value in tree.items():
            yield from places(value, f"{path}/{key}")
    elif isinstance(tree, list):
        for i, value in enumerate(tree):
            yield from places(value, f"{path}/{i}")


def bare(result, count):
    """Returns a result of gwcs as columns of numbers."""
    result = result if isinstance(result, (tuple, list)) else (result,)
    values = [np.asarray(getattr(part, "value", part), dtype=float) for part in result]
    return [np.broadcast_to(value, (count,)).astype(float) for value in values]


class Side:
    """The forward or inverse transform of gwcs for columns of numbers."""

    def __init__(self, path, place, call):
        self.wcs, self.call = wcs_of(path, place), call

    def __call__(self, columns):
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            if isinstance(self.wcs.bounding_box, CompoundBoundingBox):
                return self.one_by_one(columns)
            return bare(self.call(self.wcs, [column.copy() for column in columns]), len(columns[0]))

    def one_by_one(self, columns):
        """Evaluates points with their own boxes. A point without a box is NaN."""
        rows = []
        for point in zip(*columns, strict=True):
            try:
                rows.append([float(value[0]) for value in bare(self.call(self.wcs, [np.array([value]) for value in point]), 1)])
            except RuntimeError:
                rows.append([np.nan] * self.wcs.world_n_dim)
        return [np.array(column) for column in zip(*rows, strict=True)]


def forward(path, place):
    return Side(path, place, lambda wcs, columns: wcs(*columns))


def unboxed(path, place):
    return Side(path, place, lambda wcs, columns: wcs(*columns, with_bounding_box=False))


def inverse(path, place, with_box=True):
    return Side(path, place, lambda wcs, columns: wcs.invert(*columns, with_bounding_box=with_box))


def has_inverse(wcs):
    try:
        return wcs.backward_transform is not None
    except NotImplementedError:
        return False


def sky_axes(frame):
    """Returns the columns of longitudes and latitudes, and their unit in radians."""
    parts = getattr(frame, "frames", None) or [frame]
    found = []
    for part in parts:
        if not isinstance(part, frames.CelestialFrame):
            continue
        lon, lat = part.axes_order[:2]
        units = dict(zip(frame.axes_order, frame._prop.unit, strict=True))
        if units[lon] == units[lat] and units[lon].is_equivalent(u.rad):
            found.append((lon, lat, units[lon].to(u.rad)))
    return found


def ranges_of(wcs, count):
    """Returns a range of pixels for each axis: the box, the shape, or small numbers."""
    box = wcs.bounding_box
    if box is not None and not isinstance(box, CompoundBoundingBox):
        intervals = [box[i] for i in range(count)]
        limits = [[float(getattr(end, "value", end)) for end in (interval.lower, interval.upper)] for interval in intervals]
        return [tuple(ends) if np.isfinite(ends).all() else (-10.0, 30.0) for ends in limits]
    if wcs.pixel_shape is not None:
        return [(-0.5, length - 0.5) for length in wcs.pixel_shape]
    return [(-10.0, 40.0 + 5 * i) for i in range(count)]


class Judge:
    def __init__(self, program, folder, pattern):
        self.program, self.folder, self.pattern = program, pathlib.Path(folder), re.compile(pattern)
        self.failures, self.used = [], set()
        self.compared, self.closed = 0, 0
        self.worst, self.rounded = {}, Counter()

    def chosen(self, name):
        return self.pattern.search(name)

    def ask(self, *words):
        return points.asked(self.program, *words)

    def known(self, name, outcome):
        """Takes the points of known differences out of an outcome."""
        for i, (which, what, concerned, _) in enumerate(REASONS):
            if re.search(which, name) and re.search(what, name):
                with np.errstate(invalid="ignore"):
                    excused = outcome.bad & concerned(outcome)
                if excused.any():
                    self.used.add(i)
                    outcome.bad &= ~excused

    def compare(self, name, group, side, columns, found, axes):
        """Compares what the program printed with what gwcs says."""
        if isinstance(found, str):
            self.failures.append(f"{name}: {found}")
            return None
        theirs = side(columns)
        if len(found) != len(theirs):
            self.failures.append(f"{name}: {len(found)} columns, gwcs {len(theirs)}")
            return None
        outcome = agreement.Outcome(axes, columns, found, theirs, side)
        self.known(name, outcome)
        self.failures += [f"{name}: {fault}" for fault in outcome.faults()]
        self.compared += len(columns[0])
        self.rounded[group] += int(outcome.rounded.sum())
        self.worst[group] = max(self.worst.get(group, 0), outcome.worst)
        return theirs

    def case(self, name, group, path, place, ranges=None, sky_in=(), sky_out=None, count=COUNT, nan=True, inverted=True, exact=True):
        """Compares a wcs in both directions."""
        rng = np.random.default_rng(SEED)
        wcs = wcs_of(path, place)
        ranges = ranges or ranges_of(wcs, wcs.forward_transform.n_inputs)
        sky_out = sky_axes(wcs.output_frame) if sky_out is None and wcs.output_frame else sky_out or []
        stated = place if len(opened(path)) > 1 else ""
        pixels = points.around(rng, ranges, count)
        if not nan:
            pixels = [np.nan_to_num(column, nan=low) for column, (low, _) in zip(pixels, ranges, strict=True)]
        # Pixels of the poles and of the meridians where longitudes wrap.
        analytic = inverted and has_inverse(wcs_of(path, place))
        side = forward(path, place)
        worlds = unboxed(path, place)(points.inside(rng, ranges, count))
        if analytic and sky_out:
            special = points.worlds(rng, worlds, sky_out, count // 20)
            back = inverse(path, place, False)(special)
            usable = np.all([np.isfinite(column) for column in back], axis=0)
            for column, made in zip(pixels, back, strict=True):
                column[: usable.sum()] = made[usable]
        axes = agreement.Axes(len(worlds), sky_out)
        found = self.ask(path, stated, pixels, self.folder)
        self.compare(f"{name}, forward", group, side, pixels, found, axes)
        if isinstance(found, str):
            return
        pixel_axes = agreement.Axes(len(ranges), sky_in, pixels=group != "kinds")
        if analytic:
            worlds = points.worlds(rng, worlds, sky_out, count)
            back = self.ask(path, stated, worlds, self.folder, "--world", "--inverse", "stored")
            self.compare(f"{name}, inverse", f"{group}, inverse", inverse(path, place), worlds, back, pixel_axes)
        if exact:
            self.close(name, path, place, stated, ranges, axes)

    def close(self, name, path, place, stated, ranges, axes):
        """Checks that the exact inverse finds the pixels again, if an inverse of gwcs does."""
        rng, count = np.random.default_rng(SEED + 1), CLOSED
        inner = [(low + 1e-6 * (high - low), high - 1e-6 * (high - low)) for low, high in ranges]
        pixels = points.inside(rng, inner, count)
        world = self.ask(path, stated, pixels, self.folder)
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            try:
                wcs = wcs_of(path, place)
                if len(world) == len(pixels) == 2 and isinstance(wcs.output_frame, frames.CelestialFrame) and wcs.bounding_box:
                    theirs = bare(wcs.numerical_inverse(*world, with_bounding_box=False), count)
                else:
                    theirs = bare(wcs.invert(*world, with_bounding_box=False), count)
            except (NotImplementedError, ValueError, TypeError, KeyError):
                return
        if len(world) != len(pixels):
            return
        found = self.ask(path, stated, world, self.folder, "--world", "--inverse", "exact")
        again = found if isinstance(found, str) else self.ask(path, stated, found, self.folder)
        if isinstance(again, str):
            self.failures.append(f"{name}, exact: {again}")
            return
        usable = np.max([np.abs(a - b) for a, b in zip(theirs, pixels, strict=True)], axis=0) < 0.01
        near = np.max([np.abs(a - b) for a, b in zip(found, pixels, strict=True)], axis=0) <= agreement.PIXEL
        bad = usable & ~near & ~agreement.equal_but_for_rounding(axes, again, world)
        self.closed += int(usable.sum())
        if bad.any():
            i = np.flatnonzero(bad)[0]
            shown = [[float(column[i]) for column in part] for part in (pixels, world, found)]
            self.failures.append(f"{name}, exact: {bad.sum()} of {count} points do not close; {shown}")

    def files(self, folder, group):
        """Compares the files of a folder that gwcs can read."""
        skipped = []
        for path in sorted(folder.glob("*.asdf")):
            if not self.chosen(path.name):
                continue
            found = list(opened(path))
            skipped += [] if found else [path.name]
            for place in found:
                self.case(f"{path.name} {place}", group, path, place)
        return skipped

    def examples(self):
        orders = [(0, 1, 2), (1, 2, 0), (2, 0, 1)]
        for name in sorted(dir(examples)):
            if not name.startswith("gwcs_") or not self.chosen(name):
                continue
            make = getattr(examples, name)
            separable = name.startswith("gwcs_cube_with_separable")
            for words in [(order,) for order in orders] if separable else [()]:
                path = self.folder / f"{name}.asdf"
                made = make(*words)
                write(path, made[0] if isinstance(made, tuple) else made)
                opened.cache_clear()
                self.case(" ".join([name, *map(str, words)]), "examples", path, "/wcs")

    def kinds(self):
        number = 0
        for case in transforms.cases(SEED):
            if not self.chosen(case.name):
                continue
            number += 1
            path = self.folder / f"kind{number}.asdf"
            model = case.model
            write(path, single(model, case.units_in, case.units_out))
            opened.cache_clear()
            sky_out = [(0, 1, case.units_out[0].to(u.rad))] if case.sky_out else []
            sky_in = [(0, 1, case.units_in[0].to(u.rad))] if case.sky_in else []
            # With several boxes, gwcs evaluates one point at a time.
            count = FEWER // 4 if isinstance(model._user_bounding_box, CompoundBoundingBox) else FEWER
            self.case(case.name, "kinds", path, "/wcs", case.ranges, sky_in, sky_out, count, case.nan, case.inverse, exact=False)
        return number

    def report(self, summary):
        unused = [] if self.pattern.pattern else [REASONS[i] for i in range(len(REASONS)) if i not in self.used]
        if "real files" not in self.worst:
            unused = [row for row in unused if not row[0].endswith(".asdf")]
        self.failures += [f"the known difference {row[0]!r} {row[1]!r} was not met: {row[3]}" for row in unused]
        for i in sorted(self.used):
            print(f"  known difference: {REASONS[i][3]}")
        for group, worst in self.worst.items():
            rounded = f", except {self.rounded[group]} points within the rounding of the inputs" if self.rounded[group] else ""
            print(f"  {group}: at most {worst:.2g} of the limits{rounded}")
        if self.failures:
            sys.exit("\n".join(self.failures))
        print(summary)


def terms(self, x, y):
    """Computes the terms of a Hermite polynomial of two inputs.

    astropy has wrong factors for the second input: it counts the terms of the first input too."""
    found = {}
    for start, variable, count in ((0, x, self.x_degree + 1), (self.x_degree + 1, y, self.y_degree + 1)):
        found[start], found[start + 1] = np.ones(variable.shape), 2 * variable
        for n in range(2, count):
            found[start + n] = 2 * variable * found[start + n - 1] - 2 * (n - 1) * found[start + n - 2]
        if count == 1:
            del found[start + 1]
    return found


def write(path, wcs):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        asdf.AsdfFile({"wcs": wcs}).write_to(path)


def single(model, units_in, units_out):
    """Makes a wcs of one step."""
    def frame(name, count, units):
        return frames.CoordinateFrame(count, ("SPATIAL",) * count, tuple(range(count)), unit=units, name=name)

    return gwcs.WCS([(frame("input", model.n_inputs, units_in), model), (frame("output", model.n_outputs, units_out), None)])


def main():
    program = pathlib.Path(sys.argv[1]).resolve() / "asdf"
    pattern = sys.argv[2] if len(sys.argv) > 2 else ""
    models.Hermite2D._fcache = terms
    asdf.get_config().add_extension(Sunpy())
    asdf.get_config().validate_on_read = False
    start = time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        judge = Judge(program, folder, pattern)
        given = os.environ.get("ASDF_WCS_FILES")
        real = pathlib.Path(given) if given else ROOT.parent / "shared/trials/gwcs"
        skipped = judge.files(pathlib.Path(gwcs.__file__).parent / "tests/data", "files of JWST")
        if real.is_dir():
            skipped += judge.files(real, "real files")
        else:
            print(f"wcs: no real files, because {real} does not exist; set ASDF_WCS_FILES")
        for name in skipped:
            print(f"  {name}: gwcs cannot read it")
        judge.examples()
        number = judge.kinds()
    judge.report(
        f"wcs: {judge.compared} points equal those of gwcs, {judge.closed} inverses close; {number} random transforms; "
        f"{time.process_time() - start:.0f} s of Python"
    )


if __name__ == "__main__":
    main()
