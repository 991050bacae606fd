/// Where a decoder puts its rows.
///
/// The library's own: the memory, limits, cancelling and deadline, colour, orientation and resampling sit behind it, so
/// that no decoder can forget them.
public protocol RowSink: ~Copyable {
    /// Announces what follows: stored size, format of the rows and what is known of their values.
    ///
    /// Throws `limitExceeded` before anything is allocated when the picture is larger than allowed.
    mutating func begin(_ layout: PixelLayout) throws(ImageError)

    /// Takes row `y`: `body` fills the memory that it is lent, exactly a row of the announced layout.
    ///
    /// Rows come from the top, each once. Throws `cancelled` and `timedOut` too.
    mutating func row(_ y: Int, _ body: (inout MutableRawSpan) throws -> Void) throws

    /// Takes all rows at once, for libraries that cannot give them one by one and for interlaced files.
    ///
    /// `body` fills the memory that it is lent; row `y` starts at `y * bytesPerRow`.
    mutating func whole(_ body: (_ rows: inout MutableRawSpan, _ bytesPerRow: Int) throws -> Void) throws
}
