#if PNG
import Calotype

/// A source of bytes for libpng, read from beginning to end. Use it on one thread at a time.
protocol PNGInput: AnyObject {
    /// The damage that ended the bytes; nil if they end normally.
    var damage: String? { get }

    /// Reads the next bytes. Returns false if there are too few or they cannot be read.
    func read(into target: UnsafeMutableRawBufferPointer) -> Bool
}
#endif
