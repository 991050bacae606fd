#if HTTP
import Calotype
import CalotypeHTTP
import Testing

@Suite(.timeLimit(.minutes(5)))
struct CertificateAuthoritiesTests {
    @Test(arguments: ["/etc/ssl/own.pem", "/a b/c:d%.pem", "/caf\u{E9}.pem", "/cafe\u{301}.pem", "/"])
    func `a path survives a round trip through text`(path: String) throws {
        let authorities = CertificateAuthorities(path: path)
        #expect(authorities.path.utf8.elementsEqual(path.utf8))
        #expect(authorities.contextText.utf8.allSatisfy { (0x20...0x7E).contains($0) })
        #expect(CertificateAuthorities(contextText: authorities.contextText) == authorities)
    }

    @Test func `equal paths are equal values, and paths that only look alike are not`() {
        #expect(CertificateAuthorities(path: "/a//./b.pem") == CertificateAuthorities(path: "/a/b.pem"))
        #expect(CertificateAuthorities(path: "/caf\u{E9}.pem") != CertificateAuthorities(path: "/cafe\u{301}.pem"))
    }

    @Test func `a relative path starts from the working directory`() {
        let path = CertificateAuthorities(path: "own.pem").path
        #expect(path.hasPrefix("/"))
        #expect(path.hasSuffix("/own.pem"))
    }

    @Test(arguments: ["", "off", "own.pem", "/%zz", "/%4", "/%00", "/%FF"])
    func `a text without an absolute path is rejected`(text: String) {
        #expect(CertificateAuthorities(contextText: text) == nil)
    }
}
#endif
