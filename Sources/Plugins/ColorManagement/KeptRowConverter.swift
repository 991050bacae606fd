#if COLOR
import Calotype

/// A row converter that can be reused for the next picture with the same profile.
protocol KeptRowConverter: RowConverter, Sendable {
    /// The memory of the converter in bytes.
    var byteCount: Int { get }
}
#endif
