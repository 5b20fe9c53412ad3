"""Query plans of pages: indexes used and rows read."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.load.measurements import Figure

# Reading a smaller table as a whole is fine.
LARGE = 1000


@dataclass
class Plan:
    """Plan of one query: rows read, indexes, and large tables read as a whole."""

    rows: int = 0
    indexes: list[str] = field(default_factory=list)
    scans: list[str] = field(default_factory=list)

    def read(self, node: Mapping[str, Any], large: set[str]) -> None:
        """Add a node of the plan with its children."""
        below = node.get("Plans", [])
        if not below or "Relation Name" in node:
            read = node.get("Actual Rows", 0) + node.get("Rows Removed by Filter", 0)
            self.rows += int(read * node.get("Actual Loops", 1))
        if "Index Name" in node:
            self.indexes.append(node["Index Name"])
        if node["Node Type"] == "Seq Scan" and node["Relation Name"] in large:
            self.scans.append(node["Relation Name"])
        for child in below:
            self.read(child, large)

    def __str__(self) -> str:
        ways = [*dict.fromkeys(self.indexes), *(f"ALL OF {table}" for table in dict.fromkeys(self.scans))]
        return f"{self.rows} rows by {', '.join(ways) or 'small tables'}"


def plans_of(work: Callable[[], object]) -> list[Plan]:
    """Plans of all queries of the work, in order."""
    with CaptureQueriesContext(connection) as captured:
        work()
    large = large_tables()
    return [_plan(query["sql"], large) for query in captured if query["sql"].startswith("SELECT")]


def large_tables() -> set[str]:
    """Tables with many rows, by the statistics of PostgreSQL."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT relname FROM pg_class WHERE relkind = 'r' AND reltuples >= %s", [LARGE])
        return {name for (name,) in cursor.fetchall()}


def _plan(sql: str, large: set[str]) -> Plan:
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) {sql.replace('%', '%%')}", [])
        (found,) = cursor.fetchone()
    plan = Plan()
    plan.read((json.loads(found) if isinstance(found, str) else found)[0]["Plan"], large)
    return plan


def figures(name: str, work: Callable[[], object]) -> Iterator[Figure]:
    """Total cost of the queries of the work, and its most expensive plans."""
    found = plans_of(work)
    yield f"scale_{name}_queries", len(found), "queries"
    yield f"scale_{name}_rows", sum(plan.rows for plan in found), "rows"
    yield f"scale_{name}_scans", sum(len(plan.scans) for plan in found), "large tables read as a whole"
    for plan in sorted(found, key=lambda plan: -plan.rows)[:3]:
        yield f"scale_{name}_plan", str(plan), ""
