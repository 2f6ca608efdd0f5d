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

// The version of this header: a million times the major number, a thousand times the minor one, and the patch.
#define SHIM_VERSION 1000

// A file in memory that the library owns.
typedef struct shim_jpeg_buffer shim_jpeg_buffer;

// An encoder that keeps its memory from one image to the next, for thumbnails, tiles and frames of video.
//
// Sequential files without optimized Huffman tables, by one thread, are encoded without any allocation if the image before had
// the same width, height and pixels, and a file as long. Everything else is encoded as well, as `shim_jpeg_encode` does.
//
// One thread at a time may use it, and the text of its last error. It does not need the encoder that it came from.
typedef struct shim_jpeg_compressor shim_jpeg_compressor;

// The settings of an encoding, and the text of the last error. It encodes any number of images.
//
// One thread at a time may use an encoder, and the text of its last error.
typedef struct shim_jpeg_encoder shim_jpeg_encoder;

// An encoder of one stream of video, and the text of the last error. Settings come first; with the first frame, or when the
// parameter sets are asked for, they are final, but for those that say that they change between frames.
//
// One thread at a time may use an encoder, and the text of its last error.
typedef struct shim_h264_encoder shim_h264_encoder;

// A file under way, of an image of which some rows are there at a time.
//
// One thread at a time may use it, and the text of its last error. It does not need the encoder that it came from.
typedef struct shim_jpeg_strips shim_jpeg_strips;

// What a call came to: `SHIM_OK`, or one of `SHIM_ERROR_*`. Later versions may return others.
typedef int32_t shim_status;

// How the density of chrominance compares with that of luminance: one of `SHIM_JPEG_SUBSAMPLING_*`.
typedef uint32_t shim_jpeg_subsampling;

// The components of a file: one of `SHIM_JPEG_COLOR_SPACE_*`.
typedef uint32_t shim_jpeg_color_space;

// One scan of a progressive file: which components, and which of their coefficients and bits. The standard has said all
// there is of a scan, so this structure does not grow.
typedef struct shim_jpeg_scan {
  // The components, by their place in the frame, growing.
  uint8_t components[4];
  // How many components there are, 1 to 4.
  uint8_t component_count;
  // Ss, the first coefficient in the zigzag sequence.
  uint8_t ss;
  // Se, the last one.
  uint8_t se;
  // Ah: the Al of the scan before it of these coefficients, 0 if there is none.
  uint8_t ah;
  // Al: how many bits of the coefficients are left for later scans.
  uint8_t al;
} shim_jpeg_scan;

// What restart intervals are counted in: one of `SHIM_JPEG_RESTART_*`.
typedef uint32_t shim_jpeg_restart_unit;

// What a density is counted in: one of `SHIM_JPEG_DENSITY_*`.
typedef uint32_t shim_jpeg_density_unit;

// What the samples of a pixel are, in the order in which they lie in memory: one of `SHIM_JPEG_PIXELS_*`.
typedef uint32_t shim_jpeg_pixels;

// An image in memory. Begin with one of zeros (`shim_jpeg_image image = {0};`), so that fields of later versions are 0.
typedef struct shim_jpeg_image {
  // `sizeof(shim_jpeg_image)`: says which version of the structure it is.
  size_t struct_size;
  // Pixels in a row, 1 to 65535.
  uint32_t width;
  // Rows, 1 to 65535.
  uint32_t height;
  // What the samples of a pixel are.
  shim_jpeg_pixels pixels;
  // 1 if a sample is an `uint8_t`, 2 if it is an `uint16_t`.
  uint32_t sample_bytes;
  // Bits of a sample: 8 if it is one byte, 2 to 16 if it is two, of which those above are 0. Files hold 8 or 12.
  uint32_t bits;
  // 1 if pixels lie one after the other; as many as a pixel has samples if each sample has a plane of its own, as in subsampled
  // pixels.
  uint32_t plane_count;
  // How many bytes after the beginning of a row the next one begins, in all planes; 0 if there are no gaps.
  size_t stride;
  // The first sample of each plane. A fourth sample that is not looked at may have null.
  const void *planes[4];
  // The bytes of each plane. No sample is read beyond them.
  size_t plane_sizes[4];
  // As `stride`, of subsampled planes of Cb and Cr. It is not looked at where there are none.
  size_t chroma_stride;
} shim_jpeg_image;

// Takes `size` bytes of a file, which are at `data` during the call only. What is not 0 stops the encoder, which then returns
// `SHIM_ERROR_WRITE`. `user` is what the encoder was called with.
typedef int (*shim_write_function)(void *user, const uint8_t *data, size_t size);

// Is told how many rows of pixels are done, of the image's height. `user` is what the encoder was called with.
typedef void (*shim_progress_function)(void *user, size_t done, size_t all);

// A level of the x86-64 architecture: one of `SHIM_SIMD_*`.
typedef uint32_t shim_simd_level;

