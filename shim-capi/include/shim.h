/* The C interface of the encoders of shim.
 *
 * Functions that can fail return a shim_status, SHIM_OK if they did not. Null pointers, constants that there are not, and
 * numbers and sizes that make no sense are errors. What no library can check is the caller's to keep:
 *
 * - A pointer that is not null points to what its type says, of the size that is given beside it, which does not change
 *   during the call.
 * - Encoders, compressors, strips and buffers are those that the library made, and are not used after they were freed.
 * - An encoder, a compressor or strips, with the text of the last error, is used by one thread at a time; different ones by any
 *   number. Nothing else is shared but the limit of shim_limit_simd, which any thread may set.
 * - A callback returns: it neither throws nor jumps.
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */

#ifndef SHIM_H
#define SHIM_H

/* Made of shim-capi/src by the test shim-capi/tests/header.rs, which says how. */

#include <stddef.h>
#include <stdint.h>

// Version of this header: 1000000 times the major, plus 1000 times the minor, plus the patch number.
#define SHIM_VERSION 1000

// A file in memory, owned by the library.
typedef struct shim_jpeg_buffer shim_jpeg_buffer;

// An encoder that keeps its memory from one image to the next, for thumbnails, tiles and frames of video.
//
// Sequential files without optimized Huffman tables, by one thread, are encoded without any allocation if the image
// before had the same width, height and pixels, and a file as long. Everything else is encoded as well, as
// `shim_jpeg_encode` does.
//
// One thread at a time may use it, and the text of its last error. It does not need the encoder that it came from.
typedef struct shim_jpeg_compressor shim_jpeg_compressor;

// A JPEG encoder: settings, and the message of the last error. It encodes any number of images.
//
// One thread at a time may use an encoder and its error message.
typedef struct shim_jpeg_encoder shim_jpeg_encoder;

// An encoder of one stream of video, and the text of the last error. Settings come first; with the first frame, or
// when the parameter sets are asked for, they are final, but for those that say that they change between frames.
//
// One thread at a time may use an encoder, and the text of its last error.
typedef struct shim_h264_encoder shim_h264_encoder;

// A file under way, of an image of which some rows are there at a time.
//
// One thread at a time may use it, and the text of its last error. It does not need the encoder that it came from.
typedef struct shim_jpeg_strips shim_jpeg_strips;

// Status of a call: `SHIM_OK` or one of `SHIM_ERROR_*`. Later versions may return others.
typedef int32_t shim_status;

// Chroma subsampling: one of `SHIM_JPEG_SUBSAMPLING_*`.
typedef uint32_t shim_jpeg_subsampling;

// Color space of a file: one of `SHIM_JPEG_COLOR_SPACE_*`.
typedef uint32_t shim_jpeg_color_space;

// One scan of a scan script: components, spectral band and successive approximation. The standard fixes its
// parameters, so this structure does not grow.
typedef struct shim_jpeg_scan {
  // Components by index in the frame, in increasing order.
  uint8_t components[4];
  // Number of components, 1 to 4.
  uint8_t component_count;
  // Ss: first coefficient in zigzag order.
  uint8_t ss;
  // Se: last coefficient in zigzag order.
  uint8_t se;
  // Ah: Al of the previous scan of these coefficients; 0 if there is none.
  uint8_t ah;
  // Al: number of low bits left to later scans.
  uint8_t al;
} shim_jpeg_scan;

// Unit of restart intervals: one of `SHIM_JPEG_RESTART_*`.
typedef uint32_t shim_jpeg_restart_unit;

// Unit of pixel densities: one of `SHIM_JPEG_DENSITY_*`.
typedef uint32_t shim_jpeg_density_unit;

// Pixel format: one of `SHIM_JPEG_PIXELS_*`, which name the samples of a pixel in memory order.
typedef uint32_t shim_jpeg_pixels;

// An image in memory. Initialize it to zeros (`shim_jpeg_image image = {0};`), so that fields of later versions are 0.
typedef struct shim_jpeg_image {
  // `sizeof(shim_jpeg_image)`, which identifies the version of the structure.
  size_t struct_size;
  // Width in pixels, 1 to 65535.
  uint32_t width;
  // Height in pixels, 1 to 65535.
  uint32_t height;
  // Pixel format.
  shim_jpeg_pixels pixels;
  // Size of a sample: 1 for `uint8_t`, 2 for `uint16_t`.
  uint32_t sample_bytes;
  // Sample precision in bits: 8 for `uint8_t`, 2 to 16 for `uint16_t`, with the higher bits 0. Files have 8 or 12,
  // or 2 to 16 if lossless.
  uint32_t bits;
  // 1 for interleaved pixels; the number of samples per pixel for planar and subsampled ones.
  uint32_t plane_count;
  // Distance between rows in bytes, in all planes; 0 if rows are contiguous.
  size_t stride;
  // First sample of each plane. The plane of an ignored fourth sample may be null.
  const void *planes[4];
  // Size of each plane in bytes. No sample beyond it is read.
  size_t plane_sizes[4];
  // Distance between rows of subsampled Cb and Cr planes, as `stride`. Ignored for other images.
  size_t chroma_stride;
} shim_jpeg_image;

// Receives `size` bytes of a file at `data`, which are valid only during the call. A return value other than 0 stops
// the encoder, which then returns `SHIM_ERROR_WRITE`. `user` is the argument of the encoding function.
typedef int (*shim_write_function)(void *user, const uint8_t *data, size_t size);

// Receives the number of pixel rows done, of all rows of the image. `user` is the argument of the encoding function.
typedef void (*shim_progress_function)(void *user, size_t done, size_t all);

