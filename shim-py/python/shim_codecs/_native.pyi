"""The encoders."""

import os
from collections.abc import Sequence
from fractions import Fraction
from types import TracebackType
from typing import Any, BinaryIO, Literal, Protocol, Self, TypeAlias, TypedDict, Unpack, final

from numpy.typing import NDArray
from typing_extensions import Buffer
import numpy as np

class _HasArrayInterface(Protocol):
    @property
    def __array_interface__(self) -> dict[str, Any]: ...

class _HasDLPack(Protocol):
    def __dlpack__(self, *, stream: Any = ...) -> Any: ...

_Samples: TypeAlias = NDArray[np.uint8] | NDArray[np.uint16] | Buffer | _HasArrayInterface | _HasDLPack
_Plane: TypeAlias = NDArray[np.uint8] | Buffer
class _PillowImage(Protocol):
    @property
    def mode(self) -> str: ...
    def getexif(self) -> Any: ...
    def tobytes(self, *arguments: Any) -> bytes: ...

_Image: TypeAlias = _Samples | _PillowImage | tuple[_Plane, _Plane, _Plane]
_Frame: TypeAlias = _Samples | _PillowImage | tuple[_Plane, _Plane, _Plane] | tuple[_Plane, _Plane]
_Fps: TypeAlias = int | float | Fraction | tuple[int, int] | str

Pixels: TypeAlias = Literal[
    "RGB", "BGR", "RGBA", "BGRA", "Gray", "GrayAlpha", "YCbCr", "CMYK", "YCCK",
    "rgb", "bgr", "rgba", "bgra", "gray", "grayalpha", "ycbcr", "cmyk", "ycck",
]  # fmt: skip
FramePixels: TypeAlias = Literal["rgb", "bgr", "rgba", "bgra", "gray", "i420", "nv12"]

__version__: str

class JpegSettings(TypedDict, total=False):
    """Settings of a JPEG file."""

    subsampling: str | None
    """``"4:2:0"`` (the default), ``"4:4:4"``, ``"4:2:2"``, ``"4:4:0"`` or ``"4:1:1"``, with colons or without."""
    sampling_factors: Sequence[tuple[int, int]] | None
    """H and V of each component, 1 to 4, for other ratios."""
    progressive: bool
    """Progressive (SOF2). Off by default."""
    scans: Sequence[tuple[Sequence[int], int, int, int, int]] | None
    """A scan script: components, Ss, Se, Ah and Al of each scan."""
    lossless: int | None
    """Lossless (SOF3) with this predictor, 1 to 7."""
    point_transform: int
    """Low bits that a lossless file drops."""
    optimize: bool | None
    """Huffman tables for the image. By default as the process has it."""
    arithmetic: bool
    """Arithmetic coding of sequential and progressive files, which few decoders but libjpeg read. Off by default."""
    libjpeg_compatible: bool
    """Files bit-exact with libjpeg-turbo's ``cjpeg``. Off by default."""
    baseline: bool
    """Quantization tables of libjpeg-compatible files up to 255. Off by default."""
    trellis: bool
    """Smaller files for more time. Off by default."""
    restart_mcus: int | None
    """Restart interval in MCUs."""
    restart_rows: int | None
    """Restart interval in rows of MCUs."""
    color_space: str | None
    """``"YCbCr"``, ``"RGB"``, ``"Gray"``, ``"CMYK"`` or ``"YCCK"``: that of the file."""
    quantization_tables: tuple[Sequence[int], Sequence[int]] | None
    """64 elements each for luminance and chrominance, row by row."""
    density: tuple[int, int, Literal["aspect", "dpi", "dpcm"]] | None
    """Density and its unit."""
    icc: bytes | None
    """ICC profile."""
    exif: bytes | None
    """Exif data, from its TIFF header on."""
    xmp: bytes | None
    """XMP packet."""
    comments: Sequence[bytes]
    """Comment segments."""
    app_segments: Sequence[tuple[int, bytes]]
    """Application segments: the number of the marker, 0 to 15, and the data."""
    threads: int
    """Threads for an image; 0 is one per core. 1 by default."""
    precision: int | None
    """Bits of a sample of the file, 8 or 12, to which samples are scaled. 8 by default, except that arrays of ``uint16`` have to say."""
    background: str | tuple[int, int, int] | None
    """Color behind transparent pixels: ``"white"`` (the default), ``"black"``, ``"#rrggbb"`` or red, green and blue. Arrays of four samples are
    opaque unless it is set."""
    copy_metadata: Sequence[Literal["icc", "exif", "xmp", "comments", "density"]]
    """Metadata that files and images of Pillow keep. ``("icc", "density")`` by default."""
    max_width: int | None
    """Files and images of Pillow with longer rows are made smaller."""
    max_height: int | None
    """Files and images of Pillow with more rows are made smaller."""
    resize_filter: Literal["lanczos", "area"]
    """How they are made smaller. ``"lanczos"`` by default, which is sharper."""
    max_pixels: int
    """Files of more pixels are refused. 250 million by default."""

