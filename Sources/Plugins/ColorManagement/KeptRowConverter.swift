#if COLOR
import Calotype

/// A row converter that can be cached and reused for other pictures with the same profile.
protocol KeptRowConverter: RowConverter, Sendable {
    /// The number of bytes that the converter takes in memory.
    var byteCount: Int { get }
}
#endif
