"""allauth's pages, with our log-in and sign-up before its own, and the page of what stands against one."""

from django.urls import include, path

from accounts import standing, views

urlpatterns = [
    path("login/", views.login, name="account_login"),
    path("signup/", views.signup, name="account_signup"),
    path("standing/", standing.standing, name="standing"),
    path("standing/<int:key>/read/", standing.read, name="standing-read"),
    path("standing/<int:key>/answer/", standing.answer, name="standing-answer"),
    path("", include("allauth.urls")),
]