def encode_jpeg(
    image: _Image,
    quality: int = 90,
    *,
    pixels: Pixels | None = None,
    bits: int | None = None,
    planar: bool | None = None,
    **settings: Unpack[JpegSettings],
) -> bytes:
    """Encode an image as a JPEG file.

    ``image`` is an array of ``uint8``, or of ``uint16`` with samples of ``bits`` bits: ``[height, width]`` for gray, ``[height, width, samples]``,
    ``[samples, height, width]``, or a tuple of the planes Y, Cb and Cr, whose extents say how chroma is subsampled. It may have any strides.
    It must not change during the call, which releases the GIL.

    An image of Pillow is turned as its Exif data says, laid over the background, and keeps the metadata that ``copy_metadata`` names.

    >>> import numpy as np
    >>> from shim_codecs import encode_jpeg
    >>> len(encode_jpeg(np.full((16, 16), 128, np.uint8), 50)) < 400
    True

    Raises ``SettingError``, ``ArrayError`` (extents) or ``ArrayTypeError`` (element types).
    """

def images_below(folder: str | os.PathLike[str], written: str | os.PathLike[str]) -> list[str]:
    """The images below a folder, by their paths from there, without those in the folder ``written``."""

def _limit_simd(level: Literal["baseline", "v2", "v3", "v4"]) -> None:
    """Limits the instruction sets that the JPEG encoder uses, for the benchmark."""

def write_file(path: str | os.PathLike[str], data: bytes, source: str | os.PathLike[str]) -> None:
    """Write a file as a whole or not at all, with at most the permissions of its source, and create its folder."""

@final
class JpegEncoder:
    """Encodes images with the same settings, and keeps its memory. Threads may share it; it pickles by its settings."""

    def __new__(cls, quality: int = 90, **settings: Unpack[JpegSettings]) -> Self: ...
    def encode(
        self,
        image: _Image,
        *,
        pixels: Pixels | None = None,
        bits: int | None = None,
        planar: bool | None = None,
    ) -> bytes:
        """Encode an image, as :func:`encode_jpeg` does."""

    def encode_file(self, file: str | os.PathLike[str] | Buffer) -> bytes:
        """Re-encode an image file as ``shim jpeg`` does: turned as its Exif data says, over the background, and with the parts of its metadata
        that ``copy_metadata`` names.

        ``file`` is a path, or the bytes of a file: PNG, PNM, JPEG, BMP, GIF, TIFF or WebP.
        """

    def encode_into(
        self,
        image: _Image,
        buffer: Buffer,
        *,
        pixels: Pixels | None = None,
        bits: int | None = None,
        planar: bool | None = None,
    ) -> int:
        """Encode an image into a writable buffer, and return the bytes of the file. A buffer that is too small is left as it was."""

    def encode_within(
        self,
        image: _Image,
        max_bytes: int,
        *,
        pixels: Pixels | None = None,
        bits: int | None = None,
        planar: bool | None = None,
    ) -> tuple[bytes, int]:
        """Encode an image with the best quality whose file has at most so many bytes; returns the file and the quality."""

    def encode_reaching(
        self,
        image: _Image,
        min_psnr: float,
        *,
        pixels: Pixels | None = None,
        bits: int | None = None,
        planar: bool | None = None,
    ) -> tuple[bytes, int]:
        """Encode an image with the lowest quality whose PSNR is at least so many dB; returns the file and the quality."""

    @property
    def settings(self) -> dict[str, Any]:
        """The settings as they were given."""

    def _reencode(self, file: str | os.PathLike[str] | Buffer) -> tuple[bytes, list[str]]: ...
    def _seconds(self, image: _Image, times: int) -> float: ...

