#if HTTP
import Calotype
import CalotypeHTTP
import Testing

@Suite(.timeLimit(.minutes(5)))
struct CertificateAuthoritiesTests {
    @Test(arguments: ["/etc/ssl/own.pem", "/a b/c:d%.pem", "/caf\u{E9}.pem", "/cafe\u{301}.pem", "/"])
    func `a path is read back from its text`(path: String) throws {
        let authorities = CertificateAuthorities(path: path)
        #expect(authorities.path.utf8.elementsEqual(path.utf8))
        #expect(authorities.contextText.utf8.allSatisfy { (0x20...0x7E).contains($0) })
        #expect(CertificateAuthorities(contextText: authorities.contextText) == authorities)
    }

    @Test func `equal files are equal values, and paths that only look alike are not`() {
        #expect(CertificateAuthorities(path: "/a//./b.pem") == CertificateAuthorities(path: "/a/b.pem"))
        #expect(CertificateAuthorities(path: "/caf\u{E9}.pem") != CertificateAuthorities(path: "/cafe\u{301}.pem"))
    }

    @Test func `a path that is not absolute starts from the working directory`() {
        let path = CertificateAuthorities(path: "own.pem").path
        #expect(path.hasPrefix("/"))
        #expect(path.hasSuffix("/own.pem"))
    }

    @Test(arguments: ["", "off", "own.pem", "/%zz", "/%4", "/%00", "/%FF"])
    func `a text that names no file from the root is no value`(text: String) {
        #expect(CertificateAuthorities(contextText: text) == nil)
    }
}
#endif
