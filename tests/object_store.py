"""An object store as a process of its own, for tests of backups in buckets: the server of moto."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import boto3.session

from tests.support import PATIENCE

SETUP_CALLS = 1_000_000
"""Requests that the server takes from anybody, until it is told to check credentials."""


@dataclass(frozen=True)
class ObjectStore:
    """A running server, and the variables by which commands and this process reach it."""

    variables: Mapping[str, str]

    def client(self, service: str = "s3") -> Any:
        """Returns a client with the variables of the server."""
        return boto3.session.Session().client(
            service,
            endpoint_url=self.variables["AWS_ENDPOINT_URL"],
            aws_access_key_id=self.variables["AWS_ACCESS_KEY_ID"],
            aws_secret_access_key=self.variables["AWS_SECRET_ACCESS_KEY"],
            region_name=self.variables["AWS_REGION"],
        )

    def keys(self, bucket: str) -> list[str]:
        """Returns the keys of the objects in a bucket."""
        return [one["Key"] for one in self.client().list_objects_v2(Bucket=bucket).get("Contents", ())]

    def user(self, name: str, *actions: str) -> dict[str, str]:
        """Makes a user who may do these actions alone; returns the variables of their credentials."""
        iam = self.client("iam")
        iam.create_user(UserName=name)
        policy = {
            "Version": "2012-10-17",
            "Statement": [{"Effect": "Allow", "Action": list(actions), "Resource": "*"}],
        }
        iam.put_user_policy(UserName=name, PolicyName="all", PolicyDocument=json.dumps(policy))
        key = iam.create_access_key(UserName=name)["AccessKey"]
        return {"AWS_ACCESS_KEY_ID": key["AccessKeyId"], "AWS_SECRET_ACCESS_KEY": key["SecretAccessKey"]}

    @contextmanager
    def checking(self) -> Iterator[None]:
        """Has the server check signatures and permissions of every request meanwhile."""
        self._check_after(0)
        try:
            yield
        finally:
            self._check_after(SETUP_CALLS)

    def _check_after(self, calls: int) -> None:
        address = f"{self.variables['AWS_ENDPOINT_URL']}/moto-api/reset-auth"
        request = urllib.request.Request(address, str(calls).encode(), {"Content-Type": "text/plain"})
        urllib.request.urlopen(request, timeout=PATIENCE).close()


@contextmanager
def object_store() -> Iterator[ObjectStore]:
    """Runs a server with a bucket `backups`."""
    environment = {**os.environ, "INITIAL_NO_AUTH_ACTION_COUNT": str(SETUP_CALLS)}
    process = subprocess.Popen(
        [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", "0"], stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE, text=True, env=environment,
    )  # fmt: skip
    assert process.stderr is not None
    try:
        address = None
        while address is None:
            line = process.stderr.readline()
            assert line, "the server ended"
            address = re.search(r"http://127\.0\.0\.1:\d+", line)
        # what it logs is read by nobody: a full pipe would stop it
        drain = subprocess.Popen(["cat"], stdin=process.stderr, stdout=subprocess.DEVNULL)
        found = ObjectStore(
            {
                "AWS_ENDPOINT_URL": address[0], "AWS_ACCESS_KEY_ID": "AKIAEXAMPLE0000000000",
                "AWS_SECRET_ACCESS_KEY": "a-secret-of-the-tests", "AWS_REGION": "us-east-1",
                "AWS_EC2_METADATA_DISABLED": "true", "AWS_CONFIG_FILE": os.devnull,
                "AWS_SHARED_CREDENTIALS_FILE": os.devnull, "AWS_MAX_ATTEMPTS": "1", "NO_PROXY": "127.0.0.1",
            }
        )  # fmt: skip
        found.client().create_bucket(Bucket="backups")
        yield found
    finally:
        process.kill()
        process.wait()
        process.stderr.close()
        drain.wait()
