#if PNG
import Calotype
import CalotypePNG
import Foundation
import Testing

/// Partial results of damaged or truncated pictures.
@Suite(.timeLimit(.minutes(5)))
struct PNGPartialTests {
    private let manager = ImageManager(plugins: [.png], context: [.off(.imageCache)])

    /// Returns the end of the last chunk that contains pixel data. In some files empty chunks follow.
    private func endOfPixels(_ data: Data) -> Int {
        var (place, end) = (PNGChunk.signature.count, 0)
        for chunk in PNGChunk.all(of: data) {
            place += chunk.data.count
            if chunk.type == "IDAT", !chunk.body.isEmpty { end = place }
        }
        return end
    }

    /// Returns the number of correct rows from the top. The rest must be transparent.
    private func rowCount(_ image: Image, _ expected: [Int]) throws -> Int {
        let samples = image.pixels.samples
        let rowLength = image.width * 4
        let wrong = samples.indices.first { samples[$0] != expected[$0] } ?? samples.count
        let count = wrong / rowLength
        #expect(samples[(count * rowLength)...].allSatisfy { $0 == 0 })
        return count
    }

    @Test(arguments: ["rgba8", "rgb8", "gray16", "palette4", "icc"])
    func `a file that is cut off gives the rows received so far`(_ name: String) async throws {
        let data = try Fixture.png(name)
        let expected = try Fixture.samples8(name)
        let context: ImageContext = [.allowPartial, .keepsProfile]
        var counts: [Int] = []
        for count in stride(from: 60, to: endOfPixels(data), by: 11) {
            let part = Data(data.prefix(count))
            let plain = await #expect(throws: ImageError.self) { try await manager.decode(part) }
            #expect(plain?.code == .badData)
            guard let image = try? await manager.decode(part, context: context) else {
                // A picture without a row cannot be shown.
                #expect(counts.isEmpty, "\(count) of \(data.count) bytes")
                continue
            }
            #expect(image.attributes.isPartial)
            #expect(!image.pixels.isOpaque)
            counts.append(try rowCount(image, expected))
        }
        #expect(counts == counts.sorted())
        // Every row is shown as soon as its bytes are present, including those that libpng would hold back.
        #expect(Set(counts).count > 5)
        let whole = try await manager.decode(data, context: context)
        #expect(!whole.attributes.isPartial)
    }

    @Test(arguments: [("bad-damaged-zlib", 4), ("bad-too-few-rows", 6), ("bad-filter-type", 4), ("bad-idat-crc", 8)])
    func `the rows before the damage are given`(_ name: String, _ rowCount: Int) async throws {
        let image = try await manager.decode(Fixture.png(name), context: [.allowPartial])
        #expect(image.attributes.isPartial)
        // In the picture of these files, each pixel is different.
        let samples = image.pixels.samples
        for y in 0..<9 {
            for x in 0..<13 {
                let pixel = Array(samples[(y * 13 + x) * 4..<(y * 13 + x) * 4 + 4])
                if y < rowCount {
                    #expect(pixel[0] == x * 19 && pixel[1] == y * 19 && pixel[3] == 255)
                } else {
                    #expect(pixel == [0, 0, 0, 0])
                }
            }
        }
    }

    @Test func `an interlaced picture that is cut off has no holes`() async throws {
        let name = "rgb8-interlaced"
        let data = try Fixture.png(name)
        let expected = try Fixture.samples8(name)
        let values = Set(stride(from: 0, to: expected.count, by: 4).map { Array(expected[$0..<$0 + 4]) })
        let pixels = try #require(data.range(of: Data("IDAT".utf8))).upperBound
        var gaps: [Int] = []
        for count in stride(from: pixels + 40, to: endOfPixels(data), by: 13) {
            let part = Data(data.prefix(count))
            guard let image = try? await manager.decode(part, context: [.allowPartial]) else { continue }
            #expect(image.attributes.isPartial)
            let samples = image.pixels.samples
            let shown = stride(from: 0, to: samples.count, by: 4).map { Array(samples[$0..<$0 + 4]) }
            #expect(shown.allSatisfy { $0 == [0, 0, 0, 0] || values.contains($0) })
            gaps.append(shown.count(where: { $0 == [0, 0, 0, 0] }))
        }
        #expect(gaps == gaps.sorted(by: >))
        // The first pass is present long before the whole picture.
        #expect(gaps[gaps.count / 4] == 0)
    }

    @Test func `a header that is cut off is an error`() async throws {
        let data = try Fixture.png("icc")
        let end = try #require(data.range(of: Data("IDAT".utf8))).lowerBound
        for count in stride(from: 8, to: end, by: 29) {
            let part = Data(data.prefix(count))
            let error = await #expect(throws: ImageError.self) {
                try await manager.decode(part, context: [.allowPartial])
            }
            #expect(error?.code == .badData)
        }
    }
}
#endif
