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
                for left in stride(from: 0, to: width, by: block) {
                    let columns = left..<min(left + block, width)
                    var rows = top..<min(top + block, height)
                    let corner = target.baseAddress! + first
                    if Pixel.self == UInt32.self, orientation.isTransposed {
                        rows = transposeFours(rows, columns, to: corner, alongRow, alongColumn)
                    }
                    for y in rows {
                        let source = storage.base + y * bytesPerRow
                        var place = y * alongColumn + left * alongRow
                        for x in columns {
                            let pixel = source.load(fromByteOffset: x * MemoryLayout<Pixel>.size, as: Pixel.self)
                            corner.storeBytes(of: pixel, toByteOffset: place, as: Pixel.self)
                            place += alongRow
                        }
                    }
                }
            }
        }
    }

    /// Copies 8-bit pixels of four rows at once, which become four neighbors in each row of the upright picture. This
    /// takes half the time of copying pixel by pixel. Returns the rows that remain.
    /// - Parameters:
    ///   - target: The place of the first stored pixel.
    ///   - alongRow: The distance of the places of two pixels that are neighbors in a stored row, in bytes.
    ///   - alongColumn: The distance of the places of two pixels that are neighbors in a stored column: 4 or -4 bytes.
    private func transposeFours(
        _ rows: Range<Int>, _ columns: Range<Int>, to target: UnsafeMutableRawPointer, _ alongRow: Int,
        _ alongColumn: Int
    ) -> Range<Int> {
        var y = rows.lowerBound
        while y + 4 <= rows.upperBound {
            // The rows in the order of their pixels in the upright picture.
            let (start, step) = alongColumn > 0 ? (y, bytesPerRow) : (y + 3, -bytesPerRow)
            let source = storage.base + start * bytesPerRow
            let place = target + start * alongColumn
            func four(_ row: Int, _ x: Int) -> SIMD4<UInt32> {
                source.loadUnaligned(fromByteOffset: row * step + x * 4, as: SIMD4<UInt32>.self)
            }
            var x = columns.lowerBound
            while x + 4 <= columns.upperBound {
                let (a, b, c, d) = (four(0, x), four(1, x), four(2, x), four(3, x))
                for index in 0..<4 {
                    place.storeBytes(
                        of: SIMD4(a[index], b[index], c[index], d[index]), toByteOffset: (x + index) * alongRow,
                        as: SIMD4<UInt32>.self)
                }
                x += 4
            }
            for x in x..<columns.upperBound {
                for row in 0..<4 {
                    let pixel = source.load(fromByteOffset: row * step + x * 4, as: UInt32.self)
                    place.storeBytes(of: pixel, toByteOffset: x * alongRow + row * 4, as: UInt32.self)
                }
            }
            y += 4
        }
        return y..<rows.upperBound
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
