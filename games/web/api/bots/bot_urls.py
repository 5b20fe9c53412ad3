"""URLs of the API of bot accounts, below /api/v1/program/."""

from django.urls import path

from games.web.api.bots import bot_decisions, bot_seats

urlpatterns = [
    path("account", bot_decisions.account, name="program-account"),
    path("decisions", bot_decisions.decisions, name="program-decisions"),
    path("stream", bot_decisions.stream, name="program-stream"),
    path("games", bot_seats.games, name="program-games"),
    path("games/<slug:public_id>", bot_decisions.game, name="program-game"),
    path("games/<slug:public_id>/moves/<int:number>", bot_decisions.move, name="program-move"),
    path("games/<slug:public_id>/join", bot_seats.join, name="program-join"),
    path("games/<slug:public_id>/leave", bot_seats.leave, name="program-leave"),
    path("games/<slug:public_id>/concede", bot_seats.concede, name="program-concede"),
]
