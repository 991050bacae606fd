extension PixelBuffer {
    /// The pixels with 8 bits for each channel, rounded; the same buffer when they have that already.
    ///
    /// Decoders give 8 bits by themselves where they can: this is for those that cannot, and for loaders of pixels.
    func eightBit(job: Job) throws(ImageError) -> PixelBuffer {
        guard format != .rgba8 else { return self }
        var reduced = layout
        reduced.format = .rgba8
        var builder = try PixelBufferBuilder(uninitialized: reduced)
        for y in 0..<height {
            try job.check()
            withRow(y) { row in
                builder.withRow(y) { target in
                    for index in 0..<width * 4 {
                        let value: UInt8
                        if format == .rgba16 {
                            let wide = row.unsafeLoad(fromByteOffset: index * 2, as: UInt16.self)
                            value = UInt8((UInt32(wide) * 255 + 32_895) >> 16)
                        } else {
                            let real = row.unsafeLoad(fromByteOffset: index * 4, as: Float.self)
                            value = UInt8(min(max(real.isNaN ? 0 : real, 0), 1) * 255 + 0.5)
                        }
                        target.storeBytes(of: value, toByteOffset: index, as: UInt8.self)
                    }
                }
            }
        }
        return builder.finish()
    }
}
