import CalotypeStandard

/// A picture as a function of the position. Any thread can paint any part of the picture.
protocol Scene: Sendable {
    var canvas: Canvas { get }
    /// Returns the color of a pixel: red, green, blue and alpha, not premultiplied, 0 to 1. Values outside of this
    /// range are clipped.
    func color(x: Int, y: Int) -> SIMD4<Float>
}

extension Scene {
    /// Returns the pixels of the scene, painted on all processors.
    /// - Parameters:
    ///   - isDeep: Whether a channel has 16 bits instead of 8.
    ///   - isOpaque: Whether the picture is marked as opaque.
    func painted(isDeep: Bool, isOpaque: Bool) async throws(ImageError) -> PixelBuffer {
        let size = canvas.size
        let rows = await concurrently(size.height) { y in isDeep ? self.deepRow(y) : self.row(y) }
        var builder = try PixelBufferBuilder(layout: PixelLayout(size: size, format: isDeep ? .rgba16 : .rgba8))
        let bytesPerRow = builder.bytesPerRow
        builder.withUnsafeMutableBytes { (memory: UnsafeMutableRawBufferPointer) -> Void in
            for (y, row) in rows.enumerated() {
                let start = y * bytesPerRow
                UnsafeMutableRawBufferPointer(rebasing: memory[start..<start + row.count]).copyBytes(from: row)
            }
        }
        return builder.finish(isOpaque: isOpaque)
    }

    /// Returns the bytes of a row with 8 bits a channel.
    private func row(_ y: Int) -> [UInt8] {
        var channels: [UInt8] = []
        channels.reserveCapacity(canvas.size.width * 4)
        for x in 0..<canvas.size.width {
            let color = self.color(x: x, y: y)
            for index in 0..<4 { channels.append(UInt8(saturate(color[index]) * 255 + 0.5)) }
        }
        return channels
    }

    /// Returns the bytes of a row with 16 bits a channel, in native byte order.
    private func deepRow(_ y: Int) -> [UInt8] {
        var channels: [UInt16] = []
        channels.reserveCapacity(canvas.size.width * 4)
        for x in 0..<canvas.size.width {
            let color = self.color(x: x, y: y)
            for index in 0..<4 { channels.append(UInt16(saturate(color[index]) * 65_535 + 0.5)) }
        }
        return channels.withUnsafeBytes { Array($0) }
    }
}
