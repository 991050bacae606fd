#include "CPNGShim.h"

#ifdef CALOTYPE_PNG

#include <string.h>

bool cpng_find_change(const void *before, const void *after, size_t count, size_t *first, size_t *end) {
    if (memcmp(before, after, count) == 0) return false;
    const uint8_t *old = before;
    const uint8_t *new = after;
    enum { step = 64 };
    size_t start = 0;
    while (count - start > step && memcmp(old + start, new + start, step) == 0) start += step;
    while (old[start] == new[start]) start++;
    while (count - start > step && memcmp(old + count - step, new + count - step, step) == 0) count -= step;
    while (old[count - 1] == new[count - 1]) count--;
    *first = start;
    *end = count;
    return true;
}

#endif
