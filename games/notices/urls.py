"""Addresses of what people choose about news, and of what mails and mail servers call."""

from django.urls import path

from games.views import notices

urlpatterns = [
    path("notices/kinds/", notices.kinds, name="notice-kinds"),
    path("notices/trial/", notices.trial_mail, name="trial-mail"),
    path("notices/endpoints/", notices.add_webhook, name="add-webhook"),
    path("notices/endpoints/browser/", notices.add_browser, name="add-browser"),
    path("notices/endpoints/<int:pk>/trial/", notices.try_endpoint, name="try-endpoint"),
    path("notices/endpoints/<int:pk>/remove/", notices.remove_endpoint, name="remove-endpoint"),
    path("notices/games/<slug:public_id>/", notices.attention, name="attention"),
    path("mail/stop/<str:token>/", notices.stop_mail, name="stop-mail"),
    path("mail/bounces/", notices.bounces, name="mail-bounces"),
    path("push-worker.js", notices.push_worker, name="push-worker"),
]
