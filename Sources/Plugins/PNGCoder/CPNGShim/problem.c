#include "CPNGShim.h"

#ifdef CALOTYPE_PNG

#include "problem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void cpng_fail_with(png_structp png, cpng_status status, const char *message) {
    cpng_problem *problem = png_get_error_ptr(png);
    problem->status = status;
    snprintf(problem->message, sizeof problem->message, "%s", message);
    png_longjmp(png, 1);
}

void cpng_fail(png_structp png, png_const_charp message) {
    cpng_problem *problem = png_get_error_ptr(png);
    // For an invalid header, the warning contains the reason and the error does not.
    if (strcmp(message, "Invalid IHDR data") == 0 && problem->warning[0] != 0) message = problem->warning;
    cpng_fail_with(png, problem->status == CPNG_OK ? CPNG_REFUSED : problem->status, message);
}

static bool ends_with(const char *message, const char *end) {
    size_t length = strlen(message);
    size_t end_length = strlen(end);
    return length >= end_length && strcmp(message + length - end_length, end) == 0;
}

void cpng_warn(png_structp png, png_const_charp message) {
    cpng_problem *problem = png_get_error_ptr(png);
    snprintf(problem->warning, sizeof problem->warning, "%s", message);
    // For libpng a profile beyond the limit is no error. It drops the profile with a warning that begins with the
    // profile's name and ends in "exceeds application limits" or a "libpng limit", in newer versions possibly in "out
    // of memory".
    if (strncmp(message, "iCCP: ", 6) == 0 &&
        (ends_with(message, " limits") || ends_with(message, " limit") || ends_with(message, "out of memory"))) {
        problem->is_profile_too_long = true;
    }
}

png_voidp cpng_allocate(png_structp png, png_alloc_size_t count) {
    void *memory = malloc(count);
    if (memory == NULL) ((cpng_problem *)png_get_mem_ptr(png))->status = CPNG_OUT_OF_MEMORY;
    return memory;
}

void cpng_release(png_structp png, png_voidp memory) {
    (void)png;
    free(memory);
}

#endif
