/// The meaning of the four channels of a decoder's rows.
public enum RowChannels: Sendable, Hashable {
    /// Red, green, blue and straight alpha.
    case rgba
    /// Amounts of cyan, magenta, yellow and black ink in place of red, green, blue and alpha; 0 is no ink.
    ///
    /// The picture is opaque, whatever its layout says. Images never contain ink: the sink converts rows to sRGB, even
    /// under `.keepsProfile`. It uses the file's profile if a registered ``ColorConverter`` knows it.
    ///
    /// If the sink does not use a profile, each color is the light that its ink and the black ink let through. With
    /// `full` for the largest level of the format, red is (full - cyan) * (full - black) / full, rounded in integer
    /// formats.
    case cmyk
}
