import CalotypeStandard

/// The kind of pixels and resampling. Raw values are the worker's names.
enum ResizingKind: String, CaseIterable {
    /// RGBA at 8 bits, all of it opaque.
    case opaque
    /// RGBA at 8 bits with transparency.
    case alpha
    /// RGBA at 16 bits, all of it opaque.
    case deep
    /// Opaque RGBA at 8 bits, in linear light.
    case linear

    /// Whether Pillow supports such pixels.
    var isInPillow: Bool { self == .opaque || self == .alpha }

    /// The options of the library's resampling.
    var resampling: Resampling { Resampling(linear: self == .linear) }

    /// Returns a drawn picture of the kind.
    func pixels(size: PixelSize) throws -> PixelBuffer {
        let drawn = try DrawnPicture.pixels(size: size, isOpaque: self != .alpha)
        guard self == .deep else { return drawn }
        var layout = drawn.layout
        layout.format = .rgba16
        var builder = try PixelBufferBuilder(layout: layout)
        for y in 0..<size.height {
            drawn.withRow(y) { (given: RawSpan) -> Void in
                builder.withRow(y) { (taken: inout MutableRawSpan) -> Void in
                    given.withUnsafeBytes { (given: UnsafeRawBufferPointer) -> Void in
                        taken.withUnsafeMutableBytes { (taken: UnsafeMutableRawBufferPointer) -> Void in
                            let values = taken.assumingMemoryBound(to: UInt16.self)
                            for index in given.indices { values[index] = UInt16(given[index]) * 257 }
                        }
                    }
                }
            }
        }
        return builder.finish(isOpaque: drawn.isOpaque)
    }
}
