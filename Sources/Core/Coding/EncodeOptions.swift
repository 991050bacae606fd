/// How pixels are to become bytes.
public struct EncodeOptions: Sendable {
    /// How good a lossy format should be: 0 (smallest) to 1 (best). Formats without loss ignore it.
    public var quality: Double
    /// All values in force: a coder reads its own keys here.
    public var context: ResolvedContext

    /// What a context says of encoding.
    /// - Parameters:
    ///   - context: The values in force.
    ///   - quality: 0...1, in place of the context's.
    public init(_ context: ResolvedContext = .builtIn, quality: Double? = nil) {
        self.quality = min(max(quality ?? context[.compressionQuality], 0), 1)
        self.context = context
    }
}