// A level of the x86-64 architecture: one of `SHIM_SIMD_*`.
typedef uint32_t shim_simd_level;

// An average bit rate that a stream may miss. Begin with one of zeros (`shim_h264_bit_rate rate = {0};`) but for the
// size.
typedef struct shim_h264_bit_rate {
  // `sizeof(shim_h264_bit_rate)`: says which version of the structure it is.
  size_t struct_size;
  // Bit rate asked for, in bits per second; 0 if it is not missed.
  uint64_t target;
  // Bit rate of the stream so far, in bits per second; 0 if the target is not missed.
  double actual;
  // 1 if the stream misses the target by a tenth or more, and 0 otherwise.
  uint32_t missed;
  // 1 if QP is at its limit (51 above the target, 0 below it) and cannot do more, and 0 otherwise.
  uint32_t at_qp_limit;
} shim_h264_bit_rate;

// Pixel format of a frame: one of `SHIM_H264_PIXELS_*`.
typedef uint32_t shim_h264_pixels;

// A frame of 8-bit samples in memory. Initialize it to zeros (`shim_h264_frame frame = {0};`), so that fields of later
// versions are 0.
typedef struct shim_h264_frame {
  // `sizeof(shim_h264_frame)`, which identifies the version of the structure.
  size_t struct_size;
  // Width in pixels, as configured.
  uint32_t width;
  // Height in pixels, as configured.
  uint32_t height;
  // Pixel format.
  shim_h264_pixels pixels;
  // First sample of each plane. Unused planes are ignored.
  const uint8_t *planes[3];
  // Distance between rows of each plane in bytes; 0 if rows are contiguous.
  size_t strides[3];
  // Size of each plane in bytes. No sample beyond it is read.
  size_t plane_sizes[3];
  // Presentation timestamp in any unit, copied to the packet of the frame and not interpreted.
  int64_t pts;
  // User data, copied to the packet of the frame.
  uint64_t user_data;
} shim_h264_frame;

// An encoded frame. Initialize it to zeros (`shim_h264_packet packet = {0};`), except the size.
typedef struct shim_h264_packet {
  // `sizeof(shim_h264_packet)`, which identifies the version of the structure.
  size_t struct_size;
  // First byte; null without a packet. Owned by the encoder, and valid until the next call with it.
  const uint8_t *data;
  // Number of bytes.
  size_t size;
  // Frame number in output order, from 0.
  uint64_t number;
  // 1 if the frame is a keyframe, at which decoding can start, and 0 otherwise.
  uint32_t keyframe;
  // Presentation timestamp of the frame.
  int64_t pts;
  // User data of the frame.
  uint64_t user_data;
} shim_h264_packet;

// Bytes owned by an encoder, valid until the next call with it.
typedef struct shim_h264_bytes {
  // First byte; null if there are none.
  const uint8_t *data;
  // Number of bytes.
  size_t size;
} shim_h264_bytes;

// Trade-off between speed and compression: one of `SHIM_H264_PRESET_*`.
typedef uint32_t shim_h264_preset;

// Kind of content or use: one of `SHIM_H264_TUNE_*`.
typedef uint32_t shim_h264_tune;

// Edges that the deblocking filter processes: one of `SHIM_H264_DEBLOCKING_*`.
typedef uint32_t shim_h264_deblocking;

// Framing of NAL units: one of `SHIM_H264_FORMAT_*`.
typedef uint32_t shim_h264_format;

// Matrix coefficients: one of `SHIM_H264_MATRIX_*`.
typedef uint32_t shim_h264_matrix;

// Success.
#define SHIM_OK 0

// A pointer that must not be null is null.
#define SHIM_ERROR_NULL 1

// An argument has an unknown constant, or a number or size out of range.
#define SHIM_ERROR_VALUE 2

// The `struct_size` of a structure is unknown to the library.
#define SHIM_ERROR_STRUCT_SIZE 3

// A pointer to 16-bit samples is not aligned.
#define SHIM_ERROR_ALIGNMENT 4

// The encoder or the strips are in use: a callback called a function of the object that called it.
#define SHIM_ERROR_BUSY 5

// A bug in the library. Please report it.
#define SHIM_ERROR_INTERNAL 6

// The width or the height is out of range 1 to 65535, or, for video, is not supported or differs from that of the
// stream.
#define SHIM_ERROR_DIMENSIONS 7

// The stride is shorter than a row, or not a multiple of the sample size.
#define SHIM_ERROR_STRIDE 8

// A plane is smaller than the image.
#define SHIM_ERROR_TOO_FEW_SAMPLES 9

// The number of planes is neither 1 nor the number of samples per pixel.
#define SHIM_ERROR_PLANES 10

// The sample precision is not supported.
#define SHIM_ERROR_BITS 11

// The pixels cannot be converted to the requested color space.
#define SHIM_ERROR_COLOR 12

// The sampling factors are not supported.
#define SHIM_ERROR_SAMPLING 13

// The scan script violates the standard.
#define SHIM_ERROR_SCANS 14

// A quantization table element is 0 or too large.
#define SHIM_ERROR_QUANTIZATION_TABLE 15

// A pixel density is out of range 1 to 65535.
#define SHIM_ERROR_DENSITY 16

// An ICC profile, Exif data, an XMP packet, an application segment or a comment exceeds the limit of the format.
#define SHIM_ERROR_METADATA 17

// The quality is out of range 1 to 100.
#define SHIM_ERROR_QUALITY 18

// The write callback returned a value other than 0.
#define SHIM_ERROR_WRITE 19

// The strips do not match the image, or a call came after its end.
#define SHIM_ERROR_STRIPS 20

