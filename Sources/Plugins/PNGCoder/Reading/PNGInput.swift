#if PNG
import Calotype

/// A source of bytes for libpng. The bytes are read once, from the first to the last, on one thread at a time.
protocol PNGInput: AnyObject {
    /// The damage because of which reading has ended early; nil if there is none.
    var damage: String? { get }

    /// Reads the next bytes and fills the target with them. Returns false if there are too few bytes or they cannot be
    /// read.
    func read(into target: UnsafeMutableRawBufferPointer) -> Bool
}
#endif
