#if HTTP
import Calotype
import CalotypeHTTP
import CalotypeTesting
import Foundation
import Testing

/// The URL of the server; nil if there is none.
private let nginxAddress = ProcessInfo.processInfo.environment["CALOTYPE_NGINX"].flatMap { URL(string: $0) }

/// Loads from a real server, which supports HTTP/2 over TLS.
@Suite(.timeLimit(.minutes(5)), .enabled(if: nginxAddress != nil, "Scripts/test-nginx runs them"))
struct NginxTests {
    private let base: URL
    private let configuration: CurlImageLoader.Configuration

    init() throws {
        base = try #require(nginxAddress)
        let authorities = try #require(ProcessInfo.processInfo.environment["CALOTYPE_NGINX_CA"])
        var configuration = CurlImageLoader.Configuration()
        configuration.certificateAuthorities = URL(filePath: authorities)
        self.configuration = configuration
    }

    /// Returns the targets of all requests that the server has answered, as sent.
    private func answeredTargets() throws -> [Substring] {
        let path = try #require(ProcessInfo.processInfo.environment["CALOTYPE_NGINX_LOG"])
        return try String(contentsOf: URL(filePath: path), encoding: .utf8).split(separator: "\n")
    }

    private func url(_ target: String) throws -> URL {
        try #require(URL(string: "\(base.absoluteString)/\(target)"))
    }

    /// The URL of bytes that are not a picture.
    private var random: URL { base.appending(path: "random.bin") }

    @Test func `fifty concurrent pictures share connections`() async throws {
        var configuration = configuration
        configuration.maxConcurrentLoads = 50
        configuration.maxConcurrentLoadsPerHost = 50
        let manager = ImageManager(plugins: [.http(configuration)], context: [.off(.imageCache)])
        manager.registry.coders.add(RawImageCoder())
        // The first response reveals whether the server supports multiplexing.
        let first = try await manager.response(for: base.appending(path: "1.raw"))
        var transfers = first.metrics.steps.compactMap(\.transfer)
        let tasks = (1...50).map { width in manager.load(base.appending(path: "\(width).raw")) }
        for (index, task) in tasks.enumerated() {
            let response = try await task.response
            #expect(response.image.size == PixelSize(index + 1, 30))
            transfers += response.metrics.steps.compactMap(\.transfer)
        }
        #expect(transfers.count == 51)
        #expect(transfers.allSatisfy { $0.protocolName == "h2" })
        #expect(transfers.count { !$0.isConnectionReused } <= 2)
        for transfer in transfers where !transfer.isConnectionReused {
            #expect(transfer.connected > .zero)
            #expect(transfer.secured >= transfer.connected)
            #expect(transfer.firstByte >= transfer.secured)
        }
    }

    @Test func `an unchanged picture is not sent again`() async throws {
        let loader = CurlImageLoader(configuration)
        let whole = try await loader.fetch(random)
        let validators = try #require(whole.head?.validators)
        #expect(validators.entityTag != nil)
        #expect(validators.lastModified != nil)
        let parts = [
            validators, Validators(entityTag: validators.entityTag), Validators(lastModified: validators.lastModified),
        ]
        for validators in parts {
            let again = try await loader.fetch(random, validators: validators)
            #expect(again.isNotModified)
            #expect(again.head?.caching != nil)
            #expect(again.metrics.receivedByteCount == 0)
        }
        let changed = try await loader.fetch(random, validators: Validators(entityTag: "\"another\""))
        #expect(changed.isComplete)
        #expect(changed.data == whole.data)
    }

    @Test func `a transfer resumes where it was interrupted`() async throws {
        let loader = CurlImageLoader(configuration)
        let whole = try await loader.fetch(random)
        #expect(whole.head?.expectedByteCount == whole.data.count)
        let offset = 1_234_567
        let rest = try await loader.fetch(random, validators: whole.head?.validators, resumeOffset: offset)
        #expect(rest.head?.offset == offset)
        #expect(rest.head?.expectedByteCount == whole.data.count)
        #expect(rest.data == whole.data.dropFirst(offset))
        let other = Validators(entityTag: "\"another\"")
        let changed = try await loader.fetch(random, validators: other, resumeOffset: offset)
        #expect(changed.head?.offset == 0)
        #expect(changed.data == whole.data)
    }

