"""Copies the files of the tests to a bucket of each store: `upload.py FOLDER`, which is the folder of the S3 server s3s-fs.

s3s-fs gets all files, Azurite gets 100 of those in `many/`, and moto gets these and no `l2_*.asdf`: it keeps files in memory
and needs about four times their size.
"""
import os
import pathlib
import shutil
import sys
from concurrent.futures import ThreadPoolExecutor

import stores

DATA = pathlib.Path(os.environ["ASDF_TEST_DATA"])
LARGE = sorted(DATA.glob("l2_*.asdf"))
ARRAYS = DATA / "arrays_10000.asdf"
FIELD = sorted(DATA.glob("roman/*.asdf"))
SMALL = [ARRAYS, *FIELD, *sorted(DATA.glob("many/*.asdf"))[:100]]


def name(path):
    return path.relative_to(DATA).as_posix()


def upload_s3s(folder):
    client = stores.s3(os.environ["ASDF_TEST_S3S"])
    client.create_bucket(Bucket=stores.BUCKET)
    for path in [*LARGE, ARRAYS, *FIELD]:
        with path.open("rb") as file:
            client.put_object(Bucket=stores.BUCKET, Key=name(path), Body=file)
    # A thousand requests take 8 seconds, and the server reads files that it did not write. It would compute the ETag of a
    # large one for each request.
    shutil.copytree(DATA / "many", folder / stores.BUCKET / "many")


def upload_azurite():
    store = stores.Azure(os.environ["ASDF_TEST_AZURITE"])
    store.create()
    for path in LARGE + SMALL:
        store.put(name(path), path)


def upload_moto():
    client = stores.s3(os.environ["ASDF_TEST_MOTO"])
    client.create_bucket(Bucket=stores.BUCKET)
    for path in SMALL:
        with path.open("rb") as file:
            client.put_object(Bucket=stores.BUCKET, Key=name(path), Body=file)


with ThreadPoolExecutor() as pool:
    uploads = [pool.submit(upload_s3s, pathlib.Path(sys.argv[1])), pool.submit(upload_azurite), pool.submit(upload_moto)]
    for upload in uploads:
        upload.result()
