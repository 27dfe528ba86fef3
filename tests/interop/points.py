"""Makes the points at which transforms are compared, and passes them to `asdf wcs`."""

import io
import subprocess

import numpy as np

SPECIAL = [np.nan, np.inf, -np.inf, 0.0, -0.0, 1e-300, 1e6, -1e6]


def written(path, names, columns):
    """Writes a CSV file."""
    rows = zip(*(map(repr, column.tolist()) for column in columns), strict=True)
    path.write_text(",".join(names) + "\n" + "\n".join(map(",".join, rows)).replace("nan", "NaN") + "\n")


def asked(program, file, place, points, folder, *words):
    """Returns the columns that `asdf wcs` prints for columns of points, or the error."""
    table = folder / "points.csv"
    written(table, [f"axis{i}" for i in range(len(points))], points)
    words = ["wcs", file, *([place] if place else []), "--points", table, *words]
    done = subprocess.run([program, *map(str, words)], capture_output=True, text=True)
    if done.returncode != 0:
        return done.stderr.strip() or f"exit status {done.returncode}"
    header, _, body = done.stdout.partition("\n")
    if not header or any(cell.strip().replace(".", "", 1).isdigit() for cell in header.split(",")):
        return f"no header: {header!r}"
    found = np.loadtxt(io.StringIO(body), delimiter=",", ndmin=2)
    if len(found) != len(points[0]):
        return f"{len(found)} rows for {len(points[0])} points"
    return list(found.T.copy())


def inside(rng, ranges, count):
    return [rng.uniform(low, high, count) for low, high in ranges]


def around(rng, ranges, count):
    """Makes points of a box of `ranges`: most of them inside; others beside it, on its edges, one float from them, at
    whole and half numbers, and with special values."""
    columns = inside(rng, ranges, count * 6 // 10)
    sizes = [high - low for low, high in ranges]
    parts = [inside(rng, [(low - size / 4, high + size / 4) for (low, high), size in zip(ranges, sizes)], count // 10)]
    halves = inside(rng, ranges, count // 10)
    parts.append([np.clip(np.round(2 * column) / 2, low, high) for column, (low, high) in zip(halves, ranges)])
    each = max(4, count // 10 // (6 * len(ranges)))
    for axis, (low, high) in enumerate(ranges):
        edges = [np.nextafter(low, -np.inf), low, np.nextafter(low, np.inf), np.nextafter(high, -np.inf), high, np.nextafter(high, np.inf)]
        part = inside(rng, ranges, each * len(edges))
        part[axis] = np.tile(edges, each)
        parts.append(part)
    corners = np.array(np.meshgrid(*ranges)).reshape(len(ranges), -1)
    parts.append(list(corners))
    each = max(4, count // 20 // (len(SPECIAL) * len(ranges)))
    for axis in range(len(ranges)):
        part = inside(rng, ranges, each * len(SPECIAL))
        part[axis] = np.tile(SPECIAL, each)
        parts.append(part)
    parts.append([np.array([value]) for value in [np.nan] * len(ranges)])
    made = [np.concatenate([column, *(part[axis] for part in parts)]) for axis, column in enumerate(columns)]
    missing = count - len(made[0])
    more = inside(rng, ranges, max(missing, 0))
    return [np.concatenate(pair)[:count] for pair in zip(made, more, strict=True)]


def worlds(rng, columns, sky, count):
    """Makes world coordinates from those of an image: points of it, points beside it, the poles, meridians where
    longitudes wrap, and special values."""
    finite = np.all([np.isfinite(column) for column in columns], axis=0)
    columns = [column[finite] for column in columns]
    if not len(columns[0]):
        columns = [np.array([0.0, 1.0]) for _ in columns]
    pick = rng.integers(len(columns[0]), size=count)
    made = [column[pick] for column in columns]
    sizes = [float(np.ptp(column)) or 1.0 for column in columns]
    beside = slice(0, count // 10)
    for column, size in zip(made, sizes):
        column[beside] += rng.normal(0, size / 4, count // 10)
    at = count // 10
    each = max(2, count // 200)
    for axis, column in enumerate(made):
        for value in SPECIAL:
            column[at:at + each] = value
            at += each
    for lon, lat, size in sky:
        turn = 2 * np.pi / size
        seams = [0, turn, -turn / 2, turn / 2, np.nextafter(turn, 0), -1e-17, turn * 1.25]
        for value in seams:
            made[lon][at:at + each] = value
            at += each
        for value in (turn / 4, -turn / 4, np.nextafter(turn / 4, 0), 0.0):
            made[lat][at:at + each] = value
            at += each
        # The same direction, in another turn.
        made[lon][at:at + each] += turn
        at += each
        made[lon][at:at + each] -= turn
        at += each
    return made
