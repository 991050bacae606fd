#if HEIF
public import Calotype

extension HEIFOptions: ContextValue {
    static let bitDepths = [8, 10, 12]
    static let speeds = 0...9

    public var contextText: String {
        var parts: [String] = []
        if lossless { parts.append("lossless") }
        if let bitDepth { parts.append("bitDepth=\(bitDepth)") }
        if chroma != .quarter { parts.append("chroma=\(chroma.rawValue)") }
        if let speed { parts.append("speed=\(speed)") }
        return parts.joined(separator: ",")
    }

    public static var contextSyntax: String {
        "settings between commas, for example bitDepth=10,chroma=4:4:4,speed=3"
    }

    public init?(contextText: String) {
        self.init()
        for option in OptionText.all(of: contextText) {
            switch option.name {
            case "lossless":
                guard let value = option.isOn else { return nil }
                lossless = value
            case "bitDepth":
                guard let value = option.number(in: 8...12), Self.bitDepths.contains(value) else { return nil }
                bitDepth = value
            case "chroma":
                guard let value = option.choice(Chroma.self) else { return nil }
                chroma = value
            case "speed":
                guard let value = option.number(in: Self.speeds) else { return nil }
                speed = value
            default: return nil
            }
        }
    }
}
#endif
