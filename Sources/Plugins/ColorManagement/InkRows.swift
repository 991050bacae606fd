#if COLOR
import Calotype

/// A converter that uses a transform to convert amounts of ink to opaque red, green and blue.
struct InkRows: KeptRowConverter {
    let transform: LittleCMSTransform
    let format: PixelFormat

    var byteCount: Int { transform.byteCount }

    func convert(_ row: inout MutableRawSpan) {
        row.withUnsafeMutableBytes { row in
            guard let pixels = row.baseAddress else { return }
            if format == .rgbaFloat {
                // Little CMS expects percentages for ink in floating point.
                let amounts = row.assumingMemoryBound(to: Float.self)
                for index in amounts.indices { amounts[index] *= 100 }
            }
            transform.apply(to: pixels, count: row.count / format.bytesPerPixel)
            // The alpha replaces the fourth ink.
            switch format {
            case .rgba8: Self.fillAlpha(of: row, with: UInt8.max)
            case .rgba16: Self.fillAlpha(of: row, with: UInt16.max)
            case .rgbaFloat: Self.fillAlpha(of: row, with: Float(1))
            }
        }
    }

    private static func fillAlpha<Level: BitwiseCopyable>(of row: UnsafeMutableRawBufferPointer, with full: Level) {
        let levels = row.assumingMemoryBound(to: Level.self)
        for index in stride(from: 3, to: levels.count, by: 4) { levels[index] = full }
    }
}
#endif
