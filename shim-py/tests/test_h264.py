"""H.264 streams and MP4 files of arrays."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest
from conftest import clip, run

from shim_codecs import ArrayError, ArrayTypeError, H264Encoder, Mp4Writer, SettingError, write_mp4
from shim_codecs._segments import chunks, encode_clip, join_mp4, segment_of


def stream(encoder: H264Encoder, frames: list[Any], **arguments: Any) -> bytes:
    packets = [packet for frame in frames for packet in encoder.encode(frame, **arguments)]
    return b"".join(packet.data for packet in packets + encoder.flush())


def decoded(path: Path | str) -> list[Any]:
    with av.open(str(path)) as file:
        return [frame.to_ndarray(format="rgb24") for frame in file.decode(video=0)]


def i420(frame: Any) -> Any:
    """Some 4:2:0 frame of the same size."""
    high, wide = frame.shape[:2]
    half = frame[::2, ::2, 1:3].transpose(2, 0, 1).reshape(high // 2, wide)
    return np.ascontiguousarray(np.vstack([frame[:, :, 0], half]))


@pytest.mark.parametrize(
    ("settings", "arguments"),
    [
        ({}, []),
        ({"crf": 30, "preset": "ultrafast"}, ["--crf", 30, "--preset", "ultrafast"]),
        ({"qp": 28, "preset": "fast", "slices": 2, "threads": 2}, ["--qp", 28, "--preset", "fast", "--slices", 2]),
        ({"bitrate": 300_000, "expected_frames": 12}, ["--bitrate", "300k"]),
        ({"keyint": 5, "references": 2}, ["--keyint", 5, "--ref", 2]),
        ({"lookahead": 4, "aq_strength": 1.0}, ["--lookahead", 4, "--aq-strength", 1]),
        ({"lookahead": 40, "mb_tree": False, "tune": "film"}, ["--lookahead", 40, "--no-mbtree", "--tune", "film"]),
    ],
)
def test_streams_are_those_of_the_command(
    command: Path, tmp_path: Path, settings: dict[str, Any], arguments: list[Any]
) -> None:
    frames = clip(12)
    for name, given in (("yuv420p", [i420(frame) for frame in frames]), ("rgb24", frames)):
        (tmp_path / "in.raw").write_bytes(b"".join(frame.tobytes() for frame in given))
        size = ["--size", "128x96", "--pix-fmt", name, "--fps", 25]
        slices = [] if "slices" in settings else ["--slices", 1]
        run(command, "h264", *size, *slices, *arguments, tmp_path / "in.raw", tmp_path / "out.264")
        encoder = H264Encoder(128, 96, 25, **settings)
        assert stream(encoder, given) == (tmp_path / "out.264").read_bytes(), name


def test_frames_in_any_order_of_memory() -> None:
    frames = clip(4)
    yuv = [i420(frame) for frame in frames]
    wanted = stream(H264Encoder(128, 96, qp=30), yuv)

    def planes(frame: Any) -> tuple[Any, Any, Any]:
        chroma = frame[96:].reshape(2, 48, 64)
        return frame[:96], chroma[0], chroma[1]

    def nv12(frame: Any) -> Any:
        y, cb, cr = planes(frame)
        return np.vstack([y, np.dstack([cb, cr]).reshape(48, 128)])

    assert stream(H264Encoder(128, 96, qp=30), [planes(frame) for frame in yuv]) == wanted
    assert stream(H264Encoder(128, 96, qp=30), [nv12(frame) for frame in yuv], pixels="nv12") == wanted
    assert stream(H264Encoder(128, 96, qp=30), [(nv12(f)[:96], nv12(f)[96:]) for f in yuv]) == wanted
    assert stream(H264Encoder(128, 96, qp=30), [(f[:96], np.dstack(planes(f)[1:])) for f in yuv]) == wanted
    flipped = [np.ascontiguousarray(frame[::-1])[::-1] for frame in yuv]
    assert stream(H264Encoder(128, 96, qp=30), flipped) == wanted

    rgb = stream(H264Encoder(128, 96, qp=30), frames)
    bgr = [np.ascontiguousarray(frame[:, :, ::-1]) for frame in frames]
    assert stream(H264Encoder(128, 96, qp=30), bgr, pixels="bgr") == rgb
    rgba = [np.dstack([frame, frame[:, :, 0]]) for frame in frames]
    assert stream(H264Encoder(128, 96, qp=30), rgba) == rgb


@pytest.mark.parametrize("size", [(2, 2), (16, 16), (17, 31), (1, 5)])
def test_any_size(size: tuple[int, int], tmp_path: Path) -> None:
    frames = clip(3, *size)
    assert write_mp4(tmp_path / "clip.mp4", frames, 25) == 3
    high, wide = (side + side % 2 for side in size)
    assert [frame.shape for frame in decoded(tmp_path / "clip.mp4")] == [(high, wide, 3)] * 3


def test_files_play(tmp_path: Path) -> None:
    frames = clip(30)
    for fragmented in (False, True):
        path = tmp_path / "clip.mp4"
        write_mp4(path, iter(frames), Fraction(30000, 1001), crf=16, matrix="bt709", fragmented=fragmented)
        shown = decoded(path)
        assert len(shown) == 30
        assert max(np.abs(a.astype(int) - b).mean() for a, b in zip(shown, frames, strict=True)) < 12
        with av.open(str(path)) as file:
            assert file.streams.video[0].average_rate == Fraction(30000, 1001)


@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError])
@pytest.mark.parametrize("fragmented", [False, True])
def test_a_file_is_complete_or_not_there(error: type[BaseException], fragmented: bool, tmp_path: Path) -> None:
    def frames() -> Iterator[Any]:
        yield from clip(5)
        raise error

    path = tmp_path / "clip.mp4"
    if not fragmented:
        path.write_bytes(b"before")
    with pytest.raises(error):
        write_mp4(path, frames(), fragmented=fragmented)
    assert [file.name for file in tmp_path.iterdir()] == ([] if fragmented else ["clip.mp4"])
    assert fragmented or path.read_bytes() == b"before"


def test_what_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        write_mp4(tmp_path / "no" / "clip.mp4", clip(1))
    with pytest.raises(ValueError, match="at least one frame"):
        write_mp4(tmp_path / "clip.mp4", [])
    with pytest.raises(SettingError, match="avcc"):
        Mp4Writer(tmp_path / "clip.mp4", H264Encoder(16, 16))
    file = Mp4Writer(tmp_path / "clip.mp4", H264Encoder(16, 16, format="avcc"))
    with pytest.raises(ValueError, match="at least one frame"):
        file.close()
    with pytest.raises(ValueError, match="closed"):
        file.write(b"\0\0\0\1\x65", True)
    file.discard()
    assert not list(tmp_path.iterdir())

    annex_b, avcc = H264Encoder(16, 16, lookahead=0), H264Encoder(16, 16, format="avcc", lookahead=0)
    frame = np.zeros((16, 16), np.uint8)
    with Mp4Writer(tmp_path / "clip.mp4", avcc) as file:
        (packet,) = annex_b.encode(frame)
        for wrong in (packet, packet.data):
            with pytest.raises(SettingError, match="Annex B"):
                file.write(wrong, True)
        with pytest.raises(SettingError, match="not a sequence of length-prefixed"):
            file.write(b"", True)
        with pytest.raises(TypeError, match="keyframe"):
            file.write(packet.data)
        with pytest.raises(TypeError, match="bytes"):
            file.write("packet", True)  # type: ignore[arg-type]
        file.write(avcc.encode(frame)[0])
        with pytest.raises(SettingError, match="does not follow"):
            file.write(avcc.encode(frame)[0], time=0)
    assert len(decoded(tmp_path / "clip.mp4")) == 1


def test_two_passes_are_those_of_the_command(command: Path, tmp_path: Path) -> None:
    frames = [i420(frame) for frame in clip(12)]
    (tmp_path / "in.raw").write_bytes(b"".join(frame.tobytes() for frame in frames))
    size = ["--size", "128x96", "--pix-fmt", "yuv420p", "--fps", 25, "--bitrate", "200k", "--pass-file", tmp_path / "pass"]
    given = None
    for number in (1, 2):
        run(command, "h264", *size, "--pass", number, tmp_path / "in.raw", tmp_path / "out.264")
        encoder = H264Encoder(128, 96, 25, bitrate=200_000, expected_frames=12, first_pass=given)
        assert stream(encoder, frames) == (tmp_path / "out.264").read_bytes(), number
        given = encoder.statistics()
        assert number == 2 or given == (tmp_path / "pass").read_text()


@pytest.mark.parametrize("lookahead", [None, 0, 2, 20])
def test_a_file_has_the_frames_that_the_encoder_held(tmp_path: Path, lookahead: int | None) -> None:
    encoder = H264Encoder(128, 96, format="avcc", lookahead=lookahead)
    with Mp4Writer(tmp_path / "clip.mp4", encoder) as file:
        for frame in clip(5):
            for packet in encoder.encode(frame):
                file.write(packet)
    assert len(decoded(tmp_path / "clip.mp4")) == 5


def test_settings_change_between_frames() -> None:
    frames = clip(8)
    encoder = H264Encoder(128, 96, 25, crf=20, level=30, variable_frame_rate=True, lookahead=0)
    encoder.encode(frames[0])
    encoder.force_keyframe()
    (forced,) = encoder.encode(frames[1])
    assert forced.keyframe and forced.kind == "forced"
    encoder.set_rate(qp=40)
    (coarse,) = encoder.encode(frames[2], pts=90)
    assert coarse.qp == 40 and coarse.pts == 90 and coarse.number == 2 and len(coarse) == len(coarse.data)
    encoder.set_rate(bitrate=100_000)
    encoder.set_fps(50)
    encoder.set_qp_offset(2.5)
    encoder.encode(frames[3])
    with pytest.raises(TypeError):
        encoder.set_rate()
    with pytest.raises(SettingError):
        encoder.set_rate(qp=52)
    with pytest.raises(SettingError):
        encoder.set_qp_offset(60)
    with pytest.raises(SettingError, match="fixed"):
        H264Encoder(16, 16).set_fps(3)
    assert encoder.configuration_record()[0] == 1 and len(encoder.parameter_sets()) == 2


@pytest.mark.parametrize(
    ("settings", "error"),
    [
        ({"width": 0}, SettingError),
        ({"width": 9000}, SettingError),
        ({"width": -1}, (OverflowError, SettingError)),
        ({"fps": 0}, SettingError),
        ({"fps": -1.5}, SettingError),
        ({"fps": float("nan")}, SettingError),
        ({"fps": "quick"}, SettingError),
        ({"fps": []}, TypeError),
        ({"fps": (30000, 1001, 1)}, SettingError),
        ({"crf": 52.0}, SettingError),
        ({"crf": 20, "qp": 20}, SettingError),
        ({"preset": "slowest"}, SettingError),
        ({"preset": 3}, TypeError),
        ({"slices": 99}, SettingError),
        ({"references": 0}, SettingError),
        ({"matrix": "rec709"}, SettingError),
        ({"deblocking": ("some", 0, 0)}, SettingError),
        ({"format": "mp4"}, SettingError),
        ({"vbv": (1000, 1000, 0.9)}, SettingError),
        ({"bframes": 2}, TypeError),
    ],
)
def test_settings_that_are_refused(settings: dict[str, Any], error: Any) -> None:
    with pytest.raises(error):
        H264Encoder(**{"width": 64, "height": 48, **settings})


@pytest.mark.parametrize(
    ("frame", "arguments", "error"),
    [
        (np.zeros((48, 63, 3), np.uint8), {}, ArrayError),
        (np.zeros((47, 64), np.uint8), {}, ArrayError),
        (np.zeros((72, 64), np.uint8), {"pixels": "rgb"}, ArrayError),
        (np.zeros((72, 64), np.uint8), {"pixels": "yuv"}, SettingError),
        (np.zeros((48, 64, 3), np.uint16), {}, ArrayTypeError),
        (np.zeros((48, 64, 3), np.float32), {}, ArrayTypeError),
        ((np.zeros((48, 64), np.uint8), np.zeros((24, 32), np.uint8)), {}, ArrayError),
        ((np.zeros((48, 64), np.uint8),), {}, ArrayError),
        ((np.zeros((48, 64), np.uint8),) * 3, {}, ArrayError),
        (None, {}, TypeError),
    ],
)
def test_what_is_no_frame(frame: Any, arguments: dict[str, Any], error: type[Exception]) -> None:
    encoder = H264Encoder(64, 48)
    with pytest.raises(error):
        encoder.encode(frame, **arguments)
    assert len(encoder.encode(np.zeros((48, 64, 3), np.uint8)) + encoder.flush()) == 1


def test_encoders_travel_by_their_settings() -> None:
    frames = clip(3)
    encoder = H264Encoder(128, 96, 25, crf=28, preset="fast")
    twin = pickle.loads(pickle.dumps(encoder))
    assert twin.settings == {"crf": 28, "preset": "fast", "fps": 25, "width": 128, "height": 96}
    assert stream(twin, frames) == stream(encoder, frames)


def test_segments_join_to_one_clip(tmp_path: Path) -> None:
    frames = clip(23)
    settings = {"width": 128, "height": 96, "fps": 25, "crf": 24}

    def backwards(task: Any, arguments: Any) -> Iterator[Any]:
        results = {call[0]: task(*call) for call in reversed(arguments)}
        return iter([results[call[0]] for call in arguments])

    def forwards(task: Any, arguments: Any) -> Iterator[Any]:
        return (task(*call) for call in arguments)

    for path, submit in ((tmp_path / "a.mp4", forwards), (tmp_path / "b.mp4", backwards)):
        count = encode_clip(
            path, lambda part: frames[part.start : part.stop], len(frames), settings, submit, length=5
        )
        assert count == 23
    assert (tmp_path / "a.mp4").read_bytes() == (tmp_path / "b.mp4").read_bytes()
    # What each segment decodes to is what the whole shows.
    shown = decoded(tmp_path / "a.mp4")
    for number, part in enumerate(chunks(23, 5)):
        join_mp4(tmp_path / "one.mp4", [segment_of(number, frames[part.start : part.stop], settings)], settings)
        assert all((a == b).all() for a, b in zip(decoded(tmp_path / "one.mp4"), shown[part.start : part.stop], strict=True))
    # Segments of one keyframe each.
    join_mp4(tmp_path / "c.mp4", [segment_of(k, [frame], settings) for k, frame in enumerate(frames)], settings)
    assert len(decoded(tmp_path / "c.mp4")) == 23


def test_segments_are_checked_before_any_is_encoded(tmp_path: Path) -> None:
    def never(*_: Any) -> Any:
        raise AssertionError("nothing is encoded")

    for settings, frames, length in (({"width": 0, "height": 4}, 5, 2), ({"width": 16, "height": 16}, 0, 2)):
        with pytest.raises(ValueError):
            encode_clip(tmp_path / "x.mp4", never, frames, settings, never, length=length)
    assert not list(tmp_path.iterdir())


def times(path: Any) -> list[float]:
    with av.open(path if hasattr(path, "read") else str(path)) as file:
        return [float(packet.pts * packet.time_base) for packet in file.demux(video=0) if packet.pts is not None]


def test_frames_have_their_times(tmp_path: Path) -> None:
    path, frames = tmp_path / "clip.mp4", clip(5)
    for fragmented in (False, True):
        write_mp4(path, frames, 25, pts=[0, 1, 3, 4, 9], fragmented=fragmented)
        assert times(path) == pytest.approx([0, 0.04, 0.12, 0.16, 0.36], abs=1e-4)
        encoder = H264Encoder(128, 96, 25, variable_frame_rate=True, format="avcc")
        with Mp4Writer(path, encoder, fragmented=fragmented) as file:
            for number, frame in enumerate(frames):
                if number == 2:
                    encoder.set_fps(10)
                for packet in encoder.encode(frame):
                    file.write(packet)
        assert times(path) == pytest.approx([0, 0.04, 0.08, 0.18, 0.28], abs=1e-4)
        encoder = H264Encoder(128, 96, 25, variable_frame_rate=True, format="avcc")
        with Mp4Writer(path, encoder, fragmented=fragmented) as file:
            for frame in frames:
                for packet in encoder.encode(frame):
                    file.write(packet, time=0.1 * packet.number * packet.number)
            for packet in encoder.flush():
                file.write(packet, time=0.1 * packet.number * packet.number)
        assert times(path) == pytest.approx([0, 0.1, 0.4, 0.9, 1.6], abs=1e-4)
    with pytest.raises(ValueError):
        write_mp4(path, frames, 25, pts=[0, 1])
    with pytest.raises(SettingError, match="does not follow"):
        write_mp4(path, frames, 25, pts=[0, 1, 1, 2, 3])


@pytest.mark.parametrize(
    ("fps", "rate"),
    [
        (29.97, Fraction(30000, 1001)),
        ("23.976", Fraction(24000, 1001)),
        (59.94, Fraction(60000, 1001)),
        ("30000/1001", Fraction(30000, 1001)),
        (12.5, Fraction(25, 2)),
        (100 / 3, Fraction(100, 3)),
    ],
)
def test_rates_of_ntsc(fps: Any, rate: Fraction, tmp_path: Path) -> None:
    write_mp4(tmp_path / "clip.mp4", clip(4), fps)
    with av.open(str(tmp_path / "clip.mp4")) as file:
        assert file.streams.video[0].average_rate == rate


@pytest.mark.parametrize("high", [96, 720])
@pytest.mark.parametrize("settings", [{}, {"full_range": True}, {"matrix": "bt709"}, {"matrix": "bt601", "full_range": True}])
def test_colors_are_converted_as_the_stream_says(high: int, settings: dict[str, Any], tmp_path: Path) -> None:
    colors = np.array([[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 255], [0, 0, 0], [200, 30, 90]], np.uint8)
    frame = np.repeat(np.repeat(colors[None], high, 0), 32, 1)
    write_mp4(tmp_path / "clip.mp4", [frame] * 2, qp=1, **settings)
    with av.open(str(tmp_path / "clip.mp4")) as file:
        (shown, _) = file.decode(video=0)
        # AVCOL_SPC_BT709 and AVCOL_SPC_SMPTE170M; AVCOL_RANGE_MPEG and AVCOL_RANGE_JPEG.
        matrix = settings.get("matrix", "bt709" if high >= 720 else "bt601")
        assert int(shown.colorspace) == {"bt709": 1, "bt601": 6}[matrix]
        assert int(shown.color_range) == (2 if settings.get("full_range") else 1)
        planes = [plane.astype(float) for plane in (shown.to_ndarray()[:high],)]
        chroma = shown.to_ndarray()[high:].reshape(2, high // 2, -1)
    kr, kb = (0.2126, 0.0722) if matrix == "bt709" else (0.299, 0.114)
    y = planes[0][8, 16::32]
    cb, cr = (chroma[k][4, 8::16].astype(float) - 128 for k in (0, 1))
    if not settings.get("full_range"):
        y, cb, cr = (y - 16) * 255 / 219, cb * 255 / 224, cr * 255 / 224
    red, blue = y + 2 * (1 - kr) * cr, y + 2 * (1 - kb) * cb
    green = (y - kr * red - kb * blue) / (1 - kr - kb)
    assert np.abs(np.stack([red, green, blue], -1) - colors).max() < 6


def test_gray_and_images_of_pillow_are_frames(tmp_path: Path) -> None:
    from PIL import Image

    gray = [frame[:, :, 0].copy() for frame in clip(3)]
    colors = [np.repeat(frame[:, :, None], 3, axis=2) for frame in gray]
    wanted = stream(H264Encoder(128, 96, qp=20), colors)
    assert stream(H264Encoder(128, 96, qp=20), gray) == wanted
    assert stream(H264Encoder(128, 96, qp=20), [frame[:, :, None] for frame in gray]) == wanted
    assert stream(H264Encoder(128, 96, qp=20), [Image.fromarray(frame) for frame in gray]) == wanted
    assert stream(H264Encoder(128, 96, qp=20), [Image.fromarray(frame) for frame in colors]) == wanted
    assert write_mp4(tmp_path / "gray.mp4", gray) == 3 and decoded(tmp_path / "gray.mp4")[0].shape == (96, 128, 3)
    turned = Image.fromarray(colors[0])
    turned.getexif()[0x0112] = 6
    assert write_mp4(tmp_path / "turned.mp4", [turned]) == 1
    assert decoded(tmp_path / "turned.mp4")[0].shape == (128, 96, 3)
    # 4:2:0 in one array needs a name or a size.
    yuv = [i420(frame) for frame in clip(2)]
    write_mp4(tmp_path / "a.mp4", yuv, pixels="i420")
    write_mp4(tmp_path / "b.mp4", yuv, width=128, height=96)
    assert (tmp_path / "a.mp4").read_bytes() == (tmp_path / "b.mp4").read_bytes()
    write_mp4(tmp_path / "c.mp4", yuv)
    assert decoded(tmp_path / "c.mp4")[0].shape == (144, 128, 3)


def test_strides_of_frames() -> None:
    frames = clip(3)
    wanted = stream(H264Encoder(128, 96, qp=30), frames)
    for seen in (
        [np.ascontiguousarray(frame[:, :, ::-1])[:, :, ::-1] for frame in frames],
        [np.ascontiguousarray(frame[:, ::-1])[:, ::-1] for frame in frames],
        [np.ascontiguousarray(frame[::-1])[::-1] for frame in frames],
        [np.ascontiguousarray(frame.transpose(2, 0, 1)).transpose(1, 2, 0) for frame in frames],
        [np.ascontiguousarray(frame.transpose(2, 0, 1)) for frame in frames],
        [np.repeat(frame, 2, axis=1)[:, ::2] for frame in frames],
    ):
        assert stream(H264Encoder(128, 96, qp=30), seen) == wanted


def test_files_in_memory_are_those_on_disk(tmp_path: Path) -> None:
    import io

    for fragmented in (False, True):
        write_mp4(tmp_path / "clip.mp4", clip(4), fragmented=fragmented)
        memory = io.BytesIO()
        assert write_mp4(memory, clip(4), fragmented=fragmented) == 4
        assert memory.getvalue() == (tmp_path / "clip.mp4").read_bytes()


def test_a_link_leads_to_the_file(tmp_path: Path) -> None:
    (tmp_path / "link.mp4").symlink_to("file.mp4")
    write_mp4(tmp_path / "link.mp4", clip(2))
    assert (tmp_path / "link.mp4").is_symlink() and len(decoded(tmp_path / "file.mp4")) == 2
    (tmp_path / "file.mp4").chmod(0o600)
    write_mp4(tmp_path / "link.mp4", clip(3))
    assert (tmp_path / "file.mp4").stat().st_mode & 0o777 == 0o600 and len(decoded(tmp_path / "file.mp4")) == 3


def test_segments_that_are_too_short_are_told(tmp_path: Path) -> None:
    def submit(task: Any, arguments: Any) -> Iterator[Any]:
        return (task(*call) for call in arguments)

    settings = {"width": 128, "height": 96}
    with pytest.raises(ValueError, match="segment 1: read.* gave 3 frames of 5"):
        encode_clip(tmp_path / "x.mp4", lambda part: clip(8)[part.start : part.stop], 10, settings, submit, length=5)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("threads", [0, 2])
def test_children_have_their_own_threads(threads: int) -> None:
    import os

    frames = clip(3)
    encoder = H264Encoder(128, 96, qp=30, threads=threads, slices=2)
    wanted = stream(H264Encoder(128, 96, qp=30, slices=2), frames)
    encoder.encode(frames[0])
    child = os.fork()
    if child == 0:
        encoder.encode(frames[1])
        same = stream(H264Encoder(128, 96, qp=30, threads=threads, slices=2), frames) == wanted
        os._exit(0 if same else 1)
    for _ in range(200):
        pid, status = os.waitpid(child, os.WNOHANG)
        if pid:
            break
        __import__("time").sleep(0.05)
    else:
        os.kill(child, 9)
        os.waitpid(child, 0)
        pytest.fail("the child hangs")
    assert status == 0
