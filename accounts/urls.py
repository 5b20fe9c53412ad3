"""URLs of accounts; our log-in and sign-up come before allauth's."""

from django.urls import include, path

from accounts.web.api_access import bot_account_pages
from accounts.web.membership import login_views
from accounts.web.moderation import standing_page

urlpatterns = [
    path("login/", login_views.login, name="account_login"),
    path("login/code/", login_views.request_code, name="account_request_login_code"),
    path("login/code/confirm/", login_views.confirm_code, name="account_confirm_login_code"),
    path("signup/", login_views.signup, name="account_signup"),
    path("standing/", standing_page.standing, name="standing"),
    path("standing/<int:key>/read/", standing_page.read, name="standing-read"),
    path("standing/<int:key>/answer/", standing_page.answer, name="standing-answer"),
    path("tokens/", bot_account_pages.programs, name="account_tokens"),
    path("tokens/new/", bot_account_pages.new_token, name="account_new_token"),
    path("tokens/<int:key>/revoke/", bot_account_pages.revoke_token, name="account_revoke_token"),
    path("programs/new/", bot_account_pages.new_program, name="account_new_program"),
    path("programs/<str:name>/", bot_account_pages.describe_program, name="account_program"),
    path("programs/<str:name>/token/", bot_account_pages.new_token, name="account_new_program_token"),
    path("programs/<str:name>/down/", bot_account_pages.take_down_program, name="account_take_down"),
    path("", include("allauth.urls")),
]
