"""`holdfast serve`: the memory as an HTTP service."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from holdfast.cli import output
from holdfast.cli.backup import back_up_on_exit
from holdfast.cli.face import Face, Usage, command, pass_face
from holdfast.config import SHARING
from holdfast.core.extras import how_to_install

if TYPE_CHECKING:
    from holdfast.api.memory import Memory
    from holdfast.http.oidc import Client
    from holdfast.http.tokens import Provider
    from holdfast.mcp.endpoints import Endpoints

NEEDED = ("fastapi", "uvicorn", "jwt", "prometheus_client")


@command()
@click.option(
    "--host", metavar="ADDRESS", default="127.0.0.1", show_default=True, help="The address to listen on."
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=5858,
    show_default=True,
    help="The port; 0 takes a free one.",
)
@click.option("--require-credential", is_flag=True, help="Require a key or token for every request.")
@click.option(
    "--allow-host", "hosts", metavar="NAME", multiple=True, help="A host name that the service answers to."
)
@click.option(
    "--allow-origin",
    "origins",
    metavar="ORIGIN",
    multiple=True,
    help="The origin of a web page that may use the service.",
)
@click.option("--sharing", type=click.Choice(SHARING), help="Whether users may let others see what they keep"
              " (default: the setting of this name).")  # fmt: skip
@click.option("--jwt-issuer", metavar="URL", help="Accept tokens of this issuer.")
@click.option("--jwt-audience", metavar="NAME", help="Accept only tokens for this audience.")
@click.option("--jwt-keys", metavar="FILE|URL", help="The public keys of the issuer (JWKS).")
@click.option("--oidc-issuer", metavar="URL", help="Let people sign in at this OpenID Connect provider.")
@click.option("--oidc-client", metavar="ID", help="The client id of the service at the provider.")
@click.option("--oidc-secret-file", type=click.Path(exists=True, dir_okay=False), metavar="FILE",
              help="The client secret, unless the client is public.")  # fmt: skip
@click.option("--oidc-user", metavar="CLAIM", default="sub", show_default=True,
              help="The claim with the user's name; an `email` has to be verified.")  # fmt: skip
@click.option("--public-url", metavar="URL", help="The address at which browsers reach the service.")
@click.option("--slow", type=click.FloatRange(min=0), metavar="SECONDS", default=0.5, show_default=True,
              help="Log requests that take longer as slow.")  # fmt: skip
@click.option("--rate-limit", type=click.IntRange(min=1), metavar="N",
              help="Maximum number of requests per minute and caller (default: no limit).")  # fmt: skip
@click.option("--open", "open_browser", is_flag=True, help="Open the web interface in a browser.")
@click.option("--no-mcp", is_flag=True, help="Do not serve MCP, which is at /mcp if its extra is installed.")
@click.option("--log-format", type=click.Choice(("text", "json")),
              help="The log format (default: text on a terminal, json otherwise).")  # fmt: skip
@click.option("--workers", type=click.IntRange(1, 64), default=1, show_default=True,
              help="Number of processes that serve requests. SIGHUP replaces two or more.")  # fmt: skip
@click.option("--one-of-several", "is_one", is_flag=True, hidden=True)
@pass_face
def serve(
    face: Face, host: str, port: int, require_credential: bool, hosts: tuple[str, ...],
    origins: tuple[str, ...], sharing: str | None,
    jwt_issuer: str | None, jwt_audience: str | None, jwt_keys: str | None,
    oidc_issuer: str | None, oidc_client: str | None, oidc_secret_file: str | None, oidc_user: str,
    public_url: str | None, slow: float, rate_limit: int | None, open_browser: bool, no_mcp: bool,
    log_format: str | None, workers: int, is_one: bool,
) -> int:  # fmt: skip
    """Serve the memory over HTTP, with its web interface.

    By default only you can use it, on this machine.

    The printed link signs your browser in, and programs on this machine need no password. The OpenAPI
    document is at /openapi.json. `holdfast keys create` makes keys for programs and other people. Any address
    other than the loopback needs --require-credential.
    """
    check_installed()
    from holdfast.cli.browser_link import open_in_browser
    from holdfast.http.observe import log_to_errors
    from holdfast.http.processes import Processes, inherit, report
    from holdfast.http.serve import GRACE_SECONDS, Options, bound, serve

    provider = _provider(jwt_issuer, jwt_audience, jwt_keys)
    if oidc_issuer and oidc_client and public_url is None and port == 0:
        raise Usage("with --port 0 the provider needs --public-url")
    url = public_url or f"http://{host}:{port}"
    client = _sign_in_client(oidc_issuer, oidc_client, url, oidc_secret_file, oidc_user)
    log_json = log_format == "json" if log_format else not sys.stderr.isatty()

    def tell(facts: dict[str, Any]) -> None:
        if face.json:
            output.json({name: value for name, value in facts.items() if name != "user"})
        else:
            _greet(facts, needs_key=require_credential)
        if open_browser:
            open_in_browser(facts["open"])

    if workers > 1 and not is_one:
        log_to_errors(as_json=log_json)
        command = [sys.executable, "-P", "-m", "holdfast", *sys.argv[1:], "--one-of-several"]
        processes = Processes(command, workers, grace_seconds=GRACE_SECONDS + 5)
        return processes.run(bound(host, port), host, tell) or back_up_on_exit(face.settings())
    inherited = inherit() if is_one else None
    mcp_app = None if no_mcp else mcp_beside()

    def started(at: int) -> None:
        url = f"http://[{host}]:{at}" if ":" in host else f"http://{host}:{at}"
        facts = _facts(memory, url, mcp_app, needs_key=require_credential)
        (tell if inherited is None else report)(facts)

    settings = face.settings()
    with face.open(create=True) as memory:
        memory._service.share(sharing or settings.sharing)
        options = Options(
            host, port, require_credential, hosts, origins, provider, client, slow, rate_limit,
            log_json=log_json, mcp_app=mcp_app, workers=settings.index_workers, roots=settings.roots,
            settings=settings, inherited=inherited,
        )  # fmt: skip
        serve(memory._service, options, started=started)
    return 0 if is_one else back_up_on_exit(settings)  # of several processes the parent does it


def _facts(memory: Memory, url: str, mcp_app: Endpoints | None, *, needs_key: bool) -> dict[str, Any]:
    """Returns what the command prints of a service that has started: its addresses, store and user."""
    from holdfast.cli.browser_link import one_time_link
    from holdfast.features.access.browser_sessions import one_time_code

    return {
        "url": url,
        "mcp": None if mcp_app is None else url + mcp_app.paths[0],
        "store": memory.path,
        "user": memory._service.principal.user,
        "open": f"{url}/" if needs_key else one_time_link(url, one_time_code(memory._service)),
    }


def _provider(issuer: str | None, audience: str | None, keys: str | None) -> Provider | None:
    """Returns whose tokens the service accepts; None if nobody's. Raises Usage for a part of it."""
    from holdfast.http.tokens import Provider

    if issuer and audience and keys:
        return Provider(issuer, audience, keys)
    if issuer or audience or keys:
        raise Usage("--jwt-issuer, --jwt-audience and --jwt-keys go together")
    return None


