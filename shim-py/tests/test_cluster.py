"""Ray and Dask with two workers: `pytest -m cluster`."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import clip
from test_folders import images

pytestmark = pytest.mark.cluster

FRAMES = clip(23)


def read(part: range) -> list[Any]:
    return FRAMES[part.start : part.stop]


class Dies:
    """Frames whose first reader dies in the middle."""

    def __init__(self, flag: Path, frames: list[Any]) -> None:
        self.flag, self.frames = flag, frames

    def __call__(self, part: range) -> list[Any]:
        if part.start == 10:
            try:
                self.flag.touch(exist_ok=False)
            except FileExistsError:
                pass
            else:
                os.kill(os.getpid(), signal.SIGKILL)
        return self.frames[part.start : part.stop]


@pytest.fixture(params=["ray", "dask"])
def cluster(request: pytest.FixtureRequest) -> Iterator[Any]:
    """A function that starts so many workers, and gives the module."""
    if request.param == "ray":
        ray = pytest.importorskip("ray")
        from shim_codecs import ray as module

        def start(workers: int) -> Any:
            ray.shutdown()
            ray.init(num_cpus=workers, include_dashboard=False, log_to_driver=False)
            return module, {}

        yield start
        ray.shutdown()
    else:
        distributed = pytest.importorskip("distributed")
        from shim_codecs import dask as module  # type: ignore[no-redef]

        opened: list[Any] = []

        def start(workers: int) -> Any:
            local = distributed.LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None)
            client = distributed.Client(local)
            opened.extend([client, local])
            return module, {"client": client}

        yield start
        for part in opened:
            part.close()


def test_files_do_not_depend_on_the_workers(cluster: Any, tmp_path: Path) -> None:
    source = tmp_path / "in"
    images(source)
    found = []
    for workers in (1, 2, 4):
        module, arguments = cluster(workers)
        folder, path = tmp_path / f"out{workers}", tmp_path / f"{workers}.mp4"
        report = module.encode_folder(source, folder, quality=80, batch=1, **arguments)
        assert len(report.written) == 4 and len(report.errors) == 2
        frames = FRAMES
        assert module.encode_clip(path, lambda part, f=frames: f[part.start : part.stop], 23, 128, 96, 25, length=5, crf=24, **arguments) == 23
        files = {file.relative_to(folder): file.read_bytes() for file in folder.rglob("*") if file.is_file()}
        found.append((files, path.read_bytes()))
    assert found[0] == found[1] == found[2]


def test_a_worker_that_dies_changes_nothing(cluster: Any, tmp_path: Path) -> None:
    module, arguments = cluster(2)
    frames = FRAMES
    module.encode_clip(tmp_path / "whole.mp4", lambda part, f=frames: f[part.start : part.stop], 23, 128, 96, 25, length=5, **arguments)
    flag = tmp_path / "died"

    def dies(part: range, flag: str = str(flag), f: Any = frames) -> Any:
        if part.start == 10:
            try:
                os.close(os.open(flag, os.O_CREAT | os.O_EXCL))
            except FileExistsError:
                pass
            else:
                os.kill(os.getpid(), signal.SIGKILL)
        return f[part.start : part.stop]

    module.encode_clip(tmp_path / "again.mp4", dies, 23, 128, 96, 25, length=5, **arguments)
    assert flag.exists()
    assert (tmp_path / "whole.mp4").read_bytes() == (tmp_path / "again.mp4").read_bytes()


def test_a_dataset_is_encoded(tmp_path: Path) -> None:
    ray = pytest.importorskip("ray")
    from shim_codecs import ray as module

    images(tmp_path / "in")
    ray.shutdown()
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        rows = [{"name": path.name, "bytes": path.read_bytes()} for path in sorted((tmp_path / "in").glob("*.*"))]
        ray.data.from_items(rows).write_parquet(str(tmp_path / "parquet"))
        dataset = ray.data.read_parquet(str(tmp_path / "parquet"))
        encoded = module.encode_dataset(dataset, quality=70).take_all()
        assert {row["name"] for row in encoded if row["error"]} == {"broken.png", "empty.jpg", "notes.txt"}
        assert all(row["bytes"][:2] == b"\xff\xd8" for row in encoded if not row["error"])
        assert np.sum([row["error"] == "" for row in encoded]) == 3
    finally:
        ray.shutdown()
