/// A transformer that calls a closure.
///
/// ```swift
/// .transformer(.custom("stamp-v1") { image, context in try stamp(image, context.job) })
/// ```
///
/// Images are cached under the name. If the closure's result changes, change the name too.
public struct CustomTransformer: Transformer {
    /// The name, which identifies the closure and everything that it captures.
    public let name: String
    private let body: @Sendable (Image, TransformContext) throws -> Image

    /// Creates a transformer.
    /// - Parameters:
    ///   - name: The name. Closures that make different pixels need different names.
    ///   - body: Returns the transformed image. See ``Transformer/transform(_:context:)``.
    public init(_ name: String, _ body: @escaping @Sendable (Image, TransformContext) throws -> Image) {
        self.name = name
        self.body = body
    }

    /// The name, as `custom(NAME)`. A closure cannot be made from text, so this is no recipe.
    public var key: String { "\(Self.reservedName)(\(name.asRecipeArgument))" }

    /// The name under which no transformer can be registered.
    static let reservedName = "custom"

    public func transform(_ image: Image, context: TransformContext) throws -> Image { try body(image, context) }
}

extension Transformer where Self == CustomTransformer {
    /// Returns a transformer that calls a closure. See ``CustomTransformer``.
    public static func custom(
        _ name: String, _ body: @escaping @Sendable (Image, TransformContext) throws -> Image
    ) -> CustomTransformer {
        CustomTransformer(name, body)
    }
}
