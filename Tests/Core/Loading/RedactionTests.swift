import Testing

@testable import Calotype

/// The display of addresses and keys.
@Suite(.timeLimit(.minutes(5)))
struct RedactionTests {
    @Test(arguments: [
        // Only plausible values of known names are shown.
        ("https://host/a.png?w=20&h=30&fm=webp&q=80", "https://host/a.png?w=20&h=30&fm=webp&q=80"),
        ("https://host/a.png?W=20&Format=png", "https://host/a.png?W=20&Format=png"),
        ("https://host/a.png?auth_token=s3cr3t", "https://host/a.png?auth_token=redacted"),
        ("https://host/a.png?code=s3cr3t&key=s3cr3t", "https://host/a.png?code=redacted&key=redacted"),
        ("https://host/a.png?x=s3cr3t", "https://host/a.png?x=redacted"),
        ("https://host/a.png?w=20%26token%3Ds3cr3t", "https://host/a.png?w=redacted"),
        ("https://host/a.png?v=a=s3cr3t", "https://host/a.png?v=redacted"),
        ("https://host/a.png?%77=s3cr3t", "https://host/a.png?%77=redacted"),
        // Separators.
        ("https://host/a.png?a=1;token=s3cr3t", "https://host/a.png?a=redacted;token=redacted"),
        ("https://host/a.png?w=1;token=s3cr3t&h=2", "https://host/a.png?w=1;token=redacted&h=2"),
        ("https://host/a.png?w=1&amp;token=s3cr3t", "https://host/a.png?w=1&redacted;token=redacted"),
        ("https://host/a.png?w=1&&h=2&", "https://host/a.png?w=1&&h=2&"),
        ("https://host/a.png?u=https://me:s3cr3t@host/?t=s3cr3t", "https://host/a.png?u=redacted"),
        // Parameters without a value.
        ("https://host/a.png?s3cr3t", "https://host/a.png?redacted"),
        ("https://host/a.png?c2VjcmV0cw==", "https://host/a.png?redacted"),
        ("https://host/a.png?s3cr3t=", "https://host/a.png?redacted"),
        ("https://host/a.png?auto&w=1", "https://host/a.png?auto&w=1"),
        ("https://host/a.png?", "https://host/a.png?"),
        // Parts other than the query.
        ("https://host/a.png#s3cr3t", "https://host/a.png"),
        ("https://host/a.png#?w=s3cr3t", "https://host/a.png"),
        ("https://host/a;jsessionid=s3cr3t/b;v=2.png?w=1", "https://host/a;jsessionid=redacted/b;v=2.png?w=1"),
        ("https://host/a;s3cr3t/b.png", "https://host/a;redacted/b.png"),
        ("https://me:s3cr3t@host/a@2x.png", "https://host/a@2x.png"),
        ("https://me:s3cr@3t@host/a.png", "https://host/a.png"),
        ("https://s3cr3t@host?w=1", "https://host?w=1"),
        ("http:///me:s3cr3t@host/a.png", "http:///host/a.png"),
        ("http:me:s3cr3t@host/a.png", "http:host/a.png"),
        ("http:\\\\me:s3cr3t@host/a.png", "http:\\\\host/a.png"),
        ("ftp://me:s3cr3t@host/a.png", "ftp://host/a.png"),
        ("//me:s3cr3t@host/a.png", "//host/a.png"),
        ("file:///a/b@2x.png", "file:///a/b@2x.png"),
        ("asset:b@2x.png", "asset:b@2x.png"), ("asset:icons/b@2x.png", "asset:icons/b@2x.png"),
        ("asset:b@3x", "asset:b@3x"), ("asset:b@3x.JPG", "asset:b@3x.JPG"),
        // An address inside another.
        ("jar:http://me:s3cr3t@host/x", "jar:http://host/x"),
        ("jar:http://me:s3cr3t@host/x.jar!/a@2x.png", "jar:http://host/x.jar!/a@2x.png"),
        ("view-source:http://me:s3cr3t@host/x?token=s3cr3t", "view-source:http://host/x?token=redacted"),
        ("view-source:http:/me:s3cr3t@host/x", "view-source:http:/host/x"),
        ("file:///a/%20http:/me:s3cr3t@host/x", "file:///a/%20http:/host/x"),
        ("one:two:ftp://me:s3cr@3t@host/x", "one:two:ftp://host/x"),
        (" http://me:s3cr3t@host/x", " http://host/x"),
        ("https://me:s3cr3t@proxy/fit/http://me:s3cr3t@host/x", "https://proxy/fit/http://host/x"),
        ("me:s3cr3t@proxy/http://me:s3cr3t@host/x", "proxy/http://host/x"),
        ("http://me:s3cr3t@host:/a", "http://host:/a"), ("http://me:s3cr3t@[::1]:/a", "http://[::1]:/a"),
        ("file:///a:/b@2x.png", "file:///a:/b@2x.png"),
        // An embedded address that is percent-encoded, once or several times.
        (
            "https://proxy/fit/400/https%3A%2F%2Fhost%2Fa.png%3FX-Amz-Signature%3Ds3cr3t%26w%3D20",
            "https://proxy/fit/400/https%3A%2F%2Fhost%2Fa.png%3FX-Amz-Signature=redacted&w=20"
        ),
        ("https://proxy/http%3a%2f%2fme:s3cr3t@host/x", "https://proxy/http%3A%2F%2Fhost/x"),
        ("https://proxy/http%3A%2F%2Fme%3As3cr3t%40host%2Fx", "https://proxy/http%3A%2F%2Fhost%2Fx"),
        (
            "https://proxy/http%253A%252F%252Fme%253As3cr3t%2540host%252Fx",
            "https://proxy/http%253A%252F%252Fhost%252Fx"
        ),
        ("https://proxy/a%25252525253Fs3cr3t", "https://proxy/redacted"),
        ("https://proxy/a.png%3Ftoken%3Ds3cr3t;v=2/b", "https://proxy/a.png%3Ftoken=redacted;v=2/b"),
        ("https://proxy/a%3Bjsessionid=s3cr3t/b", "https://proxy/a%3Bjsessionid=redacted/b"),
        (
            "https://proxy/http%3A%2F%2Fhost%2Fa%20b%2Fc%402x.png",
            "https://proxy/http%3A%2F%2Fhost%2Fa%20b%2Fc%402x.png"
        ),
        ("https://host/100%/caf%C3%A9@2x.png", "https://host/100%/caf%C3%A9@2x.png"),
        // Without a scheme. The user name then looks like one.
        ("me:s3cr3t@host/a", "host/a"),
        ("me:s3cr3t@host", "host"),
        ("me:s3cr3t@host:8080/a@2x.png?token=s3cr3t", "host:8080/a@2x.png?token=redacted"),
        ("me:s3cr@3t@host/a", "host/a"),
        ("me:s3cr:3t@host/a", "host/a"),
        ("m%65:s3cr3t@host/a", "host/a"),
        (":s3cr3t@host/a", "host/a"),
        ("me:s3cr3t@2x.example/a", "2x.example/a"),
        ("me:s3cr3t@2x.com", "2x.com"),
        ("host:8080/a@2x.png", "host:8080/a@2x.png"),
        // Texts that are not URLs.
        ("avatar of somebody?token=s3cr3t", "avatar of somebody?token=redacted"),
        ("plain", "plain"), ("", ""), ("?", "?"), (";", ";"), ("#", ""), ("@", "@"), ("=?=&=", "=?redacted&redacted"),
    ])
    func `names are shown, and values that may be secret are not`(text: String, shown: String) {
        #expect(Redaction.standard.text(of: text) == shown)
        #expect(Redaction.standard.text(of: shown) == shown, "redacting twice changes nothing")
        #expect(SourceKey(text).description == shown)
    }