// An average bit rate that a stream may miss. Begin with one of zeros (`shim_h264_bit_rate rate = {0};`) but for the size.
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

// What the samples of a frame are: one of `SHIM_H264_PIXELS_*`.
typedef uint32_t shim_h264_pixels;

// A frame in memory, of bytes. Begin with one of zeros (`shim_h264_frame frame = {0};`), so that fields of later versions are 0.
typedef struct shim_h264_frame {
  // `sizeof(shim_h264_frame)`: says which version of the structure it is.
  size_t struct_size;
  // Pixels in a row, as the encoder was told.
  uint32_t width;
  // Rows, as the encoder was told.
  uint32_t height;
  // What the samples are.
  shim_h264_pixels pixels;
  // The first sample of each plane. Planes that pixels do not have are not looked at.
  const uint8_t *planes[3];
  // How many bytes after the beginning of a row of each plane the next one begins; 0 if there are no gaps.
  size_t strides[3];
  // The bytes of each plane. No sample is read beyond them.
  size_t plane_sizes[3];
  // Presentation timestamp, in any unit. The packet of the frame has it, too; the encoder does not interpret it.
  int64_t pts;
  // A value of the caller's, which the packet of the frame has, too.
  uint64_t user_data;
} shim_h264_frame;

// A coded frame. Begin with one of zeros (`shim_h264_packet packet = {0};`) but for the size.
typedef struct shim_h264_packet {
  // `sizeof(shim_h264_packet)`: says which version of the structure it is.
  size_t struct_size;
  // The first byte; null if there is no packet. It belongs to the encoder, and stays until the next call with it.
  const uint8_t *data;
  // How many bytes there are.
  size_t size;
  // The number of the frame, from 0, in the order of their being shown.
  uint64_t number;
  // 1 if decoding can begin with it, and 0 otherwise.
  uint32_t keyframe;
  // Presentation timestamp of its frame.
  int64_t pts;
  // The caller's value of its frame.
  uint64_t user_data;
} shim_h264_packet;

// Bytes that belong to an encoder, and stay until the next call with it.
typedef struct shim_h264_bytes {
  // The first byte; null if there are none.
  const uint8_t *data;
  // How many bytes there are.
  size_t size;
} shim_h264_bytes;

// How much work decisions are worth: one of `SHIM_H264_PRESET_*`.
typedef uint32_t shim_h264_preset;

// Which edges of blocks are filtered: one of `SHIM_H264_DEBLOCKING_*`.
typedef uint32_t shim_h264_deblocking;

// How NAL units are told apart: one of `SHIM_H264_FORMAT_*`.
typedef uint32_t shim_h264_format;

// How much red, green and blue count for in luma: one of `SHIM_H264_MATRIX_*`.
typedef uint32_t shim_h264_matrix;

// The call did what it should.
#define SHIM_OK 0

// A pointer is null that must not be.
#define SHIM_ERROR_NULL 1

// An argument is not one of its constants, or a number or size that there cannot be.
#define SHIM_ERROR_VALUE 2

// The `struct_size` of a structure is not one that the library knows.
#define SHIM_ERROR_STRUCT_SIZE 3

// A pointer to samples of 16 bits is odd.
#define SHIM_ERROR_ALIGNMENT 4

// An encoder or strips are in use: a callback called a function for what it was called by.
#define SHIM_ERROR_BUSY 5

// A mistake in the library. It is worth a report.
#define SHIM_ERROR_INTERNAL 6

// The width or the height is not one of 1 to 65535; or, of video, is odd, or not that of the stream.
#define SHIM_ERROR_DIMENSIONS 7

// The stride is shorter than a row, or does not consist of whole samples.
#define SHIM_ERROR_STRIDE 8

// A plane is smaller than the image.
#define SHIM_ERROR_TOO_FEW_SAMPLES 9

// The number of planes is neither 1 nor that of the samples of a pixel.
#define SHIM_ERROR_PLANES 10

// Samples of so many bits cannot be described or coded.
#define SHIM_ERROR_BITS 11

// Such pixels cannot be coded in the color space asked for.
#define SHIM_ERROR_COLOR 12

// Sampling factors that no such file can have.
#define SHIM_ERROR_SAMPLING 13

// Scans that break the rules of progressive files.
#define SHIM_ERROR_SCANS 14

// An element of a quantization table is 0 or too large.
#define SHIM_ERROR_QUANTIZATION_TABLE 15

// A density that is not one of 1 to 65535.
#define SHIM_ERROR_DENSITY 16

// A profile, Exif data, an XMP packet, an application segment or a comment is longer than a file can hold.
#define SHIM_ERROR_METADATA 17

// The quality is not one of 1 to 100.
#define SHIM_ERROR_QUALITY 18

// The callback that writes returned something else than 0.
#define SHIM_ERROR_WRITE 19

// Strips that do not make up the image, or that come after its end.
#define SHIM_ERROR_STRIPS 20

// A sample has more bits than the image is said to have.
#define SHIM_ERROR_SAMPLE 21

