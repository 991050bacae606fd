/// A converter of pixels from one color profile to another.
///
/// Register converters in ``Registry/colorConverters``. Without one, an image keeps the profile of its file, and inks
/// are converted to sRGB without their profile.
public protocol ColorConverter: Sendable {
    /// The name in messages and explanations. Default: the type's name.
    var name: String { get }

    /// Returns a converter of rows. Returns nil if this converter does not know one of the profiles, or cannot convert
    /// pixels with the channels of `conversion`.
    ///
    /// Called at most once for each decode, on the thread that decodes. For later frames of an animation, that is the
    /// thread that requests the frame.
    ///
    /// Throw `badData` if a profile is damaged: the damage is reported, and the picture counts as sRGB. Errors of
    /// unknown type count as `badData`. A `CancellationError` and any ``ImageError`` except `badData` end the decode.
    func rowConverter(for conversion: ColorConversion) throws -> (any RowConverter)?
}

extension ColorConverter {
    public var name: String { typeName(Self.self) }
}
