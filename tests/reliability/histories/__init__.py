"""Histories of what several clients did at once, and checkers that find what no promised order explains.

As Jepsen does it: clients note when they begin an operation and what came of it, while processes are killed
and connections cut; afterwards the whole is checked. `registers` decides linearizability (Wing and Gong, with
Lowe's memory of what was tried), `appends` finds the anomalies of transactions by cycles (Kingsbury and
Alvaro, Elle).
"""