// The system did not give the threads.
#define SHIM_ERROR_THREADS 22

// No quality reaches the size or the fidelity that was asked for, or such a one cannot be asked for.
#define SHIM_ERROR_TARGET 23

// A quality was to be found for a file that has none: it is lossless, or its quantization tables were given.
#define SHIM_ERROR_NO_QUALITY 24

// No level has room for the video, or the one that was chosen has not, or there is none of its number.
#define SHIM_ERROR_LEVEL 25

// The stream has begun, and its settings are final.
#define SHIM_ERROR_STARTED 26

// 4:2:0, half the density on both axes: the usual choice for photographs.
#define SHIM_JPEG_SUBSAMPLING_420 0

// 4:4:4, full density: for screenshots, drawings and text, where colored edges are sharp.
#define SHIM_JPEG_SUBSAMPLING_444 1

// 4:2:2, half the density in a row.
#define SHIM_JPEG_SUBSAMPLING_422 2

// 4:4:0, half the density in a column.
#define SHIM_JPEG_SUBSAMPLING_440 3

// 4:1:1, a quarter of the density in a row.
#define SHIM_JPEG_SUBSAMPLING_411 4

// Y alone.
#define SHIM_JPEG_COLOR_SPACE_GRAY 0

// Y, Cb and Cr: what nearly all files hold.
#define SHIM_JPEG_COLOR_SPACE_YCBCR 1

// R, G and B. The file says so in a segment of Adobe's, and by the components' names.
#define SHIM_JPEG_COLOR_SPACE_RGB 2

// C, M, Y and K, with a segment of Adobe's.
#define SHIM_JPEG_COLOR_SPACE_CMYK 3

// Y, Cb, Cr and K, with a segment of Adobe's.
#define SHIM_JPEG_COLOR_SPACE_YCCK 4

// There are none. The interval is not looked at.
#define SHIM_JPEG_RESTART_NEVER 0

// MCUs.
#define SHIM_JPEG_RESTART_MCUS 1

// Rows of MCUs, if an interval is then at most 65535 MCUs; otherwise it is 65535 MCUs.
#define SHIM_JPEG_RESTART_ROWS 2

// Only the shape of a pixel is known: its density across to that down.
#define SHIM_JPEG_DENSITY_ASPECT 0

// Pixels to an inch.
#define SHIM_JPEG_DENSITY_PER_INCH 1

// Pixels to a centimetre.
#define SHIM_JPEG_DENSITY_PER_CENTIMETRE 2

// R, G, B.
#define SHIM_JPEG_PIXELS_RGB 0

// B, G, R.
#define SHIM_JPEG_PIXELS_BGR 1

// R, G, B, and a fourth sample that is not looked at: JPEG has no transparency.
#define SHIM_JPEG_PIXELS_RGBA 2

// B, G, R, and a fourth sample that is not looked at.
#define SHIM_JPEG_PIXELS_BGRA 3

// One sample, the brightness.
#define SHIM_JPEG_PIXELS_GRAY 4

// Y, Cb, Cr as JFIF has them: the full range, Cb and Cr around the middle of it.
#define SHIM_JPEG_PIXELS_YCBCR 5

// C, M, Y, K, which are written as they are. Files of Adobe's programs hold them inverted, 0 for the most ink, and many
// readers expect that.
#define SHIM_JPEG_PIXELS_CMYK 6

// Y, Cb, Cr of the inverted C, M and Y; and K.
#define SHIM_JPEG_PIXELS_YCCK 7

// The brightness, and a second sample that is not looked at.
#define SHIM_JPEG_PIXELS_GRAY_ALPHA 8

// Three planes of bytes: Y, and Cb and Cr with half as many samples in each direction, rounded up, as decoders and cameras have
// them. They are coded as they are: the encoder has to have the same subsampling, and others are `SHIM_ERROR_SAMPLING`. Such an
// image does not come in strips.
#define SHIM_JPEG_PIXELS_YCBCR_420 9

// As `SHIM_JPEG_PIXELS_YCBCR_420`, of Cb and Cr with half as many samples in a row.
#define SHIM_JPEG_PIXELS_YCBCR_422 10

// As `SHIM_JPEG_PIXELS_YCBCR_420`, of Cb and Cr with half as many samples in a column.
#define SHIM_JPEG_PIXELS_YCBCR_440 11

// As `SHIM_JPEG_PIXELS_YCBCR_420`, of Cb and Cr with a quarter of the samples in a row.
#define SHIM_JPEG_PIXELS_YCBCR_411 12

// The baseline that the library is compiled for: SSE2 on x86-64 by default, NEON on aarch64.
#define SHIM_SIMD_BASELINE 0

// x86-64-v3: AVX2, BMI1, BMI2, LZCNT, POPCNT and FMA.
#define SHIM_SIMD_V3 3

// x86-64-v4: the AVX-512 subsets F, BW, VL, DQ and CD as well.
#define SHIM_SIMD_V4 4