// A sample exceeds the sample precision of the image.
#define SHIM_ERROR_SAMPLE 21

// The operating system failed to start threads.
#define SHIM_ERROR_THREADS 22

// No quality reaches the target size or PSNR, or the target is invalid.
#define SHIM_ERROR_TARGET 23

// A target size or PSNR was requested for a file without a quality: it is lossless, or has custom quantization tables.
#define SHIM_ERROR_NO_QUALITY 24

// The video exceeds the limits of the level, or of every level if none is set, or the level does not exist.
#define SHIM_ERROR_LEVEL 25

// The setting cannot change after the stream has started.
#define SHIM_ERROR_STARTED 26

// 4:2:0: half the resolution in both directions. The usual choice for photographs.
#define SHIM_JPEG_SUBSAMPLING_420 0

// 4:4:4: no subsampling. For screenshots, drawings and text, with sharp colored edges.
#define SHIM_JPEG_SUBSAMPLING_444 1

// 4:2:2: half the horizontal resolution.
#define SHIM_JPEG_SUBSAMPLING_422 2

// 4:4:0: half the vertical resolution.
#define SHIM_JPEG_SUBSAMPLING_440 3

// 4:1:1: a quarter of the horizontal resolution.
#define SHIM_JPEG_SUBSAMPLING_411 4

// Y only.
#define SHIM_JPEG_COLOR_SPACE_GRAY 0

// Y, Cb and Cr, as in nearly all files.
#define SHIM_JPEG_COLOR_SPACE_YCBCR 1

// R, G and B, with an Adobe segment and the component identifiers `R`, `G` and `B`.
#define SHIM_JPEG_COLOR_SPACE_RGB 2

// C, M, Y and K, with an Adobe segment.
#define SHIM_JPEG_COLOR_SPACE_CMYK 3

// Y, Cb, Cr and K, with an Adobe segment.
#define SHIM_JPEG_COLOR_SPACE_YCCK 4

// No restart markers. The interval is ignored.
#define SHIM_JPEG_RESTART_NEVER 0

// MCUs.
#define SHIM_JPEG_RESTART_MCUS 1

// MCU rows. An interval above 65535 MCUs is reduced to 65535 MCUs.
#define SHIM_JPEG_RESTART_ROWS 2

// Pixel aspect ratio without a unit: horizontal to vertical density.
#define SHIM_JPEG_DENSITY_ASPECT 0

// Pixels per inch.
#define SHIM_JPEG_DENSITY_PER_INCH 1

// Pixels per centimeter.
#define SHIM_JPEG_DENSITY_PER_CENTIMETRE 2

// R, G, B.
#define SHIM_JPEG_PIXELS_RGB 0

// B, G, R.
#define SHIM_JPEG_PIXELS_BGR 1

// R, G, B and a fourth sample that is ignored: JPEG has no transparency.
#define SHIM_JPEG_PIXELS_RGBA 2

// B, G, R and a fourth sample that is ignored.
#define SHIM_JPEG_PIXELS_BGRA 3

// One luminance sample.
#define SHIM_JPEG_PIXELS_GRAY 4

// Y, Cb, Cr as in JFIF: full range, with Cb and Cr centered on the middle value.
#define SHIM_JPEG_PIXELS_YCBCR 5

// C, M, Y, K as JPEG files have them: 0 is full ink and the greatest sample none. Files have an Adobe segment, by which
// readers know that.
#define SHIM_JPEG_PIXELS_CMYK 6

// Y, Cb, Cr of inverted C, M and Y; and K.
#define SHIM_JPEG_PIXELS_YCCK 7

// Luminance and a second sample that is ignored.
#define SHIM_JPEG_PIXELS_GRAY_ALPHA 8

// Three 8-bit planes: Y, and Cb and Cr at half the resolution in both directions, rounded up, as from decoders and
// cameras. Encoded without resampling: the encoder must have the same subsampling, or returns `SHIM_ERROR_SAMPLING`.
// Not supported in strips.
#define SHIM_JPEG_PIXELS_YCBCR_420 9

// As `SHIM_JPEG_PIXELS_YCBCR_420`, with Cb and Cr at half the horizontal resolution.
#define SHIM_JPEG_PIXELS_YCBCR_422 10

// As `SHIM_JPEG_PIXELS_YCBCR_420`, with Cb and Cr at half the vertical resolution.
#define SHIM_JPEG_PIXELS_YCBCR_440 11

// As `SHIM_JPEG_PIXELS_YCBCR_420`, with Cb and Cr at a quarter of the horizontal resolution.
#define SHIM_JPEG_PIXELS_YCBCR_411 12

// The baseline that the library is compiled for: SSE2 on x86-64 by default, NEON on aarch64.
#define SHIM_SIMD_BASELINE 0

// x86-64-v2: SSSE3, SSE4.1, SSE4.2 and POPCNT.
#define SHIM_SIMD_V2 2

// x86-64-v3: AVX2, BMI1, BMI2, LZCNT, POPCNT and FMA.
#define SHIM_SIMD_V3 3

// x86-64-v4: the AVX-512 subsets F, BW, VL, DQ and CD as well.
#define SHIM_SIMD_V4 4

// Three planes: Y, and Cb and Cr at half the resolution in both directions.
#define SHIM_H264_PIXELS_I420 0

// R, G, B, in the first plane.
#define SHIM_H264_PIXELS_RGB 1

// B, G, R, in the first plane.
#define SHIM_H264_PIXELS_BGR 2

// R, G, B and a fourth sample that is ignored, in the first plane.
#define SHIM_H264_PIXELS_RGBA 3

