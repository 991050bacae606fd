@testable import Calotype

extension PixelBuffer {
    /// The same pixels with other knowledge of their values; the test vouches for it.
    func assuming(isOpaque: Bool, isGray: Bool) -> PixelBuffer {
        var layout = layout
        layout.isOpaque = isOpaque
        layout.isGray = isGray
        return PixelBuffer(storage: storage, layout: layout)
    }
}
