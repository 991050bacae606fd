/// The meaning of the four channels of a decoder's rows.
public enum RowChannels: Sendable, Hashable {
    /// Red, green, blue and straight alpha.
    case rgba
    /// Cyan, magenta, yellow and black in place of red, green, blue and alpha: amounts of ink, 0 being none.
    ///
    /// The picture is opaque, whatever its layout says. Pixels of an image are never ink: rows become sRGB behind the
    /// sink, through the file's profile where a registered ``ColorConverter`` knows it, also under `.keepsProfile`.
    /// Without one, each colour is what its ink and black let through: red is (full - cyan) * (full - black) / full,
    /// rounded.
    case cmyk
}
