"""Addresses of the games."""

from django.urls import include, path

from . import views

urlpatterns = [
    path("", views.home, name="home"),
    path("play/", views.play_now, name="play-now"),
    path("next/", views.next_game, name="next"),
    path("waiting/", views.waiting, name="waiting"),
    path("join/<slug:code>/", views.by_link, name="by-link"),
    path("games/new/", views.new_game, name="new-game"),
    path("games/open/", views.open_games, name="open-games"),
    path("games/running/", views.running_games, name="running-games"),
    path("games/finished/", views.finished_games, name="finished-games"),
    path("games/mine/", views.my_finished_games, name="my-finished-games"),
    path("games/<slug:public_id>/", views.game, name="game"),
    path("games/<slug:public_id>/room/", views.room, name="room"),
    path("games/<slug:public_id>/join/", views.join, name="join"),
    path("games/<slug:public_id>/leave/", views.leave, name="leave"),
    path("games/<slug:public_id>/start/", views.start, name="start"),
    path("games/<slug:public_id>/invite/", views.invite, name="invite"),
    path("games/<slug:public_id>/decline/", views.decline, name="decline"),
    path("games/<slug:public_id>/kick/<str:name>/", views.kick, name="kick"),
    path("games/<slug:public_id>/again/", views.again, name="again"),
    path("games/<slug:public_id>/rules/", views.rules_of_game, name="game-rules"),
    path("games/<slug:public_id>/table/", views.table, name="table"),
    path("games/<slug:public_id>/moves/<int:number>/", views.move, name="move"),
    path("games/<slug:public_id>/advice/<int:number>/", views.advice, name="advice"),
    path("games/<slug:public_id>/log/", views.log, name="log"),
    path("games/<slug:public_id>/deal/", views.deal, name="deal"),
    path("players/<str:name>/", views.player, name="player"),
    path("settings/", views.settings_page, name="settings"),
    path("settings/browser/", views.settings_browser, name="settings-browser"),
    path("settings/delete/", views.delete_account, name="delete-account"),
    path("settings/export/", views.export, name="export"),
    path("settings/mail-again/", views.mail_again, name="mail-again"),
    path("settings/<slug:section>/", views.settings_section, name="settings-section"),
    path("", include("games.notices.urls")),
    path("rules/", views.rules, name="rules"),
    path("rules/<slug:name>/", views.preset, name="preset"),
]
