#if PNG
import Calotype
import CalotypeTesting
import Foundation
import Testing

@testable import CalotypePNG

@Suite(.timeLimit(.minutes(5)))
struct PNGColorTests {
    /// The contents of `colors.json`.
    struct Colors: Decodable {
        /// The matrix from D50 XYZ to linear sRGB, row by row.
        let matrix: [Double]
        /// The kind of profile that a picture's chunks specify: "rgb", "gray", or nil for sRGB.
        let profiles: [String: String?]

        static func told() throws -> Colors {
            try JSONDecoder().decode(Colors.self, from: Fixture.data("colors.json"))
        }

        static func names() throws -> [String] {
            try told().profiles.keys.sorted()
        }
    }

    private static let stored: ImageContext = [.nativeDepth, .keepsProfile]

    private let manager = ImageManager(plugins: [.png], context: [.off(.imageCache)])

    private func profile(of name: String) async throws -> ColorProfile {
        try await manager.info(of: Fixture.png(name)).profile
    }

    /// Returns the profile of a file of these chunks, with additional chunks after the first.
    private func profile(_ chunks: [PNGChunk], adding added: PNGChunk...) async throws -> ColorProfile {
        var chunks = chunks
        chunks.insert(contentsOf: added, at: 1)
        return try await manager.info(of: PNGChunk.file(chunks)).profile
    }

    private func chunks(of name: String, without types: String...) throws -> [PNGChunk] {
        try PNGChunk.all(of: Fixture.png(name)).filter { !types.contains($0.type) }
    }

    /// Returns a cICP chunk for Display P3, or with other contents.
    private func displayP3(_ body: [UInt8] = [12, 13, 0, 1]) -> PNGChunk {
        PNGChunk(type: "cICP", body: Data(body))
    }

    private let linear = PNGChunk(type: "gAMA", body: PNGChunk.bigEndian(100_000))

    // MARK: Meaning of chunks

    @Test(arguments: try PNGColorTests.Colors.names())
    func `a picture has the colors that its chunks describe`(_ name: String) async throws {
        let colors = try Colors.told()
        let kind = try #require(colors.profiles[name])
        let image = try await manager.decode(Fixture.png(name), context: Self.stored)
        let expected = try Fixture.samples(name)
        let info = try await manager.info(of: Fixture.png(name))
        #expect(image.attributes.profile == info.profile)
        guard case .icc(let data) = info.profile else {
            #expect(kind == nil)
            #expect(image.pixels.samples.map { $0 * 257 } == expected)
            return
        }
        let profile = MatrixProfile(data)
        #expect(kind == (profile.isGray ? "gray" : "rgb"))
        let scale = image.pixels.format == .rgba16 ? 65535.0 : 255.0
        let samples = image.pixels.samples
        try #require(samples.count == expected.count)
        var worst = 0.0
        for pixel in stride(from: 0, to: samples.count, by: 4) {
            let xyz = try profile.xyz(samples[pixel..<pixel + 3].map { Double($0) / scale })
            for row in 0..<3 {
                let light = (0..<3).reduce(0) { $0 + colors.matrix[3 * row + $1] * xyz[$1] }
                let value = light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
                let clipped = min(max(value, 0), 1) * 65535
                worst = max(worst, abs(clipped - Double(expected[pixel + row])))
            }
        }
        // A tenth of a level of 255, which the precision of profiles causes near black, where sRGB is steepest.
        #expect(worst < 26)
    }

    @Test func `a profile built from chunks is embedded when the picture is written`() async throws {
        for name in ["color-cicp-12-13", "color-gama-100000-chrm-aces", "color-gray-gama", "color-grayalpha-gama"] {
            let image = try await manager.decode(Fixture.png(name), context: Self.stored)
            let file = try await manager.encode(image, as: .png)
            let read = try await manager.info(of: file)
            let original = try await manager.info(of: Fixture.png(name))
            #expect(read.profile == original.profile)
            #expect(read.colorModel == original.colorModel)
            #expect(PNGChunk.all(of: file).map(\.type).contains("iCCP"))
        }
    }

    @Test func `a profile of gray stays with its gray picture`() async throws {
        let profile = ColorProfile.icc(try Fixture.data("gray.icc"))
        let image = try await manager.decode(Fixture.png("gray-icc"), context: Self.stored)
        #expect(image.attributes.profile == profile)
        #expect(image.pixels.isGray)
        let expected = try Fixture.samples8("gray8")
        #expect(image.pixels.samples == expected)
        let info = try await manager.info(of: Fixture.png("gray-icc"))
        #expect(info.profile == profile)
        #expect(info.colorModel == .gray)
    }

    // MARK: Precedence

    @Test func `an embedded profile has priority over all chunks but cICP`() async throws {
        let embedded = ColorProfile.icc(try Fixture.data("icc.icc"))
        let coded = try await profile(of: "color-cicp-12-13")
        var chunks = try chunks(of: "icc")
        chunks.insert(linear, at: 1)
        chunks.insert(PNGChunk(type: "sRGB", body: Data([0])), at: 1)
        let withoutCode = try await profile(chunks)
        #expect(withoutCode == embedded)
        // PQ, which is not supported here.
        let notUnderstood = try await profile(chunks, adding: displayP3([9, 16, 0, 1]))
        #expect(notUnderstood == embedded)
        // At any position.
        for index in 1...4 {
            chunks.insert(displayP3(), at: index)
            let withCode = try await profile(chunks)
            #expect(withCode == coded)
            chunks.remove(at: index)
        }
    }

