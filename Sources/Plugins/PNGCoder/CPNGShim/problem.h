// Memory and error handling that reader and writer share.
#ifndef CPNG_PROBLEM_H
#define CPNG_PROBLEM_H

#include "CPNGShim.h"

#include <png.h>

/// The error and warnings of libpng. Passed to libpng as the pointer for errors and memory.
typedef struct cpng_problem {
    cpng_status status;
    char message[224];
    /// The last warning. Warnings are not shown by themselves.
    char warning[224];
    bool is_profile_too_long;
} cpng_problem;

/// libpng's error function: stores the message and jumps to the entry of the shim.
PNG_NORETURN void cpng_fail(png_structp png, png_const_charp message);

/// Stores a failure that is not from libpng and jumps to the entry of the shim.
PNG_NORETURN void cpng_fail_with(png_structp png, cpng_status status, const char *message);

/// libpng's warning function.
void cpng_warn(png_structp png, png_const_charp message);

/// libpng's memory functions, which record failed allocations.
png_voidp cpng_allocate(png_structp png, png_alloc_size_t count);
void cpng_release(png_structp png, png_voidp memory);

#endif
