/// A converter that changes the colors of rows in place. Used by one thread at a time.
public protocol RowConverter {
    /// Whether rows whose red, green and blue are equal stay gray. Default: false.
    var keepsGray: Bool { get }

    /// Converts the pixels of one row, leaving alpha as it is. Rows of ink become opaque red, green and blue.
    func convert(_ row: inout MutableRawSpan)
}

extension RowConverter {
    public var keepsGray: Bool { false }
}
