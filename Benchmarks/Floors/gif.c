#include "BenchmarkFloors.h"

#ifdef CALOTYPE_GIF

#include <stdlib.h>
#include <string.h>

#include <gif_lib.h>

/// The bytes that are left.
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

/// How a frame is drawn, and what becomes of it before the next.
typedef struct control {
    int transparent;
    int disposal;
} control;

/// Draws the frame whose descriptor has been read on a canvas of RGBA; false where it is damaged or not wholly within.
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

/// The frame that is shown, so that no compiler thinks that nobody looks at it.
static uint8_t *volatile showing;

/// Makes the place of the last frame transparent.
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

#endif
