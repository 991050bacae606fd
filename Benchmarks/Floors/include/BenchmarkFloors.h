/// What the rows are measured against, where that is written in C, and what the harness needs of the system.
///
/// A floor does the least that anybody must do to get the same result.
#ifndef BENCHMARK_FLOORS_H
#define BENCHMARK_FLOORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Files

/// Makes a directory and those it is in, for their owner alone; 0 also when it is there. Returns 0 or the error number.
int benchmark_make_directories(const char *path);

/// Writes a new file, closes it and gives it its name, in place of the file that had it. Returns 0 or the error number.
int benchmark_write_and_rename(const char *temporary_path, const char *path, const void *bytes, size_t count);

/// Reads a file that should have `count` bytes, after looking how many it has. Returns memory to be released with
/// free(); NULL when that fails.
void *benchmark_read(const char *path, size_t count);

// PNG

/// Decodes a PNG to rows of RGBA at 8 bits that follow each other without padding. Returns memory to be released with
/// free(); NULL when that fails. Exists where the trait PNG is on.
uint8_t *benchmark_png_decode(const void *bytes, size_t count, uint32_t *width, uint32_t *height);

/// Decodes a PNG like that, from a file that should have `count` bytes. Exists where the trait PNG is on.
uint8_t *benchmark_png_decode_file(const char *path, size_t count, uint32_t *width, uint32_t *height);

/// A size in pixels.
typedef struct benchmark_size {
    uint32_t width;
    uint32_t height;
} benchmark_size;

/// Encodes rows of RGBA at 8 bits as RGB, or with alpha, by zlib's level 6. Returns memory to be released with free(),
/// and how many bytes there are; NULL when that fails. Exists where the trait PNG is on.
uint8_t *benchmark_png_encode(
    const uint8_t *pixels, size_t row_length, benchmark_size size, bool has_alpha, size_t *count);

// JPEG

/// Decodes a JPEG, divided by 1, 2, 4 or 8, to rows of RGBA at 8 bits that follow each other without padding, in memory
/// of `capacity` bytes. The accurate integer transform and smooth upsampling. Returns the size, of zeros when that
/// fails. Exists where the trait JPEG is on.
benchmark_size benchmark_jpeg_decode(
    const void *bytes, size_t count, unsigned divisor, uint8_t *pixels, size_t capacity);

/// Decodes a JPEG like that, so often, on so many threads, each of which has memory for the pixels. False when that
/// fails. Exists where the trait JPEG is on.
bool benchmark_jpeg_decode_often(
    const void *bytes, size_t count, unsigned divisor, size_t capacity, size_t repeats, size_t thread_count);

/// Encodes rows of opaque RGBA at 8 bits, as 4:2:0 with a quality of 1...100. Returns memory to be released with
/// free(), and how many bytes there are; NULL when that fails. Exists where the trait JPEG is on.
uint8_t *benchmark_jpeg_encode(
    const uint8_t *pixels, size_t row_length, benchmark_size size, int quality, size_t *count);

// WebP

/// Decodes a WebP to rows of RGBA at 8 bits that follow each other without padding, in memory of `capacity` bytes.
/// Returns the size, of zeros when that fails. Exists where the trait WEBP is on.
benchmark_size benchmark_webp_decode(const void *bytes, size_t count, uint8_t *pixels, size_t capacity);

/// What a WebP is written of and as.
typedef struct benchmark_webp_kind {
    bool has_alpha;
    bool is_lossless;
} benchmark_webp_kind;

/// Encodes rows of RGBA at 8 bits with libwebp's defaults and a quality of 75. Returns memory to be released with
/// free(), and how many bytes there are; NULL when that fails. Exists where the trait WEBP is on.
uint8_t *benchmark_webp_encode(
    const uint8_t *pixels, size_t row_length, benchmark_size size, benchmark_webp_kind kind, size_t *count);

/// Composes all frames of an animated WebP by libwebp's own animation decoder, and copies the last one. Returns the
/// number of frames, 0 when that fails. Exists where the trait WEBP is on.
size_t benchmark_webp_play(const void *bytes, size_t count, uint8_t *last, size_t capacity);

// GIF

/// Composes all frames of a GIF on one canvas of RGBA at 8 bits, `capacity` bytes, which has the last one in the end,
/// and copies each if told so. Returns the number of frames, 0 when that fails. Exists where the trait GIF is on.
size_t benchmark_gif_play(const void *bytes, size_t count, uint8_t *last, size_t capacity, bool copies);

/// Encodes rows of opaque RGBA at 8 bits that have 256 colors at most. Returns memory to be released with free(), and
/// how many bytes there are; NULL when that fails. Exists where the trait GIF is on.
uint8_t *benchmark_gif_encode(const uint8_t *pixels, size_t row_length, benchmark_size size, size_t *count);

// HEIF

/// Decodes a HEIC or AVIF to rows of RGBA at 8 bits that follow each other without padding, in memory of `capacity`
/// bytes. Returns the size, of zeros when that fails. Exists where the trait HEIF is on.
benchmark_size benchmark_heif_decode(const void *bytes, size_t count, uint8_t *pixels, size_t capacity);

/// Encodes rows of opaque RGBA at 8 bits as HEIC or AVIF, 4:2:0 with a quality of 75. Returns memory to be released
/// with free(), and how many bytes there are; NULL when that fails. Exists where the trait HEIF is on.
uint8_t *benchmark_heif_encode(
    const uint8_t *pixels, size_t row_length, benchmark_size size, bool is_avif, size_t *count);

// HTTP

/// libcurl on the thread that calls, with its connections.
typedef struct benchmark_http benchmark_http;

/// A client that keeps so many transfers under way; NULL when there is none. Exists where the trait HTTP is on.
benchmark_http *benchmark_http_create(size_t concurrency);

/// Gets `ADDRESS?0`, `ADDRESS?1` and so on, `count` of them, each into memory; false unless all of them were answered
/// with status 200 and `length` bytes. Exists where the trait HTTP is on.
bool benchmark_http_get(benchmark_http *client, const char *address, size_t count, size_t length);

/// Closes the connections. Exists where the trait HTTP is on.
void benchmark_http_free(benchmark_http *client);

// Allocations

/// What one thread has allocated.
typedef struct benchmark_allocations {
    /// Calls of malloc, calloc, realloc, posix_memalign and aligned_alloc, by whatever library.
    uint64_t calls;
    /// The bytes that they asked for.
    uint64_t bytes;
} benchmark_allocations;

/// Begins to count what this thread allocates. Counts nothing where the C library is not glibc, and under sanitizers.
void benchmark_allocations_start(void);

/// Ends counting; what was allocated since it began.
benchmark_allocations benchmark_allocations_stop(void);

// Peers in other processes

/// Runs a program, which is looked for in PATH, with its arguments, of which the name is the first and NULL the last.
/// What it prints is dropped, errors excepted. Returns its exit status; -1 when it cannot be started or was killed.
int benchmark_run(char *const arguments[]);

/// A process that answers a line with a line.
typedef struct benchmark_worker benchmark_worker;

/// Starts `program` with a script as its one argument; NULL when it cannot be started.
benchmark_worker *benchmark_worker_start(const char *program, const char *script);

/// Sends a line, unless it is NULL, and waits for the answer: a line without its end, the worker's until the next call.
/// NULL when the process has ended.
const char *benchmark_worker_ask(benchmark_worker *worker, const char *question);

/// Closes the line to the process, which ends it, and waits until it has.
void benchmark_worker_end(benchmark_worker *worker);

#endif
