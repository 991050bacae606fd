import Calotype

extension DamageTrial {
    /// The error codes that an encode may cause, including `encodeFailed` because metadata may not fit.
    private static let allowedCodesOfWriting = allowedCodes.union([.encodeFailed])

    /// Decodes a file twice and checks that the results are the same, then decodes the frames of the image, at most 64.
    func checkPipeline(_ data: Data, _ context: ImageContext) async throws(Breach) {
        let image: Image
        switch try await twice({ await decode(data, context) }) {
        case .success(let (first, again)):
            try expect(
                first.attributes == again.attributes, "the same attributes twice",
                but: "they are \(again.attributes) after \(first.attributes)", advice: "keep no state")
            try compare(first.pixels, again.pixels)
            image = first
        case .failure(let error): return try check(error, context)
        }
        guard let frames = image.frames else { return }
        for index in (0..<min(frames.frameCount, Self.maxFrames)).reversed() {
            do {
                let frame = try await CoderExamination.frame(index, of: frames)
                try expect(
                    frame.size == image.size && frame.format == image.pixels.format,
                    "frames of \(image.size)", but: "frame \(index) is \(frame.size)", advice: "correct Core")
            } catch let breach as Breach {
                throw breach
            } catch {
                try check(error)
            }
        }
    }

    /// Decodes a file and encodes the image twice. Throws unless both encodes have the same result: a file that can be
    /// read, or an error with one of ``allowedCodesOfWriting``.
    func checkRewriting(_ data: Data, _ context: ImageContext, _ random: inout SplitMix64) async throws(Breach) {
        let formats = coders.flatMap { coder in coder.formats.filter { coder.encoder(for: $0) != nil } }
        guard let format = formats.randomElement(using: &random) else { return }
        let writing: ImageContext = [
            .metadataPolicy(Bool.random(using: &random) ? .all : .rights),
            Bool.random(using: &random) ? .embedThumbnail : .off(.embedThumbnail),
        ]
        let image: Image
        switch await decode(data, context.merging([.keepsMetadata])) {
        case .success(let read): image = read
        case .failure(let error): return try check(error, context)
        }
        switch try await twice({ await encode(image, format, writing) }) {
        case .success(let (file, again)):
            try expect(
                file == again, "the same file of \(format.name) twice", but: "they differ",
                advice: "look for memory that is written to the file before it is set")
            guard case .failure(let error) = await decode(file, []) else { return }
            throw Breach(
                expected: "a file of \(format.name) that can be read", but: "it is rejected: '\(error)'",
                advice: "write no metadata that damages the file")
        case .failure(let error): try check(error, allowed: Self.allowedCodesOfWriting)
        }
    }

    private func decode(_ data: Data, _ context: ImageContext) async -> Result<Image, ImageError> {
        do throws(ImageError) {
            return .success(try await manager.decode(data, context: context))
        } catch {
            return .failure(error)
        }
    }

    private func encode(
        _ image: Image, _ format: ImageFormat, _ context: ImageContext
    ) async -> Result<Data, ImageError> {
        do throws(ImageError) {
            return .success(try await manager.encode(image, as: format, context: context))
        } catch {
            return .failure(error)
        }
    }

    /// Runs `body` twice. Returns both values, or the error of both runs. Throws a breach if the runs end differently.
    private func twice<Value>(
        _ body: () async -> Result<Value, ImageError>
    ) async throws(Breach) -> Result<(Value, Value), ImageError> {
        let (first, again) = (await body(), await body())
        switch (first, again) {
        case (.success(let first), .success(let again)): return .success((first, again))
        case (.failure(let error), .failure(let again)) where error.code == again.code: return .failure(error)
        default:
            throw Breach(
                expected: "the same result twice",
                but: "it was \(Self.end(of: first)), and \(Self.end(of: again)) the next time",
                advice: "look for memory that is read before it is written")
        }
    }

    private static func end<Value>(of result: Result<Value, ImageError>) -> String {
        switch result {
        case .success: "no error"
        case .failure(let error): "'\(error)'"
        }
    }

    /// Throws a breach unless bad input or these settings can cause this error in a decode.
    private func check(_ error: ImageError, _ context: ImageContext) throws(Breach) {
        // A still image has no frame other than the first.
        if error.code == .noSuchFrame, context[.frame] != nil { return }
        try check(error)
    }
}