// Three planes: Y, and Cb and Cr with half as many samples in each direction.
#define SHIM_H264_PIXELS_I420 0

// R, G, B, in the first plane.
#define SHIM_H264_PIXELS_RGB 1

// B, G, R, in the first plane.
#define SHIM_H264_PIXELS_BGR 2

// R, G, B, and a fourth sample that is not looked at, in the first plane.
#define SHIM_H264_PIXELS_RGBA 3

// B, G, R, and a fourth sample that is not looked at, in the first plane.
#define SHIM_H264_PIXELS_BGRA 4

// Two planes: Y, and pairs of Cb and Cr with half as many in each direction.
#define SHIM_H264_PIXELS_NV12 5

// The fastest.
#define SHIM_H264_PRESET_ULTRAFAST 0

// Between it and the next.
#define SHIM_H264_PRESET_VERYFAST 1

// Faster than the usual one.
#define SHIM_H264_PRESET_FAST 2

// The usual one.
#define SHIM_H264_PRESET_MEDIUM 3

// Smaller streams than the usual one's.
#define SHIM_H264_PRESET_SLOW 4

// The smallest streams.
#define SHIM_H264_PRESET_VERYSLOW 5

// All of them.
#define SHIM_H264_DEBLOCKING_ALL 0

// Those within slices.
#define SHIM_H264_DEBLOCKING_WITHIN_SLICES 1

// None.
#define SHIM_H264_DEBLOCKING_NONE 2

// A start code before each, and parameter sets before each key frame: what files `.264` are.
#define SHIM_H264_FORMAT_ANNEX_B 0

// Its length in four bytes before each, and parameter sets apart: what is in MP4 files.
#define SHIM_H264_FORMAT_AVCC 1

// BT.601, by its name of 525 lines (SMPTE 170M).
#define SHIM_H264_MATRIX_BT601 0

// BT.709.
#define SHIM_H264_MATRIX_BT709 1

// BT.601, by its name of 625 lines (BT.470 B/G).
#define SHIM_H264_MATRIX_BT470BG 2

// SMPTE 240M.
#define SHIM_H264_MATRIX_SMPTE240M 3

// BT.2020, non-constant luminance.
#define SHIM_H264_MATRIX_BT2020 4

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// The version of the library that is linked, as `SHIM_VERSION` has it. A program that was built with the header of one
// version runs with later libraries of the same major version.
uint32_t shim_version(void);

// The version of the library that is linked, as text, such as "0.1.0".
const char *shim_version_string(void);

// A text on `status` that never changes, also on one that this version does not know. What was wrong with one call in
// particular is said by `shim_jpeg_error_message` and `shim_h264_error_message`.
const char *shim_status_message(shim_status status);

// A new encoder: quality 90, 4:2:0, a sequential file with the typical Huffman tables. Free it by
// `shim_jpeg_encoder_free`. Null is a mistake in the library.
struct shim_jpeg_encoder *shim_jpeg_encoder_new(void);

// A new encoder with the settings of another, for instance for another thread; null if `encoder` is. Free it by
// `shim_jpeg_encoder_free`.
struct shim_jpeg_encoder *shim_jpeg_encoder_clone(const struct shim_jpeg_encoder *encoder);

// Frees an encoder. Null is allowed, and nothing happens; nor does it in a callback of the encoder's own.
void shim_jpeg_encoder_free(struct shim_jpeg_encoder *encoder);

// Sets everything back to what it is in a new encoder.
shim_status shim_jpeg_encoder_reset(struct shim_jpeg_encoder *encoder);

// A sentence in English on the last call with this encoder that failed; empty if none did. It never is null, and stays until
// the next call with the encoder.
const char *shim_jpeg_error_message(const struct shim_jpeg_encoder *encoder);

// Sets the quality, 1 (smallest file) to 100 (nearest to the source). It is 90 if not set.
shim_status shim_jpeg_encoder_set_quality(struct shim_jpeg_encoder *encoder, uint32_t quality);

// Sets the density of chrominance. Where there is none, all components have full density.
shim_status shim_jpeg_encoder_set_subsampling(struct shim_jpeg_encoder *encoder,
                                              shim_jpeg_subsampling subsampling);

// Sets the sampling factors H and V of each component, for densities that have no name: `component_count` pairs of bytes.
// Factors are 1 to 4 and divide the greatest of all components.
shim_status shim_jpeg_encoder_set_sampling_factors(struct shim_jpeg_encoder *encoder,
                                                   const uint8_t *factors,
                                                   size_t component_count);

// Sets what the file holds. If it is not set, the pixels say it: gray, CMYK and YCCK as they are, others as YCbCr.
shim_status shim_jpeg_encoder_set_color_space(struct shim_jpeg_encoder *encoder,
                                              shim_jpeg_color_space space);

