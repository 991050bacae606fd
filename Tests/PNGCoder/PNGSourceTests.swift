#if PNG
import CalotypeTesting
import Foundation
import Testing

@testable import Calotype
@testable import CalotypePNG

/// Files that are not in memory, and are read a window at a time.
@Suite(.timeLimit(.minutes(5)))
struct PNGSourceTests {
    /// A sink that stores all rows unmodified.
    private struct RowCollector: RowSink {
        var layout = PixelLayout(size: PixelSize(0, 0))
        var rows = Data()

        mutating func begin(_ layout: PixelLayout, channels: RowChannels) throws(ImageError) {
            guard layout.size.width * layout.size.height < 1 << 20 else {
                throw ImageError(.limitExceeded, stage: .decode, message: "is too large for a test")
            }
            self.layout = layout
        }

        mutating func row(_ y: Int, _ body: (inout MutableRawSpan) throws -> Void) throws {
            try lend(layout.rowByteCount, body)
        }

        mutating func whole(_ body: (_ rows: inout MutableRawSpan, _ bytesPerRow: Int) throws -> Void) throws {
            let rowByteCount = layout.rowByteCount
            try lend(rowByteCount * layout.size.height) { try body(&$0, rowByteCount) }
        }

        private mutating func lend(_ count: Int, _ body: (inout MutableRawSpan) throws -> Void) throws {
            var memory = [UInt8](repeating: 0, count: count)
            var span = memory.mutableSpan
            var bytes = span.mutableBytes
            try body(&bytes)
            rows.append(contentsOf: memory)
        }
    }

    /// The result of decoding a file.
    private enum Outcome: Equatable {
        case picture(ImageInfo, PixelLayout, Data)
        case failure(ImageError.Code, String)
        case unknown
    }

    private static let windows = [1, 7, 64]

    private func outcome(_ bytes: ImageBytes) -> Outcome {
        do {
            let options = DecodeOptions(ResolvedContext([.nativeDepth]))
            guard let decoder = try PNGCoder().decoder(for: bytes, options: options) else { return .unknown }
            var sink = RowCollector()
            try decoder.decode(frame: 0, into: &sink, job: Job())
            return .picture(try decoder.info, sink.layout, sink.rows)
        } catch {
            let error = ImageError.wrapping(error, as: .badData, stage: .decode, message: "\(error)")
            return .failure(error.code, error.message)
        }
    }

    private static func names() throws -> [String] {
        let directory = try #require(Bundle.module.url(forResource: "Fixtures", withExtension: nil))
        let files = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        return files.filter { $0.hasSuffix(".png") }.sorted()
    }

    @Test func `every file, good or bad, gives the same result as from memory`() throws {
        for name in try Self.names() {
            let data = try Fixture.data(name)
            let expected = outcome(ImageBytes(data))
            for window in Self.windows {
                let source = PieceSource(data)
                let isEqual = outcome(ImageBytes(source, pieceByteCount: window)) == expected
                #expect(isEqual, "\(name), windows of \(window)")
                // The signature is checked in the first 64 bytes.
                #expect(source.mostAtOnce <= 64)
            }
        }
    }

    @Test(arguments: [
        "size-3x3", "size-5x3-gray2-interlaced", "palette2-trns", "icc", "extra-chunks", "color-chrm-gama",
        "color-cicp-srgb-gama-chrm",
    ])
    func `a file that is cut off anywhere gives the same error as from memory`(_ name: String) throws {
        let data = try Fixture.png(name)
        for count in 0...data.count {
            let short = Data(data.prefix(count))
            let expected = outcome(ImageBytes(short))
            for window in Self.windows {
                let isEqual = outcome(ImageBytes(PieceSource(short), pieceByteCount: window)) == expected
                #expect(isEqual, "\(count) of \(data.count) bytes, windows of \(window)")
            }
        }
    }

    @Test func `a long file is read in pieces, from a source or as appended`() throws {
        // 3 MB of text, which is skipped, between the header and the pixels.
        var chunks = try PNGChunk.all(of: Fixture.png("rgba8"))
        chunks.insert(PNGChunk(type: "tEXt", body: Data(count: 3_000_000)), at: 1)
        let data = PNGChunk.file(chunks)
        let expected = outcome(ImageBytes(data))
        guard case .picture(_, _, let rows) = expected else {
            Issue.record("expected a picture")
            return
        }
        #expect(!rows.isEmpty)
        let source = PieceSource(data)
        let read = outcome(ImageBytes(source))
        #expect(read == expected)
        #expect(source.mostAtOnce == 256 << 10)

        let growing = ImageBytes()
        for start in stride(from: 0, to: data.count, by: 100_000) {
            try growing.append(data[start..<min(data.count, start + 100_000)])
        }
        let appended = outcome(growing)
        #expect(appended == expected)
    }

    @Test func `unreadable bytes end the picture with an error`() throws {
        let data = try Fixture.png("rgba8")
        for count in stride(from: 64, to: data.count - 20, by: 7) {
            let bytes = ImageBytes(PieceSource(data, readable: count), pieceByteCount: 7)
            guard case .failure(let code, let message) = outcome(bytes) else {
                Issue.record("expected an error for \(count) of \(data.count) bytes")
                continue
            }
            #expect(code == .badData)
            #expect(message.hasPrefix("is truncated"))
            #expect(bytes.failure?.message == "is out of reach")
        }
    }

    @Test func `an unreadable file is an error of the request`() async throws {
        struct Loader: ImageLoader {
            let source: PieceSource
            func canLoad(_ request: LoadRequest) -> Bool { true }
            @concurrent func load(_ request: LoadRequest, into sink: any ByteSink) async throws -> LoadOutcome {
                try await sink.take(source)
                return .complete
            }
        }
        let data = try Fixture.png("rgba8")
        let context: ImageContext = [.off(.imageCache), .thumbnailPixelSize(7, 7)]
        let manager = ImageManager(plugins: [.png], context: context)
        let token = manager.registry.loaders.add(Loader(source: PieceSource(data, readable: data.count / 2)))
        let error = await #expect(throws: ImageError.self) { try await manager.image(for: "fake://host/picture.png") }
        #expect(error?.code == .loadFailed)
        #expect(error?.message == "is out of reach")
        manager.registry.loaders.remove(token)

        manager.registry.loaders.add(Loader(source: PieceSource(data)))
        let image = try await manager.image(for: "fake://host/picture.png")
        let expected = try await manager.decode(data)
        #expect(image.pixels.samples == expected.pixels.samples)
    }
}
#endif
