// Counts allocations by replacing glibc's allocator. The functions here replace those of the C library in the whole
// program, including the Swift runtime, and forward each call. Statistics such as mallinfo2() would not do: they report
// the memory in use, so a block that is allocated and released within one call leaves no trace in them.

#include "BenchmarkFloors.h"

#include <errno.h>
#include <stdlib.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define BENCHMARK_SANITIZED 1
#endif
#endif

static _Thread_local bool is_counting;
static _Thread_local benchmark_allocations counted;

void benchmark_allocations_start(void) {
    counted = (benchmark_allocations){0, 0};
    is_counting = true;
}

benchmark_allocations benchmark_allocations_stop(void) {
    is_counting = false;
    return counted;
}

#if defined(__GLIBC__) && !defined(BENCHMARK_SANITIZED)

// The names under which glibc keeps its allocator for programs that replace it.
void *__libc_malloc(size_t count);
void *__libc_calloc(size_t elements, size_t length);
void *__libc_realloc(void *memory, size_t count);
void *__libc_memalign(size_t alignment, size_t count);

static inline void note(size_t count) {
    if (!is_counting) return;
    counted.calls += 1;
    counted.bytes += count;
}

void *malloc(size_t count) {
    note(count);
    return __libc_malloc(count);
}

void *calloc(size_t elements, size_t length) {
    note(elements * length);
    return __libc_calloc(elements, length);
}

void *realloc(void *memory, size_t count) {
    note(count);
    return __libc_realloc(memory, count);
}

void *aligned_alloc(size_t alignment, size_t count) {
    note(count);
    return __libc_memalign(alignment, count);
}

int posix_memalign(void **memory, size_t alignment, size_t count) {
    if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0) return EINVAL;
    note(count);
    // The result must not be set if there is no memory.
    void *block = __libc_memalign(alignment, count);
    if (block == NULL) return ENOMEM;
    *memory = block;
    return 0;
}

#endif
