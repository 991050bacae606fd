/// The color space of pixels: the colors that their channel values stand for.
public enum ColorProfile: Sendable, Hashable {
    /// The sRGB color space of IEC 61966-2-1, which is also assumed if a file does not state its color space.
    case sRGB
    /// An ICC profile that is embedded in a file, or made from the color parameters in a file.
    case icc(Data)

    /// Whether the profile is for one channel of gray. Nil for `sRGB`, which is used for both gray and colors. Source:
    /// ICC.1:2022, section 7.2.8, bytes 16 to 19 of the header.
    package var isForGray: Bool? {
        guard case .icc(let data) = self else { return nil }
        return data.dropFirst(16).prefix(4).elementsEqual("GRAY".utf8)
    }
}
