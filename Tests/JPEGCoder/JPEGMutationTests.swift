#if JPEG
import Calotype
import CalotypeJPEG
import CalotypeTesting
import CoderKit
import Foundation
import Testing

/// Damaged files, the same in every run. Each one yields an image or an error.
@Suite(.timeLimit(.minutes(5)))
struct JPEGMutationTests {
    /// The number of mutations of each file.
    private static let mutationCount = 300
    /// Headers may claim any size; larger pictures are not tried.
    private static let limits: ImageContext = [.maxPixels(1 << 18)]

    /// All pixels, and thumbnails: from planes if the file has them, reduced and not.
    private static let wishes: [ImageContext] = [
        [], [.thumbnailPixelSize(25, 25)], [.thumbnailPixelSize(12, 12)], [.thumbnailPixelSize(7, 7)],
    ]

    static let seedFiles = [
        "small", "small-progressive", "baseline-422", "baseline-440", "progressive-444", "baseline-411",
        "progressive-uneven", "progressive-script", "gray", "rgb", "cmyk", "ycck-420-progressive", "restart-rows",
        "restart-progressive", "separate-scans", "arithmetic", "arithmetic-progressive", "icc-split", "exif-thumbnail",
        "size-1x17-progressive",
    ]

    private let manager = ImageManager(plugins: [.jpeg], context: [.off(.imageCache)])

