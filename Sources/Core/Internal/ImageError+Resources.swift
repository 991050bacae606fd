extension ImageError {
    /// The advice for a process that has as many files open as it may.
    package static var openFilesAdvice: String {
        "raise the limit on open files, as with `ulimit -n`, or load fewer images at once"
    }

    /// The error for bytes of a file that the system has no memory for.
    static func noMemory(forBytes count: Int, at stage: Stage) -> ImageError {
        ImageError(
            .outOfMemory, stage: stage, message: "no memory for \(count) bytes",
            advice: "load fewer images at once, or raise the process's memory limit")
    }

    /// The error for work that the system has no thread for. It may have one a little later.
    static func noThread(_ name: String, reason: String) -> ImageError {
        ImageError(
            .outOfThreads, stage: .resolve, message: "the system makes no thread for '\(name)': \(reason)",
            advice: "raise the limit on threads or on memory, as with `ulimit -u` and `ulimit -v`", isTransient: true)
    }
}
