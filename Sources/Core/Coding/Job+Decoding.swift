extension Job {
    /// Returns the same job, which also ends when a decode that begins now takes longer than `context` allows.
    /// - Parameter time: The clock of the job's own deadline, if it has one.
    func decoding(_ context: ResolvedContext, time: any TimeSource) -> Job {
        guard let timeout = context[.decodeTimeout] else { return self }
        return limited(to: timeout, by: ContextKey.decodeTimeout.name, time: time)
    }
}
