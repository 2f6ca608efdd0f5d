"""Megapixels a second of JPEG encoders, and frames a second of H.264 encoders, interleaved on one core.

    python -m shim_codecs.bench [--jpeg | --h264] [--rounds N]

Ratios are medians of the ratios of runs that follow one another. Peers that are not installed are left out.
"""

from __future__ import annotations

import argparse
import importlib
import io
import os
import statistics
import sys
import time
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from . import H264Encoder, JpegEncoder, encode_jpeg
from ._native import _limit_simd

#: Height and width of the images.
SIZES = ((64, 64), (512, 512), (3000, 4000))


def photograph(height: int, width: int) -> Any:
    """An image with gradients, edges and a little noise."""
    y, x = np.mgrid[0:height, 0:width]
    noise = np.random.default_rng(7).integers(-6, 7, (height, width))
    waves = 40 * np.sin(x / 23.0) * np.cos(y / 31.0)
    edges = 60 * ((x // 97 + y // 61) % 2)
    planes = [90 + waves + edges + noise, 120 + waves / 2 - edges / 3 + noise, 70 + edges / 2 - waves + noise]
    return np.stack([plane.clip(0, 255).astype(np.uint8) for plane in planes], axis=-1)


def jpeg_peers(quality: int, subsampling: str) -> dict[str, Callable[[Any], Any]]:
    """Encoders of others with the same settings."""
    peers: dict[str, Callable[[Any], Any]] = {}
    try:
        simplejpeg = importlib.import_module("simplejpeg")
        peers["simplejpeg"] = lambda image: simplejpeg.encode_jpeg(image, quality, "RGB", subsampling)
    except ImportError:
        pass
    try:
        turbojpeg = importlib.import_module("turbojpeg")
        turbo = turbojpeg.TurboJPEG()
        sample = {"420": turbojpeg.TJSAMP_420, "444": turbojpeg.TJSAMP_444}[subsampling]
        peers["PyTurboJPEG"] = lambda image: turbo.encode(image, quality, turbojpeg.TJPF_RGB, sample)
    except (ImportError, RuntimeError, OSError):
        pass
    try:
        from PIL import Image

        chroma = {"420": 2, "444": 0}[subsampling]

        def pillow(image: Any) -> bytes:
            file = io.BytesIO()
            Image.fromarray(image).save(file, "JPEG", quality=quality, subsampling=chroma)
            return file.getvalue()

        peers["Pillow"] = pillow
    except ImportError:
        pass
    return peers


def interleaved(calls: dict[str, Callable[[], Any]], rounds: int, least: float) -> dict[str, list[float]]:
    """Seconds of each call, in rounds of all of them. One measurement takes at least ``least`` seconds."""
    times: dict[str, list[float]] = {name: [] for name in calls}
    repeats = {}
    for name, call in calls.items():
        began = time.perf_counter()
        call()
        repeats[name] = max(1, int(least / max(time.perf_counter() - began, 1e-7)))
    for _ in range(rounds):
        for name, call in calls.items():
            began = time.perf_counter()
            for _ in range(repeats[name]):
                call()
            times[name].append((time.perf_counter() - began) / repeats[name])
    return times


def report(title: str, times: dict[str, list[float]], unit: str, amount: float) -> None:
    """A line for each encoder, and how many times as fast the first is."""
    print(title)
    (ours, *_), own = list(times), next(iter(times.values()))
    for name, taken in times.items():
        ratio = statistics.median(theirs / mine for theirs, mine in zip(taken, own, strict=True))
        beside = "" if name == ours else f"   shim is {ratio:.2f} times as fast"
        print(f"  {name:<24} {amount / statistics.median(taken):10.1f} {unit}{beside}")


def bench_jpeg(rounds: int) -> None:
    """JPEG."""
    for height, width in SIZES:
        image = photograph(height, width)
        for subsampling in ("420", "444"):
            for quality in (75, 90):
                encoder = JpegEncoder(quality, subsampling=subsampling)
                calls: dict[str, Callable[[], Any]] = {
                    "shim JpegEncoder": lambda e=encoder: e.encode(image),  # type: ignore[misc]
                    "shim encode_jpeg": lambda q=quality, s=subsampling: encode_jpeg(image, q, subsampling=s),  # type: ignore[misc]
                }
                for name, peer in jpeg_peers(quality, subsampling).items():
                    calls[name] = lambda p=peer: p(image)  # type: ignore[misc]
                title = f"{width}x{height}, 4:{subsampling[1]}:{subsampling[2]}, quality {quality}"
                report(title, interleaved(calls, rounds, 0.02), "MP/s", height * width / 1e6)


def bench_overhead(rounds: int) -> None:
    """What a call from Python takes beyond that of Rust, and threads beside processes."""
    image, encoder = photograph(64, 64), JpegEncoder()
    plain: Callable[[], Any] = lambda: encoder.encode(image)  # noqa: E731
    times = []
    for _ in range(rounds):
        (own,) = interleaved({"": plain}, 1, 0.02).values()
        times.append(own[0] - encoder._seconds(image, 5000))
    print(f"a call of JpegEncoder.encode for 64x64: {statistics.median(times) * 1e6:.2f} microseconds beyond Rust's")


def _work(image: Any) -> None:
    encoder = JpegEncoder()
    for _ in range(20):
        encoder.encode(image)


def bench_threads(rounds: int) -> None:
    """Two threads, and two processes, beside one."""
    from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor

    image, two = photograph(1024, 1024), 2
    with ThreadPoolExecutor(two) as threads, ProcessPoolExecutor(two) as processes:

        def both(executor: Executor) -> None:
            for future in [executor.submit(_work, image) for _ in range(two)]:
                future.result()

        calls: dict[str, Callable[[], Any]] = {
            "one": lambda: _work(image),
            "threads": lambda: both(threads),
            "processes": lambda: both(processes),
        }
        for call in calls.values():
            call()
        times = interleaved(calls, rounds, 0.0)
    for name in ("threads", "processes"):
        ratio = statistics.median(2 * one / other for one, other in zip(times["one"], times[name], strict=True))
        print(f"two {name} are {ratio:.2f} times as fast as one")


def bench_h264(rounds: int) -> None:
    """H.264."""
    height, width, count = 360, 640, 30
    whole = photograph(height + 4 * count, width + 4 * count)
    clip = [np.ascontiguousarray(whole[2 * k : 2 * k + height, 3 * k : 3 * k + width]) for k in range(count)]

    def shim(preset: Any) -> int:
        encoder = H264Encoder(width, height, 25, crf=23, preset=preset)
        packets = [packet for frame in clip for packet in encoder.encode(frame)] + encoder.flush()
        return sum(len(packet) for packet in packets)

    for preset in ("ultrafast", "veryfast", "medium"):
        calls: dict[str, Callable[[], Any]] = {f"shim {preset}": lambda p=preset: shim(p)}  # type: ignore[misc]
        try:
            import av

            def x264(name: str) -> int:
                context = av.CodecContext.create("libx264", "w")
                context.width, context.height, context.pix_fmt = width, height, "yuv420p"
                context.framerate, context.thread_count = Fraction(25), 1
                context.options = {"preset": name, "crf": "23", "profile": "baseline"}
                frames = [av.VideoFrame.from_ndarray(frame, format="rgb24") for frame in clip]
                packets = [p for frame in frames for p in context.encode(frame)] + context.encode(None)
                return sum(packet.size for packet in packets)

            calls[f"PyAV libx264 {preset}"] = lambda p=preset: x264(p)  # type: ignore[misc]
        except ImportError:
            pass
        report(f"{width}x{height}, {preset}, CRF 23", interleaved(calls, rounds, 0.0), "frames/s", count)


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m shim_codecs.bench", description=__doc__)
    parser.add_argument("--jpeg", action="store_true", help="JPEG alone")
    parser.add_argument("--h264", action="store_true", help="H.264 alone")
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--simd", choices=["baseline", "v2", "v3", "v4"], help="limit the JPEG encoder's instruction sets")
    arguments = parser.parse_args()
    if arguments.simd:
        _limit_simd(arguments.simd)
    print(f"Python {sys.version.split()[0]}, numpy {np.__version__}, {arguments.rounds} rounds")
    if not arguments.h264 and (os.cpu_count() or 1) > 1:
        bench_threads(arguments.rounds)
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    if not arguments.h264:
        bench_overhead(arguments.rounds)
    if not arguments.h264:
        bench_jpeg(arguments.rounds)
    if not arguments.jpeg:
        bench_h264(arguments.rounds)


if __name__ == "__main__":
    main()
