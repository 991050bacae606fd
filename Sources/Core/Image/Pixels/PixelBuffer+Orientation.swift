extension PixelBuffer {
    /// Returns the pixels turned upright from their stored orientation. Returns the same buffer for `.up`.
    ///
    /// Throws `outOfMemory`, and `cancelled` or `timedOut` if the job has ended.
    public func upright(from orientation: Orientation, job: Job = Job()) throws(ImageError) -> PixelBuffer {
        guard orientation != .up else { return self }
        var turned = layout
        turned.size = orientation.displaySize(of: size)
        var builder = try PixelBufferBuilder(uninitialized: turned)
        builder.hasUncheckedClaims = hasUncheckedClaims
        switch format {
        case .rgba8: try turn(orientation, as: UInt32.self, into: &builder, job: job)
        case .rgba16: try turn(orientation, as: UInt64.self, into: &builder, job: job)
        case .rgbaFloat: try turn(orientation, as: SIMD4<Float>.self, into: &builder, job: job)
        }
        return builder.finish()
    }

    /// Copies the pixels in blocks that fit the processor cache. Without blocks, a transposed copy would access another
    /// page of memory for each pixel.
    private func turn<Pixel: BitwiseCopyable>(
        _ orientation: Orientation, as _: Pixel.Type, into builder: inout PixelBufferBuilder, job: Job
    ) throws(ImageError) {
        // The upright position is a linear function of the stored position, so three pixels give the whole map.
        let origin = orientation.displayPosition(x: 0, y: 0, in: size)
        let stepX = orientation.displayPosition(x: 1, y: 0, in: size)
        let stepY = orientation.displayPosition(x: 0, y: 1, in: size)
        let rowBytes = builder.bytesPerRow
        func offset(_ position: (x: Int, y: Int)) -> Int {
            position.y * rowBytes + position.x * MemoryLayout<Pixel>.size
        }
        let alongRow = offset(stepX) - offset(origin)
        let alongColumn = offset(stepY) - offset(origin)
        let first = offset(origin)
        let block = 64
        for top in stride(from: 0, to: height, by: block) {
            try job.check()
            builder.withUnsafeMutableBytes { target in
                let target = target.baseAddress!
                for left in stride(from: 0, to: width, by: block) {
                    for y in top..<min(top + block, height) {
                        let source = storage.base + y * bytesPerRow
                        var place = first + y * alongColumn + left * alongRow
                        for x in left..<min(left + block, width) {
                            let pixel = source.load(fromByteOffset: x * MemoryLayout<Pixel>.size, as: Pixel.self)
                            target.storeBytes(of: pixel, toByteOffset: place, as: Pixel.self)
                            place += alongRow
                        }
                    }
                }
            }
        }
    }
}

extension MutableRawSpan {
    /// Reverses the order of the pixels in a row of `format`, so that left and right are exchanged.
    mutating func mirror(_ format: PixelFormat) {
        switch format {
        case .rgba8: reverse(UInt32.self)
        case .rgba16: reverse(UInt64.self)
        case .rgbaFloat: reverse(SIMD4<Float>.self)
        }
    }

    private mutating func reverse<Pixel: BitwiseCopyable>(_: Pixel.Type) {
        withUnsafeMutableBytes { row in
            var pixels = row.assumingMemoryBound(to: Pixel.self)
            pixels.reverse()
        }
    }
}
