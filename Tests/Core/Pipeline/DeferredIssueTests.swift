import CalotypeTesting
import Testing

@testable import Calotype

/// What is told of a file that has to wait for memory when a coder has already failed with it.
@Suite(.timeLimit(.minutes(5)))
struct DeferredIssueTests {
    /// What a picture of 16 columns and 16 rows takes.
    private static let unit = 16 * 16 * 4
    private static let file = RawImageCoder.file(width: 16, height: 16)

    /// Knows pictures, and decodes none.
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

    /// Who wants the file decoded.
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
        // When the first coder has failed with a file, and the second one takes more than there is left
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
        // Then both have been asked again, and what the first one found is told once
        #expect(failing.decodeThreads.count == 2)
        #expect(costly.decodeThreads.count == 1)
        await bench.manager.waitForEvents()
        let issues = bench.listener.issues
        #expect(issues.map(\.message) == ["the embedded color profile is damaged, sRGB is taken instead"])
        #expect(bench.manager.statistics.issues == [.badData: 1])
    }
}
