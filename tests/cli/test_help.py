"""Help helps: each list of commands says in a whole sentence what each does."""

from __future__ import annotations

from collections.abc import Iterator

import click

from holdfast.cli.main import cli

LONGEST = 110
"""Characters of a sentence that still reads at a glance: a line and a half of a terminal."""


def _groups(group: click.Group, context: click.Context) -> Iterator[tuple[click.Group, click.Context]]:
    yield group, context
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from _groups(command, click.Context(command, info_name=name, parent=context))


def test_a_list_of_commands_says_in_whole_sentences_what_each_does() -> None:
    groups = list(_groups(cli, click.Context(cli, info_name="holdfast")))
    assert len(groups) >= 20
    for group, context in groups:
        words = " ".join(group.get_help(context).split())
        for name in group.list_commands(context):
            command = group.get_command(context, name)
            assert command is not None
            sentence = command.get_short_help_str(limit=1_000)
            assert sentence.endswith("."), (context.command_path, name, sentence)
            assert len(sentence) <= LONGEST, (context.command_path, name, sentence)
            assert f"{name} {sentence}" in words, (context.command_path, name)
