#include "BenchmarkFloors.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int benchmark_make_directories(const char *path) {
    int problem = mkdir(path, 0700) == 0 ? 0 : errno;
    const char *slash = strrchr(path, '/');
    if (problem == ENOENT && slash != NULL && slash != path) {
        char *parent = strndup(path, (size_t)(slash - path));
        problem = parent != NULL ? benchmark_make_directories(parent) : ENOMEM;
        free(parent);
        if (problem == 0 && mkdir(path, 0700) != 0) problem = errno;
    }
    return problem == EEXIST ? 0 : problem;
}

int benchmark_write_and_rename(const char *temporary_path, const char *path, const void *bytes, size_t count) {
    int file = open(temporary_path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0) return errno;
    ssize_t written = write(file, bytes, count);
    int problem = written < 0 ? errno : (size_t)written < count ? ENOSPC : 0;
    if (close(file) != 0 && problem == 0) problem = errno;
    if (problem == 0 && rename(temporary_path, path) != 0) problem = errno;
    if (problem != 0) unlink(temporary_path);
    return problem;
}

void *benchmark_read(const char *path, size_t count) {
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return NULL;
    // A reader does not know the length of a file before it has asked.
    struct stat status;
    size_t length = fstat(file, &status) == 0 ? (size_t)status.st_size : 0;
    void *bytes = malloc(length + 1);
    ssize_t taken = bytes != NULL ? read(file, bytes, length) : -1;
    close(file);
    if (taken == (ssize_t)count) return bytes;
    free(bytes);
    return NULL;
}
