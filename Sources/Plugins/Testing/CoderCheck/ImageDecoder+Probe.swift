package import Calotype

extension ImageDecoder {
    /// Returns the outcome of decoding a frame, as the decoder gives it.
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
