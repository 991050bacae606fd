// The samples of a file as stored: a luma plane and two chroma planes, or gray.
#ifndef CJPEG_PLANES_H
#define CJPEG_PLANES_H

#include "problem.h"

/// The memory for the rows of all planes that libjpeg returns at once: those of one row of iMCUs.
typedef struct cjpeg_planes {
    uint8_t *memory;
    /// The addresses of the rows of each plane, to which libjpeg writes the samples.
    JSAMPROW rows[3][MAX_SAMP_FACTOR * DCTSIZE];
    size_t bytes_per_row[3];
} cjpeg_planes;

/// Fills in the number of planes and their sizes, at the current divisor.
void cjpeg_planes_describe(j_decompress_ptr jpeg, cjpeg_output *output);

/// Allocates the memory for rows, at the current divisor. Returns false if there is not enough memory.
bool cjpeg_planes_allocate(cjpeg_planes *planes, j_decompress_ptr jpeg);

/// Reads the next rows of every plane. Returns false if more bytes are needed; bytes that were read are kept.
bool cjpeg_planes_read(cjpeg_planes *planes, j_decompress_ptr jpeg, cjpeg_strip *strips);

void cjpeg_planes_free(cjpeg_planes *planes);

#endif
