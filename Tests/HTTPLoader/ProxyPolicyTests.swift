#if HTTP
import Calotype
import Testing

@testable import CalotypeHTTP

/// Which proxies a policy finds. That they are used is shown by the command line tool, whose environment is its own.
@Suite(.timeLimit(.minutes(5)))
struct ProxyPolicyTests {
    private func proxy(_ policy: ProxyPolicy, _ environment: [String: String], isSecure: Bool = false) -> String? {
        policy.proxy(isSecure: isSecure) { environment[$0] }
    }

    @Test func `unless told otherwise there is none, whatever the environment says`() {
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
        #expect(proxy(policy, ["HTTP_PROXY": "a"]) == nil, "a client of a CGI program could have set it")
        #expect(proxy(policy, ["http_proxy": "a"], isSecure: true) == nil)
    }

    @Test(arguments: ["none", "environment", "trustedEnvironment"])
    func `a policy is what its text says`(text: String) throws {
        let policy = try #require(ProxyPolicy(contextText: text))
        #expect(policy.contextText == text)
        #expect(policy.isTrusted == (text == "trustedEnvironment"))
        #expect(ProxyPolicy(contextText: text.uppercased()) == nil)
    }
}
#endif
