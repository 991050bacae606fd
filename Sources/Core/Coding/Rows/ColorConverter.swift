/// A converter of pixels from one color profile to another.
///
/// Register converters in ``Registry/colorConverters``. Without one, an image keeps the profile of its file, and inks
/// are converted to sRGB without their profile.
public protocol ColorConverter: Sendable {
    /// The name in messages and explanations. Default: the type's name.
    var name: String { get }

    /// Returns a converter of rows. Returns nil if this converter does not know one of the profiles, or does not
    /// convert such channels.
    ///
    /// Called once for each decode of a picture whose profile differs from the target profile, on the decoding lane.
    /// Throw `badData` if a profile is damaged: the damage is reported, and the picture counts as sRGB. An error that
    /// is not an ``ImageError`` has the same effect. An ``ImageError`` of another code ends the decode.
    func rowConverter(for conversion: ColorConversion) throws -> (any RowConverter)?
}

extension ColorConverter {
    public var name: String { typeName(Self.self) }
}
