"""Back office: look at comparisons and jobs, end share links. Nothing is edited here."""

from django.contrib import admin
from django.utils import timezone

from calculator.models import Comparison, Job, ShareLink, StackProfile


class ReadOnlyAdmin(admin.ModelAdmin):
    """Rows are made by services, not by forms."""

    date_hierarchy = "created_at"
    show_full_result_count = False

    def has_add_permission(self, request):
        return False

    def has_change_permission(self, request, obj=None):
        return False


@admin.register(Comparison)
class ComparisonAdmin(ReadOnlyAdmin):
    list_display = ["name", "owner_key", "engine_version", "result_hash", "created_at"]
    list_filter = ["engine_version", "schema_version"]
    search_fields = ["=id", "name", "=owner_key", "=result_hash"]

    def get_queryset(self, request):
        """Leave the large documents out of the list."""
        rows = super().get_queryset(request)
        is_list = request.resolver_match.url_name.endswith("_changelist")
        return rows.defer("spec", "prices", "result") if is_list else rows


@admin.register(Job)
class JobAdmin(ReadOnlyAdmin):
    list_display = ["id", "state", "stage", "attempt", "error_code", "created_at"]
    list_filter = ["state", "error_code"]
    search_fields = ["=id", "=owner_key"]

    def get_queryset(self, request):
        """Leave the large documents out of the list."""
        rows = super().get_queryset(request)
        is_list = request.resolver_match.url_name.endswith("_changelist")
        return rows.defer("spec", "prices") if is_list else rows


@admin.register(ShareLink)
class ShareLinkAdmin(ReadOnlyAdmin):
    """The token is not shown: whoever reads it could open the link."""

    list_display = ["id", "comparison", "owner_key", "expires_at", "revoked_at"]
    list_select_related = ["comparison"]
    search_fields = ["=id", "=comparison__id"]
    exclude = ["token"]
    actions = ["revoke"]

    @admin.action(description="Revoke the chosen links", permissions=["delete"])
    def revoke(self, request, links):
        ended = links.filter(revoked_at=None).update(revoked_at=timezone.now())
        self.message_user(request, f"{ended} links revoked.")


@admin.register(StackProfile)
class StackProfileAdmin(ReadOnlyAdmin):
    """The measurements themselves are their owner's: they are not shown."""

    list_display = ["id", "owner_key", "engine_version", "created_at"]
    search_fields = ["=id", "=owner_key"]
    exclude = ["rows", "residuals"]
