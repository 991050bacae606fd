/// The baselines of the rows that are written in C, and the system functions that the harness needs.
///
/// A floor does the least work that yields the same result.
#ifndef BENCHMARK_FLOORS_H
#define BENCHMARK_FLOORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Files

/// Creates a directory and its parents, for their owner alone. Returns 0, also if it exists, or the error number.
int benchmark_make_directories(const char *path);

/// Writes a new file, closes it and renames it, replacing any file of that name. Returns 0 or the error number.
int benchmark_write_and_rename(const char *temporary_path, const char *path, const void *bytes, size_t count);

/// Reads a file that should have `count` bytes, after asking for its length. Returns memory to be released with free();
/// NULL if that fails.
void *benchmark_read(const char *path, size_t count);

// PNG

/// Decodes a PNG to rows of RGBA at 8 bits without padding. Returns memory to be released with free(); NULL if that
/// fails. Exists where the trait PNG is on.
uint8_t *benchmark_png_decode(const void *bytes, size_t count, uint32_t *width, uint32_t *height);

/// Decodes a PNG likewise, from a file that should have `count` bytes. Exists where the trait PNG is on.
uint8_t *benchmark_png_decode_file(const char *path, size_t count, uint32_t *width, uint32_t *height);

/// Decodes a PNG of RGB at 8 bits likewise, from a file that should have `count` bytes, with libdeflate and without
/// libpng. Exists where the trait DEFLATE is on.
uint8_t *benchmark_deflate_decode_file(const char *path, size_t count, uint32_t *width, uint32_t *height);

/// A size in pixels.
typedef struct benchmark_size {
    uint32_t width;
    uint32_t height;
} benchmark_size;

/// Rows as PNG stores them: without padding, channels of 16 bits in big-endian order.
typedef struct benchmark_png_rows {
    const uint8_t *bytes;
    /// The number of bytes of all rows.
    size_t count;
    benchmark_size size;
    /// The color type and the number of bits of a channel or index. Source: W3C PNG, third edition, section 11.2.1.
    int color_type;
    int bit_depth;
    /// The colors of a palette, three bytes each, and their number; NULL and 0 for other color types.
    const uint8_t *palette;
    int palette_count;
} benchmark_png_rows;

/// Encodes rows with libpng's default filters and zlib level 6. Returns memory to be released with free(), and the
/// number of bytes; NULL if that fails. Exists where the trait PNG is on.
uint8_t *benchmark_png_encode(const benchmark_png_rows *rows, size_t *count);

/// Loads libspng. Returns false if it is not installed. Call this once, before the next two functions.
bool benchmark_spng_load(void);

/// Decodes a PNG with libspng to rows of RGBA at 8 bits without padding, into memory of `capacity` bytes. Returns
/// whether that succeeds.
bool benchmark_spng_decode(const void *bytes, size_t count, uint8_t *pixels, size_t capacity);

/// Encodes rows with the defaults of libspng. Returns memory to be released with free(), and the number of bytes; NULL
/// if that fails.
uint8_t *benchmark_spng_encode(const benchmark_png_rows *rows, size_t *count);

// JPEG

/// Decodes a JPEG, divided by 1, 2, 4 or 8, to rows of RGBA at 8 bits without padding, into memory of `capacity` bytes.
/// Uses the accurate integer transform and smooth upsampling. Returns the size, which is zero if that fails. Exists
/// where the trait JPEG is on.
benchmark_size benchmark_jpeg_decode(
    const void *bytes, size_t count, unsigned divisor, uint8_t *pixels, size_t capacity);

/// Decodes a JPEG likewise, `repeats` times on `thread_count` threads, each with its own memory for the pixels. Returns
/// false if that fails. Exists where the trait JPEG is on.
bool benchmark_jpeg_decode_often(
    const void *bytes, size_t count, unsigned divisor, size_t capacity, size_t repeats, size_t thread_count);

/// Encodes rows of opaque RGBA at 8 bits as 4:2:0 with a quality of 1...100. Returns memory to be released with free(),
/// and the number of bytes; NULL if that fails. Exists where the trait JPEG is on.
uint8_t *benchmark_jpeg_encode(
    const uint8_t *pixels, size_t row_length, benchmark_size size, int quality, size_t *count);

// Color

/// Returns an ICC profile of Display P3, to be released with free(), and its length; NULL if that fails. Exists where the
/// trait COLOR is on.
uint8_t *benchmark_p3_profile(size_t *count);

/// Creates Little CMS's fastest accurate transform from a profile to sRGB, for RGBA with channels of 1 or 2 bytes.
/// Returns NULL if that fails. Exists where the trait COLOR is on.
void *benchmark_color_transform(const void *profile, size_t count, size_t channel_length);

/// Converts pixels in place. Exists where the trait COLOR is on.
void benchmark_color_convert(void *transform, void *pixels, size_t count);

