/// The progress of a load.
public struct LoadProgress: Sendable, Hashable {
    /// The number of bytes that have arrived.
    public var byteCount: Int
    /// The total number of bytes; nil if the source does not state it.
    public var expectedByteCount: Int?

    /// Creates the progress of a load.
    public init(byteCount: Int, expectedByteCount: Int? = nil) {
        self.byteCount = byteCount
        self.expectedByteCount = expectedByteCount
    }

    /// The fraction of the bytes that has arrived, 0...1; nil if the total is not known.
    public var fraction: Double? {
        guard let expectedByteCount, expectedByteCount > 0 else { return nil }
        return min(1, Double(byteCount) / Double(expectedByteCount))
    }
}
