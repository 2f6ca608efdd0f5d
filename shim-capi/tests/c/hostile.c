/* Calls that make no sense. Each has to return an error, and the library has to work after it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shim.h"

static int checks, failures;

#define CHECK(condition) check((condition) ? 1 : 0, #condition, __LINE__)

static void check(int holds, const char *condition, int line)
{
    checks++;
    if (!holds) {
        failures++;
        fprintf(stderr, "line %d: %s\n", line, condition);
    }
}

/* As large as the structure of any version, and a little more. */
static const size_t too_large = 4096;

/* What a callback knows. */
typedef struct {
    shim_jpeg_encoder *encoder;
    int calls;
    int stop_at;
    size_t size;
} counter;

static int count(void *user, const uint8_t *data, size_t size)
{
    counter *counts = user;
    CHECK(data != NULL && size > 0);
    counts->size += size;
    return counts->calls++ == counts->stop_at ? -7 : 0;
}

/* Uses the encoder that called it. */
static int meddle(void *user, const uint8_t *data, size_t size)
{
    counter *counts = user;
    (void)data;
    (void)size;
    CHECK(shim_jpeg_encoder_set_quality(counts->encoder, 5) == SHIM_ERROR_BUSY);
    CHECK(shim_jpeg_encoder_reset(counts->encoder) == SHIM_ERROR_BUSY);
    shim_jpeg_encoder_free(counts->encoder);
    return 0;
}

/* A picture of 20x10 pixels of RGB in `samples`, which has 600 bytes. */
static shim_jpeg_image whole(const unsigned char *samples)
{
    shim_jpeg_image image;
    memset(&image, 0, sizeof image);
    image.struct_size = sizeof image;
    image.width = 20;
    image.height = 10;
    image.pixels = SHIM_JPEG_PIXELS_RGB;
    image.sample_bytes = 1;
    image.bits = 8;
    image.plane_count = 1;
    image.planes[0] = samples;
    image.plane_sizes[0] = 600;
    return image;
}

/* What becomes of an image with one field changed. No buffer may come of an error. */
static shim_status encode(shim_jpeg_encoder *encoder, const shim_jpeg_image *image)
{
    shim_jpeg_buffer *file = (shim_jpeg_buffer *)(void *)encoder;
    shim_status status = shim_jpeg_encode(encoder, image, &file);
    CHECK((status == SHIM_OK) == (file != NULL));
    CHECK((shim_jpeg_buffer_size(file) > 0) == (file != NULL));
    CHECK((shim_jpeg_buffer_data(file) != NULL) == (file != NULL));
    shim_jpeg_buffer_free(file);
    return status;
}

static void nulls(shim_jpeg_encoder *encoder, const shim_jpeg_image *image)
{
    shim_jpeg_buffer *file = NULL;
    uint16_t table[64] = {1};
    shim_jpeg_encoder_free(NULL);
    shim_jpeg_buffer_free(NULL);
    CHECK(shim_jpeg_encoder_clone(NULL) == NULL);
    CHECK(shim_jpeg_buffer_data(NULL) == NULL);
    CHECK(shim_jpeg_buffer_size(NULL) == 0);
    CHECK(strlen(shim_jpeg_error_message(NULL)) > 0);
    CHECK(shim_jpeg_encoder_reset(NULL) == SHIM_ERROR_NULL);
    CHECK(shim_jpeg_encoder_set_quality(NULL, 50) == SHIM_ERROR_NULL);
    CHECK(shim_jpeg_encoder_set_subsampling(NULL, 0) == SHIM_ERROR_NULL);
    CHECK(shim_jpeg_encoder_set_sampling_factors(NULL, NULL, 3) == SHIM_ERROR_NULL);
    CHECK(shim_jpeg_encoder_set_sampling_factors(encoder, NULL, 3) == SHIM_ERROR_NULL);
    CHECK(shim_jpeg_encoder_set_scans(encoder, NULL, 3) == SHIM_ERROR_NULL);
    CHECK(shim_jpeg_encoder_set_quantization_tables(encoder, NULL, table) == SHIM_ERROR_NULL);
    CHECK(shim_jpeg_encoder_set_quantization_tables(encoder, table, NULL) == SHIM_ERROR_NULL);
    CHECK(shim_jpeg_encoder_set_icc_profile(encoder, NULL, 1) == SHIM_ERROR_NULL);
    CHECK(shim_jpeg_encoder_set_exif(encoder, NULL, 1) == SHIM_ERROR_NULL);
    CHECK(shim_jpeg_encoder_set_xmp(encoder, NULL, 1) == SHIM_ERROR_NULL);
    CHECK(shim_jpeg_encoder_add_comment(encoder, NULL, 1) == SHIM_ERROR_NULL);
    CHECK(shim_jpeg_encoder_add_app_segment(NULL, 1, table, 1) == SHIM_ERROR_NULL);
    CHECK(shim_jpeg_encoder_add_app_segment(encoder, 1, NULL, 1) == SHIM_ERROR_NULL);
    CHECK(shim_jpeg_encode(NULL, image, &file) == SHIM_ERROR_NULL && file == NULL);
    CHECK(shim_jpeg_encode(encoder, NULL, &file) == SHIM_ERROR_NULL && file == NULL);
    CHECK(shim_jpeg_encode(encoder, image, NULL) == SHIM_ERROR_NULL);
    CHECK(shim_jpeg_encode_to(NULL, image, count, NULL) == SHIM_ERROR_NULL);
    CHECK(shim_jpeg_encode_to(encoder, NULL, count, NULL) == SHIM_ERROR_NULL);
    CHECK(shim_jpeg_encode_to(encoder, image, NULL, NULL) == SHIM_ERROR_NULL);
}