    @Test func `cancelling a load does not affect others on its connection`() async throws {
        let loader = CurlImageLoader(configuration)
        let whole = try await loader.fetch(random)
        let gate = Gate()
        let stopped = Task { [loader, random] in
            try await loader.load(LoadRequest(url: random), into: CollectingSink(gate: gate))
        }
        await gate.waitForArrivals(1)
        async let other = loader.fetch(random)
        stopped.cancel()
        await #expect(throws: CancellationError.self) { try await stopped.value }
        let loaded = try await other
        #expect(loaded.data == whole.data)
        #expect(loaded.metrics.isConnectionReused)
    }

    @Test func `a stricter address policy holds for each request on a connection that others opened`() async throws {
        let loader = CurlImageLoader(configuration)
        _ = try await loader.fetch(random)
        // Given a connection in use, whose address only some policies allow
        let gate = Gate()
        let request = LoadRequest(url: random, context: ResolvedContext(.patient))
        let slow = Task { try await loader.load(request, into: CollectingSink(gate: gate)) }
        await gate.waitForArrivals(1)
        let run = UUID().uuidString
        let lax = try await loader.fetch(try url("1.raw?lax-\(run)"))
        #expect(lax.metrics.protocolName == "h2")
        #expect(lax.metrics.isConnectionReused)
        // Then it serves requests with those policies, and no others
        let allowing = AddressPolicy(name: "own machine") { _, _ in true }
        let allowed = try await loader.fetch(try url("1.raw?allowed-\(run)"), [.addressPolicy(allowing)])
        #expect(allowed.metrics.isConnectionReused)
        let refused = try url("1.raw?refused-\(run)")
        for _ in 0..<3 {
            let error = await imageError { try await loader.fetch(refused, [.addressPolicy(.publicOnly)]) }
            #expect(error?.code == .addressRefused)
        }
        // And remains usable for those, whose later request the server has received
        let last = try await loader.fetch(try url("1.raw?last-\(run)"))
        #expect(last.metrics.isConnectionReused)
        try await waitUntil("the server has answered the last request") {
            try answeredTargets().contains { $0.hasSuffix("last-\(run)") }
        }
        let targets = Set(try answeredTargets().filter { $0.hasSuffix(run) })
        #expect(targets == ["/1.raw?lax-\(run)", "/1.raw?allowed-\(run)", "/1.raw?last-\(run)"])
        slow.cancel()
        await #expect(throws: CancellationError.self) { try await slow.value }
    }

    @Test func `a connection is not used by a request that trusts other authorities`() async throws {
        let loader = CurlImageLoader(configuration)
        let directory = try TemporaryDirectory()
        let authorities = try #require(configuration.certificateAuthorities)
        let copy = try directory.write(try Data(contentsOf: authorities), "copy.pem")
        func trusting(_ file: URL) -> ImageContext {
            [.certificateAuthorities(CertificateAuthorities(path: file.path(percentEncoded: false)))]
        }
        _ = try await loader.fetch(random)
        #expect(try await loader.fetch(random).metrics.isConnectionReused)
        let missing = directory.url.appending(path: "missing.pem")
        let error = await imageError { try await loader.fetch(random, trusting(missing)) }
        #expect(error?.code == .untrustedConnection)
        let first = try await loader.fetch(random, trusting(copy))
        #expect(!first.metrics.isConnectionReused)
        #expect(try await loader.fetch(random, trusting(copy)).metrics.isConnectionReused)
        #expect(try await loader.fetch(random).metrics.isConnectionReused)
    }

    @Test func `a slow reader of a busy connection gets everything`() async throws {
        let loader = CurlImageLoader(configuration)
        _ = try await loader.fetch(random)
        let gate = Gate()
        let sink = CollectingSink(gate: gate)
        let request = LoadRequest(url: base.appending(path: "large.bin"), context: ResolvedContext(.patient))
        let slow = Task { try await loader.load(request, into: sink) }
        await gate.waitForArrivals(1)
        // More than libcurl can buffer for one transfer without an error, if it read for that one together with these.
        let others = (0..<4).map { _ in
            Task { [random] () async throws in
                for _ in 0..<20 { #expect(try await loader.fetch(random).data.count == 3_000_000) }
            }
        }
        for arrival in 2...8 {
            gate.open()
            gate.close()
            await gate.waitForArrivals(arrival)
        }
        gate.open()
        _ = try await slow.value
        #expect(sink.data.count == 100 << 20)
        for other in others { try await other.value }
    }
}
#endif
