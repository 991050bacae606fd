#include "CPNGShim.h"

#ifdef CALOTYPE_PNG

#include "colors.h"

#include <stdlib.h>
#include <string.h>

static uint32_t load(const uint8_t *pixel) {
    uint32_t color;
    memcpy(&color, pixel, sizeof color);
    return color;
}

static uint64_t load_pair(const uint8_t *pixels) {
    uint64_t colors;
    memcpy(&colors, pixels, sizeof colors);
    return colors;
}

// Drawings have long runs of one color, so pixels are first compared in groups. A group takes whole bytes at all depths.
enum { group_width = 16 };

/// Returns whether the pixels of a group have the same color.
static bool has_one_color(const uint8_t *pixels) {
    uint64_t first = load(pixels);
    uint64_t differences = 0;
    for (size_t x = 0; x < group_width; x += 2) differences |= load_pair(pixels + 4 * x) ^ (first << 32 | first);
    return differences == 0;
}

/// Returns the slot in which a color is, or the free slot in which it would be stored.
static size_t slot(const cpng_colors *colors, uint32_t color) {
    // Multiplicative hashing with the golden ratio. Source: Knuth, The Art of Computer Programming, volume 3, section
    // 6.4.
    size_t slot = (color * UINT32_C(2654435769)) >> (32 - cpng_slot_bits);
    while (colors->slots[slot] != 0 && load(colors->colors[colors->slots[slot] - 1]) != color) {
        slot = (slot + 1) % (1 << cpng_slot_bits);
    }
    return slot;
}

cpng_colors *cpng_colors_create(void) {
    return calloc(1, sizeof(cpng_colors));
}

/// Adds the colors of pixels to the list. Returns false if they are too many.
static bool add(cpng_colors *colors, const uint8_t *pixel, size_t width, size_t limit) {
    for (size_t x = 0; x < width; x++, pixel += 4) {
        uint32_t color = load(pixel);
        if (x > 0 && color == load(pixel - 4)) continue;
        size_t place = slot(colors, color);
        if (colors->slots[place] != 0) continue;
        if (colors->count >= limit || colors->count == cpng_most_colors) return false;
        memcpy(colors->colors[colors->count], pixel, 4);
        colors->slots[place] = (uint16_t)++colors->count;
    }
    return true;
}

bool cpng_colors_add(cpng_colors *colors, const void *row, size_t width, size_t limit) {
    const uint8_t *pixel = row;
    for (size_t count; width > 0; width -= count, pixel += 4 * count) {
        count = width < group_width ? width : group_width;
        bool is_run = count == group_width && has_one_color(pixel);
        if (!add(colors, pixel, is_run ? 1 : count, limit)) return false;
    }
    return true;
}

size_t cpng_colors_count(const cpng_colors *colors) {
    return colors->count;
}

size_t cpng_colors_transparent_count(const cpng_colors *colors) {
    size_t count = 0;
    for (size_t index = 0; index < colors->count; index++) count += colors->colors[index][3] < UINT8_MAX;
    return count;
}

int cpng_colors_gray_depth(const cpng_colors *colors) {
    for (int depth = 1; depth < 8; depth *= 2) {
        int step = UINT8_MAX / ((1 << depth) - 1);
        size_t index = 0;
        while (index < colors->count && colors->colors[index][0] % step == 0) index++;
        if (index == colors->count) return depth;
    }
    return 8;
}

int cpng_colors_palette_depth(const cpng_colors *colors) {
    int depth = 1;
    while (colors->count > (size_t)1 << depth) depth *= 2;
    return depth;
}

void cpng_colors_make_grays(cpng_colors *colors) {
    colors->is_palette = false;
    colors->bit_depth = cpng_colors_gray_depth(colors);
    int step = UINT8_MAX / ((1 << colors->bit_depth) - 1);
    for (size_t index = 0; index < colors->count; index++) {
        colors->codes[index] = (uint8_t)(colors->colors[index][0] / step);
    }
}

void cpng_colors_make_palette(cpng_colors *colors) {
    colors->is_palette = true;
    colors->bit_depth = cpng_colors_palette_depth(colors);
    size_t transparent = 0;
    size_t opaque = cpng_colors_transparent_count(colors);
    for (size_t index = 0; index < colors->count; index++) {
        colors->codes[index] = (uint8_t)(colors->colors[index][3] < UINT8_MAX ? transparent++ : opaque++);
    }
}

/// Packs pixels into whole bytes. Returns the byte after them; NULL if a color is not in the list.
static uint8_t *pack(const cpng_colors *colors, uint8_t *target, const uint8_t *pixel, size_t width) {
    unsigned code = 0;
    unsigned byte = 0;
    int bits = 0;
    for (size_t x = 0; x < width; x++, pixel += 4) {
        uint32_t color = load(pixel);
        if (x == 0 || color != load(pixel - 4)) {
            size_t place = slot(colors, color);
            if (colors->slots[place] == 0) return NULL;
            code = colors->codes[colors->slots[place] - 1];
        }
        byte = byte << colors->bit_depth | code;
        bits += colors->bit_depth;
        if (bits < 8) continue;
        *target++ = (uint8_t)byte;
        byte = 0;
        bits = 0;
    }
    if (bits > 0) *target++ = (uint8_t)(byte << (8 - bits));
    return target;
}

bool cpng_colors_pack(const cpng_colors *colors, uint8_t *target, const uint8_t *pixel, size_t width) {
    const size_t pixels_per_byte = (size_t)(8 / colors->bit_depth);
    for (size_t count; width > 0 && target != NULL; width -= count, pixel += 4 * count) {
        count = width < group_width ? width : group_width;
        bool is_run = count == group_width && has_one_color(pixel);
        uint8_t *end = pack(colors, target, pixel, is_run ? pixels_per_byte : count);
        if (is_run && end != NULL) {
            // The first byte is repeated.
            memset(end, *target, group_width / pixels_per_byte - 1);
            end += group_width / pixels_per_byte - 1;
        }
        target = end;
    }
    return target != NULL;
}

void cpng_colors_free(cpng_colors *colors) {
    free(colors);
}

#endif
