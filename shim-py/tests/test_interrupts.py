"""Ctrl-C ends a long call soon."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from conftest import picture

from shim_codecs import JpegEncoder, encode_jpeg

LARGE = np.tile(picture(500, 500), (16, 16, 1))
ENCODER = JpegEncoder(90, trellis=True, progressive=True)

CALLS: dict[str, Callable[[], Any]] = {
    "encode_jpeg": lambda: encode_jpeg(LARGE, trellis=True, progressive=True),
    "encode": lambda: ENCODER.encode(LARGE),
    "strides": lambda: ENCODER.encode(LARGE[:, ::-1]),
    "encode_within": lambda: JpegEncoder().encode_within(LARGE, 5_000_000),
    "encode_reaching": lambda: JpegEncoder().encode_reaching(LARGE, 40),
}


@pytest.fixture(autouse=True)
def handled() -> Iterator[None]:
    """SIGINT is ignored in the background of a shell."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("name", list(CALLS))
def test_ctrl_c_ends_a_call(name: str) -> None:
    began = 0.0

    def interrupt() -> None:
        nonlocal began
        began = time.perf_counter()
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(0.15, interrupt)
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            CALLS[name]()
            # A call that was faster has nothing to end.
            timer.join()
            time.sleep(0.1)
        assert time.perf_counter() - began < 1
    finally:
        timer.join()
