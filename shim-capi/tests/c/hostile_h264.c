/* Calls of the H.264 encoder that make no sense. Each has to return an error, and the encoder has to work after it. */
#include <limits.h>
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

/* A frame of 32x16 in `samples`, which has 768 bytes. */
static shim_h264_frame whole(const unsigned char *samples)
{
    shim_h264_frame frame;
    memset(&frame, 0, sizeof frame);
    frame.struct_size = sizeof frame;
    frame.width = 32;
    frame.height = 16;
    frame.pixels = SHIM_H264_PIXELS_I420;
    frame.planes[0] = samples;
    frame.planes[1] = samples + 512;
    frame.planes[2] = samples + 640;
    frame.plane_sizes[0] = 512;
    frame.plane_sizes[1] = frame.plane_sizes[2] = 128;
    return frame;
}

/* What becomes of a frame with one field changed. No packet may come of an error. */
static shim_status encode(shim_h264_encoder *encoder, const shim_h264_frame *frame)
{
    shim_h264_packet packet;
    shim_status status;
    memset(&packet, 0x5a, sizeof packet);
    packet.struct_size = sizeof packet;
    status = shim_h264_encode(encoder, frame, &packet);
    CHECK((status == SHIM_OK) == (packet.data != NULL));
    CHECK((status == SHIM_OK) == (packet.size > 0));
    CHECK(status == SHIM_OK || strlen(shim_h264_error_message(encoder)) > 0);
    return status;
}

static void nulls(shim_h264_encoder *encoder, const shim_h264_frame *frame)
{
    shim_h264_packet packet = {0};
    shim_h264_frame shown = {0};
    shim_h264_bytes bytes = {0};
    shim_h264_bit_rate rate = {0};
    packet.struct_size = sizeof packet;
    shown.struct_size = sizeof shown;
    rate.struct_size = sizeof rate;
    shim_h264_encoder_free(NULL);
    CHECK(strlen(shim_h264_error_message(NULL)) > 0);
    CHECK(shim_h264_encoder_set_qp(NULL, 30) == SHIM_ERROR_NULL);
    CHECK(shim_h264_encoder_set_bit_rate(NULL, 30000) == SHIM_ERROR_NULL);
    CHECK(shim_h264_encoder_set_qp_offset(NULL, 1.0f) == SHIM_ERROR_NULL);
    CHECK(shim_h264_encoder_force_keyframe(NULL) == SHIM_ERROR_NULL);
    CHECK(shim_h264_encoder_set_max_slice_size(NULL, 1200) == SHIM_ERROR_NULL);
    CHECK(shim_h264_encoder_set_variable_frame_rate(NULL, 1) == SHIM_ERROR_NULL);
    CHECK(shim_h264_encoder_set_expected_frames(NULL, 9) == SHIM_ERROR_NULL);
    CHECK(shim_h264_missed_bit_rate(NULL, &rate) == SHIM_ERROR_NULL);
    CHECK(shim_h264_missed_bit_rate(encoder, NULL) == SHIM_ERROR_NULL);
    CHECK(shim_h264_missed_bit_rate(encoder, &rate) == SHIM_OK && !rate.missed);
    CHECK(shim_h264_encode(NULL, frame, &packet) == SHIM_ERROR_NULL);
    CHECK(shim_h264_encode(encoder, NULL, &packet) == SHIM_ERROR_NULL && packet.data == NULL);
    CHECK(shim_h264_encode(encoder, frame, NULL) == SHIM_ERROR_NULL);
    CHECK(shim_h264_flush(NULL, &packet) == SHIM_ERROR_NULL);
    CHECK(shim_h264_flush(encoder, NULL) == SHIM_ERROR_NULL);
    CHECK(shim_h264_flush(encoder, &packet) == SHIM_OK && packet.data == NULL && packet.size == 0);
    CHECK(shim_h264_reconstruction(NULL, &shown) == SHIM_ERROR_NULL);
    CHECK(shim_h264_reconstruction(encoder, NULL) == SHIM_ERROR_NULL);
    CHECK(shim_h264_reconstruction(encoder, &shown) == SHIM_ERROR_VALUE);
    CHECK(shim_h264_parameter_sets(NULL, &bytes, &bytes) == SHIM_ERROR_NULL);
    CHECK(shim_h264_parameter_sets(encoder, NULL, &bytes) == SHIM_ERROR_NULL);
    CHECK(shim_h264_parameter_sets(encoder, &bytes, NULL) == SHIM_ERROR_NULL);
    CHECK(shim_h264_configuration_record(encoder, NULL) == SHIM_ERROR_NULL);
}

