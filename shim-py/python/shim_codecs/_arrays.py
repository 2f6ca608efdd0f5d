"""Objects without the buffer protocol, as arrays."""

from typing import Any

import numpy as np


def as_array(image: Any) -> Any:
    """An array of what is no buffer: a PIL image, an array by DLPack on the CPU, or one by numpy's interfaces."""
    mode = getattr(image, "mode", None)
    if mode is not None and hasattr(image, "tobytes"):
        if mode not in ("L", "LA", "RGB", "RGBA", "RGBX", "CMYK", "YCbCr"):
            image = image.convert("RGBA" if "transparency" in getattr(image, "info", {}) else "RGB")
        return np.asarray(image)
    if hasattr(image, "__dlpack__"):
        return np.from_dlpack(image)
    if hasattr(image, "__array_interface__") or hasattr(image, "__array__"):
        return np.asarray(image)
    raise TypeError(
        f"an image is a buffer, an array or a PIL image, got {type(image).__name__}"
    )
