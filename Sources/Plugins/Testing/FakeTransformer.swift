public import Calotype

/// A transformer that counts its calls, can wait at a gate and can fail. By default it returns the image unchanged.
public final class FakeTransformer: Transformer {
    public let key: String
    private let count = Lock(0)
    private let gate: BlockingGate?
    private let body: @Sendable (Image) throws -> Image

    /// Creates a transformer.
    /// - Parameters:
    ///   - key: The key of the transformer.
    ///   - gate: The gate at which each call blocks its thread; nil for none.
    ///   - body: The transformation.
    public init(
        key: String = "fake", gate: BlockingGate? = nil, body: @escaping @Sendable (Image) throws -> Image = { $0 }
    ) {
        self.key = key
        self.gate = gate
        self.body = body
    }

    /// The number of calls.
    public var callCount: Int { count.withLock { $0 } }

    public func transform(_ image: Image, context: TransformContext) throws -> Image {
        count.withLock { $0 += 1 }
        gate?.pass()
        try context.job.check()
        return try body(image)
    }
}
