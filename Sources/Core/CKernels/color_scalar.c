#include "color_variants.h"

enum { CHANNELS = 4, COLORS = 3, LEVELS8 = 256 };

static inline int64_t clipped(int64_t light, int64_t most) {
    if (light < 0) return 0;
    return light < most ? light : most;
}

void ck_convert_color8_scalar(const ck_color8 *color, uint8_t *pixels, size_t count) {
    for (uint8_t *pixel = pixels; pixel < pixels + CHANNELS * count; pixel += CHANNELS) {
        const int32_t *red = color->shares + CHANNELS * pixel[0];
        const int32_t *green = color->shares + CHANNELS * (LEVELS8 + pixel[1]);
        const int32_t *blue = color->shares + CHANNELS * (2 * LEVELS8 + pixel[2]);
        for (int channel = 0; channel < COLORS; channel++) {
            int32_t sum = red[channel] + green[channel] + blue[channel];
            pixel[channel] = color->levels[channel][clipped(sum >> CK_COLOR8_FRACTION, CK_COLOR_LIGHT)];
        }
    }
}

void ck_convert_color16(const ck_color16 *color, uint16_t *pixels, size_t count) {
    const int64_t most = (int64_t)CK_COLOR_LIGHT << CK_COLOR16_FRACTION;
    const int64_t half = (int64_t)1 << (CK_COLOR16_MATRIX - 1);
    for (uint16_t *pixel = pixels; pixel < pixels + CHANNELS * count; pixel += CHANNELS) {
        int64_t red = color->light[0][pixel[0]];
        int64_t green = color->light[1][pixel[1]];
        int64_t blue = color->light[2][pixel[2]];
        for (int channel = 0; channel < COLORS; channel++) {
            const int32_t *row = color->matrix + COLORS * channel;
            int64_t sum = row[0] * red + row[1] * green + row[2] * blue + half;
            int64_t light = clipped(sum >> CK_COLOR16_MATRIX, most);
            const uint32_t *level = color->levels[channel] + (light >> CK_COLOR16_FRACTION);
            int64_t fraction = light & ((1 << CK_COLOR16_FRACTION) - 1);
            int64_t step = (((int64_t)level[1] - level[0]) * fraction) >> CK_COLOR16_FRACTION;
            pixel[channel] = (uint16_t)((level[0] + step + (1 << (CK_COLOR16_LEVEL - 1))) >> CK_COLOR16_LEVEL);
        }
    }
}
