"""URLs of the whole site: accounts, the admin, and games at the root."""

from allauth.account.decorators import secure_admin_login
from django.conf import settings
from django.contrib import admin
from django.urls import include, path, re_path

from accounts.web.operator.site_page_view import page
from acquire_site import site_views
from games.web.moderation.desk_page import desk_page

# Staff logs in on the site's page, with its rate limits and second factor.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]

urlpatterns = [
    path(f"{settings.ADMIN_PATH}/desk/", admin.site.admin_view(desk_page), name="desk"),
    path(f"{settings.ADMIN_PATH}/", admin.site.urls),
    path("accounts/", include("accounts.urls")),
    path("", include("games.urls")),
    re_path(r"^(?P<slug>privacy|terms|contact)/$", page, name="page"),
    path("robots.txt", site_views.robots, name="robots"),
    path("site.webmanifest", site_views.manifest, name="manifest"),
    path("favicon.ico", site_views.favicon),
]

handler429 = "acquire_site.site_views.too_many_requests"
handler500 = "acquire_site.site_views.server_error"
