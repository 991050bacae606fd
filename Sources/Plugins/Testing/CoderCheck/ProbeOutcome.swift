package import Calotype

/// The outcome of a decode into a ``ProbeSink``.
package struct ProbeOutcome {
    /// The layout that the decoder announced; nil if the sink has not accepted a call of `begin`.
    package var layout: PixelLayout?
    /// The channels of the rows.
    package var channels = RowChannels.rgba
    /// The layout of the planes that the decoder offered; nil if it offered none.
    package var offeredPlanes: PlanarLayout?
    /// The samples of each plane, without padding; empty if no planes were accepted.
    package var planes: [[UInt8]] = []
    /// The number of delivered rows.
    package var rowCount = 0
    /// Whether all rows were delivered at once.
    package var isWhole = false
    /// The first misuse of the sink by the decoder, such as "called `begin` twice"; nil if there was none.
    package var misuse: String?
    /// The error of the decode; nil for none.
    package var error: (any Error)?
    /// The pixels; nil if no call of `begin` has succeeded. Rows for which the decoder received no memory are
    /// transparent.
    package var pixels: PixelBuffer?

    /// The code of the error; nil if there is no error, or if it is not an ``ImageError``.
    package var errorCode: ImageError.Code? { (error as? ImageError)?.code }

    /// Throws if the decoder misused its sink.
    package func checkUse() throws(Breach) {
        guard let misuse else { return }
        throw Breach(
            expected: "a decoder that uses its sink correctly", but: "it \(misuse)",
            advice: "see `RowSink` for the order of calls")
    }

    /// Returns the complete image. Throws the decode's error, or a breach if the sink was misused or rows are missing.
    package func picture() throws -> PixelBuffer {
        try checkUse()
        if let error { throw error }
        guard let layout, let pixels else {
            throw Breach(
                expected: "a picture or an error", but: "nothing was announced",
                advice: "call `begin`, or throw an error")
        }
        try expect(
            rowCount == layout.size.height, "\(layout.size.height) rows, as announced", but: "\(rowCount) were passed",
            advice: "throw `badData` if rows are missing")
        return pixels
    }

    /// Whether all samples of all planes were delivered.
    package var hasAllPlanes: Bool {
        guard let layout = offeredPlanes else { return false }
        let sizes = [layout.size] + (layout.chromaSize.map { [$0, $0] } ?? [])
        return planes.map(\.count) == sizes.map(\.area)
    }
}
