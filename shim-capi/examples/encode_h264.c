/* Reads raw frames (I420) and writes them as a stream of H.264, a key frame in 250.
 *
 *     cargo build --release -p shim-capi
 *     cc -std=c99 -I shim-capi/include shim-capi/examples/encode_h264.c target/release/libshim_capi.a \
 *         -lpthread -ldl -lm -o encode_h264
 *     ./encode_h264 1280 720 frames.yuv video.264 28
 *
 * With one more name, the frames as a decoder shows them are written there.
 */
#include <stdio.h>
#include <stdlib.h>

#include "shim.h"

/* Writes a coded frame; 0 if it could. */
static int write_packet(FILE *file, const shim_h264_packet *packet)
{
    return fwrite(packet->data, 1, packet->size, file) == packet->size ? 0 : -1;
}

/* Writes what a decoder shows; 0 if it could. */
static int write_frame(FILE *file, const shim_h264_frame *frame)
{
    for (int plane = 0; plane < 3; plane++) {
        size_t width = plane == 0 ? frame->width : frame->width / 2;
        size_t height = plane == 0 ? frame->height : frame->height / 2;
        for (size_t y = 0; y < height; y++)
            if (fwrite(frame->planes[plane] + y * frame->strides[plane], 1, width, file) != width)
                return -1;
    }
    return 0;
}

/* A side of a frame; 0 if it is none that video has. */
static uint32_t side(const char *text)
{
    unsigned long value = strtoul(text, NULL, 10);
    return value <= 16384 ? (uint32_t)value : 0;
}

int main(int argc, char **argv)
{
    shim_h264_encoder *encoder = NULL;
    shim_h264_frame frame = {0}, shown = {0};
    shim_h264_packet packet = {0};
    unsigned char *samples = NULL;
    FILE *in = NULL, *out = NULL, *recon = NULL;
    size_t luma, chroma, size, read;
    int result = EXIT_FAILURE;

    if (argc < 5 || argc > 7) {
        fprintf(stderr, "usage: %s WIDTH HEIGHT FRAMES.yuv VIDEO.264 [QP [SHOWN.yuv]]\n", argv[0]);
        return EXIT_FAILURE;
    }
    frame.struct_size = shown.struct_size = sizeof frame;
    packet.struct_size = sizeof packet;
    frame.width = side(argv[1]);
    frame.height = side(argv[2]);
    frame.pixels = SHIM_H264_PIXELS_I420;
    luma = (size_t)frame.width * frame.height;
    /* Half as many samples in each direction, rounded up. */
    chroma = (size_t)((frame.width + 1) / 2) * ((frame.height + 1) / 2);
    size = luma + 2 * chroma;

    /* At least one byte, as a system may give null for none; the encoder says what is wrong with the size. */
    samples = malloc(size + 1);
    encoder = shim_h264_encoder_new(frame.width, frame.height);
    if (samples == NULL || encoder == NULL) {
        fprintf(stderr, "there is no memory\n");
        goto done;
    }
    frame.planes[0] = samples;
    frame.planes[1] = samples + luma;
    frame.planes[2] = samples + luma + chroma;
    frame.plane_sizes[0] = luma;
    frame.plane_sizes[1] = frame.plane_sizes[2] = chroma;
    if (shim_h264_encoder_set_keyint(encoder, 250) != SHIM_OK ||
        (argc > 5 && shim_h264_encoder_set_qp(encoder, (uint32_t)strtoul(argv[5], NULL, 10)) != SHIM_OK)) {
        fprintf(stderr, "%s\n", shim_h264_error_message(encoder));
        goto done;
    }

    in = fopen(argv[3], "rb");
    if (in == NULL) {
        perror(argv[3]);
        goto done;
    }
    out = fopen(argv[4], "wb");
    if (out == NULL) {
        perror(argv[4]);
        goto done;
    }
    if (argc > 6 && (recon = fopen(argv[6], "wb")) == NULL) {
        perror(argv[6]);
        goto done;
    }
    while (size > 0 && (read = fread(samples, 1, size, in)) > 0) {
        if (read != size) {
            fprintf(stderr, "%s: the file ends within a frame\n", argv[3]);
            goto done;
        }
        if (shim_h264_encode(encoder, &frame, &packet) != SHIM_OK) {
            fprintf(stderr, "%s\n", shim_h264_error_message(encoder));
            goto done;
        }
        /* Nothing is there while the encoder waits for more frames. */
        if (packet.data != NULL && write_packet(out, &packet) != 0) {
            perror(argv[4]);
            goto done;
        }
        if (recon != NULL && (shim_h264_reconstruction(encoder, &shown) != SHIM_OK ||
                              write_frame(recon, &shown) != 0)) {
            perror(argv[6]);
            goto done;
        }
    }
    while (shim_h264_flush(encoder, &packet) == SHIM_OK && packet.data != NULL) {
        if (write_packet(out, &packet) != 0) {
            perror(argv[4]);
            goto done;
        }
    }
    result = EXIT_SUCCESS;

done:
    /* What the system still held back may not fit the disk either. */
    if (out != NULL && fclose(out) != 0) {
        perror(argv[4]);
        result = EXIT_FAILURE;
    }
    if (recon != NULL && fclose(recon) != 0) {
        perror(argv[6]);
        result = EXIT_FAILURE;
    }
    if (in != NULL)
        fclose(in);
    /* No half of a stream stays. */
    if (out != NULL && result != EXIT_SUCCESS)
        remove(argv[4]);
    shim_h264_encoder_free(encoder);
    free(samples);
    return result;
}
