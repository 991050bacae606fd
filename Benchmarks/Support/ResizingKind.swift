import CalotypeStandard

/// What kind of pixels is resized, and how; by the name that the worker knows it by.
enum ResizingKind: String, CaseIterable {
    /// RGBA at 8 bits, all of it opaque.
    case opaque
    /// RGBA at 8 bits with transparency.
    case alpha
    /// RGBA at 16 bits, all of it opaque.
    case deep
    /// Opaque RGBA at 8 bits, in linear light.
    case linear

    /// Whether Pillow has such pixels.
    var isInPillow: Bool { self == .opaque || self == .alpha }

    /// What the library is told.
    var resampling: Resampling { Resampling(linear: self == .linear) }

    /// A drawn picture of the kind.
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
