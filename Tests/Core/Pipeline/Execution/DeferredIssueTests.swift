import CalotypeTesting
import Testing

@testable import Calotype

/// The issues of a file that has to wait for memory after a coder has failed to decode it.
@Suite(.timeLimit(.minutes(5)))
struct DeferredIssueTests {
    /// The memory of a picture with 16 columns and 16 rows.
    private static let unit = 16 * 16 * 4
    private static let file = RawImageCoder.file(width: 16, height: 16)

    /// A coder that recognizes pictures, and fails to decode them.
    private struct FailingCoder: ImageCoder {
        let coder = RawImageCoder()

        var formats: [ImageFormat] { coder.formats }

        func decoder(for bytes: ImageBytes, options: DecodeOptions) throws -> (any ImageDecoder)? {
            guard let decoder = try coder.decoder(for: bytes, options: options) else { return nil }
            return Decoder(decoder: decoder)
        }

        private struct Decoder: ImageDecoder {
            let decoder: any ImageDecoder

            var info: ImageInfo {
                get throws { try decoder.info }
            }

            func decode(frame: Int, into sink: inout some RowSink & ~Copyable, job: Job) throws {
                throw ImageError(.badData, stage: .decode, message: "is not for this coder")
            }
        }
    }

    /// The way in which the file is decoded.
    enum Way: Sendable, CaseIterable {
        case request
        case decode
    }

    @Test(arguments: Way.allCases)
    func `an issue is reported once, even if the decode restarts`(way: Way) async throws {
        let gate = BlockingGate()
        defer { gate.open() }
        let bench = Bench(concurrency: Concurrency(decodes: 2, decodeMemory: 2 * Self.unit))
        let failing = ThreadNotingCoder(DamagedProfileCoder(coder: FailingCoder()))
        let costly = ThreadNotingCoder(RawImageCoder(), workingByteCount: Self.unit)
        bench.manager.registry.coders.add(costly)
        bench.manager.registry.coders.add(failing)
        bench.loader.answer(Bench.url.absoluteString, with: .bytes(Self.file))
        // Given a picture that takes half of the memory
        let holder = Task {
            try await bench.manager.decode(Self.file, context: [.imageCoder(RawImageCoder(gate: gate))])
        }
        await gate.waitForArrivals(1)
        // When the first coder has failed, and the second one needs more memory than is available
        let task = Task { () async throws -> Image in
            switch way {
            case .request: return try await bench.manager.image(for: bench.request())
            case .decode: return try await bench.manager.decode(Self.file)
            }
        }
        try await waitUntil("the second coder waits for memory") {
            bench.manager.pipeline.lanes.decodingGate.waitingCount >= 1
        }
        #expect(failing.decodeThreads.count == 1)
        #expect(costly.decoderThreads.count == 1)
        #expect(costly.decodeThreads.isEmpty)
        gate.open()
        #expect(try await task.value.size == PixelSize(16, 16))
        _ = try await holder.value
        // Then both are called again, and the issue of the first one is reported once
        #expect(failing.decodeThreads.count == 2)
        #expect(costly.decodeThreads.count == 1)
        await bench.manager.waitForEvents()
        let issues = bench.listener.issues
        #expect(issues.map(\.message) == ["the embedded color profile is damaged; sRGB is used instead"])
        #expect(bench.manager.statistics.issues == [.badData: 1])
    }
}
