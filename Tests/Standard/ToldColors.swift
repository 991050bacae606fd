#if COLOR && PNG && JPEG
import Foundation

/// The PNG fixtures whose chunks specify their colors.
enum ToldColors {
    /// The contents of `colors.json`.
    private struct Manifest: Decodable {
        /// The kind of profile that a picture's chunks specify, by picture; nil for sRGB.
        let profiles: [String: String?]
    }

    private static func profiles() throws -> [String: String?] {
        try JSONDecoder().decode(Manifest.self, from: Fixture.data("colors.json", of: .png)).profiles
    }

    /// Returns the names of all pictures.
    static func names() throws -> [String] {
        try profiles().keys.sorted()
    }

    /// Returns whether a picture's chunks specify colors other than sRGB.
    static func needsConversion(_ name: String) throws -> Bool {
        let kind = try profiles()[name] ?? nil
        return kind != nil
    }

    /// Returns whether a picture's file has 16 bits.
    static func has16Bits(_ name: String) -> Bool {
        name.hasSuffix("16-bit") || name.contains("grayalpha")
    }

    /// Returns the stored samples of a picture in 16 bits: red, green, blue and alpha, by the formulas that it was
    /// drawn with.
    static func stored(_ name: String) -> [Int] {
        if name.hasSuffix("16-bit") {
            return (0..<18).flatMap { (x: Int) -> [Int] in [x * 3855, 65535 - x * 3855, x * 1000, 65535] }
        }
        if name.contains("grayalpha") {
            return (0..<18).flatMap { (x: Int) -> [Int] in [x * 3855, x * 3855, x * 3855, 65535 - x] }
        }
        let pixels: [[Int]]
        if name.contains("gray") {
            pixels = (0..<18).map { (x: Int) -> [Int] in [x * 15, x * 15, x * 15] }
        } else if name.contains("palette") {
            pixels = (0..<16).map { (x: Int) -> [Int] in [x * 17, 255 - x * 17, x % 4 * 85] }
        } else {
            let levels = [0, 64, 160, 255]
            pixels = (0..<64).map { (index: Int) -> [Int] in
                [levels[index / 16], levels[index / 4 % 4], levels[index % 4]]
            }
        }
        return pixels.flatMap { (color: [Int]) -> [Int] in color.map { $0 * 257 } + [65535] }
    }
}
#endif
