"""`holdfast serve`: the memory as an HTTP service."""

from __future__ import annotations

import click

from holdfast.cli import output
from holdfast.cli.face import Face, Usage, command, pass_face

NEEDED = ("fastapi", "uvicorn", "jwt", "prometheus_client")


@command()
@click.option("--host", metavar="ADDRESS", default="127.0.0.1", show_default=True, help="Where to listen.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=5858, show_default=True, help="0 takes a free one."
)
@click.option("--require-credential", is_flag=True, help="Let nobody in without a key or token.")
@click.option(
    "--allow-host", "hosts", metavar="NAME", multiple=True, help="A name that the service answers to."
)
@click.option(
    "--allow-origin", "origins", metavar="ORIGIN", multiple=True, help="A web page that may use the service."
)
@click.option("--jwt-issuer", metavar="URL", help="Accept tokens of this issuer.")
@click.option("--jwt-audience", metavar="NAME", help="Only tokens made for this audience.")
@click.option("--jwt-keys", metavar="FILE|URL", help="The public keys of the issuer (JWKS).")
@click.option("--slow", type=click.FloatRange(min=0), metavar="SECONDS", default=0.5, show_default=True,
              help="Requests that take longer are logged as slow.")  # fmt: skip
@pass_face
def serve(
    face: Face, host: str, port: int, require_credential: bool, hosts: tuple[str, ...],
    origins: tuple[str, ...], jwt_issuer: str | None, jwt_audience: str | None, jwt_keys: str | None,
    slow: float,
) -> None:  # fmt: skip
    """Serve the memory over HTTP: by default for you alone, on this machine, without a password.

    The OpenAPI document is at /openapi.json. Keys for programs and other people: `holdfast keys create`. Any
    address but the loopback needs --require-credential.
    """
    _check_installed()
    from holdfast.http.serve import Options, serve
    from holdfast.http.tokens import Provider

    given = (jwt_issuer, jwt_audience, jwt_keys)
    provider = None
    if any(given):
        if not (jwt_issuer and jwt_audience and jwt_keys):
            raise Usage("--jwt-issuer, --jwt-audience and --jwt-keys go together")
        provider = Provider(jwt_issuer, jwt_audience, jwt_keys)

    def started(at: int) -> None:
        shown = f"[{host}]" if ":" in host else host
        if face.json:
            output.json({"url": f"http://{shown}:{at}", "store": memory.path})
        else:
            output.done(f"Serving {memory.path} at http://{shown}:{at} (end with Ctrl-C)")

    with face.open(create=True) as memory:
        options = Options(host, port, require_credential, hosts, origins, provider, slow)
        serve(memory._service, options, started=started)


def _check_installed() -> None:
    from importlib.util import find_spec

    from holdfast.domain.errors import HoldfastError

    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise HoldfastError(
            f"the service needs {', '.join(missing)}",
            code="extra_missing",
            hint="pip install 'holdfast[server]'",
        )
