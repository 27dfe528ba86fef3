"""Compares columns of coordinates: separations on the sky, pixels and other values, within the rounding of the inputs."""

import math

import numpy as np

# The largest separation on the sky in radians, the largest distance in pixels, and the largest relative error.
SKY, PIXEL, RELATIVE = 1e-12, 1e-9, 1e-12
# The rounding of directions in radians.
ROUNDED = 1e-15
# Rounding of the inputs, in units in the last place, that may explain a larger error or another set of NaN.
VALUE_ULPS, DOMAIN_ULPS = 8, 64
# More disagreements than these are not examined further.
EXAMINED = 4000


def separation(lon, lat, other_lon, other_lat):
    """Returns angles between points on the sphere; all in radians."""
    apart = np.sin((lat - other_lat) / 2) ** 2
    turn = np.remainder(lon - other_lon + math.pi, 2 * math.pi) - math.pi
    return 2 * np.arcsin(np.minimum(1, np.sqrt(apart + np.cos(lat) * np.cos(other_lat) * np.sin(turn / 2) ** 2)))


class Axes:
    """How the columns of a result are compared.

    `sky` has tuples of the columns of longitude and latitude and the size of their unit in radians. The other columns are
    pixels or plain values."""

    def __init__(self, count, sky=(), pixels=False):
        self.count, self.sky, self.pixels = count, list(sky), pixels
        paired = {column for lon, lat, _ in self.sky for column in (lon, lat)}
        self.plain = [column for column in range(count) if column not in paired]

    def typical(self, theirs):
        """Returns the typical size of the values of each column."""
        finite = [np.abs(column[np.isfinite(column)]) for column in theirs]
        return [float(np.median(sizes)) if len(sizes) else 1.0 for sizes in finite]

    def errors(self, ours, theirs, typical):
        """Returns the error of each point as a multiple of what is allowed. Columns that are NaN in one of the two do not
        count."""
        worst = np.zeros(len(theirs[0]))
        for lon, lat, size in self.sky:
            apart = separation(ours[lon] * size, ours[lat] * size, theirs[lon] * size, theirs[lat] * size) / SKY
            worst = np.fmax(worst, apart)
        for column in self.plain:
            mine, other = ours[column], theirs[column]
            if self.pixels:
                # Rotations carry the rounding of a coordinate over to the others.
                allowed = PIXEL + RELATIVE * np.max([np.abs(theirs[i]) for i in self.plain], axis=0)
            else:
                allowed = RELATIVE * np.maximum(np.abs(other), typical[column])
            equal = mine == other
            worst = np.fmax(worst, np.where(equal, 0, np.abs(mine - other) / np.maximum(allowed, 1e-300)))
        return worst

    def wrapped(self, ours, theirs, errors):
        """Returns which longitudes are a turn apart, except those at a pole and on the
        meridian where the range ends."""
        off = np.zeros(len(theirs[0]), bool)
        for lon, lat, size in self.sky:
            mine, other = ours[lon] * size, theirs[lon] * size
            seam = np.minimum(np.abs(np.remainder(other, math.pi)), np.abs(math.pi - np.remainder(other, math.pi))) < 1e-9
            seam |= np.cos(theirs[lat] * size) < 1e-9
            off |= ~seam & (np.abs(mine - other) > math.pi) & (errors < 1)
        return off


def equal_but_for_rounding(axes, ours, theirs):
    """Returns which points are as close as the rounding of their coordinates allows."""
    near = np.ones(len(theirs[0]), bool)
    for lon, lat, size in axes.sky:
        near &= separation(ours[lon] * size, ours[lat] * size, theirs[lon] * size, theirs[lat] * size) <= ROUNDED
    for column in axes.plain:
        near &= np.abs(ours[column] - theirs[column]) <= 32 * np.spacing(np.abs(theirs[column]))
    return near


def same_kind(ours, theirs):
    """Returns which points have NaN and infinities at the same places."""
    same = np.ones(len(theirs[0]), bool)
    for mine, other in zip(ours, theirs, strict=True):
        same &= (np.isnan(mine) == np.isnan(other)) & ((mine == other) | ~(np.isinf(mine) | np.isinf(other)))
    return same


def moved(columns, ulps):
    """Yields the columns with each of them moved by a rounding, and all of them."""
    for sign in (-1, 1):
        steps = [column + sign * ulps * np.spacing(np.abs(column)) for column in columns]
        for i, step in enumerate(steps):
            yield [step if i == j else column for j, column in enumerate(columns)]
        if len(columns) > 1:
            yield steps


class Outcome:
    """What a comparison found: which points disagree, why, and the largest error of the others."""

    def __init__(self, axes, points, ours, theirs, evaluate):
        with np.errstate(all="ignore"):
            self.points, self.ours, self.theirs = points, ours, theirs
            self.typical = axes.typical(theirs)
            errors = axes.errors(ours, theirs, self.typical)
            self.kinds = ~same_kind(ours, theirs)
            errors[self.kinds & ~np.isfinite(errors)] = 0
            self.plain_errors = errors > 1
            self.turns = axes.wrapped(ours, theirs, errors)
            self.rounded = np.zeros(len(errors), bool)
            self.rounding(axes, evaluate, errors)
            self.bad = (self.kinds | self.plain_errors | self.turns) & ~self.rounded
            self.errors = errors
            self.worst = float(errors[~self.plain_errors].max(initial=0))

    def rounding(self, axes, evaluate, errors):
        """Marks the points whose disagreement is explained by the rounding of the inputs."""
        at = np.flatnonzero(self.kinds | self.plain_errors)
        if not len(at) or len(at) > EXAMINED:
            return
        points = [column[at] for column in self.points]
        theirs, ours = [c[at] for c in self.theirs], [c[at] for c in self.ours]
        spread, alike = np.zeros(len(at)), np.zeros(len(at), bool)
        for shifted in moved(points, VALUE_ULPS):
            spread = np.fmax(spread, axes.errors(evaluate(shifted), theirs, self.typical))
        if self.kinds.any():
            for shifted in moved(points, DOMAIN_ULPS):
                alike |= same_kind(ours, evaluate(shifted))
        kinds = self.kinds[at]
        self.rounded[at] = np.where(kinds, alike, True) & ((errors[at] <= 1 + spread) | (kinds & alike))

    def example(self, mask):
        """Describes a point of a mask."""
        i = np.flatnonzero(mask)[np.argmax(self.errors[mask])] if mask.any() else 0
        shown = (", ".join(repr(float(column[i])) for column in part) for part in (self.points, self.ours, self.theirs))
        return "at {}: {}, gwcs {}".format(*shown)

    def faults(self):
        """Describes the kinds of disagreements."""
        for what, mask in (("infinite or NaN", self.kinds), ("a turn apart", self.turns), ("apart", self.plain_errors)):
            bad = mask & self.bad
            if bad.any():
                size = f", up to {self.errors[bad].max():.2g} times the limit" if what == "apart" else ""
                yield f"{bad.sum()} of {len(bad)} points {what}{size}; {self.example(bad)}"
