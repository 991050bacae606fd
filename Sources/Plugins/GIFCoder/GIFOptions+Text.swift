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
        for option in OptionText.all(of: contextText) {
            switch option.name {
            case "colors":
                guard let value = option.number(in: 2...256) else { return nil }
                colors = value
            case "dithering":
                guard let value = option.choice(Dithering.self) else { return nil }
                dithering = value
            case "sharedPalette":
                guard let value = option.isOn else { return nil }
                sharedPalette = value
            default: return nil
            }
        }
    }
}
#endif
