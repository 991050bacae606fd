import CalotypeTesting
import Testing

@testable import Calotype

/// A thousand concurrent requests: ten pictures in ten sizes, each ten times.
@Suite(.timeLimit(.minutes(5)))
struct SharingCountTests {
    /// Ten sources with pictures of different colors, none of which responds yet, and the thousand tasks.
    private struct Crowd {
        static let size = PixelSize(20, 16)

        let bench = Bench(isOpen: false)
        let requests: [ImageRequest]
        let tasks: [ImageTask]

        /// - Parameter context: Returns the context for a size from 1 to 10.
        init(_ context: (Int) -> ImageContext) {
            for source in 0..<10 {
                let header = RawImageCoder.Header(width: Self.size.width, height: Self.size.height)
                let color = SIMD4(Self.red(of: source), 0, 0, 255)
                let file = RawImageCoder.file(header) { _, _, _ in color }
                bench.loader.answer("fake://host/\(source)", with: .bytes(file))
            }
            let requests = (0..<1000).map { index in
                ImageRequest("fake://host/\(index % 10)", context: context(index / 10 % 10 + 1))
            }
            self.requests = requests
            let manager = bench.manager
            tasks = requests.map { manager.load($0) }
        }

        private static func red(of source: Int) -> UInt8 { UInt8(20 * source) }

        /// Waits until all requests wait, those for the same picture in the same size together.
        /// - Parameter count: Returns the number of waiters for a request's work.
        func waitForAll(_ count: (Pipeline, ResolvedRequest) -> Int) async throws {
            for request in requests.prefix(100) {
                let resolved = try await bench.manager.resolved(of: request)
                try await waitUntil("all ten requests wait for the same picture") {
                    count(bench.manager.pipeline, resolved) >= 10
                }
            }
        }

        /// Lets the sources respond, and checks that each request receives its own picture.
        /// - Parameter size: Returns the expected size for a size from 1 to 10.
        func finish(_ size: (Int) -> PixelSize) async throws {
            bench.gate.open()
            for (index, task) in tasks.enumerated() {
                let image = try await task.response.image
                #expect(image.size == size(index / 10 % 10 + 1))
                #expect(image.pixels.color(x: 0, y: 0).red == Double(Self.red(of: index % 10)) / 255)
            }
            #expect(bench.manager.statistics.loads == 1000)
            #expect(bench.loader.loadCount == 10)
            let stores = bench.data.stores
            #expect(stores.count == 110, "ten originals and a hundred variants")
            #expect(Set(stores).count == stores.count)
        }
    }

    @Test func `a thousand thumbnails take ten loads and a hundred decodes`() async throws {
        let crowd = Crowd { [.thumbnailPixelSize($0, $0)] }
        try await crowd.waitForAll { pipeline, resolved in
            pipeline.decodes.waiterCount(for: DecodeKey(resolved, after: pipeline.changes))
        }
        try await crowd.finish { Crowd.size.fitting(PixelSize($0, $0)) }
        #expect(crowd.bench.coder.decodeCount <= 100)
    }

    @Test func `a thousand resized pictures take ten loads, ten decodes and a hundred resizes`() async throws {
        let steps = (1...10).map { side in
            FakeTransformer(key: "square\(side)") { image in
                image.replacing(pixels: try image.pixels.resampled(to: PixelSize(side, side)))
            }
        }
        let crowd = Crowd { [.transformer(steps[$0 - 1])] }
        try await crowd.waitForAll { pipeline, resolved in
            let decode = DecodeKey(resolved, after: pipeline.changes)
            let key = TransformKey(decode: decode, steps: resolved.transformers.map(\.key))
            return pipeline.transforms.waiterCount(for: key)
        }
        try await crowd.finish { PixelSize($0, $0) }
        #expect(crowd.bench.coder.decodeCount == 10)
        #expect(steps.reduce(0) { $0 + $1.callCount } <= 100)
    }
}
