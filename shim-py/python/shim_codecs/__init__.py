"""A fast JPEG encoder and an H.264 encoder.

>>> import numpy as np
>>> import shim_codecs
>>> image = np.zeros((48, 64, 3), np.uint8)
>>> shim_codecs.encode_jpeg(image, quality=85)[:2]
b'\\xff\\xd8'
"""

from ._errors import ArrayError, ArrayTypeError, Error, ImageError, ImageWarning, ResourceError, SettingError
from ._native import H264Encoder, JpegEncoder, Mp4Writer, Packet, __version__, encode_jpeg
from ._video import write_mp4

__all__ = [
    "ArrayError",
    "ArrayTypeError",
    "Error",
    "H264Encoder",
    "ImageError",
    "ImageWarning",
    "JpegEncoder",
    "Mp4Writer",
    "Packet",
    "ResourceError",
    "SettingError",
    "__version__",
    "encode_jpeg",
    "write_mp4",
]
