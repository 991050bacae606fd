#if JPEG
import Calotype
import CalotypeJPEG
import CalotypeTesting
import CoderKit
import Foundation
import Testing

/// Written files are judged by their decoded pixels. Other tests compare the decoder with libjpeg-turbo's own tool.
@Suite(.timeLimit(.minutes(5)))
struct JPEGEncoderTests {
    private static let everything: ImageContext = [.keepsOrientation, .keepsProfile]
    /// The size of the encoded pictures.
    private static let size = PixelSize(33, 31)

    private let manager = ImageManager(plugins: [.jpeg], context: [.off(.imageCache)])

    private func makeImage(
        isGray: Bool = false, attributes: Image.Attributes = Image.Attributes()
    ) throws -> Image {
        let samples = try Fixture.samples(isGray ? "source-gray" : "source")
        return try .of(samples, Self.size, isGray: isGray, attributes: attributes)
    }

    private func samples(of file: Data) async throws -> [UInt8] {
        try await manager.decode(file, context: Self.everything).pixels.samples
    }

    private func markers(of file: Data) -> [UInt8] {
        JPEGSegment.all(of: file).map(\.marker)
    }

    // MARK: Pixels

    @Test(arguments: [50, 90], JPEGSubsampling.allCases)
    func `the pixels equal those written by libjpeg-turbo's own tool`(
        _ percent: Int, _ subsampling: JPEGSubsampling
    ) async throws {
        let name = subsampling.rawValue.filter(\.isNumber)
        let expected = try Fixture.samples("encoded-\(name)-\(percent)")
        var context: ImageContext = [.compressionQuality(Double(percent) / 100), .jpegSubsampling(subsampling)]
        let baseline = try await manager.encode(makeImage(), as: .jpeg, context: context)
        context.set(.jpegProgressive)
        let progressive = try await manager.encode(makeImage(), as: .jpeg, context: context)
        for file in [baseline, progressive] {
            let made = try await samples(of: file)
            #expect(SampleDifference(made, expected) == .zero)
        }
    }

    @Test(arguments: [50, 90])
    func `gray is written as gray, with the same pixels`(_ percent: Int) async throws {
        let context: ImageContext = [.compressionQuality(Double(percent) / 100)]
        let file = try await manager.encode(makeImage(isGray: true), as: .jpeg, context: context)
        let image = try await manager.decode(file)
        let expected = try Fixture.samples("encoded-gray-\(percent)")
        #expect(image.pixels.isGray)
        #expect(SampleDifference(image.pixels.samples, expected) == .zero)
        let info = try await manager.info(of: file)
        #expect(info.colorModel == .gray)
    }

    @Test func `a progressive file is written on request`() async throws {
        let plain = try await markers(of: manager.encode(makeImage(), as: .jpeg))
        #expect(plain.contains(JPEGSegment.baselineFrame))
        #expect(plain.filter { $0 == JPEGSegment.startOfScan }.count == 1)

        let context: ImageContext = [.jpegProgressive]
        let progressive = try await markers(of: manager.encode(makeImage(), as: .jpeg, context: context))
        #expect(progressive.contains(JPEGSegment.progressiveFrame))
        #expect(progressive.filter { $0 == JPEGSegment.startOfScan }.count > 5)
    }

    @Test func `optimized tables make a file shorter and keep the pixels`() async throws {
        let plain = try await manager.encode(makeImage(), as: .jpeg, context: [.off(.jpegOptimizedTables)])
        let optimized = try await manager.encode(makeImage(), as: .jpeg, context: [.jpegOptimizedTables])
        #expect(optimized.count < plain.count)
        let made = try await samples(of: optimized)
        let expected = try await samples(of: plain)
        #expect(SampleDifference(made, expected) == .zero)
        #expect(markers(of: optimized).contains(JPEGSegment.baselineFrame))
        let byDefault = try await manager.encode(makeImage(), as: .jpeg)
        #expect(byDefault == plain)
        // Progressive files always have optimized tables.
        let inScans = try await manager.encode(makeImage(), as: .jpeg, context: [.jpegProgressive])
        let both = try await manager.encode(makeImage(), as: .jpeg, context: [.jpegProgressive, .jpegOptimizedTables])
        #expect(inScans == both)
    }

