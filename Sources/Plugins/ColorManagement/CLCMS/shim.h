#ifndef CLCMS_SHIM_H
#define CLCMS_SHIM_H

#include <lcms2.h>
#include <lcms2_plugin.h>
#include <stdbool.h>

/// Returns the format of pixels with four channels, of which the first `channels` are colors of the space `space` (a
/// PT_... number). Little CMS does not read or modify the other channels. Its own formats are macros, which Swift
/// cannot see.
static inline cmsUInt32Number clcms_format(
    cmsUInt32Number space, cmsUInt32Number channels, cmsUInt32Number bytes_per_channel, bool is_float) {
    return FLOAT_SH(is_float ? 1u : 0u) | COLORSPACE_SH(space) | EXTRA_SH(4 - channels) | CHANNELS_SH(channels)
        | BYTES_SH(bytes_per_channel);
}

#endif
