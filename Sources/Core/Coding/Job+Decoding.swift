extension Job {
    /// Returns this job with an additional deadline: the `decodeTimeout` of `context`, counted from now. Returns the
    /// same job if the context sets no timeout.
    /// - Parameter time: The clock that measures the timeout. It must be the clock of the job's own deadline, if it has
    ///   one.
    func decoding(_ context: ResolvedContext, time: any TimeSource) -> Job {
        guard let timeout = context[.decodeTimeout] else { return self }
        return limited(to: timeout, by: ContextKey.decodeTimeout.name, time: time)
    }
}