// B, G, R and a fourth sample that is ignored, in the first plane.
#define SHIM_H264_PIXELS_BGRA 4

// Two planes: Y, and interleaved Cb and Cr at half the resolution in both directions.
#define SHIM_H264_PIXELS_NV12 5

// One sample, from black (0) to white (255), in the first plane.
#define SHIM_H264_PIXELS_GRAY 6

// Fastest.
#define SHIM_H264_PRESET_ULTRAFAST 0

// Slower than ultrafast, faster than veryfast.
#define SHIM_H264_PRESET_SUPERFAST 1

// Slower than superfast, faster than fast.
#define SHIM_H264_PRESET_VERYFAST 2

// Faster than medium.
#define SHIM_H264_PRESET_FAST 3

// Default.
#define SHIM_H264_PRESET_MEDIUM 4

// Smaller streams than medium.
#define SHIM_H264_PRESET_SLOW 5

// Smaller streams than slow.
#define SHIM_H264_PRESET_SLOWER 6

// Smallest streams.
#define SHIM_H264_PRESET_VERYSLOW 7

// PSNR: no adaptive quantization.
#define SHIM_H264_TUNE_PSNR 0

// SSIM: adaptive quantization of strength 1.3.
#define SHIM_H264_TUNE_SSIM 1

// Film: deblocking -1:-1.
#define SHIM_H264_TUNE_FILM 2

// Animation: deblocking 1:1, adaptive quantization of strength 0.6.
#define SHIM_H264_TUNE_ANIMATION 3

// Film grain: deblocking -2:-2, adaptive quantization of strength 0.5.
#define SHIM_H264_TUNE_GRAIN 4

// Slideshow: deblocking -3:-3, adaptive quantization of strength 1.2.
#define SHIM_H264_TUNE_STILLIMAGE 5

// Fast decoding: no deblocking.
#define SHIM_H264_TUNE_FASTDECODE 6

// Low latency: no look-ahead.
#define SHIM_H264_TUNE_ZEROLATENCY 7

// All edges.
#define SHIM_H264_DEBLOCKING_ALL 0

// Edges within slices.
#define SHIM_H264_DEBLOCKING_WITHIN_SLICES 1

// No edges.
#define SHIM_H264_DEBLOCKING_NONE 2

// Byte stream: a start code before each NAL unit, and parameter sets before each keyframe. The format of `.264` files.
#define SHIM_H264_FORMAT_ANNEX_B 0

// Length-prefixed NAL units, with four-byte lengths and separate parameter sets. The format of MP4 files.
#define SHIM_H264_FORMAT_AVCC 1

// BT.601, 525 lines (SMPTE 170M).
#define SHIM_H264_MATRIX_BT601 0

// BT.709.
#define SHIM_H264_MATRIX_BT709 1

// BT.601, 625 lines (BT.470 B/G).
#define SHIM_H264_MATRIX_BT470BG 2

// SMPTE 240M.
#define SHIM_H264_MATRIX_SMPTE240M 3

// BT.2020, non-constant luminance.
#define SHIM_H264_MATRIX_BT2020 4

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// Version of the linked library, encoded as `SHIM_VERSION`. A program built with the header of one version runs with
// later libraries of the same major version.
uint32_t shim_version(void);

// Version of the linked library as text, such as "0.1.0".
const char *shim_version_string(void);

// A static string that describes `status`, also for a status unknown to this version. `shim_jpeg_error_message` and
// `shim_h264_error_message` return the details of the last failure.
const char *shim_status_message(shim_status status);

// A new encoder with quality 90, 4:2:0, and sequential files with standard Huffman tables. Free it with
// `shim_jpeg_encoder_free`. Null indicates a bug in the library.
struct shim_jpeg_encoder *shim_jpeg_encoder_new(void);

// A new encoder with the settings of another, such as for another thread; null if `encoder` is null. Free it with
// `shim_jpeg_encoder_free`.
struct shim_jpeg_encoder *shim_jpeg_encoder_clone(const struct shim_jpeg_encoder *encoder);

// Frees an encoder. Does nothing if it is null, or in a callback of the same encoder.
void shim_jpeg_encoder_free(struct shim_jpeg_encoder *encoder);

// Resets all settings to those of a new encoder.
shim_status shim_jpeg_encoder_reset(struct shim_jpeg_encoder *encoder);

// Message, in English, of the last call with this encoder that failed; empty if none did. Never null, and valid until
// the next call with the encoder.
const char *shim_jpeg_error_message(const struct shim_jpeg_encoder *encoder);

// Sets the quality, 1 (smallest file) to 100 (best). 90 by default.
shim_status shim_jpeg_encoder_set_quality(struct shim_jpeg_encoder *encoder, uint32_t quality);

// Sets the chroma subsampling. 4:2:0 by default. Files without chrominance are not subsampled.
shim_status shim_jpeg_encoder_set_subsampling(struct shim_jpeg_encoder *encoder,
                                              shim_jpeg_subsampling subsampling);

// Sets the sampling factors H and V of each component, for ratios without a constant: `component_count` pairs of
// bytes. Factors are 1 to 4 and divide the largest of all components.
shim_status shim_jpeg_encoder_set_sampling_factors(struct shim_jpeg_encoder *encoder,
                                                   const uint8_t *factors,
                                                   size_t component_count);

// Sets the color space of the file. By default gray, CMYK and YCCK pixels are not converted, and others are converted
// to YCbCr.
shim_status shim_jpeg_encoder_set_color_space(struct shim_jpeg_encoder *encoder,
                                              shim_jpeg_color_space space);

