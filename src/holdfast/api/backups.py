"""Backups of the store: the operations of `Memory.backups`."""

from __future__ import annotations

from holdfast.api.operation import Area, operation
from holdfast.core.jobs import BACKUP, DRILL, Job
from holdfast.features.access.access import Need
from holdfast.features.backups import backups
from holdfast.features.backups.backups import BackupList


class Backups(Area):
    """Backups of the whole store, in the folder that its administrator configured. Only owners and admins in
    person look after them. Restoring one is a command of the machine that holds the store.
    """

    @operation("GET /backups", Need.MANAGE, command="backup", changes=False)
    def list(self) -> BackupList:
        """Returns the backups, newest first, each with whether it is sound, when it was tried, until when it
        stays, and the command that restores it. Raises InvalidInput `backup_folder_missing` for a database
        without a configured folder, Refusal `person_needed`.
        """
        return backups.list_backups(self._service)

    @operation("POST /backups", Need.MANAGE, command="backup", status=202)
    def create(self) -> Job:
        """Queues a backup for a worker and returns the job; one that waits for its time is made at once, and
        one that is being made is returned. It is checked when it is made, and old ones are deleted after a
        sound one. Raises InvalidInput `backup_folder_missing`, Refusal `person_needed`.
        """
        return backups.request(self._service, BACKUP)

    @operation("POST /backups/drill", Need.MANAGE, command="drill", status=202)
    def drill(self) -> Job:
        """Queues a drill for a worker and returns the job: the newest backup is restored into a scratch
        folder and checked there. Where there is none yet, one is made first. Raises InvalidInput
        `backup_folder_missing`, Refusal `person_needed`.
        """
        return backups.request(self._service, DRILL)
