#include "filter_variants.h"

#include <stdlib.h>

static uint8_t predicted(ck_filter filter, int left, int above, int corner) {
    switch (filter) {
        case CK_FILTER_SUB: return (uint8_t)left;
        case CK_FILTER_UP: return (uint8_t)above;
        case CK_FILTER_AVERAGE: return (uint8_t)((left + above) / 2);
        case CK_FILTER_PAETH: {
            int from_left = abs(above - corner);
            int from_above = abs(left - corner);
            int from_corner = abs(left + above - 2 * corner);
            if (from_left <= from_above && from_left <= from_corner) return (uint8_t)left;
            return (uint8_t)(from_above <= from_corner ? above : corner);
        }
        case CK_FILTER_NONE:
        case CK_FILTER_COUNT: break;
    }
    return 0;
}

uint64_t ck_filter_part_scalar(ck_filter filter, uint8_t *filtered, const uint8_t *row, const uint8_t *above,
                               size_t start, size_t count, size_t step) {
    uint64_t sum = 0;
    for (size_t place = start; place < count; place++) {
        int left = place < step ? 0 : row[place - step];
        int corner = place < step ? 0 : above[place - step];
        uint8_t value = (uint8_t)(row[place] - predicted(filter, left, above[place], corner));
        filtered[place] = value;
        sum += value < 128 ? value : 256u - value;
    }
    return sum;
}

uint64_t ck_filter_row_scalar(ck_filter filter, uint8_t *filtered, const uint8_t *row, const uint8_t *above,
                              size_t count, size_t step) {
    return ck_filter_part_scalar(filter, filtered, row, above, 0, count, step);
}