static void constants(shim_h264_encoder *encoder)
{
    CHECK(shim_h264_encoder_set_qp(encoder, 256) == SHIM_ERROR_VALUE);
    CHECK(shim_h264_encoder_set_qp(encoder, UINT_MAX) == SHIM_ERROR_VALUE);
    CHECK(shim_h264_encoder_set_chroma_qp_offset(encoder, INT_MIN) == SHIM_ERROR_VALUE);
    CHECK(shim_h264_encoder_set_preset(encoder, 99) == SHIM_ERROR_VALUE);
    CHECK(shim_h264_encoder_set_references(encoder, 300) == SHIM_ERROR_VALUE);
    CHECK(shim_h264_encoder_set_threads(encoder, (size_t)-1) == SHIM_ERROR_VALUE);
    CHECK(shim_h264_encoder_set_deblocking(encoder, 99, 0, 0) == SHIM_ERROR_VALUE);
    CHECK(shim_h264_encoder_set_deblocking(encoder, 0, INT_MAX, 0) == SHIM_ERROR_VALUE);
    CHECK(shim_h264_encoder_set_level(encoder, 999) == SHIM_ERROR_VALUE);
    CHECK(shim_h264_encoder_set_format(encoder, 99) == SHIM_ERROR_VALUE);
    CHECK(shim_h264_encoder_set_color(encoder, 99, 0) == SHIM_ERROR_VALUE);
    CHECK(shim_h264_encoder_set_color(encoder, SHIM_H264_MATRIX_BT2020 + 1, 0) == SHIM_ERROR_VALUE);
    CHECK(shim_h264_encoder_set_color(encoder, SHIM_H264_MATRIX_BT2020, 0) == SHIM_OK);
}

