#include "include/filter.h"

#include <string.h>

// Marks a pair, and returns 1 if it is the first of its kind in this round.
static inline size_t mark(ck_pairs *pairs, const uint8_t *bytes) {
    uint8_t *round = &pairs->rounds[bytes[0] | bytes[1] << 8];
    size_t is_new = *round != pairs->round;
    *round = pairs->round;
    return is_new;
}

size_t ck_count_pairs(ck_pairs *pairs, const uint8_t *bytes, size_t count, size_t limit) {
    enum { GROUP = 8 };
    // With a number for each round, the memory is cleared only once in 255 calls.
    if (++pairs->round == 0) {
        memset(pairs->rounds, 0, sizeof pairs->rounds);
        pairs->round = 1;
    }
    size_t found = 0;
    size_t place = 0;
    for (; place + GROUP < count && found < limit; place += GROUP) {
        uint64_t group;
        uint64_t next;
        memcpy(&group, bytes + place, sizeof group);
        memcpy(&next, bytes + place + 1, sizeof next);
        // Most bytes of drawn pictures are the same as the next one.
        size_t last = group == next ? 1 : GROUP;
        for (size_t pair = 0; pair < last; pair++) found += mark(pairs, bytes + place + pair);
    }
    for (; place + 1 < count && found < limit; place++) found += mark(pairs, bytes + place);
    return found < limit ? found : limit;
}
