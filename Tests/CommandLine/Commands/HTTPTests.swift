#if PNG && HTTP
import CalotypeTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5)))
struct HTTPTests {
    private let sandbox: Sandbox
    private let server: ScriptedServer

    init() throws {
        sandbox = try Sandbox()
        server = try ScriptedServer()
    }

    /// Serves a picture of the PNG coder's tests.
    private func serve(_ fixture: String, at path: String) throws {
        server.answer(path, with: .bytes(try Sandbox.fixture(fixture), contentType: "image/png"))
    }

    @Test func `a thumbnail is written, and found on disk by the next process`() async throws {
        try serve("rgb8", at: "/photos/a.png")
        let url = server.url("/photos/a.png").absoluteString
        for origin in ["loader", "disk"] {
            let outcome = try await sandbox.run("load", "--json", "--thumbnail", "16x16", url, "-o", "thumb.png")
            #expect(outcome.status == 0)
            #expect(outcome.errors.isEmpty)
            #expect(try outcome.objects(LoadRecord.self).map(\.from) == [origin])
        }
        let info = try #require(try await sandbox.info("thumb.png"))
        #expect([info.width, info.height] as [Int] == [16, 9] as [Int])
        #expect(server.requestCount == 1)
    }

    @Test func `a missing file of three fails, and the others are loaded`() async throws {
        try serve("rgb8", at: "/a.png")
        try serve("rgba8", at: "/b.png")
        let names = ["/a.png", "/missing.png", "/b.png"]
        let urls = names.map { server.url($0).absoluteString }
        let outcome = try await sandbox.run(["load", "--json", "-o", "out"] + urls)
        #expect(outcome.status == 1)
        #expect(try outcome.objects(LoadRecord.self).map(\.output) == ["out/a.png", "out/b.png"])
        #expect(outcome.errors.count == 1)
        #expect(outcome.errors.first?.hasPrefix("calotype: \(server.url("/missing.png")): ") == true)
        #expect(outcome.errors.first?.contains("404") == true)
        #expect(try sandbox.names(in: "out") == ["a.png", "b.png"])
    }

    @Test func `a file is named after the last component of the path, without the query`() async throws {
        let paths = ["/x/photo.png?size=large&v=1.2", "/x/photo.png?size=small", "/.hidden.png", "/"]
        for path in paths { try serve("rgb8", at: path) }
        let outcome = try await sandbox.run(["load", "-o", "out"] + paths.map { server.url($0).absoluteString })
        #expect(outcome.errors.isEmpty)
        #expect(try sandbox.names(in: "out") == ["hidden.png", "image.png", "photo-2.png", "photo.png"])
    }

    @Test func `info and convert accept a URL`() async throws {
        try serve("rgba8", at: "/a.png")
        let url = server.url("/a.png").absoluteString
        let info = try await sandbox.run("info", "--json", url)
        let convert = try await sandbox.run("convert", url, "b.png", "--thumbnail", "8x8")
        #expect(try info.objects(InfoRecord.self).map(\.source) == [url])
        #expect(try info.objects(InfoRecord.self).map(\.hasAlpha) == [true])
        #expect(convert.status == 0)
        #expect(try await sandbox.info("b.png")?.width == 8)
    }

    /// Loads with an environment that sets a proxy for all URLs.
    private func load(_ url: String, by proxy: ScriptedServer, _ settings: String...) async throws -> Outcome {
        let environment = [
            "http_proxy": proxy.url("/").absoluteString, "all_proxy": "", "ALL_PROXY": "", "NO_PROXY": "",
            "no_proxy": "hidden.example.com",
        ]
        let options = settings.flatMap { ["--set", $0] }
        return try await sandbox.run(["load", url, "-o", "out"] + options, environment: environment)
    }

