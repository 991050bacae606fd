#if GIF
import Calotype
import CoderKit
import Foundation
import Testing

/// A truncated file, as described by the manifest.
struct GIFCut: Decodable, Sendable {
    let name: String
    let width: Int
    let height: Int
    /// The number of complete frames.
    let wholeFrameCount: Int
    /// The number of stored rows of the last frame; nil if nothing of it is present.
    let rowCount: Int?
    /// The name of the pixels of each present frame; nil if there is none.
    let pixels: String?

    static func all() throws -> [GIFCut] {
        try JSONDecoder().decode([GIFCut].self, from: GIFFixture.directory.data("cuts.json"))
    }

    func gif() throws -> Data { try GIFFixture.directory.data(name + ".gif") }
}

extension GIFCut: CustomTestStringConvertible {
    var testDescription: String { name }
}
#endif
