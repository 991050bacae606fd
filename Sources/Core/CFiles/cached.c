#if defined(__linux__)

// For `syscall` and `O_PATH`.
#define _GNU_SOURCE

#include "include/CFiles.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <unistd.h>

// The kernel headers may be missing, or older than the running kernel. The numbers are the same on all architectures
// that Swift supports.
#if !defined(SYS_openat2)
#define SYS_openat2 437
#endif
enum { RESOLVE_WITHOUT_LINKS = 0x04, RESOLVE_ONLY_CACHED = 0x20, READ_NO_WAIT = 0x08 };

enum { FILE_FLAGS = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK };

// From `linux/openat2.h`.
struct how {
    uint64_t flags;
    uint64_t mode;
    uint64_t resolve;
};

static int32_t open_how(int32_t directory, const char *path, int flags, uint64_t resolve) {
    struct how how = {.flags = (uint64_t)(unsigned)flags, .mode = 0, .resolve = resolve};
    long descriptor = syscall(SYS_openat2, directory, path, &how, sizeof how);
    return descriptor < 0 ? -errno : (int32_t)descriptor;
}

int32_t cf_open_file(int32_t directory, const char *path) {
    return open_how(directory, path, FILE_FLAGS, RESOLVE_WITHOUT_LINKS);
}

int32_t cf_open_cached_file(int32_t directory, const char *path) {
    return open_how(directory, path, FILE_FLAGS, RESOLVE_WITHOUT_LINKS | RESOLVE_ONLY_CACHED);
}

int32_t cf_open_directory(int32_t directory, const char *path) {
    return open_how(directory, path, O_PATH | O_DIRECTORY | O_CLOEXEC, RESOLVE_WITHOUT_LINKS);
}

int32_t cf_open_cached_directory(const char *path) {
    return open_how(AT_FDCWD, path, O_PATH | O_DIRECTORY | O_CLOEXEC, RESOLVE_ONLY_CACHED);
}

// From `linux/stat.h`, up to the fields that are used.
struct instant {
    int64_t seconds;
    uint32_t nanoseconds;
    int32_t reserved;
};
struct status {
    uint32_t mask, block_size;
    uint64_t attributes;
    uint32_t links, user, group;
    uint16_t mode, spare;
    uint64_t inode, byte_count, blocks, attributes_mask;
    struct instant read, born, changed, modified;
    uint64_t rest[32];
};
enum { AT_EMPTY = 0x1000, AT_ASK_NOBODY = 0x4000, BASIC_STATUS = 0x7FF };

int32_t cf_cached_version(const char *path, cf_version *version) {
#if defined(SYS_statx)
    int32_t file = open_how(AT_FDCWD, path, O_PATH | O_CLOEXEC, RESOLVE_ONLY_CACHED);
    if (file < 0) {
        return file;
    }
    struct status status;
    long outcome = syscall(SYS_statx, file, "", AT_EMPTY | AT_ASK_NOBODY, BASIC_STATUS, &status);
    int32_t code = outcome == 0 ? 0 : -errno;
    close(file);
    if (code != 0) {
        return code;
    }
    *version = (cf_version){
        .inode = status.inode,
        .byte_count = status.byte_count,
        .modified_seconds = status.modified.seconds,
        .changed_seconds = status.changed.seconds,
        .modified_nanoseconds = status.modified.nanoseconds,
        .changed_nanoseconds = status.changed.nanoseconds,
    };
    return 0;
#else
    (void)path;
    (void)version;
    return -EAGAIN;
#endif
}

int64_t cf_read_cached(int32_t file, void *bytes, size_t count) {
    struct iovec piece = {.iov_base = bytes, .iov_len = count};
    // The offset takes two arguments, the low half first; both are zero.
    long taken = syscall(SYS_preadv2, file, &piece, 1L, 0L, 0L, (long)READ_NO_WAIT);
    return taken < 0 ? -errno : taken;
}

bool cf_keeps_cached(int32_t directory) {
    struct statfs status;
    if (fstatfs(directory, &status) != 0) {
        return false;
    }
    switch ((uint32_t)status.f_type) {
    case 0x0000EF53: // ext2 to ext4
    case 0x58465342: // XFS
    case 0x9123683E: // Btrfs
    case 0xF2F52010: // F2FS
        return true;
    default:
        return false;
    }
}

#endif
