// The properties of the picture from the segments before the first scan.
#ifndef CJPEG_HEADER_H
#define CJPEG_HEADER_H

#include "problem.h"

/// A copy of the values that libjpeg has read from the frame header. A second frame header in a file changes libjpeg's
/// values before libjpeg refuses it.
typedef struct cjpeg_frame {
    boolean is_progressive;
    boolean is_arithmetic;
    int precision;
    JDIMENSION width;
    JDIMENSION height;
    int component_count;
} cjpeg_frame;

cjpeg_frame cjpeg_frame_of(j_decompress_ptr jpeg);
void cjpeg_frame_restore(const cjpeg_frame *frame, j_decompress_ptr jpeg);

/// Fills in the header, after libjpeg has read the whole header and the output was configured.
void cjpeg_header_describe(j_decompress_ptr jpeg, cjpeg_header *header);

/// Fills in the header if only the beginning of the header of the first scan has arrived. Returns false if not even
/// that has arrived, or if libjpeg may refuse the picture.
bool cjpeg_header_foretell(j_decompress_ptr jpeg, cjpeg_header *header);

#endif
