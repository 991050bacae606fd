#include "CPNGShim.h"

#ifdef CALOTYPE_PNG

#include <limits.h>
#include <stdlib.h>
#include <zlib.h>

enum { first_capacity = 4096 };

/// Inflates a stream into memory that grows as needed, up to `limit` bytes and one more. If that byte is filled, the
/// stream is too long.
static cpng_status inflate_all(z_stream *stream, size_t limit, uint8_t **result, size_t *count) {
    size_t capacity = 0;
    int ended = Z_OK;
    while (ended == Z_OK) {
        if (*count == capacity) {
            if (*count > limit) return CPNG_TOO_LONG;
            size_t wanted = capacity == 0 ? first_capacity : capacity * 2;
            capacity = wanted > limit || wanted < capacity ? limit + 1 : wanted;
            uint8_t *grown = realloc(*result, capacity);
            if (grown == NULL) return CPNG_OUT_OF_MEMORY;
            *result = grown;
        }
        size_t room = capacity - *count;
        stream->next_out = *result + *count;
        stream->avail_out = room > UINT_MAX ? UINT_MAX : (uInt)room;
        uInt offered = stream->avail_out;
        ended = inflate(stream, Z_NO_FLUSH);
        *count += offered - stream->avail_out;
    }
    if (*count > limit) return CPNG_TOO_LONG;
    return ended == Z_STREAM_END ? CPNG_OK : ended == Z_MEM_ERROR ? CPNG_OUT_OF_MEMORY : CPNG_REFUSED;
}

cpng_status cpng_inflate(const void *bytes, size_t count, size_t limit, void **result, size_t *result_count) {
    z_stream stream = {0};
    *result_count = 0;
    if (count > UINT_MAX || limit == SIZE_MAX) return CPNG_TOO_LONG;
    stream.next_in = (Bytef *)bytes;
    stream.avail_in = (uInt)count;
    if (inflateInit(&stream) != Z_OK) return CPNG_OUT_OF_MEMORY;
    uint8_t *inflated = NULL;
    cpng_status status = inflate_all(&stream, limit, &inflated, result_count);
    inflateEnd(&stream);
    if (status != CPNG_OK) {
        free(inflated);
        return status;
    }
    *result = inflated;
    return CPNG_OK;
}

#endif
