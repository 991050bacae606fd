// The samples of a file as it stores them: luma and two differences of colour, each by itself, or gray.
#ifndef CJPEG_PLANES_H
#define CJPEG_PLANES_H

#include "problem.h"

/// The rows of planes that libjpeg gives at once: what one row of its largest units, the iMCUs, has of each.
typedef struct cjpeg_planes {
    uint8_t *memory;
    /// Where libjpeg writes the rows of each plane.
    JSAMPROW rows[3][MAX_SAMP_FACTOR * DCTSIZE];
    size_t bytes_per_row[3];
} cjpeg_planes;

/// Says which planes there are at the divisor that is set, and how large they are.
void cjpeg_planes_describe(j_decompress_ptr jpeg, cjpeg_output *output);

/// Takes the memory, at the divisor that is set. False when there is none.
bool cjpeg_planes_allocate(cjpeg_planes *planes, j_decompress_ptr jpeg);

/// Reads the next rows of every plane. False when more bytes are wanted: what has been read stays where it is.
bool cjpeg_planes_read(cjpeg_planes *planes, j_decompress_ptr jpeg, cjpeg_strip *strips);

void cjpeg_planes_free(cjpeg_planes *planes);

#endif
