/// Linux system calls without a function in all C libraries: opening files and directories without following symbolic
/// links, and opening and reading files if everything needed for it is in memory.
///
/// Only `cf_open_file`, `cf_open_directory` and `cf_keeps_cached` may wait for a device. Functions keep no state, and
/// may be called from several threads at once. On failure they return a negative error number; `-EAGAIN` means that the
/// operation would have to wait.
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

/// Opens a file for reading by its path below an open directory. Opening a pipe does not block. Returns a descriptor,
/// or `-ELOOP` if the file, or a directory on its path, is a symbolic link.
int32_t cf_open_file(int32_t directory, const char *CF_NONNULL path);

/// Opens a file like `cf_open_file`, but returns `-EAGAIN` if opening would have to wait.
int32_t cf_open_cached_file(int32_t directory, const char *CF_NONNULL path);

/// Opens a directory by its path below an open directory. The descriptor serves only to reach the items of the
/// directory by name. Returns a descriptor, or `-ELOOP` if the directory, or a directory on its path, is a symbolic
/// link.
int32_t cf_open_directory(int32_t directory, const char *CF_NONNULL path);

/// Opens a directory by its path, following links. The descriptor serves only to identify the directory. Returns a
/// descriptor, or `-EAGAIN` if opening would have to wait.
int32_t cf_open_cached_directory(const char *CF_NONNULL path);

/// The fields that distinguish the versions of a file. Times are since the beginning of 1970.
typedef struct {
    uint64_t inode;
    uint64_t byte_count;
    int64_t modified_seconds;
    int64_t changed_seconds;
    uint32_t modified_nanoseconds;
    uint32_t changed_nanoseconds;
} cf_version;

/// Gets the version of a file by its path, following links, from the metadata in memory. For a network file, that is
/// the version that the server last reported. Returns zero on success.
int32_t cf_cached_version(const char *CF_NONNULL path, cf_version *CF_NONNULL version);

/// Reads from the beginning of an open file: at most `count` bytes, and fewer if only these are in memory or the file
/// is shorter. Returns the number of bytes, or `-EAGAIN` if none is in memory.
int64_t cf_read_cached(int32_t file, void *CF_NONNULL bytes, size_t count);

/// Returns whether an open directory is on a local file system that never waits for cached files. Returns false for
/// others, such as network file systems, which may contact a server when a file is opened, even if the file is in
/// memory. This call may wait.
bool cf_keeps_cached(int32_t directory);

#if defined(__cplusplus)
}
#endif

#endif

#endif
