package import Calotype

/// A trial in which coders read damaged files, for fuzzing and for files that fuzzing has found.
///
/// A damaged file must yield an image or an error, and the same result every time. The code of an ``ImageError`` must
/// be one that bad input can cause. A decode must end within a limited number of checks of its job.
package struct DamageTrial: Sendable {
    /// A way to read a file.
    package enum Way: String, Sendable, CaseIterable {
        /// A decoder delivers rows.
        case rows
        /// A decoder delivers planes if it offers them.
        case planes
        /// A decoder reads the file as it arrives.
        case progressive
        /// A manager decodes all frames with random settings.
        case pipeline
        /// A manager decodes the file and encodes it again with its metadata.
        case rewriting
    }

    private static let maxPixels = 1 << 16
    static let maxFrames = 64
    /// The time limit of a job: two million checks, because ``CountingTime`` advances by a millisecond on each check.
    private static let patience = Duration.milliseconds(2_000_000)
    /// The codes of errors that bad input may cause.
    static let allowedCodes: Set<ImageError.Code> = [.badData, .incomplete, .unknownFormat, .limitExceeded]
    private static let limits: ImageContext = [
        .maxPixels(maxPixels), .maxSidePixels(1 << 12), .maxFrames(maxFrames), .maxTotalPixels(1 << 20),
        .maxProfileBytes(1 << 16), .maxMetadataBytes(1 << 16), .timeout(patience), .off(.imageCache),
    ]

    let coders: [any ImageCoder]
    let manager: ImageManager

    /// Creates a trial of coders. Each file is passed to all of them.
    package init(_ coders: [any ImageCoder]) {
        self.coders = coders
        manager = ImageManager(context: Self.limits, time: CountingTime())
        for coder in coders { manager.registry.coders.add(coder) }
    }

    /// Returns the seeds with which a file is read: 0 to `count` - 1, and the seed in the name of a file that fuzzing
    /// has found, such as 123 in `what-it-was.123.png`.
    package static func seeds(forFile name: String, count: Int = 8) -> [UInt64] {
        let parts = name.split(separator: "/").last?.split(separator: ".") ?? []
        return (0..<UInt64(count)) + parts.dropLast().suffix(1).compactMap { UInt64($0) }
    }

    /// Reads a file in the given ways. The settings of each way depend only on the seed.
    package func run(_ data: Data, seed: UInt64, ways: Set<Way> = Set(Way.allCases)) async throws(Breach) {
        // The seed is changed, so that the settings are independent of damage from the same seed. Otherwise each kind
        // of damage would always meet the same settings.
        var seeds = SplitMix64(seed: seed ^ 0xD1B5_4A32_D192_ED03)
        for way in Way.allCases {
            var random = SplitMix64(seed: seeds.next())
            guard ways.contains(way) else { continue }
            let context = Self.wishes(&random)
            switch way {
            case .pipeline: try await checkPipeline(data, context)
            case .rewriting: try await checkRewriting(data, context, &random)
            case .rows, .planes, .progressive:
                let generator = random
                try await CoderExamination.onThreadOfItsOwn { () -> Result<Void, Breach> in
                    Result { () throws(Breach) -> Void in
                        for coder in coders { try check(coder, data, way, context, generator) }
                    }
                }.get()
            }
        }
    }

    /// Returns random settings for a decode.
    private static func wishes(_ random: inout SplitMix64) -> ImageContext {
        var context = limits
        func chance(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }
        func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
        if chance(2) { context.set(.thumbnailPixelSize(number(0...70), number(0...70))) }
        if chance(4) { context.set(.preservesAspectRatio(false)) }
        if chance(4) { context.set(.thumbnailQuality(.fast)) }
        if chance(6) { context.set(.scaleDownLimitBytes(number(1...20_000))) }
        if chance(3) { context.set(.allowPartial) }
        if chance(3) { context.set(.nativeDepth) }
        if chance(4) { context.set(.keepsMetadata) }
        if chance(4) { context.set(.keepsOrientation) }
        if chance(6) { context.set(.frame(number(0...3))) }
        return context
    }

    // MARK: Decoding

    private func check(
        _ coder: any ImageCoder, _ data: Data, _ way: Way, _ context: ImageContext, _ random: SplitMix64
    ) throws(Breach) {
        let options = CoderSubject.options(context)
        do {
            if way == .progressive {
                try checkProgressive(coder, data, options, random)
            } else {
                try checkDecoding(coder, data, options, takesPlanes: way == .planes)
            }
        } catch let breach as Breach {
            throw breach
        } catch {
            try check(error)
        }
    }

    private func checkDecoding(
        _ coder: any ImageCoder, _ data: Data, _ options: DecodeOptions, takesPlanes: Bool
    ) throws {
        guard let decoder = try coder.decoder(for: ImageBytes(data), options: options),
            let again = try coder.decoder(for: ImageBytes(data), options: options)
        else { return }
        let (info, infoAgain) = try (decoder.info, again.info)
        try expect(
            info == infoAgain, "the same `info` twice", but: "it is \(infoAgain) after \(info)", advice: "keep no state"
        )
        guard isAllowed(info) else { return }
        for frame in Set([0, info.frameCount / 2, info.frameCount - 1]).sorted() {
            let outcomes = (
                decoder.probe(frame: frame, behavior(0x5A, takesPlanes)),
                again.probe(frame: frame, behavior(0xA5, takesPlanes))
            )
            try compare(outcomes.0, outcomes.1)
        }
    }

    private func checkProgressive(
        _ coder: any ImageCoder, _ data: Data, _ options: DecodeOptions, _ random: SplitMix64
    ) throws {
        var random = random
        let head = ImageBytes()
        try head.append(Data(data.prefix(CoderSubject.headByteCount)))
        guard let decoder = try coder.progressiveDecoder(for: head, options: options) else { return }
        var start = 0
        while start < data.count {
            let end = min(data.count, start + Int.random(in: 1...max(1, data.count / 4), using: &random))
            let piece = Data(data[start..<end])
            try decoder.append(piece.bytes, isLast: end == data.count)
            start = end
            do {
                let info = try decoder.info
                guard isAllowed(info) else { return }
            } catch let error as ImageError where error.code == .incomplete && end < data.count {
                continue
            }
            guard end == data.count || Bool.random(using: &random) else { continue }
            let outcome = decoder.probe(behavior(0x5A, false))
            try outcome.checkUse()
            if outcome.errorCode == .incomplete, end < data.count { continue }
            let pixels = try outcome.picture()
            if end == data.count { try compareWithWhole(pixels, coder, data, options) }
        }
    }

    /// Compares the final image of a file that arrived in pieces with the image of the whole file. Does nothing if the
    /// whole file causes an error, because the error may concern bytes that the progressive decoder does not read.
    private func compareWithWhole(
        _ pixels: PixelBuffer, _ coder: any ImageCoder, _ data: Data, _ options: DecodeOptions
    ) throws(Breach) {
        guard let decoder = try? coder.decoder(for: ImageBytes(data), options: options),
            let info = try? decoder.info, isAllowed(info)
        else { return }
        let outcome = decoder.probe(behavior(0xA5, false))
        try outcome.checkUse()
        guard outcome.error == nil, let difference = outcome.pixels?.difference(from: pixels) else { return }
        throw Breach(
            expected: "the same pixels from a file in pieces as from the whole file",
            but: "those of the whole file \(difference)",
            advice: "decode all bytes with the same result as `decoder(for:)`")
    }

    private func behavior(_ filling: UInt8, _ takesPlanes: Bool) -> ProbeBehavior {
        var behavior = ProbeBehavior()
        behavior.filling = filling
        behavior.takesPlanes = takesPlanes
        behavior.maxPixels = Self.maxPixels
        behavior.job = Job(timeout: Self.patience, time: CountingTime())
        return behavior
    }

    /// Returns whether an image has pixels and is within the limits of the trial.
    private func isAllowed(_ info: ImageInfo) -> Bool {
        !info.pixelSize.isEmpty && info.pixelSize.area <= Self.maxPixels && info.frames.count <= Self.maxFrames
    }

    private func compare(_ outcome: ProbeOutcome, _ again: ProbeOutcome) throws {
        try outcome.checkUse()
        try again.checkUse()
        try expect(
            outcome.errorCode == again.errorCode && (outcome.error == nil) == (again.error == nil)
                && outcome.planes == again.planes,
            "the same result twice", but: "it was \(Self.end(of: outcome)), and \(Self.end(of: again)) the next time",
            advice: "look for memory that is read before it is written")
        if let error = outcome.error { return try check(error) }
        if !outcome.planes.isEmpty {
            return try expect(
                outcome.hasAllPlanes, "all samples of all planes, or an error", but: "some are missing",
                advice: "throw `badData`")
        }
        try compare(outcome.picture(), again.picture())
    }

    func compare(_ pixels: PixelBuffer, _ again: PixelBuffer) throws(Breach) {
        guard let difference = again.difference(from: pixels) else { return }
        throw Breach(
            expected: "the same pixels twice", but: "the second time they \(difference)",
            advice: "look for memory that is read before it is written")
    }

    private static func end(of outcome: ProbeOutcome) -> String {
        outcome.error.map { "'\($0)'" } ?? "a picture"
    }

    /// Throws a breach if an ``ImageError`` has a code that is not allowed. Accepts errors of all other types.
    /// - Parameter allowed: The allowed codes; nil for ``allowedCodes``.
    func check(_ error: any Error, allowed: Set<ImageError.Code>? = nil) throws(Breach) {
        guard let error = error as? ImageError else { return }
        try expect(
            (allowed ?? Self.allowedCodes).contains(error.code), "an error for bad input",
            but: "its code is `\(error.code.rawValue)`: \(error)",
            advice: "throw `badData`, `incomplete` or `limitExceeded` for bad input")
    }
}
