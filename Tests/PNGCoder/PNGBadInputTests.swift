#if PNG
import Calotype
import CalotypeTesting
import Foundation
import Testing

@testable import CalotypePNG

@Suite(.timeLimit(.minutes(5)))
struct PNGBadInputTests {
    /// The number of mutations of each picture.
    private static let mutationCount = 150

    /// A file with one fault, and its expected error.
    struct Fault: Sendable, CustomTestStringConvertible {
        let name: String
        var code: ImageError.Code = .badData
        /// A part of the message; nil if it is neither libpng's nor ours.
        var message: String?

        var testDescription: String { name }
    }

    static let faults = [
        Fault(name: "bad-empty", code: .unknownFormat),
        Fault(name: "bad-gif", code: .unknownFormat),
        Fault(name: "bad-signature-crlf-to-lf", code: .unknownFormat),
        Fault(name: "bad-signature-lf-to-crlf", code: .unknownFormat),
        Fault(name: "bad-signature-only", message: "ends in the header"),
        Fault(name: "bad-zero-width", message: "width is zero"),
        Fault(name: "bad-zero-height", message: "height is zero"),
        Fault(name: "bad-illegal-depth", message: "the header"),
        Fault(name: "bad-illegal-color-type", message: "the header"),
        Fault(name: "bad-illegal-interlace", message: "the header"),
        Fault(name: "bad-ihdr-length", message: "the header"),
        Fault(name: "bad-ihdr-crc", message: "CRC"),
        Fault(name: "bad-missing-plte", message: "PLTE"),
        Fault(name: "bad-chunk-length", message: "the header"),
        Fault(name: "bad-huge-dimensions", code: .limitExceeded, message: "65535x65535"),
        Fault(name: "bad-idat-crc", message: "CRC"),
        Fault(name: "bad-truncated-idat", message: "of 9"),
        Fault(name: "bad-damaged-zlib", message: "row 5 of 9"),
        Fault(name: "bad-too-few-rows", message: "row 7 of 9"),
        Fault(name: "bad-filter-type", message: "row 5 of 9"),
    ]

    private let manager = ImageManager(plugins: [.png], context: [.off(.imageCache)])

    private func outcome(_ data: Data, _ context: ImageContext = []) async -> Result<Image, ImageError> {
        do throws(ImageError) {
            return .success(try await manager.decode(data, context: context))
        } catch {
            return .failure(error)
        }
    }

