// Compares every variant of every kernel that this processor supports with the one in plain C, bit by bit. Then prints
// for each kernel a digest of the results of plain C. All processors use the same random numbers, so the digests must
// be the same too. Stops at the first difference.
//
// A buffer has exactly the size that a kernel may access. On one side of it is inaccessible memory; on the other side
// are bytes that are checked afterward.
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "CKernels.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

// Reporting

// The current kernel, variant and case.
static const char *kernel = "none";
static const char *level = "none";
static char what[160] = "";

static void describe(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void describe(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
}

static _Noreturn void fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
static _Noreturn void fail(const char *format, ...) {
    fprintf(stderr, "%s, %s, %s: ", kernel, level, what);
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    _exit(1);
}

// The process ends after this message, so functions that are not async-signal-safe are acceptable here.
static void touched(int number) {
    (void)number;
    fail("memory outside of the buffers was accessed");
}

// Random numbers

static uint64_t state;

// SplitMix64.
static uint64_t next(void) {
    uint64_t value = state += 0x9E3779B97F4A7C15;
    value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9;
    value = (value ^ value >> 27) * 0x94D049BB133111EB;
    return value ^ value >> 31;
}

static int32_t in_range(int32_t least, int32_t most) {
    return least + (int32_t)(next() % (uint64_t)((int64_t)most - least + 1));
}

// Memory

enum {
    SLOTS = 64,
    ROOM = 1 << 18,
    MARGIN = 64,
    MARGIN_BYTE = 0xC3,
};

// A buffer within a memory area between two inaccessible pages.
typedef struct slot {
    uint8_t *room;
    uint8_t *bytes;
    size_t size;
} slot;

static slot slots[SLOTS];
static size_t used;

static enum { AT_END, AT_START, UNALIGNED } placement;

static void make_slots(void) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    for (size_t i = 0; i < SLOTS; i++) {
        uint8_t *pages = mmap(NULL, ROOM + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (pages == MAP_FAILED || mprotect(pages + page, ROOM, PROT_READ | PROT_WRITE) != 0) {
            fail("out of memory");
        }
        slots[i].room = pages + page;
    }
}

// Releases all buffers. The next ones have another position within their areas.
static void new_case(void) {
    used = 0;
    placement = placement == UNALIGNED ? AT_END : placement + 1;
}

// Returns a buffer with the alignment that the kernel requires.
static void *take(size_t size, size_t alignment) {
    if (used == SLOTS || size + 4 * MARGIN > ROOM) {
        fail("the test has no room for this case");
    }
    slot *taken = &slots[used++];
    size_t start = placement == AT_END ? ROOM - size : placement == AT_START ? 0 : 2 * MARGIN + alignment;
    taken->bytes = taken->room + start;
    taken->size = size;
    size_t before = start < MARGIN ? start : MARGIN;
    size_t behind = ROOM - size - start < MARGIN ? ROOM - size - start : MARGIN;
    memset(taken->bytes - before, MARGIN_BYTE, before + size + behind);
    return taken->bytes;
}

static void look_beside_buffers(void) {
    for (const slot *taken = slots; taken < slots + used; taken++) {
        const uint8_t *end = taken->bytes + taken->size;
        for (const uint8_t *byte = taken->bytes; byte > taken->room && byte > taken->bytes - MARGIN; byte--) {
            if (byte[-1] != MARGIN_BYTE) {
                fail("bytes before buffer %d were written", (int)(taken - slots));
            }
        }
        for (const uint8_t *byte = end; byte < taken->room + ROOM && byte < end + MARGIN; byte++) {
            if (*byte != MARGIN_BYTE) {
                fail("bytes after buffer %d were written", (int)(taken - slots));
            }
        }
    }
}

// Comparing

static const struct {
    ck_isa isa;
    const char *name;
} levels[] = {
#if defined(__x86_64__)
    {CK_SSE42, "SSE4.2"}, {CK_AVX2, "AVX2"}, {CK_AVX512, "AVX-512"},
#else
    {CK_NEON, "NEON"},    {CK_ARM_CRC, "NEON with CRC32"},
#endif
};

// The output of a kernel.
typedef struct output {
    uint8_t *bytes;
    size_t size;
} output;

static uint64_t digest;

static void begin(const char *name) {
    kernel = name;
    // A separate seed for each kernel, so that another case of one does not change the digests of the others.
    state = 1;
    digest = 0xCBF29CE484222325;
}

static void end(void) {
    printf("%-28s %016llx\n", kernel, (unsigned long long)digest);
}

// FNV-1a.
static void add_to_digest(const uint8_t *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) {
        digest = (digest ^ bytes[i]) * 0x100000001B3;
    }
}

typedef void runner(ck_isa isa, const void *arguments);

// Runs plain C, then all other supported variants.
static void compare(runner *run, const void *arguments, const output *outputs, size_t count) {
    static uint8_t expected[2][ROOM];
    level = "plain C";
    // Filled with different bytes each time, so that bytes that a kernel does not write differ as well.
    for (size_t i = 0; i < count; i++) {
        memset(outputs[i].bytes, 0xA5, outputs[i].size);
    }
    run(CK_SCALAR, arguments);
    look_beside_buffers();
    for (size_t i = 0; i < count; i++) {
        memcpy(expected[i], outputs[i].bytes, outputs[i].size);
        add_to_digest(expected[i], outputs[i].size);
    }
    for (size_t index = 0; index < COUNT(levels) && levels[index].isa <= ck_best_isa(); index++) {
        level = levels[index].name;
        for (size_t i = 0; i < count; i++) {
            memset(outputs[i].bytes, 0x5A, outputs[i].size);
        }
        run(levels[index].isa, arguments);
        look_beside_buffers();
        for (size_t i = 0; i < count; i++) {
            for (size_t place = 0; place < outputs[i].size; place++) {
                if (outputs[i].bytes[place] != expected[i][place]) {
                    fail("byte %zu of output %zu is %d, in plain C %d", place, i, outputs[i].bytes[place],
                         expected[i][place]);
                }
            }
        }
    }
    level = "none";
}