// Whether (not 0) to produce files bit-exact with libjpeg-turbo's `cjpeg`, for the same pixels and settings, with the
// accurate integer DCT. Off by default.
shim_status shim_jpeg_encoder_set_libjpeg_compatible(struct shim_jpeg_encoder *encoder,
                                                     int libjpeg_compatible);

// Whether (not 0) to limit the quantization tables of libjpeg-compatible files to 255, as `cjpeg -baseline` does. Off
// by default: qualities up to 23 then need 16-bit tables, and the file is extended (SOF1).
shim_status shim_jpeg_encoder_set_baseline(struct shim_jpeg_encoder *encoder,
                                           int baseline);

// Whether (not 0) to optimize the Huffman tables for the image, which makes files 2 to 10 % smaller and buffers the
// image.
shim_status shim_jpeg_encoder_set_optimized(struct shim_jpeg_encoder *encoder,
                                            int optimized);

// Whether (not 0) to code sequential and progressive files arithmetically instead of by Huffman tables, which makes
// photographs 5 to 13 % smaller. libjpeg reads such files, most other decoders do not. Lossless files cannot be coded
// so. Off by default.
shim_status shim_jpeg_encoder_set_arithmetic(struct shim_jpeg_encoder *encoder,
                                             int arithmetic);

// Whether (not 0) to write a progressive file with the default scan script; 0 writes a sequential file and discards
// any scans that were set.
shim_status shim_jpeg_encoder_set_progressive(struct shim_jpeg_encoder *encoder,
                                              int progressive);

// Writes a progressive file with these scans. They are validated when an image is encoded.
shim_status shim_jpeg_encoder_set_scans(struct shim_jpeg_encoder *encoder,
                                        const struct shim_jpeg_scan *scans,
                                        size_t scan_count);

// Whether (not 0) to spend more time on smaller files: trellis quantization, flatter quantization tables, and for
// progressive files a scan script optimized for the image. Off by default.
shim_status shim_jpeg_encoder_set_trellis(struct shim_jpeg_encoder *encoder,
                                          int trellis);

// Writes a lossless file of samples of 2 to 16 bits, without the `point_transform` lowest bits, which decode as 0.
// `predictor` is 1 (left), 2 (above), 3 (above left), 4 to 6 (planes through these), or 7 (the average of left and
// above). The last call of this function and the progressive ones takes effect.
shim_status shim_jpeg_encoder_set_lossless(struct shim_jpeg_encoder *encoder,
                                           uint32_t predictor,
                                           uint32_t point_transform);

// Sets the number of threads per image; 0 is one per core. 1 by default. The file does not depend on it.
shim_status shim_jpeg_encoder_set_threads(struct shim_jpeg_encoder *encoder,
                                          uint32_t threads);

// Sets the restart interval, 0 to 65535 MCUs or MCU rows. 0 is no restart markers, the default.
shim_status shim_jpeg_encoder_set_restart(struct shim_jpeg_encoder *encoder,
                                          shim_jpeg_restart_unit unit,
                                          uint32_t interval);

// Sets the horizontal and vertical pixel density, 1 to 65535. Written only in JFIF files, which are gray or YCbCr.
shim_status shim_jpeg_encoder_set_density(struct shim_jpeg_encoder *encoder,
                                          shim_jpeg_density_unit unit,
                                          uint32_t across,
                                          uint32_t down);

// Sets custom quantization tables in place of those of the quality: one for luminance (and all components of RGB and
// CMYK files), one for chrominance, each of 64 elements in row-major order. Elements are 1 to 255, and up to 65535 for
// 12-bit samples.
shim_status shim_jpeg_encoder_set_quantization_tables(struct shim_jpeg_encoder *encoder,
                                                      const uint16_t *luminance,
                                                      const uint16_t *chrominance);

// Sets the ICC profile, split into as many segments as needed, up to 16 MB. The library copies it.
shim_status shim_jpeg_encoder_set_icc_profile(struct shim_jpeg_encoder *encoder,
                                              const void *profile,
                                              size_t size);

// Sets Exif data, starting at its TIFF header, up to 65527 bytes. The library copies it and does not interpret it.
shim_status shim_jpeg_encoder_set_exif(struct shim_jpeg_encoder *encoder,
                                       const void *exif,
                                       size_t size);

// Sets an XMP packet, up to 65504 bytes. The library copies it.
shim_status shim_jpeg_encoder_set_xmp(struct shim_jpeg_encoder *encoder,
                                      const void *packet,
                                      size_t size);

// Adds a comment segment, up to 65533 bytes. Each call adds one. The library copies it. It needs no terminating null,
// which would become part of it.
shim_status shim_jpeg_encoder_add_comment(struct shim_jpeg_encoder *encoder,
                                          const void *comment,
                                          size_t size);

// Adds an application segment `APPn`, with `n` from 0 to 15 and up to 65533 bytes that begin with an identifier. Each
// call adds one, after the segments that the encoder writes itself (JFIF, Exif, XMP, ICC and Adobe). The library
// copies it.
shim_status shim_jpeg_encoder_add_app_segment(struct shim_jpeg_encoder *encoder,
                                              uint32_t n,
                                              const void *data,
                                              size_t size);

// Encodes an image into memory, as a complete file. `*file` receives a new buffer, to be freed with
// `shim_jpeg_buffer_free`, or null after an error.
shim_status shim_jpeg_encode(struct shim_jpeg_encoder *encoder,
                             const struct shim_jpeg_image *image,
                             struct shim_jpeg_buffer **file);