// Whether (not 0) to transform by the accurate integer DCT: the file is then, byte for byte, the one that libjpeg-turbo's
// `cjpeg` writes for the same pixels and settings.
shim_status shim_jpeg_encoder_set_exact(struct shim_jpeg_encoder *encoder,
                                        int exact);

// Whether (not 0) to keep the quantization tables of exact files within 255, as `cjpeg -baseline` does: without it, qualities up
// to 23 need tables of 16 bits, and the file is an extended one (SOF1).
shim_status shim_jpeg_encoder_set_baseline(struct shim_jpeg_encoder *encoder,
                                           int baseline);

// Whether (not 0) to make Huffman tables that fit the image, for a file some 2 to 10 % smaller, which takes memory.
shim_status shim_jpeg_encoder_set_optimized(struct shim_jpeg_encoder *encoder,
                                            int optimized);

// Whether (not 0) to write a progressive file, of the usual scans; 0 writes a sequential one, whatever scans were set.
shim_status shim_jpeg_encoder_set_progressive(struct shim_jpeg_encoder *encoder,
                                              int progressive);

// Writes a progressive file of these scans. Whether they keep the rules is seen when an image is encoded.
shim_status shim_jpeg_encoder_set_scans(struct shim_jpeg_encoder *encoder,
                                        const struct shim_jpeg_scan *scans,
                                        size_t scan_count);

// Whether (not 0) to take more time for smaller files: coefficients are chosen for the least of bits and error together,
// quantization tables are more even than the usual ones, and progressive files have the scans that fit the image.
shim_status shim_jpeg_encoder_set_trellis(struct shim_jpeg_encoder *encoder,
                                          int trellis);

// Writes a file of the lossless process: decoded, it is the image itself, of 2 to 16 bits, without the `point_transform`
// lowest of them, which become 0. `predictor` is one of 1 to 7: by the sample to the left (1), above (2), above to the left
// (3), by planes through these (4 to 6), or by the average of the first two (7). Of this and a progressive file, what is set
// last is written.
shim_status shim_jpeg_encoder_set_lossless(struct shim_jpeg_encoder *encoder,
                                           uint32_t predictor,
                                           uint32_t point_transform);

// Sets how many threads work on an image, 1 if not set; 0 is one for each core. The file is the same for any number.
shim_status shim_jpeg_encoder_set_threads(struct shim_jpeg_encoder *encoder,
                                          uint32_t threads);

// Sets after how many MCUs or rows of MCUs, 0 to 65535, a decoder can start anew. 0 is never.
shim_status shim_jpeg_encoder_set_restart(struct shim_jpeg_encoder *encoder,
                                          shim_jpeg_restart_unit unit,
                                          uint32_t interval);

// Sets what pixels measure, across and down, 1 to 65535. Only files of gray or of luminance and chrominance say so.
shim_status shim_jpeg_encoder_set_density(struct shim_jpeg_encoder *encoder,
                                          shim_jpeg_density_unit unit,
                                          uint32_t across,
                                          uint32_t down);

// Sets the quantization tables of luminance (and of all components of RGB and CMYK files) and of chrominance: 64 elements
// each, row by row, in the place of those that the quality gives. Elements are 1 to 255, and to 65535 for samples of 12
// bits.
shim_status shim_jpeg_encoder_set_quantization_tables(struct shim_jpeg_encoder *encoder,
                                                      const uint16_t *luminance,
                                                      const uint16_t *chrominance);

// Sets the ICC profile, in as many segments as it needs, up to 16 MB. The library copies it.
shim_status shim_jpeg_encoder_set_icc_profile(struct shim_jpeg_encoder *encoder,
                                              const void *profile,
                                              size_t size);

// Sets Exif data, from its TIFF header on, up to 65527 bytes. The library copies it, and passes it through.
shim_status shim_jpeg_encoder_set_exif(struct shim_jpeg_encoder *encoder,
                                       const void *exif,
                                       size_t size);

// Sets an XMP packet, up to 65504 bytes. The library copies it.
shim_status shim_jpeg_encoder_set_xmp(struct shim_jpeg_encoder *encoder,
                                      const void *packet,
                                      size_t size);

// Adds a comment, up to 65533 bytes; each call adds one. The library copies it. It need not end with a null, which would be
// part of it.
shim_status shim_jpeg_encoder_add_comment(struct shim_jpeg_encoder *encoder,
                                          const void *comment,
                                          size_t size);

// Adds the application segment `APPn`, `n` from 0 to 15, of up to 65533 bytes with the identifier that they begin with; each call
// adds one, after those that the encoder writes itself (JFIF, Exif, XMP, ICC and Adobe). The library copies it.
shim_status shim_jpeg_encoder_add_app_segment(struct shim_jpeg_encoder *encoder,
                                              uint32_t n,
                                              const void *data,
                                              size_t size);

// Encodes an image to memory, as a whole file. `*file` is a new buffer, to be freed by `shim_jpeg_buffer_free`; null if
// there was an error.
shim_status shim_jpeg_encode(struct shim_jpeg_encoder *encoder,
                             const struct shim_jpeg_image *image,
                             struct shim_jpeg_buffer **file);

