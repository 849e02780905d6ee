"""`holdfast entities`: things that are talked about, what is known of them, how they are related."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from holdfast.cli import output
from holdfast.cli.face import (
    REFUSED,
    Face,
    ask,
    listing_group,
    pass_face,
    project_option,
    yes_option,
)
from holdfast.cli.places import note_missing, with_project
from holdfast.cli.remember import print_outcome

if TYPE_CHECKING:
    from holdfast.core.graph import Entity, Relation
    from holdfast.core.record import Kept


def _types(_: click.Context, __: click.Parameter, incomplete: str) -> list[str]:
    from holdfast.core.graph import ENTITY_TYPES

    return [name for name in ENTITY_TYPES if name.startswith(incomplete)]


_type = click.option(
    "--type", metavar="TYPE", shell_complete=_types, help="The type, such as person or technology."
)


@listing_group()
def entities() -> None:
    """List, create, relate and delete entities. ENTITY is a name or an id."""


@entities.command("list", operation="entities.list")
@_type
@project_option
@pass_face
def list_(face: Face, limit: int, **options: Any) -> None:
    """List the entities of a place, newest first."""
    with face.open() as memory:
        page = memory.entities.list(limit=limit, **with_project(memory, options))
        note_missing(memory, options, page.entities)
    if face.json:
        output.json(page.as_dict())
        return
    _table(page.entities)
    if page.cursor:
        output.note(f"More: holdfast entities list --cursor {page.cursor}")


@entities.command(operation="entities.create", leave_out=("source",))
@click.argument("name")
@_type
@project_option
@pass_face
def create(face: Face, name: str, type: str | None, **options: Any) -> int:
    """Create an entity, or change the notes of an existing one."""
    with face.open(create=True) as memory:
        return _print_kept(
            face, memory.entities.create(name, type or "concept", **with_project(memory, options))
        )


@entities.command(operation="entities.get")
@click.argument("entity")
@_type
@project_option
@pass_face
def show(face: Face, entity: str, type: str | None, **place: Any) -> None:
    """Show an entity with its observations and relations."""
    with face.open() as memory:
        note_missing(memory, place)
        record = memory.entities.get(entity, type=type, **with_project(memory, place))
        graph = memory.entities.neighbourhood(record.id)
    if face.json:
        output.json({**record.as_dict(), "relations": [relation.as_dict() for relation in graph.relations]})
        return
    output.say(f"{record.name} ({record.type or 'no type'})", bold=True)
    output.say(f"  {record.id}", dim=True)
    if record.notes:
        output.say(output.wrapped(record.notes, 2))
    for observation in record.observations:
        output.say(f"  - {output.one_line(observation.text)}")
    _lines(graph.relations)


@entities.command(operation="entities.search")
@click.argument("query")
@_type
@project_option
@pass_face
def search(face: Face, query: str, limit: int, **options: Any) -> None:
    """Find entities by their names, notes, observations and relations, best first."""
    with face.open() as memory:
        matches = memory.entities.search(query, limit=limit, **with_project(memory, options))
        note_missing(memory, options, matches)
    if face.json:
        output.json({"entities": [entity.as_dict() for entity in matches]})
    else:
        _table(matches)


@entities.command(operation="entities.observe")
@click.argument("entity")
@click.argument("texts", nargs=-1, required=True)
@_type
@project_option
@pass_face
def observe(face: Face, entity: str, texts: tuple[str, ...], **options: Any) -> int:
    """Store observations about an entity: each of TEXTS becomes a separate memory."""
    with face.open() as memory:
        results = memory.entities.observe(entity, texts, **with_project(memory, options))
    if face.json:
        output.json({"results": [result.as_dict() for result in results]})
    else:
        for result in results:
            print_outcome(result)
    return REFUSED if any(result.outcome.value == "refused" for result in results) else 0


@entities.command(operation="entities.unobserve")
@click.argument("entity")
@click.argument("texts", nargs=-1, required=True)
@_type
@project_option
@yes_option
@pass_face
def unobserve(face: Face, entity: str, texts: tuple[str, ...], hard: bool, yes: bool, **options: Any) -> None:
    """Forget observations by their texts, or erase them permanently with --hard."""
    with face.open() as memory:
        if hard:
            ask(f"Erase {output.pluralize(len(texts), 'observation')} of {entity} for good?", yes)
        count = memory.entities.unobserve(entity, texts, hard=hard, **with_project(memory, options))
    line = f"{'Erased' if hard else 'Forgotten'}: {output.pluralize(count, 'observation')}"
    face.done({"observations": count, "hard": hard}, line)


@entities.command(operation="entities.relate")
@click.argument("subject")
@click.argument("type")
@click.argument("target")
@project_option
@pass_face
def relate(face: Face, subject: str, type: str, target: str, **options: Any) -> int:
    """Store a relation between two entities, as in `holdfast entities relate Ada works_at Acme`."""
    with face.open() as memory:
        return _print_kept(
            face, memory.entities.relate(subject, type, target, **with_project(memory, options))
        )


@entities.command(operation="entities.unrelate")
@click.argument("subject")
@click.argument("type")
@click.argument("target")
@project_option
@yes_option
@pass_face
def unrelate(face: Face, subject: str, type: str, target: str, hard: bool, yes: bool, **place: Any) -> None:
    """Forget a relation, or erase it permanently with --hard."""
    with face.open() as memory:
        if hard:
            ask(f"Erase the relation {subject} {type} {target} for good?", yes)
        count = memory.entities.unrelate(subject, type, target, hard=hard, **with_project(memory, place))
    line = f"{'Erased' if hard else 'Forgotten'}: {output.pluralize(count, 'relation')}"
    face.done({"relations": count, "hard": hard}, line)


@entities.command("neighbourhood", operation="entities.neighbourhood")
@click.argument("entities", nargs=-1, required=True)
@project_option
@pass_face
def neighbourhood(face: Face, entities: tuple[str, ...], limit: int, **place: Any) -> None:
    """Show entities with all entities that are one relation away."""
    with face.open() as memory:
        note_missing(memory, place)
        graph = memory.entities.neighbourhood(entities, limit=limit, **with_project(memory, place))
    if face.json:
        output.json(graph.as_dict())
        return
    _table(graph.entities)
    _lines(graph.relations)
    if graph.truncated:
        output.note("There are more relations: raise --limit")


@entities.command(operation="entities.delete")
@click.argument("entity")
@_type
@project_option
@yes_option
@pass_face
def delete(
    face: Face, entity: str, type: str | None, hard: bool, reason: str | None, yes: bool, **place: Any
) -> None:
    """Forget an entity with its observations and relations, or erase them permanently with --hard."""
    with face.open() as memory:
        record = memory.entities.get(entity, type=type, **with_project(memory, place))
        if hard:
            ask(f"Erase {record.name!r} and all that speaks of it for good?", yes)
        memory.entities.delete(record.id, hard=hard, reason=reason)
    result = {"id": record.id, "forgotten": True, "hard": hard}
    if hard:
        face.done(result, f"Erased: {record.name}, with its observations and relations")
    else:
        again = f"Undo: holdfast restore {record.id}"
        face.done(result, f"Forgotten: {record.name}, with its observations and relations", again)


def _print_kept(face: Face, result: Kept) -> int:
    """Prints the outcome of a change and returns the exit status: `REFUSED` for a refusal, otherwise 0."""
    if face.json:
        output.json(result.as_dict())
    else:
        print_outcome(result)
    return REFUSED if result.outcome.value == "refused" else 0


def _table(entities: Any) -> None:
    """Prints entities as a table, or how to create one if there are none."""
    if not entities:
        output.say("There are no entities here.")
        output.note("Create one: holdfast entities create NAME --type TYPE")
        return
    output.table(("entity", "type", "mentions", "id"), [_row(entity) for entity in entities])


def _row(entity: Entity) -> tuple[str, ...]:
    return output.one_line(entity.name, 40), entity.type or "", f"{entity.mentions:,}", entity.id


def _lines(relations: tuple[Relation, ...]) -> None:
    for relation in relations:
        output.say(f"  {relation.subject.name} → {relation.type} → {relation.target.name}")
