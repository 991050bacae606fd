extension PixelBuffer {
    /// Whether a channel of any pixel exceeds 1, which is white. Always false for formats other than floating point. In
    /// the floating-point format, the pixels are read.
    var hasLightBeyondWhite: Bool {
        guard format == .rgbaFloat else { return false }
        return (0..<height).contains { y in
            withRow(y) { (row: RawSpan) -> Bool in
                row.withUnsafeBytes { (row: UnsafeRawBufferPointer) -> Bool in
                    row.bindMemory(to: Float.self).contains { $0 > 1 }
                }
            }
        }
    }
}
