// The samples of a file as stored: a luma plane and two chroma planes, or gray.
#ifndef CJPEG_PLANES_H
#define CJPEG_PLANES_H

#include "problem.h"

/// The rows of all planes that libjpeg returns at once, which belong to one row of iMCUs.
typedef struct cjpeg_planes {
    uint8_t *memory;
    /// The rows of each plane that libjpeg writes to.
    JSAMPROW rows[3][MAX_SAMP_FACTOR * DCTSIZE];
    size_t bytes_per_row[3];
} cjpeg_planes;

/// Fills in the planes and their sizes at the current divisor.
void cjpeg_planes_describe(j_decompress_ptr jpeg, cjpeg_output *output);

/// Allocates memory at the current divisor. Returns false if there is none.
bool cjpeg_planes_allocate(cjpeg_planes *planes, j_decompress_ptr jpeg);

/// Reads the next rows of every plane. Returns false if more bytes are needed; bytes that were read are kept.
bool cjpeg_planes_read(cjpeg_planes *planes, j_decompress_ptr jpeg, cjpeg_strip *strips);

void cjpeg_planes_free(cjpeg_planes *planes);

#endif
