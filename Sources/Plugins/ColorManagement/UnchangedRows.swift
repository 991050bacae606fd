#if COLOR
import Calotype

/// Leaves rows as they are: their profile says the same of colours as the one that they are to have.
struct UnchangedRows: RowConverter, Sendable {
    var keepsGray: Bool { true }

    func convert(_ row: inout MutableRawSpan) {}
}
#endif
