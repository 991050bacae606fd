#include "BenchmarkFloors.h"

#ifdef CALOTYPE_DEFLATE

#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>

static uint32_t big_endian(const uint8_t *bytes) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/// Copies the contents of all IDAT chunks to the start of the file, and checks them. Returns the number of bytes, 0 if a
/// chunk is damaged.
static size_t gather(uint8_t *bytes, size_t count) {
    size_t gathered = 0;
    for (size_t place = 8; place + 12 <= count;) {
        size_t length = big_endian(bytes + place);
        if (length > count - place - 12) return 0;
        if (memcmp(bytes + place + 4, "IDAT", 4) == 0) {
            uint32_t checksum = big_endian(bytes + place + 8 + length);
            if (libdeflate_crc32(0, bytes + place + 4, length + 4) != checksum) return 0;
            memmove(bytes + gathered, bytes + place + 8, length);
            gathered += length;
        }
        place += length + 12;
    }
    return gathered;
}

static int paeth(int left, int above, int corner) {
    int guess = left + above - corner;
    int to_left = abs(guess - left), to_above = abs(guess - above), to_corner = abs(guess - corner);
    if (to_left <= to_above && to_left <= to_corner) return left;
    return to_above <= to_corner ? above : corner;
}

/// Undoes the filter of a row of RGB. Returns false for an unknown filter. Source: W3C PNG, third edition, section 9.2.
static bool unfilter(uint8_t *restrict row, const uint8_t *restrict above, size_t count, int filter) {
    switch (filter) {
    case 0: return true;
    case 1:
        for (size_t i = 3; i < count; i++) row[i] += row[i - 3];
        return true;
    case 2:
        for (size_t i = 0; i < count; i++) row[i] += above[i];
        return true;
    case 3:
        for (size_t i = 0; i < 3; i++) row[i] += above[i] / 2;
        for (size_t i = 3; i < count; i++) row[i] += (row[i - 3] + above[i]) / 2;
        return true;
    case 4:
        for (size_t i = 0; i < 3; i++) row[i] += above[i];
        for (size_t i = 3; i < count; i++) row[i] += paeth(row[i - 3], above[i], above[i - 3]);
        return true;
    default: return false;
    }
}

uint8_t *benchmark_deflate_decode_file(const char *path, size_t count, uint32_t *width, uint32_t *height) {
    uint8_t *bytes = benchmark_read(path, count);
    uint8_t *rows = NULL, *above = NULL, *pixels = NULL;
    bool is_done = false;
    struct libdeflate_decompressor *decompressor = libdeflate_alloc_decompressor();
    if (bytes == NULL || decompressor == NULL || count < 33) goto end;
    *width = big_endian(bytes + 16);
    *height = big_endian(bytes + 20);
    // RGB of 8 bits, not interlaced.
    if (*width == 0 || *width > 1 << 16 || *height > 1 << 16 || bytes[24] != 8 || bytes[25] != 2 || bytes[28] != 0) goto end;
    size_t row_length = (size_t)*width * 3;
    size_t length = (row_length + 1) * *height;
    rows = malloc(length);
    above = calloc(row_length, 1);
    pixels = malloc((size_t)*width * *height * 4);
    if (rows == NULL || above == NULL || pixels == NULL) goto end;
    size_t gathered = gather(bytes, count);
    if (libdeflate_zlib_decompress(decompressor, bytes, gathered, rows, length, NULL) != LIBDEFLATE_SUCCESS) goto end;
    const uint8_t *former = above;
    uint8_t *pixel = pixels;
    for (uint32_t y = 0; y < *height; y++) {
        uint8_t *row = rows + y * (row_length + 1) + 1;
        if (!unfilter(row, former, row_length, row[-1])) goto end;
        for (uint32_t x = 0; x < *width; x++, pixel += 4) {
            memcpy(pixel, row + 3 * x, 3);
            pixel[3] = 255;
        }
        former = row;
    }
    is_done = true;
end:
    libdeflate_free_decompressor(decompressor);
    free(bytes);
    free(rows);
    free(above);
    if (is_done) return pixels;
    free(pixels);
    return NULL;
}

#endif
