import Calotype

/// A curve that maps levels, the same for red, green and blue. It maps 0 to 0.
struct LevelCurve {
    /// Returns the level for a level of at least 0, where 1 is full.
    let level: (Double) -> Double

    /// Returns the pixels with mapped levels, in the same format. Integer levels are limited and rounded. Alpha stays
    /// the same.
    func applied(to pixels: PixelBuffer, job: Job) throws(ImageError) -> PixelBuffer {
        switch pixels.format {
        case .rgba8:
            let table = table(UInt8.self)
            return try map(pixels, UInt8.self, job: job) { table[Int($0)] }
        case .rgba16:
            let table = table(UInt16.self)
            return try map(pixels, UInt16.self, job: job) { table[Int($0)] }
        case .rgbaFloat:
            return try map(pixels, Float.self, job: job) { old in
                // The curve continues symmetrically below 0. NaN stays NaN.
                let new = Float(level(Double(old.magnitude)))
                return old < 0 ? -new : new
            }
        }
    }

    private func table<Level: FixedWidthInteger>(_ type: Level.Type) -> [Level] {
        let full = Double(Level.max)
        return (0...Int(Level.max)).map { old in
            let new = level(Double(old) / full)
            return Level(min(max(new.isNaN ? 0 : new, 0), 1) * full + 0.5)
        }
    }

    private func map<Level: BitwiseCopyable>(
        _ pixels: PixelBuffer, _ type: Level.Type, job: Job, _ mapped: (Level) -> Level
    ) throws(ImageError) -> PixelBuffer {
        try pixels.mappingRows(to: pixels.layout, job: job) { _, source, target in
            let (old, new) = (source.bindMemory(to: Level.self), target.bindMemory(to: Level.self))
            for index in stride(from: 0, to: old.count, by: 4) {
                new[index] = mapped(old[index])
                new[index + 1] = mapped(old[index + 1])
                new[index + 2] = mapped(old[index + 2])
                new[index + 3] = old[index + 3]
            }
        }
    }
}
