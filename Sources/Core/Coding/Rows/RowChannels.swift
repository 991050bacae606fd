/// The meaning of the four channels of a decoder's rows.
public enum RowChannels: Sendable, Hashable {
    /// Red, green, blue and straight alpha.
    case rgba
    /// Cyan, magenta, yellow and black in place of red, green, blue and alpha: amounts of ink, 0 being none.
    ///
    /// The picture is opaque, whatever its layout says. Images never contain ink: rows become sRGB behind the sink,
    /// even under `.keepsProfile`, through the file's profile if a registered ``ColorConverter`` knows it. Otherwise
    /// each color is the light that its ink and black let through: red is (full - cyan) * (full - black) / full,
    /// rounded.
    case cmyk
}
