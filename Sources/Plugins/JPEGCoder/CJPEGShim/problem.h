// What reader and writer share: what libjpeg says when something is wrong.
#ifndef CJPEG_PROBLEM_H
#define CJPEG_PROBLEM_H

#include "CJPEGShim.h"

#include <setjmp.h>
#include <stdio.h>

#include <jpeglib.h>

#ifndef JCS_ALPHA_EXTENSIONS
#error "this needs libjpeg-turbo, not another libjpeg: install libjpeg-turbo, or leave the trait JPEG out"
#endif

/// What libjpeg said. Given to it as its error manager, which is what it begins with.
typedef struct cjpeg_problem {
    struct jpeg_error_mgr manager;
    /// Where the shim was entered.
    jmp_buf entry;
    cjpeg_status status;
    /// Whether libjpeg has read beyond the last byte, so that whatever is wrong may come from that.
    bool is_past_end;
    char message[JMSG_LENGTH_MAX];
} cjpeg_problem;

/// Sets the problem up as an error manager.
struct jpeg_error_mgr *cjpeg_install(cjpeg_problem *problem);

/// Keeps a message that is not libjpeg's own, and jumps to where the shim was entered.
_Noreturn void cjpeg_fail(j_common_ptr jpeg, cjpeg_status status, const char *message);

#endif
