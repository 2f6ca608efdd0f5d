"""Encoders travel by their settings."""

from typing import Any


def rebuild(kind: Any, settings: dict[str, Any]) -> Any:
    """An encoder with these settings."""
    return kind(**settings)
