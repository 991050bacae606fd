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

/// The error of libjpeg. It begins with the error manager and is passed to libjpeg in that role.
typedef struct cjpeg_problem {
    struct jpeg_error_mgr manager;
    /// The entry of the shim.
    jmp_buf entry;
    cjpeg_status status;
    /// Whether libjpeg has read beyond the last byte, which may cause any later error.
    bool is_past_end;
    char message[JMSG_LENGTH_MAX];
} cjpeg_problem;

/// Initializes the problem as an error manager.
struct jpeg_error_mgr *cjpeg_install(cjpeg_problem *problem);

/// Stores a failure that is not from libjpeg and jumps to the entry of the shim.
_Noreturn void cjpeg_fail(j_common_ptr jpeg, cjpeg_status status, const char *message);

#endif
