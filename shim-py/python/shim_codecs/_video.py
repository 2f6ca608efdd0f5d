"""Videos from frames."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, BinaryIO

from ._native import H264Encoder, Mp4Writer

if TYPE_CHECKING:
    from typing import Unpack

    from ._native import FramePixels, H264Settings


def size_of(frame: Any, pixels: FramePixels | None = None) -> tuple[int, int]:
    """Width and height of the video that a frame belongs to."""
    if isinstance(frame, tuple):
        high, wide = frame[0].shape
        return wide, high
    shape: tuple[int, ...]
    if hasattr(frame, "getexif"):
        # An image of Pillow, which may be turned.
        wide, high = frame.size
        return (high, wide) if frame.getexif().get(0x0112, 1) >= 5 else (wide, high)
    if hasattr(frame, "shape"):
        shape = frame.shape
    else:
        view = memoryview(frame)
        shape = view.shape or ()
    if len(shape) == 2 and pixels in ("i420", "nv12"):
        return shape[1], shape[0] * 2 // 3
    if len(shape) == 3 and shape[2] not in (1, 3, 4) and shape[0] in (1, 3, 4):
        return shape[2], shape[1]
    if len(shape) not in (2, 3):
        raise ValueError(f"an array of shape {list(shape)} is no frame")
    return shape[1], shape[0]


def is_quicktime(path: Any) -> bool:
    """Whether a path is that of a MOV file."""
    return isinstance(path, (str, os.PathLike)) and os.fspath(path).lower().endswith(".mov")


def write_mp4(
    path: str | os.PathLike[str] | BinaryIO,
    frames: Iterable[Any],
    fps: Any = 30,
    *,
    pixels: FramePixels | None = None,
    pts: Iterable[int] | None = None,
    fragmented: bool = False,
    quicktime: bool | None = None,
    width: int | None = None,
    height: int | None = None,
    **settings: Unpack[H264Settings],
) -> int:
    """Encode frames to an MP4 file, and return how many they were.

    The first frame gives the size, unless ``width`` and ``height`` do: an array ``[rows, columns]`` is gray, and 4:2:0 with ``pixels="i420"``,
    ``"nv12"`` or a size. ``pts`` are the times of the frames, in frames at ``fps``. ``path`` may be a file that is open for writing. If anything fails,
    ``KeyboardInterrupt`` included, a file that was there before is left as it was; of a fragmented file, which is written in place, nothing is left.
    """
    frames = iter(frames)
    first = next(frames, None)
    if first is None:
        raise ValueError("a video has at least one frame")
    if quicktime is None:
        quicktime = is_quicktime(path)
    size = size_of(first, pixels) if width is None or height is None else (width, height)
    if "variable_frame_rate" not in settings and pts is not None:
        settings["variable_frame_rate"] = True
    settings["format"] = "avcc"
    encoder = H264Encoder(*size, fps, **settings)
    times: Iterable[int | None] = itertools.repeat(None) if pts is None else pts
    count = 0
    with Mp4Writer(path, encoder, fragmented=fragmented, quicktime=quicktime) as file:
        for frame, time in zip(itertools.chain([first], frames), times, strict=pts is not None):
            for packet in encoder.encode(frame, pixels=pixels, pts=time):
                file.write(packet)
            count += 1
    return count
