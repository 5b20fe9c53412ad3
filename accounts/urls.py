"""allauth's pages, with our log-in and sign-up before its own."""

from django.urls import include, path

from accounts import views

urlpatterns = [
    path("login/", views.login, name="account_login"),
    path("signup/", views.signup, name="account_signup"),
    path("", include("allauth.urls")),
]
