/// Turns the numbers of one colour profile into those of another.
///
/// Registered in ``Registry/colorConverters``; without one, an image keeps the profile it came with, and inks are
/// turned to sRGB without it.
public protocol ColorConverter: Sendable {
    /// The name in messages and explanations. Default: the type's name.
    var name: String { get }

    /// Returns a converter of rows; nil if this converter does not know one of the profiles, or does not convert such
    /// channels.
    ///
    /// Called once for each decode of what has another profile, on the decoding lane. Throws `badData` when a profile
    /// is damaged, which is reported and taken for sRGB, as is any error that is no ``ImageError``; every other one
    /// ends the decode.
    func rowConverter(for conversion: ColorConversion) throws -> (any RowConverter)?
}

extension ColorConverter {
    public var name: String { typeName(Self.self) }
}
