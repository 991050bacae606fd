// What the segments before the first scan say of the picture.
#ifndef CJPEG_HEADER_H
#define CJPEG_HEADER_H

#include "problem.h"

/// What libjpeg keeps of the frame's header, and changes where a file has another one, before it refuses that.
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

/// Tells what libjpeg says when it has read the header, and has been told how pixels are to be made.
void cjpeg_header_describe(j_decompress_ptr jpeg, cjpeg_header *header);

/// Tells what libjpeg will say when it has read the rest of the header: that of the first scan has begun. False where
/// it has not, and where libjpeg may refuse the picture.
bool cjpeg_header_foretell(j_decompress_ptr jpeg, cjpeg_header *header);

#endif