// As `shim_jpeg_encode`, by the greatest quality whose file has at most `size` bytes, which `*quality` becomes, and 0 if there was
// an error. `quality` may be null. Seven qualities are tried; `SHIM_ERROR_TARGET` if the file of quality 1 is larger.
shim_status shim_jpeg_encode_within(struct shim_jpeg_encoder *encoder,
                                    const struct shim_jpeg_image *image,
                                    size_t size,
                                    int *quality,
                                    struct shim_jpeg_buffer **file);

// As `shim_jpeg_encode`, by the least quality whose components have a PSNR of `decibels` or more, before a decoder rounds and
// converts them; `*quality` becomes it, and 0 if there was an error. `quality` may be null. `SHIM_ERROR_TARGET` if quality 100
// does not reach it, or it is no number above 0.
shim_status shim_jpeg_encode_reaching(struct shim_jpeg_encoder *encoder,
                                      const struct shim_jpeg_image *image,
                                      double decibels,
                                      int *quality,
                                      struct shim_jpeg_buffer **file);

// Encodes an image and hands the file to `write`, in pieces of at least a row of MCUs, as they come. All errors but
// `SHIM_ERROR_WRITE` are found before the first piece. The callback may not change the encoder, which is
// `SHIM_ERROR_BUSY`.
//
// The memory used grows with the width of the image and not with its height, but for files that are progressive or
// optimized.
shim_status shim_jpeg_encode_to(struct shim_jpeg_encoder *encoder,
                                const struct shim_jpeg_image *image,
                                shim_write_function write,
                                void *user);

// As `shim_jpeg_encode_to`, and calls `progress`, if it is not null, as it goes on, by the thread that called.
shim_status shim_jpeg_encode_with_progress(struct shim_jpeg_encoder *encoder,
                                           const struct shim_jpeg_image *image,
                                           shim_write_function write,
                                           shim_progress_function progress,
                                           void *user);

// The first byte of a buffer; null if `buffer` is. It stays until the buffer is freed.
const uint8_t *shim_jpeg_buffer_data(const struct shim_jpeg_buffer *buffer);

// The bytes of a buffer; 0 if it is null.
size_t shim_jpeg_buffer_size(const struct shim_jpeg_buffer *buffer);

// Frees a buffer. Null is allowed, and nothing happens.
void shim_jpeg_buffer_free(struct shim_jpeg_buffer *buffer);

// A new compressor with the settings that the encoder has now; null if `encoder` is. The encoder may be changed and freed
// afterwards. Free it by `shim_jpeg_compressor_free`.
struct shim_jpeg_compressor *shim_jpeg_compressor_new(const struct shim_jpeg_encoder *encoder);

// Encodes an image to memory of the compressor's, as a whole file, the one of `shim_jpeg_encode`. `*data` and `*size` become its
// first byte and its length, until the next call with the compressor; null and 0 if there was an error, after which the next
// image may be encoded.
shim_status shim_jpeg_compressor_encode(struct shim_jpeg_compressor *compressor,
                                        const struct shim_jpeg_image *image,
                                        const uint8_t **data,
                                        size_t *size);

// A sentence in English on the last call with this compressor that failed; empty if none did. It never is null, and stays until
// the next call with it.
const char *shim_jpeg_compressor_error_message(const struct shim_jpeg_compressor *compressor);

// Frees a compressor, with the file that it holds. Null is allowed, and nothing happens.
void shim_jpeg_compressor_free(struct shim_jpeg_compressor *compressor);

// Begins a file of an image that will come in strips. `whole` is the image without its memory: of the planes, their number
// and the stride nothing is looked at. The file goes to `write`, which is called from here on until the file has ended.
// `*strips` is to be freed by `shim_jpeg_strips_free`; null if there was an error, whose text the encoder has.
//
// The file is that of `shim_jpeg_encode_to`. The encoder may be changed and freed after this call.
shim_status shim_jpeg_strips_new(struct shim_jpeg_encoder *encoder,
                                 const struct shim_jpeg_image *whole,
                                 shim_write_function write,
                                 void *user,
                                 struct shim_jpeg_strips **strips);

// Adds the rows of `strip` below those that came before: as many as it is high, from one on. Its width, pixels and bits are
// those of the image, and it is interleaved if the first strip was; otherwise it is refused, and another may come. After
// `SHIM_ERROR_WRITE` none may.
shim_status shim_jpeg_strips_push(struct shim_jpeg_strips *strips,
                                  const struct shim_jpeg_image *strip);

// Ends the file. If rows are missing this is refused, and they may still come.
shim_status shim_jpeg_strips_finish(struct shim_jpeg_strips *strips);

// A sentence in English on the last call with these strips that failed; empty if none did. It never is null, and stays until
// the next call with them.
const char *shim_jpeg_strips_error_message(const struct shim_jpeg_strips *strips);

