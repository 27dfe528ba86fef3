"""Compares the instants of `Time` with astropy's, for every format and scale."""

import subprocess
import sys
import tempfile
import warnings

from astropy.time import Time

warnings.simplefilter("ignore")
PROGRAM = sys.argv[1] + "/times"

# The tolerance of each format in seconds: the resolution of a double, or of the truncated text.
FORMATS = {
    "iso": 1e-9, "yday": 1e-9, "jd": 5e-5, "mjd": 2e-6, "byear": 2e-5, "jyear": 2e-5, "decimalyear": 2e-5, "gps": 1e-6,
    "unix": 1e-6, "unix_tai": 1e-6, "cxcsec": 1e-6, "utime": 1e-6, "tai_seconds": 1e-6, "galexsec": 1e-6,
}
# TDB and TCB are computed with the largest terms of a series only.
SCALES = {"utc": 0.0, "tai": 0.0, "tt": 0.0, "tcg": 1e-9, "tdb": 5e-5, "tcb": 5e-5}
MOMENTS = ["1972-02-03T00:00:00", "1979-07-14T05:06:07.125", "1999-12-31T23:59:59.5", "2000-01-01T12:00:00",
           "2015-06-30T23:59:59.75", "2016-12-31T12:00:00", "2017-01-01T00:00:00", "2026-02-28T23:00:00.001",
           "2038-01-19T03:14:08"]
# These formats have a fixed scale.
COUNTED = {"gps", "unix", "unix_tai", "cxcsec", "utime", "tai_seconds", "galexsec"}


def main():
    cases = []
    for moment in MOMENTS:
        for scale, off in SCALES.items():
            time = getattr(Time(moment, scale="utc"), scale)
            time.precision = 9
            for name, tolerance in FORMATS.items():
                if name not in time.FORMATS or (name in COUNTED and scale != "utc"):
                    continue
                # On a day with a leap second, astropy stretches the days of UTC.
                if scale == "utc" and name in ("jd", "mjd", "unix", "utime", "galexsec", "byear", "jyear") and moment[5:10] in ("06-30", "12-31"):
                    continue
                value = getattr(time, name)
                text = f"'{value}'" if isinstance(value, str) else repr(float(value))
                entry = f"{{format: {name}, scale: {scale}, value: {text}}}"
                expected = Time(value, format=name, scale=None if name in COUNTED else scale).tai
                cases.append((entry, expected, tolerance + off))
    with tempfile.NamedTemporaryFile("w", suffix=".asdf") as file:
        file.write("#ASDF 1.0.0\n#ASDF_STANDARD 1.7.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\ntimes:\n")
        file.writelines(f"- !time/time-1.4.0 {entry}\n" for entry, _, _ in cases)
        file.write("...\n")
        file.flush()
        run = subprocess.run([PROGRAM, file.name], capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(run.stderr)
    failed = []
    for (entry, expected, tolerance), line in zip(cases, run.stdout.splitlines(), strict=True):
        day, seconds = line.split()
        ours = Time(float(day) + 2400000.5, float(seconds) / 86400, format="jd", scale="tai")
        apart = abs((ours - expected).sec)
        if apart > tolerance:
            failed.append(f"{entry}: {apart} s apart")
    if failed:
        sys.exit("\n".join(failed))
    print(f"times: {len(cases)} instants equal astropy's")


main()
