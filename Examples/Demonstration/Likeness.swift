import CalotypeStandard

/// How much two images have in common that ought to be one.
enum Likeness: Sendable, Equatable {
    /// Every pixel is the same.
    case equal
    /// They look the same: channels are off by so much on the average, of 255, as after a format with loss.
    case close(Double)
    /// They are two different images.
    case different

    /// So much may a channel be off on the average, of 255. What is kept as JPEG of quality 0.9 stays below it, noise
    /// and fine patterns included; another picture does not.
    private static let tolerance = 8.0

    /// Looks at two images.
    init(_ one: PixelBuffer, _ other: PixelBuffer) {
        guard one.size == other.size, one.format == .rgba8, other.format == .rgba8 else {
            self = .different
            return
        }
        var difference = 0
        for y in 0..<one.height {
            one.withRow(y) { (oneRow: RawSpan) -> Void in
                other.withRow(y) { (otherRow: RawSpan) -> Void in
                    for index in 0..<oneRow.byteCount {
                        let a = oneRow.unsafeLoad(fromByteOffset: index, as: UInt8.self)
                        let b = otherRow.unsafeLoad(fromByteOffset: index, as: UInt8.self)
                        difference += abs(Int(a) - Int(b))
                    }
                }
            }
        }
        // Where nothing shows through, alpha is always the same and would make the average look better.
        let channels = one.isOpaque && other.isOpaque ? 3 : 4
        let mean = Double(difference) / Double(one.size.area * channels)
        self = difference == 0 ? .equal : mean <= Self.tolerance ? .close(mean) : .different
    }

    /// The worse of both.
    func worse(_ other: Likeness) -> Likeness {
        switch (self, other) {
        case (.different, _), (_, .different): .different
        case (.close(let one), .close(let two)): .close(max(one, two))
        case (.close, .equal): self
        case (.equal, _): other
        }
    }
}