/// Releases a transform. Exists where the trait COLOR is on.
void benchmark_color_free(void *transform);

// WebP

/// Decodes a WebP to rows of RGBA at 8 bits without padding, into memory of `capacity` bytes. Returns the size, which
/// is zero if that fails. Exists where the trait WEBP is on.
benchmark_size benchmark_webp_decode(const void *bytes, size_t count, uint8_t *pixels, size_t capacity);

/// The kind of a WebP: whether it has alpha and whether it is lossless.
typedef struct benchmark_webp_kind {
    bool has_alpha;
    bool is_lossless;
} benchmark_webp_kind;

/// Encodes rows of RGBA at 8 bits with libwebp's defaults and a quality of 75. Returns memory to be released with
/// free(), and the number of bytes; NULL if that fails. Exists where the trait WEBP is on.
uint8_t *benchmark_webp_encode(
    const uint8_t *pixels, size_t row_length, benchmark_size size, benchmark_webp_kind kind, size_t *count);

/// Composes all frames of an animated WebP with libwebp's own animation decoder, and copies the last one. Returns the
/// number of frames, 0 if that fails. Exists where the trait WEBP is on.
size_t benchmark_webp_play(const void *bytes, size_t count, uint8_t *last, size_t capacity);

// GIF

/// Composes all frames of a GIF on one canvas of RGBA at 8 bits and `capacity` bytes, which holds the last frame at the
/// end. Copies each frame if `copies` is true. Returns the number of frames, 0 if that fails. Exists where the trait
/// GIF is on.
size_t benchmark_gif_play(const void *bytes, size_t count, uint8_t *last, size_t capacity, bool copies);

/// Encodes rows of opaque RGBA at 8 bits with at most 256 colors. Returns memory to be released with free(), and the
/// number of bytes; NULL if that fails. Exists where the trait GIF is on.
uint8_t *benchmark_gif_encode(const uint8_t *pixels, size_t row_length, benchmark_size size, size_t *count);

// HEIF

/// Decodes a HEIC or AVIF to rows of RGBA at 8 bits without padding, into memory of `capacity` bytes. Returns the size,
/// which is zero if that fails. Exists where the trait HEIF is on.
benchmark_size benchmark_heif_decode(const void *bytes, size_t count, uint8_t *pixels, size_t capacity);

/// Encodes rows of opaque RGBA at 8 bits as HEIC or AVIF, 4:2:0 with a quality of 75. Returns memory to be released
/// with free(), and the number of bytes; NULL if that fails. Exists where the trait HEIF is on.
uint8_t *benchmark_heif_encode(
    const uint8_t *pixels, size_t row_length, benchmark_size size, bool is_avif, size_t *count);

// HTTP

/// A libcurl client on the calling thread, with its connections.
typedef struct benchmark_http benchmark_http;

/// Creates a client that keeps `concurrency` transfers in flight; NULL if that fails. Exists where the trait HTTP is
/// on.
benchmark_http *benchmark_http_create(size_t concurrency);

/// Loads `count` addresses, `ADDRESS?0`, `ADDRESS?1` and so on, each into memory. Returns false unless all of them
/// respond with status 200 and `length` bytes. Exists where the trait HTTP is on.
bool benchmark_http_get(benchmark_http *client, const char *address, size_t count, size_t length);

/// Closes the connections. Exists where the trait HTTP is on.
void benchmark_http_free(benchmark_http *client);

// Allocations

/// The allocations of one thread.
typedef struct benchmark_allocations {
    /// The calls of malloc, calloc, realloc, posix_memalign and aligned_alloc, from any library.
    uint64_t calls;
    /// The sum of the requested bytes.
    uint64_t bytes;
} benchmark_allocations;

/// Begins to count the allocations of this thread. Counts nothing if the C library is not glibc, and under sanitizers.
void benchmark_allocations_start(void);

/// Ends counting, and returns the allocations since the start.
benchmark_allocations benchmark_allocations_stop(void);

// Peers in other processes

/// Runs a program, which is looked up in PATH. The first argument is its name, the last one NULL. Its standard output
/// is discarded. Returns its exit status; -1 if it could not be started or was killed.
int benchmark_run(char *const arguments[]);

/// A process that answers each line with a line.
typedef struct benchmark_worker benchmark_worker;

/// Starts `program` with a script as its only argument; NULL if it cannot be started.
benchmark_worker *benchmark_worker_start(const char *program, const char *script);

/// Sends a line, unless it is NULL, and waits for the answer. The answer has no line break and is valid until the next
/// call. Returns NULL if the process has ended.
const char *benchmark_worker_ask(benchmark_worker *worker, const char *question);

/// Closes the process's standard input, which ends it, and waits for its end.
void benchmark_worker_end(benchmark_worker *worker);

#endif
