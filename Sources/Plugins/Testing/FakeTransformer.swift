public import Calotype

/// A transformer that counts, can be held at a gate, and can fail. It leaves the pixels as they are unless told.
public final class FakeTransformer: Transformer {
    public let key: String
    private let count = Lock(0)
    private let gate: BlockingGate?
    private let body: @Sendable (Image) throws -> Image

    /// A transformer.
    /// - Parameters:
    ///   - key: Its key.
    ///   - gate: Where each call waits, holding its thread; nil for nowhere.
    ///   - body: What it does.
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
