/// The origin of a context value. The cases are in order from the farthest layer to the nearest. The value of the
/// nearest layer wins.
public enum ContextLayer: Int, Sendable, Hashable, Comparable, CaseIterable {
    /// The built-in value: the key's default or, for ``ContextKey/imageCache``, the manager's own cache.
    case builtIn
    /// The manager's context.
    case manager
    /// The request's context.
    case request
    /// The options processor.
    case processor

    public static func < (one: ContextLayer, other: ContextLayer) -> Bool { one.rawValue < other.rawValue }
}