/* Settings that are found wrong when the stream is to begin, and are mended then. */
static void settings(shim_h264_encoder *encoder, const shim_h264_frame *frame)
{
    CHECK(shim_h264_encoder_set_qp(encoder, 52) == SHIM_OK && encode(encoder, frame) == SHIM_ERROR_VALUE);
    CHECK(shim_h264_encoder_set_quality(encoder, 51.5f) == SHIM_OK && encode(encoder, frame) == SHIM_ERROR_VALUE);
    CHECK(shim_h264_encoder_set_quality(encoder, -1.0f) == SHIM_OK && encode(encoder, frame) == SHIM_ERROR_VALUE);
    CHECK(shim_h264_encoder_set_bit_rate(encoder, 0) == SHIM_OK && encode(encoder, frame) == SHIM_ERROR_VALUE);
    CHECK(shim_h264_encoder_set_qp(encoder, 30) == SHIM_OK);
    CHECK(shim_h264_encoder_set_buffer(encoder, 1, 0) == SHIM_OK && encode(encoder, frame) == SHIM_ERROR_VALUE);
    CHECK(shim_h264_encoder_set_buffer(encoder, 0, 1) == SHIM_OK && encode(encoder, frame) == SHIM_ERROR_VALUE);
    CHECK(shim_h264_encoder_set_buffer(encoder, UINT64_MAX, UINT64_MAX) == SHIM_OK);
    CHECK(encode(encoder, frame) == SHIM_ERROR_LEVEL);
    CHECK(shim_h264_encoder_set_buffer(encoder, 0, 0) == SHIM_OK);
    CHECK(shim_h264_encoder_set_min_keyint(encoder, UINT_MAX) == SHIM_OK);
    CHECK(encode(encoder, frame) == SHIM_ERROR_VALUE);
    CHECK(shim_h264_encoder_set_min_keyint(encoder, 0) == SHIM_OK);
    CHECK(shim_h264_encoder_set_chroma_qp_offset(encoder, 13) == SHIM_OK);
    CHECK(encode(encoder, frame) == SHIM_ERROR_VALUE);
    CHECK(shim_h264_encoder_set_chroma_qp_offset(encoder, 0) == SHIM_OK);
    CHECK(shim_h264_encoder_set_keyint(encoder, 0) == SHIM_OK && encode(encoder, frame) == SHIM_ERROR_VALUE);
    CHECK(shim_h264_encoder_set_keyint(encoder, 2) == SHIM_OK);
    CHECK(shim_h264_encoder_set_references(encoder, 17) == SHIM_OK);
    CHECK(encode(encoder, frame) == SHIM_ERROR_VALUE);
    CHECK(shim_h264_encoder_set_references(encoder, 1) == SHIM_OK);
    CHECK(shim_h264_encoder_set_slices(encoder, 2) == SHIM_OK && encode(encoder, frame) == SHIM_ERROR_VALUE);
    CHECK(shim_h264_encoder_set_slices(encoder, (size_t)-1) == SHIM_OK);
    CHECK(encode(encoder, frame) == SHIM_ERROR_VALUE);
    CHECK(shim_h264_encoder_set_slices(encoder, 1) == SHIM_OK);
    CHECK(shim_h264_encoder_set_frame_rate(encoder, 30, 0) == SHIM_OK);
    CHECK(encode(encoder, frame) == SHIM_ERROR_VALUE);
    CHECK(shim_h264_encoder_set_frame_rate(encoder, UINT_MAX, 1) == SHIM_OK);
    CHECK(encode(encoder, frame) != SHIM_OK);
    CHECK(shim_h264_encoder_set_frame_rate(encoder, 25, 1) == SHIM_OK);
    CHECK(shim_h264_encoder_set_level(encoder, 77) == SHIM_OK && encode(encoder, frame) == SHIM_ERROR_LEVEL);
    CHECK(shim_h264_encoder_set_level(encoder, 0) == SHIM_OK);
    CHECK(shim_h264_encoder_set_max_slice_size(encoder, 63) == SHIM_OK && encode(encoder, frame) == SHIM_ERROR_VALUE);
    CHECK(shim_h264_encoder_set_max_slice_size(encoder, 0) == SHIM_OK);
    CHECK(shim_h264_encoder_set_qp_offset(encoder, 52.0f) == SHIM_ERROR_VALUE);
    CHECK(shim_h264_encoder_force_keyframe(encoder) == SHIM_OK);
}

/* What changes between frames, and does not if it makes no sense. The timestamp and the value of a frame come back. */
static void control(const shim_h264_frame *frame)
{
    shim_h264_encoder *encoder = shim_h264_encoder_new(32, 16);
    shim_h264_frame given = *frame;
    shim_h264_packet packet = {0};
    packet.struct_size = sizeof packet;
    CHECK(encoder != NULL);
    CHECK(shim_h264_encoder_set_lookahead(encoder, 251) == SHIM_OK);
    CHECK(shim_h264_encode(encoder, &given, &packet) == SHIM_ERROR_VALUE && packet.data == NULL);
    CHECK(shim_h264_encoder_set_lookahead(encoder, 0) == SHIM_OK);
    CHECK(shim_h264_encoder_set_level(encoder, 30) == SHIM_OK);
    CHECK(shim_h264_encoder_set_max_slice_size(encoder, 100) == SHIM_OK);
    for (int n = 0; n < 6; n++) {
        given.pts = n - 3;
        given.user_data = UINT64_MAX - (uint64_t)n;
        CHECK(shim_h264_encode(encoder, &given, &packet) == SHIM_OK);
        CHECK(packet.pts == given.pts && packet.user_data == given.user_data && packet.number == (uint64_t)n);
        CHECK(packet.keyframe == (n == 0 || n == 4));
        if (n == 3)
            CHECK(shim_h264_encoder_force_keyframe(encoder) == SHIM_OK);
        CHECK(shim_h264_encoder_set_qp(encoder, 52) == SHIM_ERROR_VALUE);
        CHECK(shim_h264_encoder_set_quality(encoder, -1.0f) == SHIM_ERROR_VALUE);
        CHECK(shim_h264_encoder_set_bit_rate(encoder, 0) == SHIM_ERROR_VALUE);
        CHECK(shim_h264_encoder_set_bit_rate(encoder, UINT64_MAX) == SHIM_ERROR_LEVEL);
        CHECK(shim_h264_encoder_set_qp_offset(encoder, 1e30f) == SHIM_ERROR_VALUE);
        /* The frame rate was not said to be variable. */
        CHECK(shim_h264_encoder_set_frame_rate(encoder, 15, 1) == SHIM_ERROR_VALUE);
        CHECK(shim_h264_encoder_set_variable_frame_rate(encoder, 1) == SHIM_ERROR_STARTED);
        CHECK(shim_h264_encoder_set_max_slice_size(encoder, 0) == SHIM_ERROR_STARTED);
        CHECK(strlen(shim_h264_error_message(encoder)) > 0);
        CHECK(shim_h264_encoder_set_qp_offset(encoder, -2.0f) == SHIM_OK);
        CHECK(shim_h264_encoder_set_bit_rate(encoder, 20000 + 1000 * (uint64_t)n) == SHIM_OK);
    }
    CHECK(shim_h264_flush(encoder, &packet) == SHIM_OK && packet.data == NULL && packet.user_data == 0);
    shim_h264_encoder_free(encoder);
}

