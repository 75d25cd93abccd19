"""The engine's version; it changes whenever any golden number changes."""

ENGINE_VERSION = "0.2.0"