// Inputs

// All short widths, and some around multiples of common block sizes.
static const size_t longer_widths[] = {127, 128, 129, 255, 1000};

static size_t width_at(size_t index) {
    return index < 67 ? index + 1 : longer_widths[index - 67];
}

enum { WIDTHS = 67 + COUNT(longer_widths) };

// The ranges of samples and coefficients: as in pictures, any, and the extremes, at which sums overflow.
typedef enum range { PICTURE, ANY, OUTERMOST, RANGES } range;

static int16_t sample(range range) {
    return (int16_t)(range == PICTURE ? in_range(0, 16320)
                     : range == ANY   ? in_range(INT16_MIN, INT16_MAX)
                                      : in_range(0, 1) * UINT16_MAX + INT16_MIN);
}

static int16_t coefficient(range range) {
    return range == PICTURE ? (int16_t)in_range(-3000, 9000) : sample(range);
}

static int16_t *samples(size_t count, size_t alignment, range range) {
    int16_t *result = take(count * sizeof *result, alignment);
    for (size_t i = 0; i < count; i++) {
        result[i] = sample(range);
    }
    return result;
}

static int16_t *coefficients(size_t count, range range) {
    int16_t *result = take(count * sizeof *result, sizeof *result);
    for (size_t i = 0; i < count; i++) {
        result[i] = coefficient(range);
    }
    return result;
}

static const int32_t precisions[] = {7, 14, 16};

static const char *text(bool opaque) {
    return opaque ? "opaque" : "not opaque";
}

// Packing 8 bit rows

typedef struct packing {
    const uint8_t *row0;
    const uint8_t *row1;
    const int16_t *table;
    size_t width;
    bool opaque;
    int16_t *packed0;
    int16_t *packed1;
} packing;

static void run_pack8(ck_isa isa, const void *arguments) {
    const packing *a = arguments;
    ck_resize_pack8_isa(isa, a->row0, a->row1, a->width, a->opaque, a->packed0, a->packed1);
}

static void run_pack8_linear(ck_isa isa, const void *arguments) {
    const packing *a = arguments;
    ck_resize_pack8_linear_isa(isa, a->row0, a->row1, a->width, a->opaque, a->table, a->packed0, a->packed1);
}

// Alpha is 0, 1 or 255 throughout, or random.
static uint8_t *pixels(size_t width, int alpha) {
    uint8_t *row = take(4 * width, 1);
    for (size_t i = 0; i < 4 * width; i++) {
        row[i] = (uint8_t)next();
        if (i % 4 == 3 && alpha >= 0) {
            row[i] = (uint8_t)alpha;
        }
    }
    return row;
}

static void compare_packing(const char *name, runner *run) {
    static const int alphas[] = {0, 1, 255, -1};
    static const char *const seconds[] = {"another", "the same", "no"};
    begin(name);
    for (size_t index = 0; index < WIDTHS; index++) {
        for (size_t i = 0; i < COUNT(alphas); i++) {
            for (int second = 0; second < 6; second++) {
                new_case();
                packing a = {.width = width_at(index), .opaque = second % 2 == 1};
                describe("width %zu, %s, alpha %d, %s second row", a.width, text(a.opaque), alphas[i],
                         seconds[second / 2]);
                a.row0 = pixels(a.width, alphas[i]);
                a.row1 = second / 2 == 0 ? pixels(a.width, alphas[i]) : second / 2 == 1 ? a.row0 : NULL;
                int16_t *table = take(256 * sizeof *table, sizeof *table);
                for (int32_t value = 0; value < 256; value++) {
                    table[value] = (int16_t)(value == 0 ? 0 : value == 255 ? 16320 : in_range(0, 16320));
                }
                a.table = table;
                size_t size = ck_resize_packed_pixels(a.width) * 4 * sizeof *a.packed0;
                a.packed0 = take(size, 32);
                a.packed1 = take(size, 32);
                output outputs[] = {{(uint8_t *)a.packed0, size}, {(uint8_t *)a.packed1, size}};
                compare(run, &a, outputs, 2);
            }
        }
    }
    end();
}

// Filtering 8 bit rows horizontally

typedef struct horizontal {
    const int16_t *packed0;
    const int16_t *packed1;
    const ck_window8 *windows;
    const int16_t *coefficients;
    int32_t precision;
    size_t count;
    int16_t *output;
} horizontal;

static void run_horizontal8(ck_isa isa, const void *arguments) {
    const horizontal *a = arguments;
    ck_resize_horizontal8_isa(isa, a->packed0, a->packed1, a->windows, a->coefficients, a->precision, a->count,
                              a->output);
}

// Runs with all ranges. `taps` is the number of coefficients; the windows are copied.
static void compare_windows(size_t width, const ck_window8 *windows, size_t count, size_t taps) {
    for (range range = PICTURE; range < RANGES; range++) {
        for (size_t i = 0; i < COUNT(precisions); i++) {
            new_case();
            describe("%zu pixels to %zu, numbers %d, precision %d", width, count, (int)range, (int)precisions[i]);
            size_t size = 8 * count * sizeof(int16_t);
            ck_window8 *copy = take(count * sizeof *copy, sizeof copy->start);
            memcpy(copy, windows, count * sizeof *copy);
            size_t values = ck_resize_packed_pixels(width) * 4;
            horizontal a = {.windows = copy, .precision = precisions[i], .count = count};
            a.packed0 = samples(values, 32, range);
            a.packed1 = samples(values, 32, range);
            a.coefficients = coefficients(taps, range);
            a.output = take(size, sizeof *a.output);
            output outputs[] = {{(uint8_t *)a.output, size}};
            compare(run_horizontal8, &a, outputs, 1);
        }
    }
}

