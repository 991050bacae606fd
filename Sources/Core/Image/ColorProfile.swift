/// What the numbers of a picture mean as colours.
public enum ColorProfile: Sendable, Hashable {
    /// The sRGB colour space of IEC 61966-2-1, which is also meant where nothing is said.
    case sRGB
    /// An ICC profile, as embedded in files, or made of what a file tells in numbers.
    case icc(Data)
}
