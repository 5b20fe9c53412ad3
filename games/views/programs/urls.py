"""Addresses for members' programs, below /api/v1/program/."""

from django.urls import path

from . import deciding, joining

urlpatterns = [
    path("account", deciding.account, name="program-account"),
    path("decisions", deciding.decisions, name="program-decisions"),
    path("stream", deciding.stream, name="program-stream"),
    path("games", joining.games, name="program-games"),
    path("games/<slug:public_id>", deciding.game, name="program-game"),
    path("games/<slug:public_id>/moves/<int:number>", deciding.move, name="program-move"),
    path("games/<slug:public_id>/join", joining.join, name="program-join"),
    path("games/<slug:public_id>/leave", joining.leave, name="program-leave"),
    path("games/<slug:public_id>/concede", joining.concede, name="program-concede"),
]
