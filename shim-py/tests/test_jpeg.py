"""JPEG files of arrays."""

from __future__ import annotations

import array
import io
import pickle
import resource
import signal
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import simplejpeg
from conftest import picture, run
from PIL import Image

import shim_codecs
from shim_codecs import ArrayError, ArrayTypeError, Error, JpegEncoder, SettingError, encode_jpeg


@pytest.mark.parametrize("size", [(1, 1), (1, 17), (40, 3), (48, 64), (129, 255)])
@pytest.mark.parametrize(
    ("settings", "arguments"),
    [
        ({}, []),
        ({"quality": 75, "subsampling": "444"}, ["-q", 75, "-s", 444]),
        ({"quality": 30, "subsampling": "4:2:2", "optimize": True}, ["-q", 30, "-s", 422, "-O"]),
        ({"arithmetic": True, "progressive": True}, ["--arithmetic", "--progressive"]),
        ({"quality": 100, "progressive": True}, ["-q", 100, "-p"]),
        ({"quality": 80, "libjpeg_compatible": True, "restart_rows": 2}, ["-q", 80, "--libjpeg-compatible", "--restart", 2]),
        ({"quality": 60, "trellis": True, "progressive": True}, ["-q", 60, "--trellis", "-p"]),
        ({"sampling_factors": [(4, 2), (2, 1), (1, 2)]}, ["-s", "4x2,2x1,1x2"]),
        ({"threads": 2, "quality": 50}, ["-q", 50]),
        ({"lossless": 7}, ["--lossless", 7]),
    ],
)
def test_files_are_those_of_the_command(
    command: Path, tmp_path: Path, size: tuple[int, int], settings: dict[str, Any], arguments: list[Any]
) -> None:
    image = picture(*size)
    Image.fromarray(image).save(tmp_path / "in.ppm")
    run(command, "jpeg", *arguments, tmp_path / "in.ppm", tmp_path / "out.jpg")
    wanted = (tmp_path / "out.jpg").read_bytes()
    assert encode_jpeg(image, **settings) == wanted
    encoder = JpegEncoder(**settings)
    assert encoder.encode(image) == wanted
    assert encoder.encode(image) == wanted


def strided(image: Any) -> dict[str, Any]:
    """The same image in other orders of memory."""
    high, wide, samples = image.shape
    large = np.zeros((2 * high + 3, 3 * wide + 1, samples), np.uint8)
    window = large[1 : 2 * high + 1 : 2, 2 : wide + 2]
    window[:] = image
    every = large.copy()[: 2 * high : 2, : 3 * wide : 3]
    every[:] = image
    fortran = np.asfortranarray(image)
    read_only = image.copy()
    read_only.flags.writeable = False
    return {
        "contiguous": image,
        "rows of a larger image": window,
        "every third pixel": every,
        "fortran": fortran,
        "rows from the bottom": np.ascontiguousarray(image[::-1])[::-1],
        "columns from the right": np.ascontiguousarray(image[:, ::-1])[:, ::-1],
        "samples from the last": np.ascontiguousarray(image[:, :, ::-1])[:, :, ::-1],
        "read-only": read_only,
        "memoryview": memoryview(image),
        "planar": np.ascontiguousarray(image.transpose(2, 0, 1)),
        "planes of another order": image.transpose(2, 0, 1),
        "broadcast": np.broadcast_to(image, (1, *image.shape))[0],
        "an image of Pillow": Image.fromarray(image),
    }


@pytest.mark.parametrize("size", [(1, 1), (7, 9), (33, 50)])
@pytest.mark.parametrize("name", list(strided(picture(8, 8))))
def test_strides_do_not_matter(size: tuple[int, int], name: str) -> None:
    image = picture(*size)
    planar = True if name.startswith("plan") else False
    given = strided(image)[name]
    content = {} if name == "an image of Pillow" else {"planar": planar}
    assert encode_jpeg(given, 85, **content) == encode_jpeg(image, 85, planar=False)