    @Test(arguments: PNGBadInputTests.faults)
    func `the error for a faulty file names the fault`(_ fault: Fault) async throws {
        let data = try Fixture.png(fault.name)
        let error = await #expect(throws: ImageError.self) { try await manager.decode(data) }
        let said = try #require(error)
        #expect(said.code == fault.code)
        if let message = fault.message { #expect(said.message.contains(message)) }
    }

    @Test func `every bad file is used by a test`() throws {
        let faulty = Set(Self.faults.map { $0.name + ".png" })
        let accepted: Set<String> = ["bad-missing-iend.png", "bad-palette-index.png"]
        let directory = try #require(Bundle.module.url(forResource: "Fixtures", withExtension: nil))
        let bad = try FileManager.default.contentsOfDirectory(atPath: directory.path).filter { $0.hasPrefix("bad-") }
        #expect(Set(bad) == faulty.union(accepted))
    }

    // MARK: Truncation

    @Test(arguments: ["size-3x3", "size-5x3-gray2-interlaced", "palette2-trns", "icc"])
    func `a file that is cut off is an image only when all pixels are there`(_ name: String) async throws {
        let data = try Fixture.png(name)
        let whole = try await manager.decode(data, context: [.keepsProfile]).pixels.samples
        let pixels = try #require(data.range(of: Data("IDAT".utf8))).lowerBound
        for count in 0..<data.count {
            switch await outcome(Data(data.prefix(count)), [.keepsProfile]) {
            case .success(let image):
                #expect(count > pixels && image.pixels.samples == whole, "\(count) of \(data.count) bytes")
            case .failure(let error):
                // The last twelve bytes are an empty end chunk, without which the file is still complete.
                #expect(count < data.count - 12, "\(count) of \(data.count) bytes: \(error)")
                let code: ImageError.Code = count < 8 ? .unknownFormat : .badData
                #expect(error.code == code)
            }
        }
    }

    // MARK: False claims

    @Test func `a chunk with a length beyond the end is an error`() async throws {
        let header = try PNGChunk.all(of: Fixture.png("upright"))[0]
        for type in ["eXIf", "iCCP", "PLTE", "tRNS", "teXt"] {
            let data = PNGChunk.file([header]) + PNGChunk.bigEndian(0x7FFF_FFFF) + Data((type + "MM\0*").utf8)
            let error = await #expect(throws: ImageError.self) { try await manager.decode(data) }
            #expect(error?.code == .badData)
            #expect(error?.message == "is truncated: it ends in the header")
        }
    }

    /// Returns the picture `upright` with a profile of which only the first 132 bytes are present.
    private func pictureClaimingProfile(byteCount: Int) throws -> Data {
        var body = Data("profile\0\0".utf8)
        // A zlib stream with one stored block of 132 bytes.
        body += Data([0x78, 0x01, 0x01, 132, 0, 123, 255])
        body += PNGChunk.bigEndian(byteCount)
        body += try Fixture.data("icc.icc").prefix(132).dropFirst(4)
        body += Data(count: 4)
        var chunks = try PNGChunk.all(of: Fixture.png("upright"))
        chunks.insert(PNGChunk(type: "iCCP", body: body), at: 1)
        return PNGChunk.file(chunks)
    }

    @Test func `a profile with an excessive stated length is refused`() async throws {
        let data = try pictureClaimingProfile(byteCount: 1_000_000_000)
        let error = await #expect(throws: ImageError.self) { try await manager.info(of: data) }
        #expect(error?.code == .limitExceeded)
    }

    @Test func `a profile shorter than stated is treated as sRGB`() async throws {
        let info = try await manager.info(of: pictureClaimingProfile(byteCount: 1_000_000))
        #expect(info.profile == .sRGB)
    }

    @Test func `a profile longer than the request allows is refused`() async throws {
        let data = try Fixture.png("icc")
        let byteCount = try Fixture.data("icc.icc").count
        let error = await #expect(throws: ImageError.self) {
            try await manager.decode(data, context: [.maxProfileBytes(byteCount - 1)])
        }
        #expect(error?.code == .limitExceeded)
        _ = try await manager.decode(data, context: [.maxProfileBytes(byteCount)])
    }

    @Test func `a picture larger than the request allows is refused`() async throws {
        let data = try Fixture.png("upright")
        let contexts: [ImageContext] = [[.maxPixels(24 * 16 - 1)], [.maxSidePixels(23)]]
        for context in contexts {
            let error = await #expect(throws: ImageError.self) { try await manager.decode(data, context: context) }
            #expect(error?.code == .limitExceeded)
        }
        _ = try await manager.decode(data, context: [.maxPixels(24 * 16), .maxSidePixels(24)])
    }

    // MARK: Mutations

    @Test(arguments: [
        "gray1-interlaced", "gray16-trns", "rgb8", "rgba16-interlaced", "palette4-interlaced-trns", "grayalpha8", "icc",
        "orientation-6", "extra-chunks",
    ])
    func `a mutated file is an image or an error`(_ name: String) async throws {
        let data = try Fixture.png(name)
        var random = SplitMix64(seed: UInt64(data.count))
        let allowed: Set<ImageError.Code> = [.badData, .unknownFormat, .limitExceeded]
        for round in 0..<Self.mutationCount {
            var mutated = data
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                mutated[Int.random(in: 0..<mutated.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            // With correct checksums, more of the damage passes the first checks.
            if round % 3 != 0 { mutated = PNGChunk.file(PNGChunk.all(of: mutated)) }
            let isNative = round.isMultiple(of: 2)
            let context: ImageContext = isNative ? [.maxPixels(1 << 20), .nativeDepth] : [.maxPixels(1 << 20)]
            switch await outcome(mutated, context) {
            case .success(let image):
                #expect(!image.size.isEmpty)
            case .failure(let error):
                #expect(allowed.contains(error.code), "round \(round): \(error)")
            }
        }
    }
}
#endif
