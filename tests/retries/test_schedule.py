"""A mistake comes back later each time it is solved, and the next day when it is missed."""

from datetime import UTC, datetime, timedelta

from games.retries.schedule import MAX_DAYS, Memory, after_answer

NOW = datetime(2026, 6, 3, 12, tzinfo=UTC)


def intervals(*answers: bool) -> list[int]:
    """The days until the mistake comes back, after each of these answers, each given when it was due."""
    memory: Memory | None = None
    now, found = NOW, []
    for right in answers:
        memory = after_answer(memory, right=right, now=now)
        found.append((memory.due - now).days)
        now = memory.due
    return found


def test_intervals_grow_with_right_answers() -> None:
    found = intervals(*[True] * 5)
    assert found == sorted(set(found))
    assert found[0] >= 2


def test_wrong_answer_brings_it_back_the_next_day() -> None:
    assert intervals(False) == [1]
    *_, before, after = intervals(True, True, True, False)
    assert after < before and after <= 5


def test_interval_has_a_limit() -> None:
    assert intervals(*[True] * 20)[-1] == MAX_DAYS


def test_same_answers_give_the_same_days() -> None:
    assert intervals(True, False, True, True) == intervals(True, False, True, True)


def test_no_answer_comes_back_on_the_same_day() -> None:
    memory = after_answer(None, right=False, now=NOW)
    assert memory.due >= NOW + timedelta(days=1)
