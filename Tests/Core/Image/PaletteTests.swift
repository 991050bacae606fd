import Calotype
import Testing

@Suite(.timeLimit(.minutes(5)))
struct PaletteTests {
    private func picture(
        _ size: PixelSize, _ areas: [(PixelColor, PixelRegion)] = [], as format: PixelFormat = .rgba8
    ) throws -> PixelBuffer {
        var builder = try PixelBufferBuilder(layout: PixelLayout(size: size, format: format))
        for (color, region) in areas { try builder.fill(color, in: region) }
        return builder.finish()
    }

    private static let red = PixelColor(red: 1, green: 0, blue: 0)
    private static let blue = PixelColor(red: 0, green: 0, blue: 0.8)

    @Test(arguments: PixelFormat.allCases, [PixelSize(100, 10), PixelSize(1000, 100)])
    func `a picture of few colors has exactly these, by their share`(format: PixelFormat, size: PixelSize) throws {
        let pixels = try picture(
            size,
            [
                (.white, PixelRegion(size: size)),
                (Self.red, PixelRegion(size: PixelSize(size.width * 3 / 10, size.height))),
                (Self.blue, PixelRegion(x: size.width * 3 / 10, size: PixelSize(size.width / 10, size.height))),
            ], as: format)
        let colors = try pixels.palette(count: 8)
        #expect(colors.prefix(3).map(\.color) == [.white, Self.red, Self.blue])
        // In a reduced picture, the colors at the borders are mixed.
        #expect(colors.count == 3 || size.width == 1000)
        for (color, share) in zip(colors, [0.6, 0.3, 0.1]) { #expect(abs(color.share - share) < 0.02) }
        #expect(abs(colors.reduce(0) { $0 + $1.share } - 1) < 1e-9)
    }

    @Test func `similar colors are combined if there are too many`() throws {
        var builder = try PixelBufferBuilder(layout: PixelLayout(size: PixelSize(120, 60)))
        for x in 0..<120 {
            for y in 0..<60 {
                let noise = Double((x * 7 + y * 13) % 16) / 255
                let color =
                    x < 80
                    ? PixelColor(red: 0.1 + noise, green: 0.6 + noise, blue: 0.2)
                    : PixelColor(red: 0.9 - noise, green: 0.3, blue: 0.1 + noise)
                try builder.fill(color, in: PixelRegion(x: x, y: y, size: PixelSize(1, 1)))
            }
        }
        let colors = try Image(pixels: builder.finish()).palette(count: 2)
        #expect(colors.count == 2)
        #expect(abs(colors[0].share - 2.0 / 3) < 0.01)
        #expect(abs(colors[0].color.green - 0.63) < 0.02)
        #expect(abs(colors[1].color.red - 0.87) < 0.02)
    }

    @Test func `transparent pixels do not count`() throws {
        let size = PixelSize(10, 10)
        let hidden = PixelColor(red: 0, green: 1, blue: 0, alpha: 0.4)
        let pixels = try picture(
            size, [(hidden, PixelRegion(size: size)), (Self.red, PixelRegion(size: PixelSize(1, 1)))])
        let colors = try pixels.palette()
        #expect(colors.map(\.color) == [Self.red])
        #expect(colors.map(\.share) == [1])
        #expect(try picture(size).palette().isEmpty)
    }

    @Test(arguments: [Int.min, 0, 1])
    func `the least palette is the average`(count: Int) throws {
        let size = PixelSize(4, 4)
        let pixels = try picture(
            size, [(.black, PixelRegion(size: size)), (.white, PixelRegion(size: PixelSize(2, 4)))])
        let colors = try pixels.palette(count: count)
        #expect(colors.map(\.share) == [1])
        #expect(abs(colors[0].color.red - 0.5) < 0.01)
    }

    @Test(arguments: PixelFormat.allCases)
    func `the average is weighted by alpha`(format: PixelFormat) throws {
        let size = PixelSize(700, 50)
        let translucent = PixelColor(red: 0, green: 0, blue: 1, alpha: 0.5)
        let pixels = try picture(
            size, [(Self.red, PixelRegion(size: size)), (translucent, PixelRegion(size: PixelSize(350, 50)))],
            as: format)
        let average = try pixels.averageColor()
        #expect(abs(average.alpha - 0.75) < 0.003)
        #expect(abs(average.red - 2.0 / 3) < 0.004)
        #expect(abs(average.blue - 1.0 / 3) < 0.004)
    }

    @Test func `the work ends if its job is cancelled`() throws {
        let job = Job()
        job.cancel()
        let pixels = try picture(PixelSize(5, 5))
        #expect(throws: ImageError.self) { try pixels.palette(job: job) }
        #expect(throws: ImageError.self) { try pixels.averageColor(job: job) }
    }
}
