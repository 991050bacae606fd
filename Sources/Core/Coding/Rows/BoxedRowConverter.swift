/// A reference to a row converter. Without it, an optional `any RowConverter` would be copied for every row.
final class BoxedRowConverter {
    private let converter: any RowConverter

    init(_ converter: any RowConverter) {
        self.converter = converter
    }

    /// Whether rows whose red, green and blue are equal stay gray.
    var keepsGray: Bool { converter.keepsGray }

    /// Converts the pixels of one row.
    func convert(_ row: inout MutableRawSpan) {
        converter.convert(&row)
    }
}
