#include "CJPEGShim.h"

#ifdef CALOTYPE_JPEG

#include "metadata.h"

#include <string.h>

/// The beginning of an EXIF segment. Source: CIPA DC-008 (EXIF 2.32), section 4.5.4.
static const uint8_t exif_name[6] = "Exif\0";
/// The beginning of an XMP segment. Source: XMP Specification, part 3 (2020), section 1.1.3.
static const uint8_t xmp_name[29] = "http://ns.adobe.com/xap/1.0/";
/// The beginning of a profile segment, followed by the number of the part and the number of parts. Source: ICC.1:2022,
/// annex B.4.
static const uint8_t profile_name[12] = "ICC_PROFILE";

/// Allocates memory with the lifetime of `jpeg`. The result is not NULL even for a length of 0.
static uint8_t *allocate(j_decompress_ptr jpeg, size_t length) {
    return jpeg->mem->alloc_large((j_common_ptr)jpeg, JPOOL_PERMANENT, length > 0 ? length : 1);
}

static const uint8_t *copy(j_decompress_ptr jpeg, const uint8_t *bytes, size_t length) {
    uint8_t *memory = allocate(jpeg, length);
    memcpy(memory, bytes, length);
    return memory;
}

static bool begins_with(const uint8_t *segment, size_t length, const uint8_t *name, size_t name_length) {
    return length >= name_length && memcmp(segment, name, name_length) == 0;
}

/// Keeps the first EXIF block and the first XMP packet. If a packet exceeds one segment, its main part is kept; the
/// rest is a separate document.
static void take_block(cjpeg_metadata *metadata, j_decompress_ptr jpeg, const uint8_t *segment, size_t length) {
    if (begins_with(segment, length, exif_name, sizeof exif_name)) {
        if (metadata->exif != NULL) return;
        metadata->exif_length = length - sizeof exif_name;
        metadata->exif = copy(jpeg, segment + sizeof exif_name, metadata->exif_length);
    } else if (metadata->keeps_xmp && begins_with(segment, length, xmp_name, sizeof xmp_name)) {
        if (metadata->xmp != NULL) return;
        metadata->xmp_length = length - sizeof xmp_name;
        metadata->xmp = copy(jpeg, segment + sizeof xmp_name, metadata->xmp_length);
    }
}

static void take_part(
    cjpeg_metadata *metadata, j_decompress_ptr jpeg, uint8_t number, uint8_t count, const uint8_t *part,
    size_t length) {
    if (length > metadata->profile_limit - metadata->profile_length) {
        cjpeg_fail((j_common_ptr)jpeg, CJPEG_PROFILE_TOO_LONG, "the profile is too long");
    }
    metadata->profile_length += length;
    if (metadata->is_profile_damaged) return;
    if (metadata->part_count == 0) metadata->part_count = count;
    if (count != metadata->part_count || number == 0 || number > count || metadata->parts[number] != NULL) {
        metadata->is_profile_damaged = true;
    } else {
        metadata->parts[number] = copy(jpeg, part, length);
        metadata->part_lengths[number] = (uint16_t)length;
        metadata->kept_count++;
    }
}

/// Returns whether all parts of a profile are kept. Some programs write the profile twice, before and after the frame
/// header.
static bool has_whole_profile(const cjpeg_metadata *metadata) {
    return !metadata->is_profile_damaged && metadata->part_count > 0 && metadata->kept_count == metadata->part_count;
}

void cjpeg_metadata_take(
    cjpeg_metadata *metadata, j_decompress_ptr jpeg, const uint8_t *segment, size_t length) {
    if (jpeg->unread_marker == JPEG_APP0 + 1) {
        take_block(metadata, jpeg, segment, length);
    } else if (
        !has_whole_profile(metadata) && begins_with(segment, length, profile_name, sizeof profile_name)) {
        metadata->has_profile = true;
        size_t start = sizeof profile_name + 2;
        if (length < start) {
            metadata->is_profile_damaged = true;
        } else {
            take_part(metadata, jpeg, segment[start - 2], segment[start - 1], segment + start, length - start);
        }
    }
}

/// Returns the complete profile, or NULL if there is none.
static const uint8_t *profile(cjpeg_metadata *metadata, j_decompress_ptr jpeg) {
    if (metadata->profile != NULL) return metadata->profile;
    if (!has_whole_profile(metadata) || metadata->profile_length == 0) return NULL;
    uint8_t *joined = allocate(jpeg, metadata->profile_length);
    size_t length = 0;
    for (unsigned number = 1; number <= metadata->part_count; number++) {
        memcpy(joined + length, metadata->parts[number], metadata->part_lengths[number]);
        length += metadata->part_lengths[number];
    }
    metadata->profile = joined;
    return joined;
}

void cjpeg_metadata_describe(cjpeg_metadata *metadata, j_decompress_ptr jpeg, cjpeg_header *header) {
    header->profile = profile(metadata, jpeg);
    header->profile_length = header->profile != NULL ? metadata->profile_length : 0;
    header->is_profile_damaged = metadata->has_profile && header->profile == NULL;
    header->exif = metadata->exif;
    header->exif_length = metadata->exif_length;
    header->xmp = metadata->xmp;
    header->xmp_length = metadata->xmp_length;
}

#endif
