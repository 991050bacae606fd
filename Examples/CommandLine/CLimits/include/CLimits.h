/// The limits of the system that a process runs under.
///
/// What fails returns an error number; 0 is success. To be called before the process has a second thread.
#ifndef CL_LIMITS_H
#define CL_LIMITS_H

#include <stdint.h>

#if defined(__cplusplus)
extern "C" {
#endif

/// Raises the limit on open files as far as the process may.
void cl_raise_open_files(void);

/// Tries whether `count` more files can be open at once.
int32_t cl_try_open_files(int32_t count);

/// Tries whether `count` more threads can run at once, with stacks of the size that the system gives them.
int32_t cl_try_threads(int32_t count);

/// The most bytes of address space that the process may take; `UINT64_MAX` for any number.
uint64_t cl_address_space(void);

/// Makes all threads allocate from one heap. glibc reserves 64 MiB of address space for each heap, and otherwise has one
/// for nearly every thread.
void cl_share_heap(void);

#if defined(__cplusplus)
}
#endif

#endif
