"""URLs of notification settings, endpoints, unsubscribing and bounces."""

from django.urls import path

from games.web.notifications import notification_views

urlpatterns = [
    path("notices/kinds/", notification_views.kind, name="notice-kind"),
    path("notices/trial/", notification_views.send_test_mail, name="trial-mail"),
    path("notices/endpoints/", notification_views.add_webhook, name="add-webhook"),
    path("notices/endpoints/browser/", notification_views.add_browser, name="add-browser"),
    path("notices/endpoints/<int:pk>/trial/", notification_views.try_endpoint, name="try-endpoint"),
    path("notices/endpoints/<int:pk>/remove/", notification_views.remove_endpoint, name="remove-endpoint"),
    path("notices/games/<slug:public_id>/", notification_views.attention, name="attention"),
    path("mail/stop/<str:token>/", notification_views.stop_mail, name="stop-mail"),
    path("mail/bounces/", notification_views.bounces, name="mail-bounces"),
    path("push-worker.js", notification_views.push_worker, name="push-worker"),
]
