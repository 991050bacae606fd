#if PNG
import Calotype

/// A source of bytes for libpng, from the first byte to the last. Used by one thread at a time.
protocol PNGInput: AnyObject {
    /// The damage in the bytes, if no more are given because of it; nil if they just end.
    var damage: String? { get }

    /// Reads the next bytes; false when there are not so many, or they cannot be read.
    func read(into target: UnsafeMutableRawBufferPointer) -> Bool
}
#endif
