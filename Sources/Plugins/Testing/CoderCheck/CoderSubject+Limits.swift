import Calotype

extension CoderSubject {
    /// A sink that refuses a picture gets nothing of it, and its error goes through.
    func checkLimits() throws {
        // Of a code and with words that no coder would have thought of.
        let refusal = ImageError(
            ImageError.Code(rawValue: "refusedByCoderCheck"), stage: .decode, message: "the sink of checkCoder refuses")
        var behaviour = ProbeBehaviour()
        behaviour.refusal = refusal
        let outcome = try decoder().probe(behaviour)
        try check(outcome, refusal, method: "begin")
        guard outcome.offeredPlanes != nil else { return }
        behaviour.refusalOfPlanes = refusal
        try check(try decoder().probe(behaviour), refusal, method: "beginPlanes")
    }

    private func check(_ outcome: ProbeOutcome, _ refusal: ImageError, method: String) throws(Breach) {
        try outcome.checkUse()
        let error = outcome.error as? ImageError
        try expect(
            error?.code == refusal.code && error?.message == refusal.message,
            "what `\(method)` throws to be let through",
            but: "the decode \(outcome.error.map { "threw '\($0)'" } ?? "returned as if all were well")",
            advice: "call `try sink.\(method)` and catch nothing of it")
    }
}
