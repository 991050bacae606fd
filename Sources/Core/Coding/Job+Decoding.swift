extension Job {
    /// Returns this job with the `decodeTimeout` of `context`, if it is set, as an additional deadline.
    /// - Parameter time: The clock of the timeout. If the job already has a deadline, this must be the clock of that
    ///   deadline.
    func decoding(_ context: ResolvedContext, time: any TimeSource) -> Job {
        guard let timeout = context[.decodeTimeout] else { return self }
        return limited(to: timeout, by: ContextKey.decodeTimeout.name, time: time)
    }
}
