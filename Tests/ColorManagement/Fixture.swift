#if COLOR
import Calotype
import Foundation
import Testing

/// The files of the directory `Fixtures`, as described by the script beside it.
enum Fixture {
    /// A profile other than sRGB. `space` is the color space of its values.
    struct Profile: Sendable, CustomTestStringConvertible {
        let name: String
        let channels: RowChannels
        let isGray: Bool
        /// Whether it contains tables instead of a formula.
        let isOfTables: Bool

        var testDescription: String { name }

        fileprivate init(_ name: String, channels: RowChannels = .rgba, isGray: Bool = false, isOfTables: Bool = false)
        {
            self.name = name
            self.channels = channels
            self.isGray = isGray
            self.isOfTables = isOfTables
        }

        /// Returns the conversion of rows in a format to sRGB.
        func conversion(_ format: PixelFormat) throws -> ColorConversion {
            ColorConversion(
                source: try Fixture.profile(name), target: .sRGB, format: format, channels: channels, isGray: isGray)
        }
    }

    static let profiles = [
        Profile("p3"), Profile("adobe"), Profile("gamma"), Profile("rgb-tables", isOfTables: true),
        Profile("gray-gamma", isGray: true), Profile("gray-dots", isGray: true),
        Profile("cmyk", channels: .cmyk, isOfTables: true),
    ]

    /// Returns the contents of a file.
    static func data(_ file: String) throws -> Data {
        let directory = try #require(Bundle.module.url(forResource: "Fixtures", withExtension: nil))
        return try Data(contentsOf: directory.appendingPathComponent(file))
    }

    /// Returns the profile with that name.
    static func profile(_ name: String) throws -> ColorProfile {
        .icc(try data(name + ".icc"))
    }

    /// Returns the 8-bit colors to convert; for gray, the first channel three times.
    static func colors8(isGray: Bool = false) throws -> [UInt8] {
        spread([UInt8](try data("colors8")), isGray: isGray)
    }

    /// Returns the 16-bit colors to convert.
    static func colors16(isGray: Bool = false) throws -> [UInt16] {
        let bytes = [UInt8](try data("colors16"))
        let levels = stride(from: 0, to: bytes.count, by: 2).map { UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8 }
        return spread(levels, isGray: isGray)
    }

    /// Returns the floating-point colors to convert, including values below 0 and above 1.
    static func beyond(isGray: Bool = false) throws -> [Float] {
        spread(try floats("beyond"), isGray: isGray)
    }

    /// Returns the floating-point values of a file.
    static func floats(_ file: String) throws -> [Float] {
        let bytes = [UInt8](try data(file))
        return stride(from: 0, to: bytes.count, by: 4).map { index in
            Float(bitPattern: (0..<4).reduce(0) { $0 | UInt32(bytes[index + $1]) << UInt32(8 * $1) })
        }
    }

    private static func spread<Level>(_ levels: [Level], isGray: Bool) -> [Level] {
        guard isGray else { return levels }
        return levels.indices.map { levels[$0 % 4 == 3 ? $0 : $0 - $0 % 4] }
    }
}
#endif
