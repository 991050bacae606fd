import Testing

@testable import Calotype

/// The calls that a decoder may make after its sink has refused to begin.
@Suite(.timeLimit(.minutes(5)))
struct RowPipelineBeginningTests {
    private static let size = PixelSize(12, 8)
    private static let planes = PlanarLayout(size: size, chromaSize: nil)

    /// Returns the pipeline of a picture.
    /// - Parameter isRefused: Whether the color conversion fails the first time.
    private func makeSink(
        _ target: PixelSize, limit: ContextSetting = .maxPixels(1000), isRefused: Bool = true
    ) throws -> RowPipeline {
        let info = ImageInfo(format: ScriptedCoder.format, pixelSize: Self.size, hasAlpha: false)
        let options = DecodeOptions(ResolvedContext([.thumbnailPixelSize(target.width, target.height), limit]))
        let isFirst = Lock(isRefused)
        return try RowPipeline(info: info, options: options, job: Job()) { _, _ throws(ImageError) in
            let isRefused = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            guard isRefused else { return nil }
            throw ImageError(.noColorConverter, stage: .decode, message: "cannot be converted")
        }
    }

    /// Begins with planes, or with rows.
    private func begin(_ sink: inout RowPipeline, planes isPlanar: Bool) throws(ImageError) {
        if isPlanar {
            _ = try sink.beginPlanes(Self.planes)
        } else {
            try sink.begin(PixelLayout(size: Self.size))
        }
    }

    @Test(arguments: [false, true], [false, true])
    func `after begin fails halfway, neither another begin nor a picture follows`(
        isPlanar: Bool, isPlanarNext: Bool
    ) throws {
        var sink = try makeSink(PixelSize(6, 4))
        do {
            try begin(&sink, planes: isPlanar)
            Issue.record("expected begin to fail")
        } catch {
            #expect(error.code == .noColorConverter)
        }
        do {
            try begin(&sink, planes: isPlanarNext)
            Issue.record("expected the second begin to fail")
        } catch {
            #expect(error.message.hasSuffix("`begin` was called twice"), "\(error.message)")
        }
        do {
            try sink.row(0) { _ in }
            Issue.record("expected an error for the row")
        } catch let error as ImageError {
            #expect(error.message.hasSuffix("row 0 was passed out of order"), "\(error.message)")
        }
        do {
            _ = try sink.finish()
            Issue.record("expected finish to fail")
        } catch {
            #expect(error.message == "the decoder returned only 0 of 8 rows")
        }
    }

    @Test func `begin fails without effect if the size is too large, and a smaller size may follow`() throws {
        var sink = try makeSink(Self.size, limit: .maxPixels(96), isRefused: false)
        do {
            try sink.begin(PixelLayout(size: PixelSize(97, 1)))
            Issue.record("expected begin to fail")
        } catch {
            #expect(error.code == .limitExceeded)
        }
        try begin(&sink, planes: false)
        for y in 0..<Self.size.height { try sink.row(y) { _ in } }
        _ = try sink.finish()
    }
}
