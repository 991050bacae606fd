#include "CJPEGShim.h"

#ifdef CALOTYPE_JPEG

#include "problem.h"

#include <jerror.h>

#define TEXT_OF(tokens) #tokens
#define EXPANDED_TEXT_OF(tokens) TEXT_OF(tokens)

const char *cjpeg_version(void) {
    return EXPANDED_TEXT_OF(LIBJPEG_TURBO_VERSION);
}

/// Returns the status for libjpeg's error code.
static cjpeg_status status_of(int code) {
    switch (code) {
        case JERR_NO_BACKING_STORE:
        case JERR_OUT_OF_MEMORY: return CJPEG_OUT_OF_MEMORY;
        case JERR_IMAGE_TOO_BIG: return CJPEG_TOO_LARGE;
#if JPEG_LIB_VERSION < 70
        case JERR_ARITH_NOTIMPL:
#endif
        case JERR_BAD_PRECISION:
        case JERR_CCIR601_NOTIMPL:
        case JERR_COMPONENT_COUNT:
        case JERR_CONVERSION_NOTIMPL:
        case JERR_FRACT_SAMPLE_NOTIMPL:
        case JERR_NOT_COMPILED:
        case JERR_SOF_UNSUPPORTED:
        case JERR_UNKNOWN_MARKER: return CJPEG_UNSUPPORTED;
        default: return CJPEG_REFUSED;
    }
}

/// The maximum number of surplus bytes that are skipped before a marker within the data.
///
/// Some webcams write a few surplus bytes before each restart of valid pictures, and libjpeg may report those before
/// several restarts at once. A decoder that has lost its position in damaged data usually skips more bytes.
static const int most_stray_bytes = 64;

/// Returns whether skipped bytes are harmless. Some cameras and editors leave any number of bytes between segments and
/// before the end marker, but only a few bytes at other places.
static bool are_stray(j_decompress_ptr jpeg) {
    const int *numbers = jpeg->err->msg_parm.i;
    return jpeg->input_scan_number == 0 || numbers[1] == JPEG_EOI || numbers[0] <= most_stray_bytes;
}

/// Returns whether a warning is harmless for the pixels. All other warnings mean missing or invalid data, after which
/// libjpeg would continue with gray.
static bool is_harmless(j_common_ptr jpeg) {
    switch (jpeg->err->msg_code) {
        // Markers about the meaning of values. All decoders share libjpeg's guess.
        case JWRN_ADOBE_XFORM:
        case JWRN_JFIF_MAJOR:
        // Parameters of a scan that only matter in progressive files.
        case JWRN_NOT_SEQUENTIAL:
        // Scans that repeat or omit bits. Their data were read; completeness is checked at the end.
        case JWRN_BOGUS_PROGRESSION: return true;
        case JWRN_EXTRANEOUS_DATA: return are_stray((j_decompress_ptr)jpeg);
        default: return false;
    }
}

/// libjpeg's function for errors: stores the message, and jumps out of libjpeg to the current function of the shim.
static _Noreturn void fail(j_common_ptr jpeg) {
    cjpeg_problem *problem = (cjpeg_problem *)jpeg->err;
    problem->status = status_of(jpeg->err->msg_code);
    if (problem->is_past_end && problem->status != CJPEG_OUT_OF_MEMORY) problem->status = CJPEG_ENDED;
    jpeg->err->format_message(jpeg, problem->message);
    longjmp(problem->entry, 1);
}

/// libjpeg's function for warnings (level -1) and other messages.
static void hear(j_common_ptr jpeg, int level) {
    if (level < 0 && !is_harmless(jpeg)) fail(jpeg);
}

/// libjpeg's function for printing a message. libjpeg does not call it by default.
static void print_nothing(j_common_ptr jpeg) {
    (void)jpeg;
}

struct jpeg_error_mgr *cjpeg_install(cjpeg_problem *problem) {
    jpeg_std_error(&problem->manager);
    problem->manager.error_exit = fail;
    problem->manager.emit_message = hear;
    problem->manager.output_message = print_nothing;
    return &problem->manager;
}

void cjpeg_fail(j_common_ptr jpeg, cjpeg_status status, const char *message) {
    cjpeg_problem *problem = (cjpeg_problem *)jpeg->err;
    problem->status = status;
    snprintf(problem->message, sizeof problem->message, "%s", message);
    longjmp(problem->entry, 1);
}

#endif
