#if PNG
import Calotype
import Foundation
import Testing

/// An animation of the directory `Fixtures`, as `animations.json` describes it.
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

    /// All of them.
    static func all() throws -> [AnimationFixture] {
        try JSONDecoder().decode([AnimationFixture].self, from: Fixture.data("animations.json"))
    }

    /// The one with this name.
    static func named(_ name: String) throws -> AnimationFixture {
        try #require(try all().first { $0.name == name })
    }

    func png() throws -> Data { try Fixture.png(name) }

    /// What `info` should say of the frames.
    var frameInfos: [FrameInfo] {
        guard !isStill else { return [] }
        return frames.enumerated().map { index, frame in
            FrameInfo(
                duration: .nanoseconds(frame.nanoseconds), region: frame.region, blend: frame.blend,
                // Before the first frame there was nothing that could come back.
                disposal: index == 0 && frame.disposal == .previous ? .background : frame.disposal)
        }
    }

    /// The pixels of each frame alone, in 16 bits.
    func ownSamples() throws -> [[Int]] {
        var samples = try Self.samples(name + ".frames")[...]
        return frames.map { frame in
            defer { samples = samples.dropFirst(frame.width * frame.height * 4) }
            return Array(samples.prefix(frame.width * frame.height * 4))
        }
    }

    /// The canvas at each frame, in 16 bits.
    func canvases() throws -> [[Int]] {
        let samples = try Fixture.samples(name)
        let count = width * height * 4
        return stride(from: 0, to: samples.count, by: count).map { Array(samples[$0..<$0 + count]) }
    }

    private static func samples(_ file: String) throws -> [Int] {
        let bytes = [UInt8](try Fixture.data(file))
        return stride(from: 0, to: bytes.count, by: 2).map { Int(bytes[$0]) | Int(bytes[$0 + 1]) << 8 }
    }

    /// How far pixels are from a canvas at most, of 255, as they are seen: the color of what is transparent is of no
    /// meaning.
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
