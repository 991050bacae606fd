// What a reader keeps of the segments before the pixels: EXIF block, XMP packet, and the parts of the profile.
#ifndef CJPEG_METADATA_H
#define CJPEG_METADATA_H

#include "problem.h"

/// EXIF block, XMP packet and profile, in memory of libjpeg's, which goes with the reader.
typedef struct cjpeg_metadata {
    /// How long the parts of a profile may be together, whether they fit each other or not.
    size_t profile_limit;
    bool keeps_xmp;
    /// Whether parts of the profile contradict each other.
    bool is_profile_damaged;
    /// Whether there is a part of a profile, whatever it is like.
    bool has_profile;
    /// How many parts there should be; 0 when none has been seen.
    uint8_t part_count;
    /// How many of them are there.
    uint8_t kept_count;
    /// The parts, by their number, which counts from 1; of an empty one too the pointer is not NULL.
    const uint8_t *parts[256];
    uint16_t part_lengths[256];
    /// The length of all parts so far.
    size_t profile_length;
    /// The profile, put together.
    const uint8_t *profile;
    const uint8_t *exif;
    size_t exif_length;
    const uint8_t *xmp;
    size_t xmp_length;
} cjpeg_metadata;

/// Takes what is in a segment APP1 or APP2, behind its length. Which of them it is, libjpeg's state says. Fails as soon
/// as the parts of a profile are longer than the limit. Behind all parts of a profile, others are passed over.
void cjpeg_metadata_take(
    cjpeg_metadata *metadata, j_decompress_ptr jpeg, const uint8_t *segment, size_t length);

/// Tells what has been kept, when no more will come before the pixels.
void cjpeg_metadata_describe(cjpeg_metadata *metadata, j_decompress_ptr jpeg, cjpeg_header *header);

#endif
