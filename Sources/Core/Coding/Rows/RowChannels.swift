/// The meaning of the four channels of a decoder's rows.
public enum RowChannels: Sendable, Hashable {
    /// Red, green, blue and straight alpha.
    case rgba
    /// Amounts of cyan, magenta, yellow and black ink in place of red, green, blue and alpha; 0 is no ink.
    ///
    /// The picture is opaque, whatever its layout says. The sink always converts rows to sRGB, even under
    /// `.keepsProfile`. It uses the file's profile if a registered ``ColorConverter`` knows it.
    ///
    /// Without a profile, red is (full - cyan) * (full - black) / full, rounded in integer formats, where `full` is the
    /// largest level of the format. Green and blue are computed likewise from magenta and yellow.
    case cmyk
}
