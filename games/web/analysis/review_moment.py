"""One moment of a game review: board, chances, what was decided, and the steps to other moments."""

from bisect import bisect_left, bisect_right
from typing import Any, Final

from django.conf import settings
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from games.analysis import review_figures
from games.analysis.review_figures import ReviewData
from games.analysis.review_moments import Moment
from games.analysis.win_chances import chance_curve, chances_after
from games.archive.replay import revealed_seed
from games.log.positions import conceded_seats
from games.models import LogEntry, MoveAssessment
from games.play.game_view import GameView
from games.web.analysis.review_text import assessed_move, moment_title, move_mark, position_url
from games.web.analysis.share_picture_views import may_have
from games.web.presenters.advice_view import percent
from games.web.presenters.chance_chart import WIDTH, chance_bar
from games.web.presenters.presenter_registry import PRESENTERS
from games.web.presenters.table_people import TablePeople, join_list
from games.web.text.log_view import log_entry_views, people_at

# Paragraphs shown before the rest is folded away: the end of a game has a dozen.
_MAX_SENTENCES: Final = 2


def moment_context(found: ReviewData, moment: Moment, user: Any) -> dict[str, Any]:
    """The context of games/analysis/_moment.html."""
    look, game = found.look, found.look.game
    table, people = PRESENTERS[game.system], moment_people(look, moment.number)
    turns = max(moment.turns.values(), default=0)
    entries = [entry for entry in look.entries if entry.number <= moment.number]
    # The end shows the whole log, other moments only what has just happened.
    told = log_entry_views(look, entries if moment.seen.ended else entries[-1:])
    rated = next((one for one in found.assessments if one.number == moment.number), None)
    public_id = game.public_id
    return {
        **table.context(moment.seen, people, told, changed=moment.changed),
        "board_template": table.BOARD_TEMPLATE,
        "holdings_template": table.HOLDINGS_TEMPLATE,
        "cover": None,
        "rules_url": reverse("game-rules", args=[public_id]),
        "deal_url": reverse("deal-check", args=[public_id]),
        "seed": revealed_seed(game),
        "outcomes": _better(found, moment, rated) if rated and rated.lost_chance else [],
        "assessed": _assessed(found, rated) if rated else None,
        "shown": {
            "at": moment.number,
            "last": game.version,
            "turn": moment.turn,
            "turns": turns,
            "title": moment_title(moment),
            "said": _("Turn {turn} of {turns}.").format(turn=moment.turn, turns=turns) if moment.turn else "",
            "x": place(found, moment.number),
            "is_rated": rated is not None,
            "sentences": _sentences(found, people, moment),
            "steps": _steps(found, moment),
            "mistake": next_mistake(found, moment.number),
            "review": reverse("game-review", args=[public_id]),
            "url": f"{settings.SITE_URL}{position_url(look, moment.number)}",
            "picture": _picture_url(look, moment) if may_have(look, user) else "",
            **_chances(found, people, moment),
        },
        **_hands(moment, people),
    }


def moment_people(look: GameView, number: int) -> TablePeople:
    """The players after this log entry, with the concessions made until then."""
    conceded = conceded_seats(entry for entry in look.entries if entry.number <= number)
    return people_at(look, number, set(conceded))


def next_mistake(found: ReviewData, after: int) -> int | None:
    """The next decision with a mark after this entry, from the start again after the last; None without."""
    marked = [rated.number for rated in review_figures.mistakes(found)]
    later = [number for number in marked if number > after]
    other = next(iter(later or marked), None)
    return None if other == after else other


def listed_entries(found: ReviewData) -> list[LogEntry]:
    """The entries that the review goes through: all but moves that were taken back."""
    return [entry for entry in found.look.entries if entry.number not in found.look.gone]


def place(found: ReviewData, number: int) -> int:
    """Where the moment after this entry lies on the chart, from left to right."""
    numbers = [entry.number for entry in listed_entries(found)]
    return round(WIDTH * bisect_right(numbers, number) / max(1, len(numbers)))


def _picture_url(look: GameView, moment: Moment) -> str:
    """The address of the picture to share; at the end it shows the standings."""
    public_id = look.game.public_id
    if moment.number == look.game.version:
        return reverse("picture", args=[public_id])
    return reverse("moment-picture", args=[public_id, moment.number])


def _better(found: ReviewData, moment: Moment, rated: MoveAssessment) -> list[SafeString]:
    """The drawing of the better move, if there was one."""
    table, system = PRESENTERS[found.look.game.system], found.look.game.rule_system
    move = system.parse_move(rated.best)
    return [table.better_move(moment.asked, move)] if move in moment.asked.legal else []


def _assessed(found: ReviewData, rated: MoveAssessment) -> dict[str, Any]:
    """The assessment of the move, and the better one if there was one."""
    look = found.look
    told = assessed_move(look, rated, look.entries[rated.number - 1])
    return {
        "mark": move_mark(rated),
        "played": told["played"],
        "best": told["best"] if rated.lost_chance else "",
        "chance": percent(rated.chance),
        "best_chance": percent(rated.best_chance),
        "lost": told["lost_chance"],
        "lost_lead": told["lost_lead"],
        "retry": told["retry_url"],
    }


def _chances(found: ReviewData, people: TablePeople, moment: Moment) -> dict[str, Any]:
    """Everybody's chance to win as a bar and in words; nothing before there are assessments."""
    shares = chances_after(chance_curve(found), moment.number)
    names = people.sides([people.name(seat) for seat in range(len(people))])
    rows = [
        (side, name, people.is_machine(side), percent(share), people.is_own_side(side))
        for side, (name, share) in enumerate(zip(names, shares, strict=False))
    ]
    told = [_("{name} {chance}").format(name=name, chance=chance) for _seat, name, _bot, chance, _me in rows]
    return {
        "bar": chance_bar(shares, names) if shares else (),
        "chances": rows,
        "chances_said": _("Winning chances: {chances}.").format(chances=join_list(told)) if told else "",
    }


def _sentences(found: ReviewData, people: TablePeople, moment: Moment) -> tuple[list[str], list[str]]:
    """The sentences of the entry that led here: the first ones, and the rest."""
    if not moment.number:
        return [_("The deal. No moves yet.")], []
    last = log_entry_views(found.look, [found.look.entries[moment.number - 1]])
    turns = PRESENTERS[found.look.game.system].log_context(moment.seen.rules, people, last)["turns"]
    told = [paragraph for turn in turns for paragraph in turn.paragraphs]
    return told[:_MAX_SENTENCES], told[_MAX_SENTENCES:]


def _steps(found: ReviewData, moment: Moment) -> list[tuple[str, str, int | None]]:
    """The steps to other moments: name, label, and log entry, None where there is none."""
    numbers = [0, *(entry.number for entry in listed_entries(found))]
    here, last = moment.number, numbers[-1]
    before = bisect_left(numbers, here) - 1
    after = bisect_right(numbers, here)
    return [
        ("first", _("First position"), 0 if here else None),
        ("before", _("Previous move"), numbers[before] if before >= 0 else None),
        ("after", _("Next move"), numbers[after] if after < len(numbers) else None),
        ("last", _("Last position"), last if here < last else None),
    ]


def _hands(moment: Moment, people: TablePeople) -> dict[str, Any]:
    """All hands and the bag, if the game has them."""
    if "hands" not in moment.hidden:
        return {}
    names = [str(person) for person in people.persons]
    return {
        "all_hands": list(zip(names, moment.hidden["hands"], strict=True)),
        "bag": moment.hidden.get("bag", []),
    }
