import Calotype

extension CoderSubject {
    /// What ends a decode from outside ends it at that row, and is what the decode throws.
    func checkCancelling() throws {
        let whole = try decoder().probe()
        let height = try whole.picture().height
        let cancelled = ProbeBehaviour()
        cancelled.job.cancel()
        try checkCancelled(try decoder().probe(cancelled), afterRows: 0, "a job that was cancelled before")
        // Rows that come at once are lent once.
        for row in whole.isWhole ? [0] : Set([0, 1, height / 2, height - 1]).filter({ $0 < height }).sorted() {
            let job = Job()
            var cancelling = ProbeBehaviour()
            cancelling.job = job
            cancelling.onRow = { if $0 == row { job.cancel() } }
            try checkCancelled(try decoder().probe(cancelling), afterRows: row, "a job that is cancelled at row \(row)")
            try checkRefusal(atRow: row)
        }
        try checkCancelledEncoding()
    }

    /// What a sink throws that takes no more.
    private struct Refusal: Error, Equatable {
        let row: Int
    }

    private func checkRefusal(atRow row: Int) throws {
        var behaviour = ProbeBehaviour()
        behaviour.onRow = { if $0 == row { throw Refusal(row: row) } }
        let outcome = try decoder().probe(behaviour)
        try outcome.checkUse()
        try expect(
            outcome.error as? Refusal == Refusal(row: row) && outcome.rowCount == row,
            "what the sink throws at row \(row) to be let through", but: Self.end(of: outcome),
            advice: "let through what `row` and `whole` throw, as it is")
    }

    private func checkCancelled(_ outcome: ProbeOutcome, afterRows count: Int, _ situation: String) throws(Breach) {
        try outcome.checkUse()
        try expect(
            outcome.errorCode == .cancelled && outcome.rowCount == count,
            "the error `cancelled` after \(count) rows of \(situation)", but: Self.end(of: outcome),
            advice: "let through what the sink and `job.check()` throw")
    }

    private func checkCancelledEncoding() throws {
        guard let image = try? Image(pixels: picture()) else { return }
        let job = Job()
        job.cancel()
        for format in coder.formats {
            guard let encoder = coder.encoder(for: format) else { continue }
            do {
                _ = try encoder.encode(image, options: EncodeOptions(), job: job)
            } catch let error as ImageError where error.code == .cancelled {
                continue
            }
            throw Breach(
                expected: "the error `cancelled` from an encoder of \(format.name) whose job was cancelled",
                but: "it wrote a file", advice: "call `job.check()` for each row")
        }
    }

    private static func end(of outcome: ProbeOutcome) -> String {
        let end = outcome.error.map { "threw '\($0)'" } ?? "threw nothing"
        return "the decode \(end) after \(outcome.rowCount) rows"
    }
}
