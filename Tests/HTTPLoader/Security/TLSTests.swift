#if HTTP
import Calotype
import CalotypeHTTP
import CalotypeTesting
import OpenSSLKit
import Testing

@Suite(.timeLimit(.minutes(5)), .enabled(if: OpenSSL.isInstalled, "there is no OpenSSL to make certificates with"))
struct TLSTests {
    private let directory: TemporaryDirectory
    private let picture = RawImageCoder.file(width: 40, height: 30)

    init() throws {
        directory = try TemporaryDirectory()
        try write(picture, "picture.raw")
    }

    /// Writes a complete HTTP response into the directory.
    private func write(_ body: Data, _ name: String, head: String = "200 OK\r\nETag: \"1\"") throws {
        let head = "HTTP/1.1 \(head)\r\nContent-Length: \(body.count)\r\nConnection: close\r\n\r\n"
        try directory.write(Data(head.utf8) + body, name)
    }

    private func loader(trusting authorities: URL?) -> CurlImageLoader {
        var configuration = CurlImageLoader.Configuration()
        configuration.certificateAuthorities = authorities
        return CurlImageLoader(configuration)
    }

    private let untrusted = ImageError.Code.untrustedConnection

    private func trusting(_ file: URL) -> ContextSetting {
        .certificateAuthorities(CertificateAuthorities(path: file.path(percentEncoded: false)))
    }

    private func url(_ server: OpenSSLServer, host: String = "127.0.0.1", _ name: String = "picture.raw") -> URL {
        URL(string: "https://\(host):\(server.port)/\(name)")!
    }

    @Test func `a certificate of an unknown authority is refused, and nothing is stored`() async throws {
        try await OpenSSL.makeCertificate("own", for: "IP:127.0.0.1", in: directory.path)
        let server = try await OpenSSL.serve(directory.path, certificate: "own")
        let bench = try HTTPBench()
        let url = url(server)
        let error = try #require(await bench.failure(of: url))
        #expect(error.code == .untrustedConnection)
        #expect(error.message.contains("127.0.0.1:\(server.port)"))
        #expect(error.description.contains("certificate"), "the error has the cause")
        #expect(error.advice?.contains("certificateAuthorities") == true)
        #expect(error.advice?.contains("SSL_CERT_FILE") == true)
        bench.expectNothingKept()
        // A second load has the same result: the failure does not block the loader.
        #expect(await bench.failure(of: url)?.code == .untrustedConnection)
    }

    @Test func `a picture is loaded with the configured authority`() async throws {
        let authority = try await OpenSSL.makeCertificate(
            "own", for: "IP:127.0.0.1", "DNS:localhost", in: directory.path)
        let server = try await OpenSSL.serve(directory.path, certificate: "own")
        let loader = loader(trusting: authority)
        for host in ["127.0.0.1", "localhost"] {
            let loaded = try await loader.fetch(url(server, host: host))
            #expect(loaded.isComplete)
            #expect(loaded.data == picture)
            #expect(loaded.head?.validators?.entityTag == "\"1\"")
            #expect(loaded.metrics.secured >= loaded.metrics.connected)
            #expect(loaded.metrics.connected > .zero)
            #expect(loaded.metrics.remoteAddress == "127.0.0.1")
        }
    }

    @Test func `a certificate for another host is refused`() async throws {
        let authority = try await OpenSSL.makeCertificate("own", for: "IP:127.0.0.1", in: directory.path)
        let server = try await OpenSSL.serve(directory.path, certificate: "own")
        let loader = loader(trusting: authority)
        let error = await imageError { try await loader.fetch(url(server, host: "localhost")) }
        #expect(error?.code == .untrustedConnection)
        #expect(error?.message.contains("localhost:\(server.port)") == true)
        #expect(error?.description.contains("name") == true, "the error has the cause: \(String(describing: error))")
    }

    @Test func `other authorities are not accepted, whatever the system trusts`() async throws {
        try await OpenSSL.makeCertificate("own", for: "IP:127.0.0.1", in: directory.path)
        let other = try await OpenSSL.makeCertificate("other", for: "IP:127.0.0.1", in: directory.path)
        let server = try await OpenSSL.serve(directory.path, certificate: "own")
        let error = await imageError { try await loader(trusting: other).fetch(url(server)) }
        #expect(error?.code == .untrustedConnection)
    }

    @Test(arguments: ["missing.pem", "picture.raw"])
    func `an unreadable authorities file trusts no server, and the error says so`(name: String) async throws {
        try await OpenSSL.makeCertificate("own", for: "IP:127.0.0.1", in: directory.path)
        let server = try await OpenSSL.serve(directory.path, certificate: "own")
        let loader = loader(trusting: directory.url.appending(path: name))
        let error = await imageError { try await loader.fetch(url(server)) }
        #expect(error?.code == .untrustedConnection)
        #expect(error?.advice?.contains("certificateAuthorities") == true)
    }