static void constants(shim_jpeg_encoder *encoder)
{
    static const uint8_t factors[20] = {1};
    CHECK(shim_jpeg_encoder_set_quality(encoder, 0) == SHIM_ERROR_QUALITY);
    CHECK(shim_jpeg_encoder_set_quality(encoder, 300) == SHIM_ERROR_QUALITY);
    CHECK(shim_jpeg_encoder_set_quality(encoder, (uint32_t)-1) == SHIM_ERROR_QUALITY);
    CHECK(shim_jpeg_encoder_set_subsampling(encoder, 99) == SHIM_ERROR_VALUE);
    CHECK(shim_jpeg_encoder_set_color_space(encoder, 99) == SHIM_ERROR_VALUE);
    CHECK(shim_jpeg_encoder_set_restart(encoder, 99, 1) == SHIM_ERROR_VALUE);
    CHECK(shim_jpeg_encoder_set_restart(encoder, SHIM_JPEG_RESTART_MCUS, 65536) == SHIM_ERROR_VALUE);
    CHECK(shim_jpeg_encoder_set_density(encoder, 99, 1, 1) == SHIM_ERROR_VALUE);
    CHECK(shim_jpeg_encoder_set_density(encoder, SHIM_JPEG_DENSITY_PER_INCH, 0, 1) == SHIM_ERROR_DENSITY);
    CHECK(shim_jpeg_encoder_set_sampling_factors(encoder, factors, 0) == SHIM_ERROR_SAMPLING);
    CHECK(shim_jpeg_encoder_set_sampling_factors(encoder, factors, SIZE_MAX) == SHIM_ERROR_SAMPLING);
    CHECK(shim_jpeg_encoder_set_icc_profile(encoder, factors, SIZE_MAX) == SHIM_ERROR_VALUE);
    CHECK(shim_jpeg_encoder_set_exif(encoder, factors, SIZE_MAX / 4) == SHIM_ERROR_METADATA);
    CHECK(shim_jpeg_encoder_add_app_segment(encoder, 16, factors, 1) == SHIM_ERROR_VALUE);
    CHECK(shim_jpeg_encoder_add_app_segment(encoder, UINT32_MAX, factors, 1) == SHIM_ERROR_VALUE);
    CHECK(shim_jpeg_encoder_add_app_segment(encoder, 1, factors, SIZE_MAX) == SHIM_ERROR_VALUE);
    CHECK(shim_jpeg_encoder_set_scans(encoder, (const shim_jpeg_scan *)factors, SIZE_MAX) == SHIM_ERROR_VALUE);
    CHECK(strcmp(shim_status_message(-1), shim_status_message(1234)) == 0);
}

