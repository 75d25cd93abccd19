"""Constants and conversions: the only module that knows 1e9, 8 or 8760."""

BITS_PER_BYTE = 8.0
GIGA = 1e9
TERA = 1e12
MILLION = 1e6
BILLION = 1e9
KILO = 1e3

SECONDS_PER_MINUTE = 60.0
SECONDS_PER_HOUR = 3600.0
HOURS_PER_DAY = 24.0
SECONDS_PER_DAY = SECONDS_PER_HOUR * HOURS_PER_DAY
HOURS_PER_YEAR = 8760.0
MONTHS_PER_YEAR = 12
HOURS_PER_MONTH = HOURS_PER_YEAR / MONTHS_PER_YEAR
SECONDS_PER_MONTH = HOURS_PER_MONTH * SECONDS_PER_HOUR
DAYS_PER_MONTH = HOURS_PER_MONTH / HOURS_PER_DAY


def gbps_to_bytes_per_s(gbps: float) -> float:
    """Link rate in Gb/s (10^9 bits per second, one direction) as bytes/s."""
    return gbps * GIGA / BITS_PER_BYTE


def gbytes_to_bytes(gbytes: float) -> float:
    """Gigabytes (10^9 bytes) as bytes."""
    return gbytes * GIGA


def tbytes_to_bytes(tbytes: float) -> float:
    """Terabytes (10^12 bytes) as bytes."""
    return tbytes * TERA


def tflops_to_flop_per_s(tflops: float) -> float:
    """TFLOP/s (10^12) as FLOP/s."""
    return tflops * TERA


def billions(count: float) -> float:
    """A count given in billions (10^9) as a plain count."""
    return count * BILLION
