#if PNG && HTTP
import CalotypeTesting
import Foundation
import OpenSSLKit
import Testing

@Suite(.timeLimit(.minutes(5)))
struct CertificateTests {
    private let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    @Test func `the error for unreadable authorities names the environment variable`() async throws {
        // The server does not support TLS, which is irrelevant: the certificates are read before anything is sent.
        let server = try ScriptedServer()
        let outcome = try await sandbox.run(
            ["load", "https://127.0.0.1:\(server.port)/a.png"],
            environment: ["SSL_CERT_FILE": sandbox.path("missing.pem")])
        #expect(outcome.status == 1)
        #expect(outcome.errors.count == 1)
        #expect(outcome.errors.first?.contains("cannot be read") == true, "\(outcome.errors)")
        #expect(outcome.errors.first?.contains("SSL_CERT_FILE") == true)
    }

    @Test(.enabled(if: OpenSSL.isInstalled, "there is no OpenSSL to make certificates with"))
    func `a private authority from the environment is trusted, and the error says so`() async throws {
        try writeAnswer(as: "a.png")
        let authority = try await OpenSSL.makeCertificate("own", for: "IP:127.0.0.1", in: sandbox.directory)
        let server = try await OpenSSL.serve(sandbox.directory, certificate: "own")
        defer { withExtendedLifetime(server) {} }
        let url = "https://127.0.0.1:\(server.port)/a.png"
        let refused = try await sandbox.run("load", url)
        #expect(refused.status == 1)
        #expect(refused.errors.first?.contains("SSL_CERT_FILE") == true, "\(refused.errors)")
        let loaded = try await sandbox.run(
            ["load", url], environment: ["SSL_CERT_FILE": authority.path(percentEncoded: false)])
        #expect(loaded.errors.isEmpty)
        #expect(loaded.status == 0)
    }

    @Test(.enabled(if: OpenSSL.isInstalled, "there is no OpenSSL to make certificates with"))
    func `a private authority from a setting is trusted, and the error says so`() async throws {
        let authority = try await OpenSSL.makeCertificate("own", for: "IP:127.0.0.1", in: sandbox.directory)
        try writeAnswer(as: "a.png")
        let server = try await OpenSSL.serve(sandbox.directory, certificate: "own")
        defer { withExtendedLifetime(server) {} }
        let url = "https://127.0.0.1:\(server.port)/a.png"
        let refused = try await sandbox.run("load", url)
        #expect(refused.status == 1)
        #expect(refused.errors.first?.contains("certificateAuthorities") == true, "\(refused.errors)")
        let setting = "certificateAuthorities=\(authority.path(percentEncoded: false))"
        let loaded = try await sandbox.run("load", url, "--set", setting)
        #expect(loaded.errors.isEmpty)
        #expect(loaded.status == 0)
        let missing = sandbox.path("missing.pem")
        let failed = try await sandbox.run("load", url, "--set", "certificateAuthorities=\(missing)")
        #expect(failed.status == 1)
        #expect(failed.errors.count == 1, "\(failed.errors)")
        #expect(failed.errors.first?.contains("cannot be read from '\(missing)'") == true, "\(failed.errors)")
    }

    /// Writes a picture into the working directory, as a complete HTTP response.
    private func writeAnswer(as name: String) throws {
        let picture = try Sandbox.fixture("rgb8")
        let head = "HTTP/1.1 200 OK\r\nContent-Length: \(picture.count)\r\nConnection: close\r\n\r\n"
        try sandbox.write(Data(head.utf8) + picture, as: name)
    }
}
#endif
