package import Calotype

/// The outcome of a decode.
package struct ProbeOutcome {
    /// The announced layout; nil if rows did not begin.
    package var layout: PixelLayout?
    /// The channels of the rows.
    package var channels = RowChannels.rgba
    /// The planes that were offered.
    package var offeredPlanes: PlanarLayout?
    /// The samples of each plane, without padding; empty where none were taken.
    package var planes: [[UInt8]] = []
    /// The number of rows that came.
    package var rowCount = 0
    /// Whether all rows came at once.
    package var isWhole = false
    /// The misuse by the decoder, as what it "did"; nil for none.
    package var misuse: String?
    /// The error of the decode.
    package var error: (any Error)?
    /// The pixels; rows that did not come are transparent.
    package var pixels: PixelBuffer?

    /// The code of the error, where it has one.
    package var errorCode: ImageError.Code? { (error as? ImageError)?.code }

    /// Throws where the decoder misused its sink.
    package func checkUse() throws(Breach) {
        guard let misuse else { return }
        throw Breach(
            expected: "a decoder that uses its sink as agreed", but: "it \(misuse)",
            advice: "see `RowSink` for what comes in which order")
    }

    /// All rows. Throws what the decode threw, and where it threw nothing but rows are missing.
    package func picture() throws -> PixelBuffer {
        try checkUse()
        if let error { throw error }
        guard let layout, let pixels else {
            throw Breach(
                expected: "a picture or an error", but: "nothing was announced",
                advice: "call `begin`, or throw what keeps you from it")
        }
        try expect(
            rowCount == layout.size.height, "\(layout.size.height) rows, as announced", but: "\(rowCount) came",
            advice: "throw `badData` where rows are missing")
        return pixels
    }

    /// Whether all samples of all planes came.
    package var hasAllPlanes: Bool {
        guard let layout = offeredPlanes else { return false }
        let sizes = [layout.size] + (layout.chromaSize.map { [$0, $0] } ?? [])
        return planes.map(\.count) == sizes.map(\.area)
    }
}