// Encodes as `shim_jpeg_encode` does, with the highest quality whose file has at most `size` bytes. `*quality`
// receives the quality, or 0 after an error; `quality` may be null. Encodes the image up to eight times. Returns
// `SHIM_ERROR_TARGET` if the file is larger even at quality 1.
shim_status shim_jpeg_encode_within(struct shim_jpeg_encoder *encoder,
                                    const struct shim_jpeg_image *image,
                                    size_t size,
                                    int *quality,
                                    struct shim_jpeg_buffer **file);

// Encodes as `shim_jpeg_encode` does, with the lowest quality whose components have a PSNR of at least `decibels` dB,
// before a decoder rounds and converts them. `*quality` receives the quality, or 0 after an error; `quality` may be
// null. Returns `SHIM_ERROR_TARGET` if quality 100 does not reach the PSNR, or it is not a positive number.
shim_status shim_jpeg_encode_reaching(struct shim_jpeg_encoder *encoder,
                                      const struct shim_jpeg_image *image,
                                      double decibels,
                                      int *quality,
                                      struct shim_jpeg_buffer **file);

// Encodes an image and passes the file to `write` in chunks of at least one MCU row. All errors except
// `SHIM_ERROR_WRITE` are detected before the first chunk. The callback must not change the encoder, which returns
// `SHIM_ERROR_BUSY`.
//
// Memory grows with the width of the image but not with its height, except for progressive and optimized files.
shim_status shim_jpeg_encode_to(struct shim_jpeg_encoder *encoder,
                                const struct shim_jpeg_image *image,
                                shim_write_function write,
                                void *user);

// Encodes as `shim_jpeg_encode_to` does, and calls `progress`, if it is not null, along the way on the calling thread.
shim_status shim_jpeg_encode_with_progress(struct shim_jpeg_encoder *encoder,
                                           const struct shim_jpeg_image *image,
                                           shim_write_function write,
                                           shim_progress_function progress,
                                           void *user);

// First byte of a buffer, valid until the buffer is freed; null if `buffer` is null.
const uint8_t *shim_jpeg_buffer_data(const struct shim_jpeg_buffer *buffer);

// Size of a buffer in bytes; 0 if it is null.
size_t shim_jpeg_buffer_size(const struct shim_jpeg_buffer *buffer);

// Frees a buffer. Does nothing if it is null.
void shim_jpeg_buffer_free(struct shim_jpeg_buffer *buffer);

// A new compressor with the current settings of the encoder, which may be changed and freed afterwards; null if
// `encoder` is null. Free it with `shim_jpeg_compressor_free`.
struct shim_jpeg_compressor *shim_jpeg_compressor_new(const struct shim_jpeg_encoder *encoder);

// Encodes an image into memory of the compressor, as a complete file, identical to that of `shim_jpeg_encode`. `*data`
// and `*size` receive its first byte and its size, valid until the next call with the compressor; null and 0 after an
// error, after which the next image can be encoded.
shim_status shim_jpeg_compressor_encode(struct shim_jpeg_compressor *compressor,
                                        const struct shim_jpeg_image *image,
                                        const uint8_t **data,
                                        size_t *size);

// Message, in English, of the last call with this compressor that failed; empty if none did. Never null, and valid
// until the next call with the compressor.
const char *shim_jpeg_compressor_error_message(const struct shim_jpeg_compressor *compressor);

// Frees a compressor, with the file that it holds. Does nothing if it is null.
void shim_jpeg_compressor_free(struct shim_jpeg_compressor *compressor);

// Starts a file of an image to be pushed in strips. `whole` describes the image without its samples: number, contents
// and stride of the planes are ignored. From this call until the end of the file, `write` receives the file. `*strips`
// is to be freed with `shim_jpeg_strips_free`; it is null after an error, whose message the encoder has.
//
// The file is identical to that of `shim_jpeg_encode_to`. The encoder may be changed and freed after this call.
shim_status shim_jpeg_strips_new(struct shim_jpeg_encoder *encoder,
                                 const struct shim_jpeg_image *whole,
                                 shim_write_function write,
                                 void *user,
                                 struct shim_jpeg_strips **strips);

// Appends the rows of `strip`, one or more, below the previous ones. The strip must have the width, pixel format and
// sample precision of the image, and be interleaved if the first strip was; otherwise it is rejected, and encoding can
// continue. After `SHIM_ERROR_WRITE` it cannot.
shim_status shim_jpeg_strips_push(struct shim_jpeg_strips *strips,
                                  const struct shim_jpeg_image *strip);

// Completes the file. Fails if rows are missing, which can still be pushed.
shim_status shim_jpeg_strips_finish(struct shim_jpeg_strips *strips);

// Message, in English, of the last call with these strips that failed; empty if none did. Never null, and valid until
// the next call with the strips.
const char *shim_jpeg_strips_error_message(const struct shim_jpeg_strips *strips);

// Frees strips; a file that is not finished remains incomplete. Does nothing if it is null, or in the callback.
void shim_jpeg_strips_free(struct shim_jpeg_strips *strips);

// Lets the encoders of the whole process use no higher level than `most` from now on. `*level`, which may be null,
// becomes the highest that they use: never one that the machine lacks. A later call may raise it again, and any thread
// may call. Files and streams are the same at every level; measurements and tests compare them.
shim_status shim_limit_simd(shim_simd_level most,
                            shim_simd_level *level);

// A new encoder for frames of this size: 30 frames per second, constant quality (CRF) 23, a keyframe at scene cuts and
// at least every 250 frames, one slice, one thread, a byte stream (Annex B). An unsupported size is an error at the
// first frame. Free it with `shim_h264_encoder_free`. Null indicates a bug in the library.
struct shim_h264_encoder *shim_h264_encoder_new(uint32_t width,
                                                uint32_t height);

