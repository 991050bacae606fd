import Calotype

extension CoderSubject {
    /// Checks that decodes and encodes end if their job is cancelled or times out, or if the sink of a decode throws.
    func checkCancelling() throws {
        let whole = try decoder().probe()
        let height = try whole.picture().height
        let cancelled = ProbeBehavior()
        cancelled.job.cancel()
        try checkCancelled(try decoder().probe(cancelled), afterRows: 0, "a job that was cancelled before")
        // If all rows come at once, the sink lends memory only once.
        for row in whole.isWhole ? [0] : Set([0, 1, height / 2, height - 1]).filter({ $0 < height }).sorted() {
            let job = Job()
            var cancelling = ProbeBehavior()
            cancelling.job = job
            cancelling.onRow = { if $0 == row { job.cancel() } }
            try checkCancelled(try decoder().probe(cancelling), afterRows: row, "a job that is cancelled at row \(row)")
            try checkRefusal(atRow: row)
        }
        try checkTimeout(takesPlanes: false)
        try checkCancelledPlanes()
        try checkEndsOfEncoding()
    }

    /// The error of a sink that refuses further rows.
    private struct Refusal: Error, Equatable {
        let row: Int
    }

    private func checkRefusal(atRow row: Int) throws {
        var behavior = ProbeBehavior()
        behavior.onRow = { if $0 == row { throw Refusal(row: row) } }
        let outcome = try decoder().probe(behavior)
        try outcome.checkUse()
        try expect(
            outcome.error as? Refusal == Refusal(row: row) && outcome.rowCount == row,
            "the error that the sink throws at row \(row) to be rethrown", but: Self.end(of: outcome),
            advice: "rethrow the errors of `row` and `whole` unchanged")
    }

    private func checkCancelled(_ outcome: ProbeOutcome, afterRows count: Int, _ situation: String) throws(Breach) {
        try outcome.checkUse()
        try expect(
            outcome.errorCode == .cancelled && outcome.rowCount == count,
            "the error `cancelled` after \(count) rows of \(situation)", but: Self.end(of: outcome),
            advice: "rethrow the errors of the sink and of `job.check()`")
    }

    /// Checks the cancellation of a decode with planes, if the decoder offers them.
    private func checkCancelledPlanes() throws {
        var behavior = ProbeBehavior()
        behavior.takesPlanes = true
        let job = Job()
        behavior.job = job
        behavior.onRow = { _ in job.cancel() }
        let outcome = try decoder().probe(behavior)
        guard outcome.offeredPlanes != nil else { return }
        try outcome.checkUse()
        try expect(
            outcome.errorCode == .cancelled && outcome.planes.allSatisfy(\.isEmpty),
            "the error `cancelled` of a job that is cancelled at the first rows of planes", but: Self.end(of: outcome),
            advice: "rethrow the errors of the sink and of `job.check()`")
        behavior.job = Job()
        behavior.onRow = { _ in throw Refusal(row: 0) }
        let refused = try decoder().probe(behavior)
        try refused.checkUse()
        try expect(
            refused.error as? Refusal == Refusal(row: 0), "the error that the sink throws at the first rows of planes",
            but: Self.end(of: refused), advice: "rethrow the errors of `plane` unchanged")
        try checkTimeout(takesPlanes: true)
    }

    /// Checks that a decode throws `timedOut` if its job times out halfway.
    private func checkTimeout(takesPlanes: Bool) throws {
        var behavior = ProbeBehavior()
        behavior.takesPlanes = takesPlanes
        let outcome = try Self.timingOut { job in
            behavior.job = job
            let outcome = try decoder().probe(behavior)
            try outcome.checkUse()
            return outcome
        }
        try expect(
            outcome.errorCode == .timedOut,
            "the error `timedOut` of a job that times out halfway\(takesPlanes ? " through planes" : "")",
            but: Self.end(of: outcome), advice: "rethrow the errors of the sink and of `job.check()`")
    }

    /// Calls `body` twice: first to count how often its job reads the clock, and then with a job that times out
    /// halfway. Returns the second result.
    private static func timingOut<Result>(_ body: (Job) throws -> Result) throws -> Result {
        let counting = CountingTime()
        _ = try body(Job(timeout: .seconds(1 << 30), time: counting))
        // The creation of the job accounts for one access.
        return try body(Job(timeout: .milliseconds((counting.lookCount - 1) / 2), time: CountingTime()))
    }

    private func checkEndsOfEncoding() throws {
        guard let image = try? Image(pixels: picture()) else { return }
        for format in coder.formats {
            guard let encoder = coder.encoder(for: format) else { continue }
            func end(_ job: Job) -> (any Error)? {
                do {
                    _ = try encoder.encode(image, options: EncodeOptions(), job: job)
                    return nil
                } catch {
                    return error
                }
            }
            let cancelled = Job()
            cancelled.cancel()
            try check(end(cancelled), is: .cancelled, format, "whose job was cancelled")
            try check(Self.timingOut(end), is: .timedOut, format, "whose job times out halfway")
        }
    }

    private func check(
        _ error: (any Error)?, is code: ImageError.Code, _ format: ImageFormat, _ situation: String
    ) throws(Breach) {
        try expect(
            (error as? ImageError)?.code == code,
            "the error `\(code.rawValue)` from an encoder of \(format.name) \(situation)",
            but: error.map { "it threw '\($0)'" } ?? "it wrote a file",
            advice: "call `job.check()` for each row, and rethrow its errors")
    }

    private static func end(of outcome: ProbeOutcome) -> String {
        let end = outcome.error.map { "threw '\($0)'" } ?? "threw nothing"
        return "the decode \(end) after \(outcome.rowCount) rows"
    }
}
