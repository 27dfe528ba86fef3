"""Files on servers of S3, Azure and HTTP."""

import json
import multiprocessing
import os
import pathlib
import pickle
import signal
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import asdfast
import fsspec
import numpy as np
import pytest


def variable(name):
    return os.environ[f"ASDF_TEST_{name}"]


DATA = pathlib.Path(variable("DATA"))
EXPECTED = json.loads((DATA / "expected.json").read_text())
L2 = EXPECTED["l2"]
BUCKET = variable("BUCKET")
IMAGE = next(DATA.glob("roman/*_cal.asdf")).relative_to(DATA).as_posix()
CUTOUT = tuple(slice(*L2[axis]) for axis in ("rows", "columns"))


def s3(server="S3S", **options):
    """Returns the options for an S3 server."""
    keys = {"key": variable("S3_ACCESS_KEY"), "secret": variable("S3_SECRET_KEY")}
    return {"endpoint_url": variable(server)} | keys | options


def azure(**options):
    account = variable("AZURE_ACCOUNT")
    known = {"endpoint_url": f"{variable('AZURITE')}/{account}", "account_name": account}
    return known | {"account_key": variable("AZURE_KEY")} | options


def check_cutout(file):
    part = file.roman.data[CUTOUT]
    assert part.shape == (64, 64) and part[0, 0] == L2["cutout_first"] and part[-1, -1] == L2["cutout_last"]
    assert part.sum(dtype="f8") == pytest.approx(L2["cutout_sum"], rel=1e-12)


def requests(name):
    """Returns the lines of nginx's log for the paths below /as/NAME/, once it has written them."""
    time.sleep(0.3)
    lines = [line.split("\t") for line in pathlib.Path(variable("NGINX_LOG")).read_text().splitlines()]
    return [line for line in lines if line[1].startswith(f"/as/{name}/")]


@pytest.mark.parametrize("name", ["l2_plain.asdf", "l2_lz4.asdf"])
def test_s3(name):
    with asdfast.open(f"s3://{BUCKET}/{name}", storage_options=s3()) as file:
        assert file.roman.meta.telescope == "ROMAN"
        check_cutout(file)


def test_s3_from_the_environment(monkeypatch):
    monkeypatch.setenv("AWS_ENDPOINT_URL", variable("MOTO"))
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", variable("S3_ACCESS_KEY"))
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", variable("S3_SECRET_KEY"))
    wcs = asdfast.wcs(f"s3://{BUCKET}/{IMAGE}")
    star = EXPECTED["roman"]["brightest"]
    assert wcs.pixel_to_world(star["x"], star["y"]) == pytest.approx((star["ra"], star["dec"]), abs=1e-12)


def test_s3_without_keys():
    # nginx serves the files as a public bucket does.
    options = {"anon": True, "endpoint_url": variable("NGINX")}
    with asdfast.open(f"s3://{BUCKET}/{IMAGE}", storage_options=options) as file:
        assert file.roman.data.shape == (512, 512)
    options = {"anon": True, "endpoint_url": variable("S3S")}
    with pytest.raises(PermissionError):
        asdfast.open(f"s3://{BUCKET}/{IMAGE}", storage_options=options)


def test_azure():
    with asdfast.open(f"az://{BUCKET}/l2_lz4.asdf", storage_options=azure()) as file:
        check_cutout(file)


def test_https():
    # Certificates are those of the process, so the test needs one of its own.
    code = f"import asdfast; print(asdfast.open('{variable('NGINX_TLS')}/{IMAGE}').roman.data.shape)"
    trusted = os.environ | {"SSL_CERT_FILE": variable("CA")}
    found = subprocess.run([sys.executable, "-c", code], env=trusted, capture_output=True, text=True, check=True)
    assert found.stdout == "(512, 512)\n"
    with pytest.raises(OSError, match="(?i)certificate"):
        asdfast.open(f"{variable('NGINX_TLS')}/{IMAGE}")