static void images(shim_jpeg_encoder *encoder, const shim_jpeg_image *good, const unsigned char *samples)
{
    shim_jpeg_image image;
#define REFUSED(change, status) \
    do { \
        image = *good; \
        change; \
        CHECK(encode(encoder, &image) == (status)); \
    } while (0)
    REFUSED(memset(&image, 0, sizeof image), SHIM_ERROR_STRUCT_SIZE);
    REFUSED(memset(&image, 0xff, sizeof image), SHIM_ERROR_STRUCT_SIZE);
    REFUSED(image.struct_size = too_large, SHIM_ERROR_STRUCT_SIZE);
    REFUSED(image.width = 0, SHIM_ERROR_DIMENSIONS);
    REFUSED(image.height = 0, SHIM_ERROR_DIMENSIONS);
    REFUSED(image.width = UINT32_MAX, SHIM_ERROR_DIMENSIONS);
    REFUSED(image.height = UINT32_MAX, SHIM_ERROR_DIMENSIONS);
    REFUSED(image.width = 65535, SHIM_ERROR_TOO_FEW_SAMPLES);
    REFUSED(image.height = 65535, SHIM_ERROR_TOO_FEW_SAMPLES);
    REFUSED(image.pixels = 99, SHIM_ERROR_VALUE);
    REFUSED(image.sample_bytes = 0, SHIM_ERROR_VALUE);
    REFUSED(image.sample_bytes = 4, SHIM_ERROR_VALUE);
    REFUSED(image.sample_bytes = 2, SHIM_ERROR_TOO_FEW_SAMPLES);
    REFUSED(image.bits = 0, SHIM_ERROR_BITS);
    REFUSED(image.bits = 16, SHIM_ERROR_BITS);
    REFUSED(image.plane_count = 0, SHIM_ERROR_PLANES);
    REFUSED(image.plane_count = 3, SHIM_ERROR_NULL);
    REFUSED(image.plane_count = UINT32_MAX, SHIM_ERROR_PLANES);
    REFUSED(image.stride = 59, SHIM_ERROR_STRIDE);
    REFUSED(image.stride = 61, SHIM_ERROR_TOO_FEW_SAMPLES);
    REFUSED(image.stride = SIZE_MAX, SHIM_ERROR_TOO_FEW_SAMPLES);
    REFUSED(image.planes[0] = NULL, SHIM_ERROR_NULL);
    REFUSED(image.plane_sizes[0] = 0, SHIM_ERROR_TOO_FEW_SAMPLES);
    REFUSED(image.plane_sizes[0] = 599, SHIM_ERROR_TOO_FEW_SAMPLES);
    REFUSED(image.plane_sizes[0] = SIZE_MAX, SHIM_ERROR_VALUE);
    REFUSED((image.sample_bytes = 2, image.bits = 12, image.planes[0] = samples + 1), SHIM_ERROR_ALIGNMENT);
    REFUSED((void)0, SHIM_OK);
}

static void callbacks(shim_jpeg_encoder *encoder, const shim_jpeg_image *image)
{
    counter counts = {0};
    int all;
    counts.encoder = encoder;
    counts.stop_at = -1;
    CHECK(shim_jpeg_encode_to(encoder, image, count, &counts) == SHIM_OK && counts.size > 600 / 8);
    all = counts.calls;
    for (counts.stop_at = 0; counts.stop_at < all; counts.stop_at++) {
        counts.calls = 0;
        CHECK(shim_jpeg_encode_to(encoder, image, count, &counts) == SHIM_ERROR_WRITE);
        CHECK(counts.calls == counts.stop_at + 1);
        CHECK(strstr(shim_jpeg_error_message(encoder), "-7") != NULL);
    }
    CHECK(shim_jpeg_encode_to(encoder, image, meddle, &counts) == SHIM_OK);
}

/* The picture in strips of three rows, with calls between them that are refused. */
static void in_strips(shim_jpeg_encoder *encoder, const shim_jpeg_image *image, const unsigned char *samples)
{
    shim_jpeg_strips *strips = (shim_jpeg_strips *)(void *)encoder;
    shim_jpeg_image strip = *image;
    counter counts = {0};
    size_t whole;
    counts.stop_at = -1;
    CHECK(shim_jpeg_encode_to(encoder, image, count, &counts) == SHIM_OK);
    whole = counts.size;

    shim_jpeg_strips_free(NULL);
    CHECK(shim_jpeg_strips_push(NULL, image) == SHIM_ERROR_NULL);
    CHECK(shim_jpeg_strips_finish(NULL) == SHIM_ERROR_NULL);
    CHECK(strlen(shim_jpeg_strips_error_message(NULL)) > 0);
    CHECK(shim_jpeg_strips_new(encoder, NULL, count, &counts, &strips) == SHIM_ERROR_NULL && strips == NULL);
    CHECK(shim_jpeg_strips_new(encoder, image, NULL, NULL, &strips) == SHIM_ERROR_NULL && strips == NULL);
    CHECK(shim_jpeg_strips_new(encoder, image, count, &counts, NULL) == SHIM_ERROR_NULL);

    memset(&counts, 0, sizeof counts);
    counts.stop_at = -1;
    CHECK(shim_jpeg_strips_new(encoder, image, count, &counts, &strips) == SHIM_OK);
    CHECK(shim_jpeg_strips_finish(strips) == SHIM_ERROR_STRIPS);
    for (uint32_t y = 0; y < image->height; y += strip.height) {
        strip.height = image->height - y < 3 ? image->height - y : 3;
        strip.planes[0] = samples + 60 * y;
        strip.plane_sizes[0] = 60 * strip.height - 1;
        CHECK(shim_jpeg_strips_push(strips, &strip) == SHIM_ERROR_TOO_FEW_SAMPLES);
        strip.plane_sizes[0]++;
        CHECK(shim_jpeg_strips_push(strips, &strip) == SHIM_OK);
    }
    CHECK(shim_jpeg_strips_push(strips, &strip) == SHIM_ERROR_STRIPS);
    CHECK(shim_jpeg_strips_finish(strips) == SHIM_OK && counts.size == whole);
    CHECK(shim_jpeg_strips_finish(strips) == SHIM_ERROR_STRIPS);
    shim_jpeg_strips_free(strips);

    /* Given up half way. */
    CHECK(shim_jpeg_strips_new(encoder, image, count, &counts, &strips) == SHIM_OK);
    CHECK(shim_jpeg_strips_push(strips, &strip) == SHIM_OK);
    shim_jpeg_strips_free(strips);
}

