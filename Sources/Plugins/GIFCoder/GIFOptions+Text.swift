#if GIF
public import Calotype

extension GIFOptions: ContextValue {
    public var contextText: String {
        let standard = GIFOptions()
        var parts: [String] = []
        if colors != standard.colors { parts.append("colors=\(colors)") }
        if dithering != standard.dithering { parts.append("dithering=\(dithering.rawValue)") }
        if sharedPalette { parts.append("sharedPalette") }
        return parts.joined(separator: ",")
    }

    public static var contextSyntax: String {
        "settings between commas, for example colors=64,dithering=ordered,sharedPalette"
    }

    public init?(contextText: String) {
        self.init()
        for part in contextText.split(separator: ",", omittingEmptySubsequences: false) where !contextText.isEmpty {
            let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let text = sides.count > 1 ? sides[1] : nil
            switch sides[0] {
            case "colors":
                guard let value = text.flatMap({ Int($0) }), (2...256).contains(value) else { return nil }
                colors = value
            case "dithering":
                guard let value = text.flatMap({ Dithering(rawValue: $0) }) else { return nil }
                dithering = value
            case "sharedPalette":
                guard let value = Bool(contextText: text ?? "true") else { return nil }
                sharedPalette = value
            default: return nil
            }
        }
    }
}
#endif