/* A bit rate that no QP reaches is missed once two seconds are coded. */
static void missed_bit_rate(const shim_h264_frame *frame)
{
    static const size_t sizes[] = {0, 1, sizeof(shim_h264_bit_rate) - 1, sizeof(shim_h264_bit_rate) + 1, (size_t)-1};
    shim_h264_encoder *encoder = shim_h264_encoder_new(32, 16);
    shim_h264_packet packet = {0};
    shim_h264_bit_rate rate = {0};
    packet.struct_size = sizeof packet;
    CHECK(encoder != NULL);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        rate.struct_size = sizes[i];
        CHECK(shim_h264_missed_bit_rate(encoder, &rate) == SHIM_ERROR_STRUCT_SIZE);
    }
    rate.struct_size = sizeof rate;
    CHECK(shim_h264_encoder_set_bit_rate(encoder, UINT64_C(10000000)) == SHIM_OK);
    CHECK(shim_h264_encoder_set_frame_rate(encoder, 5, 1) == SHIM_OK);
    CHECK(shim_h264_encoder_set_expected_frames(encoder, UINT64_MAX) == SHIM_OK);
    CHECK(shim_h264_encoder_set_lookahead(encoder, 0) == SHIM_OK);
    for (int n = 0; n < 10; n++) {
        CHECK(shim_h264_missed_bit_rate(encoder, &rate) == SHIM_OK && !rate.missed && rate.target == 0);
        CHECK(shim_h264_encode(encoder, frame, &packet) == SHIM_OK);
        CHECK(shim_h264_encoder_set_expected_frames(encoder, 9) == SHIM_ERROR_STARTED);
    }
    CHECK(shim_h264_missed_bit_rate(encoder, &rate) == SHIM_OK);
    CHECK(rate.missed == 1 && rate.target == 10000000 && rate.actual > 0 && rate.actual < 9e6);
    CHECK(rate.at_qp_limit == 1);
    shim_h264_encoder_free(encoder);
}

