#if PNG
import Calotype

/// The bytes of a file from the first to the last, as libpng asks for them: a window of them is at hand, which is all
/// of them for a file in memory. Used by one thread at a time.
final class PNGBytes {
    private let bytes: ImageBytes
    private var window = Data()
    /// How many of the window's bytes were read.
    private var usedCount = 0
    /// Where in the file the window ends.
    private var end = 0

    init(_ bytes: ImageBytes) {
        self.bytes = bytes
    }

    /// Reads the next bytes; false when there are not so many, or they cannot be read.
    func read(into target: UnsafeMutableRawBufferPointer) -> Bool {
        var rest = target[...]
        while !rest.isEmpty {
            if usedCount == window.count {
                guard let next = bytes.chunk(at: end), !next.isEmpty else { return false }
                (window, usedCount, end) = (next, 0, end + next.count)
            }
            let part = usedCount..<min(window.count, usedCount + rest.count)
            window.withUnsafeBytes { window in
                UnsafeMutableRawBufferPointer(rebasing: rest).copyMemory(
                    from: UnsafeRawBufferPointer(rebasing: window[part]))
            }
            rest = rest.dropFirst(part.count)
            usedCount = part.upperBound
        }
        return true
    }
}
#endif