class H264Settings(TypedDict, total=False):
    """Settings of an H.264 stream."""

    preset: Literal[
        "ultrafast", "superfast", "veryfast", "faster", "fast", "medium", "slow", "slower", "veryslow", "placebo"
    ]
    """Speed against compression. ``"medium"`` by default. x264's ``"faster"`` is ``"fast"`` here, and ``"placebo"`` is ``"veryslow"``."""
    crf: float | None
    """Constant quality, 0 to 51. 23 by default."""
    bitrate: int | None
    """Average bit rate, in bit/s."""
    qp: int | None
    """Constant QP, 0 to 51."""
    expected_frames: int | None
    """Frames of the stream, if known: a short one then meets its bit rate as well."""
    tune: Literal["psnr", "ssim", "film", "animation", "grain", "stillimage", "fastdecode", "zerolatency"] | None
    """Settings for a kind of content or a use. Other settings take precedence."""
    first_pass: str | None
    """Sizes of the pictures in a first pass: ``statistics()`` of its encoder, or the text of the file of ``shim h264 --pass 1``."""
    mb_tree: bool
    """Lower QP where later frames depend on a macroblock, as far as the look-ahead sees. On by default."""
    aq_strength: float | None
    """Strength of adaptive quantization, 0 to 3. Of the preset by default: 0 for ``ultrafast`` and ``superfast``, 1 for the others."""
    lookahead: int | None
    """Frames that are taken before the first of them is encoded, up to 250; none with ``qp``. Of the preset by default: 0
    for ``ultrafast`` and ``superfast``, 20 for the others."""
    vbv: tuple[int, int, float] | None
    """Buffer of the decoder: maximum rate in bit/s, size in bits, fullness at the beginning, above 0 and at most 1."""
    chroma_qp_offset: int
    """``chroma_qp_index_offset``, -12 to 12."""
    keyint: int
    """Maximum interval of keyframes, in frames. 250 by default."""
    min_keyint: int | None
    """Minimum interval before a keyframe at a scene cut."""
    scene_cut: bool
    """Keyframes at scene cuts. On by default, except for ``ultrafast``."""
    references: int | None
    """Reference frames, 1 to 16. By default those of the preset."""
    constrained_intra: bool
    """``constrained_intra_pred_flag``."""
    slices: int
    """Slices of a frame. 1 by default."""
    max_slice_size: int | None
    """Maximum bytes of a slice."""
    threads: int
    """Threads for a frame; 0 is one per core. 1 by default."""
    deblocking: tuple[Literal["all", "within-slices", "none"], int, int]
    """Edges, alpha and beta offsets, -6 to 6."""
    level: int | None
    """Level times ten; 9 is level 1b. By default the lowest that fits."""
    matrix: Literal["bt601", "bt470bg", "bt709", "smpte240m", "bt2020"] | None
    """Matrix coefficients that the stream states, and by which RGB and gray are converted. By default BT.709 from 720 rows on and BT.601 below for those, and
    none for frames of luma and chroma."""
    full_range: bool | None
    """Full range of samples. Limited by default."""
    primaries: int
    """``colour_primaries`` (Table E-3)."""
    transfer: int
    """``transfer_characteristics`` (Table E-4)."""
    sample_aspect_ratio: tuple[int, int] | None
    """Width and height of a sample."""
    format: Literal["annexb", "avcc"]
    """Byte stream, or units with their lengths for MP4 files. ``"annexb"`` by default."""
    access_unit_delimiters: bool
    """Access unit delimiters. Off by default."""
    variable_frame_rate: bool
    """Whether ``set_fps`` may change the frame rate."""
    first_idr_pic_id: int
    """``idr_pic_id`` of the first keyframe, for streams that are joined."""

@final
class Packet:
    """A coded frame."""

    data: bytes
    """NAL units."""
    keyframe: bool
    """Whether decoding can begin here."""
    number: int
    """Number of the frame, from 0."""
    pts: int
    """Timestamp as it was given, or the number of the frame."""
    time: float
    """Time in seconds, by the timestamp or the frame rate."""
    kind: Literal["idr", "scene-cut", "forced", "p"]
    """Type of picture, and why."""
    qp: int
    """QP of the picture."""
    attempts: int
    """How often the picture was encoded until it was small enough."""
    dropped: bool
    """Whether it shows the previous picture again, because nothing else fits the buffer."""
    slices: int
    """Number of slices."""
    def __len__(self) -> int: ...
    def __bytes__(self) -> bytes: ...

