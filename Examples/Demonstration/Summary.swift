/// The summary of all pictures, which is printed at the end.
struct Summary: Sendable, CustomStringConvertible {
    private(set) var pictureCount = 0
    private var variantCount = 0
    private var requestCount: Int?
    private var diskRatios: [Double] = []
    private var memoryRatios: [Double] = []

    /// Adds the measured loads of a picture.
    /// - Parameters:
    ///   - trial: The measured loads.
    ///   - requestCount: The number of requests to the server for this picture; nil if they are not counted.
    mutating func add(_ trial: Trial, requestCount: Int?) {
        pictureCount += 1
        variantCount += trial.rows.count
        if let requestCount { self.requestCount = (self.requestCount ?? 0) + requestCount }
        diskRatios += trial.rows.compactMap(\.diskRatio)
        memoryRatios += trial.rows.compactMap(\.memoryRatio)
    }

    /// The summary as a text: the numbers of images, variants and requests, and the median speed-ups if there are any.
    var description: String {
        var counts = [Quantity.count(pictureCount, "image"), Quantity.count(variantCount, "variant")]
        if let requestCount { counts.append("\(Quantity.count(requestCount, "request")) to the server") }
        let ratios = [("disk", diskRatios), ("memory", memoryRatios)].compactMap { name, ratios in
            Quantity.median(ratios).map { "from \(name) \(Quantity.ratio($0))" }
        }
        let comparison = ratios.isEmpty ? "" : " Median speed-up: \(ratios.joined(separator: ", "))."
        return "\(counts.joined(separator: ", ")).\(comparison)"
    }
}
