#if COLOR
import Calotype

/// A row converter that can be kept for the next picture with the same profile.
protocol KeptRowConverter: RowConverter, Sendable {
    /// The bytes of memory that the converter holds.
    var byteCount: Int { get }
}
#endif
