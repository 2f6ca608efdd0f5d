"""Exceptions of the encoders."""


class Error(Exception):
    """Anything that an encoder refuses."""


class SettingError(Error, ValueError):
    """A setting that is out of range, or that others contradict."""


class ArrayError(Error, ValueError):
    """An array whose extents do not fit."""


class ArrayTypeError(Error, TypeError):
    """An array of samples that are neither ``uint8`` nor native ``uint16``."""


class ResourceError(Error, RuntimeError):
    """The operating system refused threads or memory."""


for _class in (Error, SettingError, ArrayError, ArrayTypeError, ResourceError):
    _class.__module__ = "shim_codecs"