def _sign_in_client(
    issuer: str | None, client_id: str | None, url: str, secret_file: str | None, user_claim: str
) -> Client | None:
    """Returns how people sign in at a provider; None if they do not. Raises Usage for a part of it."""
    from holdfast.http.oidc import Client

    if issuer and client_id:
        secret = Path(secret_file).read_text("utf-8").strip() if secret_file else None
        return Client(issuer, client_id, url, secret, user_claim)
    if issuer or client_id or secret_file:
        raise Usage("--oidc-issuer and --oidc-client go together")
    return None


def _greet(facts: dict[str, Any], *, needs_key: bool) -> None:
    """Prints where the service is, how to sign in and how to end it."""
    url, link = facts["url"], facts["open"]
    output.done(f"Serving {facts['store']} at {url} (end with Ctrl-C)")
    key = "with a key: `Authorization: Bearer KEY` (`holdfast keys create` creates one)"
    lines = {
        "open": f"{link}" + ("" if needs_key else "  (works once, within 5 minutes; then `holdfast open`)"),
        "API": f"{url}/openapi.json describes every call",
        "MCP": facts["mcp"] or f"not here: {how_to_install('mcp')}",
        "sign in": key if needs_key else f"not needed from this machine; others {key}",
    }
    for name, value in lines.items():
        output.say(f"  {name:<8}{value}")


def mcp_beside() -> Endpoints | None:
    """Returns MCP for this service, or None if its extra is not installed."""
    from importlib.util import find_spec

    if find_spec("mcp") is None:
        return None
    from holdfast.mcp.endpoints import Endpoints

    return Endpoints()


def check_installed() -> None:
    """Raises HoldfastError `extra_missing` where the packages of the service are not there."""
    from importlib.util import find_spec

    from holdfast.core.errors import HoldfastError

    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise HoldfastError(
            f"the service needs {', '.join(missing)}",
            code="extra_missing",
            hint=how_to_install("server"),
        )