def test_a_slice_needs_few_requests():
    name = f"python-{os.getpid()}"
    with asdfast.open(f"{variable('NGINX')}/as/{name}/l2_plain.asdf") as file:
        check_cutout(file)
    lines = requests(name)
    assert len(lines) <= 4 and {line[3] for line in lines} == {"206"}
    assert sum(int(line[4]) for line in lines) < 2 << 20


MISSING = [
    (f"s3://{BUCKET}/missing.asdf", s3()),
    (f"s3://{BUCKET}/missing.asdf", s3("MOTO")),
    ("s3://missing-bucket/file.asdf", s3()),
    (f"az://{BUCKET}/missing.asdf", azure()),
    ("az://missing/file.asdf", azure()),
    (f"{variable('NGINX')}/missing.asdf", None),
]


@pytest.mark.parametrize("url, options", MISSING, ids=lambda value: value if isinstance(value, str) else "")
def test_a_missing_file(url, options):
    with pytest.raises(FileNotFoundError) as caught:
        asdfast.open(url, storage_options=options)
    assert caught.value.file == url and url in str(caught.value)


FORBIDDEN = [
    (f"s3://{BUCKET}/{IMAGE}", s3(key="wrong")),
    (f"s3://{BUCKET}/{IMAGE}", s3(secret="wrong")),
    (f"az://{BUCKET}/{IMAGE}", azure(account_key="d3Jvbmc=")),
]


@pytest.mark.parametrize("url, options", FORBIDDEN, ids=lambda value: value if isinstance(value, str) else "")
def test_wrong_keys(url, options):
    with pytest.raises(PermissionError, match="hint: check the credentials in `storage_options`") as caught:
        asdfast.open(url, storage_options=options)
    assert caught.value.file == url


def test_a_server_that_does_not_answer():
    with pytest.raises(ConnectionError, match="s3://"):
        asdfast.open(f"s3://{BUCKET}/{IMAGE}", storage_options=s3() | {"endpoint_url": "http://127.0.0.1:9", "timeout": 2})


@pytest.fixture
def silent():
    """The address of a server that accepts connections and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"http://127.0.0.1:{server.getsockname()[1]}"


def test_a_timeout(silent):
    with pytest.raises(TimeoutError, match="timed out"):
        asdfast.open(f"{silent}/file.asdf", storage_options={"timeout": 0.5})


def test_options_that_do_not_exist():
    with pytest.raises(TypeError, match="the options are anon, endpoint_url"):
        asdfast.open(f"s3://{BUCKET}/{IMAGE}", storage_options={"password": "x"})


def total(array):
    return float(np.asarray(array).sum(dtype="f8"))


def title(file):
    return file.roman.meta.telescope


def test_pickle():
    file = asdfast.open(f"s3://{BUCKET}/{IMAGE}", storage_options=s3())
    copy = pickle.loads(pickle.dumps(file))
    assert copy.roman.meta.filename == file.roman.meta.filename
    assert np.array_equal(pickle.loads(pickle.dumps(file.roman.data))[:], file.roman.data[:])


def test_other_processes():
    file = asdfast.open(f"s3://{BUCKET}/{IMAGE}", storage_options=s3())
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        found = pool.map(total, [file.roman.data, file.roman.dq])
        assert pool.apply(title, (file,)) == "ROMAN"
    assert found == [total(file.roman.data), total(file.roman.dq)]


# A child that hangs must not keep the test from ending.
DEADLINE = 20


def in_a_fork(work):
    """Returns what work returns in a forked child, within a time."""
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)

    def child():
        try:
            sender.send(work())
        except BaseException as error:
            sender.send(error)

    process = context.Process(target=child)
    process.start()
    try:
        assert receiver.poll(DEADLINE), "the child did not answer"
        return receiver.recv()
    finally:
        process.kill()
        process.join()


SOURCES = {
    "s3": (f"s3://{BUCKET}/l2_plain.asdf", s3()),
    "az": (f"az://{BUCKET}/l2_plain.asdf", azure()),
    "http": (f"{variable('NGINX')}/l2_plain.asdf", None),
}


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
def test_a_fork_reads_a_file_of_its_parent(source):
    url, options = source
    file = asdfast.open(url, storage_options=options)
    # The parent has connections that the child must not use.
    first = file.roman.err[0, :4].tolist()

    def work():
        check_cutout(file)
        return file.roman.err[0, :4].tolist(), file.roman.data[4000, 7].item(), in_a_fork(lambda: file.roman.dq[-1, 5].item())

    again, last, nested = in_a_fork(work)
    assert again == first and last == file.roman.data[4000, 7] and nested == file.roman.dq[-1, 5]
    check_cutout(file)


def test_a_fork_opens_a_file():
    url, options = SOURCES["s3"]
    asdfast.open(url, storage_options=options)
    assert in_a_fork(lambda: asdfast.open(url, storage_options=options).roman.meta.telescope) == "ROMAN"


def test_a_pool_of_forks():
    file = asdfast.open(f"s3://{BUCKET}/{IMAGE}", storage_options=s3())
    with multiprocessing.get_context("fork").Pool(2) as pool:
        found = pool.map_async(total, [file.roman.data, file.roman.dq, file.roman.data]).get(DEADLINE)
    assert found == [total(file.roman.data), total(file.roman.dq), total(file.roman.data)]


INTERRUPTED = """
import os, sys, time, asdfast
url, work = sys.argv[1:]
file = None if work == "open" else asdfast.open(url, storage_options={"cache_size": 0})
works = {
    "open": lambda: asdfast.open(url),
    "read": lambda: file.roman.data[:],
    "write": lambda: file.write("copy.asdf"),
}
print("working", flush=True)
try:
    while True:
        works[work]()
        if os.path.exists("copy.asdf"):
            os.remove("copy.asdf")
