import CalotypeStandard

/// The similarity of two images that should have the same pixels.
enum Likeness: Sendable, Equatable {
    /// Every pixel of both images is the same.
    case equal
    /// The second image is equal to the first one after lossy compression. The value is the mean difference of the
    /// channels, on a scale from 0 to 255.
    case close(Double)
    /// The images differ by more than lossy compression explains.
    case different

    /// Compares two images.
    /// - Parameters:
    ///   - one: The first image.
    ///   - other: The second image.
    ///   - kept: The first image after lossy compression; nil if any difference counts as `different`.
    init(_ one: PixelBuffer, _ other: PixelBuffer, kept: PixelBuffer? = nil) {
        guard let difference = Self.difference(one, other) else {
            self = .different
            return
        }
        if difference == 0 {
            self = .equal
        } else if let kept, Self.difference(kept, other) == 0 {
            self = .close(difference)
        } else {
            self = .different
        }
    }

    /// Returns the mean difference of the channels, on a scale from 0 to 255. Returns nil if the images have different
    /// sizes or more than 8 bits.
    private static func difference(_ one: PixelBuffer, _ other: PixelBuffer) -> Double? {
        guard one.size == other.size, one.format == .rgba8, other.format == .rgba8 else { return nil }
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
        // The alpha of opaque images is always the same and would lower the mean.
        let channels = one.isOpaque && other.isOpaque ? 3 : 4
        return Double(difference) / Double(one.size.area * channels)
    }

    /// Returns the less similar of this result and another one.
    func worse(_ other: Likeness) -> Likeness {
        switch (self, other) {
        case (.different, _), (_, .different): .different
        case (.close(let one), .close(let two)): .close(max(one, two))
        case (.close, .equal): self
        case (.equal, _): other
        }
    }
}
