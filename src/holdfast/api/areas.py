"""Areas of `Memory`, each created on first access."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from holdfast.api.operation import Area

if TYPE_CHECKING:
    from holdfast.api.agents import Agents
    from holdfast.api.audit import Audit
    from holdfast.api.backups import Backups
    from holdfast.api.consents import Consents
    from holdfast.api.described import Described
    from holdfast.api.entities import Entities
    from holdfast.api.facts import Facts
    from holdfast.api.folders import Folders
    from holdfast.api.jobs import Jobs
    from holdfast.api.keys import Keys
    from holdfast.api.maps import Maps
    from holdfast.api.members import Members
    from holdfast.api.models import Models
    from holdfast.api.projects import Projects
    from holdfast.api.retention import Retention
    from holdfast.api.review import Review
    from holdfast.api.sessions import Sessions
    from holdfast.api.sources import Sources


class Areas(Area):
    """The areas of a memory: `Memory.projects`, `Memory.sessions` and so on, over its backend."""

    @cached_property
    def projects(self) -> Projects:
        """Returns the projects area: isolated places for sessions and memories."""
        from holdfast.api.projects import Projects

        return Projects(self._backend)

    @cached_property
    def sessions(self) -> Sessions:
        """Returns the sessions area: conversations of the user."""
        from holdfast.api.sessions import Sessions

        return Sessions(self._backend)

    @cached_property
    def sources(self) -> Sources:
        """Returns the sources area: import batches of the user."""
        from holdfast.api.sources import Sources

        return Sources(self._backend)

    @cached_property
    def described(self) -> Described:
        """Returns the described area: files and databases whose content is described and kept current."""
        from holdfast.api.described import Described

        return Described(self._backend)

    @cached_property
    def folders(self) -> Folders:
        """Returns the folders area: folders whose files are indexed and connected to projects."""
        from holdfast.api.folders import Folders

        return Folders(self._backend)

    @cached_property
    def entities(self) -> Entities:
        """Returns the entity graph: entities, observations about them, and relations between them."""
        from holdfast.api.entities import Entities

        return Entities(self._backend)

    @cached_property
    def jobs(self) -> Jobs:
        """Returns the jobs area: background jobs of the user."""
        from holdfast.api.jobs import Jobs

        return Jobs(self._backend)

    @cached_property
    def facts(self) -> Facts:
        """Returns the facts area: ranked lists and single preferences that the user stated."""
        from holdfast.api.facts import Facts

        return Facts(self._backend)

    @cached_property
    def maps(self) -> Maps:
        """Returns the module maps area: the modules of each project's codebase and their files."""
        from holdfast.api.maps import Maps

        return Maps(self._backend)

    @cached_property
    def members(self) -> Members:
        """Returns the members area: users of the tenant and their roles."""
        from holdfast.api.members import Members

        return Members(self._backend)

    @cached_property
    def keys(self) -> Keys:
        """Returns the keys area: API keys for the HTTP service."""
        from holdfast.api.keys import Keys

        return Keys(self._backend)

    @cached_property
    def models(self) -> Models:
        """Returns the models area: language models, what they disclose, and the ledger of their calls."""
        from holdfast.api.models import Models

        return Models(self._backend)

    @cached_property
    def review(self) -> Review:
        """Returns the review area: memories that wait for a person, and feedback on memories."""
        from holdfast.api.review import Review

        return Review(self._backend)

    @cached_property
    def consents(self) -> Consents:
        """Returns the consents area: what users have consented to."""
        from holdfast.api.consents import Consents

        return Consents(self._backend)

    @cached_property
    def retention(self) -> Retention:
        """Returns the retention area: how long memories stay, and legal holds."""
        from holdfast.api.retention import Retention

        return Retention(self._backend)

    @cached_property
    def audit(self) -> Audit:
        """Returns the audit area: the hash-chained log of every change."""
        from holdfast.api.audit import Audit

        return Audit(self._backend)

    @cached_property
    def agents(self) -> Agents:
        """Returns the agents area: what coding agents are told at the events of their sessions."""
        from holdfast.api.agents import Agents

        return Agents(self._backend)

    @cached_property
    def backups(self) -> Backups:
        """Returns the backups area: copies of the whole store that are known to work."""
        from holdfast.api.backups import Backups

        return Backups(self._backend)
