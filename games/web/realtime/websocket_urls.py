"""WebSocket URLs of games."""

from django.urls import URLPattern, path

from games.web.realtime.consumers import GameConsumer, LiveGamesConsumer, LobbyConsumer, UserConsumer

websocket_urlpatterns: list[URLPattern] = [
    path("ws/games/<slug:public_id>/", GameConsumer.as_asgi()),
    path("ws/lobby/", LobbyConsumer.as_asgi()),
    path("ws/live/<int:page>/", LiveGamesConsumer.as_asgi()),
    path("ws/me/", UserConsumer.as_asgi()),
]
