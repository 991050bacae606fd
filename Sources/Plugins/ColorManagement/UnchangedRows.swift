#if COLOR
import Calotype

/// A converter that leaves rows unchanged, for a source profile whose colors are practically those of the target.
struct UnchangedRows: KeptRowConverter {
    var byteCount: Int { 0 }
    var keepsGray: Bool { true }

    func convert(_ row: inout MutableRawSpan) {}
}
#endif
