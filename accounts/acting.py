"""The page in the admin on which staff does something: asked for first, shown, then confirmed."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar
from uuid import UUID, uuid4

from django import forms
from django.contrib import admin, messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from accounts.models import User
from accounts.services import actions
from accounts.services.actions import Action, WrongInput
from accounts.services.fields import TEXT_LENGTH, Field, Text
from accounts.services.refusals import MovedOn, Refusal

# As Django's admin calls its large fields, to give them their width.
_LARGE = {"class": "vLargeTextField"}


@dataclass(frozen=True, slots=True)
class Offer:
    """An action as a page offers it: with an address, or with why it is not offered to this person now."""

    action: Action
    url: str
    against: Text | None


class ActForm(forms.Form):
    """The fields of an action and the reason. What the answers mean is for the action to say."""

    def __init__(self, action: Action, target: Any, data: Any = None) -> None:
        super().__init__(data)
        for field in action.fields:
            self.fields[field.name] = _form_field(field, target)
        self.fields["reason"] = forms.CharField(
            label=gettext_lazy("Reason"),
            required=False,
            widget=forms.Textarea(
                attrs={"rows": 3, "required": True, "maxlength": actions.REASON_LENGTH, **_LARGE}
            ),
            help_text=_who_reads(action),
        )

    def answers(self) -> dict[str, Any]:
        """What was filled in: the `reason`, and the `values` of the fields."""
        values = dict(self.cleaned_data)
        return {"reason": values.pop("reason"), "values": values}

    def shown(self) -> list[tuple[str, str]]:
        """What was filled in, by its label, to read once more."""
        return [(str(bound.label), _chosen(bound)) for bound in self if self.cleaned_data[bound.name]]


class ActingAdmin(admin.ModelAdmin):
    """An admin whose rows are acted on: `<row>/act/<action>/`, by the name `<app>_<model>_act`."""

    acts: ClassVar[Mapping[str, Action]] = {}
    change_form_template = "admin/acted_on.html"

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
        """Where one is led after something was done."""
        return reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_change", args=[target.pk])

    def offers(self, request: HttpRequest, target: Any) -> list[Offer]:
        """What this person may do to the target, and what is not offered now with the reason why."""
        by = _person(request)
        return [
            Offer(action, self.act_url(target, action), _why_not(action, target, by))
            for action in self.acts.values()
            if actions.may(action, by)
        ]

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        """The page of one row, with what may be done to it."""
        if target := kwargs.get("obj"):
            context["offers"] = self.offers(request, target)
        return super().render_change_form(request, context, *args, **kwargs)

    def act_view(self, request: HttpRequest, object_id: str, name: str) -> HttpResponse:
        """GET asks; POST shows what will happen; POST with `confirm` does it, once for each form.

        What would happen by now to something that has moved on since it was shown, is shown first.
        """
        action, target = self.acts.get(name), self.get_object(request, object_id)
        if action is None or target is None:
            raise Http404
        by = _person(request)
        try:
            if request.method == "POST":
                return self._act(request, action, target, by)
            actions.check_person(action, target, by)
            if sentence := action.against and action.against(target):
                raise Refusal(str(sentence))
        except Refusal as refused:
            return self._page(request, action, target, refused=refused)
        return self._page(request, action, target, form=ActForm(action, target))

    def _act(self, request: HttpRequest, action: Action, target: Any, by: User) -> HttpResponse:
        """What a form that was sent leads to. Raises Refusal."""
        actions.check_person(action, target, by)
        form = ActForm(action, target, request.POST)
        form.is_valid()
        if "change" in request.POST:
            return self._page(request, action, target, form=form)
        key = _key(request.POST.get("form", ""))
        try:
            if key is None or "confirm" not in request.POST:
                return self._sure(request, action, target, by, form)
            seen = _number(request.POST.get("seen", ""))
            actions.carry_out(action, target=target, by=by, **form.answers(), form=key, seen=seen)
        except MovedOn as moved:
            now = self.get_object(request, str(target.pk)) or target
            return self._sure(request, action, now, by, form, problem=str(moved.message))
        except WrongInput as error:
            for wrong in error.all:
                form.add_error(wrong.field if wrong.field in form.fields else None, wrong.sentence)
            return self._page(request, action, target, form=form, status=422)
        messages.success(request, _("Done: {action}.").format(action=action.label))
        return redirect(self.acted_url(target))

    def _sure(
        self, request: HttpRequest, action: Action, target: Any, by: User, form: ActForm, *, problem: str = ""
    ) -> HttpResponse:
        """The page to confirm: what will happen to the target as it is now. Raises Refusal."""
        read = actions.prepare(action, target=target, by=by, **form.answers())
        shown = {
            "sure": True,
            "foreseen": action.foresee(target, **read) if action.foresee else None,
            "seen": action.version(target) if action.version else None,
            "problem": problem,
        }
        return self._page(request, action, target, form=form, shown=shown, status=409 if problem else 200)

    def _page(
        self,
        request: HttpRequest,
        action: Action,
        target: Any,
        *,
        form: ActForm | None = None,
        shown: Mapping[str, Any] | None = None,
        refused: Refusal | None = None,
        status: int = 200,
    ) -> HttpResponse:
        """The page to fill in, the one to confirm (`shown`), or the one that says why not."""
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
        return TemplateResponse(request, "admin/act.html", facts, status=status)


def _why_not(action: Action, target: Any, by: User) -> Text | None:
    barred = action.bars(target, by) if action.bars else None
    return barred or (action.against(target) if action.against else None)


def _person(request: HttpRequest) -> User:
    assert isinstance(request.user, User)  # admin_view has seen to it
    return request.user


def _key(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None


def _number(text: str) -> int:
    """The version that a form names; one that there is not for anything else."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else -1


def _who_reads(action: Action) -> str:
    """Who reads the reason that is given for an action."""
    kept = _("Kept in the audit, which all of the staff can read.")
    return f"{action.read_by} {kept}" if action.read_by else kept


def _form_field(field: Field, target: Any) -> forms.Field:
    attrs: dict[str, Any] = {"required": True} if field.required else {}
    widget: forms.Widget
    if field.kind == "choice":
        empty = [("", "---------")]
        widget = forms.Select(attrs=attrs, choices=[*empty, *field.choices_for(target)])
    elif field.kind == "number":
        most = {} if field.most is None else {"max": field.most}
        widget = forms.NumberInput(attrs={**attrs, **most, "min": field.least, "class": "vIntegerField"})
    elif field.kind == "date":
        widget = forms.DateInput(attrs={**attrs, "type": "date"})
    elif field.kind == "moment":
        widget = forms.DateTimeInput(attrs={**attrs, "type": "datetime-local"})
    elif field.kind == "member":
        widget = forms.TextInput(attrs={**attrs, "class": "vTextField", "spellcheck": "false"})
    else:
        long = {"maxlength": field.most or TEXT_LENGTH, "class": "vTextField"}
        widget = forms.TextInput(attrs={**attrs, **long})
    help_text = str(field.help)
    if field.kind == "moment" and not help_text:
        help_text = _("On the clock of {zone}.").format(zone=timezone.get_current_timezone_name())
    return forms.CharField(label=str(field.label), required=False, widget=widget, help_text=help_text)


def _chosen(bound: forms.BoundField) -> str:
    value = str(bound.form.cleaned_data[bound.name])
    choices = getattr(bound.field.widget, "choices", ())
    return str(dict(choices).get(value, value))
