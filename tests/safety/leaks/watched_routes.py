"""All routes of the site, walked from its URLconf, and the requests made to each.

Each route has an entry here; one that has none is named by `missing`, and a test fails.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.contrib import admin
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from accounts.web.moderation.action_admin import ActionAdmin

Form = Mapping[str, str]


@dataclass(frozen=True)
class Entry:
    """Requests to a route: values for its address, queries to read, and forms to send.

    Words in braces stand for the facts of a scene. `random` marks answers that differ from each other by
    design, as with a fresh secret in them: of these only the status is compared, and canaries are looked for.
    """

    arguments: tuple[str, ...] = ()
    looks: tuple[str, ...] = ("",)
    forms: tuple[Form, ...] = ()
    random: bool = False


@dataclass(frozen=True)
class Ask:
    """One request: GET, or POST of a form."""

    route: str
    path: str
    form: Form | None = None
    htmx: bool = False
    random: bool = False

    def __str__(self) -> str:
        how = "GET" if self.form is None else f"POST {dict(self.form)}"
        return f"{how} {self.path}{' by htmx' if self.htmx else ''}"


def _of_game(*looks: str, forms: tuple[Form, ...] = (), more: tuple[str, ...] = ()) -> Entry:
    return Entry(("{id}", *more), looks, forms)


NONSENSE: Final[tuple[Form, ...]] = (
    {"move": "redraw please"},
    {"move": "next tower"},
    {"move": "dispose sell 25"},
    {"kind": "place", "tile": "{in bag}"},
    {"kind": "place", "tile": "{in hand}"},
)
_PLAN: Final[tuple[Form, ...]] = (
    {"tile": "{in bag}", "otherwise": "nothing"},
    {"tile": "{in hand}", "buy1a": "tower"},
    {"withdraw": "1"},
)

# Routes about one game.
OF_GAME: Final[dict[str, Entry]] = {
    "game": _of_game(""),
    "room": _of_game("", "seen=1"),
    "join": _of_game("", forms=({},)),
    "leave": _of_game("", forms=({},)),
    "change-team": _of_game(forms=({"team": "1"},)),
    "start": _of_game("", forms=({},)),
    "ready": _of_game(forms=({},)),
    "invite": _of_game("", forms=({"who": "elsewhere"},)),
    "decline": _of_game("", forms=({},)),
    "kick": _of_game("", forms=({"reason": "no reason"},), more=("{name}",)),
    "rematch": Entry(("{id}",), ("",), ({},), random=True),
    "reclaim-seat": _of_game("", forms=({},)),
    "take-over": _of_game("", forms=({},), more=("1",)),
    "vote-on-absent": _of_game("", forms=({"replace": "yes"},)),
    "game-rules": _of_game(""),
    "table": _of_game("", "after={now}", "after=0&away=1", "left=0"),
    "move": _of_game("", forms=NONSENSE, more=("{next}",)),
    "plan": _of_game("", forms=_PLAN),
    "turn": _of_game("", forms=_PLAN, more=("{next}",)),
    "take-back": _of_game(forms=({}, {"to": "0"}), more=("{now}",)),
    "ending": _of_game(""),
    "confirm-ending": _of_game("", forms=({},), more=("none",)),
    "pace": _of_game("", forms=({"pace": "never"},)),
    "answer-pace": _of_game(forms=({"say": "yes"},), more=("day",)),
    "presence": _of_game(""),
    "answer-proposal": _of_game(forms=({"say": "yes"},), more=("none",)),
    "advice": _of_game("", forms=({},), more=("{next}",)),
    "orders": _of_game("", forms=({"look": "1", "chain": "", "hold": "1", "trade": "most"},)),
    "coach-mark": _of_game("", forms=({"mark": "place"}, {"mark": "nothing"})),
    "log": _of_game(""),
    "deal-check": _of_game("", "check=1"),
    "past-positions": _of_game("", "to=1", "since=0"),
    "past-position": _of_game("", more=("{half}",)),
    "export-json": _of_game(""),
    "export-text": _of_game(""),
    "delete-import": _of_game(forms=({},)),
    "api-game": _of_game(""),
    "api-position": _of_game("", more=("{now}",)),
    "old-game-review": _of_game(""),
    "game-review": _of_game("", "end=1", "at=1", forms=({},)),
    "review-moment": _of_game("", more=("{half}",)),
    "review-retry": _of_game("", forms=NONSENSE, more=("{half}",)),
    "moment-picture": _of_game("", more=("{half}",)),
    "picture": _of_game(""),
    "picture-png": _of_game(""),
    "game-replay": _of_game(""),
    "chat": _of_game("", "before=99999", forms=({"text": "Good luck, @player0"},)),
    "talk-unread": _of_game("", "known=0"),
    "talk-line": _of_game("", forms=({"reason": "rude"},), more=("{line}",)),
    "remove-line": _of_game(forms=({},), more=("{line}",)),
    "notes": _of_game("", forms=({"text": "mine", "version": "0"},)),
    "explore": _of_game("", forms=({}, {"deal": "1"}, {"now": "1"}, {"to": "0"}, {"leave": "1"})),
    "explore-move": _of_game("", forms=({"move": "redraw please"}, {"computers": "1"}), more=("1",)),
    "hand": _of_game("", forms=({"seat": "1"}, {"cover": "1"})),
    "report-game": _of_game("", forms=({"trouble": "stalling"},)),
    "attention": _of_game(forms=({"attention": "off"},)),
}

# All other routes, with everything kept about games in general.
OF_SITE: Final[dict[str, Entry]] = {
    "home": Entry(),
    "watch": Entry(),
    "live-games": Entry(looks=("", "page=2")),
    "site-picture": Entry(),
    "prepared-replay": Entry(),
    "play-now": Entry(forms=({},), random=True),
    "next-game": Entry(looks=("", "after={id}")),
    "waiting-count": Entry(),
    "server-time": Entry(random=True),
    "live-queue": Entry(),
    "enter-queue": Entry(forms=({"pace": "fast", "least": "3", "most": "4", "patience": "60"},)),
    "leave-queue": Entry(forms=({},)),
    "answer-offer": Entry(forms=({},)),
    "invite-link": Entry(("{open code}",)),
    "new-game": Entry(forms=({},), random=True),
    "new-game-of": Entry(("acquire",), random=True),
    "new-game-summary": Entry(("acquire",)),
    "new-practice": Entry(forms=({},)),
    "new-practice-of": Entry(("acquire",)),
    "paused-games": Entry(),
    "open-games": Entry(),
    "running-games": Entry(),
    "finished-games": Entry(),
    "my-finished-games": Entry(),
    "import-game": Entry(forms=({},)),
    "player": Entry(("{name}",)),
    "rating-history": Entry(("{name}", "acquire"), looks=("", "players=2", "after=1-1")),
    "leaderboard": Entry(looks=("", "month=now")),
    "leaderboard-of": Entry(("acquire",), looks=("players=2", "who=programs")),
    "ratings": Entry(),
    "records": Entry(),
    "records-of": Entry(("acquire",), looks=("preset=classic&players=2",)),
    "block": Entry(("{name}",), forms=({},)),
    "unblock": Entry(("{name}",), forms=({},)),
    "report-player": Entry(("{name}",), forms=({"trouble": "insult"},)),
    "my-reports": Entry(),
    "standing": Entry(),
    "standing-read": Entry(("1",), forms=({},)),
    "standing-answer": Entry(("1",), forms=({"text": "I was provoked."},)),
    "mute": Entry(("{name}",), forms=({"mute": "1"},)),
    "settings": Entry(),
    "settings-browser": Entry(forms=({},)),
    "delete-account": Entry(forms=({},)),
    "export": Entry(forms=({},)),
    "retry-mail": Entry(forms=({},)),
    "plan-vacation": Entry(forms=({},)),
    "end-vacation": Entry(("{vacation}",), forms=({},)),
    "settings-choices": Entry(forms=({},)),
    "settings-name": Entry(forms=({},)),
    "notice-kind": Entry(forms=({},)),
    "trial-mail": Entry(forms=({},)),
    "add-webhook": Entry(forms=({"url": "http://inside/"},)),
    "add-browser": Entry(forms=({},)),
    "try-endpoint": Entry(("{endpoint}",), forms=({},)),
    "remove-endpoint": Entry(("{endpoint}",), forms=({},)),
    "stop-mail": Entry(("{token}",), forms=({},)),
    "mail-bounces": Entry(forms=({},)),
    "push-worker": Entry(),
    # No viewer has a token; tests/web/api/bots asks with one.
    "program-account": Entry(),
    "program-decisions": Entry(),
    "program-stream": Entry(),
    "program-games": Entry(),
    "program-game": _of_game(),
    "program-move": _of_game(forms=({"move": "pass"},), more=("{next}",)),
    "program-join": _of_game(forms=({},)),
    "program-leave": _of_game(forms=({},)),
    "program-concede": _of_game(forms=({},)),
    "puzzle-today": Entry(),
    "puzzle": Entry(("{today}",), forms=({"move": "place {in bag}"}, {"move": "place {in hand}"})),
    "puzzles": Entry(),
    "puzzles-of": Entry(("acquire",), looks=("", "theme=place")),
    "insights": Entry(forms=({"public": "on"},)),
    "insights-of": Entry(("acquire",)),
    "player-insights": Entry(("{name}",)),
    "player-insights-of": Entry(("{name}", "acquire")),
    "retries": Entry(),
    "retry": Entry(("{mistake}",), forms=({"move": "place {in bag}"}, {"move": "place {in hand}"})),
    "lessons": Entry(),
    "lesson": Entry(("tiles",)),
    "lesson-step": Entry(
        ("tiles", "1"),
        ("", "show=1", "answer=place+2B"),
        forms=({"move": "place {in bag}"}, {"move": "place {in hand}"}),
    ),
    "rules": Entry(),
    "preset": Entry(("classic",)),
    "about": Entry(("acquire",)),
    "api": Entry(),
    "api-description": Entry(),
    "api-games": Entry(looks=("", "status=running", "player={name}&status=running")),
    "api-player": Entry(("{name}",)),
    "api-leaderboard": Entry(("acquire",)),
    "api-nowhere": Entry(("nothing",)),
    "page": Entry(("privacy",)),
    "robots": Entry(),
    "manifest": Entry(),
    "favicon.ico": Entry(),
    "account_login": Entry(forms=({"login": "elsewhere", "password": "wrong"},)),
    "account_signup": Entry(forms=({},), random=True),
    "kept-form": Entry(),
    "account_switch": Entry(forms=({"next": "/rules/"},)),
    "account_logout": Entry(forms=({},)),
    "account_inactive": Entry(),
    "account_reauthenticate": Entry(forms=({},)),
    # Their answers, unless refusals, contain fresh secrets.
    "account_tokens": Entry(random=True),
    "account_new_token": Entry(forms=({"name": "sheet"},), random=True),
    "account_revoke_token": Entry(("1",), forms=({},)),
    "account_new_program": Entry(forms=({"name": "none"},)),
    "account_program": Entry(("none",), forms=({},)),
    "account_new_program_token": Entry(("none",), forms=({"name": "sheet"},)),
    "account_take_down": Entry(("none",), forms=({},)),
    "account_not_you": Entry(),
    "account_email": Entry(),
    "account_email_verification_sent": Entry(),
    "account_mail_delay": Entry(),
    "account_change_password": Entry(),
    "account_set_password": Entry(),
    "account_reset_password": Entry(forms=({"email": "elsewhere@mail.example"},)),
    "account_request_login_code": Entry(forms=({"email": "elsewhere@mail.example"},), random=True),
    "account_confirm_login_code": Entry(),
    "account_mail_login_code": Entry(forms=({"name": "nobody", "key": "wrong"},)),
    "account_confirm_email": Entry(("nokey",)),
    "account_reset_password_from_key_done": Entry(),
    "account_reset_password_from_key": Entry(("1", "nokey")),
    "account_reset_password_done": Entry(),
    "mfa_index": Entry(),
    "mfa_authenticate": Entry(),
    "mfa_reauthenticate": Entry(),
    "mfa_activate_totp": Entry(random=True),
    "mfa_deactivate_totp": Entry(),
    "mfa_view_recovery_codes": Entry(),
    "mfa_generate_recovery_codes": Entry(),
    "mfa_download_recovery_codes": Entry(),
    "mfa_list_webauthn": Entry(),
    "mfa_add_webauthn": Entry(random=True),
    "mfa_reauthenticate_webauthn": Entry(random=True),
    "mfa_remove_webauthn": Entry(("1",)),
    "mfa_edit_webauthn": Entry(("1",)),
    "mfa_login_webauthn": Entry(random=True),
    "usersessions_list": Entry(),
    "desk": Entry(),
    "admin:index": Entry(),
    "admin:games_game_table": Entry(("{games game}",)),
    # The result depends on whether state and log fit, which they do not in other deals.
    "admin:games_game_doctor": Entry(("{games game}",), random=True),
    "admin:login": Entry(),
    "admin:logout": Entry(forms=({},)),
    "admin:password_change": Entry(),
    "admin:password_change_done": Entry(),
    "admin:autocomplete": Entry(looks=("app_label=games&model_name=seat&field_name=game&term=a",)),
    "admin:jsi18n": Entry(),
    "admin:accounts_auditentry_export": Entry(),
    "admin:games_abusereport_queue": Entry(),
    "admin:games_abusereport_claim": Entry(("1",), forms=({},)),
    "admin:games_abusereport_release": Entry(("1",), forms=({},)),
    "admin:view_on_site": Entry(("1", "1")),
    "admin:app_list": Entry(("games",)),
}

# An address without an entry, in a running game and elsewhere.
NOWHERE: Final = ("/games/{id}/no-such-page/", "/no-such-page/", "/games/nosuchgame/")

# Answered before any address is resolved.
PROBES: Final = ("/healthz", "/readyz", "/metrics")

_IN_ADMIN: Final = ("changelist", "add", "history", "delete", "change")


def names(site: URLResolver | None = None) -> set[str]:
    """Return all routes of a site by name, or by pattern if unnamed; the default is this site."""
    return set(_walk(site or get_resolver()))


def _walk(resolver: URLResolver, space: str = "", path: str = "") -> Iterator[str]:
    for route in resolver.url_patterns:
        if isinstance(route, URLResolver):
            inside = f"{space}{route.namespace}:" if route.namespace else space
            yield from _walk(route, inside, path + str(route.pattern))
        else:
            yield _name(route, space, path)


def _name(route: URLPattern, space: str, path: str) -> str:
    return f"{space}{route.name}" if route.name else path + str(route.pattern)


def of_admin() -> dict[str, Entry]:
    """Pages of each registered model, with its search, and the two admin pages that redirect.

    The pages of actions are one route; each has a key with its name behind a "#".
    """
    found = {r"admin/(?P<url>.*)$": Entry()}
    for model, acting in admin.site._registry.items():
        meta = model._meta
        key = f"{{{_kind(model)}}}"
        found[f"admin/{meta.app_label}/{meta.model_name}/<path:object_id>/"] = Entry((key,))
        for view in _IN_ADMIN:
            looks = ("", "q={in bag}", "q=player0", "q={canary}") if view == "changelist" else ("",)
            arguments = () if view in ("changelist", "add") else (key,)
            found[f"admin:{meta.app_label}_{meta.model_name}_{view}"] = Entry(arguments, looks)
        if isinstance(acting, ActionAdmin):
            for action in ("", *acting.acts):
                name = f"admin:{meta.app_label}_{meta.model_name}_act"
                found[f"{name}#{action}" if action else name] = Entry((key, action or "nothing"))
    return found


def missing(site: URLResolver | None = None) -> set[str]:
    """Return routes without an entry."""
    return names(site) - {*OF_GAME, *OF_SITE, *of_admin()}


def superfluous() -> set[str]:
    """Return entries whose route is gone."""
    return {*OF_GAME, *OF_SITE} - names()


def first_of_each() -> dict[str, str]:
    """The key of the first object of each model in the admin, "" if there is none."""
    firsts = {model: model._default_manager.order_by("pk").first() for model in admin.site._registry}
    return {_kind(model): str(first.pk) if first else "" for model, first in firsts.items()}


def _kind(model: Any) -> str:
    return f"{model._meta.app_label} {model._meta.model_name}"


def asks_of_game(facts: Mapping[str, str]) -> list[Ask]:
    """All requests about one game; forms also as htmx sends them."""
    found = [ask for name, entry in OF_GAME.items() for ask in _asks(name, entry, facts)]
    found += [Ask(ask.route, ask.path, ask.form, True, ask.random) for ask in found if ask.form is not None]
    return found + [Ask("nowhere", path.format_map(facts)) for path in NOWHERE]


def asks_of_site(facts: Mapping[str, str]) -> list[Ask]:
    """All other requests."""
    facts = {**facts, **first_of_each()}
    entries = OF_SITE | of_admin()
    found = [ask for name, entry in entries.items() for ask in _asks(name, entry, facts)]
    return found + [Ask("probe", path) for path in PROBES]


def _asks(name: str, entry: Entry, facts: Mapping[str, str]) -> Iterator[Ask]:
    path = _path(name.partition("#")[0], [argument.format_map(facts) for argument in entry.arguments])
    for query in entry.looks:
        address = f"{path}?{query.format_map(facts)}" if query else path
        yield Ask(name, address, random=entry.random)
    for form in entry.forms:
        yield Ask(
            name, path, {key: text.format_map(facts) for key, text in form.items()}, random=entry.random
        )


def _path(name: str, arguments: list[str]) -> str:
    if name.startswith("admin/"):
        return "/" + name.replace("<path:object_id>", arguments[0] if arguments else "").replace(
            r"(?P<url>.*)$", "nowhere"
        )
    return f"/{name}" if name == "favicon.ico" else reverse(name, args=_typed(arguments))


def _typed(arguments: list[str]) -> list[Any]:
    return [int(argument) if argument.isdigit() else argument for argument in arguments]