// Frees strips; a file that was not finished stays without its end. Null is allowed, and nothing happens; nor does it in the
// callback.
void shim_jpeg_strips_free(struct shim_jpeg_strips *strips);

// Lets the encoders of the whole process use no higher level than `most` from now on. `*level`, which may be null, becomes the highest
// that they use: never one that the machine lacks. A later call may raise it again, and any thread may call. Files and streams are
// the same at every level; measurements and tests compare them.
shim_status shim_limit_simd(shim_simd_level most,
                            shim_simd_level *level);

// A new encoder of frames of this size: 30 frames a second, constant quality (CRF) 23, a key frame in 250 frames and at scene cuts,
// one slice, one thread, a byte stream (Annex B). A size that cannot be coded is refused with the first frame. Free it by `shim_h264_encoder_free`. Null is
// a mistake in the library.
struct shim_h264_encoder *shim_h264_encoder_new(uint32_t width,
                                                uint32_t height);

// Frees an encoder, with the packets, parameter sets and frames that it has shown. Null is allowed, and nothing happens.
void shim_h264_encoder_free(struct shim_h264_encoder *encoder);

// A sentence in English on the last call with this encoder that failed; empty if none did. It never is null, and stays until
// the next call with the encoder.
const char *shim_h264_error_message(const struct shim_h264_encoder *encoder);

// Gets whether the stream misses its average bit rate by a tenth or more, since it began or since the last change of a setting between
// frames, and by how much. Streams of less than two seconds, and those without a bit rate, miss nothing. Of `*rate` only
// `struct_size` is read.
shim_status shim_h264_missed_bit_rate(struct shim_h264_encoder *encoder,
                                      struct shim_h264_bit_rate *rate);

// Encodes a frame. `*packet` becomes the next coded frame, which today is this one; without one `packet->data` is null. There is none
// if there was an error, which leaves the stream as it was.
shim_status shim_h264_encode(struct shim_h264_encoder *encoder,
                             const struct shim_h264_frame *frame,
                             struct shim_h264_packet *packet);

// Gives the next packet that is still on its way when there are no more frames, again and again until there is none: then
// `packet->data` is null.
shim_status shim_h264_flush(struct shim_h264_encoder *encoder,
                            struct shim_h264_packet *packet);

// Shows the last frame as a decoder shows it, of even sides: `*frame` becomes its description, in the memory of the encoder, where it stays until
// the next call with it. Only `struct_size` is read. Before the first frame this is `SHIM_ERROR_VALUE`.
shim_status shim_h264_reconstruction(struct shim_h264_encoder *encoder,
                                     struct shim_h264_frame *frame);

// Gives the sequence and the picture parameter set, NAL units without anything before them. The settings are final then.
shim_status shim_h264_parameter_sets(struct shim_h264_encoder *encoder,
                                     struct shim_h264_bytes *sps,
                                     struct shim_h264_bytes *pps);

// Gives the `AVCDecoderConfigurationRecord`, which MP4 files have in their box `avcC`. The settings are final then.
shim_status shim_h264_configuration_record(struct shim_h264_encoder *encoder,
                                           struct shim_h264_bytes *record);

// Sets how many frames there are in a second, over a denominator. It is 30 over 1 if not set. With a variable frame rate it changes
// between frames, for rate control; the stream goes on stating the first one.
shim_status shim_h264_encoder_set_frame_rate(struct shim_h264_encoder *encoder,
                                             uint32_t frames,
                                             uint32_t denominator);

// Sets, if not 0, that the frame rate may change between frames: the stream does not promise a fixed one then, and cannot have a
// buffer.
shim_status shim_h264_encoder_set_variable_frame_rate(struct shim_h264_encoder *encoder,
                                                      int variable);

// Sets the same quantization parameter for all frames, 0 (nearest to the source) to 51 (smallest stream). Of this, a quality and a bit
// rate the last that is set counts; if none is set, the quality is 23. All three change between frames.
shim_status shim_h264_encoder_set_qp(struct shim_h264_encoder *encoder,
                                     uint32_t qp);

// Sets a quality that frames have about the same of to the eye, on the scale of the quantization parameter, 0 to 51.
shim_status shim_h264_encoder_set_quality(struct shim_h264_encoder *encoder,
                                          float quality);

// Sets the average bit rate of the stream, in bits per second. `shim_h264_missed_bit_rate` tells if the stream misses it.
shim_status shim_h264_encoder_set_bit_rate(struct shim_h264_encoder *encoder,
                                           uint64_t bits_per_second);

// Sets the number of frames of the stream, if it is known: an average bit rate is then met at the end of a short stream too. The
// stream may turn out shorter or longer. With 0, as if not set, it is not known.
shim_status shim_h264_encoder_set_expected_frames(struct shim_h264_encoder *encoder,
                                                  uint64_t frames);

