import CalotypeStandard
import Dispatch

/// A picture as a function of the place, so that any thread can paint any part of it.
protocol Scene: Sendable {
    var canvas: Canvas { get }
    /// The colour of a pixel: red, green, blue and straight alpha; what is below 0 or above 1 is cut off.
    func color(x: Int, y: Int) -> SIMD4<Float>
}

extension Scene {
    /// The pixels, painted by all processors: 8 bits of a channel, or 16.
    func painted(isDeep: Bool, isOpaque: Bool) throws(ImageError) -> PixelBuffer {
        let size = canvas.size
        var builder = try PixelBufferBuilder(
            layout: PixelLayout(size: size, format: isDeep ? .rgba16 : .rgba8, isOpaque: isOpaque))
        let bytesPerRow = builder.bytesPerRow
        builder.withUnsafeMutableBytes { (memory: UnsafeMutableRawBufferPointer) -> Void in
            DispatchQueue.concurrentPerform(iterations: size.height) { y in
                let row = UnsafeMutableRawBufferPointer(rebasing: memory[y * bytesPerRow..<(y + 1) * bytesPerRow])
                if isDeep {
                    paint(row: y, into: row.bindMemory(to: UInt16.self))
                } else {
                    paint(row: y, into: row.bindMemory(to: UInt8.self))
                }
            }
        }
        return builder.finish()
    }

    // Twice and not generic: a conversion to any integer type takes as long as all of the sky.
    private func paint(row y: Int, into channels: UnsafeMutableBufferPointer<UInt8>) {
        for x in 0..<canvas.size.width {
            let color = self.color(x: x, y: y)
            for index in 0..<4 { channels[x * 4 + index] = UInt8(saturate(color[index]) * 255 + 0.5) }
        }
    }

    private func paint(row y: Int, into channels: UnsafeMutableBufferPointer<UInt16>) {
        for x in 0..<canvas.size.width {
            let color = self.color(x: x, y: y)
            for index in 0..<4 { channels[x * 4 + index] = UInt16(saturate(color[index]) * 65_535 + 0.5) }
        }
    }
}

extension [Float] {
    /// `rows` times `columns` numbers, whose rows are filled by all processors. They are zero before that.
    init(rows: Int, columns: Int, fill: (_ row: Int, _ values: UnsafeMutableBufferPointer<Float>) -> Void) {
        let count = rows * columns
        self.init(unsafeUninitializedCapacity: count) { buffer, initializedCount in
            buffer.initialize(repeating: 0)
            let memory = UnsafeMutableBufferPointer(rebasing: buffer[0..<count])
            DispatchQueue.concurrentPerform(iterations: rows) { row in
                fill(row, UnsafeMutableBufferPointer(rebasing: memory[row * columns..<(row + 1) * columns]))
            }
            initializedCount = count
        }
    }
}