    /// Returns data with bytes changed, removed or repeated at one to three positions.
    private func mutated(_ data: Data, _ random: inout SplitMix64) -> Data {
        var bytes = [UInt8](data)
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            let start = Int.random(in: 0..<bytes.count, using: &random)
            let part = start..<min(bytes.count, start + Int.random(in: 1...40, using: &random))
            switch Int.random(in: 0..<8, using: &random) {
            case 0: bytes.removeSubrange(part)
            case 1: bytes.insert(contentsOf: bytes[part], at: Int.random(in: 0...bytes.count, using: &random))
            case 2: bytes[start] = 0xFF
            case 3: bytes[start] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            default: bytes[start] = UInt8.random(in: 0...255, using: &random)
            }
            if bytes.isEmpty { return Data() }
        }
        return Data(bytes)
    }

    @Test(arguments: JPEGMutationTests.seedFiles)
    func `a mutated file is an image or an error`(_ name: String) async throws {
        let data = try Fixture.jpeg(name)
        var random = SplitMix64(seed: UInt64(data.count))
        let allowed: Set<ImageError.Code> = [.badData, .unknownFormat, .limitExceeded]
        for round in 0..<Self.mutationCount {
            let file = mutated(data, &random)
            let context = Self.limits.merging(Self.wishes[round % Self.wishes.count])
            do throws(ImageError) {
                let image = try await manager.decode(file, context: context)
                #expect(!image.size.isEmpty)
            } catch {
                #expect(allowed.contains(error.code), "round \(round): \(error)")
            }
        }
    }

    @Test(arguments: JPEGMutationTests.seedFiles)
    func `a mutated file gives the same error for planes as for rows, or planes`(_ name: String) throws {
        let data = try Fixture.jpeg(name)
        var random = SplitMix64(seed: UInt64(data.count) << 16)
        for round in 0..<Self.mutationCount {
            let file = mutated(data, &random)
            let options = DecodeOptions(ResolvedContext(Self.wishes[round % Self.wishes.count]))
            let rows = failure { _ = try decoder(of: file, options)?.collected() }
            let planes = failure {
                let sink = try decoder(of: file, options)?.planar()
                #expect(sink == nil || sink?.layout == nil || sink?.isWhole == true)
            }
            #expect(planes == rows, "round \(round)")
        }
    }

    /// Returns a decoder; nil for other formats and, as in the pipeline, for headers that claim too much.
    private func decoder(of file: Data, _ options: DecodeOptions) throws -> (any ImageDecoder)? {
        guard let decoder = try JPEGCoder().decoder(for: ImageBytes(file), options: options) else { return nil }
        return try decoder.info.pixelSize.area <= 1 << 18 ? decoder : nil
    }

    private func failure(_ body: () throws -> Void) -> ImageError.Code? {
        do {
            try body()
            return nil
        } catch {
            return (error as? ImageError)?.code
        }
    }

    @Test(arguments: JPEGMutationTests.seedFiles)
    func `a mutated file in pieces is pictures or an error`(_ name: String) throws {
        let data = try Fixture.jpeg(name)
        var random = SplitMix64(seed: UInt64(data.count) << 32)
        let allowed: Set<ImageError.Code> = [.badData, .limitExceeded]
        for round in 0..<Self.mutationCount {
            let file = mutated(data, &random)
            let options = DecodeOptions(ResolvedContext(Self.wishes[round % Self.wishes.count]))
            let head = ImageBytes(Data(file.prefix(16)))
            guard let decoder = try JPEGCoder().progressiveDecoder(for: head, options: options) else { continue }
            do {
                try decode(file, by: decoder, asPlanes: round.isMultiple(of: 3), &random)
            } catch let error as ImageError {
                #expect(allowed.contains(error.code), "round \(round): \(error)")
            }
        }
    }

    @Test(arguments: JPEGMutationTests.seedFiles)
    func `a mutated file gives a partial picture or an error`(_ name: String) throws {
        let data = try Fixture.jpeg(name)
        var random = SplitMix64(seed: UInt64(data.count) << 48)
        for round in 0..<Self.mutationCount {
            let file = mutated(data, &random)
            let context = Self.wishes[round % Self.wishes.count]
            let strict = try given(file, context)
            let lenient = try given(file, context.merging([.allowPartial]))
            // Leniency keeps the error, and may only add rows.
            #expect(lenient.code == strict.code, "round \(round)")
            #expect(lenient.rowCount >= strict.rowCount, "round \(round)")
            if strict.code == nil { #expect(lenient.samples == strict.samples, "round \(round)") }
        }
    }

    /// Returns the rows that a decoder delivers for a file.
    private func given(
        _ file: Data, _ context: ImageContext
    ) throws -> (samples: [UInt8], rowCount: Int, code: ImageError.Code?) {
        var sink = CollectingRowSink()
        var code: ImageError.Code?
        do {
            let options = DecodeOptions(ResolvedContext(context))
            guard let decoder = try decoder(of: file, options) else { return ([], 0, nil) }
            try decoder.decode(frame: 0, into: &sink, job: Job())
        } catch let error as ImageError {
            code = error.code
        }
        let rowCount = sink.rowCount
        guard rowCount > 0 else { return ([], 0, code) }
        return (try sink.finish().samples, rowCount, code)
    }

    @Test(arguments: JPEGMutationTests.seedFiles + ["orientation-6", "icc-after-frame"])
    func `the info of a mutated file is the same at once and in pieces`(_ name: String) throws {
        let data = try Fixture.jpeg(name)
        var random = SplitMix64(seed: UInt64(data.count) << 24)
        let options = DecodeOptions(ResolvedContext([.keepsMetadata]))
        for round in 0..<Self.mutationCount {
            let file = mutated(data, &random)
            let head = ImageBytes(Data(file.prefix(16)))
            guard let decoder = try JPEGCoder().progressiveDecoder(for: head, options: options) else { continue }
            var said: [ImageInfo] = []
            var start = 0
            let code = failure {
                while start < file.count {
                    let end = min(file.count, start + Int.random(in: 1...60, using: &random))
                    try decoder.append(file[start..<end], isLast: end == file.count)
                    start = end
                    do {
                        said.append(try decoder.info)
                    } catch let error as ImageError where error.code == .incomplete {
                        continue
                    }
                }
            }
            #expect(Set(said).count <= 1, "round \(round)")
            var whole: ImageInfo?
            let wholeCode = failure {
                whole = try JPEGCoder().decoder(for: ImageBytes(file), options: options)?.info
            }
            #expect(code == wholeCode, "round \(round)")
            if let whole { #expect(said.last == whole, "round \(round)") }
        }
    }

    /// Feeds a file to a decoder in random pieces, and shows the picture after some of them and at the end.
    private func decode(
        _ file: Data, by decoder: any ProgressiveDecoder, asPlanes: Bool, _ random: inout SplitMix64
    ) throws {
        var start = 0
        while start < file.count {
            let end = min(file.count, start + Int.random(in: 1...400, using: &random))
            try decoder.append(file[start..<end], isLast: end == file.count)
            start = end
            guard end == file.count || Bool.random(using: &random) else { continue }
            // As in the pipeline, no memory is allocated for a header that claims too much.
            do {
                let size = try decoder.info.pixelSize
                guard size.area <= 1 << 18 else { return }
            } catch let error as ImageError where error.code == .incomplete && end < file.count {
                continue
            }
            let isLast = end == file.count
            if asPlanes {
                _ = try isLast ? decoder.planar() : decoder.shownPlanar()
            } else {
                _ = try isLast ? decoder.collected() : decoder.shown()
            }
        }
    }
}
#endif
