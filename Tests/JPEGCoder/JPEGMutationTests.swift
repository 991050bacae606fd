#if JPEG
import Calotype
import CalotypeJPEG
import CalotypeTesting
import Foundation
import Testing

/// Damaged files, the same in every run. Whatever is done to a file, it is an image or an error.
@Suite(.timeLimit(.minutes(5)))
struct JPEGMutationTests {
    /// Mutations of each file.
    private static let mutationCount = 300
    /// Headers may claim anything; more is not to be tried.
    private static let limits: ImageContext = [.maxPixels(1 << 18)]

    /// All pixels, and thumbnails: of planes where the file has some, and divided or not.
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

    /// Bytes changed, removed or repeated, in one to three places.
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
    func `a mutated file gives planes or the error that it gives for rows`(_ name: String) throws {
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

    /// A decoder; nil for what is no JPEG, and for headers that claim too much, as in the pipeline.
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

    /// Gives a decoder a file in random pieces, and shows what it has after some of them and in the end.
    private func decode(
        _ file: Data, by decoder: any ProgressiveDecoder, asPlanes: Bool, _ random: inout SplitMix64
    ) throws {
        var start = 0
        while start < file.count {
            let end = min(file.count, start + Int.random(in: 1...400, using: &random))
            try decoder.append(file[start..<end], isLast: end == file.count)
            start = end
            guard end == file.count || Bool.random(using: &random) else { continue }
            // As the pipeline does: a header that claims too much is no reason to take memory.
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
