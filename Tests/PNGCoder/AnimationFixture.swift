#if PNG
import Calotype
import Foundation
import Testing

/// An animation of the directory `Fixtures`, as described by `animations.json`.
struct AnimationFixture: Decodable, Sendable {
    struct Frame: Decodable, Sendable {
        let x: Int
        let y: Int
        let width: Int
        let height: Int
        let nanoseconds: Int64
        let disposal: FrameInfo.Disposal
        let blend: FrameInfo.Blend

        var region: PixelRegion { PixelRegion(x: x, y: y, size: PixelSize(width: width, height: height)) }
    }

    let name: String
    let width: Int
    let height: Int
    let bitDepth: Int
    let hasAlpha: Bool
    let loopCount: Int
    let isStill: Bool
    let frames: [Frame]

    /// Returns all fixtures.
    static func all() throws -> [AnimationFixture] {
        try JSONDecoder().decode([AnimationFixture].self, from: Fixture.data("animations.json"))
    }

    /// Returns the fixture with this name.
    static func named(_ name: String) throws -> AnimationFixture {
        try #require(try all().first { $0.name == name })
    }

    func png() throws -> Data { try Fixture.png(name) }

    /// The expected frame information.
    var frameInfos: [FrameInfo] {
        guard !isStill else { return [] }
        return frames.enumerated().map { index, frame in
            FrameInfo(
                duration: .nanoseconds(frame.nanoseconds), region: frame.region, blend: frame.blend,
                // Before the first frame there is nothing to restore.
                disposal: index == 0 && frame.disposal == .previous ? .background : frame.disposal)
        }
    }

    /// Returns the pixels of each frame alone, in 16 bits.
    func ownSamples() throws -> [[Int]] {
        var samples = try Self.samples(name + ".frames")[...]
        return frames.map { frame in
            defer { samples = samples.dropFirst(frame.width * frame.height * 4) }
            return Array(samples.prefix(frame.width * frame.height * 4))
        }
    }

    /// Returns the canvas at each frame, in 16 bits.
    func canvases() throws -> [[Int]] {
        let samples = try Fixture.samples(name)
        let count = width * height * 4
        return stride(from: 0, to: samples.count, by: count).map { Array(samples[$0..<$0 + count]) }
    }

    private static func samples(_ file: String) throws -> [Int] {
        let bytes = [UInt8](try Fixture.data(file))
        return stride(from: 0, to: bytes.count, by: 2).map { Int(bytes[$0]) | Int(bytes[$0 + 1]) << 8 }
    }

    /// Returns the largest visible difference between pixels and a canvas, of 255. The color of transparent pixels does
    /// not count.
    static func difference(_ pixels: PixelBuffer, _ canvas: [Int]) -> Double {
        let most = pixels.format == .rgba8 ? 255.0 : 65535.0
        let samples = pixels.samples.map { Double($0) / most }
        let expected = canvas.map { Double($0) / 65535 }
        guard samples.count == expected.count else { return .infinity }
        var worst = 0.0
        for start in stride(from: 0, to: samples.count, by: 4) {
            let (alpha, expectedAlpha) = (samples[start + 3], expected[start + 3])
            worst = max(worst, abs(alpha - expectedAlpha))
            for index in start..<start + 3 {
                worst = max(worst, abs(samples[index] * alpha - expected[index] * expectedAlpha))
            }
        }
        return worst * 255
    }
}

extension AnimationFixture: CustomTestStringConvertible {
    var testDescription: String { name }
}
#endif
