#include "BenchmarkFloors.h"

#ifdef CALOTYPE_WEBP

#include <stdlib.h>
#include <string.h>

#include <webp/decode.h>
#include <webp/demux.h>
#include <webp/encode.h>

benchmark_size benchmark_webp_decode(const void *bytes, size_t count, uint8_t *pixels, size_t capacity) {
    const benchmark_size nothing = {0, 0};
    int width = 0;
    int height = 0;
    if (!WebPGetInfo(bytes, count, &width, &height)) return nothing;
    if (WebPDecodeRGBAInto(bytes, count, pixels, capacity, width * 4) == NULL) return nothing;
    return (benchmark_size){(uint32_t)width, (uint32_t)height};
}

uint8_t *benchmark_webp_encode(
    const uint8_t *pixels, size_t row_length, benchmark_size size, benchmark_webp_kind kind, size_t *count) {
    WebPConfig config;
    WebPPicture picture;
    if (!WebPConfigInit(&config) || !WebPPictureInit(&picture)) return NULL;
    config.quality = 75;
    config.lossless = kind.is_lossless;
    picture.use_argb = kind.is_lossless;
    picture.width = (int)size.width;
    picture.height = (int)size.height;
    WebPMemoryWriter writer;
    WebPMemoryWriterInit(&writer);
    picture.writer = WebPMemoryWrite;
    picture.custom_ptr = &writer;
    int is_done = (kind.has_alpha ? WebPPictureImportRGBA : WebPPictureImportRGBX)(&picture, pixels, (int)row_length)
        && WebPEncode(&config, &picture);
    WebPPictureFree(&picture);
    if (!is_done) {
        WebPMemoryWriterClear(&writer);
        return NULL;
    }
    *count = writer.size;
    return writer.mem;
}

size_t benchmark_webp_play(const void *bytes, size_t count, uint8_t *last, size_t capacity) {
    WebPAnimDecoderOptions options;
    if (!WebPAnimDecoderOptionsInit(&options)) return 0;
    WebPData data = {bytes, count};
    WebPAnimDecoder *decoder = WebPAnimDecoderNew(&data, &options);
    if (decoder == NULL) return 0;
    size_t frames = 0;
    uint8_t *canvas = NULL;
    int timestamp = 0;
    while (WebPAnimDecoderHasMoreFrames(decoder)) {
        if (!WebPAnimDecoderGetNext(decoder, &canvas, &timestamp)) {
            frames = 0;
            break;
        }
        frames++;
    }
    if (frames > 0) memcpy(last, canvas, capacity);
    WebPAnimDecoderDelete(decoder);
    return frames;
}

#endif
