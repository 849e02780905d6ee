"""Rules of a project that news ends: pairs of an older rule and what is said later."""

from __future__ import annotations

from holdfast.language.statements.standing import rules_contradict

ENDED = (
    ("Install packages with yarn.", "We moved from yarn to pnpm, yarn.lock shouldn't even exist any more"),
    ("Settings live in nginx/default.conf.", "Default.conf is dead, what's deployed is nginx/edge.conf"),
    ("The partner API will move to gRPC.", "We stay on REST for the partner API, gRPC is off the table"),
    ("Python 3.9 must be supported.", "Keep the Python 3.9 support? 3.11 is the minimum now"),
    ("Variable names are in German.", "Variable names are in English from now on"),
    ("Pull requests are opened against main.", "Pull requests are now opened against develop"),
    ("Deployments go through Jenkins.", "Deployments no longer go through Jenkins, they go through GitHub"),
    ("Die Doku liegt in docs/.", "Die Doku liegt jetzt in handbook/"),
    ("Errors are reported to Sentry.", "Errors are reported to Rollbar now"),
)
BOTH_HOLD = (
    ("Tests run with pytest.", "Tests run in parallel now"),
    ("The API runs on port 8000.", "The worker runs on port 9000 now"),
    ("The docs are built with mkdocs.", "The wheel is built with hatch now"),
    ("Migrations are written in SQL.", "Migrations are reviewed in pairs now"),
    ("Code comments are in German.", "Variable names are in English from now on"),
    ("Node 20 is required.", "Python 3.11 is the minimum now"),
    ("Errors are reported to Sentry.", "Errors should be reported to Rollbar if it is up now"),
    ("Internal services talk over gRPC.", "We stay on REST for the partner API, gRPC is off the table"),
)


def test_news_of_another_value_ends_a_rule_and_news_of_something_else_does_not() -> None:
    assert [pair for pair in ENDED if not rules_contradict(*pair)] == []
    assert [pair for pair in BOTH_HOLD if rules_contradict(*pair)] == []
