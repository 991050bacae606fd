#if PNG
import Calotype

extension Data {
    /// Returns the unsigned big-endian number in the `count` bytes that begin `offset` bytes after the start.
    func bigEndian(at offset: Int, count: Int) -> Int {
        dropFirst(offset).prefix(count).reduce(0) { $0 << 8 | Int($1) }
    }
}
#endif
