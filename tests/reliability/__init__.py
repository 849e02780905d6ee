"""Durability: processes killed, disks failing, files damaged, and what was acknowledged still there."""
