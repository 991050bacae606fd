#if PNG
import Calotype

/// What libpng reads from, first byte to last. Used by one thread at a time.
protocol PNGInput: AnyObject {
    /// What is wrong with the bytes, when that is why no more are given; nil where they just end.
    var damage: String? { get }

    /// Reads the next bytes; false when there are not so many, or they cannot be read.
    func read(into target: UnsafeMutableRawBufferPointer) -> Bool
}
#endif
