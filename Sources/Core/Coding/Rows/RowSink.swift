/// The receiver of a decoder's rows.
///
/// The library's own: the memory, limits, cancelling and deadline, colour, orientation and resampling sit behind it, so
/// that no decoder can forget them.
public protocol RowSink: ~Copyable {
    /// Announces rows: their stored size and format, what is known of their values, and what their channels hold.
    ///
    /// The layout's claims about values are checked before they decide anything about a file. A false claim is dropped
    /// and reported by an event of the code `falseClaim`. Throws `limitExceeded` before anything is allocated when the
    /// picture is larger than allowed.
    mutating func begin(_ layout: PixelLayout, channels: RowChannels) throws(ImageError)

    /// Offers planes instead of rows; called before `begin`, if at all, by decoders that have them.
    ///
    /// A picture that is to get smaller is made faster, and as well, of planes that nobody has enlarged or turned into
    /// red, green and blue. Throws as `begin` does.
    /// - Returns: Whether planes are wanted: if so, `plane` is to give them, and `begin` must not be called. If not,
    ///   nothing has begun, and rows are to follow as ever.
    mutating func beginPlanes(_ layout: PlanarLayout) throws(ImageError) -> Bool

    /// Takes row `y`: `body` fills the memory that it is lent, exactly a row of the announced layout. All of it: what
    /// is left is of no meaning.
    ///
    /// Rows come from the top, each once; one whose `body` throws has not come. Throws `cancelled` and `timedOut` too.
    mutating func row(_ y: Int, _ body: (inout MutableRawSpan) throws -> Void) throws

    /// Takes rows of a plane: those of each plane come from the top, each once, as many at a time as the decoder has.
    ///
    /// Planes that advance together need the least memory. Throws `cancelled` and `timedOut` too.
    /// - Parameters:
    ///   - index: The plane: 0 for Y, 1 for Cb, 2 for Cr.
    ///   - rows: Which rows of it.
    ///   - bytes: Their samples; the first row starts at the first byte.
    ///   - bytesPerRow: Bytes from the start of one row to the start of the next; what lies beyond the plane's width is
    ///     not looked at.
    mutating func plane(_ index: Int, rows: Range<Int>, _ bytes: RawSpan, bytesPerRow: Int) throws

    /// Takes all rows at once, for libraries that cannot give them one by one and for interlaced files.
    ///
    /// `body` fills the memory that it is lent, which is all zero; row `y` starts at `y * bytesPerRow`. Where the
    /// request allows a part (``DecodeOptions/allowsPartial``), what has been written is kept when `body` throws
    /// `badData` or `incomplete`, except of inks, among which zero is no sign of anything missing.
    mutating func whole(_ body: (_ rows: inout MutableRawSpan, _ bytesPerRow: Int) throws -> Void) throws
}

extension RowSink where Self: ~Copyable {
    /// Announces rows of red, green, blue and alpha.
    public mutating func begin(_ layout: PixelLayout) throws(ImageError) {
        try begin(layout, channels: .rgba)
    }

    /// Wants no planes.
    public mutating func beginPlanes(_ layout: PlanarLayout) throws(ImageError) -> Bool { false }

    /// Throws: a sink that wants no planes gets none.
    public mutating func plane(_ index: Int, rows: Range<Int>, _ bytes: RawSpan, bytesPerRow: Int) throws {
        throw ImageError.sinkMisuse("planes given that it did not want")
    }
}
