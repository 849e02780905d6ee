"""The server: passes requests of the SDK to tools, resources and prompts, and returns errors as results."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, TypeVar

import anyio.to_thread
import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from holdfast import __version__
from holdfast.core.arguments import safe_repr
from holdfast.core.errors import AccessDenied, Conflict, HoldfastError
from holdfast.mcp import prompts, resources
from holdfast.mcp.connection import Connection
from holdfast.mcp.consent import ask_person
from holdfast.mcp.lines import Lines
from holdfast.mcp.profiles import Profile
from holdfast.mcp.tools import ClientContext, Tool, question_of, run_tool, without_descriptions

Context = ServerRequestContext[Any, Any]
Result = TypeVar("Result")

ROOTS_TIMEOUT = 5.0
"""Seconds that a client has to list its folders."""
ERROR_META = "holdfast/error"
"""Key of the code, message and hint of a failed call, for programs."""


class Handlers:
    """The handlers for the requests of one server. Calls of the memory block, so they run in threads.

    `connection_of` returns the connection of a request, which authorizes its operations.
    """

    def __init__(self, profile: Profile, connection_of: Callable[[Context], Connection]) -> None:
        self._connection_of = connection_of
        self._tools = {tool.name: tool for tool in profile.tools}
        self._prompts = {prompt.name: prompt for prompt in prompts.PROMPTS}

    async def list_tools(self, context: Context, _: object) -> types.ListToolsResult:
        connection = self._connection_of(context)
        return types.ListToolsResult(
            tools=[_tool(tool) for tool in self._tools.values() if _is_for(connection, tool)]
        )

    async def call_tool(
        self, context: Context, params: types.CallToolRequestParams
    ) -> types.CallToolResult | types.InputRequiredResult:
        tool = self._tools.get(params.name)
        if tool is None:
            raise MCPError(types.INVALID_PARAMS, f"there is no tool {safe_repr(params.name, 100)}")
        connection = self._connection_of(context)
        question = await self._locate(connection, context, params)
        if question is not None:
            return question
        try:
            connection.allow(tool.operations)
            call = (connection.memory, connection.client, params.arguments or {})
            consent = await anyio.to_thread.run_sync(question_of, tool, *call)
            if consent is not None:
                question = await ask_person(context, params, consent)
                if question is not None:
                    return question
                if await anyio.to_thread.run_sync(question_of, tool, *call) != consent:
                    raise Conflict("the memory changed while the user was asked", code="changed_meanwhile")
                call = (lambda: connection.memory().with_consent(), *call[1:])
            with connection.room_for(tool.name) as results:
                result = await anyio.to_thread.run_sync(run_tool, tool, *call)
                results.append(result)
        except HoldfastError as error:
            return _failed(connection.visible_error(error))
        return types.CallToolResult(content=[*_warning(connection), _text(result)], structured_content=result)

    async def list_resources(self, context: Context, _: object) -> types.ListResourcesResult:
        connection = self._connection_of(context)
        client = await self._client_context(connection, context)
        resources_found = await _ask(
            connection, "projects.list", lambda: resources.resources_of(connection.memory(), client)
        )
        listed = [
            types.Resource(
                uri=resource.uri, name=resource.name, title=resource.title, description=resource.description,
                mime_type=resources.MIME,
            )
            for resource in resources_found
        ]  # fmt: skip
        return types.ListResourcesResult(resources=listed)

    async def list_templates(self, _: Context, __: object) -> types.ListResourceTemplatesResult:
        listed = [
            types.ResourceTemplate(
                uri_template=template.uri, name=template.name, title=template.title,
                description=template.description, mime_type=resources.MIME,
            )
            for template in resources.TEMPLATES
        ]  # fmt: skip
        return types.ListResourceTemplatesResult(resource_templates=listed)

    async def read_resource(
        self, context: Context, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult | types.InputRequiredResult:
        connection = self._connection_of(context)
        question = await self._locate(connection, context, params)
        if question is not None:
            return question
        text = await _ask(
            connection, "get", lambda: resources.read(connection.memory(), params.uri, connection.client)
        )
        content = types.TextResourceContents(uri=params.uri, mime_type=resources.MIME, text=text)
        return types.ReadResourceResult(contents=[content])

    async def complete(self, context: Context, params: types.CompleteRequestParams) -> types.CompleteResult:
        values: list[str] = []
        if params.argument.name == "project":
            connection, beginning = self._connection_of(context), params.argument.value
            client = await self._client_context(connection, context)
            values = await _ask(
                connection,
                "projects.list",
                lambda: resources.projects_like(connection.memory(), client, beginning),
            )
        return types.CompleteResult(completion=types.Completion(values=values))

    async def list_prompts(self, _: Context, __: object) -> types.ListPromptsResult:
        listed = [
            types.Prompt(
                name=prompt.name,
                title=prompt.title,
                description=prompt.description,
                arguments=[
                    types.PromptArgument(name=name, description=meaning, required=True)
                    for name, meaning in prompt.arguments
                ],
            )
            for prompt in self._prompts.values()
        ]
        return types.ListPromptsResult(prompts=listed)

    async def get_prompt(
        self, context: Context, params: types.GetPromptRequestParams
    ) -> types.GetPromptResult | types.InputRequiredResult:
        prompt = self._prompts.get(params.name)
        if prompt is None:
            raise MCPError(types.INVALID_PARAMS, f"there is no prompt {safe_repr(params.name, 100)}")
        connection, arguments = self._connection_of(context), params.arguments
        question = await self._locate(connection, context, params)
        if question is not None:
            return question
        text = await _ask(
            connection,
            "recall",
            lambda: prompts.render(prompt, connection.memory, connection.client, arguments),
        )
        message = types.PromptMessage(role="user", content=types.TextContent(type="text", text=text))
        return types.GetPromptResult(description=prompt.description, messages=[message])

    async def roots_changed(self, context: Context, _: object) -> None:
        self._connection_of(context).forget_roots()

    async def _client_context(self, connection: Connection, context: Context) -> ClientContext | None:
        """Returns the client with its place; None if that is not known yet and a result cannot ask for it."""
        question = await self._locate(connection, context)
        return connection.client if question is None else None

    @staticmethod
    async def _locate(
        connection: Connection, context: Context, params: types.InputResponseRequestParams | None = None
    ) -> types.InputRequiredResult | None:
        """Asks the client once for its folders, before it is told or does anything.

        This is a request to the client or, since the protocol of 2026-07-28, a question in the result that
        the client answers with its next attempt.
        """
        if connection.is_placed:
            return None
        can = context.session.client_capabilities
        if can is None or can.roots is None:
            await anyio.to_thread.run_sync(connection.set_roots, ())
            return None
        if context.protocol_version in MODERN_PROTOCOL_VERSIONS:
            response = (params.input_responses or {}).get("roots") if params is not None else None
            if response is None:
                return types.InputRequiredResult(input_requests={"roots": types.ListRootsRequest()})
            roots = response.roots if isinstance(response, types.ListRootsResult) else []
        else:
            try:
                response_roots = await context.session.send_request(
                    types.ListRootsRequest(), types.ListRootsResult, ROOTS_TIMEOUT
                )
            except MCPError:  # a client that offers roots but does not list them has no place
                response_roots = types.ListRootsResult(roots=[])
            roots = response_roots.roots
        await anyio.to_thread.run_sync(connection.set_roots, [str(root.uri) for root in roots])
        return None


def build(profile: Profile, connection_of: Callable[[Context], Connection], place_note: str) -> Server[Any]:
    """Returns a server of the SDK that offers a profile.

    `place_note` tells the model its project, as far as that is known when a client connects.
    """
    handlers = Handlers(profile, connection_of)
    server: Server[Any] = Server(
        "holdfast",
        version=__version__,
        title="Holdfast",
        instructions=f"{profile.instructions} {place_note}",
        on_list_tools=handlers.list_tools,
        on_call_tool=handlers.call_tool,
        on_list_resources=handlers.list_resources,
        on_list_resource_templates=handlers.list_templates,
        on_read_resource=handlers.read_resource,
        on_list_prompts=handlers.list_prompts,
        on_get_prompt=handlers.get_prompt,
        on_completion=handlers.complete,
    )
    server.add_notification_handler(
        "notifications/roots/list_changed", types.NotificationParams, handlers.roots_changed
    )
    return server


async def serve_stdio(profile: Profile, connection: Connection) -> None:
    """Serves one client over standard input and output until it closes them."""
    server = build(profile, lambda _: connection, connection.place_note)
    lines = Lines()
    async with stdio_server(lines) as (incoming, outgoing):
        lines.send = outgoing.send
        await server.run(incoming, outgoing, server.create_initialization_options())


def _tool(tool: Tool) -> types.Tool:
    """Returns a tool as MCP describes it."""
    hints = types.ToolAnnotations(
        title=tool.title,
        read_only_hint=tool.reads,
        destructive_hint=tool.destroys,
        idempotent_hint=tool.repeatable or tool.reads,
        open_world_hint=False,
    )
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=tool.input,
        output_schema=without_descriptions(tool.output),
        annotations=hints,
    )


def _failed(error: HoldfastError) -> types.CallToolResult:
    """Returns a failed call as a result that a model can act on: the stable code, the message and the
    hint."""
    hint = f" Hint: {error.hint}." if error.hint else ""
    text = types.TextContent(type="text", text=f"{error.code}: {error.message}.{hint}")
    return types.CallToolResult(content=[text], is_error=True, _meta={ERROR_META: error.as_dict()})


def _warning(connection: Connection) -> list[types.TextContent]:
    """Returns what tells that the store has lost history, if it has."""
    lost = connection.memory().lost
    if lost is None:
        return []
    text = f"Warning: {lost}. Answers may lack what was kept; tell the user to run `holdfast doctor`."
    return [types.TextContent(type="text", text=text)]


def _text(result: dict[str, Any]) -> types.TextContent:
    """Returns the result as JSON text, whose strings no memory can break out of."""
    return types.TextContent(type="text", text=json.dumps(result, ensure_ascii=False))


def _is_for(connection: Connection, tool: Tool) -> bool:
    """Returns whether a connection may use a tool."""
    try:
        connection.allow(tool.operations)
    except AccessDenied:
        return False
    return True


async def _ask(connection: Connection, operation: str, call: Callable[[], Result]) -> Result:
    """Runs an allowed call of the memory in a thread; its errors become errors of the protocol."""
    try:
        connection.allow((operation,))
        return await anyio.to_thread.run_sync(call)
    except HoldfastError as error:
        error = connection.visible_error(error)
        code = types.INTERNAL_ERROR if error.exit_status >= 5 else types.INVALID_PARAMS
        raise MCPError(code, f"{error.code}: {error.message}", error.as_dict()) from None