@final
class H264Encoder:
    """An encoder for frames of ``width`` by ``height`` luma samples. Pickles by its settings, without its state.

    >>> import numpy as np
    >>> from shim_codecs import H264Encoder
    >>> encoder = H264Encoder(64, 48, fps=25, crf=20)
    >>> frames = [np.full((48, 64, 3), 40 * k, np.uint8) for k in range(3)]
    >>> packets = [packet for frame in frames for packet in encoder.encode(frame)] + encoder.flush()
    >>> [packet.keyframe for packet in packets]
    [True, False, False]
    """

    def __new__(cls, width: int, height: int, fps: _Fps = 30, **settings: Unpack[H264Settings]) -> Self: ...
    def encode(self, frame: _Frame, *, pixels: FramePixels | None = None, pts: int | None = None) -> list[Packet]:
        """Encode a frame, and return the packets that are ready: with a look-ahead, those of frames before it.

        ``frame`` is ``uint8``: ``[height, width]`` of gray, ``[height, width, 3]`` of RGB, ``[height, width, 4]``, 4:2:0 as
        ``[height * 3 / 2, width]`` (I420, or with ``pixels="nv12"``), a tuple of planes, ``(Y, Cb, Cr)`` or ``(Y, CbCr)``, or an image of
        Pillow. ``pts`` is its time in frames at the rate of the encoder; by default it follows the frame before it. The GIL is released.
        """

    def flush(self) -> list[Packet]:
        """Return the packets that are left after the last frame."""

    def statistics(self) -> str:
        """Return the sizes of the pictures so far, for ``first_pass`` of a second encoder with the same frames and settings."""

    def force_keyframe(self) -> None:
        """Make the next frame a keyframe."""

    def set_rate(self, *, crf: float | None = None, bitrate: int | None = None, qp: int | None = None) -> None:
        """Change the rate control from the next frame on."""

    def set_fps(self, fps: _Fps) -> None:
        """Change the frame rate; needs ``variable_frame_rate``."""

    def set_qp_offset(self, offset: float) -> None:
        """Add to the QP of the frames that follow, -51 to 51."""

    def parameter_sets(self) -> list[bytes]:
        """SPS and PPS, without start codes."""

    def configuration_record(self) -> bytes:
        """The ``avcC`` record of MP4 files."""

    @property
    def settings(self) -> dict[str, Any]:
        """The settings as they were given."""

@final
class Mp4Writer:
    """An MP4 file of the packets of an encoder with ``format="avcc"``.

    As a context manager it completes the file, or discards it after an exception. A file at ``path`` is replaced when the new one is
    complete; a fragmented one is written in place, and plays as far as it goes. ``path`` may be an object with a method ``write``, such as an
    open file or ``io.BytesIO``.

    >>> import io
    >>> import numpy as np
    >>> from shim_codecs import H264Encoder, Mp4Writer
    >>> encoder, file = H264Encoder(64, 48, fps=25, format="avcc"), io.BytesIO()
    >>> with Mp4Writer(file, encoder) as writer:
    ...     for k in range(3):
    ...         for packet in encoder.encode(np.full((48, 64, 3), 40 * k, np.uint8)):
    ...             writer.write(packet)
    >>> file.getvalue()[4:8]
    b'ftyp'
    """

    def __new__(
        cls,
        path: str | os.PathLike[str] | BinaryIO,
        encoder: H264Encoder,
        *,
        fragmented: bool = False,
        quicktime: bool = False,
    ) -> Self: ...
    def write(self, packet: Packet | bytes, keyframe: bool | None = None, *, time: float | None = None) -> None:
        """Append a packet at its time, or at ``time`` in seconds. A packet given as bytes needs ``keyframe``: whether decoding can start there;
        its time follows from the frame rate.
        """

    def close(self) -> None:
        """Write the packets that the encoder still holds, and complete the file. One without a frame is an error, and is not made."""

    def discard(self) -> None:
        """Remove what was written."""

    def __enter__(self) -> Self: ...
    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> Literal[False]: ...
