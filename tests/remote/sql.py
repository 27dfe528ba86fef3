"""Compares answers of asdf-sql over files in object stores with `expected.json`: alone, and on a cluster.

Run it with `tests/remote/run target/remote/venv/bin/python tests/remote/sql.py PROGRAMS`.
"""
import csv
import json
import os
import pathlib
import socket
import subprocess
import sys
import time

PROGRAM = pathlib.Path(sys.argv[1]) / "asdf-sql"
EXPECTED = json.loads((pathlib.Path(os.environ["ASDF_TEST_DATA"]) / "expected.json").read_text())
BUCKET = os.environ["ASDF_TEST_BUCKET"]
NGINX = os.environ["ASDF_TEST_NGINX"]


def server(name):
    return os.environ[f"ASDF_TEST_{name}"]


S3 = {"AWS_ACCESS_KEY_ID": server("S3_ACCESS_KEY"), "AWS_SECRET_ACCESS_KEY": server("S3_SECRET_KEY")}
AZURE = {
    "AZURE_STORAGE_ACCOUNT_NAME": server("AZURE_ACCOUNT"),
    "AZURE_STORAGE_ACCOUNT_KEY": server("AZURE_KEY"),
    "AZURE_STORAGE_ENDPOINT": f"{server('AZURITE')}/{server('AZURE_ACCOUNT')}",
    "AZURE_ALLOW_HTTP": "true",
}
GOOGLE = {"GOOGLE_SERVICE_ACCOUNT_KEY": json.dumps({
    "gcs_base_url": NGINX, "disable_oauth": True, "client_email": "", "private_key": "", "private_key_id": "",
})}
# Each store: its environment, how its URLs begin, and how many of the files in `many/` it has. None: it has no listing.
STORES = {
    "s3s": ({**S3, "AWS_ENDPOINT_URL": server("S3S")}, f"s3://{BUCKET}/", EXPECTED["many"]["files"]),
    "moto": ({**S3, "AWS_ENDPOINT_URL": server("MOTO")}, f"s3://{BUCKET}/", 100),
    "azurite": (AZURE, f"az://{BUCKET}/", 100),
    "google": (GOOGLE, f"gs://{BUCKET}/", None),
    "nginx": ({}, f"{NGINX}/", EXPECTED["many"]["files"]),
}
failures = compared = 0


def environment(own):
    """The environment of a process: only this store's credentials."""
    return {"PATH": os.environ["PATH"], "HOME": "/nowhere", "NO_PROXY": "127.0.0.1", **own}


def ask(own, query, *options):
    words = [PROGRAM, "--format", "csv", *options, query]
    done = subprocess.run(words, env=environment(own), capture_output=True, text=True)
    if done.returncode:
        return done.stderr
    return list(csv.reader(done.stdout.splitlines()))[1:]


def check(what, found, expected):
    global failures, compared
    compared += 1
    if found != expected:
        failures += 1
        print(f"{what}: found {found}, expected {expected}")


def check_store(name, own, start, files, *options):
    what = f"{name} {' '.join(options)}"
    query = f"select count(*), max(_size) > 1000000 from '{start}arrays_10000.asdf'"
    check(f"{what}: one file", ask(own, query, *options), [["1", "true"]])
    if files is None:
        return
    times = [EXPECTED["many"]["first"] + number / 2 for number in range(files)]
    query = "select count(*), min(exposure_time), max(exposure_time), sum(exposure_time) from " + f"'{start}many/'"
    expected = [[str(files), str(times[0]), str(times[-1]), str(sum(times))]]
    check(f"{what}: a folder", ask(own, query, *options), expected)
    # The values of pixels: each file has the numbers from 0 to 255.
    query = f"select count(*), sum(array_mean(_file, '/roman/data')) from '{start}many/*_000*.asdf'"
    check(f"{what}: a pattern", ask(own, query, *options), [["10", "1275.0"]])
    query = f"select count(*) from violations('{start}many/*_000*.asdf') where severity = 'error'"
    check(f"{what}: violations", ask(own, query, *options), [["0"]])


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
                pass


def begin(own, *words):
    process = subprocess.Popen([PROGRAM, *map(str, words)], env=environment(own), stderr=subprocess.DEVNULL)
    port = words[words.index("--port") + 1]
    for _ in range(300):
        if process.poll() is None:
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                return process
            except OSError:
                time.sleep(0.1)
    sys.exit(f"{words} did not start")


for name, (own, start, files) in STORES.items():
    check_store(name, own, start, files)
# Each process has the credentials, and the plans have none. The client needs them for its sample of the files.
own, start, files = STORES["s3s"]
scheduler, executor = free(), free()
processes = [begin(own, "scheduler", "--port", scheduler)]
try:
    processes.append(begin(own, "executor", "--scheduler", f"127.0.0.1:{scheduler}", "--port", executor))
    check_store("s3s", own, start, files, "--cluster", f"df://127.0.0.1:{scheduler}")
finally:
    for process in processes:
        process.kill()
        process.wait()
# Without credentials the error says so, and names the folder.
refused = ask({"AWS_ENDPOINT_URL": server("S3S")}, f"select count(*) from 's3://{BUCKET}/many/'")
expected = f"s3://{BUCKET}/many/: permission denied\n  hint: check the credentials, or whether the file exists: " \
    "some stores do not tell the difference\n"
check("without credentials", refused, expected)
print(f"asdf-sql in object stores: {compared} answers, {failures} failures")
sys.exit(failures > 0)
