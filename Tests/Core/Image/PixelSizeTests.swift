import CalotypeTesting
import Testing

@testable import Calotype

@Suite(.timeLimit(.minutes(5)))
struct PixelSizeTests {
    /// A picture's size, the box, and the expected sizes.
    struct Sample: Sendable, CustomStringConvertible {
        let size: PixelSize
        let box: PixelSize
        let kept: PixelSize
        let enlarged: PixelSize

        init(_ size: PixelSize, in box: PixelSize, _ kept: PixelSize, enlarged: PixelSize) {
            self.size = size
            self.box = box
            self.kept = kept
            self.enlarged = enlarged
        }

        var description: String { "\(size) in \(box)" }
    }

    private func randomSize(_ random: inout SplitMix64, upTo limit: Int) -> PixelSize {
        PixelSize(Int.random(in: 1...limit, using: &random), Int.random(in: 1...limit, using: &random))
    }

    // MARK: Fitting

    static let fitting: [Sample] = [
        Sample(PixelSize(100, 200), in: PixelSize(150, 150), PixelSize(75, 150), enlarged: PixelSize(75, 150)),
        Sample(PixelSize(100, 200), in: PixelSize(300, 300), PixelSize(100, 200), enlarged: PixelSize(150, 300)),
        Sample(PixelSize(0, 0), in: PixelSize(999, 999), PixelSize(0, 0), enlarged: PixelSize(0, 0)),
        Sample(PixelSize(999, 999), in: PixelSize(0, 0), PixelSize(999, 999), enlarged: PixelSize(999, 999)),
        // The side that does not limit is rounded up.
        Sample(PixelSize(5250, 3450), in: PixelSize(400, 300), PixelSize(400, 263), enlarged: PixelSize(400, 263)),
        Sample(
            PixelSize(5250, 3450), in: PixelSize(4000, 4000), PixelSize(4000, 2629), enlarged: PixelSize(4000, 2629)),
        Sample(PixelSize(300, 300), in: PixelSize(100, 70), PixelSize(70, 70), enlarged: PixelSize(70, 70)),
        // A side of zero does not limit.
        Sample(PixelSize(40, 30), in: PixelSize(20, 0), PixelSize(20, 15), enlarged: PixelSize(20, 15)),
        Sample(PixelSize(40, 30), in: PixelSize(0, 15), PixelSize(20, 15), enlarged: PixelSize(20, 15)),
        Sample(PixelSize(40, 30), in: PixelSize(80, 0), PixelSize(40, 30), enlarged: PixelSize(80, 60)),
        Sample(PixelSize(40, 30), in: PixelSize(-5, 15), PixelSize(20, 15), enlarged: PixelSize(20, 15)),
        // Thin pictures keep at least a pixel.
        Sample(PixelSize(10_000, 1), in: PixelSize(100, 100), PixelSize(100, 1), enlarged: PixelSize(100, 1)),
        Sample(PixelSize(1, 10_000), in: PixelSize(100, 100), PixelSize(1, 100), enlarged: PixelSize(1, 100)),
        Sample(PixelSize(3, 10_000), in: PixelSize(100, 1), PixelSize(1, 1), enlarged: PixelSize(1, 1)),
    ]

    @Test(arguments: PixelSizeTests.fitting)
    func `a size is fitted into a box`(_ sample: Sample) {
        #expect(sample.size.fitting(sample.box) == sample.kept)
        #expect(sample.size.fitting(sample.box, enlarging: true) == sample.enlarged)
        #expect(sample.size.thumbnail(in: sample.box, preservingAspectRatio: true) == sample.kept)
    }

