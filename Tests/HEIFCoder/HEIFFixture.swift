#if HEIF
import Calotype
import CoderKit
import Foundation
import Testing

/// A good file of the directory `Fixtures`, as its manifest describes it.
struct HEIFFixture: Decodable, Sendable {
    let name: String
    let file: String
    /// `heic`, `avif`, or `heif` where the file says no more of itself.
    let format: String
    /// Width and height as stored.
    let storedWidth: Int
    let storedHeight: Int
    /// Width and height as shown.
    let width: Int
    let height: Int
    let hasAlpha: Bool
    let isPremultiplied: Bool
    let bitDepth: Int
    /// `400`, `420`, `422` or `444`.
    let chroma: String
    let matrix: Int
    let primaries: Int
    let transfer: Int
    let hasICCProfile: Bool
    let hasEXIF: Bool
    let hasXMP: Bool
    /// The rotation in degrees, anticlockwise.
    let rotation: Int
    /// The sides that change places: 0 top and bottom, 1 left and right.
    let mirror: Int?
    /// The largest difference of samples of 255 from those expected, which are the colors that were meant.
    let tolerance: Int?
    /// The sides of the thumbnails.
    let thumbnails: [[Int]]
    /// The type of the picture where it is made of others.
    let derivation: String?
    /// The name of the expected pixels.
    let pixels: String

    /// The fixtures that are read, by name.
    static func all() throws -> [HEIFFixture] {
        try JSONDecoder().decode([HEIFFixture].self, from: directory.data("manifest.json")).filter {
            $0.derivation != "iovl"
        }
    }

    /// The fixtures with more than one color.
    static func various() throws -> [HEIFFixture] { try all().filter { !$0.name.hasPrefix("solid-") } }

    /// The one with this name.
    static func named(_ name: String) throws -> HEIFFixture {
        try #require(all().first { $0.name == name })
    }

    /// The directory that they are in.
    static let directory = FixtureDirectory(.module)

    /// The format by the brands of the file.
    var brandedFormat: ImageFormat { format == "avif" || name == "heif-mif1-avif" ? .avif : .heic }

    /// Whether its levels are those of PQ or HLG.
    var hasLightBeyondWhite: Bool { [16, 18].contains(transfer) }

    func data() throws -> Data { try Self.directory.data(file) }

    /// Width and height as shown.
    var size: PixelSize { PixelSize(width, height) }

    /// The pixels that other decoders make of it, upright.
    func samples() throws -> [UInt8] { try [UInt8](Self.directory.data(pixels + ".rgba")) }

    /// The same with 16 bits, of pictures with more than 8.
    func deepSamples() throws -> [UInt16] {
        let bytes = try [UInt8](Self.directory.data(pixels + ".rgba16"))
        return stride(from: 0, to: bytes.count, by: 2).map { UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8 }
    }
}

extension HEIFFixture: CustomTestStringConvertible {
    var testDescription: String { name }
}
#endif
