package import Calotype
package import Foundation

/// A picture from the test suite of a format, as described by the manifest of the directory `Conformance`.
package struct ConformanceFile: Decodable, Sendable {
    private let name: String
    private let width: Int
    private let height: Int
    /// The digest of each frame by a reference decoder (``PixelBuffer/digest``); nil if decoders differ.
    package let digests: [String]?

    /// Returns the files of a test module.
    package static func all(in module: Bundle) throws -> [ConformanceFile] {
        try JSONDecoder().decode([ConformanceFile].self, from: directory(of: module).data("manifest.json"))
    }

    /// The size as displayed.
    package var size: PixelSize { PixelSize(width: width, height: height) }

    package func data(in module: Bundle) throws -> Data { try Self.directory(of: module).data(name) }

    /// Returns the samples of every 16th pixel in every 16th row by a reference decoder.
    package func sparseSamples(in module: Bundle) throws -> [UInt8] {
        try [UInt8](Self.directory(of: module).data("\(name).samples"))
    }

    private static func directory(of module: Bundle) -> FixtureDirectory {
        FixtureDirectory(module, name: "Conformance")
    }
}

extension ConformanceFile: CustomStringConvertible {
    package var description: String { name }
}

extension PixelBuffer {
    /// The SHA-256 of all samples, with transparent pixels set to zero.
    package var digest: String {
        var samples = samples
        for start in stride(from: 0, to: samples.count, by: 4) where samples[start + 3] == 0 {
            samples.replaceSubrange(start..<start + 4, with: repeatElement(0, count: 4))
        }
        return SHA256.hex(SHA256.digest(of: samples))
    }

    /// The samples of every 16th pixel in every 16th row.
    package var sparseSamples: [UInt8] {
        stride(from: 0, to: height, by: 16).flatMap { y in
            let row = row(y)
            return stride(from: 0, to: row.count, by: 4 * 16).flatMap { row[$0..<$0 + 4] }
        }
    }
}
