/// The progress of a load.
public struct LoadProgress: Sendable, Hashable {
    /// Bytes that have arrived.
    public var byteCount: Int
    /// Bytes in all; nil when the source does not say.
    public var expectedByteCount: Int?

    /// Progress of a load.
    public init(byteCount: Int, expectedByteCount: Int? = nil) {
        self.byteCount = byteCount
        self.expectedByteCount = expectedByteCount
    }

    /// The part that has arrived, 0...1; nil when the whole is not known.
    public var fraction: Double? {
        guard let expectedByteCount, expectedByteCount > 0 else { return nil }
        return min(1, Double(byteCount) / Double(expectedByteCount))
    }
}
