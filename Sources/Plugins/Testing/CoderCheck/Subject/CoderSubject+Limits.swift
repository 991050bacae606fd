import Calotype

extension CoderSubject {
    /// Checks that a decoder passes no rows to a sink that refuses the image, and rethrows the error of the sink.
    func checkLimits() throws {
        // The code and the message of this error cannot come from a coder.
        let refusal = ImageError(
            ImageError.Code(rawValue: "refusedByCoderCheck"), stage: .decode,
            message: "the sink of checkCoder refuses the rows")
        var behavior = ProbeBehavior()
        behavior.refusal = refusal
        let outcome = try decoder().probe(behavior)
        try check(outcome, refusal, method: "begin")
        guard outcome.offeredPlanes != nil else { return }
        behavior.refusalOfPlanes = refusal
        try check(try decoder().probe(behavior), refusal, method: "beginPlanes")
    }

    /// Checks that a profile or metadata that exceeds the limit by one byte causes an error, instead of being omitted.
    func checkByteLimits() async throws {
        let manager = makeManager()
        let info = try await manager.info(of: sample.data, context: [.keepsMetadata])
        if case .icc(let profile) = info.profile {
            try await checkRefusal(
                [.maxProfileBytes(profile.count - 1)], "a profile of \(profile.count) bytes", manager)
        }
        let count = info.metadata.byteCount
        if count > 0 {
            try await checkRefusal(
                [.keepsMetadata, .maxMetadataBytes(count - 1)], "metadata of \(count) bytes", manager)
        }
    }

    private func checkRefusal(
        _ context: ImageContext, _ what: String, _ manager: ImageManager
    ) async throws(Breach) {
        var failure: ImageError?
        do throws(ImageError) {
            _ = try await manager.decode(sample.data, context: context)
        } catch {
            failure = error
        }
        try expect(
            failure?.code == .limitExceeded,
            "the error `limitExceeded` for \(what) where one less is allowed",
            but: failure.map { "it threw '\($0)'" } ?? "there was none",
            advice: "throw it, and do not omit the data instead")
    }

    private func check(_ outcome: ProbeOutcome, _ refusal: ImageError, method: String) throws(Breach) {
        try outcome.checkUse()
        let error = outcome.error as? ImageError
        try expect(
            error?.code == refusal.code && error?.message == refusal.message,
            "the error of `\(method)` to be rethrown",
            but: "the decode \(outcome.error.map { "threw '\($0)'" } ?? "returned without an error")",
            advice: "call `try sink.\(method)`, and do not catch its errors")
    }
}
