#if JPEG
import Calotype

/// The limits on the scans of a picture: the number of scans, and the total number of coefficients in them.
struct JPEGScanLimits {
    let maxScans: Int
    let maxCoefficients: Int

    /// Creates the limits that the context of a request sets, each at least 1.
    init(_ context: ResolvedContext) {
        maxScans = max(context[.jpegMaxScans], 1)
        maxCoefficients = max(context[.jpegMaxScanCoefficients], 1)
    }

    /// Throws `limitExceeded` if there are more scans or more coefficients than the limits permit.
    /// - Parameter weight: The number of coefficients in all scans, counted as for the setting
    ///   `jpegMaxScanCoefficients`.
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
