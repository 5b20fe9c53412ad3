"""Admin pages for staff actions: form, confirmation, result."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar
from uuid import UUID, uuid4

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.models import User
from accounts.moderation import staff_actions
from accounts.moderation.action_forms import ActionForm
from accounts.moderation.staff_actions import Action, Text
from accounts.refusals import Refusal, TargetChanged


@dataclass(frozen=True, slots=True)
class ActionLink:
    """An action on a page, with its address or with the reason why it is not possible now."""

    action: Action
    url: str
    against: Text | None


class ActionAdmin(admin.ModelAdmin):
    """A model admin with staff actions: `<row>/act/<action>/`, named `<app>_<model>_act`."""

    acts: ClassVar[Mapping[str, Action]] = {}
    change_form_template = "admin/change_form_with_actions.html"

    def get_urls(self) -> list[Any]:
        view = require_http_methods(["GET", "HEAD", "POST"])(self.act_view)
        name = f"{self.opts.app_label}_{self.opts.model_name}_act"
        route = "<path:object_id>/act/<slug:name>/"
        return [path(route, self.admin_site.admin_view(view), name=name), *super().get_urls()]

    def act_url(self, target: Any, action: Action) -> str:
        return reverse(
            f"admin:{self.opts.app_label}_{self.opts.model_name}_act", args=[target.pk, action.name]
        )

    def acted_url(self, target: Any) -> str:
        """Return the address to redirect to after an action."""
        return reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_change", args=[target.pk])

    def offers(self, request: HttpRequest, target: Any) -> list[ActionLink]:
        """The actions for this person on the target, including impossible ones with the reason."""
        by = _person(request)
        return [
            ActionLink(action, self.act_url(target, action), _blocking_reason(action, target, by))
            for action in self.acts.values()
            if staff_actions.has_permission(action, by)
        ]

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        """Render the page of one row with its actions."""
        if target := kwargs.get("obj"):
            context["offers"] = self.offers(request, target)
        return super().render_change_form(request, context, *args, **kwargs)

    def act_view(self, request: HttpRequest, object_id: str, name: str) -> HttpResponse:
        """GET shows the form, POST the confirmation, POST with `confirm` performs it, once for each form.

        If the target has changed since the confirmation was shown, shows it again.
        """
        action, target = self.acts.get(name), self.get_object(request, object_id)
        if action is None or target is None:
            raise Http404
        by = _person(request)
        try:
            if request.method == "POST":
                return self._act(request, action, target, by)
            staff_actions.check_action(action, target, by)
        except Refusal as refused:
            return self._page(request, action, target, refused=refused)
        return self._page(request, action, target, form=_form(action, target))

    def _act(self, request: HttpRequest, action: Action, target: Any, by: User) -> HttpResponse:
        """Respond to a submitted form. Raises Refusal."""
        staff_actions.check_actor(action, target, by)
        if "change" in request.POST:
            return self._page(request, action, target, form=_form(action, target, initial=request.POST))
        # A form without a version counts as one with an old version.
        data = {"seen": "", **request.POST.dict()}
        form, key = _form(action, target, data), _key(request.POST.get("form", ""))
        if key is None or "confirm" not in request.POST:
            return self._confirmation_page(request, action, by, form)
        try:
            staff_actions.perform(action, form, by=by, key=key)
        except TargetChanged as moved:
            now = self.get_object(request, str(target.pk)) or target
            return self._confirmation_page(
                request, action, by, _form(action, now, data), problem=str(moved.message)
            )
        except ValidationError:
            return self._page(request, action, target, form=form, status=422)
        messages.success(request, _("Done: {action}.").format(action=action.label))
        return redirect(self.acted_url(target))

    def _confirmation_page(
        self, request: HttpRequest, action: Action, by: User, form: ActionForm, *, problem: str = ""
    ) -> HttpResponse:
        """Render the confirmation with what will happen to the target as it is now. Raises Refusal."""
        staff_actions.check_action(action, form.target, by)
        if not form.is_valid():
            return self._page(request, action, form.target, form=form, status=422)
        shown = {
            "sure": True,
            "foreseen": action.foresee(form.target, **form.own_values()) if action.foresee else None,
            "filled_in": [
                (bound.label, text) for bound in form.visible_fields() if (text := _entered_value(bound))
            ],
            "problem": problem,
        }
        status = 409 if problem else 200
        return self._page(request, action, form.target, form=form, shown=shown, status=status)

    def _page(
        self,
        request: HttpRequest,
        action: Action,
        target: Any,
        *,
        form: ActionForm | None = None,
        shown: Mapping[str, Any] | None = None,
        refused: Refusal | None = None,
        status: int = 200,
    ) -> HttpResponse:
        """Render the form, the confirmation (with `shown`) or the refusal."""
        if refused is not None:
            status = refused.status
        facts = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": action.label,
            "action": action,
            "target": target,
            "target_url": self.acted_url(target),
            "form": form,
            "form_key": uuid4(),
            "refused": refused.message if refused else "",
            **(shown or {}),
        }
        return TemplateResponse(request, "admin/action.html", facts, status=status)


def _blocking_reason(action: Action, target: Any, by: User) -> Text | None:
    barred = action.bars(target, by) if action.bars else None
    return barred or (action.against(target) if action.against else None)


def _person(request: HttpRequest) -> User:
    assert isinstance(request.user, User)  # guaranteed by admin_view
    return request.user


def _key(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None


def _readers_sentence(action: Action) -> str:
    """The sentence on who reads the reason given for an action."""
    kept = _("Kept in the audit, which all of the staff can read.")
    return f"{action.read_by} {kept}" if action.read_by else kept


def _form(action: Action, target: Any, *args: Any, **kwargs: Any) -> ActionForm:
    form = action.form_class(*args, target=target, **kwargs)
    form.fields["reason"].help_text = _readers_sentence(action)
    return form


def _entered_value(bound: forms.BoundField) -> str:
    """The value that was entered, or the label of the choice."""
    text = str(bound.value() or "").strip()
    choices = getattr(bound.field.widget, "choices", ())
    return next((str(label) for key, label in choices if text and str(key) == text), text)
