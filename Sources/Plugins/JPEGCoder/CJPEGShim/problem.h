// The handling of libjpeg's errors that reader and writer share.
#ifndef CJPEG_PROBLEM_H
#define CJPEG_PROBLEM_H

#include "CJPEGShim.h"

#include <setjmp.h>
#include <stdio.h>

#include <jpeglib.h>

#ifndef JCS_ALPHA_EXTENSIONS
#error "this needs libjpeg-turbo, not another libjpeg: install libjpeg-turbo, or leave the trait JPEG out"
#endif

/// The last error of libjpeg. The struct begins with the error manager, so that libjpeg can be passed a pointer to it.
typedef struct cjpeg_problem {
    struct jpeg_error_mgr manager;
    /// The place in the current function of the shim to which an error jumps.
    jmp_buf entry;
    cjpeg_status status;
    /// Whether libjpeg has read beyond the last byte. In that case, any later error may be a consequence.
    bool is_past_end;
    char message[JMSG_LENGTH_MAX];
} cjpeg_problem;

/// Initializes `problem` and returns its error manager.
struct jpeg_error_mgr *cjpeg_install(cjpeg_problem *problem);

/// Stores a failure that libjpeg did not report, and jumps out of libjpeg to the current function of the shim.
_Noreturn void cjpeg_fail(j_common_ptr jpeg, cjpeg_status status, const char *message);

#endif
