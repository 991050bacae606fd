/// Converts the colours of rows in place. Used by one thread at a time.
public protocol RowConverter {
    /// Converts the pixels of one row, leaving alpha as it is.
    func convert(_ row: inout MutableRawSpan)
}
