"""Videos from frames."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ._native import H264Encoder, Mp4Writer

if TYPE_CHECKING:
    from ._native import FramePixels


def size_of(frame: Any, pixels: FramePixels | None = None) -> tuple[int, int]:
    """Width and height of the video that a frame belongs to."""
    if isinstance(frame, tuple):
        high, wide = frame[0].shape
        return wide, high
    shape: tuple[int, ...] = frame.shape if hasattr(frame, "shape") else memoryview(frame).shape  # type: ignore[assignment]
    if len(shape) == 2 and pixels in (None, "i420", "nv12"):
        return shape[1], shape[0] * 2 // 3
    return shape[1], shape[0]


def write_mp4(
    path: str | os.PathLike[str],
    frames: Iterable[Any],
    fps: Any = 30,
    *,
    pixels: FramePixels | None = None,
    fragmented: bool = False,
    quicktime: bool | None = None,
    **settings: Any,
) -> int:
    """Encode frames to an MP4 file, and return how many they were.

    The first frame gives the size. If anything fails, ``KeyboardInterrupt`` included, a file that was there before is left as it was; of a
    fragmented file, which is written in place, nothing is left.
    """
    frames = iter(frames)
    first = next(frames, None)
    if first is None:
        raise ValueError("a video has at least one frame")
    if quicktime is None:
        quicktime = os.fspath(path).endswith(".mov")
    encoder = H264Encoder(*size_of(first, pixels), fps, **settings, format="avcc")
    count = 0
    with Mp4Writer(path, encoder, fragmented=fragmented, quicktime=quicktime) as file:
        for frame in itertools.chain([first], frames):
            for packet in encoder.encode(frame, pixels=pixels):
                file.write(packet.data, packet.keyframe)
            count += 1
        for packet in encoder.flush():
            file.write(packet.data, packet.keyframe)
    return count
