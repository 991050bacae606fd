#if COLOR
import Calotype

/// A converter that leaves rows unchanged, for profiles with the same colors.
struct UnchangedRows: KeptRowConverter {
    var byteCount: Int { 0 }
    var keepsGray: Bool { true }

    func convert(_ row: inout MutableRawSpan) {}
}
#endif