// Windows at any position and of any length.
static void compare_any_windows(size_t width, size_t count) {
    enum { TAPS = 64 };
    ck_window8 windows[WIDTHS];
    int32_t packed = (int32_t)ck_resize_packed_pixels(width);
    int32_t most = packed / 4 < 9 ? packed / 4 : 9;
    for (size_t i = 0; i < count; i++) {
        // Two groups may have a separate implementation, also next to windows with another count.
        int32_t groups = i % 3 == 0 ? 2 : in_range(0, most);
        windows[i].groups = groups;
        windows[i].start = in_range(0, (packed - 4 * groups) / 2) * 2;
        windows[i].offset = in_range(0, TAPS - 4 * groups);
    }
    compare_windows(width, windows, count, TAPS);
}

// Windows for a change of width by a filter that spans `support` pixels of the wider row.
static void compare_scale(int32_t width, int32_t count, int32_t support) {
    static ck_window8 windows[2000];
    int32_t taps = 0;
    for (int32_t i = 0; i < count; i++) {
        int32_t reach = support * (width > count ? width / count + 1 : 1);
        int32_t center = (int32_t)((2 * (int64_t)i + 1) * width / (2 * count));
        int32_t first = center - reach > 0 ? center - reach : 0;
        int32_t last = center + reach < width - 1 ? center + reach : width - 1;
        windows[i].start = first & ~1;
        windows[i].groups = (last - windows[i].start) / 4 + 1;
        windows[i].offset = taps;
        taps += 4 * windows[i].groups;
    }
    compare_windows((size_t)width, windows, (size_t)count, (size_t)taps);
}

static void compare_horizontal(void) {
    static const size_t widths[] = {1, 6, 33, 67};
    begin("resize_horizontal8");
    for (size_t i = 0; i < COUNT(widths); i++) {
        for (size_t count = 1; count <= 67; count++) {
            compare_any_windows(widths[i], count);
        }
    }
    compare_scale(1, 1, 3);
    compare_scale(1, 2000, 3);
    compare_scale(3, 1001, 3);
    compare_scale(400, 401, 3);
    compare_scale(401, 400, 3);
    compare_scale(640, 101, 3);
    compare_scale(7001, 5, 3);
    compare_scale(8000, 1, 1);
    end();
}

// Filtering 8 bit rows vertically

// Levels of linear values.
enum { TABLE = 16321 };

typedef struct vertical {
    const int16_t *rows[40];
    const int16_t *coefficients;
    const uint8_t *table;
    size_t pairs;
    int32_t precision;
    size_t width;
    bool opaque;
    uint8_t *output;
} vertical;

static void run_vertical8(ck_isa isa, const void *arguments) {
    const vertical *a = arguments;
    ck_resize_vertical8_isa(isa, a->rows, a->coefficients, a->pairs, a->precision, a->width, a->opaque, a->output);
}

static void run_vertical8_linear(ck_isa isa, const void *arguments) {
    const vertical *a = arguments;
    ck_resize_vertical8_linear_isa(isa, a->rows, a->coefficients, a->pairs, a->precision, a->width, a->opaque,
                                   a->table, a->output);
}

// The runs of alpha along a row. Variants may have separate code for runs that are fully opaque or fully transparent.
typedef struct stretches {
    size_t length;
    size_t first;
} stretches;

static const int16_t *row_pair(size_t width, range range, stretches stretches) {
    int16_t *row = samples(8 * width, sizeof *row, range);
    for (size_t pixel = 0; pixel < width; pixel++) {
        int16_t *alpha = row + 8 * pixel + 6;
        switch ((pixel / stretches.length + stretches.first) % 4) {
        case 0: alpha[0] = alpha[1] = 16320; break;
        case 1: alpha[0] = alpha[1] = 0; break;
        // Overshoot, as caused by ringing.
        case 2: alpha[0] = alpha[1] = next() % 8 == 0 ? 17000 : 16320; break;
        default: break;
        }
    }
    return row;
}

static void compare_vertical_case(runner *run, vertical a, range range) {
    new_case();
    describe("width %zu, %zu pairs, numbers %d, precision %d, %s", a.width, a.pairs, (int)range, (int)a.precision,
             text(a.opaque));
    static const size_t lengths[] = {3, 9, 35};
    stretches stretches = {.length = lengths[next() % COUNT(lengths)]};
    stretches.first = next() % 4;
    for (size_t pair = 0; pair < a.pairs; pair++) {
        a.rows[pair] = row_pair(a.width, range, stretches);
    }
    int16_t *weights = coefficients(2 * a.pairs, range);
    if (range == PICTURE && a.precision < 16) {
        // They add up to one, so that full alpha stays full, which may have separate code.
        int32_t rest = 1 << a.precision;
        for (size_t i = 0; i + 1 < 2 * a.pairs; i++) {
            weights[i] = (int16_t)(rest / 2);
            rest -= weights[i];
        }
        weights[2 * a.pairs - 1] = (int16_t)rest;
    }
    a.coefficients = weights;
    if (a.table != NULL) {
        a.table = memcpy(take(TABLE, 1), a.table, TABLE);
    }
    a.output = take(4 * a.width, 1);
    output outputs[] = {{a.output, 4 * a.width}};
    compare(run, &a, outputs, 1);
}

