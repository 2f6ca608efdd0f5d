"""The package and the command make the same file of the same image: one table of images, one of settings."""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import ROOT, picture, run
from PIL import Image, ImageCms

from shim_codecs import Error, ImageError, ImageWarning, JpegEncoder, encode_jpeg
from shim_codecs._folders import encode_folder

#: Settings of the package, and options of the command.
SETTINGS: list[tuple[dict[str, Any], list[str]]] = [
    ({}, []),
    ({"quality": 70, "progressive": True, "subsampling": "4:4:4"}, ["-q", "70", "-p", "-s", "444"]),
    ({"background": (16, 32, 48)}, ["--background", "#102030"]),
    ({"copy_metadata": ["icc", "exif", "xmp", "comments", "density"]}, ["-m", "all"]),
    ({"copy_metadata": []}, ["-m", "none"]),
    ({"lossless": 1}, ["--lossless", "1"]),
    ({"precision": 12}, ["--bits", "12"]),
    ({"max_width": 10}, ["--max-width", "10"]),
    ({"max_height": 7, "resize_filter": "area"}, ["--max-height", "7", "--resize-filter", "area"]),
    ({"color_space": "RGB"}, ["--rgb"]),
    ({"color_space": "Gray"}, ["--grayscale"]),
]


def reported() -> Iterator[Path]:
    """Files after public reports."""
    for folder in (ROOT / "shim-cli/tests/reported", ROOT.parent / "shared/media/reported"):
        for path in sorted(folder.glob("*")) if folder.exists() else ():
            if path.suffix in (".jpg", ".png", ".pnm"):
                yield path


def generated(folder: Path) -> Iterator[Path]:
    """An image of each mode, depth, orientation and kind of alpha, in files that lose nothing."""
    color, gray = Image.fromarray(picture(13, 21)), Image.fromarray(picture(13, 21, None))
    alpha = Image.fromarray(picture(13, 21, 4))
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    deep = Image.fromarray((picture(13, 21, None).astype(np.uint16) << 8) + 77)
    images = {
        "rgb": color,
        "gray": gray,
        "gray-alpha": alpha.convert("LA"),
        "rgba": alpha,
        "palette": color.quantize(16),
        "bits": gray.convert("1"),
        "gray16": deep,
    }
    for name, image in images.items():
        image.save(folder / f"{name}.png", dpi=(300, 200))
    color.save(folder / "profile.png", icc_profile=profile)
    color.save(folder / "other-profile.png", icc_profile=profile.replace(b"RGB XYZ", b"GRAYXYZ"))
    clear = color.quantize(4)
    clear.save(folder / "clear-palette.png", transparency=1)
    gray.save(folder / "clear-gray.png", transparency=40)
    color.save(folder / "clear-rgb.png", transparency=color.getpixel((0, 0)))
    for orientation in range(1, 9):
        exif = Image.Exif()
        exif[0x0112] = orientation
        color.save(folder / f"turned-{orientation}.png", exif=exif, dpi=(300, 200))
        alpha.save(folder / f"turned-alpha-{orientation}.png", exif=exif)
        deep.save(folder / f"turned-deep-{orientation}.png", exif=exif)
    # TIFF is behind a feature in the command.
    for extension in ("bmp", "webp", "gif"):
        color.quantize(64).convert("RGB").save(folder / f"other.{extension}", lossless=True)
    yield from sorted(folder.iterdir())


def made_by_command(command: Path, source: Path, target: Path, options: list[str]) -> bytes | None:
    """The file of the command, if it makes one."""
    target.unlink(missing_ok=True)
    import subprocess

    made = subprocess.run([command, "jpeg", source, target, *options], capture_output=True, check=False)
    return target.read_bytes() if made.returncode == 0 else None


def quiet(call: Any) -> bytes | None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ImageWarning)
        try:
            return bytes(call())
        except Error:
            return None


@pytest.mark.parametrize(("settings", "options"), SETTINGS, ids=lambda value: str(value))
def test_files_are_those_of_the_command(
    command: Path, tmp_path: Path, settings: dict[str, Any], options: list[str]
) -> None:
    (tmp_path / "in").mkdir()
    encoder, compared = JpegEncoder(**settings), 0
    for source in [*reported(), *generated(tmp_path / "in")]:
        wanted = made_by_command(command, source, tmp_path / "out.jpg", options)
        assert quiet(lambda: encoder.encode_file(source)) == wanted, source.name
        assert quiet(lambda: encoder.encode_file(source.read_bytes())) == wanted, source.name
        compared += wanted is not None
    assert compared > 30


