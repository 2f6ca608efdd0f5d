"""A clip in closed groups of pictures, which are encoded by themselves and joined."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ._native import H264Encoder, Mp4Writer
from ._video import is_quicktime

if TYPE_CHECKING:
    from ._native import FramePixels

#: The packets of a segment: bytes, and whether decoding can begin there.
Segment = list[tuple[bytes, bool]]


def stated(settings: dict[str, Any]) -> dict[str, Any]:
    """Settings with the matrix that players assume, if none is set: all segments have to say the same."""
    return {"matrix": "bt709" if settings["height"] >= 720 else "bt601", **settings}


def segment_of(number: int, frames: Iterable[Any], settings: dict[str, Any], pixels: FramePixels | None = None) -> Segment:
    """Encode a segment of a clip. The result depends on nothing but the arguments."""
    # If a segment ends in a keyframe, the one that follows it has to have another number.
    encoder = H264Encoder(**stated(settings), format="avcc", first_idr_pic_id=number % 2 * 2)
    packets = [packet for frame in frames for packet in encoder.encode(frame, pixels=pixels)]
    packets += encoder.flush()
    return [(packet.data, packet.keyframe) for packet in packets]


def join_mp4(
    path: str | os.PathLike[str],
    segments: Iterable[Segment],
    settings: dict[str, Any],
    *,
    fragmented: bool = False,
) -> int:
    """Join segments, in order, to one MP4 file, and return the number of frames."""
    encoder = H264Encoder(**stated(settings), format="avcc")
    count = 0
    with Mp4Writer(path, encoder, fragmented=fragmented, quicktime=is_quicktime(path)) as file:
        for segment in segments:
            for data, keyframe in segment:
                file.write(data, keyframe)
                count += 1
    return count


def chunks(frames: int, length: int) -> list[range]:
    """The frames of each segment. They depend on the clip alone, not on who encodes it."""
    return [range(start, min(start + length, frames)) for start in range(0, frames, length)]


def encode_clip(
    path: str | os.PathLike[str],
    read: Callable[[range], Sequence[Any]],
    frames: int,
    settings: dict[str, Any],
    submit: Callable[..., Iterator[Segment]],
    *,
    length: int = 250,
    pixels: FramePixels | None = None,
    fragmented: bool = False,
) -> int:
    """Encode ``frames`` frames in segments: ``submit(task, arguments)`` runs ``task(*arguments)`` for each, and gives the results in order."""
    if length < 1 or frames < 1:
        raise ValueError("a clip and its segments have at least one frame")
    # What is wrong is said here, and not by a task.
    H264Encoder(**stated(settings), format="avcc")
    tasks = [(number, part, read, settings, pixels) for number, part in enumerate(chunks(frames, length))]
    return join_mp4(path, submit(read_and_encode, tasks), settings, fragmented=fragmented)


def read_and_encode(
    number: int, part: range, read: Callable[[range], Sequence[Any]], settings: dict[str, Any], pixels: FramePixels | None
) -> Segment:
    """The task of a segment."""
    segment = segment_of(number, read(part), settings, pixels)
    if len(segment) != len(part):
        message = f"segment {number}: read({part}) gave {len(segment)} frames of {len(part)}"
        raise ValueError(message)
    return segment