static void compare_vertical(const char *name, runner *run, bool linear) {
    static const size_t pairs[] = {1, 2, 5, 40};
    static uint8_t table[TABLE];
    begin(name);
    for (size_t i = 0; i < TABLE; i++) {
        table[i] = (uint8_t)next();
    }
    for (size_t index = 0; index < WIDTHS; index++) {
        for (size_t i = 0; i < COUNT(pairs); i++) {
            for (range range = PICTURE; range < RANGES; range++) {
                for (size_t j = 0; j < COUNT(precisions); j++) {
                    vertical a = {.pairs = pairs[i], .precision = precisions[j], .width = width_at(index)};
                    a.table = linear ? table : NULL;
                    compare_vertical_case(run, a, range);
                    a.opaque = true;
                    compare_vertical_case(run, a, range);
                }
            }
        }
    }
    end();
}

// Checksum

typedef struct checksum {
    uint32_t before;
    const uint8_t *bytes;
    size_t count;
    uint8_t *after;
} checksum;

static void run_crc32c(ck_isa isa, const void *arguments) {
    const checksum *a = arguments;
    uint32_t after = ck_crc32c_isa(isa, a->before, a->bytes, a->count);
    memcpy(a->after, &after, sizeof after);
}

static void compare_checksum(void) {
    begin("crc32c");
    // All short lengths, then those around the lengths of parallel streams and of folded blocks.
    for (size_t index = 0; index < 400; index++) {
        new_case();
        checksum a = {.count = index < 300 ? index : 128 * (index - 298) - 1 + next() % 3};
        a.before = (uint32_t)next();
        describe("%zu bytes", a.count);
        uint8_t *bytes = take(a.count, 1);
        for (size_t i = 0; i < a.count; i++) {
            bytes[i] = (uint8_t)next();
        }
        a.bytes = bytes;
        a.after = take(sizeof a.before, 1);
        output outputs[] = {{a.after, sizeof a.before}};
        compare(run_crc32c, &a, outputs, 1);
    }
    end();
}

// Planes

typedef struct plane_packing {
    const uint8_t *rows[8];
    size_t width;
    int16_t *packed0;
    int16_t *packed1;
} plane_packing;

static void run_planes_pack8(ck_isa isa, const void *arguments) {
    const plane_packing *a = arguments;
    ck_planes_pack8_isa(isa, a->rows, a->width, a->packed0, a->packed1);
}

static void compare_planes_packing(void) {
    begin("planes_pack8");
    for (size_t index = 0; index < WIDTHS; index++) {
        // From all eight rows to one.
        for (int missing = 0; missing < 8; missing++) {
            new_case();
            plane_packing a = {.width = width_at(index)};
            describe("width %zu, %d rows missing", a.width, missing);
            for (int row = 0; row < 8; row++) {
                uint8_t *bytes = take(a.width, 1);
                for (size_t i = 0; i < a.width; i++) {
                    bytes[i] = (uint8_t)next();
                }
                // The last rows are missing, as at the end of a plane, or the first ones.
                bool is_missing = index % 2 == 0 ? row >= 8 - missing : row < missing;
                a.rows[row] = is_missing ? NULL : bytes;
            }
            size_t size = ck_resize_packed_pixels(a.width) * 4 * sizeof *a.packed0;
            a.packed0 = take(size, 32);
            a.packed1 = take(size, 32);
            output outputs[] = {{(uint8_t *)a.packed0, size}, {(uint8_t *)a.packed1, size}};
            compare(run_planes_pack8, &a, outputs, 2);
        }
    }
    end();
}

typedef struct plane_vertical {
    const int16_t *octets[12];
    const int16_t *coefficients;
    size_t count;
    int32_t precision;
    size_t width;
    int16_t *output;
} plane_vertical;

static void run_planes_vertical(ck_isa isa, const void *arguments) {
    const plane_vertical *a = arguments;
    ck_planes_vertical_isa(isa, a->octets, a->coefficients, a->count, a->precision, a->width, a->output);
}

static void compare_planes_vertical(void) {
    static const size_t counts[] = {1, 2, 5, 12};
    begin("planes_vertical");
    for (size_t index = 0; index < WIDTHS; index++) {
        for (size_t i = 0; i < COUNT(counts); i++) {
            for (range range = PICTURE; range < RANGES; range++) {
                for (size_t j = 0; j < COUNT(precisions); j++) {
                    new_case();
                    plane_vertical a = {.count = counts[i], .precision = precisions[j], .width = width_at(index)};
                    describe("width %zu, %zu octets, numbers %d, precision %d", a.width, a.count, (int)range,
                             (int)a.precision);
                    for (size_t octet = 0; octet < a.count; octet++) {
                        a.octets[octet] = samples(8 * a.width, sizeof(int16_t), range);
                    }
                    a.coefficients = coefficients(8 * a.count, range);
                    a.output = take(a.width * sizeof *a.output, sizeof *a.output);
                    output outputs[] = {{(uint8_t *)a.output, a.width * sizeof *a.output}};
                    compare(run_planes_vertical, &a, outputs, 1);
                }
            }
        }
    }
    end();
}

typedef struct plane_color {
    const int16_t *y;
    const int16_t *cb;
    const int16_t *cr;
    size_t width;
    uint8_t *output;
} plane_color;

static void run_planes_ycc_rgba8(ck_isa isa, const void *arguments) {
    const plane_color *a = arguments;
    ck_planes_ycc_rgba8_isa(isa, a->y, a->cb, a->cr, a->width, a->output);
}

static void run_planes_limited_rgba8(ck_isa isa, const void *arguments) {
    const plane_color *a = arguments;
    ck_planes_limited_rgba8_isa(isa, a->y, a->cb, a->cr, a->width, a->output);
}

