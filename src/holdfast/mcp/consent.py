"""Consent: a tool that would take away what a person wrote asks that person, through the client."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import mcp_types as types
from mcp.shared.exceptions import MCPError
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from holdfast.core.errors import Refusal

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext

    from holdfast.mcp.tools import Question

PATIENCE = 300.0
"""Seconds that a person has to answer."""
KEY = "consent"
"""How the name of a question begins among those that a client answers with its next attempt. What the
question is about follows, so that the answer to another one is none to it."""


async def ask_person(
    context: ServerRequestContext[Any, Any], params: types.CallToolRequestParams, question: Question
) -> types.InputRequiredResult | None:
    """Asks the user of a client whether a call may go on; returns a result that asks, since the protocol of
    2026-07-28, or None once they agreed. Raises Refusal `person_needed` if they do not, or cannot be asked.
    """
    can = context.session.client_capabilities
    if can is None or can.elicitation is None or _takes_links_only(can.elicitation):
        raise Refusal(
            "a person wrote this memory, and only a person takes it away",
            code="person_needed",
            hint="tell the user what is wrong with it; `holdfast forget ID` removes it",
        )
    request = types.ElicitRequest(
        params=types.ElicitRequestFormParams(
            message=question.text, requested_schema={"type": "object", "properties": {}}
        )
    )
    response: object
    if context.protocol_version in MODERN_PROTOCOL_VERSIONS:
        key = f"{KEY} {question.subject}"
        response = (params.input_responses or {}).get(key)
        if response is None:
            return types.InputRequiredResult(input_requests={key: request})
    else:
        try:
            response = await context.session.send_request(request, types.ElicitResult, PATIENCE)
        except MCPError:  # a client that offers to ask but does not, or nobody who answers
            response = None
    if not isinstance(response, types.ElicitResult) or response.action != "accept":
        raise Refusal(
            "the user did not agree that this memory is taken away",
            code="person_needed",
            hint="leave it as it is, unless the user says otherwise",
        )
    return None


def _takes_links_only(elicitation: types.ElicitationCapability) -> bool:
    """Returns whether a client opens addresses and shows no questions; one that names neither shows them."""
    return elicitation.form is None and elicitation.url is not None