@pytest.mark.parametrize("samples", [None, 1, 2, 3, 4])
def test_samples_of_a_pixel(samples: int | None) -> None:
    image = picture(20, 30, samples)
    decoded = Image.open(io.BytesIO(encode_jpeg(image, 95, subsampling="444")))
    assert decoded.size == (30, 20)
    assert decoded.mode == ("RGB" if samples and samples > 2 else "L")
    plain = image if not samples else image[:, :, : 3 if samples > 2 else 1].squeeze()
    assert np.abs(np.asarray(decoded).astype(int) - plain).mean() < 4


def test_orders_of_pixels() -> None:
    image = picture(24, 24)
    wanted = encode_jpeg(image)
    assert encode_jpeg(np.ascontiguousarray(image[:, :, ::-1]), pixels="BGR") == wanted
    alpha = np.dstack([image[:, :, ::-1], np.zeros((24, 24), np.uint8)])
    assert encode_jpeg(alpha, pixels="bgra") == wanted
    cmyk = picture(24, 24, 4)
    assert Image.open(io.BytesIO(encode_jpeg(cmyk, pixels="CMYK"))).mode == "CMYK"


@pytest.mark.parametrize("name", ["4:2:0", "4:4:4", "4:2:2", "4:4:0", "4:1:1"])
def test_planes_of_ycbcr_are_not_converted(name: str) -> None:
    h, v = {"4:2:0": (2, 2), "4:4:4": (1, 1), "4:2:2": (2, 1), "4:4:0": (1, 2), "4:1:1": (4, 1)}[name]
    y = picture(33, 47, None)
    cb, cr = (picture(-(-33 // v), -(-47 // h), None, seed) for seed in (5, 6))
    file = encode_jpeg((y, cb, cr), 90)
    assert file == encode_jpeg((y, cb, cr), 90, subsampling=name)
    assert simplejpeg.decode_jpeg_header(file)[3] == name.replace(":", "")
    wide = np.zeros((cb.shape[0], cb.shape[1] + 5), np.uint8)
    wide[:, : cb.shape[1]] = cb
    assert encode_jpeg((y[::-1].copy()[::-1], wide[:, : cb.shape[1]], cr), 90) == file


def test_others_decode_what_is_encoded() -> None:
    image = picture(120, 90) // 2 + 40
    for subsampling in ("420", "444"):
        decoded = simplejpeg.decode_jpeg(encode_jpeg(image, 95, subsampling=subsampling))
        theirs = simplejpeg.decode_jpeg(simplejpeg.encode_jpeg(image, 95, "RGB", subsampling))
        ours, other = (np.abs(array.astype(int) - image).mean() for array in (decoded, theirs))
        assert ours < other * 1.02 + 0.1


def test_samples_of_16_bits() -> None:
    image = picture(16, 24).astype(np.uint16)
    for refused in ({}, {"precision": None}):
        with pytest.raises(SettingError, match="uint16 samples need precision=8"):
            encode_jpeg(image * 16, **refused)
    assert encode_jpeg(image * 16, bits=12) == encode_jpeg(image * 16, bits=12, precision=12)
    assert encode_jpeg(image * 257, precision=8) == encode_jpeg(image.astype(np.uint8))
    scaled = (image.astype(int) * 16 * 255 + 2047) // 4095
    assert abs(len(encode_jpeg(image * 16, bits=12, precision=8)) - len(encode_jpeg(scaled.astype(np.uint8)))) < 40
    lossless = JpegEncoder(lossless=1)
    assert len(lossless.encode(image * 257)) > 500
    assert lossless.encode(image, bits=8) != lossless.encode(image)
    with pytest.raises(ArrayError, match="sample 4096 exceeds the sample precision of 12 bits"):
        encode_jpeg(np.full((4, 4), 4096, np.uint16), bits=12)
    with pytest.raises(ArrayTypeError):
        encode_jpeg(image.astype(">u2"))


@pytest.mark.parametrize(
    ("image", "error"),
    [
        (np.zeros((0, 4, 3), np.uint8), ArrayError),
        (np.zeros((4, 0), np.uint8), ArrayError),
        (np.zeros((1, 70_000), np.uint8), ArrayError),
        (np.zeros(16, np.uint8), ArrayError),
        (np.zeros((5, 5, 5), np.uint8), ArrayError),
        (np.zeros((2, 4, 4, 3), np.uint8), ArrayError),
        (np.zeros((4, 4, 3), np.float32), ArrayTypeError),
        (np.zeros((4, 4, 3), np.int8), ArrayTypeError),
        (np.zeros((4, 4, 3), bool), ArrayTypeError),
        (np.zeros((4, 4), np.uint32), ArrayTypeError),
        (np.zeros((4, 4), object), TypeError),
        (np.zeros((), np.uint8), ArrayError),
        (array.array("d", [1.0, 2.0]), ArrayTypeError),
        ((np.zeros((4, 4), np.uint8),) * 2, ArrayError),
        ((np.zeros((4, 4), np.uint8), np.zeros((3, 2), np.uint8), np.zeros((3, 2), np.uint8)), ArrayError),
        (None, TypeError),
        ("image", TypeError),
        ([[1, 2], [3, 4]], TypeError),
    ],
)
def test_what_is_no_image(image: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        encode_jpeg(image)
    with pytest.raises(error):
        JpegEncoder().encode(image)


@pytest.mark.parametrize(
    ("settings", "error"),
    [
        ({"quality": 0}, SettingError),
        ({"quality": 101}, SettingError),
        ({"quality": -5}, SettingError),
        ({"quality": 1000}, SettingError),
        ({"quality": "high"}, TypeError),
        ({"quality": 3.5}, TypeError),
        ({"subsampling": "4:2:1"}, SettingError),
        ({"subsampling": 420}, TypeError),
        ({"lossless": 8}, SettingError),
        ({"lossless": 1, "progressive": True}, SettingError),
        ({"quantization_tables": ([1] * 63, [1] * 64)}, SettingError),
        ({"density": (1, 1, "inch")}, SettingError),
        ({"colour": 1}, TypeError),
    ],
)
def test_settings_that_are_refused(settings: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error) as refused:
        JpegEncoder(**settings)
    assert error is not SettingError or (isinstance(refused.value, Error) and isinstance(refused.value, ValueError))


def test_settings_that_are_refused_with_an_image() -> None:
    image = picture(8, 8)
    for settings in (
        {"sampling_factors": [(3, 1), (2, 1), (1, 1)]},
        {"scans": [([0], 0, 63, 0, 0)]},
        {"quantization_tables": ([0] * 64, [1] * 64)},
        {"app_segments": [(16, b"")]},
        {"comments": [b"x" * 70_000]},
    ):
        with pytest.raises(SettingError):
            encode_jpeg(image, **settings)  # type: ignore[arg-type]


def test_metadata() -> None:
    file = encode_jpeg(
        picture(8, 8),
        icc=b"profile",
        exif=b"II*\0\x08\0\0\0\0\0\0\0\0\0",
        xmp=b"<x/>",
        comments=[b"one", b"two"],
        app_segments=[(9, b"mine")],
        density=(72, 72, "dpi"),
    )
    for part in (b"profile", b"Exif\0\0II*\0", b"<x/>", b"one", b"two", b"mine"):
        assert part in file
    assert Image.open(io.BytesIO(file)).info["dpi"] == (72, 72)


def test_a_buffer_takes_the_file() -> None:
    image, encoder = picture(30, 30), JpegEncoder(70)
    file = encoder.encode(image)
    for buffer in (bytearray(len(file) + 10), np.zeros(len(file) + 10, np.uint8)):
        assert encoder.encode_into(image, buffer) == len(file)
        assert bytes(buffer[: len(file)]) == file
    small = bytearray(len(file) - 1)
    with pytest.raises(ArrayError, match="the buffer"):
        encoder.encode_into(image, small)
    assert small == bytearray(len(file) - 1)
    with pytest.raises((ArrayTypeError, BufferError)):
        encoder.encode_into(image, bytes(100_000))


def test_a_target_is_met() -> None:
    image, encoder = picture(64, 64), JpegEncoder()
    file, quality = encoder.encode_within(image, 4000)
    assert len(file) <= 4000 and file == encode_jpeg(image, quality)
    file, quality = encoder.encode_reaching(image, 32.0)
    assert file == encode_jpeg(image, quality)
    with pytest.raises(SettingError):
        encoder.encode_within(image, 10)


def test_encoders_travel_by_their_settings() -> None:
    encoder = JpegEncoder(77, subsampling="444", comments=[b"x"])
    twin = pickle.loads(pickle.dumps(encoder))
    assert twin == encoder and twin.settings == {"quality": 77, "subsampling": "444", "comments": [b"x"]}
    image = picture(20, 20)
    assert twin.encode(image) == encoder.encode(image)
    assert encoder != JpegEncoder(78) and encoder != "encoder"
    assert repr(encoder) == "JpegEncoder(subsampling='444', comments=[b'x'], quality=77)"


def test_threads_share_an_encoder() -> None:
    images = [picture(64, 48 + k, seed=k) for k in range(16)]
    wanted = [encode_jpeg(image, 80) for image in images]
    encoder, failures = JpegEncoder(80), []

    def work(number: int) -> None:
        for _ in range(50):
            if encoder.encode(images[number]) != wanted[number]:
                failures.append(number)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_an_array_that_changes_meanwhile_is_harmless() -> None:
    image, stop = picture(512, 512), threading.Event()

    def change() -> None:
        while not stop.is_set():
            image[:] = ~image

    thread = threading.Thread(target=change)
    thread.start()
    try:
        for _ in range(50):
            assert Image.open(io.BytesIO(encode_jpeg(image))).size == (512, 512)
    finally:
        stop.set()
        thread.join()


def test_memory_does_not_grow() -> None:
    image, encoder = picture(128, 128), JpegEncoder()

    def peak() -> int:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    for _ in range(500):
        encoder.encode(image)
        encode_jpeg(image[::-1])
    before = peak()
    for _ in range(10_000):
        encoder.encode(image)
        encode_jpeg(image[::-1])
    assert peak() - before < 4096


@pytest.mark.parametrize("settings", [{}, {"progressive": True}, {"optimize": True, "threads": 2}])
def test_a_signal_ends_a_long_call(settings: dict[str, Any]) -> None:
    image = np.zeros((20_000, 20_000), np.uint8)
    image[::3, ::7] = 200

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.15)
    began = time.monotonic()
    try:
        with pytest.raises(KeyboardInterrupt):
            for _ in range(100):
                encode_jpeg(image, **settings)
        assert time.monotonic() - began < 5
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_dlpack() -> None:
    class Elsewhere:
        """Only DLPack."""

        def __init__(self, inner: Any) -> None:
            self.inner = inner

        def __dlpack__(self, **arguments: Any) -> Any:
            return self.inner.__dlpack__(**arguments)

        def __dlpack_device__(self) -> Any:
            return self.inner.__dlpack_device__()

    image = picture(20, 20)
    assert encode_jpeg(Elsewhere(image)) == encode_jpeg(image)


def test_modes_of_pillow() -> None:
    image = Image.fromarray(picture(20, 20))
    for mode in ("L", "LA", "RGB", "RGBA", "CMYK", "YCbCr", "P", "1"):
        assert encode_jpeg(image.convert(mode))[:2] == b"\xff\xd8", mode


def test_the_package_says_what_it_has() -> None:
    for name in shim_codecs.__all__:
        assert hasattr(shim_codecs, name)