static void run_planes_gray_rgba8(ck_isa isa, const void *arguments) {
    const plane_color *a = arguments;
    ck_planes_gray_rgba8_isa(isa, a->y, a->width, a->output);
}

static void compare_plane_color(const char *name, runner *run) {
    begin(name);
    for (size_t index = 0; index < WIDTHS; index++) {
        for (range range = PICTURE; range < RANGES; range++) {
            for (int again = 0; again < 10; again++) {
                new_case();
                plane_color a = {.width = width_at(index)};
                describe("width %zu, numbers %d", a.width, (int)range);
                a.y = samples(a.width, sizeof(int16_t), range);
                a.cb = samples(a.width, sizeof(int16_t), range);
                a.cr = samples(a.width, sizeof(int16_t), range);
                a.output = take(4 * a.width, 1);
                output outputs[] = {{a.output, 4 * a.width}};
                compare(run, &a, outputs, 1);
            }
        }
    }
    end();
}

// Rows of 16 bits and of floats

typedef struct row_change {
    const void *row;
    const float *table;
    size_t width;
    bool opaque;
    void *output;
} row_change;

#define RUN_ROW_CHANGE(name)                                                                                          \
    static void run_##name(ck_isa isa, const void *arguments) {                                                       \
        const row_change *a = arguments;                                                                              \
        ck_resize_##name##_isa(isa, a->row, a->width, a->opaque, a->output);                                          \
    }

RUN_ROW_CHANGE(pack_rgba16)
RUN_ROW_CHANGE(pack_rgbaf)
RUN_ROW_CHANGE(unpack_rgba16)
RUN_ROW_CHANGE(unpack_rgbaf)

// These have one variant, which is run repeatedly all the same, to reveal bytes that it does not write.
#define RUN_ONE_ROW_CHANGE(name)                                                                                      \
    static void run_##name(ck_isa isa, const void *arguments) {                                                       \
        const row_change *a = arguments;                                                                              \
        (void)isa;                                                                                                    \
        ck_resize_##name(a->row, a->width, a->opaque, a->output);                                                     \
    }

RUN_ONE_ROW_CHANGE(pack_rgbaf_linear)
RUN_ONE_ROW_CHANGE(unpack_rgba16_linear)
RUN_ONE_ROW_CHANGE(unpack_rgbaf_linear)

static void run_pack_rgba16_linear(ck_isa isa, const void *arguments) {
    const row_change *a = arguments;
    (void)isa;
    ck_resize_pack_rgba16_linear(a->row, a->width, a->opaque, a->table, a->output);
}

// From 0 to a little more than 1, or of any magnitude and sign. Exact, and so the same on all processors.
static float number(range range) {
    float value = (float)in_range(range == PICTURE ? 0 : -1100000, 1100000) / 1048576;
    if (range == PICTURE) {
        return value;
    }
    int32_t power = in_range(-20, 20);
    return power < 0 ? value / (float)(1 << -power) : value * (float)(1 << power);
}

static float *numbers(size_t count, range range) {
    float *result = take(count * sizeof *result, sizeof *result);
    for (size_t i = 0; i < count; i++) {
        result[i] = number(range);
    }
    return result;
}

// Floating-point pixels with special alphas. Colors are never NaN, whose bits differ between processors.
static float *float_pixels(size_t width, range range) {
    static const float alphas[] = {0, -0.0f, 1, -1, 2, 1e-6f, 1e-40f, INFINITY, -INFINITY, NAN};
    float *row = numbers(4 * width, range);
    for (size_t pixel = 0; pixel < width; pixel++) {
        if (next() % 2 == 0) {
            row[4 * pixel + 3] = alphas[next() % COUNT(alphas)];
        }
    }
    return row;
}

// The source and target formats of a row change.
typedef enum rows { WHOLE_TO_FLOAT, FLOAT_TO_FLOAT, WORKING_TO_WHOLE, WORKING_TO_FLOAT } rows;

static void compare_row_change(const char *name, runner *run, rows rows) {
    static float table[65536];
    begin(name);
    for (size_t i = 0; i < COUNT(table); i++) {
        table[i] = number(PICTURE);
    }
    for (size_t index = 0; index < WIDTHS; index++) {
        for (range range = PICTURE; range < OUTERMOST; range++) {
            for (int again = 0; again < 10; again++) {
                new_case();
                row_change a = {.table = table, .width = width_at(index), .opaque = again % 2 == 0};
                describe("width %zu, numbers %d, %s", a.width, (int)range, text(a.opaque));
                if (rows == WHOLE_TO_FLOAT) {
                    a.row = samples(4 * a.width, sizeof(uint16_t), ANY);
                } else if (rows == FLOAT_TO_FLOAT) {
                    a.row = numbers(4 * a.width, range);
                } else {
                    a.row = float_pixels(a.width, range);
                }
                size_t value = rows == WORKING_TO_WHOLE ? sizeof(uint16_t) : sizeof(float);
                a.output = take(4 * a.width * value, value);
                output outputs[] = {{a.output, 4 * a.width * value}};
                compare(run, &a, outputs, 1);
            }
        }
    }
}

typedef struct float_horizontal {
    const float *row;
    const ck_window_f32 *windows;
    const float *coefficients;
    size_t count;
    float *output;
} float_horizontal;

static void run_horizontal_f32(ck_isa isa, const void *arguments) {
    const float_horizontal *a = arguments;
    ck_resize_horizontal_f32_isa(isa, a->row, a->windows, a->coefficients, a->count, a->output);
}

