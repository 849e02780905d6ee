"""Addresses of models: what may be named, and which machine a name leads to when it is called."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Collection
from urllib.parse import urlsplit

from holdfast.core.arguments import safe_repr
from holdfast.core.errors import AccessDenied, HoldfastError, InvalidInput

URL_MAX = 500
LOCAL = frozenset({"localhost", "127.0.0.1", "::1"})


def checked_url(url: object) -> str:
    """Returns an address of a model in canonical form. Raises InvalidInput `model_address_invalid`.

    Content is sent there, so that only this machine and private networks are reached without encryption.
    """
    hint = "an address such as https://api.example.com/v1, or http://localhost:11434/v1 on this machine"
    if not isinstance(url, str) or not url.isprintable() or len(url) > URL_MAX or " " in url:
        raise InvalidInput("the address of a model is not usable", code="model_address_invalid", hint=hint)
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        parts, port = urlsplit(""), None
    host = parts.hostname or ""
    if parts.scheme not in ("http", "https") or not host or port == 0:
        raise InvalidInput(
            f"{safe_repr(url)} is not the address of a model", code="model_address_invalid", hint=hint
        )
    if parts.username is not None or parts.query or parts.fragment:
        raise InvalidInput(
            "the address of a model holds no password, query or fragment", code="model_address_invalid",
            hint="keys are kept apart: `holdfast models key NAME`",
        )  # fmt: skip
    if parts.scheme == "http" and host not in LOCAL and not _is_private(host):
        raise InvalidInput(
            "content is sent to other machines only encrypted", code="model_address_invalid", hint="https://…"
        )
    return parts._replace(netloc=parts.netloc.lower(), path=parts.path.rstrip("/")).geturl()


def origin_of(url: str) -> str:
    """Returns scheme, host and port of an address: what a key belongs to."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.lower()}"


def check_allowed(url: str, allowed: Collection[str]) -> None:
    """Raises AccessDenied `model_address_refused` for an address that the operator of a service has not
    listed: its users must not make it call machines that only it can reach."""
    if origin_of(url) not in {origin_of(allowed_url) for allowed_url in allowed}:
        raise AccessDenied(
            "this service may not call that address", code="model_address_refused",
            hint="its operator lists it in the setting model_addresses, or adds the model beside the store",
        )  # fmt: skip


def resolved(host: str, port: int) -> list[str]:
    """Returns the IP addresses to call a host by. They are resolved once, so that what was checked is what is
    called.

    Raises HoldfastError `model_unreachable` for an unknown host, AccessDenied `model_address_refused` for one
    that leads to where credentials of the machine itself are served (link-local addresses), or nowhere.
    """
    try:
        results = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError:
        raise HoldfastError(
            f"the host {safe_repr(host)} is not known",
            code="model_unreachable",
            hint="check address and network",
        ) from None
    addresses = list(dict.fromkeys(str(address[4][0]) for address in results))
    for ip in addresses:
        address = ipaddress.ip_address(ip.partition("%")[0])
        mapped = getattr(address, "ipv4_mapped", None) or address
        is_no_host = mapped.is_link_local or mapped.is_multicast or mapped.is_unspecified
        if is_no_host or (host in LOCAL and not mapped.is_loopback):
            raise AccessDenied(
                f"{safe_repr(host)} resolves to an address that is not a model's",
                code="model_address_refused", hint="link-local and multicast addresses are never called",
            )  # fmt: skip
    return addresses


def _is_private(host: str) -> bool:
    """Returns whether a host is an IP address of a private network."""
    try:
        return ipaddress.ip_address(host).is_private
    except ValueError:
        return False
