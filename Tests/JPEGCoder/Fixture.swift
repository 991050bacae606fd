#if JPEG
import Calotype
import CoderKit
import Foundation
import Testing

/// A good picture of the directory `Fixtures`, as described by its manifest.
struct Fixture: Decodable, Sendable {
    let name: String
    /// The width and height as stored.
    let width: Int
    let height: Int
    let colorModel: String
    let orientation: UInt8
    let hasICCProfile: Bool
    /// The name of the expected pixels, which several pictures may share.
    let pixels: String

    /// The divisors for which there are expected pixels, in the order of the file.
    static let reductions = [1, 2, 4, 8]

    /// Returns all fixtures, by name.
    static func all() throws -> [Fixture] {
        try JSONDecoder().decode([Fixture].self, from: directory.data("manifest.json"))
    }

    /// Returns the fixture with this name.
    static func named(_ name: String) throws -> Fixture {
        try #require(all().first { $0.name == name })
    }

    /// The directory of the fixtures.
    static let directory = FixtureDirectory(.module)

    /// Returns the picture with this name.
    static func jpeg(_ name: String) throws -> Data {
        try directory.data(name + ".jpg")
    }

    /// Returns the pixels of a separate file, with full alpha.
    static func samples(_ name: String) throws -> [UInt8] {
        opaque(try directory.data(name + ".rgb"))
    }

    /// Returns the file.
    func jpeg() throws -> Data {
        try Self.jpeg(name)
    }

    var size: PixelSize { PixelSize(width: width, height: height) }

    /// Returns the size divided by a number and rounded up.
    func size(reducedBy reduction: Int) -> PixelSize {
        PixelSize(width: (width + reduction - 1) / reduction, height: (height + reduction - 1) / reduction)
    }

    /// Returns whether the longer side reveals the divisor. For a few pixels, rounded up, it may not.
    func tells(_ reduction: Int) -> Bool {
        let divided = size(reducedBy: reduction)
        let ratio = Double(max(width, height)) / Double(max(divided.width, divided.height))
        return ratio.rounded() == Double(reduction)
    }

    /// Returns settings for which a decoder divides the picture by 1, 2, 4 or 8. No side may be shorter than the
    /// divisor.
    func context(reducedBy reduction: Int) -> ImageContext {
        let size = size(reducedBy: reduction)
        return [
            .thumbnailPixelSize(size.width, size.height), .preservesAspectRatio(false), .keepsOrientation,
            .thumbnailQuality(.fast),
        ]
    }

    /// Returns the expected pixels as stored, with full alpha, divided by 1, 2, 4 or 8.
    func samples(reducedBy reduction: Int = 1) throws -> [UInt8] {
        try samples(in: pixels, reducedBy: reduction)
    }

    /// Returns the expected pixels after the first `scanCount` scans.
    func samples(ofScans scanCount: Int, reducedBy reduction: Int = 1) throws -> [UInt8] {
        try samples(in: "partial-\(name)-\(scanCount)", reducedBy: reduction)
    }

    private func samples(in file: String, reducedBy reduction: Int) throws -> [UInt8] {
        let bytes = try Self.directory.data(file + ".rgb")
        let place = try #require(Self.reductions.firstIndex(of: reduction))
        let start = Self.reductions[..<place].reduce(0) { $0 + size(reducedBy: $1).area * 3 }
        return Self.opaque(bytes[start..<start + size(reducedBy: reduction).area * 3])
    }

    private static func opaque(_ colors: Data) -> [UInt8] {
        var samples: [UInt8] = []
        samples.reserveCapacity(colors.count / 3 * 4)
        for (index, value) in colors.enumerated() {
            samples.append(value)
            if index % 3 == 2 { samples.append(255) }
        }
        return samples
    }
}

extension Fixture: CustomTestStringConvertible {
    var testDescription: String { name }
}
#endif
