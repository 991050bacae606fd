/// The receiver of a decoder's rows.
///
/// The library implements the protocol, and decoders call it. The sink handles memory, limits, cancellation, the
/// deadline, color, orientation and resampling, so that no decoder can forget them.
public protocol RowSink: ~Copyable {
    /// Announces rows: their stored size and format, the meaning of their channels, and claims about their pixels, such
    /// as that they are opaque.
    ///
    /// Claims of coders outside the library are checked before they affect any file that is written. A false claim is
    /// dropped, and reported by an event whose error has the code `falseClaim`. For an animation, only false claims
    /// about the first frame are reported.
    ///
    /// Throws `limitExceeded` before anything is allocated if the picture is larger than allowed.
    mutating func begin(_ layout: PixelLayout, channels: RowChannels) throws(ImageError)

    /// Offers planes instead of rows. Decoders that have planes call this method before `begin`, because planes are
    /// faster if the sink makes a smaller picture. Throws as `begin` does.
    /// - Returns: Whether planes are wanted. If true, pass them to `plane`, and do not call `begin`. If false, pass
    ///   rows as usual.
    mutating func beginPlanes(_ layout: PlanarLayout) throws(ImageError) -> Bool

    /// Takes row `y`. `body` receives the memory of exactly one row of the announced layout, and writes the row there.
    ///
    /// `body` must write every byte, because the contents of the memory are undefined. Rows come in order from the top,
    /// each once. If `body` throws, the row does not count, and this method throws the same error. Throws `cancelled`
    /// or `timedOut` if the job ends.
    mutating func row(_ y: Int, _ body: (inout MutableRawSpan) throws -> Void) throws

    /// Takes some rows of a plane, as many as the decoder has. The rows of a plane come in order from the top, each
    /// once.
    ///
    /// The sink needs the least memory if the planes advance together. Throws `cancelled` or `timedOut` if the job
    /// ends.
    /// - Parameters:
    ///   - index: The plane: 0 for Y, 1 for Cb, 2 for Cr.
    ///   - rows: The rows of the plane.
    ///   - bytes: The samples of these rows; the first row starts at the first byte.
    ///   - bytesPerRow: Bytes from the start of one row to the start of the next; bytes beyond the plane's width are
    ///     ignored.
    mutating func plane(_ index: Int, rows: Range<Int>, _ bytes: RawSpan, bytesPerRow: Int) throws

    /// Takes all rows at once, for interlaced files and for libraries that cannot give rows one by one.
    ///
    /// `body` receives memory for all rows, and writes row `y` at the byte offset `y * bytesPerRow`. For coders outside
    /// the library, the memory is filled with zero first. For coders of the library, it is filled with zero only if the
    /// request allows partial pictures.
    ///
    /// If the request allows partial pictures (``DecodeOptions/allowsPartial``), the written rows are kept when `body`
    /// throws `badData` or `incomplete`. Rows of ink are not kept, because a zero amount of ink does not show that
    /// pixels are missing.
    mutating func whole(_ body: (_ rows: inout MutableRawSpan, _ bytesPerRow: Int) throws -> Void) throws
}

extension RowSink where Self: ~Copyable {
    /// Announces rows of red, green, blue and alpha.
    public mutating func begin(_ layout: PixelLayout) throws(ImageError) {
        try begin(layout, channels: .rgba)
    }

    /// Returns false, because a sink accepts no planes by default.
    public mutating func beginPlanes(_ layout: PlanarLayout) throws(ImageError) -> Bool { false }

    /// Throws an error, because a sink accepts no planes by default.
    public mutating func plane(_ index: Int, rows: Range<Int>, _ bytes: RawSpan, bytesPerRow: Int) throws {
        throw ImageError.sinkMisuse("planes were passed that the sink did not request")
    }
}
