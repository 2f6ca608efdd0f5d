"""Images of Pillow, as the encoders take them."""

from __future__ import annotations

import sys
from typing import Any

from ._errors import ArrayError, ArrayTypeError

#: Modes whose bytes are samples of 8 bits, and the channels that they are.
_BYTES = {"L": "gray", "LA": "grayalpha", "RGB": "rgb", "RGBA": "rgba", "YCbCr": "ycbcr", "CMYK": "cmyk"}

#: The tag of Exif data that says how an image is to be turned.
_ORIENTATION = 0x0112


def is_image(image: Any) -> bool:
    """Whether an object is an image of Pillow."""
    return hasattr(image, "getexif") and hasattr(image, "mode") and hasattr(image, "tobytes")


def take_apart(image: Any) -> tuple[str, int, int, bytes, dict[str, Any]]:
    """Channels, width, height, samples and metadata of an image; samples of 16 bits are native."""
    image.load()
    info = image.info
    metadata = {
        "icc": info.get("icc_profile"),
        "exif": info.get("exif"),
        "orientation": image.getexif().get(_ORIENTATION),
        "xmp": info.get("xmp"),
        "comment": info.get("comment"),
        "dpi": info.get("dpi"),
    }
    channels, data = _samples(image, info)
    return channels, image.width, image.height, data, metadata


def _samples(image: Any, info: dict[str, Any]) -> tuple[str, bytes]:
    mode = image.mode
    if mode.startswith("I;16"):
        data = image.tobytes()
        if mode != "I;16N" and (mode == "I;16B") != (sys.byteorder == "big"):
            data = _swapped(data)
        return "gray16", data
    if mode == "I":
        least, greatest = image.getextrema()
        if least < 0 or greatest > 0xFFFF:
            raise ArrayError(f"an image of mode I has 16 bits, got samples from {least} to {greatest}")
        data = image.tobytes("raw", "I;16B")
        return "gray16", data if sys.byteorder == "big" else _swapped(data)
    if mode in ("F", "LAB"):
        raise ArrayTypeError(f"an image of mode {mode} has no samples of 8 or 16 bits: convert it to L or RGB")
    if "transparency" in info and mode in ("1", "L", "RGB", "P"):
        image = image.convert("LA" if mode in ("1", "L") else "RGBA")
    elif mode not in _BYTES:
        # Of a palette the colors; of premultiplied alpha, colors and alpha.
        image = image.convert({"1": "L", "La": "LA", "RGBa": "RGBA", "PA": "RGBA"}.get(mode, "RGB"))
    data = image.tobytes()
    if image.mode == "CMYK":
        # 255 is full ink in Pillow, and 0 here.
        data = data.translate(_INVERTED)
    return _BYTES[image.mode], data


_INVERTED = bytes(255 - sample for sample in range(256))


def _swapped(data: bytes) -> bytes:
    import array

    words = array.array("H", data)
    words.byteswap()
    return words.tobytes()
