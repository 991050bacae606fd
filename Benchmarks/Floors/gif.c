#include "BenchmarkFloors.h"

#ifdef CALOTYPE_GIF

#include <stdlib.h>
#include <string.h>

#include <gif_lib.h>

/// The remaining bytes.
typedef struct source {
    const uint8_t *bytes;
    size_t count;
} source;

static int take(GifFileType *gif, GifByteType *target, int wanted) {
    source *source = gif->UserData;
    size_t count = source->count < (size_t)wanted ? source->count : (size_t)wanted;
    memcpy(target, source->bytes, count);
    source->bytes += count;
    source->count -= count;
    return (int)count;
}

/// The transparent color and the disposal of a frame.
typedef struct control {
    int transparent;
    int disposal;
} control;

/// Draws the frame whose descriptor has been read on an RGBA canvas. Returns false if it is damaged or exceeds the
/// canvas.
static bool draw(GifFileType *gif, control control, uint8_t *line, uint8_t *canvas) {
    const GifImageDesc *image = &gif->Image;
    const ColorMapObject *map = image->ColorMap != NULL ? image->ColorMap : gif->SColorMap;
    if (map == NULL || image->Left + image->Width > gif->SWidth || image->Top + image->Height > gif->SHeight) {
        return false;
    }
    uint32_t colors[256] = {0};
    for (int index = 0; index < map->ColorCount && index < 256; index++) {
        const GifColorType *color = &map->Colors[index];
        colors[index] = 0xFF000000u | (uint32_t)color->Blue << 16 | (uint32_t)color->Green << 8 | color->Red;
    }
    static const int starts[] = {0, 4, 2, 1};
    static const int steps[] = {8, 8, 4, 2};
    int passes = image->Interlace ? 4 : 1;
    for (int pass = 0; pass < passes; pass++) {
        int step = image->Interlace ? steps[pass] : 1;
        for (int y = image->Interlace ? starts[pass] : 0; y < image->Height; y += step) {
            if (DGifGetLine(gif, line, image->Width) == GIF_ERROR) return false;
            uint32_t *row = (uint32_t *)canvas + (size_t)(image->Top + y) * (size_t)gif->SWidth + image->Left;
            for (int x = 0; x < image->Width; x++) {
                if (line[x] != control.transparent) row[x] = colors[line[x]];
            }
        }
    }
    return true;
}

/// The frame that is shown. Volatile, so that the compiler cannot assume that it is unused.
static uint8_t *volatile showing;

/// Makes the region of the last frame transparent.
static void clear(const GifFileType *gif, uint8_t *canvas) {
    for (int y = 0; y < gif->Image.Height; y++) {
        size_t start = (size_t)(gif->Image.Top + y) * (size_t)gif->SWidth + (size_t)gif->Image.Left;
        memset(canvas + 4 * start, 0, 4 * (size_t)gif->Image.Width);
    }
}

size_t benchmark_gif_play(const void *bytes, size_t count, uint8_t *last, size_t capacity, bool copies) {
    source source = {bytes, count};
    int error = 0;
    GifFileType *gif = DGifOpen(&source, take, &error);
    if (gif == NULL) return 0;
    size_t canvas_length = (size_t)gif->SWidth * (size_t)gif->SHeight * 4;
    uint8_t *line = malloc((size_t)gif->SWidth);
    uint8_t *kept = malloc(canvas_length);
    uint8_t *shown = malloc(canvas_length);
    size_t frames = 0;
    bool is_good = canvas_length == capacity && line != NULL && kept != NULL && shown != NULL;
    control now = {-1, DISPOSAL_UNSPECIFIED};
    int before = DISPOSAL_UNSPECIFIED;
    GifRecordType type = UNDEFINED_RECORD_TYPE;
    memset(last, 0, capacity);
    while (is_good && (is_good = DGifGetRecordType(gif, &type) != GIF_ERROR) && type != TERMINATE_RECORD_TYPE) {
        if (type == IMAGE_DESC_RECORD_TYPE) {
            if (before == DISPOSE_BACKGROUND) clear(gif, last);
            if (before == DISPOSE_PREVIOUS) memcpy(last, kept, capacity);
            if (now.disposal == DISPOSE_PREVIOUS) memcpy(kept, last, capacity);
            is_good = DGifGetImageDesc(gif) != GIF_ERROR && draw(gif, now, line, last);
            if (is_good && copies) memcpy(shown, last, capacity);
            showing = copies ? shown : last;
            before = now.disposal;
            now = (control){-1, DISPOSAL_UNSPECIFIED};
            frames++;
        } else if (type == EXTENSION_RECORD_TYPE) {
            int code = 0;
            GifByteType *block = NULL;
            is_good = DGifGetExtension(gif, &code, &block) != GIF_ERROR;
            GraphicsControlBlock controls;
            if (is_good && code == GRAPHICS_EXT_FUNC_CODE && block != NULL
                && DGifExtensionToGCB(block[0], block + 1, &controls) != GIF_ERROR) {
                now = (control){controls.TransparentColor, controls.DisposalMode};
            }
            while (is_good && block != NULL) is_good = DGifGetExtensionNext(gif, &block) != GIF_ERROR;
        }
    }
    free(line);
    free(kept);
    free(shown);
    DGifCloseFile(gif, &error);
    return is_good ? frames : 0;
}

