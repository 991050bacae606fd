extension PixelBuffer {
    /// Returns the pixels in another format. Returns the same buffer if it has the format already.
    ///
    /// Integer levels are rounded. From floating point, channels are limited to 0 to 1, and NaN becomes 0. A conversion
    /// to a format with more bits and back returns the same levels. Throws `outOfMemory`, and `cancelled` or `timedOut`
    /// if the job ends.
    /// - Parameter job: The job, which is checked for each row.
    public func converted(to format: PixelFormat, job: Job = Job()) throws(ImageError) -> PixelBuffer {
        guard format != self.format else { return self }
        var changed = layout
        changed.format = format
        var builder = try PixelBufferBuilder(uninitialized: changed)
        builder.hasUncheckedClaims = hasUncheckedClaims
        for y in 0..<height {
            try job.check()
            builder.withRow(y) { (target: inout MutableRawSpan) -> Void in
                target.withUnsafeMutableBytes { target in
                    format.convert(
                        storage.base + y * bytesPerRow, from: self.format, to: target.baseAddress!, pixelCount: width)
                }
            }
        }
        return builder.finish()
    }
}

extension PixelFormat {
    /// Writes a row of pixels of another format in this format.
    package func convert(
        _ row: UnsafeRawPointer, from source: PixelFormat, to target: UnsafeMutableRawPointer, pixelCount: Int
    ) {
        let channels = 0..<pixelCount * 4
        let (bytes, words, floats) = (
            row.assumingMemoryBound(to: UInt8.self), row.assumingMemoryBound(to: UInt16.self),
            row.assumingMemoryBound(to: Float.self)
        )
        let (newBytes, newWords, newFloats) = (
            target.assumingMemoryBound(to: UInt8.self), target.assumingMemoryBound(to: UInt16.self),
            target.assumingMemoryBound(to: Float.self)
        )
        // The operators wrap, because overflow checks would prevent vectorization.
        switch (source, self) {
        case (.rgba8, .rgba8), (.rgba16, .rgba16), (.rgbaFloat, .rgbaFloat):
            target.copyMemory(from: row, byteCount: pixelCount * bytesPerPixel)
        case (.rgba8, .rgba16):
            for index in channels { newWords[index] = UInt16(bytes[index]) &* 257 }
        case (.rgba8, .rgbaFloat):
            for index in channels { newFloats[index] = Float(bytes[index]) / 255 }
        case (.rgba16, .rgba8):
            for index in channels {
                // Exactly round(level / 257).
                newBytes[index] = UInt8(truncatingIfNeeded: (UInt32(words[index]) &* 255 &+ 32_895) &>> 16)
            }
        case (.rgba16, .rgbaFloat):
            for index in channels { newFloats[index] = Float(words[index]) / 65535 }
        case (.rgbaFloat, .rgba8):
            for index in channels { newBytes[index] = UInt8(Self.bounded(floats[index]) * 255 + 0.5) }
        case (.rgbaFloat, .rgba16):
            for index in channels { newWords[index] = UInt16(Self.bounded(floats[index]) * 65535 + 0.5) }
        }
    }

    private static func bounded(_ level: Float) -> Float { min(max(level.isNaN ? 0 : level, 0), 1) }
}
