/// What the rows are measured against, where that is written in C, and what the harness needs of the system.
///
/// A floor does the least that anybody must do to get the same result.
#ifndef BENCHMARK_FLOORS_H
#define BENCHMARK_FLOORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Files

/// Writes a new file, closes it and gives it its name, in place of the file that had it. Returns 0 or the error number.
int benchmark_write_and_rename(const char *temporary_path, const char *path, const void *bytes, size_t count);

/// Reads a file that should have `count` bytes, after looking how many it has. Returns memory to be released with
/// free(); NULL when that fails.
void *benchmark_read(const char *path, size_t count);

// PNG

/// Decodes a PNG to rows of RGBA at 8 bits that follow each other without padding. Returns memory to be released with
/// free(); NULL when that fails. Exists where the trait PNG is on.
uint8_t *benchmark_png_decode(const void *bytes, size_t count, uint32_t *width, uint32_t *height);

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
