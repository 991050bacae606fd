/// The media types that a client accepts, as listed in the HTTP header field `Accept`.
///
/// Source: RFC 9110, sections 12.4.2 and 12.5.1.
struct AcceptedTypes {
    /// The weights of types, 0...1, by their names in lower case; 0 refuses a type.
    private var weights: [String: Double] = [:]

    /// Creates the accepted types from values of the header field.
    /// - Parameter values: Media types or comma-separated lists of them, with or without weights. If there is no media
    ///   type, `*/*` is assumed.
    init(_ values: [String]) {
        for range in values.joined(separator: ",").split(separator: ",") {
            let parts = range.split(separator: ";").map { $0.trimmed.lowercased() }
            guard let type = parts.first, !type.isEmpty else { continue }
            let text = parts.dropFirst().first { $0.hasPrefix("q=") }?.dropFirst(2)
            // With the arguments in this order, NaN becomes 0.
            let weight = text.map { min(max(0, Double($0) ?? 0), 1) } ?? 1
            // A type that is listed several times, with different parameters, gets its largest weight.
            weights[type] = max(weights[type] ?? 0, weight)
        }
        if weights.isEmpty { weights["*/*"] = 1 }
    }

    /// Returns the weight of a format, 0...1; 0 if the client does not accept it.
    ///
    /// `image/*` and `*/*` cover only JPEG, PNG and GIF: browsers send these wildcards without meaning newer formats.
    /// - Parameter isAnimated: Whether the picture is an animation. If false, `image/apng` does not count.
    func weight(of format: ImageFormat, isAnimated: Bool) -> Double {
        let types = format.mimeTypes.filter { isAnimated || $0 != "image/apng" }
        if let weight = types.compactMap({ weights[$0] }).max() { return weight }
        guard Self.common.contains(format) else { return 0 }
        return weights["image/*"] ?? weights["*/*"] ?? 0
    }

    private static let common: Set<ImageFormat> = [.jpeg, .png, .gif]
}
