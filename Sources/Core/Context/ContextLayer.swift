/// A layer that context values come from, such as the manager's context or the request's context.
///
/// The cases are in order of precedence, from the farthest layer (``builtIn``) to the nearest (``processor``). If
/// several layers set a value for the same key, the value of the nearest layer wins.
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
