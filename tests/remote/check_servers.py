"""Checks that the servers of `run` do what the tests of asdf-remote need: ranges, ETags, conditions, listings and TLS."""

import http.client
import os
import pathlib
import ssl
import time
import urllib.error
import urllib.request

import botocore.exceptions
import stores

DATA = pathlib.Path(os.environ["ASDF_TEST_DATA"])
NAME = "arrays_10000.asdf"
CONTENT = (DATA / NAME).read_bytes()
PART = slice(100, 300)
RANGE = "bytes=100-299"
SUFFIX = "bytes=-400"


def get(url, headers=(), **options):
    """Returns status, headers and content of a response, also of one with an error."""
    request = urllib.request.Request(url, headers=dict(headers))
    try:
        with urllib.request.urlopen(request, timeout=60, **options) as response:
            return response.status, response.headers, response.read()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read()


def check(what, found, expected):
    assert found == expected, f"{what}: found {found!r}, expected {expected!r}"


def requests_of(test):
    """Returns the lines of the access log, without the number of the connection, for the paths below /as/TEST/."""
    time.sleep(0.1)
    lines = pathlib.Path(os.environ["ASDF_TEST_NGINX_LOG"]).read_text().splitlines()
    return [line.split("\t")[:5] for line in lines if line.split("\t")[1].startswith(f"/as/{test}/")]


def check_nginx():
    base = os.environ["ASDF_TEST_NGINX"]
    for folder in ("", "asdf-test/", "as/check/", "no-etag/", "moved/"):
        status, headers, content = get(f"{base}/{folder}{NAME}", {"Range": RANGE})
        check(folder, (status, content == CONTENT[PART]), (206, True))
        check(folder, headers["Content-Range"], f"bytes 100-299/{len(CONTENT)}")
        check(folder, bool(headers["ETag"]), folder != "no-etag/")
    check("suffix", get(f"{base}/{NAME}", {"Range": SUFFIX})[2] == CONTENT[-400:], True)
    check("no range", get(f"{base}/no-range/{NAME}", {"Range": RANGE})[0], 200)
    check("past the end", get(f"{base}/{NAME}", {"Range": f"bytes={len(CONTENT)}-"})[0], 416)
    check("missing", get(f"{base}/missing.asdf")[0], 404)
    check("log", requests_of("check"), [["GET", f"/as/check/{NAME}", RANGE, "206", "200"]])
    etag = get(f"{base}/{NAME}", {"Range": RANGE})[1]["ETag"]
    check("If-Match", get(f"{base}/{NAME}", {"Range": RANGE, "If-Match": etag})[0], 206)
    check("If-Match", get(f"{base}/{NAME}", {"Range": RANGE, "If-Match": '"other"'})[0], 412)
    for folder in ("many", "as/list/many"):
        check("index", get(f"{base}/{folder}/")[2].count(b'<a href="exposure_'), 1000)
    check("folder without index", get(f"{base}/")[0], 403)
    scratch = pathlib.Path(os.environ["ASDF_TEST_SCRATCH"]) / "check.asdf"
    for content in (b"one", b"three"):
        scratch.write_bytes(content)
        check("scratch", get(f"{base}/scratch/check.asdf")[2], content)
    scratch.unlink()


def check_tls():
    url = f"{os.environ['ASDF_TEST_NGINX_TLS']}/{NAME}"
    trusted = ssl.create_default_context(cafile=os.environ["ASDF_TEST_CA"])
    for address in (url, url.replace("localhost", "127.0.0.1")):
        check("TLS", get(address, {"Range": RANGE}, context=trusted)[2] == CONTENT[PART], True)
    try:
        get(url)
    except urllib.error.URLError as error:
        check("unknown CA", isinstance(error.reason, ssl.SSLCertVerificationError), True)
    else:
        raise AssertionError("a client that does not know the CA connected")


def check_slow():
    connection = http.client.HTTPConnection(os.environ["ASDF_TEST_SLOW"].removeprefix("http://"))
    start = time.monotonic()
    for _ in range(5):
        connection.request("GET", f"/{NAME}", headers={"Range": RANGE})
        response = connection.getresponse()
        check("slow", (response.status, response.read() == CONTENT[PART]), (206, True))
    taken = time.monotonic() - start
    assert 0.25 <= taken < 5, f"five requests took {taken:.3f} s"


def check_s3(address, can_match):
    client = stores.s3(address)

    def read(**options):
        return client.get_object(Bucket=stores.BUCKET, Key=NAME, **options)

    response = read(Range=RANGE)
    check("status", response["ResponseMetadata"]["HTTPStatusCode"], 206)
    check("range", response["Body"].read() == CONTENT[PART], True)
    check("suffix", read(Range=SUFFIX)["Body"].read() == CONTENT[-400:], True)
    read(Range=RANGE, IfMatch=response["ETag"])
    try:
        read(Range=RANGE, IfMatch='"other"')
        status = 206
    except botocore.exceptions.ClientError as error:
        status = error.response["ResponseMetadata"]["HTTPStatusCode"]
    check("If-Match", status, 412 if can_match else 206)
    found = client.list_objects_v2(Bucket=stores.BUCKET, Prefix="many/exposure_000", Delimiter="/")
    check("list", found["KeyCount"], 10)


def check_azurite():
    store = stores.Azure(os.environ["ASDF_TEST_AZURITE"])
    path = f"{stores.BUCKET}/{NAME}"
    response, content = store.request("GET", path, headers={"Range": RANGE})
    check("range", (response.status, content == CONTENT[PART]), (206, True))
    for etag, status in ((response.headers["ETag"], 206), ('"other"', 412)):
        response, _ = store.request("GET", path, headers={"Range": RANGE, "If-Match": etag})
        check("If-Match", response.status, status)
    query = [("restype", "container"), ("comp", "list"), ("prefix", "many/exposure_000")]
    response, content = store.request("GET", stores.BUCKET, query)
    check("list", (response.status, content.count(b"<Blob>")), (200, 10))


check_nginx()
check_tls()
check_slow()
check_s3(os.environ["ASDF_TEST_S3S"], can_match=False)
check_s3(os.environ["ASDF_TEST_MOTO"], can_match=True)
check_azurite()
