import Calotype

extension TransformerSubject {
    /// The largest mean difference of a channel, 0 to 1, between the results in two formats.
    private static let formatTolerance = 4.0 / 255

    /// Checks that results do not change from call to call, are about the same in all formats, and have true claims.
    func checkFormats() throws {
        let first = outcome()
        for format in PixelFormat.allCases {
            let subject = try converted(to: format)
            let made = subject.outcome()
            try expect(
                subject.outcome() == made, "the same result of each call in \(format)", but: "the results differ",
                advice: "depend on nothing but the pixels, the parameters and the context")
            guard let pixels = made.pixels else {
                try expect(
                    made == first, "\(first) in every format", but: "it is \(made) in \(format)",
                    advice: "treat all pixel formats alike")
                continue
            }
            try checkClaims(of: pixels)
            guard let whole = first.pixels else {
                throw Breach(
                    expected: "\(first) in every format", but: "there are pixels in \(format)",
                    advice: "treat all pixel formats alike")
            }
            try expect(
                pixels.size == whole.size, "\(whole.size) in every format", but: "it is \(pixels.size) in \(format)",
                advice: "make the size of the parameters and the size of the picture")
            let difference = try pixels.converted(to: .rgba16).meanDifference(from: whole.converted(to: .rgba16))
            try expect(
                difference <= Self.formatTolerance, "about the same pixels in \(format) as in rgba8",
                but: "they differ by \(Int(difference * 255)) of 255 levels on average",
                advice: "check the size of a channel, and the level of full intensity")
        }
    }

    /// Checks that a transformer that joins itself or another one makes the pixels of both.
    func checkJoining(_ others: [any Transformer]) throws {
        guard let first = transformer as? any JoiningTransformer else { return }
        for format in PixelFormat.allCases {
            let subject = try converted(to: format)
            guard let made = subject.outcome().pixels else { continue }
            let between = TransformerSample(name: subject.sample.name, pixels: made)
            for next in [transformer] + others {
                guard let both = first.joined(with: next) else { continue }
                let joined = TransformerSubject(transformer: both, sample: subject.sample).outcome()
                try expect(
                    joined == TransformerSubject(transformer: next, sample: between).outcome(),
                    "the pixels of '\(first.key)' followed by '\(next.key)' from both in one pass, in \(format)",
                    but: "they differ", advice: "limit and round the levels between, or do not join these transformers")
            }
        }
    }

    /// Checks that pixels that are claimed to be opaque or gray are.
    private func checkClaims(of pixels: PixelBuffer) throws(Breach) {
        let advice = "pass claims to `finish` only if they hold for all pixels"
        for y in 0..<pixels.height {
            try expect(
                !pixels.isOpaque || pixels.isRowOpaque(y), "opaque pixels, as claimed", but: "some in row \(y) are not",
                advice: advice)
            try expect(
                !pixels.isGray || pixels.isRowGray(y), "gray pixels, as claimed", but: "some in row \(y) are not",
                advice: advice)
        }
    }

    // MARK: Limits

    /// Checks that a result larger than the picture is refused if the request does not accept its size.
    func checkLimits() throws {
        guard let made = outcome().pixels, made.size.area > sample.pixels.size.area else { return }
        let limited = outcome([.maxPixels(made.size.area - 1)])
        try expect(
            limited == .failure(ImageError.Code.limitExceeded.rawValue),
            "the error `limitExceeded` if a result of \(made.size) pixels is not accepted", but: "it is \(limited)",
            advice: "call `context.check(_:)` before you allocate memory")
    }

    // MARK: Cancelling

    /// Checks that the work ends if its job is cancelled before, or times out halfway.
    func checkCancelling() throws {
        // The work for small pictures is short.
        guard let made = outcome().pixels, sample.pixels.height >= 64, !isUnchanged(made) else { return }
        let cancelled = Job()
        cancelled.cancel()
        try expect(
            outcome(job: cancelled) == .failure(ImageError.Code.cancelled.rawValue),
            "the error `cancelled` of a job that was cancelled before", but: "it is \(outcome(job: cancelled))",
            advice: "call `context.job.check()` for each row, and rethrow its errors")
        let counting = CountingTime()
        _ = outcome(job: Job(timeout: .seconds(1 << 30), time: counting))
        // The creation of the job accounts for one access. Pixels may be moved in blocks of 64 rows.
        try expect(
            made.height <= 64 || counting.lookCount > 2, "several checks of the job",
            but: "there are \(counting.lookCount - 1)",
            advice: "call `context.job.check()` for each row")
        let late = outcome(job: Job(timeout: .milliseconds((counting.lookCount - 1) / 2), time: CountingTime()))
        try expect(
            late == .failure(ImageError.Code.timedOut.rawValue), "the error `timedOut` of a job that times out halfway",
            but: "it is \(late)", advice: "call `context.job.check()` for each row, and rethrow its errors")
    }

    private func isUnchanged(_ made: PixelBuffer) -> Bool {
        made.size == sample.pixels.size && made.difference(from: sample.pixels) == nil
    }

    // MARK: Threads

    /// Checks that calls on several threads at once have the result of a single call.
    func checkThreadSafety() throws {
        let expected = outcome()
        let isEqual = Lock(true)
        ThreadGroup.run(4) { _ in
            if outcome() != expected { isEqual.withLock { $0 = false } }
        }
        try expect(
            isEqual.withLock { $0 }, "the same result on several threads at once",
            but: "the results differ", advice: "keep the state of a transformation in local variables")
    }
}

extension PixelBuffer {
    /// Returns the mean difference of a channel, from 0 to 1, from pixels of the same size. Red, green and blue are
    /// multiplied by alpha.
    fileprivate func meanDifference(from other: PixelBuffer) -> Double {
        var sum = 0.0
        for y in 0..<height {
            var x = 0
            while x < width {
                let (one, two) = (color(x: x, y: y), other.color(x: x, y: y))
                sum += abs(one.red * one.alpha - two.red * two.alpha)
                sum += abs(one.green * one.alpha - two.green * two.alpha)
                sum += abs(one.blue * one.alpha - two.blue * two.alpha)
                sum += abs(one.alpha - two.alpha)
                x += 1
            }
        }
        return sum / Double(4 * size.area)
    }
}
