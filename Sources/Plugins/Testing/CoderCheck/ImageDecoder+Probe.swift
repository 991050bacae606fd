package import Calotype

extension ImageDecoder {
    /// Decodes a frame with a ``ProbeSink`` and returns the outcome.
    package func probe(frame: Int = 0, _ behaviour: ProbeBehaviour = ProbeBehaviour()) -> ProbeOutcome {
        var sink = ProbeSink(behaviour)
        var failure: (any Error)?
        do {
            try decode(frame: frame, into: &sink, job: behaviour.job)
        } catch {
            failure = error
        }
        var outcome = sink.finish()
        outcome.error = failure
        return outcome
    }
}
