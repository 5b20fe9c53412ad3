"""Admin page of mails about accounts."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from accounts.mail import account_outbox
from accounts.models import AccountMail
from accounts.web.moderation.read_only_admin import ReadOnly


@admin.register(AccountMail)
class AccountMailAdmin(ReadOnly, admin.ModelAdmin):
    """Mails about accounts; those given up can be sent again."""

    list_display = ["made", "user", "address", "kind", "state", "due", "attempts", "outcome"]
    list_filter = ["state", "kind"]
    list_select_related = ["user"]
    ordering = ["-made"]
    search_fields = ["user__username", "address", "message_id"]
    fields = [
        *("made", "user", "address", "kind", "state", "due", "attempts", "outcome"),
        *("first_due", "settled", "message_id"),
    ]
    actions = ["send_once_more"]

    def has_resend_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("accounts.change_accountmail")

    @admin.action(description=_("Resend failed emails"), permissions=["resend"])
    def send_once_more(self, request: HttpRequest, chosen: QuerySet[AccountMail]) -> None:
        number = account_outbox.send_once_more(chosen)
        sentence = ngettext(
            "We will resend {n} email if it is still wanted.",
            "We will resend {n} emails if they are still wanted.",
            number,
        )
        self.message_user(request, sentence.format(n=number))
