import CalotypeTesting
import Testing

@testable import Calotype

@Suite(.timeLimit(.minutes(5)))
struct PixelBufferDrawingTests {
    private let red = PixelColor(red: 1, green: 0, blue: 0)

    /// The colors of a canvas in which a region was changed.
    private func expect(
        _ pixels: PixelBuffer, inside: PixelColor, x columns: Range<Int>, y rows: Range<Int>, outside: PixelColor
    ) {
        for y in 0..<pixels.height {
            for x in 0..<pixels.width {
                let expected = columns.contains(x) && rows.contains(y) ? inside : outside
                #expect(pixels.color(x: x, y: y) == expected, "\(x), \(y)")
            }
        }
    }

    /// Regions of a canvas of 7x5 pixels, and the columns and rows that they cover.
    static let regions: [(PixelRegion, x: Range<Int>, y: Range<Int>)] = [
        (PixelRegion(x: 2, y: 1, size: PixelSize(3, 2)), 2..<5, 1..<3),
        (PixelRegion(x: -2, y: -1, size: PixelSize(3, 2)), 0..<1, 0..<1),
        (PixelRegion(x: 5, y: 4, size: PixelSize(9, 9)), 5..<7, 4..<5),
        (PixelRegion(x: -3, y: -3, size: PixelSize(100, 100)), 0..<7, 0..<5),
        (PixelRegion(x: 7, y: 0, size: PixelSize(1, 1)), 0..<0, 0..<0),
        (PixelRegion(x: -1, y: 0, size: PixelSize(1, 5)), 0..<0, 0..<0),
        (PixelRegion(x: 1, y: 1, size: PixelSize(0, 3)), 0..<0, 0..<0),
        (PixelRegion(x: 1, y: 1, size: PixelSize(3, -3)), 0..<0, 0..<0),
        (PixelRegion(x: 3, y: 3, size: PixelSize(.max, .max)), 3..<7, 3..<5),
        (PixelRegion(x: .min, y: .min, size: PixelSize(.max, .max)), 0..<0, 0..<0),
    ]

    @Test(arguments: PixelFormat.allCases, 0..<PixelBufferDrawingTests.regions.count)
    func `filling sets the pixels of a region`(format: PixelFormat, index: Int) throws {
        let (region, columns, rows) = Self.regions[index]
        var canvas = try PixelBufferBuilder(layout: PixelLayout(size: PixelSize(7, 5), format: format))
        try canvas.fill(red, in: region)
        expect(canvas.finish(), inside: red, x: columns, y: rows, outside: .clear)
    }

    @Test func `filling without a region sets all pixels, with limited and rounded levels`() throws {
        let color = PixelColor(red: 1.5, green: -1, blue: 0.5, alpha: .nan)
        let expected: [PixelFormat: [Double]] = [.rgba8: [255, 0, 128, 0], .rgba16: [65_535, 0, 32_768, 0]]
        for (format, levels) in expected {
            var canvas = try PixelBufferBuilder(layout: PixelLayout(size: PixelSize(3, 2), format: format))
            try canvas.fill(color)
            #expect(canvas.finish().levels == Array(repeating: levels, count: 6).flatMap { $0 })
        }
        var canvas = try PixelBufferBuilder(layout: PixelLayout(size: PixelSize(1, 1), format: .rgbaFloat))
        try canvas.fill(PixelColor(red: 1.5, green: -1, blue: 0.5))
        #expect(canvas.finish().levels == [1.5, -1, 0.5, 1])
        canvas = try PixelBufferBuilder(layout: PixelLayout(size: PixelSize(1, 1), format: .rgbaFloat))
        try canvas.fill(PixelColor(red: .nan, green: .infinity, blue: -1e300, alpha: 1e300))
        let largest = Double(Float.greatestFiniteMagnitude)
        #expect(canvas.finish().levels == [0, largest, -largest, 1])
    }

