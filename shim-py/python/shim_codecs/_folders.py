"""Folders of images, re-encoded file by file."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ._native import JpegEncoder, images_below, write_file


@dataclass
class Report:
    """What became of the files of a folder."""

    #: Files that were written.
    written: list[Path] = field(default_factory=list)
    #: Files that were there already.
    skipped: list[Path] = field(default_factory=list)
    #: Sources that could not be encoded, and why.
    errors: dict[Path, str] = field(default_factory=dict)
    #: What the files of sources lose, such as damage or a profile.
    warnings: dict[Path, list[str]] = field(default_factory=dict)


def outputs(source: Path, target: Path) -> Iterator[tuple[Path, Path]]:
    """The images below a folder, in order, and the file that each becomes."""
    places = [Path(place) for place in images_below(source, target)]
    # In one folder, the files of an earlier run lie beside their sources.
    written = {_named(place) for place in places} if target.exists() and target.samefile(source) else set()
    for place in places:
        if place not in written:
            yield source / place, target / _named(place)


def _named(place: Path) -> Path:
    # With its extension, so that a.png and a.bmp stay apart.
    return place.with_name(f"{place.name}.jpg")


def reencode(source: Path, target: Path, encoder: JpegEncoder) -> tuple[str | None, list[str]]:
    """Re-encode a file; say what is wrong with it if that fails, and what its file loses."""
    try:
        data, warnings = encoder._reencode(source)
        write_file(target, data, source)
    except Exception as error:  # One file of a million must not end the others.
        return f"{type(error).__name__}: {error}", []
    return None, warnings


def encode_folder(
    source: str | os.PathLike[str],
    target: str | os.PathLike[str],
    settings: dict[str, Any],
    submit: Callable[..., Iterator[tuple[str | None, list[str]]]],
    progress: Callable[[int, int], None] | None = None,
) -> Report:
    """Re-encode a folder: ``submit(task, arguments)`` runs ``task(*arguments)`` for each file, and gives the results in order."""
    encoder, report = JpegEncoder(**settings), Report()
    found = list(outputs(Path(source), Path(target)))
    report.skipped = [to for _, to in found if to.exists()]
    left = [(path, to) for path, to in found if not to.exists()]
    results = submit(reencode, [(path, to, encoder) for path, to in left])
    for done, ((path, to), (error, warnings)) in enumerate(zip(left, results, strict=True), 1):
        if warnings:
            report.warnings[path] = warnings
        if error is None:
            report.written.append(to)
        else:
            report.errors[path] = error
        if progress is not None:
            progress(done, len(left))
    return report


def batches(items: Iterable[Any], size: int) -> Iterator[list[Any]]:
    """Items in lists of so many."""
    batch: list[Any] = []
    for item in items:
        batch.append(item)
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch
