#if HTTP
import Calotype
import CalotypeTesting
import Testing

@testable import CalotypeHTTP

/// A policy prevents connections to the addresses that it refuses, on every path to them.
@Suite(.timeLimit(.minutes(5)))
struct AddressPolicyTests {
    private let server: ScriptedServer
    private let loader = CurlImageLoader()
    private let picture = RawImageCoder.file(width: 4, height: 3)

    private static let publicOnly: ImageContext = [.addressPolicy(.publicOnly)]

    init() throws {
        server = try ScriptedServer()
        server.answer("/picture.raw", with: .bytes(picture))
    }

    private var url: URL { server.url("/picture.raw") }

    /// Returns a context that allows public addresses, and this server of the test.
    private func strict(except server: ScriptedServer) -> ImageContext {
        let (own, ownPort) = (IPAddress("127.0.0.1"), server.port)
        let policy = AddressPolicy(name: "publicOnly, and port \(ownPort)") { address, port in
            address.isPublic || address == own && port == ownPort
        }
        return [.addressPolicy(policy)]
    }

    /// Returns a loader with fixed addresses of some hosts, in the format of `CURLOPT_RESOLVE`.
    private func makeLoader(knowing hostAddresses: String...) -> CurlImageLoader {
        var configuration = CurlImageLoader.Configuration()
        configuration.hostAddresses = hostAddresses
        return CurlImageLoader(configuration)
    }

    private func makeURL(_ text: String) throws -> URL { try #require(URL(string: text), "\(text)") }

    // MARK: Connections

    @Test(arguments: [AddressPolicyTests.publicOnly, .server] as [ImageContext])
    func `loopback addresses are refused`(context: ImageContext) async throws {
        let error = try #require(await imageError { try await loader.fetch(url, context) })
        #expect(error.code == .addressRefused)
        #expect(error.message.contains("127.0.0.1:\(server.port)"), "the error has the host of the URL: \(error)")
        #expect(error.advice?.contains("addressPolicy") == true)
        #expect(!error.isTransient)
        #expect(server.connectionCount == 0)
        #expect(try await loader.fetch(url).data == picture)
    }

    @Test func `a connection opened for another request is not reused against the policy`() async throws {
        #expect(try await loader.fetch(url).data == picture)
        #expect(await imageError { try await loader.fetch(url, Self.publicOnly) }?.code == .addressRefused)
        #expect(server.requestCount == 1)
        #expect(server.connectionCount == 1)
        #expect(try await loader.fetch(url).data == picture, "other requests are still served")
    }

    @Test func `an image loaded for one request is not returned to a stricter one`() async throws {
        let bench = try HTTPBench()
        #expect(await bench.failure(of: url) == nil)
        #expect(await bench.failure(of: url, Self.publicOnly)?.code == .addressRefused)
        #expect(await bench.failure(of: url) == nil)
        #expect(server.requestCount == 1, "the first request is still answered from the cache")
    }

    @Test func `the watched port sees each connection`() async throws {
        let port = try WatchedPort()
        for host in ["127.0.0.1", "localhost", "example.localhost"] + (port.hasIPv6 ? ["[::1]"] : []) {
            let url = try makeURL("http://\(host):\(port.port)/")
            let task = Task { try await loader.fetch(url) }
            try await port.waitForConnection()
            #expect(port.takeConnections() > 0, "\(host)")
            task.cancel()
            _ = await task.result
        }
    }

    // MARK: Names

    @Test func `a host name is refused like its address, and the error does not reveal it`() async throws {
        let host = "inner.example.com"
        let loader = makeLoader(knowing: "\(host):\(server.port):127.0.0.1")
        let url = try makeURL("http://\(host):\(server.port)/picture.raw")
        let error = try #require(await imageError { try await loader.fetch(url, Self.publicOnly) })
        #expect(error.code == .addressRefused)
        #expect(error.message.contains(host))
        #expect(!error.description.contains("127."), "\(error)")
        #expect(server.connectionCount == 0)
        #expect(try await loader.fetch(url).data == picture)
    }

    @Test func `if one of several addresses is refused, none before it is tried`() async throws {
        let loader = makeLoader(knowing: "many.example.com:\(server.port):192.0.2.1,10.0.0.1,::1,127.0.0.1")
        let url = try makeURL("http://many.example.com:\(server.port)/picture.raw")
        #expect(await imageError { try await loader.fetch(url, Self.publicOnly) }?.code == .addressRefused)
        #expect(server.connectionCount == 0)
        // The last address is allowed here; the refused ones are skipped.
        #expect(try await loader.fetch(url, strict(except: server)).data == picture)
    }

    @Test func `an allowed address that does not answer is a connection failure, not a refusal`() async throws {
        let gone = try ScriptedServer()
        let context = strict(except: gone)
        let loader = makeLoader(knowing: "half.example.com:\(gone.port):10.0.0.1,127.0.0.1")
        gone.stop()
        let url = try makeURL("http://half.example.com:\(gone.port)/picture.raw")
        let error = await imageError { try await loader.fetch(url, context) }
        #expect(error?.code == .connectionFailed)
        #expect(error?.isTransient == true)
    }

    @Test func `a host name that resolves to another address for a second request is refused`() async throws {
        let other = try ScriptedServer()
        other.answer("/picture.raw", with: .bytes(picture))
        let host = "rebound.example.com"
        let loader = makeLoader(knowing: "\(host):\(server.port):127.0.0.1", "\(host):\(other.port):127.0.0.1")
        server.answer("/away", with: .redirect(to: "http://\(host):\(other.port)/picture.raw"))
        let url = try makeURL("http://\(host):\(server.port)/away")
        #expect(await imageError { try await loader.fetch(url, strict(except: server)) }?.code == .addressRefused)
        #expect(server.requestCount == 1)
        #expect(other.connectionCount == 0)
    }

    // MARK: Redirects

    @Test func `a redirect to a refused address is not followed, even over an existing connection`() async throws {
        let other = try ScriptedServer()
        other.answer("/picture.raw", with: .bytes(picture))
        server.answer("/away", with: .redirect(to: other.url("/picture.raw").absoluteString))
        let context = strict(except: server)
        let error = await imageError { try await loader.fetch(server.url("/away"), context) }
        #expect(error?.code == .addressRefused)
        #expect(error?.message.contains("127.0.0.1:\(other.port)") == true)
        #expect(other.connectionCount == 0)
        #expect(try await loader.fetch(server.url("/away")).data == picture)
        #expect(await imageError { try await loader.fetch(server.url("/away"), context) }?.code == .addressRefused)
        #expect(other.requestCount == 1)
    }

    @Test(arguments: [
        "http://127\u{3002}0\u{3002}0\u{3002}1/", "http://m\u{FC}ller.example/", "http://%E3%80%82/",
        "http://\u{FF4C}ocalhost/",
    ])
    func `a redirect to an ambiguous host is refused`(location: String) async throws {
        server.answer("/away", with: .redirect(to: location))
        let error = await imageError { try await loader.fetch(server.url("/away")) }
        #expect(error?.code == .redirectRefused)
        #expect(server.requestCount == 1)
    }

    // MARK: A thousand URLs

    /// The loaders for a URL. For names, all of them resolve to this machine, so that no resolver is queried.
    private struct Loaders {
        let plain = CurlImageLoader()
        let naming: CurlImageLoader

        init(port: Int) {
            var configuration = CurlImageLoader.Configuration()
            configuration.hostAddresses = [port, 80, 443].map { "*:\($0):127.0.0.1" }
            naming = CurlImageLoader(configuration)
        }

        func loader(for text: String) throws -> CurlImageLoader {
            let parser = try CurlURL()
            guard parser.read(text) == nil, let host = parser.host?.lowercased() else { return plain }
            return IPAddress(host) != nil || host == "localhost" || host.hasSuffix(".localhost") ? plain : naming
        }
    }

    @Test func `no deceptive URL leads to a private address`() async throws {
        let port = try WatchedPort()
        let loaders = Loaders(port: port.port)
        let urls = HostileURLs.all(port: port.port)
        #expect(urls.count >= 1000)
        var codes: [ImageError.Code: Int] = [:]
        for text in urls {
            // Foundation rejects the URL, so there is no request.
            guard let url = URL(string: text) else { continue }
            let loader = try loaders.loader(for: text)
            let error = await imageError { try await loader.fetch(url, Self.publicOnly) }
            let code = try #require(error?.code, "expected \(text) to be refused")
            #expect(code == .addressRefused || code == .invalidURL, "\(text): \(error?.description ?? "")")
            codes[code, default: 0] += 1
        }
        #expect(port.takeConnections() == 0)
        #expect(codes.values.allSatisfy { $0 >= 100 } && codes.count == 2, "both kinds of refusals occur: \(codes)")
    }

    @Test func `no redirect to a deceptive URL leads to a private address`() async throws {
        let port = try WatchedPort()
        let loaders = Loaders(port: port.port)
        let urls = HostileURLs.all(port: port.port)
        server.answerOthers { request in
            guard request.path.hasPrefix("/hop/"), let index = Int(request.path.dropFirst("/hop/".count)),
                urls.indices.contains(index)
            else { return .status(404) }
            return .redirect(to: urls[index])
        }
        let context = strict(except: server)
        var refusals = 0
        for (index, text) in urls.enumerated() {
            let error = await imageError {
                try await loaders.loader(for: text).fetch(server.url("/hop/\(index)"), context)
            }
            let code = try #require(error?.code, "expected \(text) to be refused")
            // A relative location leads back to the server, which has no such resource.
            let known: Set<ImageError.Code> = [.addressRefused, .redirectRefused, .invalidURL, .notFound]
            #expect(known.contains(code), "\(text): \(error?.description ?? "")")
            if code == .addressRefused { refusals += 1 }
        }
        #expect(port.takeConnections() == 0)
        #expect(refusals >= 800, "most refusals are for the address: \(refusals)")
    }
}
#endif
