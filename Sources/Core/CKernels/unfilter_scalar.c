#include "unfilter_variants.h"

#include <stdlib.h>

void ck_unfilter_sub_scalar(uint8_t *row, size_t count, size_t step) {
    for (size_t place = step; place < count; place++) row[place] = (uint8_t)(row[place] + row[place - step]);
}

// Compilers vectorize this loop, so it has no other variants.
void ck_unfilter_up(uint8_t *row, const uint8_t *above, size_t count) {
    for (size_t place = 0; place < count; place++) row[place] = (uint8_t)(row[place] + above[place]);
}

void ck_unfilter_average_scalar(uint8_t *row, const uint8_t *above, size_t count, size_t step) {
    size_t first = count < step ? count : step;
    for (size_t place = 0; place < first; place++) row[place] = (uint8_t)(row[place] + above[place] / 2);
    for (size_t place = first; place < count; place++) {
        row[place] = (uint8_t)(row[place] + (row[place - step] + above[place]) / 2);
    }
}

// The one of the neighbors that is nearest to left + above - corner. Written so that compilers emit no branches, which
// would often be mispredicted.
static inline uint8_t nearest(int left, int above, int corner) {
    int from_left = abs(above - corner);
    int from_above = abs(left - corner);
    int from_corner = abs(left + above - 2 * corner);
    int result = from_above <= from_corner ? above : corner;
    int least = from_above <= from_corner ? from_above : from_corner;
    return (uint8_t)(from_left <= least ? left : result);
}

void ck_unfilter_paeth_scalar(uint8_t *row, const uint8_t *above, size_t count, size_t step) {
    size_t first = count < step ? count : step;
    // Without neighbors on the left, the one above is the nearest.
    ck_unfilter_up(row, above, first);
    for (size_t place = first; place < count; place++) {
        row[place] = (uint8_t)(row[place] + nearest(row[place - step], above[place], above[place - step]));
    }
}
