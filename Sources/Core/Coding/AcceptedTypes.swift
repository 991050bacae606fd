/// The media types that a client accepts, as the header field `Accept` of HTTP has them.
///
/// Source: RFC 9110, sections 12.4.2 and 12.5.1.
struct AcceptedTypes {
    /// The weights of types, 0...1, by their names in lower case; 0 refuses a type.
    private var weights: [String: Double] = [:]

    /// - Parameter values: Media types, or lists of them as a field has them, each with or without its weight. None is
    ///   what a client without the field accepts: anything.
    init(_ values: [String]) {
        for range in values.joined(separator: ",").split(separator: ",") {
            let parts = range.split(separator: ";").map { $0.trimmed.lowercased() }
            guard let type = parts.first, !type.isEmpty else { continue }
            let text = parts.dropFirst().first { $0.hasPrefix("q=") }?.dropFirst(2)
            // In this order, what is not a number becomes 0.
            let weight = text.map { min(max(0, Double($0) ?? 0), 1) } ?? 1
            // Of one type with several parameters the most counts.
            weights[type] = max(weights[type] ?? 0, weight)
        }
        if weights.isEmpty { weights["*/*"] = 1 }
    }

    /// Returns how much a format is wanted, 0...1; 0 where it is not accepted.
    ///
    /// `image/*` and `*/*` stand for formats that every reader of pictures has: browsers send them without meaning the
    /// newer ones. `image/apng` says nothing of stills.
    func weight(of format: ImageFormat, isAnimated: Bool) -> Double {
        let types = format.mimeTypes.filter { isAnimated || $0 != "image/apng" }
        if let weight = types.compactMap({ weights[$0] }).max() { return weight }
        guard Self.common.contains(format) else { return 0 }
        return weights["image/*"] ?? weights["*/*"] ?? 0
    }

    private static let common: Set<ImageFormat> = [.jpeg, .png, .gif]
}
