"""Backups in a bucket of an object store that speaks S3: Amazon's, MinIO, Ceph, R2 and others.

Credentials, region and endpoint come from the standard variables and files of AWS, which boto3 reads. Neither
they nor what a server says beside the code of an error get into messages. A backup is made on this machine,
sent, read back and compared; its note is written last. A mark is beside it as long: whoever deletes
everything meanwhile deletes the mark, too, and then what was sent goes.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from functools import cached_property
from pathlib import Path
from typing import Any

import boto3.session
import botocore.session
from boto3.exceptions import Boto3Error
from botocore.config import Config
from botocore.exceptions import (
    BotoCoreError,
    ClientError,
    CredentialRetrievalError,
    HTTPClientError,
    NoAuthTokenError,
    NoCredentialsError,
    PartialCredentialsError,
    ProfileNotFound,
    ResponseStreamingError,
    SSOError,
    TokenRetrievalError,
)
from botocore.exceptions import ConnectionError as NotConnected
from botocore.loaders import create_loader

from holdfast.core.errors import Damaged, InvalidInput, StoreError
from holdfast.stores.base.backup_files import noted
from holdfast.stores.base.backup_locations import COPIED, MAKING, NOTE, SMALL_MAX
from holdfast.stores.base.scratch import scratch as scratch_folder

_ADDRESS = re.compile(r"s3://([A-Za-z0-9][A-Za-z0-9._-]{2,254})(/[^?#\x00-\x1f]*)?", re.ASCII)
_LOADER = create_loader()
"""Descriptions of services, which take 0.15 s to read: what a client reads anew are credentials alone."""
_READERS = 8
_PIECE = 1 << 20
PAGES_MAX = 1_000
"""The most pages of a list, of a thousand objects each."""
_GONE = {"NoSuchKey", "404", "NotFound"}
_UNKNOWN_TO_SERVER = {"NotImplemented", "MethodNotAllowed", "501", "405"}
_DENIED = {"AccessDenied", "AllAccessDisabled", "AccountProblem", "403", "Forbidden"}
_CREDENTIALS = {
    "InvalidAccessKeyId", "SignatureDoesNotMatch", "ExpiredToken", "InvalidToken", "TokenRefreshRequired",
    "InvalidClientTokenId", "ExpiredTokenException", "401", "Unauthorized",
}  # fmt: skip
_SKEWED = {"RequestTimeTooSkewed", "RequestInTheFuture", "RequestExpired"}
_NO_CREDENTIALS = (
    NoCredentialsError, PartialCredentialsError, CredentialRetrievalError, ProfileNotFound, NoAuthTokenError,
    TokenRetrievalError, SSOError,
)  # fmt: skip
_ODD = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""Errors of botocore, and of reading its results, for a response that lacks fields or has odd ones."""


