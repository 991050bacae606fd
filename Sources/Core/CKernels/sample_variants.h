/// The variants behind the public function for sampling, with the same arguments.
#ifndef CK_SAMPLE_VARIANTS_H
#define CK_SAMPLE_VARIANTS_H

#include "include/sample.h"
#include "isa_limit.h"

void ck_sample_cubic_rgba_float_scalar(const float *CK_NONNULL pixels, size_t width, float x, float y, float dx,
                                       float dy, size_t count, float *CK_NONNULL output);

#if defined(__x86_64__)

void ck_sample_cubic_rgba_float_avx2(const float *CK_NONNULL pixels, size_t width, float x, float y, float dx, float dy,
                                     size_t count, float *CK_NONNULL output);

#endif

#endif
