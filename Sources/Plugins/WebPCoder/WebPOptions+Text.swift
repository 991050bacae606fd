#if WEBP
public import Calotype

extension WebPOptions: ContextValue {
    public var contextText: String {
        var parts: [String] = []
        if preset != .default { parts.append("preset=\(preset.rawValue)") }
        if lossless { parts.append("lossless") }
        parts += Self.numberFields.compactMap { field in self[keyPath: field.value].map { "\(field.name)=\($0)" } }
        parts += Self.switchFields.compactMap { field in
            self[keyPath: field.value].map { $0 ? field.name : "\(field.name)=false" }
        }
        if let targetPSNR { parts.append("targetPSNR=\(targetPSNR.contextText)") }
        if let keyFrameDistance {
            parts.append("keyFrameDistance=\(keyFrameDistance.lowerBound)-\(keyFrameDistance.upperBound)")
        }
        return parts.joined(separator: ",")
    }

    public static var contextSyntax: String { "settings between commas, for example preset=photo,method=6,sharpYUV" }

    public init?(contextText: String) {
        self.init()
        for part in contextText.split(separator: ",", omittingEmptySubsequences: false) where !contextText.isEmpty {
            let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard set(sides[0], to: sides.count > 1 ? sides[1] : nil) else { return nil }
        }
    }

    /// Sets what has a name.
    /// - Parameter text: The value; nil for a switch that is on.
    /// - Returns: Whether there is such a setting, with such a value.
    private mutating func set(_ name: String, to text: String?) -> Bool {
        if let field = Self.numberFields.first(where: { $0.name == name }) {
            guard let value = text.flatMap({ Int($0) }), field.range.contains(value) else { return false }
            self[keyPath: field.value] = value
            return true
        }
        if let field = Self.switchFields.first(where: { $0.name == name }) {
            guard let value = Bool(contextText: text ?? "true") else { return false }
            self[keyPath: field.value] = value
            return true
        }
        switch name {
        case "preset":
            guard let value = text.flatMap({ Preset(rawValue: $0) }) else { return false }
            preset = value
        case "lossless":
            guard let value = Bool(contextText: text ?? "true") else { return false }
            lossless = value
        case "targetPSNR":
            guard let value = text.flatMap({ Double(contextText: $0) }), value >= 0 else { return false }
            targetPSNR = value
        case "keyFrameDistance":
            let ends = (text ?? "").split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
            guard ends.count == 2, let least = ends[0], let most = ends[1], least <= most else { return false }
            keyFrameDistance = least...most
        default: return false
        }
        return true
    }
}
#endif
