/* Reads a PPM or PGM file of 8 bits and writes it as a JPEG file.
 *
 *     cargo build --release -p shim-capi
 *     cc -std=c99 -I shim-capi/include shim-capi/examples/encode.c target/release/libshim_capi.a \
 *         -lpthread -ldl -lm -o encode
 *     ./encode picture.ppm picture.jpg 85
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "shim.h"

/* Pixels and what the header of their file said. */
typedef struct {
    unsigned char *samples;
    size_t size;
    uint32_t width, height;
    shim_jpeg_pixels pixels;
} picture;

/* The next number of a header, after white space and comments; 0 if there is none, which no field may be. */
static uint32_t number(FILE *file)
{
    uint32_t value = 0;
    int c = getc(file);
    while (isspace(c) || c == '#') {
        if (c == '#')
            while (c != '\n' && c != EOF)
                c = getc(file);
        c = getc(file);
    }
    /* Nine digits at most, so that the value fits. */
    for (int digits = 0; isdigit(c) && digits < 9; digits++) {
        value = value * 10 + (uint32_t)(c - '0');
        c = getc(file);
    }
    return isspace(c) ? value : 0;
}

/* Reads a picture; 0 if it could. */
static int read_picture(const char *name, picture *into)
{
    FILE *file = fopen(name, "rb");
    int kind, result = -1;
    size_t samples;
    if (file == NULL) {
        perror(name);
        return -1;
    }
    kind = getc(file) == 'P' ? getc(file) : EOF;
    into->width = number(file);
    into->height = number(file);
    /* The sides are those of a JPEG file, so that the size below cannot overflow. */
    if ((kind != '5' && kind != '6') || into->width == 0 || into->width > 65535 || into->height == 0 ||
        into->height > 65535 || number(file) != 255) {
        fprintf(stderr, "%s: not a PGM or PPM file of 8 bits that a JPEG file can hold\n", name);
        goto close;
    }
    into->pixels = kind == '6' ? SHIM_JPEG_PIXELS_RGB : SHIM_JPEG_PIXELS_GRAY;
    samples = kind == '6' ? 3 : 1;
    if (into->width > SIZE_MAX / samples / into->height) {
        fprintf(stderr, "%s: too large for this machine\n", name);
        goto close;
    }
    into->size = samples * into->width * into->height;
    into->samples = malloc(into->size);
    if (into->samples == NULL) {
        perror(name);
        goto close;
    }
    if (fread(into->samples, 1, into->size, file) != into->size) {
        fprintf(stderr, "%s: the file ends before the picture does\n", name);
        free(into->samples);
        into->samples = NULL;
        goto close;
    }
    result = 0;
close:
    fclose(file);
    return result;
}

/* Takes a piece of the JPEG file; not 0 stops the encoder. */
static int write_piece(void *user, const uint8_t *data, size_t size)
{
    return fwrite(data, 1, size, user) == size ? 0 : -1;
}

int main(int argc, char **argv)
{
    picture picture = {0};
    shim_jpeg_image image = {0};
    shim_jpeg_encoder *encoder = NULL;
    FILE *file = NULL;
    int result = EXIT_FAILURE;

    if (argc != 3 && argc != 4) {
        fprintf(stderr, "usage: %s PICTURE.ppm FILE.jpg [QUALITY]\n", argv[0]);
        return EXIT_FAILURE;
    }
    if (read_picture(argv[1], &picture) != 0)
        return EXIT_FAILURE;

    encoder = shim_jpeg_encoder_new();
    if (encoder == NULL) {
        fprintf(stderr, "there is no encoder\n");
        goto done;
    }
    if (argc == 4 && shim_jpeg_encoder_set_quality(encoder, (uint32_t)strtoul(argv[3], NULL, 10)) != SHIM_OK) {
        fprintf(stderr, "%s\n", shim_jpeg_error_message(encoder));
        goto done;
    }

    image.struct_size = sizeof image;
    image.width = picture.width;
    image.height = picture.height;
    image.pixels = picture.pixels;
    image.sample_bytes = 1;
    image.bits = 8;
    image.plane_count = 1;
    image.planes[0] = picture.samples;
    image.plane_sizes[0] = picture.size;

    file = fopen(argv[2], "wb");
    if (file == NULL) {
        perror(argv[2]);
        goto done;
    }
    if (shim_jpeg_encode_to(encoder, &image, write_piece, file) != SHIM_OK) {
        fprintf(stderr, "%s: %s\n", argv[2], shim_jpeg_error_message(encoder));
        goto done;
    }
    result = EXIT_SUCCESS;

done:
    /* What the system still held back may not fit the disk either. */
    if (file != NULL && fclose(file) != 0) {
        perror(argv[2]);
        result = EXIT_FAILURE;
    }
    /* No half of a file stays. */
    if (file != NULL && result != EXIT_SUCCESS)
        remove(argv[2]);
    shim_jpeg_encoder_free(encoder);
    free(picture.samples);
    return result;
}