    @Test func `the environment's proxy is used if a setting says so`() async throws {
        let proxy = try ScriptedServer()
        for path in ["/a.png", "/b.png", "/c.png"] { try serve("rgb8", at: path) }
        proxy.answer("/d.png", with: .bytes(try Sandbox.fixture("rgb8"), contentType: "image/png"))
        #expect(try await load(server.url("/a.png").absoluteString, by: proxy).status == 0)
        #expect(try await load(server.url("/b.png").absoluteString, by: proxy, "proxyPolicy=none").status == 0)
        #expect(proxy.connectionCount == 0)
        for policy in ["environment", "trustedEnvironment"] {
            let url = "http://example.com/d.png?\(policy)"
            #expect(try await load(url, by: proxy, "proxyPolicy=\(policy)").status == 0)
            #expect(proxy.requests.last?.target == url)
        }
        #expect(server.requestCount == 2)
    }

    @Test func `with restricted addresses only a trusted proxy is used, and only for host names`() async throws {
        let proxy = try ScriptedServer()
        proxy.answer("/a.png", with: .bytes(try Sandbox.fixture("rgb8"), contentType: "image/png"))
        let strict = "addressPolicy=publicOnly"
        let refused = try await load("http://example.com/a.png", by: proxy, strict, "proxyPolicy=environment")
        #expect(refused.status == 1)
        #expect(refused.errors.first?.contains("proxyPolicy") == true)
        let trusted = "proxyPolicy=trustedEnvironment"
        for host in ["10.0.0.1", "[::1]", "localhost", "example.localhost."] {
            let outcome = try await load("http://\(host)/a.png", by: proxy, strict, trusted)
            #expect(outcome.status == 1, "\(host)")
            #expect(outcome.errors.first?.contains("addressPolicy") == true, "\(host)")
        }
        #expect(proxy.connectionCount == 0)
        // `no_proxy` is ignored: it would let the tool connect to a host without the trusted proxy.
        for host in ["example.com", "hidden.example.com"] {
            #expect(try await load("http://\(host)/a.png", by: proxy, strict, trusted).status == 0, "\(host)")
        }
        #expect(proxy.requests.map(\.target) == ["http://example.com/a.png", "http://hidden.example.com/a.png"])
    }

    @Test func `the explanation names the loader, and nothing is loaded`() async throws {
        let url = server.url("/a.png").absoluteString
        let outcome = try await sandbox.run("explain", "--json", url, "--set", "maxRedirects=2")
        let explanation = try #require(try outcome.objects(ExplainRecord.self).first)
        #expect(explanation.loader == "CurlImageLoader")
        #expect(explanation.url == url)
        #expect(explanation.sourceKey == url)
        #expect(explanation.values.contains { $0.key == "maxRedirects" && $0.value == "2" && $0.layer == "request" })
        #expect(server.requestCount == 0)
    }

    @Test func `the explanation has the HTTP freshness of an original`() async throws {
        let data = try Sandbox.fixture("rgb8")
        let answers: [(headers: ScriptedHeaders, prefix: String)] = [
            (["Cache-Control": "max-age=864000"], "fresh for "),
            (["Cache-Control": "max-age=0", "ETag": "\"a\""], "stale; "),
        ]
        for (index, answer) in answers.enumerated() {
            let path = "/\(index).png"
            server.answer(path, with: .bytes(data, contentType: "image/png", headers: answer.headers))
            let request = [server.url(path).absoluteString, "--set", "httpCaching=respect"]
            let thumbnail = request + ["--thumbnail", "16x16"]
            let before = try await sandbox.run(["explain", "--json"] + thumbnail)
            #expect(try before.objects(ExplainRecord.self).map(\.freshness) == [nil])
            _ = try await sandbox.run(["load"] + request)

            let json = try await sandbox.run(["explain", "--json"] + thumbnail)
            let record = try #require(try json.objects(ExplainRecord.self).first)
            #expect(record.original?.isOnDisk == true)
            #expect(record.freshness?.hasPrefix(answer.prefix) == true)
            let lines = try await sandbox.run(["explain"] + thumbnail).lines
            let words = lines.first { $0.hasPrefix("freshness ") }?.split(separator: " ").dropFirst()
            #expect(words?.joined(separator: " ").hasPrefix(answer.prefix) == true)
            // Without the HTTP rules it is another entry, whose freshness is not reported.
            let other = try await sandbox.run("explain", "--json", request[0])
            #expect(try other.objects(ExplainRecord.self).map(\.freshness) == [nil])
        }
        #expect(server.requestCount == 2, "explaining sends no request")
    }

