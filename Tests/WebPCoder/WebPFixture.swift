#if WEBP
import Calotype
import CoderKit
import Foundation
import Testing

/// A good file of the directory `Fixtures`, as described by its manifest.
struct WebPFixture: Decodable, Sendable {
    /// A frame of an animation.
    struct Frame: Decodable {
        let x: Int
        let y: Int
        let width: Int
        let height: Int
        let blend: FrameInfo.Blend
        let disposal: FrameInfo.Disposal
    }

    let name: String
    /// The width and height of the canvas, as stored.
    let width: Int
    let height: Int
    let hasAlpha: Bool
    let isLossy: Bool
    let orientation: UInt8
    let hasICCProfile: Bool
    let hasEXIF: Bool
    let hasXMP: Bool
    /// The name of the expected pixels.
    let pixels: String
    let loopCount: Int?
    /// The durations in milliseconds.
    let durations: [Int]?
    let frames: [Frame]?

    /// Returns all fixtures, by name.
    static func all() throws -> [WebPFixture] {
        try JSONDecoder().decode([WebPFixture].self, from: directory.data("manifest.json"))
    }

    static func stills() throws -> [WebPFixture] { try all().filter { $0.frames == nil } }

    static func animations() throws -> [WebPFixture] { try all().filter { $0.frames != nil } }

    /// Returns the fixture with this name.
    static func named(_ name: String) throws -> WebPFixture {
        try #require(all().first { $0.name == name })
    }

    /// The directory of the fixtures.
    static let directory = FixtureDirectory(.module)

    func webp() throws -> Data { try Self.directory.data(name + ".webp") }

    var size: PixelSize { PixelSize(width: width, height: height) }

    /// Returns the pixels of the still image, or of the animation's frames in order, as decoded by libwebp's tool or
    /// another library.
    func samples() throws -> [[UInt8]] {
        let bytes = try [UInt8](Self.directory.data(pixels))
        let count = size.area * 4
        try #require(bytes.count == (frames?.count ?? 1) * count)
        return stride(from: 0, to: bytes.count, by: count).map { Array(bytes[$0..<$0 + count]) }
    }

    /// The expected frame information of a decoder.
    var frameInfos: [FrameInfo] {
        zip(frames ?? [], durations ?? []).map { frame, duration in
            FrameInfo(
                duration: .milliseconds(duration),
                region: PixelRegion(x: frame.x, y: frame.y, size: PixelSize(frame.width, frame.height)),
                blend: frame.blend, disposal: frame.disposal)
        }
    }
}

extension WebPFixture: CustomTestStringConvertible {
    var testDescription: String { name }
}
#endif
