package import Calotype

extension ImageDecoder {
    /// Decodes a frame into a ``ProbeSink`` and returns the outcome.
    package func probe(frame: Int = 0, _ behavior: ProbeBehavior = ProbeBehavior()) -> ProbeOutcome {
        var sink = ProbeSink(behavior)
        var failure: (any Error)?
        do {
            try decode(frame: frame, into: &sink, job: behavior.job)
        } catch {
            failure = error
        }
        var outcome = sink.finish()
        outcome.error = failure
        return outcome
    }
}
