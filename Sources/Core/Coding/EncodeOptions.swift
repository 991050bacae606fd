/// How pixels are to become bytes.
public struct EncodeOptions: Sendable {
    /// How good a lossy format should be: 0 (smallest) to 1 (best). Formats without loss ignore it.
    public var quality: Double
    /// All values in force: a coder reads its own keys here.
    public var context: ResolvedContext

    /// What a context says of encoding.
    public init(_ context: ResolvedContext = .builtIn) {
        quality = context[.compressionQuality]
        self.context = context
    }
}
