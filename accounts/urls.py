"""allauth's pages, with our log-in and sign-up before its own; what stands against one; and programs."""

from django.urls import include, path

from accounts import programs, standing, views

urlpatterns = [
    path("login/", views.login, name="account_login"),
    path("signup/", views.signup, name="account_signup"),
    path("standing/", standing.standing, name="standing"),
    path("standing/<int:key>/read/", standing.read, name="standing-read"),
    path("standing/<int:key>/answer/", standing.answer, name="standing-answer"),
    path("tokens/", programs.programs, name="account_tokens"),
    path("tokens/new/", programs.new_token, name="account_new_token"),
    path("tokens/<int:key>/revoke/", programs.revoke_token, name="account_revoke_token"),
    path("programs/new/", programs.new_program, name="account_new_program"),
    path("programs/<str:name>/", programs.describe_program, name="account_program"),
    path("programs/<str:name>/token/", programs.new_token, name="account_new_program_token"),
    path("programs/<str:name>/down/", programs.take_down_program, name="account_take_down"),
    path("", include("allauth.urls")),
]