static void frames(shim_h264_encoder *encoder, const shim_h264_frame *frame, const unsigned char *samples)
{
    shim_h264_frame changed;
    shim_h264_packet packet = {0};
    static const size_t sizes[] = {0, 1, sizeof(shim_h264_frame) - 1, sizeof(shim_h264_frame) + 1, 4096, (size_t)-1};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        changed = *frame;
        changed.struct_size = sizes[i];
        CHECK(encode(encoder, &changed) == SHIM_ERROR_STRUCT_SIZE);
        CHECK(shim_h264_reconstruction(encoder, &changed) == SHIM_ERROR_STRUCT_SIZE);
    }
    CHECK(shim_h264_encode(encoder, frame, &packet) == SHIM_ERROR_STRUCT_SIZE && packet.data == NULL);
    for (int plane = 0; plane < 3; plane++) {
        changed = *frame;
        changed.planes[plane] = NULL;
        CHECK(encode(encoder, &changed) == SHIM_ERROR_NULL);
        changed = *frame;
        changed.plane_sizes[plane]--;
        CHECK(encode(encoder, &changed) == SHIM_ERROR_TOO_FEW_SAMPLES);
        changed.plane_sizes[plane] = 0;
        CHECK(encode(encoder, &changed) == SHIM_ERROR_TOO_FEW_SAMPLES);
        changed.plane_sizes[plane] = (size_t)-1;
        CHECK(encode(encoder, &changed) == SHIM_ERROR_VALUE);
        changed = *frame;
        changed.strides[plane] = 15;
        CHECK(encode(encoder, &changed) == SHIM_ERROR_STRIDE);
        changed.strides[plane] = 33;
        CHECK(encode(encoder, &changed) == SHIM_ERROR_TOO_FEW_SAMPLES);
        changed.strides[plane] = (size_t)-1;
        CHECK(encode(encoder, &changed) == SHIM_ERROR_TOO_FEW_SAMPLES);
    }
    changed = *frame;
    changed.pixels = 99;
    CHECK(encode(encoder, &changed) == SHIM_ERROR_VALUE);
    changed.pixels = SHIM_H264_PIXELS_RGB;
    changed.plane_sizes[0] = 768;
    CHECK(encode(encoder, &changed) == SHIM_ERROR_TOO_FEW_SAMPLES);
    changed.strides[0] = 95;
    CHECK(encode(encoder, &changed) == SHIM_ERROR_STRIDE);
    changed.width = UINT_MAX;
    CHECK(encode(encoder, &changed) == SHIM_ERROR_STRIDE);
    changed = *frame;
    changed.width = 0;
    CHECK(encode(encoder, &changed) == SHIM_ERROR_DIMENSIONS);
    changed.width = 31;
    CHECK(encode(encoder, &changed) == SHIM_ERROR_DIMENSIONS);
    changed.width = 16;
    CHECK(encode(encoder, &changed) == SHIM_ERROR_DIMENSIONS);
    changed.width = UINT_MAX - 1;
    changed.height = UINT_MAX - 1;
    CHECK(encode(encoder, &changed) == SHIM_ERROR_TOO_FEW_SAMPLES);

    /* Not aligned, as nothing has to be. */
    {
        char *memory = malloc(sizeof changed + 1);
        if (memory != NULL) {
            memcpy(memory + 1, frame, sizeof changed);
            CHECK(encode(encoder, (const shim_h264_frame *)(const void *)(memory + 1)) == SHIM_OK);
            free(memory);
        }
    }
    /* The frame is one of pixels now, eight to the row. */
    changed = *frame;
    changed.planes[0] = samples;
    changed.plane_sizes[0] = 768;
    changed.width = 16;
    changed.pixels = SHIM_H264_PIXELS_RGB;
    CHECK(encode(encoder, &changed) != SHIM_OK);
}

/* Sizes that no stream has are found with the first frame. */
static void sizes(const shim_h264_frame *frame)
{
    static const uint32_t sides[][2] = {{0, 0}, {0, 16}, {16, 0}, {UINT_MAX, UINT_MAX}, {1u << 31, 1u << 31}};
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        shim_h264_encoder *encoder = shim_h264_encoder_new(sides[i][0], sides[i][1]);
        shim_h264_bytes bytes = {0};
        CHECK(encoder != NULL);
        CHECK(encode(encoder, frame) != SHIM_OK);
        CHECK(shim_h264_configuration_record(encoder, &bytes) != SHIM_OK && bytes.data == NULL);
        CHECK(strlen(shim_h264_error_message(encoder)) > 0);
        shim_h264_encoder_free(encoder);
    }
}