// Frees an encoder, with its packets, parameter sets and reconstructed frames. Does nothing if it is null.
void shim_h264_encoder_free(struct shim_h264_encoder *encoder);

// Message, in English, of the last call with this encoder that failed; empty if none did. Never null, and valid until
// the next call with the encoder.
const char *shim_h264_error_message(const struct shim_h264_encoder *encoder);

// Gets whether the stream misses its average bit rate by a tenth or more, since it began or since the last change of a
// setting between frames, and by how much. Streams of less than two seconds, and those without a bit rate, miss
// nothing. Of `*rate` only `struct_size` is read.
shim_status shim_h264_missed_bit_rate(struct shim_h264_encoder *encoder,
                                      struct shim_h264_bit_rate *rate);

// Encodes a frame. `*packet` receives the next encoded frame: with a look-ahead it is one before this frame, and
// `packet->data` is null if there is none yet. It is null after an error as well, which leaves the stream unchanged.
shim_status shim_h264_encode(struct shim_h264_encoder *encoder,
                             const struct shim_h264_frame *frame,
                             struct shim_h264_packet *packet);

// Returns the next delayed packet after the last frame. Call it until `packet->data` is null.
shim_status shim_h264_flush(struct shim_h264_encoder *encoder, struct shim_h264_packet *packet);

// Returns the frame of the last packet as a decoder outputs it, with even dimensions. `*frame` receives its
// description, in memory of the encoder that is valid until the next call with it. Only `struct_size` is read. Before
// the first packet this returns `SHIM_ERROR_VALUE`.
shim_status shim_h264_reconstruction(struct shim_h264_encoder *encoder,
                                     struct shim_h264_frame *frame);

// Returns the sequence and picture parameter sets, as NAL units without start code or length prefix. Fixes the
// settings.
shim_status shim_h264_parameter_sets(struct shim_h264_encoder *encoder,
                                     struct shim_h264_bytes *sps,
                                     struct shim_h264_bytes *pps);

// Returns the `AVCDecoderConfigurationRecord`, the contents of the `avcC` box of MP4 files. Fixes the settings.
shim_status shim_h264_configuration_record(struct shim_h264_encoder *encoder,
                                           struct shim_h264_bytes *record);

// Returns the sizes of the pictures so far, as text for `shim_h264_encoder_set_first_pass`.
shim_status shim_h264_first_pass(struct shim_h264_encoder *encoder, struct shim_h264_bytes *text);

// Sets the frame rate in frames per second, as a fraction. 30/1 by default. With a variable frame rate it can change
// between frames, for rate control; the stream keeps stating the first one.
shim_status shim_h264_encoder_set_frame_rate(struct shim_h264_encoder *encoder,
                                             uint32_t frames,
                                             uint32_t denominator);

// Whether (not 0) the frame rate may change between frames. The stream then does not declare a fixed frame rate, and
// cannot have a VBV. Off by default.
shim_status shim_h264_encoder_set_variable_frame_rate(struct shim_h264_encoder *encoder,
                                                      int variable);

// Selects constant QP, 0 (best) to 51 (smallest stream). Of this, the quality and the bit rate, the last one set takes
// effect; the default is quality 23. All three can change between frames.
shim_status shim_h264_encoder_set_qp(struct shim_h264_encoder *encoder,
                                     uint32_t qp);

// Selects constant quality (CRF), 0 (best) to 51 (smallest stream), on the scale of QP.
shim_status shim_h264_encoder_set_quality(struct shim_h264_encoder *encoder, float quality);

// Selects an average bit rate (ABR), in bit/s. `shim_h264_missed_bit_rate` reports whether the stream misses it.
shim_status shim_h264_encoder_set_bit_rate(struct shim_h264_encoder *encoder,
                                           uint64_t bits_per_second);

// Sets the number of frames of the stream, if known: a short stream then also meets its average bit rate at its end. A
// hint: the stream may have more or fewer frames. 0, the default, is unknown.
shim_status shim_h264_encoder_set_expected_frames(struct shim_h264_encoder *encoder,
                                                  uint64_t frames);

// Sets an offset of -51 to 51 for the QP of the following frames, under any rate control method; 0 removes it. It can
// change between frames.
shim_status shim_h264_encoder_set_qp_offset(struct shim_h264_encoder *encoder,
                                            float offset);

// Makes the next frame a keyframe, at which decoding can start. With a VBV, the keyframe waits for the first frame at
// which it fits the buffer.
shim_status shim_h264_encoder_force_keyframe(struct shim_h264_encoder *encoder);

// Sets the maximum size of a slice NAL unit in bytes, at least 64, including header and emulation prevention, but not
// the start code or length prefix. Frames get more slices where needed. 0, the default, is no limit.
shim_status shim_h264_encoder_set_max_slice_size(struct shim_h264_encoder *encoder,
                                                 size_t bytes);

// Sets the VBV, the buffer of the decoder that must not underflow: maximum bit rate in bit/s, and buffer size in bits.
// Both 0, the default, is no VBV.
shim_status shim_h264_encoder_set_buffer(struct shim_h264_encoder *encoder,
                                         uint64_t max_bits_per_second,
                                         uint64_t buffer_bits);

// Whether (not 0) to insert keyframes at scene cuts. On by default, except for `ultrafast`.
shim_status shim_h264_encoder_set_scene_cut(struct shim_h264_encoder *encoder, int scene_cut);

// Sets the minimum interval before a scene-cut keyframe, in frames. 0, the default, is a tenth of the maximum keyframe
// interval, or the frames of one second if they are fewer.
shim_status shim_h264_encoder_set_min_keyint(struct shim_h264_encoder *encoder,
                                             uint32_t frames);

