#if HEIF
import Calotype
import CoderKit
import Foundation
import Testing

/// A good file of the directory `Fixtures`, as described by its manifest.
struct HEIFFixture: Decodable, Sendable {
    let name: String
    let file: String
    /// `heic`, `avif`, or `heif` if the file is not more specific.
    let format: String
    /// The width and height as stored.
    let storedWidth: Int
    let storedHeight: Int
    /// The width and height as displayed.
    let width: Int
    let height: Int
    let hasAlpha: Bool
    let isPremultiplied: Bool
    let bitDepth: Int
    /// The chroma subsampling: `400`, `420`, `422` or `444`.
    let chroma: String
    let matrix: Int
    let primaries: Int
    let transfer: Int
    let hasICCProfile: Bool
    let hasEXIF: Bool
    let hasXMP: Bool
    /// The rotation in degrees, counterclockwise.
    let rotation: Int
    /// The mirroring: 0 swaps top and bottom, 1 left and right.
    let mirror: Int?
    /// The largest difference from the expected samples, which are the intended colors, of 255.
    let tolerance: Int?
    /// The sizes of the thumbnails.
    let thumbnails: [[Int]]
    /// The type of the picture if it is derived from others.
    let derivation: String?
    /// The name of the expected pixels.
    let pixels: String

    /// Returns the supported fixtures, by name.
    static func all() throws -> [HEIFFixture] {
        try JSONDecoder().decode([HEIFFixture].self, from: directory.data("manifest.json")).filter {
            $0.derivation != "iovl"
        }
    }

    /// Returns the fixtures with more than one color.
    static func various() throws -> [HEIFFixture] { try all().filter { !$0.name.hasPrefix("solid-") } }

    /// Returns the fixture with this name.
    static func named(_ name: String) throws -> HEIFFixture {
        try #require(all().first { $0.name == name })
    }

    /// The directory of the fixtures.
    static let directory = FixtureDirectory(.module)

    /// The format according to the file's brands.
    var brandedFormat: ImageFormat { format == "avif" || name == "heif-mif1-avif" ? .avif : .heic }

    /// Whether the levels are those of PQ or HLG.
    var hasLightBeyondWhite: Bool { [16, 18].contains(transfer) }

    func data() throws -> Data { try Self.directory.data(file) }

    /// The width and height as displayed.
    var size: PixelSize { PixelSize(width, height) }

    /// Returns the pixels of reference decoders, upright.
    func samples() throws -> [UInt8] { try [UInt8](Self.directory.data(pixels + ".rgba")) }

    /// Returns the same pixels with 16 bits, for pictures with more than 8.
    func deepSamples() throws -> [UInt16] {
        let bytes = try [UInt8](Self.directory.data(pixels + ".rgba16"))
        return stride(from: 0, to: bytes.count, by: 2).map { UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8 }
    }
}

extension HEIFFixture: CustomTestStringConvertible {
    var testDescription: String { name }
}
#endif
