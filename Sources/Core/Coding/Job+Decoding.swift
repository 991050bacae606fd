extension Job {
    /// Returns this job with an additional deadline: the `decodeTimeout` of `context`, counted from now. Returns the
    /// same job if the context sets no timeout.
    /// - Parameter time: The clock that measures the timeout. If the job already has a deadline, this must be the clock
    ///   of that deadline.
    func decoding(_ context: ResolvedContext, time: any TimeSource) -> Job {
        guard let timeout = context[.decodeTimeout] else { return self }
        return limited(to: timeout, by: ContextKey.decodeTimeout.name, time: time)
    }
}