/// The output of giflib.
typedef struct target {
    uint8_t *bytes;
    size_t count;
    size_t capacity;
} target;

static int put(GifFileType *gif, const GifByteType *bytes, int count) {
    target *target = gif->UserData;
    if (target->count + (size_t)count > target->capacity) {
        size_t capacity = 2 * target->capacity + (size_t)count;
        uint8_t *larger = realloc(target->bytes, capacity);
        if (larger == NULL) return 0;
        target->bytes = larger;
        target->capacity = capacity;
    }
    memcpy(target->bytes + target->count, bytes, (size_t)count);
    target->count += (size_t)count;
    return count;
}

/// The colors of a picture in a hash table: each slot is found by a product of the color and holds its index.
typedef struct palette {
    uint32_t colors[256];
    size_t count;
    uint32_t known[4096];
    uint8_t indices[4096];
} palette;

/// Returns red in the lowest byte, then green and blue, and a bit that distinguishes a color from an empty slot.
static uint32_t color_of(const uint8_t *pixel) {
    return 1u << 24 | (uint32_t)pixel[2] << 16 | (uint32_t)pixel[1] << 8 | pixel[0];
}

static size_t place_of(const palette *palette, uint32_t color) {
    size_t place = (color * 2654435761u) >> 20;
    while (palette->known[place] != 0 && palette->known[place] != color) place = (place + 1) & 4095;
    return place;
}

static int ascending(const void *one, const void *other) {
    const uint32_t *left = one;
    const uint32_t *right = other;
    return *left < *right ? -1 : *left > *right;
}

/// Collects the colors of a picture. Returns false if there are more than 256.
static bool collect(palette *palette, const uint8_t *pixels, size_t row_length, benchmark_size size) {
    memset(palette, 0, sizeof *palette);
    for (uint32_t y = 0; y < size.height; y++) {
        const uint8_t *row = pixels + y * row_length;
        for (uint32_t x = 0; x < size.width; x++) {
            uint32_t color = color_of(row + 4 * x);
            size_t place = place_of(palette, color);
            if (palette->known[place] == color) continue;
            if (palette->count == 256) return false;
            palette->known[place] = color;
            palette->colors[palette->count++] = color;
        }
    }
    qsort(palette->colors, palette->count, sizeof palette->colors[0], ascending);
    for (size_t index = 0; index < palette->count; index++) {
        palette->indices[place_of(palette, palette->colors[index])] = (uint8_t)index;
    }
    return true;
}

static bool write_rows(
    GifFileType *gif, const palette *palette, const uint8_t *pixels, size_t row_length, benchmark_size size) {
    uint8_t *line = malloc(size.width);
    bool is_good = line != NULL;
    for (uint32_t y = 0; is_good && y < size.height; y++) {
        const uint8_t *row = pixels + y * row_length;
        for (uint32_t x = 0; x < size.width; x++) line[x] = palette->indices[place_of(palette, color_of(row + 4 * x))];
        is_good = EGifPutLine(gif, line, (int)size.width) != GIF_ERROR;
    }
    free(line);
    return is_good;
}

uint8_t *benchmark_gif_encode(const uint8_t *pixels, size_t row_length, benchmark_size size, size_t *count) {
    palette *palette = malloc(sizeof *palette);
    if (palette == NULL || !collect(palette, pixels, row_length, size)) {
        free(palette);
        return NULL;
    }
    int length = 2;
    while (length < (int)palette->count) length *= 2;
    GifColorType colors[256] = {{0, 0, 0}};
    for (size_t index = 0; index < palette->count; index++) {
        uint32_t color = palette->colors[index];
        colors[index] = (GifColorType){color & 0xFF, color >> 8 & 0xFF, color >> 16 & 0xFF};
    }
    ColorMapObject *map = GifMakeMapObject(length, colors);
    target target = {NULL, 0, 0};
    int error = 0;
    GifFileType *gif = EGifOpen(&target, put, &error);
    bool is_good = map != NULL && gif != NULL;
    if (is_good) {
        EGifSetGifVersion(gif, true);
        is_good = EGifPutScreenDesc(gif, (int)size.width, (int)size.height, 8, 0, map) != GIF_ERROR
            && EGifPutImageDesc(gif, 0, 0, (int)size.width, (int)size.height, false, NULL) != GIF_ERROR
            && write_rows(gif, palette, pixels, row_length, size);
    }
    if (gif != NULL) is_good = EGifCloseFile(gif, &error) != GIF_ERROR && is_good;
    GifFreeMapObject(map);
    free(palette);
    if (!is_good) {
        free(target.bytes);
        return NULL;
    }
    *count = target.count;
    return target.bytes;
}

#endif
