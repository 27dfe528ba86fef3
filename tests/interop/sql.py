"""The questions of the book's chapter on SQL, answered by asdf-sql and by pandas over Python's asdf.

    sql.py PROGRAMS [COUNT]    the folder of the programs asdf-sql and examples/archive, and the number of files

Each query runs alone, on a cluster of two executors, and on one whose executor is killed by SIGKILL meanwhile. Ctrl-C at the
prompt ends a query and not the program. Then the tables of rad are compared with those of `asdf catalog`, which
catalog_rad.py compares with the schemas.
"""

import csv
import io
import math
import os
import pathlib
import pty
import random
import re
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import warnings

import asdf
import numpy as np
import pandas as pd
import pyarrow.parquet

import catalog_rad

ROOT = pathlib.Path(__file__).resolve().parents[2]


def table(folder):
    """Returns a row for each file, as Python's asdf reads it, and the rows of the tables in the files."""
    rows, sources = [], []
    for path in sorted(folder.glob("*.asdf")):
        row = {"file": path.name, "readable": False}
        rows.append(row)
        try:
            with asdf.open(path) as file:
                row["readable"] = True
                meta = file.tree.get("roman", {}).get("meta")
                if meta is None:
                    continue
                time_of = meta["exposure"]["exposure_time"]
                row |= {
                    "filename": meta["filename"],
                    "detector": meta["instrument"]["detector"],
                    "optical_element": meta["instrument"]["optical_element"],
                    "exposure_time": time_of if isinstance(time_of, float) else math.nan,
                    "wrong_time": not isinstance(time_of, float),
                    "start_time": meta["exposure"]["start_time"].utc.to_datetime(),
                    "flat_field": meta["cal_step"]["flat_field"],
                    "background": meta["sky_background"],
                    # Python's asdf leaves a node that it cannot convert as it is.
                    "no_unit": not hasattr(meta["aperture"], "unit"),
                    "centre": meta["wcs"],
                }
                found = file.tree["roman"]["sources"]
                for id, flux in zip(found["id"], found["flux"]):
                    sources.append({"id": int(id), "flux": float(getattr(flux, "value", flux)), "file": path.name})
        except Exception:  # A broken file is one of the cases.
            pass
    return pd.DataFrame(rows), pd.DataFrame(sources)


def answers(files, sources):
    """Returns the answers to the ten questions of the chapter, by pandas."""
    images = files[files.detector.notna()]
    seconds = images.groupby("detector").agg(exposures=("detector", "size"), seconds=("exposure_time", "sum"))
    seconds = seconds.round(1).reset_index().sort_values(["seconds", "detector"], ascending=[False, True])
    filters = images.groupby("optical_element").agg(background=("background", "median"), images=("background", "size"))
    steps = images[images.flat_field != "COMPLETE"].groupby("flat_field").size().reset_index()
    days = images.groupby(pd.to_datetime(images.start_time).dt.floor("D")).size().reset_index()
    broken, invalid = files[~files.readable], images[images.no_unit == True]  # noqa: E712
    faults = [(len(broken), "ASDF-F001", broken.file.min()), (len(invalid), "ASDF-S003", invalid.file.min())]
    wrong = files[(files.wrong_time == True) | (files.no_unit == True)]  # noqa: E712
    long = images[(images.optical_element == "F158") & (images.exposure_time > 100)].sort_values("start_time")
    inside = [row for _, row in images.sort_values("filename").iterrows() if contains(row.centre, 150.05, 2.02)]
    bright = sources.sort_values(["flux", "id"], ascending=[False, True]).head(5)
    day = [f"{one:%Y-%m-%dT%H:%M:%SZ}" for one in days.iloc[:, 0]]
    return [
        [(len(files), len(images), len(broken))],
        [(r.filename, r.detector, r.exposure_time, f"{r.start_time:%Y-%m-%dT%H:%M:%SZ}") for _, r in long.head(5).iterrows()],
        [tuple(row) for row in seconds.head(5).itertuples(index=False)],
        [tuple(row) for row in filters.reset_index().itertuples(index=False)],
        [tuple(row) for row in steps.itertuples(index=False)],
        list(zip(day, days.iloc[:, 1])),
        [(code, count, first) for count, code, first in sorted(faults, key=lambda fault: (-fault[0], fault[1]))],
        [(file,) for file in wrong.file.head(3)],
        [(row.filename, row.detector) for row in inside],
        [tuple(row) for row in bright.itertuples(index=False)],
    ]


# The columns that are compared, where the answer has texts of our own.
COLUMNS = {6: [0, 2, 3], 7: [0]}


def contains(wcs, ra, dec):
    """Returns whether the image of 32 x 32 pixels contains a position, by gwcs."""
    inverse = np.array(wcs.invert(ra, dec), dtype=float)
    return bool(np.all(np.isfinite(inverse)) and np.all(inverse >= -0.5) and np.all(inverse <= 31.5))


def same(found, expected):
    if isinstance(expected, (int, float, np.number)):
        return math.isclose(float(found), float(expected), rel_tol=1e-9, abs_tol=1e-12)
    return found == expected


class Cluster:
    """A scheduler and two executors on this machine."""

    def __init__(self, program):
        port = free()
        self.address = f"df://127.0.0.1:{port}"
        self.processes = [start(program, "scheduler", "--port", port, "--timeout", 15)]
        wait_for(port)
        for _ in range(2):
            own = free()
            self.processes.append(start(
                program, "executor", "--scheduler", f"127.0.0.1:{port}", "--port", own, "--cores", 2, "--heartbeat", 1))
            wait_for(own)

    def kill(self):
        self.processes.pop().send_signal(signal.SIGKILL)

    def end(self):
        for process in self.processes:
            process.kill()
            process.wait()


