import Testing

@testable import Calotype

@Suite(.timeLimit(.minutes(5)))
struct PixelBufferTests {
    // MARK: Rows

    @Test(arguments: PixelFormat.allCases, 1...70)
    func `rows begin at multiples of 64 bytes, and are lent without padding`(format: PixelFormat, width: Int) throws {
        let layout = PixelLayout(size: PixelSize(width, 3), format: format)
        let builder = try PixelBufferBuilder(layout: layout)
        let builderBytesPerRow = builder.bytesPerRow
        let pixels = builder.finish()
        #expect(pixels.bytesPerRow == builderBytesPerRow)
        #expect(pixels.bytesPerRow.isMultiple(of: 64))
        #expect(pixels.bytesPerRow >= width * format.bytesPerPixel)
        #expect(pixels.bytesPerRow < width * format.bytesPerPixel + 64)
        #expect(pixels.byteCount == pixels.bytesPerRow * 3)
        let address = pixels.withUnsafeBytes { (memory: UnsafeRawBufferPointer) -> Int in
            Int(bitPattern: memory.baseAddress)
        }
        #expect(address.isMultiple(of: 64))
        for y in 0..<3 {
            let count = pixels.withRow(y) { (row: RawSpan) -> Int in row.byteCount }
            #expect(count == width * format.bytesPerPixel)
            #expect(count == layout.rowByteCount)
        }
    }

    @Test func `bytes written to a row are read from that row only`() throws {
        var builder = try PixelBufferBuilder(layout: PixelLayout(size: PixelSize(5, 4)))
        for y in 0..<4 {
            builder.withRow(y) { (row: inout MutableRawSpan) -> Void in
                for index in 0..<20 {
                    row.storeBytes(of: UInt8(y * 20 + index), toByteOffset: index, as: UInt8.self)
                }
            }
        }
        let pixels = builder.finish()
        #expect(pixels.levels == (0..<80).map(Double.init))
    }

    @Test func `new pixels are transparent black, also in reused memory`() throws {
        // Large enough for the pool to keep its memory for the next buffer.
        let layout = PixelLayout(size: PixelSize(300, 300))
        for _ in 0..<4 {
            var builder = try PixelBufferBuilder(layout: layout)
            let isBlank = builder.withUnsafeMutableBytes { (memory: UnsafeMutableRawBufferPointer) -> Bool in
                memory.allSatisfy { $0 == 0 }
            }
            #expect(isBlank)
            builder.withUnsafeMutableBytes { (memory: UnsafeMutableRawBufferPointer) -> Void in
                _ = memory.initializeMemory(as: UInt8.self, repeating: 0xFF)
            }
        }
    }

    // MARK: Colors

    @Test func `a color is read in every format`() throws {
        for format in PixelFormat.allCases {
            let full = format.fullLevel
            let pixels = try PixelBuffer.drawn(PixelSize(3, 2), format) { x, y in
                x == 2 && y == 1 ? [full, 0, full, full] : [0, 0, 0, 0]
            }
            #expect(pixels.color(x: 2, y: 1) == PixelColor(red: 1, green: 0, blue: 1))
            #expect(pixels.color(x: 1, y: 1) == PixelColor(red: 0, green: 0, blue: 0, alpha: 0))
            #expect(pixels.color(x: 2, y: 0) == PixelColor(red: 0, green: 0, blue: 0, alpha: 0))
        }
    }

