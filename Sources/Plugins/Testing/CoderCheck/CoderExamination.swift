import Calotype

/// A coder under test, with all its samples.
struct CoderExamination: Sendable {
    let coder: any ImageCoder
    let samples: [CoderSample]

    /// Returns the findings of one check for all samples.
    func findings(of check: CoderCheck) async -> [CoderFinding] {
        switch check {
        case .sniffing:
            let own = await findings(check, in: samples) { try $0.checkSniffing() }
            let foreign = await findings(check, in: Self.foreignSamples(to: coder)) { try $0.checkDeclining() }
            return own + foreign
        case .info: return await findings(check, in: samples) { try $0.checkInfo() }
        case .rows: return await findings(check, in: samples) { try $0.checkRows() }
        case .limits:
            let refused = await findings(check, in: samples) { try $0.checkLimits() }
            let exceeded = await findings(check, throughManagersFor: samples) { try await $0.checkByteLimits() }
            return refused + exceeded
        case .cancelling: return await findings(check, in: samples) { try $0.checkCancelling() }
        case .truncation: return await findings(check, in: samples) { try $0.checkTruncation() }
        case .pieces: return await findings(check, in: samples) { try $0.checkPieces() }
        case .progressive: return await findings(check, in: samples) { try $0.checkProgressive() }
        case .thumbnails:
            let reduced = await findings(check, in: samples) { try $0.checkReducedDecoding() }
            let made = await findings(check, throughManagersFor: samples) { try await $0.checkThumbnails() }
            return reduced + made
        case .frames: return await findings(check, in: samples) { try $0.checkFrames() }
        case .roundTrip: return await findings(check, throughManagersFor: samples) { try await $0.checkRoundTrips() }
        case .threadSafety: return await Self.onThreadOfItsOwn { threadSafetyFindings() }
        }
    }

    /// Returns the finding for a check that was called without samples.
    static func findingOfNothing(_ check: CoderCheck) -> CoderFinding {
        let breach = Breach(
            expected: "files to test the coder with", but: "there are none",
            advice: "pass samples")
        return CoderFinding(check: check, sample: "no samples", message: breach.description)
    }

    /// Returns the finding for a sample whose check threw an error.
    func makeFinding(_ check: CoderCheck, _ sample: CoderSample, _ error: any Error) -> CoderFinding {
        let message =
            (error as? Breach)?.description
            ?? "expected no error from a valid file, but it threw '\(error)'; correct the coder or the sample"
        return CoderFinding(check: check, sample: sample.name, message: message)
    }

    /// Runs a blocking check of each sample on a thread that may block, and returns the findings.
    private func findings(
        _ check: CoderCheck, in samples: [CoderSample], _ body: @escaping @Sendable (CoderSubject) throws -> Void
    ) async -> [CoderFinding] {
        await Self.onThreadOfItsOwn {
            samples.compactMap { (sample: CoderSample) -> CoderFinding? in
                do {
                    try body(CoderSubject(coder: coder, sample: sample))
                    return nil
                } catch {
                    return makeFinding(check, sample, error)
                }
            }
        }
    }

    /// Runs a check for each sample, and returns the findings. The check is asynchronous because it uses a manager.
    private func findings(
        _ check: CoderCheck, throughManagersFor samples: [CoderSample],
        _ body: (CoderSubject) async throws -> Void
    ) async -> [CoderFinding] {
        var findings: [CoderFinding] = []
        for sample in samples {
            do {
                try await body(CoderSubject(coder: coder, sample: sample))
            } catch {
                findings.append(makeFinding(check, sample, error))
            }
        }
        return findings
    }

    /// Returns a decoded frame of an animation. The frame is decoded on a separate thread.
    static func frame(_ index: Int, of frames: any FrameSource) async throws -> PixelBuffer {
        try await onThreadOfItsOwn { Result { try frames.frame(index, job: Job()) } }.get()
    }

    /// Runs `body`, which may block, on a separate thread and returns its result. Cancelling the task does not stop
    /// `body`, because a check that ended early would appear to have passed.
    static func onThreadOfItsOwn<Outcome: Sendable>(
        _ body: @escaping @Sendable () -> Outcome
    ) async -> Outcome {
        await withCheckedContinuation { continuation in
            do throws(ImageError) {
                try DetachedThread.start(name: "ct-check") { continuation.resume(returning: body()) }
            } catch {
                // If the system cannot create a thread, `body` runs here.
                continuation.resume(returning: body())
            }
        }
    }
}
