"""Exceptions of the encoders."""


class Error(Exception):
    """Anything that an encoder refuses."""


class SettingError(Error, ValueError):
    """A setting that is out of range, or that others contradict."""


class ArrayError(Error, ValueError):
    """An array whose extents do not fit."""


class ArrayTypeError(Error, TypeError):
    """An array of samples that are neither ``uint8`` nor native ``uint16``."""


class ImageError(Error, ValueError):
    """A file that is not an image, is damaged, or is in an unsupported format."""


class ImageWarning(UserWarning):
    """A part of an image that its file does not keep."""


class ResourceError(Error, RuntimeError):
    """The operating system refused threads or memory."""


for _class in (Error, SettingError, ArrayError, ArrayTypeError, ImageError, ImageWarning, ResourceError):
    _class.__module__ = "shim_codecs"
