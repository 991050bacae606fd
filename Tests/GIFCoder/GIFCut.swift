#if GIF
import Calotype
import CoderKit
import Foundation
import Testing

/// A file that is cut off, as the list of them describes it.
struct GIFCut: Decodable, Sendable {
    let name: String
    let width: Int
    let height: Int
    /// The number of frames that are there as a whole.
    let wholeFrameCount: Int
    /// The number of rows of the last one, as they are stored; nil where there is nothing of it.
    let rowCount: Int?
    /// The name of the pixels that there are of each frame; nil where there is none.
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
