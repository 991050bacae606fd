#include "BenchmarkFloors.h"

#ifdef CALOTYPE_COLOR

#include <lcms2.h>
#include <stdlib.h>

/// Creates Display P3, with the curve of sRGB. Returns NULL if that fails.
static cmsHPROFILE create_p3(void) {
    const cmsCIExyY white = {0.3127, 0.3290, 1};
    const cmsCIExyYTRIPLE primaries = {{0.680, 0.320, 1}, {0.265, 0.690, 1}, {0.150, 0.060, 1}};
    const cmsFloat64Number curve[] = {2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045};
    cmsToneCurve *tone = cmsBuildParametricToneCurve(NULL, 4, curve);
    cmsToneCurve *tones[] = {tone, tone, tone};
    cmsHPROFILE profile = tone == NULL ? NULL : cmsCreateRGBProfile(&white, &primaries, tones);
    if (tone != NULL) cmsFreeToneCurve(tone);
    return profile;
}

uint8_t *benchmark_p3_profile(size_t *count) {
    cmsHPROFILE profile = create_p3();
    if (profile == NULL) return NULL;
    cmsUInt32Number length = 0;
    uint8_t *bytes = NULL;
    if (cmsSaveProfileToMem(profile, NULL, &length)) bytes = malloc(length);
    if (bytes != NULL && !cmsSaveProfileToMem(profile, bytes, &length)) {
        free(bytes);
        bytes = NULL;
    }
    cmsCloseProfile(profile);
    *count = length;
    return bytes;
}

void *benchmark_color_transform(const void *profile, size_t count, size_t channel_length) {
    cmsHPROFILE source = cmsOpenProfileFromMem(profile, (cmsUInt32Number)count);
    cmsHPROFILE target = cmsCreate_sRGBProfile();
    cmsHTRANSFORM transform = NULL;
    if (source != NULL && target != NULL) {
        cmsUInt32Number format = channel_length == 1 ? TYPE_RGBA_8 : TYPE_RGBA_16;
        // The fast form for 16 bits has errors of several levels of 8 bits, so the exact one is the peer.
        cmsUInt32Number exact = channel_length == 1 ? 0 : cmsFLAGS_NOOPTIMIZE;
        transform = cmsCreateTransform(
            source, format, target, format, INTENT_RELATIVE_COLORIMETRIC,
            cmsFLAGS_NOCACHE | cmsFLAGS_BLACKPOINTCOMPENSATION | exact);
    }
    if (source != NULL) cmsCloseProfile(source);
    if (target != NULL) cmsCloseProfile(target);
    return transform;
}

void benchmark_color_convert(void *transform, void *pixels, size_t count) {
    cmsDoTransform(transform, pixels, pixels, (cmsUInt32Number)count);
}

void benchmark_color_free(void *transform) { cmsDeleteTransform(transform); }

#endif
