public import Calotype

/// A file for the checks of a coder.
public struct CoderSample: Sendable {
    /// The name of the sample in findings.
    public var name: String
    /// The file.
    public var data: Data
    /// The format that the coder must report; nil, the default, if any format of the coder is acceptable.
    public var format: ImageFormat?
    /// Whether the coder must report several frames (true) or a still image (false); nil, the default, if both are
    /// acceptable.
    public var isAnimated: Bool?

    /// Creates a sample.
    public init(_ name: String, _ data: Data, format: ImageFormat? = nil, isAnimated: Bool? = nil) {
        self.name = name
        self.data = data
        self.format = format
        self.isAnimated = isAnimated
    }
}
