#if HTTP
import Calotype
import Testing

@testable import CalotypeHTTP

/// The proxies that a policy finds. Their use is tested with the command line tool, which has its own environment.
@Suite(.timeLimit(.minutes(5)))
struct ProxyPolicyTests {
    private func proxy(_ policy: ProxyPolicy, _ environment: [String: String], isSecure: Bool = false) -> String? {
        policy.proxy(isSecure: isSecure) { environment[$0] }
    }

    @Test func `by default no proxy is used, whatever the environment says`() {
        #expect(ResolvedContext.builtIn[.proxyPolicy] == ProxyPolicy.none)
        #expect(proxy(ProxyPolicy.none, ["http_proxy": "a", "all_proxy": "b"]) == nil)
    }

    @Test(arguments: [ProxyPolicy.environment, .trustedEnvironment])
    func `the environment is read as curl reads it`(policy: ProxyPolicy) {
        #expect(proxy(policy, [:]) == nil)
        #expect(proxy(policy, ["http_proxy": "a", "https_proxy": "b", "all_proxy": "c"]) == "a")
        #expect(proxy(policy, ["http_proxy": "a", "https_proxy": "b", "all_proxy": "c"], isSecure: true) == "b")
        #expect(proxy(policy, ["https_proxy": "", "HTTPS_PROXY": "b"], isSecure: true) == "b")
        #expect(proxy(policy, ["http_proxy": "", "all_proxy": "", "ALL_PROXY": "c"]) == "c")
        #expect(proxy(policy, ["HTTP_PROXY": "a"]) == nil, "a client of a CGI program can set this variable")
        #expect(proxy(policy, ["http_proxy": "a"], isSecure: true) == nil)
    }

    private func origin(_ host: String) -> HTTPOrigin { HTTPOrigin(isSecure: false, host: host, port: 80) }

    @Test func `trailing dots hide no address and no local name`() {
        for dots in ["", ".", "..", "..."] {
            #expect(origin("127.0.0.1\(dots)").address == IPAddress("127.0.0.1"))
            #expect(origin("localhost\(dots)").isLoopbackName)
            #expect(origin("a.localhost\(dots)").isLoopbackName)
            #expect(!origin("example.test\(dots)").isLoopbackName)
            #expect(origin("example.test\(dots)").address == nil)
        }
        #expect(origin("[::1]").address == IPAddress("::1"))
    }

    @Test(arguments: [
        "127.1", "127.1.", "2130706433", "0x7f000001", "127.0.0.0x1..", "0x", "example.0x7f", "[v1.a]", ".",
    ])
    func `a host that ends in a number is not a name`(host: String) {
        #expect(origin(host).endsInNumber)
        #expect(origin(host).address == nil)
    }

    @Test(arguments: ["example.test", "1.example", "0x7f.example.", "a1", "0xfg", "x7f"])
    func `a number elsewhere is part of a name`(host: String) {
        #expect(!origin(host).endsInNumber)
    }

    @Test(arguments: ["none", "environment", "trustedEnvironment"])
    func `a policy survives a round trip through text`(text: String) throws {
        let policy = try #require(ProxyPolicy(contextText: text))
        #expect(policy.contextText == text)
        #expect(policy.isTrusted == (text == "trustedEnvironment"))
        #expect(ProxyPolicy(contextText: text.uppercased()) == nil)
    }
}
#endif
