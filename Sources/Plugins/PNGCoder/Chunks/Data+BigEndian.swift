#if PNG
import Calotype

extension Data {
    /// The number in the bytes from `offset` on, the first of them the most significant.
    func bigEndian(at offset: Int, count: Int) -> Int {
        dropFirst(offset).prefix(count).reduce(0) { $0 << 8 | Int($1) }
    }
}
#endif
