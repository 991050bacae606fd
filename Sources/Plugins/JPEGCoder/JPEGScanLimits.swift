#if JPEG
import Calotype

/// The most scans of a picture that are read, and the most coefficients that they may bring together.
struct JPEGScanLimits {
    let maxScans: Int
    let maxCoefficients: Int

    /// The limits that a request has.
    init(_ context: ResolvedContext) {
        maxScans = max(context[.jpegMaxScans], 1)
        maxCoefficients = max(context[.jpegMaxScanCoefficients], 1)
    }

    /// Throws `limitExceeded` for more scans than allowed, and for more coefficients in them.
    func check(scanCount: Int, weight: UInt64) throws(ImageError) {
        guard scanCount <= maxScans else {
            throw .beyondLimit(moreThan: maxScans, "scans", key: "jpegMaxScans")
        }
        guard weight <= UInt64(maxCoefficients) else {
            throw .beyondLimit(
                moreThan: maxCoefficients, "coefficients in all scans", key: "jpegMaxScanCoefficients")
        }
    }
}
#endif
