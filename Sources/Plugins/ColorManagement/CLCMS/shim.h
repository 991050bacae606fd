#ifndef CLCMS_SHIM_H
#define CLCMS_SHIM_H

#include <lcms2.h>
#include <lcms2_plugin.h>
#include <stdbool.h>

/// The format of pixels of four channels, of which the first `channels` are colours of the space `space`, a number
/// PT_..., and the others are none: Little CMS does not read them and leaves them as they are. Its own names for
/// formats are macros, which Swift does not see.
static inline cmsUInt32Number clcms_format(
    cmsUInt32Number space, cmsUInt32Number channels, cmsUInt32Number bytes_per_channel, bool is_float) {
    return FLOAT_SH(is_float ? 1u : 0u) | COLORSPACE_SH(space) | EXTRA_SH(4 - channels) | CHANNELS_SH(channels)
        | BYTES_SH(bytes_per_channel);
}

#endif
