#if COLOR && PNG && JPEG
import CalotypeStandard
import CalotypeTesting
import Foundation
import Testing

/// Colors when several parties handle a picture: concurrent requests, caches, and previews.
@Suite(.timeLimit(.minutes(5)))
struct ColorSharingTests {
    // MARK: Concurrency

    @Test func `many concurrent decodes get the same colors as one`() async throws {
        let files = [
            try Fixture.data("cmyk.jpg"), try Fixture.png("color-chrm-p3"), try Fixture.data("icc.jpg", of: .jpeg),
            try Fixture.png("gray-icc"),
        ]
        var alone: [[Int]] = []
        let one = ImageManager(plugins: [.standard], context: [.off(.imageCache)])
        for file in files { alone.append(try await one.decode(file).pixels.samples) }
        let expected = alone
        // The manager has no cached profile yet, so that several requests convert one at the same time.
        let manager = ImageManager(
            plugins: [.standard], context: [.off(.imageCache)], concurrency: Concurrency(decodes: 8))
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for (file, samples) in zip(files, expected) {
                for _ in 0..<32 {
                    group.addTask { try await manager.decode(file).pixels.samples == samples }
                }
            }
            for try await isSame in group { #expect(isSame) }
        }
    }

    // MARK: Caches

    @Test func `colors are converted once, and never with keepsProfile, in thumbnails of any source`() async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "calotype-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        func manager() -> ImageManager {
            let cache = TieredCache(disk: DiskCache(at: directory.appending(path: "cache")))
            return ImageManager(plugins: [.standard], context: [.imageCache(cache), .waitStoreCache])
        }
        let profile = try Fixture.data("p3.icc", of: .color)
        let url = directory.appending(path: "picture.png")
        try await manager().encode(Image.ramps(in: profile), as: .png).write(to: url)

        let size = ContextSetting.thumbnailPixelSize(40, 30)
        let wishes: [(context: ImageContext, profile: ColorProfile)] = [
            ([size], .sRGB), ([size, .keepsProfile], .icc(profile)),
        ]
        var seen: [[Int]] = []
        var variants: Set<VariantKey> = []
        for wish in wishes {
            let request = ImageRequest(url, context: wish.context)
            let first = try await manager().response(for: request)
            let other = manager()
            let second = try await other.response(for: request)
            let third = try await other.response(for: request)
            #expect([second.source, third.source] == [.disk, .memory])
            for response in [first, second, third] {
                #expect(response.image.attributes.profile == wish.profile)
                #expect(response.image.pixels.samples == first.image.pixels.samples)
            }
            seen.append(first.image.pixels.samples)
            variants.insert(try await other.explain(request).variant)
        }
        #expect(SampleDistance(seen[0], seen[1]).mean > 2)
        #expect(variants.count == 2)
    }

    // MARK: Previews

    /// Returns the previews of a JPEG with three quarters of its last scan, and with all of it.
    private func shown(_ file: Data) async throws -> (preview: Image, whole: Image) {
        let scan = try #require(file.range(of: Data([0xFF, 0xDA]), options: .backwards)).upperBound
        let count = scan + (file.count - scan) * 3 / 4
        let rest = Gate()
        let loader = FakeImageLoader(
            answer: .pieces([
                (gate: Gate(isOpen: true), data: Data(file.prefix(count))),
                (gate: rest, data: Data(file.dropFirst(count))),
            ]))
        let manager = ImageManager(
            plugins: [.standard], context: [.off(.imageCache), .progressiveLoad, .previewInterval(.zero)])
        manager.registry.loaders.add(loader)
        var preview: Image?
        for try await event in manager.load("fake://host/picture.jpeg") {
            switch event {
            case .preview(let image, .partial):
                preview = preview ?? image
                rest.open()
            case .finished(let response): return (try #require(preview), response.image)
            default: break
            }
        }
        throw CancellationError()
    }

    @Test func `a preview of a progressive file has the colors of the picture`() async throws {
        let manager = ImageManager(plugins: [.standard], context: [.off(.imageCache)])
        let picture = try Image.ramps(in: Fixture.data("p3.icc", of: .color))
        let file = try await manager.encode(picture, as: .jpeg, context: [.jpegProgressive])
        let (preview, whole) = try await shown(file)
        let unconverted = try await manager.decode(file, context: [.keepsProfile])
        #expect(preview.attributes.profile == .sRGB)
        #expect(SampleDistance(preview.pixels.samples, whole.pixels.samples).mean < 1)
        #expect(SampleDistance(preview.pixels.samples, unconverted.pixels.samples).mean > 2)
    }

    @Test func `a CMYK preview has the colors of the picture, and missing rows are white`()
        async throws
    {
        let (preview, whole) = try await shown(Fixture.data("cmyk.jpg"))
        #expect(preview.attributes.profile == .sRGB)
        #expect(preview.pixels.isOpaque)
        let (seen, all) = (preview.pixels.samples, whole.pixels.samples)
        let rowCount = preview.width * 4
        #expect(seen.prefix(rowCount) == all.prefix(rowCount))
        #expect(seen.suffix(rowCount).allSatisfy { $0 == 255 })
        #expect(all.suffix(rowCount).contains { $0 < 200 })
    }
}
#endif
