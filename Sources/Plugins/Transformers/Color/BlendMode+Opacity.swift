import Calotype

extension BlendMode {
    /// Returns whether opaque pixels stay opaque if a color with this alpha is drawn over them.
    func keepsOpacity(under alpha: Float) -> Bool {
        switch self {
        case .clear, .sourceOut, .destinationOut, .xor: false
        case .copy, .sourceIn, .destinationIn, .destinationAtop: alpha == 1
        default: true
        }
    }
}
