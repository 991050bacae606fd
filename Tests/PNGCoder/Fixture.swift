#if PNG
import Calotype
import Foundation
import Testing

/// A good picture of the directory `Fixtures`, as described by its manifest.
struct Fixture: Decodable, Sendable {
    let name: String
    let width: Int
    let height: Int
    /// The color type in the header: 0 gray, 2 color, 3 palette, 4 gray and alpha, 6 color and alpha.
    let colorType: Int
    let bitDepth: Int
    let interlaced: Bool
    let hasAlpha: Bool
    let orientation: UInt8
    let hasICCProfile: Bool

    /// Returns all fixtures, by name.
    static func all() throws -> [Fixture] {
        try JSONDecoder().decode([Fixture].self, from: data("manifest.json"))
    }

    /// Returns a file of the directory.
    static func data(_ file: String) throws -> Data {
        let directory = try #require(Bundle.module.url(forResource: "Fixtures", withExtension: nil))
        return try Data(contentsOf: directory.appendingPathComponent(file))
    }

    /// Returns the picture with this name.
    static func png(_ name: String) throws -> Data {
        try data(name + ".png")
    }

    /// Returns the expected pixels of a picture in 16 bits.
    static func samples(_ name: String) throws -> [Int] {
        let bytes = [UInt8](try data(name + ".rgba16"))
        return stride(from: 0, to: bytes.count, by: 2).map { Int(bytes[$0]) | Int(bytes[$0 + 1]) << 8 }
    }

    /// Returns the expected pixels of a picture in 8 bits: rounded, which is exact for files of at most 8 bits.
    static func samples8(_ name: String) throws -> [Int] {
        try samples(name).map { ($0 * 255 + 32895) >> 16 }
    }
}

extension Fixture: CustomTestStringConvertible {
    var testDescription: String { name }
}
#endif