@pytest.mark.parametrize(("settings", "options"), SETTINGS, ids=lambda value: str(value))
def test_images_of_pillow_are_those_of_the_command(
    command: Path, tmp_path: Path, settings: dict[str, Any], options: list[str]
) -> None:
    (tmp_path / "in").mkdir()
    encoder = JpegEncoder(**settings)
    for source in generated(tmp_path / "in"):
        # Pillow has colors for bits and palettes of gray, and other densities for other formats.
        if source.stem in ("bits", "palette") or source.suffix != ".png":
            continue
        wanted = made_by_command(command, source, tmp_path / "out.jpg", options)
        with Image.open(source) as image:
            assert quiet(lambda: encoder.encode(image)) == wanted, source.name
            assert quiet(lambda: encode_jpeg(image, **settings)) == wanted, source.name


def test_a_folder_is_what_the_command_makes(command: Path, tmp_path: Path) -> None:
    source, ours, theirs = (tmp_path / name for name in ("in", "ours", "theirs"))
    source.mkdir()
    list(generated(source))
    (source / "._a.jpg").write_bytes(b"no image")
    (source / "b.jfif").write_bytes(encode_jpeg(picture(9, 9)))
    report = encode_folder(source, ours, {}, lambda task, arguments: (task(*call) for call in arguments))
    assert not report.errors
    for path in source.iterdir():
        if path.name.startswith("."):
            continue
        run(command, "jpeg", path, theirs.with_suffix(".jpg"))
        assert (ours / f"{path.name}.jpg").read_bytes() == theirs.with_suffix(".jpg").read_bytes(), path.name
    assert len(list(ours.iterdir())) == len(list(source.iterdir())) - 1


def test_cmyk_is_read_as_pillow_means_it() -> None:
    ink = Image.new("CMYK", (16, 16), (200, 10, 60, 30))
    with Image.open(io.BytesIO(encode_jpeg(ink, 100))) as back:
        assert back.mode == "CMYK"
        assert max(abs(a - b) for a, b in zip(back.getpixel((3, 3)), (200, 10, 60, 30), strict=True)) <= 2
    # Arrays have the convention of the file: 0 is full ink.
    array = np.full((16, 16, 4), (55, 245, 195, 225), np.uint8)
    assert encode_jpeg(array, 100, pixels="cmyk") == encode_jpeg(ink, 100)


def test_tiff_is_read(tmp_path: Path) -> None:
    """Orientation, density and depth of a TIFF file are those of a PNG file."""
    color, deep = Image.fromarray(picture(13, 21)), Image.fromarray(picture(13, 21, None).astype(np.uint16) << 8)
    for image in (color, deep):
        exif = Image.Exif()
        exif[0x0112] = 6
        image.save(tmp_path / "a.tif", exif=exif, dpi=(300, 200), compression="tiff_lzw")
        image.save(tmp_path / "a.png", exif=exif, dpi=(300, 200))
        encoder = JpegEncoder()
        assert encoder.encode_file(tmp_path / "a.tif") == encoder.encode_file(tmp_path / "a.png")


def test_modes_without_a_range_are_refused() -> None:
    for mode in ("F", "LAB"):
        with pytest.raises(TypeError, match=f"mode {mode}"):
            encode_jpeg(Image.new(mode, (4, 4)))
    deep = Image.fromarray(np.full((4, 4), 70_000, np.int32))
    with pytest.raises(ValueError, match="from 70000 to 70000"):
        encode_jpeg(deep)
    assert encode_jpeg(Image.fromarray(np.full((4, 4), 0x4041, np.int32))) == encode_jpeg(np.full((4, 4), 64, np.uint8))


def test_what_is_lost_is_a_warning(tmp_path: Path) -> None:
    clipped = encode_jpeg(picture(40, 40))[:-2]
    with pytest.warns(ImageWarning, match="without an EOI marker"):
        JpegEncoder().encode_file(clipped)
    with pytest.raises(ImageError, match="truncated JPEG file"):
        JpegEncoder().encode_file(clipped[:-40])
    with pytest.raises(FileNotFoundError):
        JpegEncoder().encode_file(tmp_path / "missing.png")
