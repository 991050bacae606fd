/// System calls of Linux that the C libraries have no functions for, or not everywhere: opening files and directories
/// without following symbolic links, and opening and reading files where the system has in memory all that this takes.
///
/// Only `cf_open_file`, `cf_open_directory` and `cf_keeps_cached` may wait for a device. No function keeps state; all may
/// be called from several threads at once. A function that fails returns an error number below zero; `-EAGAIN` means
/// that it cannot be done without waiting.
#ifndef CF_FILES_H
#define CF_FILES_H

#if defined(__linux__)

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__clang__)
#define CF_NONNULL _Nonnull
#else
#define CF_NONNULL
#endif

#if defined(__cplusplus)
extern "C" {
#endif

/// Opens a file for reading by its path below a directory that is open. Opening a pipe does not block. Returns a
/// descriptor, or `-ELOOP` where the file, or a directory on the way to it, is a symbolic link.
int32_t cf_open_file(int32_t directory, const char *CF_NONNULL path);

/// Does the same without waiting.
int32_t cf_open_cached_file(int32_t directory, const char *CF_NONNULL path);

/// Opens a directory by its path below a directory that is open, to reach what is in it by name and for nothing else. Returns
/// a descriptor, or `-ELOOP` where it, or a directory on the way to it, is a symbolic link.
int32_t cf_open_directory(int32_t directory, const char *CF_NONNULL path);

/// Opens a directory by its path, links followed, to see which one it is and for nothing else. Returns a descriptor.
int32_t cf_open_cached_directory(const char *CF_NONNULL path);

/// What tells one version of a file from another.
typedef struct {
    uint64_t inode;
    uint64_t byte_count;
    int64_t modified_seconds;
    int64_t changed_seconds;
    uint32_t modified_nanoseconds;
    uint32_t changed_nanoseconds;
} cf_version;

/// Finds out the version of a file by its path, links followed, as the system has it in memory: of a file on a network
/// that is what its server said last. Returns zero.
int32_t cf_cached_version(const char *CF_NONNULL path, cf_version *CF_NONNULL version);

/// Reads from the beginning of a file that is open: at most `count` bytes, and fewer where only these are in memory or
/// it has no more. Returns their number.
int64_t cf_read_cached(int32_t file, void *CF_NONNULL bytes, size_t count);

/// Whether a directory that is open is on a file system that keeps its word: one on a disk of this machine. Others, as
/// those on a network, may ask somebody when a file is opened, whatever they have in memory. This call may wait.
bool cf_keeps_cached(int32_t directory);

#if defined(__cplusplus)
}
#endif

#endif

#endif
