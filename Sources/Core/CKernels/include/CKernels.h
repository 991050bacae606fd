/// C kernels of Calotype: the loops that need SIMD instructions or exact control over their arithmetic.
///
/// Functions do not allocate, block, or keep state between calls. They may be called from several threads at once, as
/// long as output buffers are not shared. Arguments are not checked; valid ranges are the caller's responsibility.
#ifndef CK_KERNELS_H
#define CK_KERNELS_H

#include "blend.h"
#include "claims.h"
#include "color.h"
#include "crc32c.h"
#include "expand.h"
#include "filter.h"
#include "isa.h"
#include "matrix.h"
#include "over.h"
#include "planes.h"
#include "resize.h"
#include "resize_float.h"
#include "sample.h"
#include "sharpen.h"
#include "linear.h"
#include "unfilter.h"

#endif