static void compare_float_horizontal(void) {
    enum { TAPS = 1000 };
    begin("resize_horizontal_f32");
    for (size_t index = 0; index < WIDTHS; index++) {
        for (range range = PICTURE; range < OUTERMOST; range++) {
            new_case();
            int32_t width = (int32_t)width_at(WIDTHS - 1 - index);
            float_horizontal a = {.count = width_at(index)};
            describe("%d pixels to %zu, numbers %d", (int)width, a.count, (int)range);
            ck_window_f32 *windows = take(a.count * sizeof *windows, sizeof windows->start);
            for (size_t i = 0; i < a.count; i++) {
                windows[i].taps = i == 0 ? width : in_range(0, width < 13 ? width : 13);
                windows[i].start = in_range(0, width - windows[i].taps);
                windows[i].offset = in_range(0, TAPS - windows[i].taps);
            }
            a.windows = windows;
            a.row = numbers(4 * (size_t)width, range);
            a.coefficients = numbers(TAPS, range);
            size_t size = 4 * a.count * sizeof *a.output;
            a.output = take(size, sizeof *a.output);
            output outputs[] = {{(uint8_t *)a.output, size}};
            compare(run_horizontal_f32, &a, outputs, 1);
        }
    }
    end();
}

typedef struct float_vertical {
    const float *rows[40];
    const float *coefficients;
    size_t taps;
    size_t width;
    float *output;
} float_vertical;

static void run_vertical_f32(ck_isa isa, const void *arguments) {
    const float_vertical *a = arguments;
    ck_resize_vertical_f32_isa(isa, a->rows, a->coefficients, a->taps, a->width, a->output);
}

static void compare_float_vertical(void) {
    static const size_t taps[] = {1, 2, 7, 40};
    begin("resize_vertical_f32");
    for (size_t index = 0; index < WIDTHS; index++) {
        for (size_t i = 0; i < COUNT(taps); i++) {
            for (range range = PICTURE; range < OUTERMOST; range++) {
                new_case();
                float_vertical a = {.taps = taps[i], .width = width_at(index)};
                describe("width %zu, %zu taps, numbers %d", a.width, a.taps, (int)range);
                for (size_t tap = 0; tap < a.taps; tap++) {
                    a.rows[tap] = numbers(4 * a.width, range);
                }
                a.coefficients = numbers(a.taps, range);
                size_t size = 4 * a.width * sizeof *a.output;
                a.output = take(size, sizeof *a.output);
                output outputs[] = {{(uint8_t *)a.output, size}};
                compare(run_vertical_f32, &a, outputs, 1);
            }
        }
    }
    end();
}

// Rows of PNG

typedef struct unfiltering {
    ck_filter filter;
    const uint8_t *filtered;
    const uint8_t *above;
    size_t count;
    size_t step;
    uint8_t *row;
} unfiltering;

static void run_unfilter(ck_isa isa, const void *arguments) {
    const unfiltering *a = arguments;
    memcpy(a->row, a->filtered, a->count);
    ck_unfilter_isa(isa, a->filter, a->row, a->above, a->count, a->step);
}

// Random bytes; or only the smallest and the largest, so that sums overflow and predictions tie.
static uint8_t *row_bytes(size_t count, bool outermost) {
    uint8_t *row = take(count, 1);
    for (size_t i = 0; i < count; i++) {
        row[i] = outermost ? (uint8_t)(in_range(0, 1) * UINT8_MAX) : (uint8_t)next();
    }
    return row;
}

static void compare_unfiltering(void) {
    static const size_t steps[] = {1, 2, 3, 4, 6, 8};
    begin("unfilter");
    for (size_t index = 0; index < WIDTHS; index++) {
        for (size_t i = 0; i < COUNT(steps); i++) {
            for (int kind = 0; kind < 2 * CK_FILTER_COUNT; kind++) {
                new_case();
                bool outermost = kind % 2 == 1;
                unfiltering a = {
                    .filter = (ck_filter)(kind / 2), .count = width_at(index) * steps[i], .step = steps[i]};
                describe("filter %d, %zu pixels of %zu bytes, %s", kind / 2, width_at(index), steps[i],
                         outermost ? "extreme" : "random");
                a.filtered = row_bytes(a.count, outermost);
                a.above = row_bytes(a.count, outermost);
                a.row = take(a.count, 1);
                output outputs[] = {{a.row, a.count}};
                compare(run_unfilter, &a, outputs, 1);
            }
        }
    }
    end();
}

typedef struct filtering {
    ck_filter filter;
    const uint8_t *row;
    const uint8_t *above;
    size_t count;
    size_t step;
    uint8_t *filtered;
    uint64_t *sum;
} filtering;

static void run_filter(ck_isa isa, const void *arguments) {
    const filtering *a = arguments;
    *a->sum = ck_filter_row_isa(isa, a->filter, a->filtered, a->row, a->above, a->count, a->step);
}

static void compare_filtering(void) {
    static const size_t steps[] = {1, 2, 3, 4, 6, 8};
    begin("filter");
    for (size_t index = 0; index < WIDTHS; index++) {
        for (size_t i = 0; i < COUNT(steps); i++) {
            for (int kind = 0; kind < 2 * CK_FILTER_COUNT; kind++) {
                new_case();
                bool outermost = kind % 2 == 1;
                filtering a = {
                    .filter = (ck_filter)(kind / 2), .count = width_at(index) * steps[i], .step = steps[i]};
                describe("filter %d, %zu pixels of %zu bytes, %s", kind / 2, width_at(index), steps[i],
                         outermost ? "extreme" : "random");
                a.row = row_bytes(a.count, outermost);
                a.above = row_bytes(a.count, outermost);
                a.filtered = take(a.count, 1);
                a.sum = take(sizeof *a.sum, sizeof *a.sum);
                output outputs[] = {{a.filtered, a.count}, {(uint8_t *)a.sum, sizeof *a.sum}};
                compare(run_filter, &a, outputs, 2);
            }
        }
    }
    end();
}