    @Test func `by default quality is 0.9 and chroma is subsampled 2x2`() async throws {
        let byDefault = try await manager.encode(makeImage(), as: .jpeg)
        let context: ImageContext = [.compressionQuality(0.9), .jpegSubsampling(.quarter), .off(.jpegProgressive)]
        let explicit = try await manager.encode(makeImage(), as: .jpeg, context: context)
        #expect(byDefault == explicit)
    }

    @Test func `every quality is written, and more is better`() async throws {
        let source = try Fixture.samples("source")
        var errors: [Double] = []
        var byteCounts: [Int] = []
        for quality in [0, 0.1, 0.5, 0.9, 1] {
            let context: ImageContext = [.compressionQuality(quality), .jpegSubsampling(.full)]
            let file = try await manager.encode(makeImage(), as: .jpeg, context: context)
            let made = try await samples(of: file)
            errors.append(SampleDifference(made, source).meanSquare)
            byteCounts.append(file.count)
        }
        #expect(byteCounts == byteCounts.sorted())
        #expect(errors == errors.sorted(by: >))
        #expect(errors.last.map { $0 < 2 } == true, "\(errors)")
    }

    @Test func `every size is written`() async throws {
        for size in [PixelSize(1, 1), PixelSize(1, 17), PixelSize(17, 1), PixelSize(8, 8), PixelSize(300, 3)] {
            let samples = (0..<size.area).flatMap { pixel in [200, UInt8(100 + pixel % 3), 50, 255] as [UInt8] }
            let image = try Image.of(samples, size)
            let context: ImageContext = [.compressionQuality(1), .jpegSubsampling(.full)]
            let read = try await manager.decode(manager.encode(image, as: .jpeg, context: context))
            #expect(read.size == size)
            #expect(SampleDifference(read.pixels.samples, samples).largest <= 4)
        }
    }

    /// Returns a picture of noise.
    private func noise(_ size: PixelSize) -> [UInt8] {
        var random = SplitMix64(seed: 11)
        return (0..<size.area * 4).map { (index: Int) -> UInt8 in
            index % 4 == 3 ? 255 : UInt8.random(in: 0...255, using: &random)
        }
    }

    @Test func `much detail makes a long file`() async throws {
        let size = PixelSize(256, 200)
        let samples = noise(size)
        let image = try Image.of(samples, size)
        let context: ImageContext = [.compressionQuality(1), .jpegSubsampling(.full)]
        let file = try await manager.encode(image, as: .jpeg, context: context)
        #expect(file.count > 3 << 15)
        let read = try await self.samples(of: file)
        #expect(SampleDifference(read, samples).meanSquare < 2)
        let inScans = try await manager.encode(image, as: .jpeg, context: context.merging([.jpegProgressive]))
        let readFromScans = try await self.samples(of: inScans)
        #expect(SampleDifference(readFromScans, read) == .zero)
    }

