/// The meaning of a picture's numbers as colors.
public enum ColorProfile: Sendable, Hashable {
    /// The sRGB colour space of IEC 61966-2-1, which is also meant where nothing is said.
    case sRGB
    /// An ICC profile, as embedded in files, or made of what a file tells in numbers.
    case icc(Data)

    /// Whether it is for one channel of gray; nil for one that goes with colors too. Source: ICC.1:2022, section 7.2.8,
    /// bytes 16 to 19 of the header.
    package var isForGray: Bool? {
        guard case .icc(let data) = self else { return nil }
        return data.dropFirst(16).prefix(4).elementsEqual("GRAY".utf8)
    }
}
