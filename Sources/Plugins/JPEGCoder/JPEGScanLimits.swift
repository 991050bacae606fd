#if JPEG
import Calotype

/// The maximum number of scans of a picture and of coefficients in all of them.
struct JPEGScanLimits {
    let maxScans: Int
    let maxCoefficients: Int

    /// Creates the limits of a request.
    init(_ context: ResolvedContext) {
        maxScans = max(context[.jpegMaxScans], 1)
        maxCoefficients = max(context[.jpegMaxScanCoefficients], 1)
    }

    /// Throws `limitExceeded` if there are too many scans or too many coefficients in them.
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
