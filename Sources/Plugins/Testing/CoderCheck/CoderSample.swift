public import Calotype

/// A file for the checks of a coder.
public struct CoderSample: Sendable {
    /// The name of the sample in findings.
    public var name: String
    /// The file.
    public var data: Data
    /// The format that the coder must report; nil, the default, for any of its formats.
    public var format: ImageFormat?
    /// Whether the file has several frames; nil, the default, to skip this check.
    public var isAnimated: Bool?

    /// Creates a sample.
    public init(_ name: String, _ data: Data, format: ImageFormat? = nil, isAnimated: Bool? = nil) {
        self.name = name
        self.data = data
        self.format = format
        self.isAnimated = isAnimated
    }
}
