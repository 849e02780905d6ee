"""Quotes what messages say of an entity that was read from them: their own words, never a copy."""

from __future__ import annotations

import re

from holdfast.core.graph import messages_naming, type_of
from holdfast.core.record import Memory
from holdfast.core.views import View
from holdfast.language.entities.relations import ALSO_CALLED, sentences
from holdfast.stores.base.ports import Reader

Quote = tuple[Memory, int, int]
"""A message, and where the sentence begins and ends that names an entity."""


def quotes_of(reader: Reader, view: View, entity: Memory, *, now: int, limit: int) -> list[Quote]:
    """Returns the sentences of the messages of a view that name an entity, newest first; none if it was not
    read from messages."""
    ids = messages_naming(entity)
    quotes = []
    messages = reader.several(view, ids, now=now) if ids else []
    for message in sorted(messages, key=lambda message: (message.at, message.id), reverse=True):
        name = re.escape(entity.title or entity.text).replace("'", "['’ʼ＇]")
        named = re.search(rf"(?<!\w){name}(?!\w)", message.text, re.IGNORECASE)
        if named is None:  # the message was changed since
            continue
        start, end = next(place for place in sentences(message.text, ()) if named.start() < place[1])
        quotes.append((message, start, end))
        if len(quotes) == limit:
            break
    return quotes


def with_other_names(reader: Reader, view: View, entities: list[Memory], *, now: int) -> list[Memory]:
    """Returns entities with those of which it was said that they are the same under another name."""
    ids = {entity.id for entity in entities}
    links = reader.links(view, list(ids), limit=None, now=now) if ids else []
    same = {end for link in links if type_of(link) == ALSO_CALLED for end in link.about} - ids
    return [*entities, *(reader.several(view, sorted(same), now=now) if same else ())]