    @Test func `a request's own authorities override those of the loader, only for itself`() async throws {
        let authority = try await OpenSSL.makeCertificate("own", for: "IP:127.0.0.1", in: directory.path)
        let other = try await OpenSSL.makeCertificate("other", for: "IP:127.0.0.1", in: directory.path)
        let server = try await OpenSSL.serve(directory.path, certificate: "own")
        let url = url(server)
        for (loader, isTrusting) in [(loader(trusting: other), false), (loader(trusting: authority), true)] {
            // Repeated, so that an effect of one request on the next would show.
            for _ in 0..<2 {
                #expect(try await loader.fetch(url, [trusting(authority)]).data == picture)
                #expect(await imageError { try await loader.fetch(url, [trusting(other)]) }?.code == untrusted)
                let expected: ImageError.Code? = isTrusting ? nil : untrusted
                #expect(await imageError { try await loader.fetch(url) }?.code == expected)
            }
        }
    }

    @Test func `authorities removed from a file are not trusted by later connections`() async throws {
        let authority = try await OpenSSL.makeCertificate("own", for: "IP:127.0.0.1", in: directory.path)
        let other = try await OpenSSL.makeCertificate("other", for: "IP:127.0.0.1", in: directory.path)
        let server = try await OpenSSL.serve(directory.path, certificate: "own")
        let url = url(server)
        let file = directory.url.appending(path: "trusted.pem")
        let loader = CurlImageLoader()
        for (certificate, code) in [(authority, nil), (other, untrusted), (authority, nil)] {
            try Data(contentsOf: certificate).write(to: file)
            #expect(await imageError { try await loader.fetch(url, [trusting(file)]) }?.code == code)
        }
        let nobody = ContextSetting.certificateAuthorities(CertificateAuthorities(path: ""))
        #expect(await imageError { try await loader.fetch(url, [nobody]) }?.code == untrusted)
    }

    @Test func `a redirect is followed under the authorities of the request`() async throws {
        let authority = try await OpenSSL.makeCertificate("own", for: "IP:127.0.0.1", in: directory.path)
        let server = try await OpenSSL.serve(directory.path, certificate: "own")
        let target = try await OpenSSL.serve(directory.path, certificate: "own")
        try write(Data(), "away", head: "302 Found\r\nLocation: \(url(target))")
        let loaded = try await CurlImageLoader().fetch(url(server, "away"), [trusting(authority)])
        #expect(loaded.data == picture)
        #expect(loaded.metrics.redirectCount == 1)
    }

    @Test func `an image loaded under other authorities is not returned`() async throws {
        let authority = try await OpenSSL.makeCertificate("own", for: "IP:127.0.0.1", in: directory.path)
        let server = try await OpenSSL.serve(directory.path, certificate: "own")
        let bench = try HTTPBench()
        let url = url(server)
        #expect(await bench.failure(of: url, [trusting(authority)]) == nil)
        #expect(await bench.failure(of: url)?.code == untrusted)
    }

    @Test func `the error names a request's unreadable authorities file`() async throws {
        try await OpenSSL.makeCertificate("own", for: "IP:127.0.0.1", in: directory.path)
        let server = try await OpenSSL.serve(directory.path, certificate: "own")
        let missing = directory.url.appending(path: "missing.pem")
        let error = await imageError { try await CurlImageLoader().fetch(url(server), [trusting(missing)]) }
        #expect(error?.code == untrusted)
        #expect(error?.message.contains("missing.pem") == true, "\(String(describing: error))")
        #expect(error?.advice?.contains("`certificateAuthorities`") == true)
    }

    @Test func `a redirect from https to http is refused`() async throws {
        let authority = try await OpenSSL.makeCertificate("own", for: "IP:127.0.0.1", in: directory.path)
        let server = try await OpenSSL.serve(directory.path, certificate: "own")
        let plain = try ScriptedServer()
        try write(Data(), "away", head: "302 Found\r\nLocation: \(plain.url("/picture.raw"))?token=s3cr3t")
        try write(Data(), "back", head: "302 Found\r\nLocation: /picture.raw")
        let loader = loader(trusting: authority)
        let error = await imageError { try await loader.fetch(url(server, "away")) }
        #expect(error?.code == .redirectRefused)
        #expect(error?.description.contains("s3cr3t") == false)
        #expect(plain.connectionCount == 0)
        let loaded = try await loader.fetch(url(server, "back"))
        #expect(loaded.data == picture)
        #expect(loaded.metrics.redirectCount == 1)
    }

    @Test func `loaders with different authorities have different identities`() {
        let identities = [nil, "/a.pem", "/b.pem"].map { path in
            loader(trusting: path.map { URL(filePath: $0) }).identity
        }
        #expect(Set(identities).count == 3)
    }

    @Test func `the authorities of a registered loader are part of cache keys`() async throws {
        let request = ImageRequest(try #require(URL(string: "https://host/a.png")))
        var policies: [String] = []
        for path in [nil, "/a.pem", "/b.pem"] {
            let manager = ImageManager(context: [.off(.imageCache)])
            manager.registry.loaders.add(loader(trusting: path.map { URL(filePath: $0) }))
            policies.append(try await manager.cacheKey(for: request).policy)
        }
        #expect(policies[0].isEmpty)
        #expect(Set(policies).count == 3)
    }
}
#endif
