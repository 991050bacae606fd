#include "BenchmarkFloors.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

struct benchmark_worker {
    pid_t process;
    FILE *questions;
    FILE *answers;
    char *answer;
    size_t capacity;
};

/// Creates a pipe that no other process inherits. Returns false if that fails.
static bool make_pipe(int ends[2]) {
    if (pipe(ends) != 0) return false;
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    return true;
}

/// Starts the process with the other ends of the pipes as its standard input and output.
static bool spawn(pid_t *process, const char *program, const char *script, int input, int output) {
    posix_spawn_file_actions_t actions;
    if (posix_spawn_file_actions_init(&actions) != 0) return false;
    char *arguments[] = {(char *)program, (char *)script, NULL};
    bool is_started = posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO) == 0
        && posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO) == 0
        && posix_spawnp(process, program, &actions, NULL, arguments, environ) == 0;
    posix_spawn_file_actions_destroy(&actions);
    return is_started;
}

benchmark_worker *benchmark_worker_start(const char *program, const char *script) {
    int to_worker[2];
    int from_worker[2];
    if (!make_pipe(to_worker)) return NULL;
    if (!make_pipe(from_worker)) {
        close(to_worker[0]);
        close(to_worker[1]);
        return NULL;
    }
    // The end of a worker must appear as a missing answer, not end this process.
    signal(SIGPIPE, SIG_IGN);
    pid_t process = 0;
    bool is_started = spawn(&process, program, script, to_worker[0], from_worker[1]);
    close(to_worker[0]);
    close(from_worker[1]);
    benchmark_worker *worker = is_started ? calloc(1, sizeof *worker) : NULL;
    if (worker == NULL) {
        close(to_worker[1]);
        close(from_worker[0]);
        if (is_started) waitpid(process, NULL, 0);
        return NULL;
    }
    worker->process = process;
    worker->questions = fdopen(to_worker[1], "w");
    worker->answers = fdopen(from_worker[0], "r");
    if (worker->questions != NULL && worker->answers != NULL) return worker;
    if (worker->questions == NULL) close(to_worker[1]);
    if (worker->answers == NULL) close(from_worker[0]);
    benchmark_worker_end(worker);
    return NULL;
}

const char *benchmark_worker_ask(benchmark_worker *worker, const char *question) {
    if (question != NULL) {
        if (fprintf(worker->questions, "%s\n", question) < 0 || fflush(worker->questions) != 0) return NULL;
    }
    ssize_t length = getline(&worker->answer, &worker->capacity, worker->answers);
    if (length < 0) return NULL;
    if (length > 0 && worker->answer[length - 1] == '\n') worker->answer[length - 1] = '\0';
    return worker->answer;
}

void benchmark_worker_end(benchmark_worker *worker) {
    if (worker->questions != NULL) fclose(worker->questions);
    if (worker->answers != NULL) fclose(worker->answers);
    while (waitpid(worker->process, NULL, 0) < 0 && errno == EINTR) {}
    free(worker->answer);
    free(worker);
}
