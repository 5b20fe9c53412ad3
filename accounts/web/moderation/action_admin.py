"""Admin pages for staff actions: form, confirmation, result."""

import hashlib
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

from accounts.membership.kept_form import take_back
from accounts.models import User
from accounts.moderation import staff_actions
from accounts.moderation.action_forms import ActionForm
from accounts.moderation.staff_actions import Action, Preset, Text
from accounts.refusals import Refusal, TargetChanged
from accounts.web.moderation import action_drafts


@dataclass(frozen=True, slots=True)
class ActionLink:
    """An action on a page, with its address or with the reason why it is not possible now.

    `presets` are its common uses that fit now.
    """

    action: Action
    url: str
    against: Text | None
    presets: tuple[Preset, ...] = ()


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
        return self._act_address(target, action.name)

    def _act_address(self, target: Any, name: str) -> str:
        return reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_act", args=[target.pk, name])

    def action_link(self, action: Action, target: Any, against: Text | None) -> ActionLink:
        """Return the link to an action, with its presets if it is possible now."""
        url = self.act_url(target, action)
        fitting = (preset for preset in action.presets if not against and preset.values(target) is not None)
        return ActionLink(action, url, against, tuple(fitting))

    def target_name(self, target: Any) -> str:
        """Return what the page of an action calls the target."""
        return str(target)

    def acted_url(self, target: Any) -> str:
        """Return the address to redirect to after an action."""
        return reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_change", args=[target.pk])

    def forget_drafts(self, request: HttpRequest, target: Any) -> None:
        """Forget what was entered for actions on the target: its page begins anew."""
        action_drafts.forget(request, self._act_address(target, "x").removesuffix("x/"))

    def offers(self, request: HttpRequest, target: Any) -> list[ActionLink]:
        """The actions for this person on the target, including impossible ones with the reason."""
        by = _person(request)
        return [
            self.action_link(action, target, _blocking_reason(action, target, by))
            for action in self.acts.values()
            if staff_actions.has_permission(action, by)
        ]

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        """Render the page of one row with its actions."""
        if target := kwargs.get("obj"):
            self.forget_drafts(request, target)
            context["offers"] = self.offers(request, target)
        return super().render_change_form(request, context, *args, **kwargs)

    def find_action(self, name: str, target: Any) -> Action | None:
        """Return the action of this name on the target, or None."""
        return self.acts.get(name)

    def act_view(self, request: HttpRequest, object_id: str, name: str) -> HttpResponse:
        """Show the form with what will happen, show that for what was entered, or act (`confirm`).

        Acts once per form, and only if what would happen is what the page has shown; else shows it again.
        """
        target = self.get_object(request, object_id)
        action = None if target is None else self.find_action(name, target)
        if action is None:
            raise Http404
        by = _person(request)
        if request.method == "POST":
            return self._act(request, action, target, by)
        draft = action_drafts.kept(request)
        try:
            staff_actions.check_action(action, target, by)
        except Refusal as refused:
            return self._page(request, action, target, refused=str(refused.message), status=refused.status)
        if draft is None:
            back = take_back(request)
            back.pop("seen", None)  # what the form is about may have changed
            values = _initial(request, action, target) | back
            return self._form_page(request, action, target, values=values)
        if draft.is_refused:
            return self._page(request, action, target, refused=draft.problem, status=draft.status)
        form = _form(action, target, draft.fields)
        return self._form_page(request, action, target, form=form, problem=draft.problem, status=draft.status)

    def _act(self, request: HttpRequest, action: Action, target: Any, by: User) -> HttpResponse:
        """Act, or show again what was entered, by a redirect: the browser never asks to send it again."""
        try:
            staff_actions.check_actor(action, target, by)
        except Refusal as refused:
            return self._page(request, action, target, refused=str(refused.message), status=refused.status)
        try:
            # A form without a version counts as one with an old version.
            form = _form(action, target, {"seen": "", **request.POST.dict()})
            key = _key(request.POST.get("form", ""))
            if key is None or "confirm" not in request.POST:
                status = 200 if form.is_valid() else 422
                return redirect(action_drafts.keep(request, status=status))
            if not staff_actions.is_performed(key, action, target, by):
                staff_actions.check_action(action, target, by)
                if form.is_valid() and not _was_shown(request, action, form):
                    told = _("Nothing has been done yet. Check what will happen with your changes.")
                    return redirect(action_drafts.keep(request, told))
            staff_actions.perform(action, form, by=by, key=key)
        except TargetChanged as moved:
            return redirect(action_drafts.keep(request, str(moved.message), 409))
        except Refusal as refused:
            told = str(refused.message)
            return redirect(action_drafts.keep(request, told, refused.status, is_refused=True))
        except ValidationError as error:
            # Faults that the form does not know, such as a taken name, are not found again when it is shown.
            told = "" if not _form(action, target, form.data).is_valid() else " ".join(error.messages)
            return redirect(action_drafts.keep(request, told, 422))
        action_drafts.forget(request)
        messages.success(request, _("Done: {action}").format(action=action.label))
        return redirect(self.acted_url(target))

    def _form_page(
        self,
        request: HttpRequest,
        action: Action,
        target: Any,
        *,
        values: Mapping[str, Any] | None = None,
        form: ActionForm | None = None,
        problem: str = "",
        status: int = 200,
    ) -> HttpResponse:
        """Render the form, with what will happen if that can be said for its values."""
        if form is None:
            form = _form(action, target, initial=values)
            # The reason changes nothing of what will happen, and is still to be written.
            asked = {name: bound.value() for name, bound in _bound_fields(form)}
            tried = _form(action, target, {**asked, "reason": asked["reason"] or "."})
        else:
            tried = form
        shown: dict[str, Any] = {"foreseen": None, "problem": problem}
        try:
            if tried.is_valid():
                shown |= {"foreseen": _foreseen(action, tried), "mark": mark(action, tried)}
        except Refusal as refused:
            shown["problem"] = problem or str(refused.message)
        return self._page(request, action, target, form=form, shown=shown, status=status)

    def _page(
        self,
        request: HttpRequest,
        action: Action,
        target: Any,
        *,
        form: ActionForm | None = None,
        shown: Mapping[str, Any] | None = None,
        refused: str = "",
        status: int = 200,
    ) -> HttpResponse:
        """Render the form or the refusal."""
        facts = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": action.label,
            "action": action,
            "target": target,
            "target_name": self.target_name(target),
            "target_url": self.acted_url(target),
            "form": form,
            "form_key": uuid4(),
            "refused": refused,
            **(shown or {}),
        }
        return TemplateResponse(request, "admin/action.html", facts, status=status)