/* The encoder's own kept memory: errors leave nothing, and the next image is encoded. */
static void compressors(shim_jpeg_encoder *encoder, const shim_jpeg_image *good)
{
    shim_jpeg_image image = *good;
    shim_jpeg_compressor *compressor = shim_jpeg_compressor_new(encoder);
    shim_jpeg_buffer *file = NULL;
    const uint8_t *data = image.planes[0];
    size_t size = 1;
    CHECK(shim_jpeg_compressor_new(NULL) == NULL);
    CHECK(strlen(shim_jpeg_compressor_error_message(NULL)) > 0);
    shim_jpeg_compressor_free(NULL);
    CHECK(compressor != NULL && strcmp(shim_jpeg_compressor_error_message(compressor), "") == 0);
    CHECK(shim_jpeg_compressor_encode(NULL, &image, &data, &size) == SHIM_ERROR_NULL && data == NULL && size == 0);
    CHECK(shim_jpeg_encode(encoder, &image, &file) == SHIM_OK);
    for (int i = 0; i < 3; i++) {
        CHECK(shim_jpeg_compressor_encode(compressor, &image, &data, &size) == SHIM_OK);
        CHECK(size == shim_jpeg_buffer_size(file) && memcmp(data, shim_jpeg_buffer_data(file), size) == 0);
        CHECK(shim_jpeg_compressor_encode(compressor, NULL, &data, &size) == SHIM_ERROR_NULL);
        CHECK(data == NULL && size == 0);
        CHECK(shim_jpeg_compressor_encode(compressor, &image, NULL, &size) == SHIM_ERROR_NULL && size == 0);
        CHECK(shim_jpeg_compressor_encode(compressor, &image, &data, NULL) == SHIM_ERROR_NULL && data == NULL);
        image.width = UINT32_MAX;
        CHECK(shim_jpeg_compressor_encode(compressor, &image, &data, &size) == SHIM_ERROR_DIMENSIONS);
        image.width = 65535;
        CHECK(shim_jpeg_compressor_encode(compressor, &image, &data, &size) == SHIM_ERROR_TOO_FEW_SAMPLES);
        image = *good;
        image.struct_size = too_large;
        CHECK(shim_jpeg_compressor_encode(compressor, &image, &data, &size) == SHIM_ERROR_STRUCT_SIZE);
        CHECK(strlen(shim_jpeg_compressor_error_message(compressor)) > 0);
        image = *good;
    }
    shim_jpeg_buffer_free(file);
    shim_jpeg_compressor_free(compressor);
}