    @Test func `an unusual value is redacted, whatever its name`() {
        for value in ["%41", "a b", "a\u{e9}", "a/b", "a+b", "a&b;s3cr3t"] + [String(repeating: "a", count: 65)] {
            let shown = Redaction.standard.text(of: "http://host/?v=\(value)")
            #expect(shown.hasPrefix("http://host/?v=redacted") || shown.hasPrefix("http://host/?v=a&"), "\(shown)")
            #expect(!shown.contains("s3cr3t"))
        }
    }

    @Test func `more names can be declared harmless, but not those of secrets`() {
        let redaction = Redaction(showing: ["Tile", "key", "TOKEN", "code"])
        #expect(
            redaction.text(of: "http://host/?tile=3&TILE=4&key=a&token=b&Code=c&w=1")
                == "http://host/?tile=3&TILE=4&key=redacted&token=redacted&Code=redacted&w=1")
    }

    @Test func `a key is shown with its request's redaction, and compared in full`() throws {
        let url = try #require(URL(string: "http://host/a.png?tile=3&id=7"))
        let request = ImageRequest(url, context: [.harmlessParameters(["tile"])])
        #expect(request.description == "http://host/a.png?tile=3&id=redacted")
        #expect(ImageRequest(url).description == "http://host/a.png?tile=redacted&id=redacted")
        let resolved = try ResolvedRequest(
            url: url, layers: [(.manager, [.harmlessParameters(["id"])])], stateID: 0, channels: EventChannels())
        #expect(resolved.variant.description == "http://host/a.png?tile=redacted&id=7")
        #expect(resolved.variant.source == SourceKey("http://host/a.png?tile=3&id=7"))
        #expect(resolved.variant.source != SourceKey("http://host/a.png?tile=4&id=7"))
    }

    @Test func `a dump of a key shows no more than its description`() {
        let key = VariantKey(
            source: SourceKey("http://host/?token=s3cr3t"),
            policy: IdentityText(full: "user=s3cr3t", shown: "user=redacted", exact: "user=s3cr3t"),
            variant: IdentityText(full: "s3cr3t", shown: "v=redacted", exact: "s3cr3t"))
        var text = ""
        dump(key, to: &text)
        dump(key.source, to: &text)
        text += "\(key) \(String(reflecting: key)) \(String(reflecting: key.source)) \([key])"
        #expect(!text.contains("s3cr3t"), "\(text)")
        #expect(text.contains("http://host/?token=redacted [v=redacted] {user=redacted}"))
    }
}
