"""The stores of the tests, for the scripts in this folder: S3 by boto3, and Azure by requests that it signs."""

import base64
import datetime
import hashlib
import hmac
import http.client
import os
import urllib.parse

import boto3
from botocore.config import Config

BUCKET = os.environ["ASDF_TEST_BUCKET"]


def s3(address):
    """Returns a client for the S3 server at an address."""
    return boto3.client(
        "s3",
        endpoint_url=address,
        aws_access_key_id=os.environ["ASDF_TEST_S3_ACCESS_KEY"],
        aws_secret_access_key=os.environ["ASDF_TEST_S3_SECRET_KEY"],
        region_name="us-east-1",
        # boto3 adds checksums of the content by default, which take longer than the upload.
        config=Config(s3={"addressing_style": "path"}, request_checksum_calculation="when_required"),
    )


class Azure:
    """A connection to a server of Azure's blobs, with the shared key of the account."""

    def __init__(self, address):
        self.account = os.environ["ASDF_TEST_AZURE_ACCOUNT"]
        self.key = base64.b64decode(os.environ["ASDF_TEST_AZURE_KEY"])
        self.connection = http.client.HTTPConnection(urllib.parse.urlsplit(address).netloc)

    def request(self, method, path, query=(), headers=(), body=None, length=0):
        """Returns the response to a signed request, and its content. The path starts with the container."""
        path = f"/{self.account}/{path}"
        now = datetime.datetime.now(datetime.timezone.utc)
        headers = dict(headers)
        headers["x-ms-date"] = now.strftime("%a, %d %b %Y %H:%M:%S GMT")
        headers["x-ms-version"] = "2023-11-03"
        own = "".join(f"{name}:{headers[name]}\n" for name in sorted(headers) if name.startswith("x-ms-"))
        resource = f"/{self.account}{path}" + "".join(f"\n{name}:{value}" for name, value in sorted(query))
        match, extent = headers.get("If-Match", ""), headers.get("Range", "")
        text = f"{method}\n\n\n{length or ''}\n\n\n\n\n{match}\n\n\n{extent}\n{own}{resource}"
        signature = base64.b64encode(hmac.digest(self.key, text.encode(), hashlib.sha256)).decode()
        headers["Authorization"] = f"SharedKey {self.account}:{signature}"
        if method == "PUT":
            headers["Content-Length"] = str(length)
        self.connection.request(method, f"{path}?{urllib.parse.urlencode(query)}", body, headers)
        response = self.connection.getresponse()
        return response, response.read()

    def create(self):
        """Creates the container."""
        response, content = self.request("PUT", BUCKET, [("restype", "container")])
        assert response.status == 201, content

    def put(self, name, path):
        """Writes a file to a blob."""
        with open(path, "rb") as file:
            headers = {"x-ms-blob-type": "BlockBlob"}
            response, content = self.request("PUT", f"{BUCKET}/{name}", (), headers, file, os.path.getsize(path))
        assert response.status == 201, content