def start(program, *words):
    return subprocess.Popen([program, *map(str, words)], stderr=subprocess.DEVNULL)


def free():
    """Returns the first of two ports that are not in use."""
    while True:
        with socket.socket() as first, socket.socket() as second:
            first.bind(("127.0.0.1", 0))
            port = first.getsockname()[1]
            try:
                second.bind(("127.0.0.1", port + 1))
                return port
            except OSError:
                continue


def wait_for(port):
    for _ in range(1200):
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return
        except OSError:
            time.sleep(0.05)
    raise SystemExit(f"nothing listens on port {port}")


def rad_tables(program, folder):
    """Returns the number of tables of rad, and those whose rows differ from those of the catalogue."""
    schemas = catalog_rad.Schemas()
    source = folder / "rad"
    source.mkdir()
    catalog_rad.make_all(source, schemas.of_files(), random.Random(9), schemas)
    names = {name.split(".")[0] for schema in schemas.by_id.values() for name in catalog_rad.destinations(schema)}
    environment = os.environ | {"VIRTUAL_ENV": sys.prefix}
    options = ("--package", "rad", "--table")
    different = []
    for name in sorted(names):
        catalogue, answer = folder / f"{name}.parquet", folder / f"{name}.answer.parquet"
        subprocess.run(
            [ROOT / "target/release/asdf", "catalog", source, "-o", catalogue, *options, name], check=True, env=environment,
            capture_output=True)
        subprocess.run(
            [program, *options, f"t={source}/,table={name}", "select * from t order by _file", "-o", answer], check=True,
            env=environment, capture_output=True)
        rows, others = (pyarrow.parquet.read_table(path) for path in (catalogue, answer))
        # NaN differs from itself, and its text does not.
        same = repr(rows.to_pylist()) == repr(others.select(rows.column_names).to_pylist())
        if not same or set(others.column_names) != {*rows.column_names, "_valid"}:
            different.append(name)
    return len(names), different


def interrupted_prompt(program):
    """Returns what the prompt lacks after Ctrl-C ends a query; None if the next query has its answer."""
    process, terminal = pty.fork()
    if process == 0:
        os.execv(program, [str(program)])
    shown, until = b"", time.monotonic() + 60
    # What is waited for, and what is typed then.
    steps = [(b"asdf>", b"select count(*) from generate_series(1, 1000000000000);\r"), (b"files read", b"\x03"),
             (b"interrupted", b"select 'an', 'answer';\r"), (b"an   | answer", b""), (b"asdf>", b"\x04")]
    try:
        for awaited, typed in steps:
            while awaited not in shown:
                if time.monotonic() > until:
                    return f"{awaited} after {shown[-500:]}"
                if select.select([terminal], [], [], 1)[0]:
                    shown += os.read(terminal, 1 << 16)
            shown = shown[shown.index(awaited) + len(awaited):]
            os.write(terminal, typed)
        while time.monotonic() < until:
            ended, status = os.waitpid(process, os.WNOHANG)
            if ended:
                process = None
                return f"the exit code 0: {status}" if status else None
            time.sleep(0.05)
        return "an end after Ctrl-D"
    except OSError as error:
        return f"{awaited} after {shown[-500:]}: {error}"
    finally:
        if process is not None:
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)


def main():
    programs = pathlib.Path(sys.argv[1]).resolve()
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    chapter = (ROOT / "docs/book/src/sql.md").read_text()
    queries = re.findall(r"```sql\n(.*?)\n```", chapter, re.DOTALL)
    warnings.simplefilter("ignore")
    failures, compared = 0, 0

    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        subprocess.run([programs / "examples/archive", folder / "night", str(count)], check=True)
        expected = answers(*table(folder / "night"))
        assert len(queries) == len(expected) == 10

        def check(how, *options):
            nonlocal failures, compared
            for number, (query, rows) in enumerate(zip(queries, expected)):
                done = subprocess.run(
                    [programs / "asdf-sql", *options, "--format", "csv", query], cwd=folder, capture_output=True, text=True)
                found = list(csv.reader(io.StringIO(done.stdout)))[1:]
                found = [[row[column] for column in COLUMNS.get(number, range(len(row)))] for row in found]
                good = len(found) == len(rows) and all(
                    len(one) == len(other) and all(map(same, one, other)) for one, other in zip(found, rows))
                compared += 1
                if not good:
                    failures += 1
                    print(f"{how}: {query}\nfound {found}\nexpected {rows}\n{done.stderr[-500:]}")
            query = "select count(*) from 'night/'"
            done = subprocess.run(
                [programs / "asdf-sql", *options, "--format", "csv", query], cwd=folder, capture_output=True, text=True)
            if done.stdout.split() != ["count(*)", str(count)]:
                failures += 1
                print(f"{how}: {done.stdout}{done.stderr[-500:]}")

        check("alone")
        cluster = Cluster(programs / "asdf-sql")
        try:
            check("on two executors", "--cluster", cluster.address)
            timer = threading.Timer(0.5, cluster.kill)
            timer.start()
            check("with a killed executor", "--cluster", cluster.address)
            timer.join()
        finally:
            cluster.end()
        if missing := interrupted_prompt(programs / "asdf-sql"):
            failures += 1
            print(f"the prompt lacks {missing}")
        tables, different = rad_tables(programs / "asdf-sql", folder)
        if different:
            failures += len(different)
            print(f"rows of {different} differ from those of the catalogue")
    print(f"sql: {compared} answers over {count} files equal those of pandas, {tables} tables of rad those of catalogues; "
          f"{failures} failures")
    sys.exit(failures > 0)


main()
