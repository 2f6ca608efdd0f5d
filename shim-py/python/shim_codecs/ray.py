"""Folders and long clips on a Ray cluster.

A task that fails because its worker dies runs again, and writes the same bytes: results depend on the arguments alone.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import ray

from . import _folders, _segments
from ._folders import Report
from ._native import JpegEncoder

if TYPE_CHECKING:
    from ._native import FramePixels

__all__ = ["Report", "encode_clip", "encode_dataset", "encode_folder"]

#: Tasks that may wait or run at a time, for each core of the cluster.
AHEAD = 4


def _submit(task: Callable[..., Any], arguments: Sequence[tuple[Any, ...]], batch: int) -> Iterator[Any]:
    """Results in the order of their arguments, with a bounded number of tasks ahead."""
    if not ray.is_initialized():
        ray.init()
    # A worker that dies is replaced, however often.
    remote = ray.remote(max_retries=-1)(lambda calls: [task(*call) for call in calls])
    most = AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1)))
    waiting: list[Any] = []
    for calls in _folders.batches(arguments, batch):
        waiting.append(remote.remote(calls))
        if len(waiting) >= most:
            yield from ray.get(waiting.pop(0))
    for reference in waiting:
        yield from ray.get(reference)


def encode_folder(
    source: str | os.PathLike[str],
    target: str | os.PathLike[str],
    *,
    progress: Callable[[int, int], None] | None = None,
    batch: int = 16,
    **settings: Any,
) -> Report:
    """Re-encode the images below ``source`` as JPEG files below ``target``, which all workers have to reach.

    A file that is there is skipped, so that a run that was ended goes on where it was.
    """

    def submit(task: Callable[..., Any], arguments: Sequence[tuple[Any, ...]]) -> Iterator[Any]:
        return _submit(task, arguments, batch)

    return _folders.encode_folder(source, target, settings, submit, progress)


def encode_dataset(dataset: Any, column: str = "bytes", **settings: Any) -> Any:
    """A Ray Dataset whose ``column`` of image files, such as one of Parquet, is re-encoded.

    The column ``error`` says what is wrong with a file, which is empty then.
    """
    encoder = JpegEncoder(**settings)

    def row(values: dict[str, Any]) -> dict[str, Any]:
        try:
            data, error = encoder.encode_file(bytes(values[column])), ""
        except Exception as failure:  # One file of a million must not end the others.
            data, error = b"", f"{type(failure).__name__}: {failure}"
        return {**values, column: data, "error": error}

    return dataset.map(row)


def encode_clip(
    path: str | os.PathLike[str],
    read: Callable[[range], Sequence[Any]],
    frames: int,
    width: int,
    height: int,
    fps: Any = 30,
    *,
    length: int = 250,
    pixels: FramePixels | None = None,
    fragmented: bool = False,
    **settings: Any,
) -> int:
    """Encode a clip in segments of ``length`` frames as tasks, and join them to an MP4 file.

    ``read(part)`` gives the frames of a range, on any worker. The file does not depend on the workers.
    """

    def submit(task: Callable[..., Any], arguments: Sequence[tuple[Any, ...]]) -> Iterator[Any]:
        return _submit(task, arguments, 1)

    settings = {"width": width, "height": height, "fps": fps, **settings}
    return _segments.encode_clip(
        path, read, frames, settings, submit, length=length, pixels=pixels, fragmented=fragmented
    )
