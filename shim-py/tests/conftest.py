"""Images, clips and the command."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]


def picture(height: int, width: int, samples: int | None = 3, seed: int = 1) -> Any:
    """Gradients and noise."""
    y, x = np.mgrid[0:height, 0:width]
    noise = np.random.default_rng(seed).integers(0, 24, (height, width, samples or 1))
    planes = np.stack([2 * x + 3 * y, x + y, 5 * x, 255 - y][: samples or 1], axis=-1)
    image = ((planes + noise) % 256).astype(np.uint8)
    return image if samples else image[:, :, 0]


def clip(count: int, height: int = 96, width: int = 128) -> list[Any]:
    """Frames of a texture that moves."""
    whole = picture(height + 2 * count, width + 3 * count, seed=3) // 2
    return [np.ascontiguousarray(whole[2 * k : 2 * k + height, 3 * k : 3 * k + width]) for k in range(count)]


@pytest.fixture
def command() -> Path:
    """The command `shim`, which `cargo build --release -p shim-cli` builds."""
    found = os.environ.get("SHIM") or shutil.which("shim") or ROOT / "target/release/shim"
    if not Path(found).exists():
        if os.environ.get("CI"):
            pytest.fail("the command is not built: cargo build --release -p shim-cli")
        pytest.skip("the command is not built")
    return Path(found)


def run(command: Path, *arguments: object) -> None:
    """Runs the command."""
    subprocess.run([command, *map(str, arguments)], check=True, capture_output=True)