    @Test func `a file stays within the byte limit, at the best quality that fits`() async throws {
        let size = PixelSize(128, 100)
        let image = try Image.of(noise(size), size)
        var counts: [Int] = []
        for percent in 1...100 {
            let context: ImageContext = [.compressionQuality(Double(percent) / 100)]
            counts.append(try await manager.encode(image, as: .jpeg, context: context).count)
        }
        let (shortest, longest) = (counts[0], counts[99])
        for limit in [shortest, shortest + 1, (shortest + longest) / 2, longest - 1, longest] {
            let context: ImageContext = [.compressionQuality(1), .encodeMaxFileBytes(limit)]
            let count = try await manager.encode(image, as: .jpeg, context: context).count
            #expect(count <= limit)
            // One percent more would exceed the limit.
            let isBest = counts.indices.contains { counts[$0] == count && ($0 == 99 || counts[$0 + 1] > limit) }
            #expect(isBest, "\(count) of \(limit) bytes")
        }
        let error = await #expect(throws: ImageError.self) {
            try await manager.encode(image, as: .jpeg, context: [.encodeMaxFileBytes(shortest - 1)])
        }
        #expect(error?.code == .encodeFailed)
    }

    @Test func `a large picture is scaled down to the requested size`() async throws {
        let data = JPEGSegment.flatPicture(PixelSize(5250, 3450))
        let image = try await manager.decode(data)
        #expect(image.size == PixelSize(5250, 3450))
        let file = try await manager.encode(image, as: .jpeg, context: [.encodeMaxPixelSize(4000, 4000)])
        let info = try await manager.info(of: file)
        #expect(info.pixelSize == PixelSize(4000, 2629))
    }

    @Test func `sides longer than the library allows are refused`() async throws {
        for size in [PixelSize(65_501, 1), PixelSize(1, 65_501)] {
            let image = try Image.of([UInt8](repeating: 255, count: size.area * 4), size)
            let error = await #expect(throws: ImageError.self) { try await manager.encode(image, as: .jpeg) }
            #expect(error?.code == .encodeFailed)
            #expect(error?.advice != nil)
        }
        let size = PixelSize(65_500, 1)
        let image = try Image.of([UInt8](repeating: 255, count: size.area * 4), size)
        let info = try await manager.info(of: manager.encode(image, as: .jpeg))
        #expect(info.pixelSize == size)
    }

    // MARK: Formats and alpha

    @Test(arguments: PixelFormat.allCases, [false, true])
    func `more bits are rounded to eight`(_ format: PixelFormat, _ isGray: Bool) async throws {
        let samples = try Fixture.samples(isGray ? "source-gray" : "source")
        let image = try Image.of(samples, Self.size, format: format, isGray: isGray)
        let file = try await manager.encode(image, as: .jpeg)
        let expected = try await manager.encode(makeImage(isGray: isGray), as: .jpeg)
        #expect(file == expected)
    }

    @Test func `floats outside of the range are clamped`() async throws {
        let size = PixelSize(8, 8)
        let values: [(value: Float, sample: UInt8)] = [
            (-1, 0), (2, 255), (.nan, 0), (.infinity, 255), (-.infinity, 0), (0.5, 128), (1, 255), (0, 0),
        ]
        for (value, sample) in values {
            var builder = try PixelBufferBuilder(layout: PixelLayout(size: size, format: .rgbaFloat))
            for y in 0..<size.height {
                builder.withRow(y) { (row: inout MutableRawSpan) -> Void in
                    for index in 0..<size.width * 4 {
                        let stored = index % 4 == 3 ? 1 : value
                        row.storeBytes(of: stored, toByteOffset: index * 4, as: Float.self)
                    }
                }
            }
            let file = try await manager.encode(Image(pixels: builder.finish(isOpaque: true)), as: .jpeg)
            let expected = (0..<size.area).flatMap { _ -> [UInt8] in [sample, sample, sample, 255] }
            let made = try await samples(of: file)
            #expect(SampleDifference(made, expected).largest <= 1, "\(value)")
        }
    }

    @Test(arguments: PixelFormat.allCases, [false, true])
    func `transparent pixels are blended with the background, white by default`(
        _ format: PixelFormat, _ isGray: Bool
    ) async throws {
        for background in [nil, [255, 255, 255], [0, 0, 0], [100, 100, 100], [250, 0, 45]] as [[Int]?] {
            let color = background ?? [255, 255, 255]
            // Fifths of multiples of five, which avoid rounding.
            var (transparent, composed): ([UInt8], [UInt8]) = ([], [])
            for pixel in 0..<Self.size.area {
                let fifths = pixel % 6
                for channel in 0..<3 {
                    let value = (pixel * 35 + (isGray ? 0 : channel * 85)) % 256 / 5 * 5
                    transparent.append(UInt8(value))
                    composed.append(UInt8(value * fifths / 5 + color[channel] * (5 - fifths) / 5))
                }
                transparent.append(UInt8(51 * fifths))
                composed.append(255)
            }
            let image = try Image.of(transparent, Self.size, format: format, isOpaque: false, isGray: isGray)
            let context = background.map { self.background($0[0], $0[1], $0[2]) } ?? []
            let file = try await manager.encode(image, as: .jpeg, context: context)
            // Gray on a colored background is not gray.
            let isGrayInTheEnd = isGray && Set(color).count == 1
            let expected = try await manager.encode(
                Image.of(composed, Self.size, isGray: isGrayInTheEnd), as: .jpeg)
            #expect(file == expected, "on \(color)")
        }
    }

    private func background(_ red: Int, _ green: Int, _ blue: Int) -> ImageContext {
        let color = PixelColor(red: Double(red) / 255, green: Double(green) / 255, blue: Double(blue) / 255)
        return [.encodeBackground(color)]
    }

    @Test func `a fully transparent picture becomes its background`() async throws {
        let size = PixelSize(16, 16)
        let samples = (0..<size.area).flatMap { _ in [200, 100, 50, 0] as [UInt8] }
        let image = try Image.of(samples, size, isOpaque: false)
        let read = try await self.samples(of: manager.encode(image, as: .jpeg, context: background(0, 0, 0)))
        let black = (0..<size.area).flatMap { _ in [0, 0, 0, 255] as [UInt8] }
        #expect(SampleDifference(read, black) == .zero)
    }

    @Test func `an out-of-range background is clamped and made opaque`() async throws {
        let size = PixelSize(8, 8)
        let image = try Image.of([UInt8](repeating: 0, count: size.area * 4), size, isOpaque: false)
        let strange: ImageContext = [.encodeBackground(PixelColor(red: -3, green: 7, blue: .nan, alpha: 0))]
        let file = try await manager.encode(image, as: .jpeg, context: strange)
        let expected = try await manager.encode(image, as: .jpeg, context: background(0, 255, 0))
        #expect(file == expected)
    }

    @Test func `the first frame of an animation is written`() async throws {
        let first = try makeImage()
        let second = try makeImage(isGray: true).pixels
        let frames = FrameList([(first.pixels, .milliseconds(100)), (second, .milliseconds(100))])
        let animation = Image(pixels: first.pixels, frames: frames)
        let file = try await manager.encode(animation, as: .jpeg)
        let expected = try await manager.encode(first, as: .jpeg)
        #expect(file == expected)
    }

    // MARK: Profile and orientation

    @Test(arguments: [false, true])
    func `a profile is embedded`(_ isProgressive: Bool) async throws {
        let profile = ColorProfile.icc(try Fixture.directory.data("icc.icc"))
        let image = try makeImage(attributes: Image.Attributes(profile: profile))
        let context: ImageContext = [.set(.jpegProgressive, to: isProgressive)]
        let file = try await manager.encode(image, as: .jpeg, context: context)
        let read = try await manager.decode(file, context: Self.everything)
        let plain = try await manager.encode(makeImage(), as: .jpeg)
        let expected = try await samples(of: plain)
        #expect(read.attributes.profile == profile)
        #expect(SampleDifference(read.pixels.samples, expected) == .zero)
    }

    @Test func `a long profile is embedded in parts`() async throws {
        // Only the length is plausible; the rest is not checked.
        let bytes = try Fixture.directory.data("icc.icc") + Data((0..<200_000).map { UInt8($0 % 251) })
        let image = try makeImage(attributes: Image.Attributes(profile: .icc(bytes)))
        let file = try await manager.encode(image, as: .jpeg)
        #expect(markers(of: file).filter { $0 == JPEGSegment.application2 }.count == 4)
        let info = try await manager.info(of: file)
        #expect(info.profile == .icc(bytes))
    }

    @Test func `a profile that does not fit into a file is an error`() async throws {
        for count in [0, 255 * (65_533 - 14) + 1] {
            let image = try makeImage(attributes: Image.Attributes(profile: .icc(Data(count: count))))
            let error = await #expect(throws: ImageError.self) { try await manager.encode(image, as: .jpeg) }
            #expect(error?.code == .encodeFailed)
            #expect(error?.advice != nil)
        }
    }

    @Test func `sRGB is written without a profile`() async throws {
        let file = try await manager.encode(makeImage(), as: .jpeg)
        #expect(!markers(of: file).contains(JPEGSegment.application2))
        let info = try await manager.info(of: file)
        #expect(info.profile == .sRGB)
    }

    @Test func `a gray picture with a profile for colors is written in color`() async throws {
        let bytes = try Fixture.directory.data("icc.icc")
        let colored = try makeImage(isGray: true, attributes: Image.Attributes(profile: .icc(bytes)))
        let file = try await manager.encode(colored, as: .jpeg)
        let info = try await manager.info(of: file)
        #expect(info.colorModel == .yCbCr)
        #expect(info.profile == .icc(bytes))

        // The color space of the data. Source: ICC.1:2022, section 7.2.8.
        var grayBytes = bytes
        grayBytes.replaceSubrange(16..<20, with: Data("GRAY".utf8))
        let gray = try makeImage(isGray: true, attributes: Image.Attributes(profile: .icc(grayBytes)))
        let grayInfo = try await manager.info(of: manager.encode(gray, as: .jpeg))
        #expect(grayInfo.colorModel == .gray)
        #expect(grayInfo.profile == .icc(grayBytes))
    }

    @Test(arguments: Orientation.allCases)
    func `an orientation other than upright is written`(_ orientation: Orientation) async throws {
        let image = try makeImage(attributes: Image.Attributes(orientation: orientation))
        let file = try await manager.encode(image, as: .jpeg)
        let blocks = markers(of: file).filter { $0 == JPEGSegment.application1 }
        #expect(blocks.count == (orientation == .up ? 0 : 1))
        let read = try await manager.decode(file, context: Self.everything)
        let plain = try await manager.encode(makeImage(), as: .jpeg)
        let expected = try await samples(of: plain)
        #expect(read.attributes.orientation == orientation)
        #expect(SampleDifference(read.pixels.samples, expected) == .zero)
    }

    @Test func `profile and orientation are written together`() async throws {
        let attributes = Image.Attributes(profile: .icc(try Fixture.directory.data("icc.icc")), orientation: .right)
        let file = try await manager.encode(makeImage(attributes: attributes), as: .jpeg)
        let info = try await manager.info(of: file)
        #expect(info.profile == attributes.profile)
        #expect(info.orientation == .right)
        #expect(info.size == PixelSize(31, 33))
    }

    @Test func `a gray picture without its profile is written as gray`() async throws {
        let profile = ColorProfile.icc(try Fixture.directory.data("icc.icc"))
        let image = try makeImage(isGray: true, attributes: Image.Attributes(profile: profile))
        let file = try await manager.encode(image, as: .jpeg, context: [.metadataPolicy(.strip)])
        let expected = try await manager.encode(makeImage(isGray: true), as: .jpeg)
        #expect(file == expected)
    }

    // MARK: Jobs

    @Test func `the work after the last row obeys the timeout`() throws {
        let encoder = try #require(JPEGCoder().encoder(for: .jpeg))
        let image = try makeImage()
        let options = EncodeOptions(ResolvedContext([.jpegProgressive]))
        let time = TickingTime()
        _ = try encoder.encode(image, options: options, job: Job(timeout: .seconds(100_000), time: time))
        let looks = time.looks.withLock { $0 }
        // The job is checked a few times for the rows, 16 of which are written at once, and then for each row of blocks
        // in each scan.
        #expect(looks > 30)
        for missing in [1, 5, 20] {
            let job = Job(timeout: .seconds(looks - 1 - missing), time: TickingTime())
            let error = #expect(throws: ImageError.self) { try encoder.encode(image, options: options, job: job) }
            #expect(error?.code == .timedOut)
        }
        let enough = Job(timeout: .seconds(looks - 1), time: TickingTime())
        _ = try encoder.encode(image, options: options, job: enough)
    }

    @Test func `encoding stops when its job is cancelled`() throws {
        let encoder = try #require(JPEGCoder().encoder(for: .jpeg))
        let image = try makeImage()
        let job = Job()
        job.cancel()
        let error = #expect(throws: ImageError.self) {
            try encoder.encode(image, options: EncodeOptions(), job: job)
        }
        #expect(error?.code == .cancelled)
    }
}
#endif
