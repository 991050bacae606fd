public import Calotype

/// A file to try a coder on.
public struct CoderSample: Sendable {
    /// The name of the sample in findings.
    public var name: String
    /// The file.
    public var data: Data
    /// The format that the coder is to name; nil, the default, for any of its own.
    public var format: ImageFormat?
    /// Whether it has several frames; nil, the default, where that does not matter.
    public var isAnimated: Bool?

    /// A file.
    public init(_ name: String, _ data: Data, format: ImageFormat? = nil, isAnimated: Bool? = nil) {
        self.name = name
        self.data = data
        self.format = format
        self.isAnimated = isAnimated
    }
}