    @Test(arguments: [1, 2] as [UInt64], [10, 5000])
    func `any fitted size keeps its shape, and touches the box unless it was inside`(seed: UInt64, limit: Int) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<1000 {
            let size = randomSize(&random, upTo: limit)
            let box = randomSize(&random, upTo: limit)
            let fit = size.fitting(box)
            #expect(fit.width <= box.width && fit.height <= box.height, "\(size) in \(box)")
            #expect(fit.width >= 1 && fit.height >= 1)
            let isTouching = fit.width == box.width || fit.height == box.height
            let isInside = size.width <= box.width && size.height <= box.height
            #expect(isInside || isTouching, "\(size) in \(box)")
            #expect(!isInside || fit == size, "\(size) in \(box)")
            // One side is exact, the other rounded up.
            let scale = min(
                1, Double(box.width) / Double(size.width), Double(box.height) / Double(size.height))
            #expect((-1e-6...1).contains(Double(fit.width) - Double(size.width) * scale), "\(size) in \(box)")
            #expect((-1e-6...1).contains(Double(fit.height) - Double(size.height) * scale), "\(size) in \(box)")

            let grown = size.fitting(box, enlarging: true)
            #expect(grown.width <= box.width && grown.height <= box.height, "\(size) in \(box)")
            #expect(grown.width == box.width || grown.height == box.height, "\(size) in \(box)")
        }
    }

    // MARK: Filling

    static let filling: [Sample] = [
        Sample(PixelSize(100, 200), in: PixelSize(50, 50), PixelSize(50, 100), enlarged: PixelSize(50, 100)),
        Sample(PixelSize(200, 100), in: PixelSize(50, 50), PixelSize(100, 50), enlarged: PixelSize(100, 50)),
        Sample(PixelSize(100, 50), in: PixelSize(80, 80), PixelSize(100, 50), enlarged: PixelSize(160, 80)),
        Sample(PixelSize(300, 200), in: PixelSize(0, 100), PixelSize(150, 100), enlarged: PixelSize(150, 100)),
        Sample(PixelSize(0, 7), in: PixelSize(5, 5), PixelSize(0, 7), enlarged: PixelSize(0, 7)),
        Sample(PixelSize(7, 7), in: PixelSize(0, 0), PixelSize(7, 7), enlarged: PixelSize(7, 7)),
        Sample(PixelSize(1000, 1), in: PixelSize(10, 10), PixelSize(1000, 1), enlarged: PixelSize(10_000, 10)),
    ]

    @Test(arguments: PixelSizeTests.filling)
    func `a size is made to cover a box`(_ sample: Sample) {
        #expect(sample.size.filling(sample.box) == sample.kept)
        #expect(sample.size.filling(sample.box, enlarging: true) == sample.enlarged)
    }

    @Test(arguments: [3, 4] as [UInt64])
    func `any size can be made to cover any box, and touches it`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<1000 {
            let size = randomSize(&random, upTo: 3000)
            let box = randomSize(&random, upTo: 3000)
            let cover = size.filling(box, enlarging: true)
            #expect(cover.width >= box.width && cover.height >= box.height, "\(size) over \(box)")
            #expect(cover.width == box.width || cover.height == box.height, "\(size) over \(box)")
            let kept = size.filling(box)
            #expect(kept.width <= size.width && kept.height <= size.height, "\(size) over \(box)")
            #expect(kept.width >= min(size.width, box.width) && kept.height >= min(size.height, box.height))
        }
    }

    // MARK: Stretching

    private static let stretching: [(size: PixelSize, box: PixelSize, thumbnail: PixelSize)] = [
        (PixelSize(100, 200), PixelSize(150, 150), PixelSize(100, 150)),
        (PixelSize(40, 30), PixelSize(10, 20), PixelSize(10, 20)),
        (PixelSize(40, 30), PixelSize(0, 20), PixelSize(40, 20)),
        (PixelSize(40, 30), PixelSize(400, 0), PixelSize(40, 30)),
    ]

    @Test func `a thumbnail without aspect ratio never grows`() {
        for (size, box, thumbnail) in Self.stretching {
            #expect(size.thumbnail(in: box, preservingAspectRatio: false) == thumbnail, "\(size) in \(box)")
        }
    }

    // MARK: Bytes

    /// A picture's size, the limit on the bytes of its frames, and the expected size.
    struct Budget: Sendable, CustomStringConvertible {
        let size: PixelSize
        let byteCount: Int
        var bytesPerPixel = 4
        var frameCount = 1
        let made: PixelSize

        var description: String { "\(frameCount) of \(size) in \(byteCount) bytes" }
    }

    static let budgets: [Budget] = [
        Budget(size: PixelSize(5250, 3450), byteCount: 60 << 20, made: PixelSize(4892, 3214)),
        Budget(size: PixelSize(80, 60), byteCount: 60 << 20, made: PixelSize(80, 60)),
        Budget(size: PixelSize(80, 60), byteCount: 1, made: PixelSize(1, 1)),
        Budget(size: PixelSize(80, 60), byteCount: -5, made: PixelSize(1, 1)),
        Budget(size: PixelSize(1029, 1029), byteCount: 1 << 20, made: PixelSize(512, 512)),
        // Exact to the byte.
        Budget(size: PixelSize(40, 30), byteCount: 4800, made: PixelSize(40, 30)),
        Budget(size: PixelSize(40, 30), byteCount: 4799, made: PixelSize(39, 29)),
        Budget(size: PixelSize(40, 30), byteCount: 1200, made: PixelSize(20, 15)),
        // The size of a pixel, and the number of frames.
        Budget(size: PixelSize(400, 300), byteCount: 240_000, bytesPerPixel: 8, made: PixelSize(200, 150)),
        Budget(size: PixelSize(400, 300), byteCount: 480_000, frameCount: 4, made: PixelSize(200, 150)),
        Budget(size: PixelSize(400, 300), byteCount: 120_000, frameCount: 0, made: PixelSize(200, 150)),
        // Thin pictures keep a pixel across, and do not exceed the limit.
        Budget(size: PixelSize(10_000, 1), byteCount: 400, made: PixelSize(100, 1)),
        Budget(size: PixelSize(1, 10_000), byteCount: 400, made: PixelSize(1, 100)),
        Budget(size: PixelSize(10_000, 3), byteCount: 400, made: PixelSize(100, 1)),
        // Products that overflow.
        Budget(size: PixelSize(.max, .max), byteCount: 400, made: PixelSize(10, 10)),
        Budget(size: PixelSize(.max, 1), byteCount: 400, made: PixelSize(100, 1)),
        Budget(size: PixelSize(0, 7), byteCount: 400, made: PixelSize(0, 7)),
    ]

    @Test(arguments: PixelSizeTests.budgets)
    func `a size is reduced to the byte budget of its frames`(_ budget: Budget) {
        for (size, made) in [(budget.size, budget.made), (budget.size.transposed, budget.made.transposed)] {
            let fit = size.within(
                byteCount: budget.byteCount, bytesPerPixel: budget.bytesPerPixel, frameCount: budget.frameCount)
            #expect(fit == made)
        }
    }

    @Test(arguments: [5, 6] as [UInt64])
    func `any size is as large as its byte budget allows, and no larger`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<2000 {
            let size = randomSize(&random, upTo: 5000)
            let byteCount = Int.random(in: 1...20_000_000, using: &random)
            let bytesPerPixel = Bool.random(using: &random) ? 4 : 8
            let frameCount = Int.random(in: 1...40, using: &random)
            let made = size.within(byteCount: byteCount, bytesPerPixel: bytesPerPixel, frameCount: frameCount)
            let taken = made.area * bytesPerPixel * frameCount
            #expect(taken <= byteCount || made == PixelSize(1, 1), "\(size) in \(byteCount)")
            #expect(made.width <= size.width && made.height <= size.height && !made.isEmpty)
            let larger = (made.width + 1) * (made.height + 1) * bytesPerPixel * frameCount
            #expect(made == size || larger > byteCount, "\(size) in \(byteCount)")
        }
    }

    // MARK: Extremes

    @Test func `huge sizes are fitted into small boxes without a trap`() {
        let box = PixelSize(100, 100)
        #expect(PixelSize(.max, .max).fitting(box) == box)
        #expect(PixelSize(.max, 1).fitting(box) == PixelSize(100, 1))
        #expect(PixelSize(1, .max).fitting(box) == PixelSize(1, 100))
        #expect(PixelSize(.max, .max).filling(box) == box)
        #expect(PixelSize(40, 30).fitting(PixelSize(.max, .max)) == PixelSize(40, 30))
        #expect(PixelSize(40, 30).filling(PixelSize(.max, .max)) == PixelSize(40, 30))
        let stretched = PixelSize(.max, 30).thumbnail(in: PixelSize(7, .max), preservingAspectRatio: false)
        #expect(stretched == PixelSize(7, 30))
    }

    @Test func `an overflowing side becomes the largest number`() {
        #expect(PixelSize(1, 100).fitting(PixelSize(.max, 0), enlarging: true) == PixelSize(.max, .max))
        #expect(PixelSize(100, 1).fitting(PixelSize(0, .max), enlarging: true) == PixelSize(.max, .max))
        #expect(PixelSize(1, 100).filling(PixelSize(.max, .max), enlarging: true) == PixelSize(.max, .max))
    }

    @Test func `an overflowing area becomes the largest number`() {
        #expect(PixelSize(40, 30).area == 1200)
        #expect(PixelSize(0, 30).area == 0)
        #expect(PixelSize(1 << 40, 1 << 40).area == .max)
        #expect(PixelSize(.max, .max).area == .max)
        #expect(PixelSize(.max, 1).area == .max)
    }

    @Test func `a size without pixels is empty`() {
        #expect(!PixelSize(1, 1).isEmpty)
        for size in [PixelSize(0, 5), PixelSize(5, 0), PixelSize(0, 0), PixelSize(-1, 5), PixelSize(5, -1)] {
            #expect(size.isEmpty, "\(size)")
        }
    }

    @Test func `sides can be swapped, and a size is printed as its sides`() {
        #expect(PixelSize(40, 30).transposed == PixelSize(30, 40))
        #expect(PixelSize(width: 40, height: 30) == PixelSize(40, 30))
        #expect(PixelSize(40, 30).description == "40x30")
    }
}
