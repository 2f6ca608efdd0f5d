"""Damaged inputs give an exception of the package, or a file that others read."""

from __future__ import annotations

import io
import random
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import picture
from PIL import Image
from test_front_ends import generated, reported

from shim_codecs import Error, H264Encoder, ImageWarning, JpegEncoder, encode_jpeg


def mutated(file: bytes, chance: random.Random) -> bytes:
    """A file with bytes changed, taken out, doubled or cut off."""
    data = bytearray(file)
    for _ in range(chance.randint(1, 4)):
        reach = min(len(data), 600) if chance.random() < 0.5 else len(data)
        at, length = chance.randrange(max(1, reach)), chance.randrange(40)
        match chance.randrange(5):
            case 0 if data:
                data[at] = chance.randrange(256)
            case 1 if data:
                data[at] ^= 1 << chance.randrange(8)
            case 2:
                del data[at : at + length]
            case 3:
                data[at:at] = data[at : at + length]
            case _:
                del data[max(at, len(data) // 2) :]
    return bytes(data)


def test_damaged_files(tmp_path: Path) -> None:
    chance, encoder, taken = random.Random(5), JpegEncoder(), 0
    sources = [path.read_bytes() for path in [*reported(), *generated(tmp_path)]]
    for number in range(300):
        file = mutated(sources[number % len(sources)], chance)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ImageWarning)
            try:
                made = encoder.encode_file(file)
            except Error:
                continue
        taken += 1
        with Image.open(io.BytesIO(made)) as image:
            image.load()
    assert 20 < taken < 290


def test_arrays_of_any_kind() -> None:
    """Arrays of any shape, type and strides are encoded or refused."""
    chance, taken = random.Random(6), 0
    for _ in range(300):
        shape = tuple(chance.choice([0, 1, 2, 3, 4, 5, 8, 17]) for _ in range(chance.choice([1, 2, 3, 3, 3, 4])))
        kind = chance.choice([np.uint8, np.uint8, np.uint8, np.uint16, np.int16, np.float32, np.bool_, ">u2"])
        image: Any = np.ones(shape, kind)
        if chance.random() < 0.5:
            image = image[tuple(slice(None, None, chance.choice([-2, -1, 1, 2])) for _ in shape)]
        arguments: dict[str, Any] = {}
        if chance.random() < 0.3:
            arguments["pixels"] = chance.choice(["rgb", "bgr", "gray", "cmyk", "rgba", "none"])
        if chance.random() < 0.3:
            arguments["bits"] = chance.choice([0, 1, 7, 8, 12, 16, 17])
        if chance.random() < 0.3:
            arguments["precision"] = chance.choice([2, 8, 12])
        if chance.random() < 0.2:
            arguments["background"] = chance.choice(["white", (1, 2, 3), "#12", 5])
        try:
            made = encode_jpeg(image, **arguments)
        except (Error, TypeError):
            pass
        else:
            taken += 1
            assert made[:2] == b"\xff\xd8" and made[-2:] == b"\xff\xd9"
        try:
            H264Encoder(8, 8).encode(image, pixels=arguments.get("pixels"))
        except (Error, TypeError):
            pass
    assert taken > 20


@pytest.mark.parametrize("wrong", [None, 5, "text", [1, 2], object(), b"", [picture(4, 4)], {}])
def test_what_is_no_image(wrong: Any) -> None:
    for call in (encode_jpeg, JpegEncoder().encode, H264Encoder(4, 4).encode):
        with pytest.raises((Error, TypeError)):
            call(wrong)
    with pytest.raises((Error, TypeError, OSError, BufferError)):
        JpegEncoder().encode_file(wrong)
