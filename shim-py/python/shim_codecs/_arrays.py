"""Objects whose buffers have no strides, or that are none, as arrays."""

from typing import Any

import numpy as np

from ._errors import ArrayTypeError


def as_array(image: Any) -> Any:
    """An array by DLPack on the CPU, by numpy's interfaces, or of a buffer without strides."""
    if hasattr(image, "__dlpack__"):
        return np.from_dlpack(image)
    if hasattr(image, "__array_interface__") or hasattr(image, "__array__"):
        return np.asarray(image)
    try:
        return np.asarray(memoryview(image))
    except (TypeError, ValueError) as error:
        message = f"an image is a buffer, an array or an image of Pillow, got {type(image).__name__}"
        raise ArrayTypeError(message) from error
