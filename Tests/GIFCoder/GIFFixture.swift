#if GIF
import Calotype
import CoderKit
import Foundation
import Testing

/// A good file of the directory `Fixtures`, as described by its manifest.
struct GIFFixture: Decodable, Sendable {
    /// A frame, as stored.
    struct Frame: Decodable {
        let x: Int
        let y: Int
        let width: Int
        let height: Int
        let disposal: Int
        let isInterlaced: Bool
        let hasLocalPalette: Bool
        let transparentIndex: Int?
    }

    /// The canvas in browsers that deviate from the specification.
    private struct Shown: Decodable {
        let width: Int?
        let height: Int?
        let pixels: String
    }

    let name: String
    /// The width and height of the canvas.
    let width: Int
    private let height: Int
    let hasAlpha: Bool
    let frameCount: Int
    let loopCount: Int
    /// The durations in milliseconds.
    let durations: [Int]
    let frames: [Frame]
    /// The name of the expected pixels.
    private let pixels: String
    private let browsers: Shown?

    /// Returns all fixtures, by name.
    static func all() throws -> [GIFFixture] {
        try JSONDecoder().decode([GIFFixture].self, from: directory.data("manifest.json"))
    }

    /// The directory of the fixtures.
    static let directory = FixtureDirectory(.module)

    func gif() throws -> Data { try Self.directory.data(name + ".gif") }

    var size: PixelSize { PixelSize(width: browsers?.width ?? width, height: browsers?.height ?? height) }

    /// Whether a frame is completely outside the canvas.
    var hasFrameOutside: Bool { frames.contains { $0.x >= size.width || $0.y >= size.height } }

    /// Returns the canvas that browsers show at each frame.
    func samples() throws -> [[UInt8]] {
        let bytes = try [UInt8](Self.directory.data((browsers?.pixels ?? pixels) + ".rgba"))
        let count = size.area * 4
        try #require(bytes.count == frameCount * count)
        return stride(from: 0, to: bytes.count, by: count).map { Array(bytes[$0..<$0 + count]) }
    }
}

extension GIFFixture: CustomTestStringConvertible {
    var testDescription: String { name }
}
#endif
