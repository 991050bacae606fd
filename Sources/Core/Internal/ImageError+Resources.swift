extension ImageError {
    /// The advice for a process that has reached its limit on open files.
    package static var openFilesAdvice: String {
        "raise the limit on open files, for example with `ulimit -n`, or load fewer images at once"
    }

    /// Returns the error for the case that the system has no memory for bytes of a file.
    static func noMemory(forBytes count: Int, at stage: Stage) -> ImageError {
        ImageError(
            .outOfMemory, stage: stage, message: "not enough memory for \(count) bytes",
            advice: "load fewer images at once, or raise the process's memory limit")
    }

    /// Returns the error for the case that the system cannot make a thread for work. The error is transient.
    static func noThread(_ name: String, reason: String) -> ImageError {
        ImageError(
            .outOfThreads, stage: .resolve, message: "the system cannot create a thread for '\(name)': \(reason)",
            advice: "raise the limit on threads or memory, for example with `ulimit -u` or `ulimit -v`",
            isTransient: true)
    }
}