    @Test func `a retried failure is a warning with the delay`() async throws {
        let data = try Sandbox.fixture("rgb8")
        server.answer("/a.png") { request in
            request.attempt == 1 ? .status(503) : .bytes(data, contentType: "image/png")
        }
        let url = server.url("/a.png").absoluteString
        let outcome = try await sandbox.run("load", url, "--set", "retryPolicy=1", "-o", "a.png")
        #expect(outcome.status == 0)
        #expect(sandbox.exists("a.png"))
        #expect(outcome.errors.count == 1)
        let warning = try #require(outcome.errors.first)
        #expect(warning.hasPrefix("calotype: warning: ") && warning.contains("503"))
        #expect(warning.range(of: "; retrying in 0\\.[0-5] s$", options: .regularExpression) != nil)
    }

    @Test func `a terminal shows received and expected bytes`() throws {
        let gate = BlockingGate()
        let data = try Sandbox.fixture("rgb8")
        let half = data.count / 2
        server.answer("/a.png", with: .bytes(data, contentType: "image/png").stalled(after: half, at: gate))
        let terminal = try PseudoTerminal()
        let process = sandbox.makeProcess(["load", server.url("/a.png").absoluteString, "--set", "lowSpeedTime=300s"])
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = terminal.handle()
        try process.run()
        terminal.release()

        // The rest of the response waits at the gate, so that the bar is drawn.
        terminal.watch(until: "\(half) bytes of 1.3 kB")
        gate.open()
        terminal.watch()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        #expect(terminal.shown.contains("]  \(half) bytes of 1.3 kB"))
        #expect(terminal.shown.hasSuffix("\r\u{1B}[K"))
    }

    // MARK: Secrets

    private static let secrets = ["pass-word", "tell-nobody", "bearer-of-secrets"]

    /// Returns the URL of a path, with credentials and a token.
    private func secretURL(_ path: String) -> String {
        let plain = server.url(path).absoluteString
        return plain.replacingOccurrences(of: "http://", with: "http://somebody:pass-word@") + "?token=tell-nobody"
    }

    static let commands: [[String]] = [
        ["load"], ["load", "--json"], ["load", "-o", "out/"], ["info"], ["info", "--json"], ["explain"],
        ["explain", "--json"],
    ]

    @Test(arguments: HTTPTests.commands)
    func `no line of output has secrets, whether the load succeeds or fails`(words: [String]) async throws {
        try serve("rgb8", at: "/a.png?token=tell-nobody")
        let header = ["--set", "httpHeaders=Authorization: Bearer bearer-of-secrets"]
        for path in ["/a.png", "/missing.png"] {
            let outcome = try await sandbox.run(words + [secretURL(path)] + header)
            let lines = outcome.lines + outcome.errors
            #expect(!lines.isEmpty)
            for secret in Self.secrets { #expect(lines.allSatisfy { !$0.contains(secret) }, "\(lines)") }
        }
        for secret in Self.secrets { #expect(try !sandbox.cachesContain(secret)) }
    }

    @Test func `the path of an original and the error for a stopped server have no secrets`() async throws {
        try serve("rgb8", at: "/a.png?token=tell-nobody")
        _ = try await sandbox.run("load", secretURL("/a.png"))
        let path = try await sandbox.run("cache", "path", secretURL("/a.png"))
        #expect(path.status == 0)
        server.stop()
        let refused = try await sandbox.run("load", "--cache", "none", secretURL("/a.png"))
        #expect(refused.status == 1)
        let unreadable = try await sandbox.run("load", "http://somebody:pass-word@[/a.png?token=tell-nobody")
        #expect(unreadable.status == 1)
        for outcome in [path, refused, unreadable] {
            let lines = outcome.lines + outcome.errors
            #expect(!lines.isEmpty)
            for secret in Self.secrets { #expect(lines.allSatisfy { !$0.contains(secret) }, "\(lines)") }
        }
    }
}
#endif
