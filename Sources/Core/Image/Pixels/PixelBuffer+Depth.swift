extension PixelBuffer {
    /// Returns the pixels with 8 bits for each channel, rounded. Returns the same buffer if it has 8 bits already.
    package func eightBit(job: Job) throws(ImageError) -> PixelBuffer {
        guard format != .rgba8 else { return self }
        var reduced = layout
        reduced.format = .rgba8
        var builder = try PixelBufferBuilder(uninitialized: reduced)
        builder.hasUncheckedClaims = hasUncheckedClaims
        for y in 0..<height {
            try job.check()
            builder.withRow(y) { target in
                format.narrow(storage.base + y * bytesPerRow, into: &target)
            }
        }
        return builder.finish()
    }
}

extension PixelFormat {
    /// Rounds a row of this format to 8 bits for each channel.
    /// - Parameter row: The source pixels, at least as many as fit into `target`.
    func narrow(_ row: UnsafeRawPointer, into target: inout MutableRawSpan) {
        target.withUnsafeMutableBytes { target in
            switch self {
            case .rgba8:
                target.copyMemory(from: UnsafeRawBufferPointer(start: row, count: target.count))
            case .rgba16:
                let levels = row.assumingMemoryBound(to: UInt16.self)
                for index in target.indices {
                    // Exactly round(level / 257). The operators wrap, because overflow checks would prevent
                    // vectorization.
                    target[index] = UInt8(truncatingIfNeeded: (UInt32(levels[index]) &* 255 &+ 32_895) &>> 16)
                }
            case .rgbaFloat:
                let levels = row.assumingMemoryBound(to: Float.self)
                for index in target.indices {
                    let level = levels[index]
                    target[index] = UInt8(min(max(level.isNaN ? 0 : level, 0), 1) * 255 + 0.5)
                }
            }
        }
    }
}
