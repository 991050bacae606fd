/// C kernels of Calotype: the loops that need SIMD instructions or exact control over their arithmetic.
///
/// No function allocates, keeps state between calls or blocks; all may be called from several threads at once as long
/// as the buffers written to are not shared. Ranges are the caller's duty: nothing is checked here.
#ifndef CK_KERNELS_H
#define CK_KERNELS_H

#include "claims.h"
#include "crc32c.h"
#include "isa.h"
#include "over.h"
#include "planes.h"
#include "resize.h"
#include "resize_float.h"
#include "linear.h"

#endif