class BucketLocation:
    """Backups under a prefix of a bucket."""

    folder: Path | None = None

    def __init__(self, bucket: str, prefix: str) -> None:
        self._bucket, self._prefix = bucket, f"{prefix}/" if prefix else ""

    @classmethod
    def at(cls, address: str) -> BucketLocation:
        """Returns the location with an address `s3://BUCKET/PREFIX`. Raises InvalidInput."""
        match = _ADDRESS.fullmatch(address)
        if match is None:  # it may hold a key
            raise InvalidInput(
                "the address of the bucket is not s3://BUCKET or s3://BUCKET/PREFIX", code="argument_invalid",
                hint="a bucket's name has 3 to 255 letters, digits, `.`, `-` and `_`, a prefix no `?` or `#`;"
                " keys belong in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY or ~/.aws, the address of"
                " another server in AWS_ENDPOINT_URL",
            )  # fmt: skip
        return cls(match[1], (match[2] or "").strip("/"))

    @property
    def address(self) -> str:
        return f"s3://{self._bucket}/{self._prefix}".rstrip("/")

    def address_of(self, name: str) -> str:
        return f"{self.address}/{name}"

    def names(self) -> dict[str, int]:
        modified = {}
        with self._translated():
            for page in self._pages("list_objects_v2", self._prefix, Delimiter="/"):
                for item in page.get("Contents", ()):
                    name = item["Key"].removeprefix(self._prefix)
                    modified[name] = int(item["LastModified"].timestamp() * 1_000)
        return modified

    def read(self, names: Collection[str]) -> dict[str, bytes]:
        if not names:
            return {}
        with self._translated(), ThreadPoolExecutor(min(_READERS, len(names))) as pool:
            contents = pool.map(self._content, names)
            return {
                name: content for name, content in zip(names, contents, strict=True) if content is not None
            }

    def write(self, name: str, content: bytes) -> None:
        with self._translated():
            self._client.put_object(Bucket=self._bucket, Key=self._key(name), Body=content)

    @contextmanager
    def drafting(self, name: str, scratch: Path) -> Iterator[Path]:
        try:
            self.write(f"{name}{MAKING}", b"")
            with scratch_folder(scratch) as folder:
                yield folder / name
        except BaseException:
            with suppress(StoreError):  # what has happened before says more
                self.delete(name)
            raise

    def publish(self, draft: Path, note: bytes) -> None:
        for ending in COPIED:
            if (path := Path(f"{draft}{ending}")).exists():
                self._send(path)
        self._check_wanted(draft.name)
        self.write(f"{draft.name}{NOTE}", note)
        self._check_wanted(draft.name)
        with suppress(StoreError):  # beside a note it says nothing
            self._remove(f"{draft.name}{MAKING}")

    def fetch(self, name: str, target: Path) -> None:
        backup = noted(self, name)
        if backup is None:
            raise FileNotFoundError(self.address_of(name))
        with self._translated():
            got = self._client.get_object(Bucket=self._bucket, Key=self._key(name))
            length = 0
            with closing(got["Body"]) as body, target.open("wb") as file:
                for piece in body.iter_chunks(_PIECE):
                    length += len(piece)
                    if length > backup.size:  # it may never end
                        break
                    file.write(piece)
        if length != backup.size:
            raise Damaged(
                f"{self.address_of(name)} is not what was written: its length differs",
                code="store_damaged",
                hint="take another one; `holdfast backup --list` shows them",
            )
        for beside, content in self.read([f"{name}{ending}" for ending in COPIED[1:]]).items():
            Path(f"{target}{beside.removeprefix(name)}").write_bytes(content)

    def delete(self, name: str) -> None:
        if f"{name}{MAKING}" in self.names():
            self._abort(name)
        self._remove(name)

    @cached_property
    def _client(self) -> Any:
        """Returns the S3 client, made when it is first needed. Raises StoreError."""
        with self._translated():
            config = Config(connect_timeout=10, read_timeout=60, user_agent_extra="holdfast")
            session = botocore.session.Session()
            session.register_component("data_loader", _LOADER)
            return boto3.session.Session(botocore_session=session).client("s3", config=config)

    def _key(self, name: str) -> str:
        return f"{self._prefix}{name}"

    def _content(self, name: str) -> bytes | None:
        """Returns the content of a small object, None if there is none or it is large. Raises StoreError."""
        try:
            response = self._client.get_object(Bucket=self._bucket, Key=self._key(name))
        except ClientError as error:
            if _code(error) in _GONE:
                return None
            raise
        with closing(response["Body"]) as body:
            content = b""
            for piece in body.iter_chunks(_PIECE):  # its end tells botocore to compare length and checksum
                content += piece
                if len(content) > SMALL_MAX:
                    return None
        return content

    def _send(self, path: Path) -> None:
        """Sends a file and compares what the bucket returns of it."""
        with self._translated():
            self._client.upload_file(str(path), self._bucket, self._key(path.name))
            sent, arrived = hashlib.sha256(), hashlib.sha256()
            with path.open("rb") as file:
                while piece := file.read(_PIECE):
                    sent.update(piece)
            got = self._client.get_object(Bucket=self._bucket, Key=self._key(path.name))
            length = 0
            with closing(got["Body"]) as body:
                for piece in body.iter_chunks(_PIECE):
                    arrived.update(piece)
                    length += len(piece)
                    if length > path.stat().st_size:  # it may never end
                        break
        if sent.digest() != arrived.digest():
            raise StoreError(
                f"the bucket {self._bucket} returns another content of {path.name} than was sent",
                code="bucket_failed",
                hint="try again; if that does not help, take another bucket",
            )

    def _check_wanted(self, name: str) -> None:
        """Raises StoreError if the mark of a draft is gone: somebody has deleted the backup meanwhile."""
        if f"{name}{MAKING}" not in self.names():
            raise StoreError(
                f"the backup {self.address_of(name)} was deleted while it was made",
                code="store_io",
                hint="somebody deleted all backups of the store; make another one",
            )

    def _abort(self, name: str) -> None:
        """Drops the parts of uploads that were interrupted."""
        with self._translated():
            for page in self._pages("list_multipart_uploads", self._key(name)):
                for upload in page.get("Uploads", ()):
                    self._client.abort_multipart_upload(
                        Bucket=self._bucket, Key=upload["Key"], UploadId=upload["UploadId"]
                    )

    def _remove(self, name: str) -> None:
        """Deletes every object whose name begins so, the note first, with the versions that the bucket keeps
        of each."""
        with self._translated():
            try:
                versions = self._versions(name)
            except ClientError as error:
                if _code(error) not in _UNKNOWN_TO_SERVER | _DENIED:
                    raise
                keys = (key for key in map(self._key, self.names()) if key.startswith(self._key(name)))
                versions = [(key, None) for key in keys]
            for key, version in sorted(versions, key=lambda entry: not entry[0].endswith(NOTE)):
                which = {} if version is None else {"VersionId": version}
                answer = self._client.delete_object(Bucket=self._bucket, Key=key, **which)
                if version is None and answer.get("DeleteMarker"):
                    raise StoreError(
                        f"the bucket {self._bucket} keeps earlier versions, which may not be listed, so {key}"
                        " is not deleted for good",
                        code="bucket_not_permitted",
                        hint="allow s3:ListBucketVersions and s3:DeleteObjectVersion",
                    )

    def _versions(self, name: str) -> list[tuple[str, str | None]]:
        """Returns key and version of each object under a name, deleted ones included."""
        return [
            (entry["Key"], entry["VersionId"])
            for page in self._pages("list_object_versions", self._key(name))
            for kind in ("Versions", "DeleteMarkers")
            for entry in page.get(kind, ())
        ]

    def _pages(self, operation: str, prefix: str, **options: str) -> Iterator[dict[str, Any]]:
        """Yields the pages of a list of what is under a prefix. Raises StoreError for one that does not say
        whether another one follows: it is no list, and an empty list would look like it; and for a list that
        does not end."""
        pages = self._client.get_paginator(operation)
        for number, page in enumerate(pages.paginate(Bucket=self._bucket, Prefix=prefix, **options)):
            if "IsTruncated" not in page:
                raise self._odd()
            if number == PAGES_MAX:
                raise StoreError(
                    f"the bucket {self._bucket} failed: its list has more than {PAGES_MAX:,} pages",
                    code="bucket_failed",
                    hint="give each store a prefix of its own, or check AWS_ENDPOINT_URL",
                )
            yield page

    @contextmanager
    def _translated(self) -> Iterator[None]:
        """Raises StoreError, with a code of its own for each cause that somebody can remove."""
        try:
            yield
        except (BotoCoreError, ClientError, Boto3Error) as error:
            raise self._error(error) from None  # what is in it may name keys
        except _ODD:
            raise self._odd() from None

    def _odd(self) -> StoreError:
        """Returns the error to raise for an answer that is not of S3."""
        return StoreError(
            f"the bucket {self._bucket} failed: its server answers otherwise than S3 does",
            code="bucket_failed",
            hint="check AWS_ENDPOINT_URL, and that no proxy answers in its place; the store is as it was",
        )

    def _error(self, error: Exception) -> StoreError:
        """Returns the error to raise for one of the bucket, with a hint."""
        cause = error
        while isinstance(cause, Boto3Error) and isinstance(cause.__context__, Exception):
            cause = cause.__context__  # of a transfer
        code = _code(cause) if isinstance(cause, ClientError) else ""
        named = f"the bucket {self._bucket}"
        if isinstance(cause, _NO_CREDENTIALS) or code in _CREDENTIALS:
            return StoreError(
                f"{named} needs credentials, and "
                + ("those that were found are not accepted" if code else "none were found"),
                code="bucket_credentials",
                hint="set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE, or use ~/.aws",
            )
        if code == "NoSuchBucket":
            return StoreError(
                f"there is no bucket {self._bucket}", code="bucket_not_found",
                hint="create it, or correct its name, AWS_REGION or AWS_ENDPOINT_URL",
            )  # fmt: skip
        if code in _SKEWED:
            return StoreError(
                f"the clock of this machine and that of {named} differ too much", code="clock_skewed",
                hint="set the clock, by NTP for instance, and try again",
            )  # fmt: skip
        if code in _DENIED:
            return StoreError(
                f"{named} refuses what was asked of it", code="bucket_not_permitted",
                hint="allow s3:ListBucket, s3:GetObject, s3:PutObject and s3:DeleteObject there",
            )  # fmt: skip
        is_cut_off = isinstance(cause, ResponseStreamingError)
        if isinstance(cause, HTTPClientError | NotConnected) and not is_cut_off:
            return StoreError(
                f"{named} cannot be reached", code="bucket_unreachable",
                hint="check the network, AWS_ENDPOINT_URL and AWS_REGION; the store is as it was",
            )  # fmt: skip
        return StoreError(
            f"{named} failed: {code or type(cause).__name__}", code="bucket_failed",
            hint="see the log of the object store; the store is as it was",
        )  # fmt: skip


def _code(error: ClientError) -> str:
    return str(error.response.get("Error", {}).get("Code", ""))
