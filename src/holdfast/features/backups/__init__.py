"""Backups over the interfaces: what there is, and asking for one."""
