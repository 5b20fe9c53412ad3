"""Pages written by the operator."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.models.choice_field import ChoiceField


class SitePage(models.Model):
    """A page written by the operator, which replaces the built-in one (site_pages.py)."""

    class Slug(models.TextChoices):
        PRIVACY = "privacy", _("Privacy")
        TERMS = "terms", _("Terms of use")
        CONTACT = "contact", _("Contact")

    slug = ChoiceField(_("page"), max_length=20, choices=Slug, unique=True)
    title = models.CharField(_("title"), max_length=100)
    text = models.TextField(
        _("text"),
        help_text=_("Plain text with an empty line between paragraphs. Web addresses become links."),
    )
    changed = models.DateTimeField(_("last changed"), auto_now=True)

    class Meta:
        verbose_name = _("page")
        verbose_name_plural = _("pages")
        ordering = ["slug"]

    def __str__(self) -> str:
        return self.title
