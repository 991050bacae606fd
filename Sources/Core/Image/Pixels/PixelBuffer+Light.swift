extension PixelBuffer {
    /// Whether a channel of any pixel exceeds 1 (white), which is possible only in floating point. Reads the pixels.
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
