// What readers and writer share: memory, and what libpng says when something is wrong.
#ifndef CPNG_PROBLEM_H
#define CPNG_PROBLEM_H

#include "CPNGShim.h"

#include <png.h>

/// What libpng said. Given to it as the pointer for errors and for memory.
typedef struct cpng_problem {
    cpng_status status;
    char message[224];
    /// The last warning. Warnings are not shown to anybody by themselves.
    char warning[224];
    bool is_profile_too_long;
} cpng_problem;

/// libpng's error function: keeps the message and jumps to where the shim was entered.
PNG_NORETURN void cpng_fail(png_structp png, png_const_charp message);

/// The same for a failure that is not libpng's own.
PNG_NORETURN void cpng_fail_with(png_structp png, cpng_status status, const char *message);

/// libpng's warning function.
void cpng_warn(png_structp png, png_const_charp message);

/// libpng's functions for memory, which remember that there was none.
png_voidp cpng_allocate(png_structp png, png_alloc_size_t count);
void cpng_release(png_structp png, png_voidp memory);

#endif