typedef struct expansion {
    const uint8_t *row;
    const uint8_t *key;
    size_t width;
    uint8_t *output;
} expansion;

static void run_expand_rgb8(ck_isa isa, const void *arguments) {
    const expansion *a = arguments;
    ck_expand_rgb8_isa(isa, a->row, a->width, a->key, a->output);
}

static void compare_expansion(void) {
    begin("expand_rgb8");
    for (size_t index = 0; index < WIDTHS; index++) {
        for (int keyed = 0; keyed < 2; keyed++) {
            new_case();
            expansion a = {.width = width_at(index)};
            describe("width %zu, %s transparent color", a.width, keyed ? "a" : "no");
            // With extreme bytes, an eighth of the pixels has the transparent color.
            a.row = row_bytes(3 * a.width, keyed);
            a.key = keyed ? row_bytes(3, true) : NULL;
            a.output = take(4 * a.width, 1);
            output outputs[] = {{a.output, 4 * a.width}};
            compare(run_expand_rgb8, &a, outputs, 1);
        }
    }
    end();
}

typedef struct coloring {
    ck_color8 color;
    const uint8_t *pixels;
    size_t width;
    uint8_t *output;
} coloring;

static void run_convert_color8(ck_isa isa, const void *arguments) {
    const coloring *a = arguments;
    memcpy(a->output, a->pixels, 4 * a->width);
    ck_convert_color8_isa(isa, &a->color, a->output, a->width);
}

static void compare_coloring(void) {
    enum { SHARES = 3 * 256 * 4, LIGHT = CK_COLOR_LIGHT << CK_COLOR8_FRACTION };
    // As in most conversions; and the extremes, of which three fit into 32 bits.
    static const int32_t most[] = {LIGHT / 2, INT32_MAX / 3};
    begin("convert_color8");
    for (size_t index = 0; index < WIDTHS; index++) {
        for (size_t i = 0; i < COUNT(most); i++) {
            new_case();
            coloring a = {.width = width_at(index)};
            describe("width %zu, shares up to %d", a.width, most[i]);
            int32_t *shares = take(SHARES * sizeof *shares, sizeof *shares);
            for (size_t share = 0; share < SHARES; share++) {
                shares[share] = share % 4 == 3 ? 0 : in_range(-most[i] / 4, most[i]);
            }
            a.color.shares = shares;
            for (int channel = 0; channel < 3; channel++) {
                a.color.levels[channel] = row_bytes(CK_COLOR_LIGHT + 1, false);
            }
            a.pixels = row_bytes(4 * a.width, false);
            a.output = take(4 * a.width, 1);
            output outputs[] = {{a.output, 4 * a.width}};
            compare(run_convert_color8, &a, outputs, 1);
        }
    }
    end();
}

// Drawing and coloring pixels of all formats. Most of these kernels have no variants. Results are the same everywhere.

typedef enum pixel_format { RGBA8, RGBA16, RGBA_FLOAT, PIXEL_FORMATS } pixel_format;

static const size_t pixel_sizes[] = {4, 8, 16};

typedef struct drawing {
    pixel_format format;
    ck_blend_mode mode;
    float opacity;
    const float *columns;
    const void *pixels;
    const void *below;
    size_t width;
    void *output;
} drawing;

static void run_over(ck_isa isa, const void *arguments) {
    (void)isa;
    const drawing *a = arguments;
    memcpy(a->output, a->below, a->width * pixel_sizes[a->format]);
    switch (a->format) {
    case RGBA8: ck_over_rgba8(a->pixels, a->output, a->width); break;
    case RGBA16: ck_over_rgba16(a->pixels, a->output, a->width); break;
    default: ck_over_rgba_float(a->pixels, a->output, a->width);
    }
}

static void run_blend(ck_isa isa, const void *arguments) {
    (void)isa;
    const drawing *a = arguments;
    memcpy(a->output, a->below, a->width * pixel_sizes[a->format]);
    switch (a->format) {
    case RGBA8: ck_blend_rgba8(a->mode, a->pixels, a->opacity, a->output, a->width); break;
    case RGBA16: ck_blend_rgba16(a->mode, a->pixels, a->opacity, a->output, a->width); break;
    default: ck_blend_rgba_float(a->mode, a->pixels, a->opacity, a->output, a->width);
    }
}

static void run_matrix(ck_isa isa, const void *arguments) {
    (void)isa;
    const drawing *a = arguments;
    switch (a->format) {
    case RGBA8: ck_matrix_rgba8(a->columns, a->pixels, a->output, a->width); break;
    case RGBA16: ck_matrix_rgba16(a->columns, a->pixels, a->output, a->width); break;
    default: ck_matrix_rgba_float(a->columns, a->pixels, a->output, a->width);
    }
}

static void run_sharpen(ck_isa isa, const void *arguments) {
    const drawing *a = arguments;
    float amount = 3 * a->opacity;
    switch (a->format) {
    case RGBA8: ck_sharpen_rgba8_isa(isa, a->pixels, a->below, amount, 0.05f, a->output, a->width); break;
    case RGBA16: ck_sharpen_rgba16_isa(isa, a->pixels, a->below, amount, 0.05f, a->output, a->width); break;
    default: ck_sharpen_rgba_float(a->pixels, a->below, amount, 0.05f, a->output, a->width);
    }
}

typedef struct sampling {
    const float *pixels;
    size_t width;
    float x, y, dx, dy;
    size_t count;
    float *output;
} sampling;

static void run_sample(ck_isa isa, const void *arguments) {
    const sampling *a = arguments;
    ck_sample_cubic_rgba_float_isa(isa, a->pixels, a->width, a->x, a->y, a->dx, a->dy, a->count, a->output);
}

