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
        _("This page says what the site keeps about you, why, and for how long."),
        _(
            "If you play as a guest, the site keeps a made-up name and your moves. After 30 days "
            "without a visit, it deletes the name. Your games stay without it."
        ),
        _(
            "If you sign up, the site keeps your name, and your password in a form that nobody can "
            "read. It also keeps your settings, your games, your answers to puzzles and retries and, if "
            "you give one, your email address. Other people see your name, when you joined, your public "
            "games and results, and your ratings. Private games count for ratings too, but nobody can "
            "see which. Nobody sees your email address."
        ),
        _(
            "Chat messages are kept with the game. During a game, players see players’ messages and "
            "spectators see spectators’ messages. Afterwards both see all of them. Moderators can "
            "read the chat of every game except those they play in, including messages they remove. "
            "Your notes are only for you. The site also remembers how far you have seen a game, to "
            "mark what is new."
        ),
        _(
            "When you report something, the moderators see what you wrote and who you are. The person you "
            "report does not learn that it was you. Reports are kept for 6 months after the moderators "
            "reply. Only you can see whom you have blocked or muted."
        ),
        _(
            "If someone invites an email address that belongs to no account, the site keeps the "
            "address for one month."
        ),
        _(
            "While you are logged in, the site keeps the IP address and browser name of each device. "
            "This lets you see your logged-in devices and log them out."
        ),
        _(
            "To detect people who play under several names, the site remembers which browsers and "
            "networks an account uses. It keeps this for 30 days, and only as a code that reveals "
            "neither browser nor address. Member managers can see which accounts share a code and "
            "who invited whom by email. Nobody else can."
        ),
        _(
            "If you break the rules of the site, the decision, its reason and your appeal are kept. "
            "You can read them on your account status page. The moderators can read them too, along "
            "with a record of their own actions."
        ),
        _(
            "The site sets only the cookies it needs. One keeps you logged in, and one protects "
            "forms. One remembers for 6 months that you have logged in here. It stops others from "
            "locking you out with wrong passwords. Once you play, one recognises your browser for 30 "
            "days. The site does no tracking, shows no advertising, loads nothing from other sites "
            "and passes nothing on."
        ),
        _(
            "The site emails you about your account and, if you wish, about your games. Every game email "
            "says how to stop it. The site keeps for 30 days which emails about your account it has sent, "
            "and when. Such an email can name your browser and IP address. The site keeps these only until "
            "the email is sent."
        ),
        _(
            "In the settings you can download everything the site keeps about you and delete your "
            "account. Your name, email address, settings, notes and messages are then deleted right "
            "away. Your moves stay for the people you played with, under a made-up name. Backups are "
            "overwritten in time."
        ),
    ]


def _terms() -> list[str]:
    return [
        _("This site is for playing Acquire together."),
        _(
            "Play fair. Have only one account. Accept no help from others during a game, and make no "
            "agreements with other players."
        ),
        _(
            "Be kind. Choose a name and write messages that you would use at a table with strangers. "
            "If you do not, the site team can end games, remove your name and close your account."
        ),
        _(
            "Finish the games you start, because others are waiting for you. If you cannot go on, "
            "say so or leave your seat to a computer player."
        ),
        _(
            "We make the site with care and offer it as it is. We cannot promise that it is always "
            "available or that nothing is ever lost. You can leave at any time."
        ),
    ]


def _contact() -> list[str]:
    return [
        _("The site team answers questions about the site and about the data it keeps about you."),
        _("See also the rules of the game and the privacy page."),
    ]


_TEXTS: dict[SitePage.Slug, Callable[[], list[str]]] = {
    SitePage.Slug.PRIVACY: _privacy,
    SitePage.Slug.TERMS: _terms,
    SitePage.Slug.CONTACT: _contact,
}
