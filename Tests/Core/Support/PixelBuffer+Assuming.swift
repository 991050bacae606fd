@testable import Calotype

extension PixelBuffer {
    /// Returns the same pixels with other claims about their values, which must be true.
    func assuming(isOpaque: Bool, isGray: Bool) -> PixelBuffer {
        var layout = layout
        layout.isOpaque = isOpaque
        layout.isGray = isGray
        return PixelBuffer(storage: storage, layout: layout)
    }
}
