/// A converter behind a pointer: an optional `any RowConverter` would be copied for every row that it is asked for.
final class BoxedRowConverter {
    private let converter: any RowConverter

    init(_ converter: any RowConverter) {
        self.converter = converter
    }

    /// Whether rows of equal red, green and blue stay such.
    var keepsGray: Bool { converter.keepsGray }

    /// Converts the pixels of one row.
    func convert(_ row: inout MutableRawSpan) {
        converter.convert(&row)
    }
}