// Adds an offset, -51 to 51, to the quantization parameter of the frames that follow, whatever that is set by; 0 takes it back. It
// changes between frames.
shim_status shim_h264_encoder_set_qp_offset(struct shim_h264_encoder *encoder,
                                            float offset);

// Makes the next frame a key frame, at which decoding can begin. With a buffer it is the first frame at which one fits.
shim_status shim_h264_encoder_force_keyframe(struct shim_h264_encoder *encoder);

// Sets the maximum size in bytes, at least 64, of a NAL unit of a slice, with its header and emulation prevention, without the start
// code or length before it; frames get more slices where needed. With 0, as if not set, there is none.
shim_status shim_h264_encoder_set_max_slice_size(struct shim_h264_encoder *encoder,
                                                 size_t bytes);

// Sets the buffer of a decoder, which is never to run out: how many bits a second come into it at most, and for how many there is room.
// With both 0, as if not set, there is none.
shim_status shim_h264_encoder_set_buffer(struct shim_h264_encoder *encoder,
                                         uint64_t max_bits_per_second,
                                         uint64_t buffer_bits);

// Sets, if not 0, that decoding can begin also at a frame that has little to do with the one before. It is so if not set.
shim_status shim_h264_encoder_set_scene_cut(struct shim_h264_encoder *encoder,
                                            int scene_cut);

// Sets how many frames there are to such a one at least from another at which decoding can begin; with 0, as if not set, a tenth of
// the most, or those of a second if they are fewer.
shim_status shim_h264_encoder_set_min_keyint(struct shim_h264_encoder *encoder,
                                             uint32_t frames);

// Sets what QP of chroma is more, -12 to 12.
shim_status shim_h264_encoder_set_chroma_qp_offset(struct shim_h264_encoder *encoder, int offset);

// Sets how much work decisions are worth.
shim_status shim_h264_encoder_set_preset(struct shim_h264_encoder *encoder,
                                         shim_h264_preset preset);

// Sets the maximum distance between key frames, at which decoding can begin, in frames: with 1 all are such. It is 250 if not set.
shim_status shim_h264_encoder_set_keyint(struct shim_h264_encoder *encoder,
                                         uint32_t frames);

// Sets how many frames one is predicted from, 1 to 16.
shim_status shim_h264_encoder_set_references(struct shim_h264_encoder *encoder,
                                             uint32_t references);

// Sets, if not 0, that what stands by itself in a frame is not predicted from what comes of others.
shim_status shim_h264_encoder_set_constrained_intra(struct shim_h264_encoder *encoder,
                                                    int constrained);

// Sets how many slices a frame has, each of whole rows of macroblocks: 1 to a sixteenth of its height, rounded up. It is slices
// that are divided among threads.
shim_status shim_h264_encoder_set_slices(struct shim_h264_encoder *encoder,
                                         size_t slices);

// Sets how many threads work on a frame; 0 are as many as there are cores. The stream is the same for any number.
shim_status shim_h264_encoder_set_threads(struct shim_h264_encoder *encoder,
                                          size_t threads);

// Sets which edges of blocks are filtered, and how: `alpha` and `beta` are -6 to 6, the more the stronger.
shim_status shim_h264_encoder_set_deblocking(struct shim_h264_encoder *encoder,
                                             shim_h264_deblocking edges,
                                             int alpha,
                                             int beta);

// Sets the level, ten times its number, and 9 for 1b; with 0, as if not set, it is the lowest that fits.
shim_status shim_h264_encoder_set_level(struct shim_h264_encoder *encoder,
                                        uint32_t level);

// Sets how NAL units are told apart.
shim_status shim_h264_encoder_set_format(struct shim_h264_encoder *encoder,
                                         shim_h264_format format);

// Sets, if not 0, that an access unit delimiter is put before each frame.
shim_status shim_h264_encoder_set_access_unit_delimiters(struct shim_h264_encoder *encoder,
                                                         int delimiters);

// Sets what luma and chroma mean, which is written into the stream: the matrix, and whether samples use all values. Frames of
// red, green and blue are converted accordingly, and by BT.709 in the limited range if nothing was set before the stream began.
shim_status shim_h264_encoder_set_color(struct shim_h264_encoder *encoder,
                                        shim_h264_matrix matrix,
                                        int full_range);

// Sets the sample aspect ratio, width over height of a sample, which is written into the stream: each 1 to 65535.
shim_status shim_h264_encoder_set_sample_aspect_ratio(struct shim_h264_encoder *encoder,
                                                      uint32_t width,
                                                      uint32_t height);

// Sets whether (not 0) samples use all values, which is written into the stream where no color is set.
shim_status shim_h264_encoder_set_full_range(struct shim_h264_encoder *encoder,
                                             int full_range);

// Sets color primaries and transfer characteristics, which are written into the stream: code points of Tables E-3 and E-4 of
// H.264, 2 where unspecified.
shim_status shim_h264_encoder_set_color_description(struct shim_h264_encoder *encoder,
                                                    uint32_t primaries,
                                                    uint32_t transfer);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* SHIM_H */