    @Test func `after a damaged profile the next chunk is used`() async throws {
        let told = try await profile(of: "color-gama-100000")
        var chunks = try chunks(of: "icc")
        let index = try #require(chunks.firstIndex { $0.type == "iCCP" })
        chunks[index].body.removeLast(100)
        chunks.insert(linear, at: index)
        let read = try await profile(chunks)
        #expect(read == told)
    }

    @Test func `a profile that is too long is refused beside cICP too`() async throws {
        var chunks = try chunks(of: "icc")
        chunks.insert(displayP3(), at: 1)
        let data = PNGChunk.file(chunks)
        let byteCount = try Fixture.data("icc.icc").count
        let error = await #expect(throws: ImageError.self) {
            try await manager.info(of: data, context: [.maxProfileBytes(byteCount - 1)])
        }
        #expect(error?.code == .limitExceeded)
    }

    // MARK: Invalid chunks

    @Test func `a chunk of the wrong length is ignored`() async throws {
        let chunks = try chunks(of: "srgb", without: "sRGB")
        for type in ["cICP", "sRGB", "gAMA", "cHRM"] {
            let right = ["cICP": 4, "sRGB": 1, "gAMA": 4, "cHRM": 32][type]
            for length in [0, 1, 3, 4, 5, 31, 32, 33, 100_000] where length != right {
                // Before gAMA, which counts if the invalid chunk is ignored. Each would mean something else.
                let faulty = PNGChunk(type: type, body: Data(repeating: 1, count: length))
                let read = try await profile(chunks, adding: faulty, linear)
                let told = try await profile(of: "color-gama-100000")
                #expect(read == told, "\(type) of \(length) bytes")
            }
        }
    }

    @Test func `the first of several chunks is used`() async throws {
        let chunks = try chunks(of: "srgb", without: "sRGB")
        let told = try await profile(of: "color-cicp-12-13")
        let others = [[9, 14, 0, 1], [9, 16, 0, 1], [1]].map(displayP3)
        for other in others {
            let read = try await profile(chunks, adding: displayP3(), other, displayP3())
            #expect(read == told)
        }
        // An invalid one does not count as the first.
        let read = try await profile(chunks, adding: others[2], displayP3(), others[0])
        #expect(read == told)
    }

    @Test func `a chunk with a wrong checksum is ignored`() async throws {
        let chunks = try chunks(of: "srgb", without: "sRGB")
        var data = PNGChunk.file(Array(chunks[..<1]))
        for chunk in [displayP3(), linear] {
            data += chunk.data
            data[data.count - 1] ^= 1
        }
        for chunk in chunks[1...] { data += chunk.data }
        let read = try await manager.info(of: data).profile
        #expect(read == .sRGB)
    }

    @Test func `a chunk after the pixels is ignored`() async throws {
        var chunks = try chunks(of: "srgb", without: "sRGB")
        chunks.insert(displayP3(), at: chunks.count - 1)
        let data = PNGChunk.file(chunks)
        let image = try await manager.decode(data, context: Self.stored)
        let expected = try Fixture.samples8("srgb")
        #expect(image.attributes.profile == .sRGB)
        #expect(image.pixels.samples == expected)
    }

    @Test(arguments: ["color-cicp-srgb-gama-chrm", "color-gama-100000-chrm-aces", "color-palette-gama", "gray-icc"])
    func `only a header that is cut off is an error`(_ name: String) async throws {
        let data = try Fixture.png(name)
        let whole = try await manager.info(of: data).profile
        let pixels = try #require(data.range(of: Data("IDAT".utf8))).upperBound
        for count in 8..<pixels {
            let error = await #expect(throws: ImageError.self) { try await manager.info(of: data.prefix(count)) }
            #expect(error?.code == .badData)
        }
        for count in pixels..<data.count {
            let read = try await manager.info(of: data.prefix(count)).profile
            #expect(read == whole)
        }
    }

    @Test(arguments: ["color-cicp-srgb-gama-chrm", "color-gama-100000-chrm-aces", "color-gray-cicp-9-1"])
    func `mutated chunks give a profile or an error`(_ name: String) async throws {
        let data = try Fixture.png(name)
        let pixels = try #require(data.range(of: Data("IDAT".utf8))).lowerBound
        var random = SplitMix64(seed: UInt64(data.count))
        for round in 0..<1000 {
            var mutated = data
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                mutated[Int.random(in: 33..<pixels, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            // With correct checksums, more of the damage passes the first checks.
            if round % 4 != 0 { mutated = PNGChunk.file(PNGChunk.all(of: mutated)) }
            do throws(ImageError) {
                let info = try await manager.info(of: mutated)
                guard case .icc(let profile) = info.profile else { continue }
                #expect(!profile.isEmpty)
            } catch {
                #expect(error.code == .badData, "round \(round): \(error)")
            }
        }
    }
}
#endif
