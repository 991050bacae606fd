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
        for option in OptionText.all(of: contextText) {
            guard set(option) else { return nil }
        }
    }

    /// Sets an option from its name and its value as text. Returns false if the name or the value is invalid.
    private mutating func set(_ option: OptionText) -> Bool {
        if let field = Self.numberFields.first(where: { $0.name == option.name }) {
            guard let value = option.number(in: field.range) else { return false }
            self[keyPath: field.value] = value
            return true
        }
        if let field = Self.switchFields.first(where: { $0.name == option.name }) {
            guard let value = option.isOn else { return false }
            self[keyPath: field.value] = value
            return true
        }
        switch option.name {
        case "preset":
            guard let value = option.choice(Preset.self) else { return false }
            preset = value
        case "lossless":
            guard let value = option.isOn else { return false }
            lossless = value
        case "targetPSNR":
            guard let value = option.text.flatMap({ Double(contextText: $0) }), value >= 0 else { return false }
            targetPSNR = value
        case "keyFrameDistance":
            let ends = (option.text ?? "").split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
            guard ends.count == 2, let least = ends[0], let most = ends[1], least <= most else { return false }
            keyFrameDistance = least...most
        default: return false
        }
        return true
    }
}
#endif