except KeyboardInterrupt:
    print("interrupted", flush=True)
if file is not None:
    # The thread that writes ends after its last request.
    deadline = time.monotonic() + 10
    while os.listdir() and time.monotonic() < deadline:
        time.sleep(0.05)
    print(file.roman.data[-1, -1].item(), os.listdir())
"""


@pytest.mark.parametrize("work", ["open", "read", "write"])
def test_ctrl_c(work, silent, tmp_path):
    server = silent if work == "open" else variable("SLOW")
    command = [sys.executable, "-c", INTERRUPTED, f"{server}/l2_plain.asdf", work]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=tmp_path) as process:
        assert process.stdout.readline() == "working\n"
        time.sleep(0.5)
        start = time.monotonic()
        process.send_signal(signal.SIGINT)
        assert process.stdout.readline() == "interrupted\n"
        assert time.monotonic() - start < 5
        # The file can be used, and no part of a copy is left.
        last = L2["arrays"]["data"]["last"]
        assert process.stdout.read() == ("" if work == "open" else f"{last} []\n")
        assert process.wait(DEADLINE) == 0


def test_threads():
    with asdfast.open(f"{variable('SLOW')}/l2_plain.asdf") as file, asdfast.open(DATA / "l2_plain.asdf") as local:
        rows = range(0, 4000, 250)
        with ThreadPoolExecutor(8) as pool:
            found = list(pool.map(lambda row: file.roman.data[row, ::8], rows))
        assert all(np.array_equal(one, local.roman.data[row, ::8]) for one, row in zip(found, rows, strict=True))


def test_a_file_object_of_fsspec():
    url = f"{variable('NGINX')}/{IMAGE}"
    with fsspec.open(url, "rb") as opened, asdfast.open(opened) as one, asdfast.open(url) as other:
        assert asdfast.plain(one.roman.meta.exposure) == asdfast.plain(other.roman.meta.exposure)
        assert np.array_equal(one.roman.data[100:200], other.roman.data[100:200])
        assert np.array_equal(one.roman.dq[:], other.roman.dq[:])
