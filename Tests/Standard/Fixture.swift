#if COLOR && PNG && JPEG
import Foundation

/// The files of the directories `Fixtures` of several targets, as described by the scripts beside them.
enum Fixture {
    /// A target with fixtures, by its directory.
    enum Target: String {
        case color = "ColorManagement"
        case jpeg = "JPEGCoder"
        case png = "PNGCoder"
        case standard = "Standard"
    }

    private static let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()

    /// Returns the contents of a target's file.
    static func data(_ file: String, of target: Target = .standard) throws -> Data {
        try Data(contentsOf: tests.appending(path: "\(target.rawValue)/Fixtures/\(file)"))
    }

    /// Returns the PNG with this name.
    static func png(_ name: String) throws -> Data {
        try data(name + ".png", of: .png)
    }

    /// Returns the expected pixels of the PNG with this name: red, green, blue and alpha in 16 bits.
    static func samples16(_ name: String) throws -> [Int] {
        let bytes = [UInt8](try data(name + ".rgba16", of: .png))
        return stride(from: 0, to: bytes.count, by: 2).map { Int(bytes[$0]) | Int(bytes[$0 + 1]) << 8 }
    }

    /// Returns the first `count` pixels of a file of 8-bit red, green and blue, with full alpha.
    static func samples(_ file: String, of target: Target = .standard, count: Int) throws -> [Int] {
        let bytes = [UInt8](try data(file, of: target))
        return (0..<count).flatMap { (pixel: Int) -> [Int] in
            bytes[3 * pixel..<3 * pixel + 3].map { Int($0) } + [255]
        }
    }
}
#endif
