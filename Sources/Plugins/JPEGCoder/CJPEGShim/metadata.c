#include "CJPEGShim.h"

#ifdef CALOTYPE_JPEG

#include "metadata.h"

#include <string.h>

/// Source: CIPA DC-008 (EXIF 2.32), section 4.5.4.
static const uint8_t exif_name[6] = "Exif\0";
/// Before each part of a profile; the part's number and how many there are follow. Source: ICC.1:2022, annex B.4.
static const uint8_t profile_name[12] = "ICC_PROFILE";

/// Memory that goes with `jpeg`; there is some even when nothing is wanted.
static uint8_t *allocate(j_decompress_ptr jpeg, size_t length) {
    return jpeg->mem->alloc_large((j_common_ptr)jpeg, JPOOL_PERMANENT, length > 0 ? length : 1);
}

static const uint8_t *copy(j_decompress_ptr jpeg, const uint8_t *bytes, size_t length) {
    uint8_t *memory = allocate(jpeg, length);
    memcpy(memory, bytes, length);
    return memory;
}

static void take_exif(cjpeg_metadata *metadata, j_decompress_ptr jpeg, const uint8_t *segment, size_t length) {
    if (metadata->exif != NULL) return;
    metadata->exif = copy(jpeg, segment, length);
    metadata->exif_length = length;
}

static void take_part(
    cjpeg_metadata *metadata, j_decompress_ptr jpeg, uint8_t number, uint8_t count, const uint8_t *part,
    size_t length) {
    if (metadata->is_profile_damaged || metadata->is_profile_too_long) return;
    if (metadata->part_count == 0) metadata->part_count = count;
    if (count != metadata->part_count || number == 0 || number > count || metadata->parts[number] != NULL) {
        metadata->is_profile_damaged = true;
    } else if (length > metadata->profile_limit - metadata->profile_length) {
        metadata->is_profile_too_long = true;
    } else {
        metadata->parts[number] = copy(jpeg, part, length);
        metadata->part_lengths[number] = (uint16_t)length;
        metadata->profile_length += length;
    }
}

void cjpeg_metadata_take(
    cjpeg_metadata *metadata, j_decompress_ptr jpeg, const uint8_t *segment, size_t length) {
    if (jpeg->unread_marker == JPEG_APP0 + 1) {
        if (length < sizeof exif_name || memcmp(segment, exif_name, sizeof exif_name) != 0) return;
        take_exif(metadata, jpeg, segment, length);
    } else {
        size_t start = sizeof profile_name + 2;
        if (length < start || memcmp(segment, profile_name, sizeof profile_name) != 0) return;
        take_part(metadata, jpeg, segment[start - 2], segment[start - 1], segment + start, length - start);
    }
}

const uint8_t *cjpeg_metadata_profile(const cjpeg_metadata *metadata, j_decompress_ptr jpeg) {
    if (metadata->is_profile_damaged || metadata->is_profile_too_long) return NULL;
    if (metadata->profile_length == 0) return NULL;
    for (unsigned number = 1; number <= metadata->part_count; number++) {
        if (metadata->parts[number] == NULL) return NULL;
    }
    uint8_t *profile = allocate(jpeg, metadata->profile_length);
    size_t length = 0;
    for (unsigned number = 1; number <= metadata->part_count; number++) {
        memcpy(profile + length, metadata->parts[number], metadata->part_lengths[number]);
        length += metadata->part_lengths[number];
    }
    return profile;
}

#endif
