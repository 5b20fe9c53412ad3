"""The built-in texts of privacy, terms and contact, used until the operator writes others."""

from collections.abc import Callable

from django.utils.translation import gettext as _

from accounts.models import SitePage


def page(slug: str) -> SitePage:
    """Return the operator's page, or else an unsaved one with the built-in text."""
    return SitePage.objects.filter(slug=slug).first() or SitePage(slug=slug, **words(slug))


def words(slug: str) -> dict[str, str]:
    """The built-in title and text in the current language."""
    kind = SitePage.Slug(slug)
    return {"title": str(kind.label), "text": "\n\n".join(_TEXTS[kind]())}


def _privacy() -> list[str]:
    return [
        _("This page tells what the site keeps about you, why, and for how long."),
        _(
            "If you play as a guest, the site keeps a made-up name and the moves of your games. After thirty "
            "days without a visit the name is thrown away and your games stay without it."
        ),
        _(
            "If you register, it keeps the name you choose, your password in a form from which it cannot be "
            "read, your mail address if you give one, your settings, the games you play, and your answers to "
            "puzzles. Other people see your name, when you joined, your public games, their results and your "
            "ratings. Private games count for those as well, and nobody is told which. Nobody sees your "
            "address."
        ),
        _(
            "What you say at a table is kept with the game. While it goes on players read players and "
            "watchers read watchers; when it is over, both read all. Moderators, who look after the site, "
            "can read the talk of every table, except where they play themselves; what they take away they "
            "can still read. Your notes about a game are for you alone. The site also keeps how far you have "
            "seen a game, to show you what is new."
        ),
        _(
            "When you report something, those who look after the site read what you wrote and who you are; "
            "whom you report does not learn that it was you. A report is kept for half a year after it was "
            "answered. Whom you have blocked or muted is for you alone."
        ),
        _(
            "An address to which somebody sends an invitation is kept for a month, unless it is that of an "
            "account."
        ),
        _(
            "For as long as you are logged in somewhere, the site keeps the address of that device in the "
            "network and the name of its browser, so that you can see where you are logged in and end it."
        ),
        _(
            "So that nobody plays against others under several names, the site notes for thirty days that an "
            "account is used from a browser or from a network. It keeps a code made of them, from which "
            "neither the browser nor the address can be read. Whoever looks after members sees which "
            "accounts share one, and who invited whom by mail; nobody else does."
        ),
        _(
            "If you break the rules of the site, what was decided about it is kept with its reason and with "
            "what you say to it. You read it on a page of your own; those who look after the site read it as "
            "well, and a record of what they do."
        ),
        _(
            "The site sets cookies that it needs to work: one that remembers who you are, one that protects "
            "forms, one that knows for half a year that you were logged in here, so that wrong passwords of "
            "others do not lock you out, and, once you play, one that tells your browser from others for "
            "thirty days. It counts nobody, shows no advertisements, loads nothing from other sites and "
            "passes nothing on."
        ),
        _(
            "Mail is sent to you about your account and, if you wish, about your games. Each mail about "
            "games says how to stop it."
        ),
        _(
            "On the settings page you can download everything the site knows about you, and delete your "
            "account. Your name, your address, your settings, your notes and what you said are then gone at "
            "once, while the moves of your games stay for those who played with you, under a made-up name. "
            "Copies made for the case of a breakdown are overwritten in their turn."
        ),
    ]


def _terms() -> list[str]:
    return [
        _("This site is a place to play Acquire together."),
        _(
            "Play fair: one account for each person, no help from others in a game that is going on, and no "
            "arrangements with other players of the same table."
        ),
        _(
            "Be kind. Choose a name and write words that you would use at a table with people you do not "
            "know. Whoever runs the site may end games, take back names and close accounts when this is "
            "not kept."
        ),
        _(
            "Finish what you begin: others wait for you. When you cannot go on, say so or hand your seat to "
            "a computer."
        ),
        _(
            "The site comes as it is. It is made with care, but nobody promises that it is always there or "
            "that nothing is ever lost. You can leave whenever you like."
        ),
    ]


def _contact() -> list[str]:
    return [
        _("The people who run this site answer questions about it, and about what it keeps about you."),
        _("The rules of the game have a page of their own, and so has what the site keeps about you."),
    ]


_TEXTS: dict[SitePage.Slug, Callable[[], list[str]]] = {
    SitePage.Slug.PRIVACY: _privacy,
    SitePage.Slug.TERMS: _terms,
    SitePage.Slug.CONTACT: _contact,
}
