#if COLOR
import Calotype

/// Leaves rows as they are: their profile says the same of colours as the one that they are to have.
struct UnchangedRows: KeptRowConverter {
    var byteCount: Int { 0 }
    var keepsGray: Bool { true }

    func convert(_ row: inout MutableRawSpan) {}
}
#endif
