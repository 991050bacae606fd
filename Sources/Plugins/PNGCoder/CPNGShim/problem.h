// Memory and error handling that reader and writer share.
#ifndef CPNG_PROBLEM_H
#define CPNG_PROBLEM_H

#include "CPNGShim.h"

#include <png.h>

/// The errors and warnings of libpng. libpng receives this structure as its error pointer and as its memory pointer.
typedef struct cpng_problem {
    cpng_status status;
    char message[224];
    /// The last warning. A warning is only shown as the reason of an error.
    char warning[224];
    bool is_profile_too_long;
} cpng_problem;

/// libpng's error function: stores the message and jumps to the shim function that has called libpng.
PNG_NORETURN void cpng_fail(png_structp png, png_const_charp message);

/// Stores a failure that the shim itself has found, and jumps to the shim function that has called libpng.
PNG_NORETURN void cpng_fail_with(png_structp png, cpng_status status, const char *message);

/// libpng's warning function: stores the message.
void cpng_warn(png_structp png, png_const_charp message);

/// libpng's function for allocating memory. It records a failed allocation.
png_voidp cpng_allocate(png_structp png, png_alloc_size_t count);
/// libpng's function for releasing memory.
void cpng_release(png_structp png, png_voidp memory);

#endif
