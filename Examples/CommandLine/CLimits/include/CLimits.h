/// The system's limits on this process.
///
/// Functions return an error number on failure; 0 is success. They must be called before the process has a second
/// thread.
#ifndef CL_LIMITS_H
#define CL_LIMITS_H

#include <stdint.h>

#if defined(__cplusplus)
extern "C" {
#endif

/// Raises the limit on open files as far as permitted.
void cl_raise_open_files(void);

/// Tests whether `count` more files can be open at once.
int32_t cl_try_open_files(int32_t count);

/// Tests whether `count` more threads can run at once, with the system's default stack size.
int32_t cl_try_threads(int32_t count);

/// Returns the limit on the process's address space in bytes; `UINT64_MAX` for no limit.
uint64_t cl_address_space(void);

/// Makes all threads allocate from one heap. glibc reserves 64 MiB of address space for each heap, and by default has
/// one for nearly every thread.
void cl_share_heap(void);

#if defined(__cplusplus)
}
#endif

#endif
