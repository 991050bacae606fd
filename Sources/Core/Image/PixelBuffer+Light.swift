extension PixelBuffer {
    /// Whether a channel has more than white, as only floating point can. It looks at every pixel of that.
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
