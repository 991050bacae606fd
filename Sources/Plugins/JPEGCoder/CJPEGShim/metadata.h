// The metadata that a reader keeps from the segments before the pixels: EXIF block, XMP packet and profile.
#ifndef CJPEG_METADATA_H
#define CJPEG_METADATA_H

#include "problem.h"

/// The EXIF block, the XMP packet and the profile. Their memory belongs to libjpeg and has the lifetime of the reader.
typedef struct cjpeg_metadata {
    /// The maximum total length of all parts of profiles in the file, in bytes. Parts count even if they contradict
    /// each other.
    size_t profile_limit;
    bool keeps_xmp;
    /// Whether parts of the profile contradict each other.
    bool is_profile_damaged;
    /// Whether the file has at least one part of a profile.
    bool has_profile;
    /// The number of parts that the profile has by its segments; 0 before the first part.
    uint8_t part_count;
    /// The number of parts that are kept so far.
    uint8_t kept_count;
    /// The parts by their number, which begins at 1. The pointer to an empty part is not NULL.
    const uint8_t *parts[256];
    uint16_t part_lengths[256];
    /// The total length of all parts so far, in bytes, including parts that are not kept.
    size_t profile_length;
    /// The complete profile; NULL until it has been assembled.
    const uint8_t *profile;
    const uint8_t *exif;
    size_t exif_length;
    const uint8_t *xmp;
    size_t xmp_length;
} cjpeg_metadata;

/// Keeps the metadata in an APP1 or APP2 segment. `segment`: the contents of the segment after its length; libjpeg
/// knows which of both markers the segment has. Fails as soon as the parts of a profile exceed the limit. Parts after a
/// complete profile are ignored.
void cjpeg_metadata_take(
    cjpeg_metadata *metadata, j_decompress_ptr jpeg, const uint8_t *segment, size_t length);

/// Fills in the metadata of the header, after the last segment before the pixels.
void cjpeg_metadata_describe(cjpeg_metadata *metadata, j_decompress_ptr jpeg, cjpeg_header *header);

#endif
