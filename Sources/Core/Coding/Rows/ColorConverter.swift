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
    /// Called at most once for each decode of a picture or frame whose profile differs from the target profile. The
    /// call is made on a decoding thread. For later frames of an animation, it is made on the thread that requests the
    /// frame.
    ///
    /// Throw `badData` if a profile is damaged: the damage is reported, and the picture counts as sRGB. An
    /// ``ImageError`` with another code and a `CancellationError` end the decode. Errors of all other types count as
    /// `badData`.
    func rowConverter(for conversion: ColorConversion) throws -> (any RowConverter)?
}

extension ColorConverter {
    public var name: String { typeName(Self.self) }
}
