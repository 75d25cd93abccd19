"""Put jobs right whose worker died."""

from django.core.management.base import BaseCommand

from calculator.services import jobs


class Command(BaseCommand):
    help = "Requeue, cancel or fail jobs whose lease ran out."

    def handle(self, **options) -> None:
        self.stdout.write(f"{jobs.reap()} jobs put right")
