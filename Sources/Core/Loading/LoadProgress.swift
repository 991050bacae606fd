/// The progress of a load.
public struct LoadProgress: Sendable, Hashable {
    /// The number of bytes that have arrived so far.
    public var byteCount: Int
    /// The total number of bytes; nil if the source does not state it.
    public var expectedByteCount: Int?

    /// Creates the progress of a load.
    public init(byteCount: Int, expectedByteCount: Int? = nil) {
        self.byteCount = byteCount
        self.expectedByteCount = expectedByteCount
    }

    /// The fraction of the bytes that have arrived, 0 to 1; nil if the total is unknown or zero.
    public var fraction: Double? {
        guard let expectedByteCount, expectedByteCount > 0 else { return nil }
        return min(1, Double(byteCount) / Double(expectedByteCount))
    }
}
