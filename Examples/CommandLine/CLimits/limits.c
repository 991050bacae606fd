#include "include/CLimits.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

void cl_raise_open_files(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

int32_t cl_try_open_files(int32_t count) {
    int *files = calloc((size_t)count, sizeof *files);
    if (!files) {
        return ENOMEM;
    }
    int32_t code = 0;
    int32_t opened = 0;
    for (; opened < count; opened++) {
        files[opened] = open("/dev/null", O_RDONLY | O_CLOEXEC);
        if (files[opened] < 0) {
            // Without a device the limit cannot be tested, which is no reason to fail.
            code = errno == EMFILE || errno == ENFILE ? errno : 0;
            break;
        }
    }
    for (int32_t index = 0; index < opened; index++) {
        close(files[index]);
    }
    free(files);
    return code;
}

static void *wait_for_all(void *gate) {
    pthread_mutex_lock(gate);
    pthread_mutex_unlock(gate);
    return NULL;
}

int32_t cl_try_threads(int32_t count) {
    pthread_t *threads = calloc((size_t)count, sizeof *threads);
    if (!threads) {
        return ENOMEM;
    }
    // Threads wait here until all are started, so that they exist at once.
    pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&gate);
    int32_t code = 0;
    int32_t started = 0;
    for (; started < count; started++) {
        code = pthread_create(&threads[started], NULL, wait_for_all, &gate);
        if (code != 0) {
            break;
        }
    }
    pthread_mutex_unlock(&gate);
    for (int32_t index = 0; index < started; index++) {
        pthread_join(threads[index], NULL);
    }
    pthread_mutex_destroy(&gate);
    free(threads);
    return code;
}

uint64_t cl_address_space(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) {
        return UINT64_MAX;
    }
    return limit.rlim_cur;
}

void cl_share_heap(void) {
#if defined(__GLIBC__)
    mallopt(M_ARENA_MAX, 1);
#endif
}