    @Test func `filling ends with its job`() async throws {
        let job = Job()
        job.cancel()
        let error = await imageError {
            var canvas = try PixelBufferBuilder(layout: PixelLayout(size: PixelSize(2, 2)))
            try canvas.fill(red, job: job)
        }
        #expect(error?.code == .cancelled)
    }

    @Test(arguments: PixelFormat.allCases, 0..<PixelBufferDrawingTests.regions.count)
    func `drawing beyond the edges is cut off`(format: PixelFormat, index: Int) throws {
        let (region, columns, rows) = Self.regions[index]
        guard !region.size.isEmpty, region.size.area < 20_000 else { return }
        // The level of a pixel tells its place in the drawn picture.
        let picture = try PixelBuffer.drawn(region.size, isOpaque: true) { x, y in [Double(x), Double(y), 0, 255] }
        var canvas = try PixelBufferBuilder(layout: PixelLayout(size: PixelSize(7, 5), format: format))
        try canvas.draw(picture, x: region.x, y: region.y)
        let drawn = canvas.finish()
        #expect(drawn.format == format)
        let levels = try drawn.converted(to: .rgba8).levels
        for y in 0..<5 {
            for x in 0..<7 {
                let isDrawn = columns.contains(x) && rows.contains(y)
                let expected = isDrawn ? [Double(x - region.x), Double(y - region.y), 0, 255] : [0, 0, 0, 0]
                #expect(Array(levels[(y * 7 + x) * 4..<(y * 7 + x) * 4 + 4]) == expected, "\(x), \(y)")
            }
        }
    }

    @Test(arguments: PixelFormat.allCases, PixelFormat.allCases)
    func `pixels of another format are converted`(source: PixelFormat, target: PixelFormat) throws {
        let above = try PixelBuffer.noise(PixelSize(9, 7), source, seed: 6)
        let below = try PixelBuffer.noise(PixelSize(9, 7), target, seed: 7)
        var mixed = try PixelBufferBuilder(copying: below)
        try mixed.draw(above, mode: .multiply, opacity: 0.25)
        var plain = try PixelBufferBuilder(copying: below)
        try plain.draw(above.converted(to: target), mode: .multiply, opacity: 0.25)
        let (levels, expected) = (mixed.finish().levels, plain.finish().levels)
        #expect(levels == expected)
    }

    @Test func `a copy has the pixels of its picture, but not its claims`() throws {
        for format in PixelFormat.allCases {
            let pixels = try PixelBuffer.noise(PixelSize(9, 7), format, isOpaque: true, seed: 8)
            let copy = try PixelBufferBuilder(copying: pixels).finish()
            #expect(copy.levels == pixels.levels)
            #expect(!copy.isOpaque)
            let isShared = copy.storage === pixels.storage
            #expect(!isShared)
        }
    }

    @Test func `drawing ends with its job`() async throws {
        let pixels = try PixelBuffer.noise(PixelSize(3, 3), seed: 9)
        let job = Job()
        job.cancel()
        let error = await imageError {
            var canvas = try PixelBufferBuilder(copying: pixels)
            try canvas.draw(pixels, job: job)
        }
        #expect(error?.code == .cancelled)
    }

    @Test(arguments: [(-1, 0), (.nan, 0), (7, 1)] as [(Double, Double)])
    func `an opacity outside its range is limited`(opacity: Double, limited: Double) throws {
        let pixels = try PixelBuffer.noise(PixelSize(9, 7), seed: 10)
        let below = try PixelBuffer.noise(PixelSize(9, 7), seed: 11)
        var one = try PixelBufferBuilder(copying: below)
        try one.draw(pixels, opacity: opacity)
        var other = try PixelBufferBuilder(copying: below)
        try other.draw(pixels, opacity: limited)
        let (levels, expected) = (one.finish().levels, other.finish().levels)
        #expect(levels == expected)
    }
}