// Sets the offset of the chroma QP, -12 to 12. 0 by default.
shim_status shim_h264_encoder_set_chroma_qp_offset(struct shim_h264_encoder *encoder, int offset);

// Sets the trade-off between speed and compression. Medium by default.
shim_status shim_h264_encoder_set_preset(struct shim_h264_encoder *encoder,
                                         shim_h264_preset preset);

// Sets the sizes of the pictures in a first pass over the same frames with the same settings, as
// `shim_h264_first_pass` returns them (also of another run): the bit rate is then met with the same quality
// throughout. No bytes discard them.
shim_status shim_h264_encoder_set_first_pass(struct shim_h264_encoder *encoder,
                                             const uint8_t *text,
                                             size_t size);

// Sets the maximum keyframe interval, in frames (1: intra only). 250 by default.
shim_status shim_h264_encoder_set_keyint(struct shim_h264_encoder *encoder, uint32_t frames);

// Sets the number of frames that the encoder takes before it encodes the first of them, at most 250: the packet of a
// frame comes so many frames later, unless QP is constant. 0 has no latency. That of the preset by default: 0 for
// `ultrafast` and `superfast`, 20 for the others.
shim_status shim_h264_encoder_set_lookahead(struct shim_h264_encoder *encoder,
                                            uint32_t frames);

// Sets whether the QP of a macroblock is lower the more of later frames depends on it, as far as the look-ahead sees.
// On (1) by default.
shim_status shim_h264_encoder_set_mb_tree(struct shim_h264_encoder *encoder,
                                          int mb_tree);

// Sets the strength of adaptive quantization, 0 to 3: smooth macroblocks get a lower QP than busy ones. 0 disables it.
// That of the preset by default: 0 for `ultrafast` and `superfast`, 1 for the others.
shim_status shim_h264_encoder_set_aq_strength(struct shim_h264_encoder *encoder,
                                              float strength);

// Sets what belongs to a kind of content or a use (`SHIM_H264_TUNE_*`). Settings that are changed afterwards take
// precedence.
shim_status shim_h264_encoder_set_tune(struct shim_h264_encoder *encoder,
                                       shim_h264_tune tune);

// Sets the number of reference frames, 1 to 16. 0, the default, is that of the preset.
shim_status shim_h264_encoder_set_references(struct shim_h264_encoder *encoder,
                                             uint32_t references);

// Whether (not 0) to predict Intra macroblocks only from Intra macroblocks. Off by default.
shim_status shim_h264_encoder_set_constrained_intra(struct shim_h264_encoder *encoder,
                                                    int constrained);

// Sets the number of slices per frame, each of whole macroblock rows: 1, the default, to the number of macroblock
// rows. Threads encode slices in parallel.
shim_status shim_h264_encoder_set_slices(struct shim_h264_encoder *encoder,
                                         size_t slices);

// Sets the number of threads; 0 is one per core. 1 by default. The stream does not depend on it.
//
// With one slice per frame, constant quality or QP, no VBV and a look-ahead, several frames are encoded at once, which
// adds four frames per thread to the delay of packets. Otherwise each slice of a frame gets a thread.
shim_status shim_h264_encoder_set_threads(struct shim_h264_encoder *encoder,
                                          size_t threads);

// Sets the edges that the deblocking filter processes, and its offsets `alpha` and `beta`, -6 to 6: higher values
// filter more strongly. By default all, and none with `ultrafast`.
shim_status shim_h264_encoder_set_deblocking(struct shim_h264_encoder *encoder,
                                             shim_h264_deblocking edges,
                                             int alpha,
                                             int beta);

// Sets the level times ten, such as 31 for level 3.1; 9 is level 1b. 0, the default, is the lowest that fits.
shim_status shim_h264_encoder_set_level(struct shim_h264_encoder *encoder,
                                        uint32_t level);

// Sets the framing of NAL units. Annex B by default.
shim_status shim_h264_encoder_set_format(struct shim_h264_encoder *encoder,
                                         shim_h264_format format);

// Whether (not 0) to begin each access unit with an access unit delimiter. Off by default.
shim_status shim_h264_encoder_set_access_unit_delimiters(struct shim_h264_encoder *encoder,
                                                         int delimiters);

// Sets `idr_pic_id` of the first IDR picture, 0 to 255; those that follow alternate between it and the next number. 0
// by default. Streams that are joined need different ones, such as 0 and 2 in turn.
shim_status shim_h264_encoder_set_first_idr_pic_id(struct shim_h264_encoder *encoder,
                                                   uint8_t first);

// Sets the matrix coefficients and range of the samples, which the stream states. RGB frames are converted
// accordingly, or if this is not set before the stream starts, by BT.709 from 720 rows on and by BT.601 below, which the stream then
// states.
shim_status shim_h264_encoder_set_color(struct shim_h264_encoder *encoder,
                                        shim_h264_matrix matrix,
                                        int full_range);

// Sets the sample aspect ratio, width and height of a sample, each 1 to 65535, which the stream states.
shim_status shim_h264_encoder_set_sample_aspect_ratio(struct shim_h264_encoder *encoder,
                                                      uint32_t width,
                                                      uint32_t height);

// Sets whether (not 0) samples have full range, which the stream states if no color is set.
shim_status shim_h264_encoder_set_full_range(struct shim_h264_encoder *encoder, int full_range);

// Sets color primaries and transfer characteristics, which the stream states: code points of Tables E-3 and E-4 of
// H.264, 2 if unspecified.
shim_status shim_h264_encoder_set_color_description(struct shim_h264_encoder *encoder,
                                                    uint32_t primaries,
                                                    uint32_t transfer);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* SHIM_H */
