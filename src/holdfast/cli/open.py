"""`holdfast open`: the web interface in a browser, signed in."""

from __future__ import annotations

import click

from holdfast.cli.browser_link import one_time_link, open_in_browser
from holdfast.cli.face import Face, command
from holdfast.core.errors import StoreError

TIMEOUT = 5.0


@command("open")
@click.option("--port", type=click.IntRange(1, 65535), default=5858, show_default=True,
              help="The port of the service on this machine.")  # fmt: skip
@click.option("--no-browser", is_flag=True, help="Only print the link.")
@click.pass_context
def open_(context: click.Context, port: int, no_browser: bool) -> None:
    """Open the web interface, signed in as you.

    The link works once, within five minutes. If no service is running on this machine, it starts one, as
    `holdfast serve --open` does. After `holdfast login https://…` it opens the team's service, which asks for
    your key.
    """
    from holdfast import config
    from holdfast.cli.serve import check_installed, serve

    face = context.ensure_object(Face)
    store = face.settings().store
    if config.is_service(store):
        _show(face, store.rstrip("/") + "/", no_browser=no_browser)
        return
    check_installed()
    url = f"http://127.0.0.1:{port}"
    link = link_of(url)
    if link is None:
        context.invoke(serve, port=port, open_browser=not no_browser)
    else:
        _show(face, link, no_browser=no_browser)


def link_of(url: str) -> str | None:
    """Returns a link that opens a running service, with a one-time code if it lets whoever is on this machine
    in; None if none runs. Raises StoreError `service_answer_invalid`."""
    import httpx

    try:
        with httpx.Client(timeout=TIMEOUT, trust_env=False) as client:
            response = client.post(f"{url}/auth/link", json={})
    except httpx.ConnectError:
        return None
    except httpx.HTTPError as error:
        raise StoreError(f"{url} does not answer", code="service_unreachable") from error
    if response.status_code == 200:
        return one_time_link(url, response.json()["code"])
    if "x-request-id" in response.headers and response.status_code in (401, 403):
        return url + "/"
    raise StoreError(
        f"{url} is not a Holdfast service of this version", code="service_answer_invalid", hint="--port PORT"
    )


def _show(face: Face, link: str, *, no_browser: bool) -> None:
    is_open = not no_browser and open_in_browser(link)
    line = "Opened the web interface in your browser." if is_open else f"Open {link}"
    again = "The link works once, within five minutes. `holdfast open` prints a new one."
    face.done({"url": link, "opened": is_open}, line, *([again] if "#" in link and not is_open else []))
