#if PNG
import Calotype

/// A source of bytes for libpng. The bytes are read once, from the first to the last, on one thread at a time.
protocol PNGInput: AnyObject {
    /// A description of the damage that stopped the reading; nil if no damage was found.
    var damage: String? { get }

    /// Fills the target with the next bytes. Returns false if too few bytes are left or reading fails.
    func read(into target: UnsafeMutableRawBufferPointer) -> Bool
}
#endif
