/// Qualities of lossy formats: the value of ``ContextKey/formatQualities``.
public struct FormatQualities: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    /// The qualities, 0 (smallest) to 1 (best), by lower-case names or file extensions of formats.
    public let values: [String: Double]

    /// Creates qualities from a dictionary whose keys are names or file extensions of formats, in any case. A quality
    /// outside 0...1 becomes the nearest bound.
    public init(_ values: [String: Double]) {
        // With the arguments in this order, NaN becomes 0. Of names that differ only in case, the lowest quality
        // counts.
        let bounded = values.map { ($0.key.lowercased(), min(max(0, $0.value), 1)) }
        self.values = Dictionary(bounded) { min($0, $1) }
    }

    public init(dictionaryLiteral values: (String, Double)...) {
        self.init(Dictionary(values) { first, _ in first })
    }
}

extension FormatQualities {
    /// Returns the quality of a format by its name or one of its file extensions; nil if none of them has an entry.
    func quality(of format: ImageFormat) -> Double? {
        ([format.name] + format.fileExtensions).lazy.compactMap { values[$0] }.first
    }
}

extension FormatQualities: ContextValue {
    public var contextText: String {
        values.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value.contextText)" }.joined(separator: ",")
    }

    public static var contextSyntax: String { "formats with their qualities, for example avif=0.5,webp=0.75" }

    public init?(contextText: String) {
        var values: [String: Double] = [:]
        for option in OptionText.all(of: contextText) {
            guard !option.name.isEmpty, let quality = option.text.flatMap({ Double(contextText: $0) }),
                (0...1).contains(quality), values.updateValue(quality, forKey: option.name.lowercased()) == nil
            else { return nil }
        }
        self.init(values)
    }
}