/* Frames that wait have no packet and no picture yet; each has its packet in the end. */
static void delayed(const shim_h264_frame *frame)
{
    shim_h264_encoder *encoder = shim_h264_encoder_new(32, 16);
    shim_h264_frame shown = {0};
    shim_h264_packet packet = {0};
    uint64_t count = 0;
    shown.struct_size = sizeof shown;
    packet.struct_size = sizeof packet;
    CHECK(encoder != NULL);
    for (int n = 0; n < 30; n++) {
        CHECK(shim_h264_reconstruction(encoder, &shown) == (count > 0 ? SHIM_OK : SHIM_ERROR_VALUE));
        CHECK(shim_h264_encode(encoder, frame, &packet) == SHIM_OK && (packet.data != NULL) == (n >= 20));
        count += packet.data != NULL;
    }
    while (shim_h264_flush(encoder, &packet) == SHIM_OK && packet.data != NULL)
        CHECK(packet.number == count++);
    CHECK(count == 30 && shim_h264_reconstruction(encoder, &shown) == SHIM_OK);
    shim_h264_encoder_free(encoder);
}

/* An odd size is shown with its last row and column repeated. */
static void odd_sizes(const shim_h264_frame *frame)
{
    shim_h264_encoder *encoder = shim_h264_encoder_new(31, 15);
    shim_h264_frame odd = *frame, shown = {0};
    CHECK(encoder != NULL);
    CHECK(shim_h264_encoder_set_lookahead(encoder, 0) == SHIM_OK);
    shown.struct_size = sizeof shown;
    odd.width = 31;
    odd.height = 15;
    odd.plane_sizes[0] = 31 * 15;
    odd.plane_sizes[2]--;
    CHECK(encode(encoder, &odd) == SHIM_ERROR_TOO_FEW_SAMPLES);
    odd.plane_sizes[2]++;
    CHECK(encode(encoder, &odd) == SHIM_OK);
    odd.pixels = SHIM_H264_PIXELS_NV12;
    odd.plane_sizes[1] = 256;
    CHECK(encode(encoder, &odd) == SHIM_OK);
    odd.plane_sizes[1]--;
    CHECK(encode(encoder, &odd) == SHIM_ERROR_TOO_FEW_SAMPLES);
    odd.strides[1] = 31;
    CHECK(encode(encoder, &odd) == SHIM_ERROR_STRIDE);
    CHECK(shim_h264_reconstruction(encoder, &shown) == SHIM_OK);
    CHECK(shown.width == 32 && shown.height == 16);
    shim_h264_encoder_free(encoder);
}

int main(void)
{
    /* On the heap, and no longer than it is said to be, so that a tool that watches memory sees a read beyond it. */
    unsigned char *samples = malloc(768);
    shim_h264_encoder *encoder = shim_h264_encoder_new(32, 16);
    shim_h264_frame frame, shown = {0};
    if (samples == NULL || encoder == NULL)
        return EXIT_FAILURE;
    for (int i = 0; i < 768; i++)
        samples[i] = (unsigned char)(i * i);
    frame = whole(samples);
    shown.struct_size = sizeof shown;

    CHECK(strcmp(shim_h264_error_message(encoder), "") == 0);
    CHECK(shim_h264_encoder_set_lookahead(encoder, 0) == SHIM_OK);
    nulls(encoder, &frame);
    constants(encoder);
    settings(encoder, &frame);
    frames(encoder, &frame, samples);
    sizes(&frame);
    control(&frame);
    missed_bit_rate(&frame);
    odd_sizes(&frame);
    delayed(&frame);

    CHECK(encode(encoder, &frame) == SHIM_OK && encode(encoder, &frame) == SHIM_OK);
    CHECK(shim_h264_encoder_set_qp(encoder, 20) == SHIM_OK);
    CHECK(shim_h264_encoder_set_references(encoder, 1) == SHIM_ERROR_STARTED);
    CHECK(shim_h264_reconstruction(encoder, &shown) == SHIM_OK);
    CHECK(shown.width == 32 && shown.height == 16 && shown.planes[2] != NULL && shown.strides[0] >= 32);
    shim_h264_encoder_free(encoder);
    free(samples);
    printf("%d checks, %d failures\n", checks, failures);
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
