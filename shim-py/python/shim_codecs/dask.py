"""Folders and long clips on a Dask cluster.

A task that fails because its worker dies runs again, and writes the same bytes: results depend on the arguments alone.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from distributed import Client, get_client

from . import _folders, _segments
from ._folders import Report

if TYPE_CHECKING:
    from ._native import FramePixels

__all__ = ["Report", "encode_clip", "encode_folder"]

#: Tasks that may wait or run at a time, for each thread of the cluster.
AHEAD = 4


def _all(task: Callable[..., Any], calls: Sequence[tuple[Any, ...]]) -> list[Any]:
    return [task(*call) for call in calls]


def _submit(
    client: Client | None, task: Callable[..., Any], arguments: Sequence[tuple[Any, ...]], batch: int
) -> Iterator[Any]:
    """Results in the order of their arguments, with a bounded number of tasks ahead."""
    client = client or get_client()
    most = AHEAD * max(1, sum(client.nthreads().values()))
    waiting: list[Any] = []
    for calls in _folders.batches(arguments, batch):
        waiting.append(client.submit(_all, task, calls, retries=10, pure=False))
        if len(waiting) >= most:
            yield from waiting.pop(0).result()
    for future in waiting:
        yield from future.result()


def encode_folder(
    source: str | os.PathLike[str],
    target: str | os.PathLike[str],
    *,
    client: Client | None = None,
    progress: Callable[[int, int], None] | None = None,
    batch: int = 16,
    **settings: Any,
) -> Report:
    """Re-encode the images below ``source`` as JPEG files below ``target``, which all workers have to reach.

    A file that is there is skipped, so that a run that was ended goes on where it was.
    """

    def submit(task: Callable[..., Any], arguments: Sequence[tuple[Any, ...]]) -> Iterator[Any]:
        return _submit(client, task, arguments, batch)

    return _folders.encode_folder(source, target, settings, submit, progress)


def encode_clip(
    path: str | os.PathLike[str],
    read: Callable[[range], Sequence[Any]],
    frames: int,
    width: int,
    height: int,
    fps: Any = 30,
    *,
    client: Client | None = None,
    length: int = 250,
    pixels: FramePixels | None = None,
    fragmented: bool = False,
    **settings: Any,
) -> int:
    """Encode a clip in segments of ``length`` frames as tasks, and join them to an MP4 file.

    ``read(part)`` gives the frames of a range, on any worker. The file does not depend on the workers.
    """

    def submit(task: Callable[..., Any], arguments: Sequence[tuple[Any, ...]]) -> Iterator[Any]:
        return _submit(client, task, arguments, 1)

    settings = {"width": width, "height": height, "fps": fps, **settings}
    return _segments.encode_clip(
        path, read, frames, settings, submit, length=length, pixels=pixels, fragmented=fragmented
    )
