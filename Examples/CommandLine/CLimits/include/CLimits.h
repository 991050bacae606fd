/// The limits of the operating system on this process.
///
/// Call these functions before the process has a second thread. Those that return `int32_t` return an error number on
/// failure, and 0 on success.
#ifndef CL_LIMITS_H
#define CL_LIMITS_H

#include <stdint.h>

#if defined(__cplusplus)
extern "C" {
#endif

/// Raises the limit on open files of this process as far as permitted.
void cl_raise_open_files(void);

/// Tests whether the process can open `count` more files at the same time.
int32_t cl_try_open_files(int32_t count);

/// Tests whether the process can run `count` more threads at the same time, with the system's default stack size.
int32_t cl_try_threads(int32_t count);

/// Returns the limit on the address space of the process, in bytes; `UINT64_MAX` if there is no limit.
uint64_t cl_address_space(void);

/// Makes all threads allocate from one heap. By default, glibc has a heap for nearly every thread, and reserves 64 MiB
/// of address space for each.
void cl_share_heap(void);

#if defined(__cplusplus)
}
#endif

#endif
