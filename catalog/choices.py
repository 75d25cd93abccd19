"""Closed lists of the catalog, as the database and the admin know them."""

from django.db import models


class ComponentKind(models.TextChoices):
    """What a component is; decides the schema of its attributes."""

    GPU = "gpu", "GPU"
    USED_GPU = "used_gpu", "Used GPU"
    SERVER = "server", "Server"
    BASEBOARD = "baseboard", "GPU baseboard"
    CHASSIS = "chassis", "Chassis"
    CPU = "cpu", "CPU"
    MEMORY = "memory", "Memory"
    DRIVE = "drive", "Drive"
    NIC = "nic", "Network adapter"
    SWITCH = "switch", "Switch"
    CABLE = "cable", "Cable"
    TRANSCEIVER = "transceiver", "Transceiver"
    STORAGE = "storage", "Storage"
    RACK = "rack", "Rack"
    PDU = "pdu", "Power distribution"
    COOLING = "cooling", "Cooling"
    FABRIC = "fabric", "Whole fabric (cross-check)"
    RATE = "rate", "Rate"


class ItemKind(models.TextChoices):
    """What a quote prices."""

    COMPONENT = "component", "Component"
    OFFER = "offer", "Rental offer"
    RATE = "rate", "Rate"


class SourceKind(models.TextChoices):
    """Who says so. The order is the rank where quotes disagree, best first."""

    VENDOR_FEED = "vendor_feed", "Vendor feed"
    VENDOR_PAGE = "vendor_page", "Vendor page"
    DATASHEET = "datasheet", "Datasheet"
    RESELLER = "reseller", "Reseller listing"
    MEASURED = "measured", "Measurement"
    PAPER = "paper", "Paper"
    ANALYST = "analyst", "Analyst"
    PRESS = "press", "Press"
    BLOG = "blog", "Blog"
    ARTICLE = "article", "Article"
    ASSUMPTION = "assumption", "Assumption"
    COMPUTED = "computed", "Computed by the product"


class Confidence(models.TextChoices):
    """How far a quote is to be trusted. ``assumption``: nobody published it."""

    HIGH = "high", "High"
    MEDIUM = "medium", "Medium"
    LOW = "low", "Low"
    ASSUMPTION = "assumption", "Assumption"


class PriceUnit(models.TextChoices):
    """What one price buys."""

    EACH = "each", "each"
    TB = "TB", "usable TB"
    KW = "kW", "kW"
    MW = "MW", "MW"
    KWH = "kWh", "kWh"
    KW_MONTH = "kW-month", "kW-month"
    TB_MONTH = "TB-month", "TB-month"
    TB_MOVED = "TB-moved", "TB moved"
    INSTANCE_HOUR = "instance-hour", "instance-hour"
    GPU_HOUR = "GPU-hour", "GPU-hour"
    GPU_YEAR = "GPU-year", "GPU-year"
    FTE_YEAR = "FTE-year", "FTE-year"
    FTE = "FTE", "FTE"
    RATIO = "ratio", "ratio"
    FRACTION = "fraction", "fraction"
    FRACTION_PER_YEAR = "fraction/year", "fraction a year"


class OfferTerm(models.TextChoices):
    """How an instance is rented."""

    ON_DEMAND = "on_demand", "On demand"
    SPOT = "spot", "Spot"
    CAPACITY_BLOCK = "capacity_block", "Capacity block"
    RESERVED = "reserved", "Reserved"
    CONTRACT = "contract", "Contract"


class Transport(models.TextChoices):
    """What the links between instances speak."""

    INFINIBAND = "infiniband", "InfiniBand"
    ROCE = "roce", "RoCE"
    EFA = "efa", "EFA"
    TCP = "tcp", "TCP"
