extension PixelColor: ContextValue {
    /// The color as `#rrggbb`, or as `#rrggbbaa` if it is not opaque. Two lower-case hexadecimal digits give the value
    /// of each channel in 255ths. If a channel is not a whole number of 255ths, the color is written as four numbers
    /// joined by commas, so that equal texts are equal colors.
    public var contextText: String {
        let channels = [red, green, blue, alpha]
        let levels = channels.compactMap(Self.level)
        guard levels.count == channels.count else { return channels.map(\.contextText).joined(separator: ",") }
        return levels.prefix(alpha == 1 ? 3 : 4).reduce(into: "#") { text, level in
            text += (level < 16 ? "0" : "") + String(level, radix: 16)
        }
    }

    public static var contextSyntax: String { "#rrggbb or #rrggbbaa" }

    public init?(contextText: String) {
        let channels: [Double]
        if contextText.hasPrefix("#") {
            let digits = contextText.dropFirst().compactMap { $0.isASCII ? $0.hexDigitValue : nil }
            guard digits.count == contextText.count - 1, digits.count == 6 || digits.count == 8 else { return nil }
            channels = stride(from: 0, to: digits.count, by: 2)
                .map { Double(digits[$0] * 16 + digits[$0 + 1]) / 255 }
        } else {
            let parts = contextText.split(separator: ",", omittingEmptySubsequences: false)
            channels = parts.compactMap { Double(contextText: String($0)) }
            guard parts.count == 4, channels.count == 4 else { return nil }
        }
        self.init(
            red: channels[0], green: channels[1], blue: channels[2], alpha: channels.count == 4 ? channels[3] : 1)
    }

    /// Returns a channel, from 0 to 1, in 255ths; nil if it is not a whole number of 255ths.
    private static func level(_ channel: Double) -> UInt8? {
        guard let level = UInt8(exactly: (channel * 255).rounded()), Double(level) / 255 == channel else { return nil }
        return level
    }
}