def mark(action: Action, form: ActionForm) -> str:
    """The mark of what a page shows for a valid form, which the form sends along. Raises Refusal."""
    return hashlib.sha256(_foreseen(action, form).encode()).hexdigest()[:16]


def _was_shown(request: HttpRequest, action: Action, form: ActionForm) -> bool:
    """Return whether the page has shown what will happen; of another version the action itself tells."""
    seen = form.fields.get("seen")
    is_current = seen is None or seen.initial == form.cleaned_data["seen"]
    return not action.foresee or not is_current or request.POST.get("shown") == mark(action, form)


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
    kept = _("Recorded in the audit log, which all staff can read.")
    return f"{action.read_by} {kept}" if action.read_by else kept


def _initial(request: HttpRequest, action: Action, target: Any) -> dict[str, Any]:
    """The values that the address fills in: those of a preset, and of the action's own fields."""
    named = {name: request.GET[name] for name in action.form_class.own_fields() if name in request.GET}
    return {**_preset_values(action, target, request.GET.get("preset")), **named}


def _preset_values(action: Action, target: Any, name: str | None) -> Mapping[str, Any]:
    """The values of the action's preset of this name; empty if there is none."""
    found = (preset.values(target) for preset in action.presets if preset.name == name)
    return next(found, None) or {}


def _form(action: Action, target: Any, *args: Any, **kwargs: Any) -> ActionForm:
    form = action.form_class(*args, target=target, **kwargs)
    form.fields["reason"].help_text = _readers_sentence(action)
    return form


def _bound_fields(form: ActionForm) -> list[tuple[str, forms.BoundField]]:
    return [(name, form[name]) for name in form.fields]


def _foreseen(action: Action, form: ActionForm) -> str:
    """The sentence on what a valid form will do, beyond that of the action. Raises Refusal."""
    return str(action.foresee(form.target, **form.own_values())) if action.foresee else ""
