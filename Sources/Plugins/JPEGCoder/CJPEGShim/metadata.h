// What a reader keeps of the segments before the pixels: the EXIF block, and the parts of the profile.
#ifndef CJPEG_METADATA_H
#define CJPEG_METADATA_H

#include "problem.h"

/// EXIF block and profile, in memory of libjpeg's, which goes with the reader.
typedef struct cjpeg_metadata {
    /// How many bytes of a profile are kept.
    size_t profile_limit;
    bool is_profile_too_long;
    /// Whether parts of the profile contradict each other.
    bool is_profile_damaged;
    /// How many parts there should be; 0 when none has been seen.
    uint8_t part_count;
    /// The parts, by their number, which counts from 1; of an empty one too the pointer is not NULL.
    const uint8_t *parts[256];
    uint16_t part_lengths[256];
    /// The length of all parts so far.
    size_t profile_length;
    const uint8_t *exif;
    size_t exif_length;
} cjpeg_metadata;

/// Takes what is in a segment APP1 or APP2, behind its length. Which of them it is, libjpeg's state says.
void cjpeg_metadata_take(
    cjpeg_metadata *metadata, j_decompress_ptr jpeg, const uint8_t *segment, size_t length);

/// The profile, put together in memory of libjpeg's; NULL when there is none that is whole.
const uint8_t *cjpeg_metadata_profile(const cjpeg_metadata *metadata, j_decompress_ptr jpeg);

#endif
