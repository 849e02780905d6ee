"""Links that open the web interface, and opening them in a browser."""

from __future__ import annotations


def one_time_link(url: str, code: str) -> str:
    """Returns the link with a code: after `#`, so that no log and no other site ever sees it."""
    return f"{url}/#open={code}"


def open_in_browser(link: str) -> bool:
    """Opens a link in a browser with windows. Returns whether there is one."""
    import webbrowser

    try:
        browser = webbrowser.get()
    except webbrowser.Error:
        return False
    is_of_terminals = isinstance(browser, webbrowser.GenericBrowser) and not isinstance(
        browser, webbrowser.BackgroundBrowser
    )
    return not is_of_terminals and browser.open(link)