/* 10x10 pixels of 4:2:0, as planes of 100, 25 and 25 bytes. */
static void subsampled(shim_jpeg_encoder *encoder, const shim_jpeg_image *good, const unsigned char *samples)
{
    shim_jpeg_image planes = *good, image;
    shim_jpeg_strips *strips = NULL;
    counter counts = {0};
    planes.width = 10;
    planes.pixels = SHIM_JPEG_PIXELS_YCBCR_420;
    planes.plane_count = 3;
    planes.planes[0] = samples;
    planes.planes[1] = samples + 100;
    planes.planes[2] = samples + 575;
    planes.plane_sizes[0] = 100;
    planes.plane_sizes[1] = planes.plane_sizes[2] = 25;
    good = &planes;
    REFUSED(image.pixels = SHIM_JPEG_PIXELS_YCBCR_411 + 1, SHIM_ERROR_VALUE);
    REFUSED(image.plane_count = 1, SHIM_ERROR_PLANES);
    REFUSED(image.plane_count = 4, SHIM_ERROR_NULL);
    REFUSED((image.sample_bytes = 2, image.bits = 12), SHIM_ERROR_BITS);
    REFUSED(image.planes[2] = NULL, SHIM_ERROR_NULL);
    REFUSED(image.plane_sizes[2] = 0, SHIM_ERROR_TOO_FEW_SAMPLES);
    REFUSED(image.plane_sizes[2] = 24, SHIM_ERROR_TOO_FEW_SAMPLES);
    REFUSED(image.plane_sizes[1] = SIZE_MAX, SHIM_ERROR_VALUE);
    REFUSED(image.chroma_stride = 4, SHIM_ERROR_STRIDE);
    REFUSED(image.chroma_stride = 6, SHIM_ERROR_TOO_FEW_SAMPLES);
    REFUSED(image.chroma_stride = SIZE_MAX, SHIM_ERROR_TOO_FEW_SAMPLES);
    REFUSED(image.stride = 9, SHIM_ERROR_STRIDE);
    REFUSED(image.width = 11, SHIM_ERROR_TOO_FEW_SAMPLES);
    /* The encoder is one for 4:2:0. */
    REFUSED((image.pixels = SHIM_JPEG_PIXELS_YCBCR_440, image.height = 4), SHIM_ERROR_SAMPLING);
    REFUSED(image.chroma_stride = 5, SHIM_OK);
    /* The structure of a program that was built before it had chroma_stride. */
    REFUSED((image.struct_size = offsetof(shim_jpeg_image, chroma_stride), image.chroma_stride = 1), SHIM_OK);
    REFUSED(image.struct_size = offsetof(shim_jpeg_image, chroma_stride) - 1, SHIM_ERROR_STRUCT_SIZE);
    CHECK(shim_jpeg_strips_new(encoder, good, count, &counts, &strips) == SHIM_ERROR_STRIPS && strips == NULL);
}

static void levels(shim_jpeg_encoder *encoder, const shim_jpeg_image *image)
{
    shim_simd_level level = 99;
    CHECK(shim_limit_simd(1, &level) == SHIM_ERROR_VALUE && level == 99);
    CHECK(shim_limit_simd(UINT32_MAX, NULL) == SHIM_ERROR_VALUE);
    CHECK(shim_limit_simd(SHIM_SIMD_BASELINE, &level) == SHIM_OK && level == SHIM_SIMD_BASELINE);
    CHECK(encode(encoder, image) == SHIM_OK);
    CHECK(shim_limit_simd(SHIM_SIMD_V4, NULL) == SHIM_OK);
    CHECK(encode(encoder, image) == SHIM_OK);
}

int main(void)
{
    /* On the heap, and no longer than it is said to be, so that a tool that watches memory sees a read beyond it. */
    unsigned char *samples = malloc(600);
    shim_jpeg_encoder *encoder = shim_jpeg_encoder_new();
    shim_jpeg_encoder *copy;
    shim_jpeg_image image;
    if (samples == NULL || encoder == NULL)
        return EXIT_FAILURE;
    for (int i = 0; i < 600; i++)
        samples[i] = (unsigned char)(i * i);
    image = whole(samples);

    CHECK(shim_version() == SHIM_VERSION);
    CHECK(strchr(shim_version_string(), '.') != NULL);
    CHECK(strcmp(shim_jpeg_error_message(encoder), "") == 0);
    nulls(encoder, &image);
    constants(encoder);
    images(encoder, &image, samples);
    callbacks(encoder, &image);
    in_strips(encoder, &image, samples);
    compressors(encoder, &image);
    subsampled(encoder, &image, samples);
    levels(encoder, &image);

    /* Settings that no file of this image can have, and the way back. */
    copy = shim_jpeg_encoder_clone(encoder);
    CHECK(shim_jpeg_encoder_set_scans(copy, NULL, 0) == SHIM_OK);
    CHECK(encode(copy, &image) == SHIM_ERROR_SCANS);
    CHECK(shim_jpeg_encoder_set_progressive(copy, 0) == SHIM_OK);
    CHECK(shim_jpeg_encoder_set_color_space(copy, SHIM_JPEG_COLOR_SPACE_CMYK) == SHIM_OK);
    CHECK(encode(copy, &image) == SHIM_ERROR_COLOR);
    CHECK(shim_jpeg_encoder_reset(copy) == SHIM_OK);
    CHECK(encode(copy, &image) == SHIM_OK);
    shim_jpeg_encoder_free(copy);

    shim_jpeg_encoder_free(encoder);
    free(samples);
    printf("%d checks, %d failures\n", checks, failures);
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