static float fraction(void) {
    return (float)(next() >> 40) / (float)(1 << 24);
}

// Random channels. A quarter of the pixels is transparent, and a quarter is opaque.
static void *drawn_pixels(pixel_format format, size_t width) {
    uint8_t *row = take(width * pixel_sizes[format], format == RGBA_FLOAT ? 4 : format == RGBA16 ? 2 : 1);
    for (size_t i = 0; i < 4 * width; i++) {
        uint64_t kind = i % 4 == 3 ? next() % 4 : 2;
        float level = kind == 0 ? 0 : kind == 1 ? 1 : fraction();
        switch (format) {
        case RGBA8: row[i] = (uint8_t)(level * 255); break;
        case RGBA16: ((uint16_t *)row)[i] = (uint16_t)(level * 65535); break;
        default: ((float *)row)[i] = level;
        }
    }
    return row;
}

static void compare_drawing(const char *name, runner *run, int modes) {
    static const size_t widths[] = {1, 15, 16, 17, 63, 64, 65, 129};
    begin(name);
    for (int mode = 0; mode < modes; mode++) {
        for (size_t index = 0; index < COUNT(widths); index++) {
            for (pixel_format format = RGBA8; format < PIXEL_FORMATS; format++) {
                for (int half = 0; half < 2; half++) {
                    new_case();
                    drawing a = {.format = format,
                                 .mode = (ck_blend_mode)mode,
                                 .opacity = half ? 0.5f : 1,
                                 .width = widths[index]};
                    describe("mode %d, format %d, width %zu, opacity %g", mode, format, a.width, (double)a.opacity);
                    a.pixels = drawn_pixels(format, a.width);
                    a.below = drawn_pixels(format, a.width);
                    float *columns = take(20 * sizeof *columns, sizeof *columns);
                    for (int i = 0; i < 20; i++) columns[i] = 2 * fraction() - 0.5f;
                    a.columns = columns;
                    size_t size = a.width * pixel_sizes[format];
                    a.output = take(size, format == RGBA_FLOAT ? 4 : format == RGBA16 ? 2 : 1);
                    output outputs[] = {{a.output, size}};
                    compare(run, &a, outputs, 1);
                }
            }
        }
    }
    end();
}

static void compare_sampling(void) {
    // The farthest places are next to the last pixel but two, so that reading beyond the picture is noticed.
    static const struct {
        float x, y, dx, dy;
        size_t count;
    } lines[] = {{1, 1, 1, 0, 1}, {1, 1, 0.5f, 0.25f, 11}, {6.999f, 1, -0.55f, 0.3f, 11}, {1, 6.999f, 0.4f, -0.4f, 13}};
    begin("sample_cubic");
    for (size_t index = 0; index < COUNT(lines); index++) {
        new_case();
        sampling a = {.width = 9,
                      .x = lines[index].x,
                      .y = lines[index].y,
                      .dx = lines[index].dx,
                      .dy = lines[index].dy,
                      .count = lines[index].count};
        describe("line %zu", index);
        a.pixels = drawn_pixels(RGBA_FLOAT, 81);
        a.output = take(a.count * 16, 4);
        output outputs[] = {{(uint8_t *)a.output, a.count * 16}};
        compare(run_sample, &a, outputs, 1);
    }
    end();
}

int main(void) {
    struct sigaction action = {.sa_handler = touched};
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGBUS, &action, NULL);
    make_slots();
#if defined(__aarch64__)
    if (ck_best_isa() < CK_NEON) {
        fail("NEON was not detected on this arm64 processor");
    }
#endif
    compare_packing("resize_pack8", run_pack8);
    compare_horizontal();
    compare_vertical("resize_vertical8", run_vertical8, false);
    compare_packing("resize_pack8_linear", run_pack8_linear);
    compare_vertical("resize_vertical8_linear", run_vertical8_linear, true);
    compare_planes_packing();
    compare_planes_vertical();
    compare_plane_color("planes_ycc_rgba8", run_planes_ycc_rgba8);
    compare_plane_color("planes_limited_rgba8", run_planes_limited_rgba8);
    compare_plane_color("planes_gray_rgba8", run_planes_gray_rgba8);
    compare_checksum();
    compare_unfiltering();
    compare_filtering();
    compare_expansion();
    compare_coloring();
    compare_drawing("over", run_over, 1);
    compare_drawing("blend", run_blend, CK_BLEND_LIGHTER + 1);
    compare_drawing("matrix", run_matrix, 1);
    compare_drawing("sharpen", run_sharpen, 1);
    compare_sampling();
    compare_row_change("resize_pack_rgba16", run_pack_rgba16, WHOLE_TO_FLOAT);
    end();
    compare_row_change("resize_pack_rgbaf", run_pack_rgbaf, FLOAT_TO_FLOAT);
    end();
    compare_float_horizontal();
    compare_float_vertical();
    compare_row_change("resize_unpack_rgba16", run_unpack_rgba16, WORKING_TO_WHOLE);
    end();
    compare_row_change("resize_unpack_rgbaf", run_unpack_rgbaf, WORKING_TO_FLOAT);
    end();
    compare_row_change("resize_pack_rgba16_linear", run_pack_rgba16_linear, WHOLE_TO_FLOAT);
    end();
    // The power function may differ between C libraries in its last bit, so these have no digest.
    compare_row_change("resize_pack_rgbaf_linear", run_pack_rgbaf_linear, FLOAT_TO_FLOAT);
    compare_row_change("resize_unpack_rgba16_linear", run_unpack_rgba16_linear, WORKING_TO_WHOLE);
    compare_row_change("resize_unpack_rgbaf_linear", run_unpack_rgbaf_linear, WORKING_TO_FLOAT);
    return 0;
}
