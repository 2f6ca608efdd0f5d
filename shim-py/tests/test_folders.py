"""Folders of images, without a cluster."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from conftest import picture
from PIL import Image

from shim_codecs import encode_jpeg
from shim_codecs._folders import encode_folder


def here(task: Any, arguments: Any) -> Iterator[Any]:
    return (task(*call) for call in arguments)


def images(folder: Path) -> None:
    (folder / "below").mkdir(parents=True)
    for k, name in enumerate(("a.png", "a.bmp", "below/c.png", "d.PNG")):
        Image.fromarray(picture(20 + k, 30)).save(folder / name)
    (folder / "broken.png").write_bytes(b"no image")
    (folder / "empty.jpg").write_bytes(b"")
    (folder / "notes.txt").write_text("text")


def test_a_folder_is_encoded_and_goes_on(tmp_path: Path) -> None:
    source, target = tmp_path / "in", tmp_path / "out"
    images(source)
    seen: list[tuple[int, int]] = []
    report = encode_folder(source, target, {"quality": 80}, here, lambda done, of: seen.append((done, of)))
    assert seen == [(k, 6) for k in range(1, 7)]
    names = {str(path.relative_to(target)) for path in report.written}
    assert names == {"a.png.jpg", "a.bmp.jpg", "below/c.png.jpg", "d.PNG.jpg"}
    assert {path.name for path in report.errors} == {"broken.png", "empty.jpg"}
    assert (target / "a.png.jpg").read_bytes() == encode_jpeg(Image.open(source / "a.png"), 80)
    assert {path for path in target.rglob("*") if path.is_file()} == set(report.written)
    mask = os.umask(0)
    os.umask(mask)
    assert stat.S_IMODE((target / "a.png.jpg").stat().st_mode) == 0o666 & ~mask

    (target / "a.png.jpg").unlink()
    again = encode_folder(source, target, {"quality": 80}, here)
    assert [path.name for path in again.written] == ["a.png.jpg"] and len(again.skipped) == 3
    assert len(again.errors) == 2