    @Test func `a color has the precision of its format`() throws {
        let eight = try PixelBuffer.drawn(PixelSize(1, 1)) { _, _ in [51, 102, 153, 204] }
        #expect(eight.color(x: 0, y: 0) == PixelColor(red: 0.2, green: 0.4, blue: 0.6, alpha: 0.8))
        let sixteen = try PixelBuffer.drawn(PixelSize(1, 1), .rgba16) { _, _ in [1, 0, 65_534, 13_107] }
        #expect(
            sixteen.color(x: 0, y: 0) == PixelColor(red: 1.0 / 65_535, green: 0, blue: 65_534.0 / 65_535, alpha: 0.2))
        let float = try PixelBuffer.drawn(PixelSize(1, 1), .rgbaFloat) { _, _ in [4.5, -0.25, 0.5, 1] }
        #expect(float.color(x: 0, y: 0) == PixelColor(red: 4.5, green: -0.25, blue: 0.5))
    }

    // MARK: Depth

    @Test func `16-bit levels are rounded to the nearest 8-bit level`() throws {
        let pixels = try PixelBuffer.drawn(PixelSize(128, 128), .rgba16, isOpaque: true, isGray: true) { x, y in
            (0..<4).map { Double((y * 128 + x) * 4 + $0) }
        }
        let reduced = try pixels.converted(to: .rgba8, job: Job())
        #expect(reduced.layout == PixelLayout(size: PixelSize(128, 128), isOpaque: true, isGray: true))
        let isNearest = reduced.levels == (0..<65_536).map { (Double($0) / 257).rounded() }
        #expect(isNearest)
    }

    @Test func `floating-point levels are rounded to the nearest 8-bit level and clamped`() throws {
        let values = [-1, -0.001, 0, 0.0019, 0.002, 0.5, 0.998, 1, 1.001, 40, .infinity, .nan]
        let pixels = try PixelBuffer.drawn(PixelSize(3, 1), .rgbaFloat) { x, _ in Array(values[x * 4..<x * 4 + 4]) }
        let reduced = try pixels.converted(to: .rgba8, job: Job())
        #expect(reduced.levels == [0, 0, 0, 0, 1, 128, 254, 255, 255, 255, 255, 0])
    }

    @Test func `floating-point levels are rounded to the nearest 16-bit level and clamped`() throws {
        let values = [-1, 0, 0.5 / 65_535 - 1e-9, 0.5 / 65_535 + 1e-9, 0.5, 1, 40, .nan]
        let pixels = try PixelBuffer.drawn(PixelSize(2, 1), .rgbaFloat) { x, _ in Array(values[x * 4..<x * 4 + 4]) }
        #expect(try pixels.converted(to: .rgba16).levels == [0, 0, 0, 1, 32_768, 65_535, 65_535, 0])
    }

    @Test func `levels become fractions of the full level, and return unchanged from a format with more bits`() throws {
        for (format, deeper) in [(PixelFormat.rgba8, PixelFormat.rgba16), (.rgba8, .rgbaFloat), (.rgba16, .rgbaFloat)] {
            let count = Int(format.fullLevel) + 1
            let pixels = try PixelBuffer.drawn(PixelSize(count / 4, 1), format, isOpaque: true, isGray: true) { x, _ in
                (0..<4).map { Double(x * 4 + $0) }
            }
            let converted = try pixels.converted(to: deeper)
            let expected = pixels.levels.map { $0 / format.fullLevel * deeper.fullLevel }
            let isClose = zip(converted.levels, expected).allSatisfy { abs($0 - $1) <= 1e-7 * deeper.fullLevel }
            #expect(isClose, "\(format) to \(deeper)")
            #expect(converted.isOpaque)
            #expect(converted.isGray)
            let isUnchanged = try converted.converted(to: format).levels == pixels.levels
            #expect(isUnchanged, "\(format) from \(deeper)")
        }
    }

    @Test(arguments: PixelFormat.allCases)
    func `pixels that have the format already are not copied`(format: PixelFormat) throws {
        let pixels = try PixelBuffer.noise(PixelSize(5, 4), format, seed: 1)
        let same = try pixels.converted(to: format)
        let isSame = same.storage === pixels.storage
        #expect(isSame)
    }

    @Test func `a conversion ends with its job`() async throws {
        let pixels = try PixelBuffer.noise(PixelSize(5, 4), seed: 1)
        let job = Job()
        job.cancel()
        #expect(await imageError { try pixels.converted(to: .rgba16, job: job) }?.code == .cancelled)
    }

    // MARK: Properties

    @Test func `pixels have the properties of their layout`() throws {
        let layout = PixelLayout(size: PixelSize(5, 4), format: .rgba16, isOpaque: true, isGray: true)
        let pixels = try PixelBufferBuilder(layout: layout).finish(isOpaque: true, isGray: true)
        #expect(pixels.layout == layout)
        #expect(pixels.size == PixelSize(5, 4))
        #expect(pixels.width == 5)
        #expect(pixels.height == 4)
        #expect(pixels.format == .rgba16)
        #expect(pixels.isOpaque)
        #expect(pixels.isGray)
        let doubted = pixels.assuming(isOpaque: false, isGray: false)
        #expect(!doubted.isOpaque)
        #expect(!doubted.isGray)
        let isShared = doubted.storage === pixels.storage
        #expect(isShared)
    }

    @Test func `a builder takes size and format from a layout, but not its flags`() throws {
        let layout = PixelLayout(size: PixelSize(5, 4), format: .rgba16, isOpaque: true, isGray: true)
        let builder = try PixelBufferBuilder(layout: layout)
        let builderLayout = builder.layout
        #expect(builderLayout == PixelLayout(size: PixelSize(5, 4), format: .rgba16))
        let pixels = builder.finish()
        #expect(pixels.layout == builderLayout)
    }

    @Test(arguments: PixelFormat.allCases)
    func `the opaque and gray flags are checked to the last pixel`(_ format: PixelFormat) throws {
        let full = format.fullLevel
        let size = PixelSize(37, 5)
        func claimed(_ last: [Double]) throws -> PixelBuffer {
            let drawn = try PixelBuffer.drawn(size, format) { x, y in
                x == 36 && y == 4 ? last : [full / 5, full / 5, full / 5, full]
            }
            // As code outside the library creates pixels.
            var builder = try PixelBufferBuilder(layout: drawn.layout)
            for y in 0..<size.height {
                builder.withRow(y) { (target: inout MutableRawSpan) -> Void in
                    target.withUnsafeMutableBytes { (target: UnsafeMutableRawBufferPointer) -> Void in
                        drawn.withRow(y) { (row: RawSpan) -> Void in
                            row.withUnsafeBytes { target.copyMemory(from: $0) }
                        }
                    }
                }
            }
            return builder.finish(isOpaque: true, isGray: true)
        }
        let cases: [(last: [Double], isOpaque: Bool, isGray: Bool)] = [
            ([0, 0, 0, full], true, true), ([0, 0, 0, 0], false, true), ([full, full, 0, full], true, false),
            ([0, full, full, full], true, false), ([0, full, 0, 0], false, false),
        ]
        for example in cases {
            let pixels = try claimed(example.last)
            #expect(pixels.hasUncheckedClaims)
            let checked = try pixels.checkingClaims(job: Job())
            #expect(checked.isOpaque == example.isOpaque, "\(example.last)")
            #expect(checked.isGray == example.isGray, "\(example.last)")
            #expect(!checked.hasUncheckedClaims)
            #expect(checked.levels == pixels.levels)
        }
    }

    @Test func `derived pixels inherit unchecked flags`() throws {
        let pixels = try PixelBufferBuilder(layout: PixelLayout(size: PixelSize(8, 4), format: .rgba16))
            .finish(isOpaque: true)
        let (reduced, turned) = (try pixels.converted(to: .rgba8, job: Job()), try pixels.upright(from: .right))
        for made in [reduced, turned, try pixels.resampled(to: PixelSize(4, 2))] {
            #expect(made.hasUncheckedClaims)
            #expect(made.isOpaque)
        }
    }

    @Test func `each format knows the size of its pixels`() {
        #expect(PixelFormat.allCases.map(\.bytesPerPixel) == [4, 8, 16])
        #expect(PixelFormat.allCases.map(\.bitsPerChannel) == [8, 16, 32])
    }

    // MARK: Memory

    @Test(arguments: [
        PixelSize(0, 5), PixelSize(5, 0), PixelSize(-1, 5), PixelSize(5, -1),
        // More bytes than an integer can represent, and more than any machine has.
        PixelSize(.max, 1), PixelSize(1, .max), PixelSize(.max, .max), PixelSize(1 << 40, 1 << 40),
        PixelSize(1 << 30, (1 << 31) - 1), PixelSize(1 << 30, 1 << 24),
    ])
    func `a size that cannot be allocated is an error`(size: PixelSize) async {
        let error = await imageError { try PixelBufferBuilder(layout: PixelLayout(size: size)).finish() }
        #expect(error?.code == .outOfMemory)
        #expect(error?.message.contains("\(size)") == true)
    }

    @Test func `memory returns to its pool with the last buffer that shares it`() throws {
        let pool = PixelPool(limit: 8 << 20)
        let layout = PixelLayout(size: PixelSize(400, 400))
        func use() throws {
            let pixels = PixelBuffer(storage: try PixelStorage(layout: layout, pool: pool), layout: layout)
            func useCopy() {
                let copy = pixels.assuming(isOpaque: true, isGray: false)
                #expect(copy.isOpaque)
            }
            useCopy()
            #expect(pool.freeBytes == 0)
            #expect(pixels.byteCount == 640_000)
        }
        try use()
        #expect(pool.freeBytes >= 640_000)
        let kept = pool.freeBytes
        try use()
        #expect(pool.freeBytes == kept)
    }
}
