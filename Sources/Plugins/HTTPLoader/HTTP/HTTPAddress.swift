#if HTTP
import CCurlShim
import Calotype

/// The address of a request, read by libcurl's own parser: what is checked is what is requested.
struct HTTPAddress: Sendable {
    /// The whole URL, without user, password and fragment.
    let url: String
    let origin: HTTPOrigin
    /// The credentials in the URL.
    let credentials: HTTPCredentials?

    /// The address of a URL. Throws `invalidURL`, also where Foundation reads another host in it.
    init(_ url: URL) throws(ImageError) {
        let parser = try CurlURL()
        var problem = parser.read(url.absoluteString)
        if problem == nil { problem = parser.schemeProblem }
        if problem == nil, !parser.hasHost(of: url) { problem = "its host can be read in several ways" }
        if let problem {
            throw ImageError(.invalidURL, stage: .load, message: "is no URL to load: \(problem)", advice: "check it")
        }
        try self.init(parser)
    }

    /// The address that an answer from here sends on to; it has no credentials.
    ///
    /// Throws `redirectRefused` for what is no URL, for other schemes, for a host that can be read in several ways, and
    /// for one that gives up TLS.
    func following(_ location: String) throws(ImageError) -> HTTPAddress {
        // The same place, which libcurl would take for its root (RFC 3986, section 5.2.2).
        guard !location.isEmpty, !location.hasPrefix("#") else { return self }
        let parser = try CurlURL()
        // The second URL is taken for relative to the first.
        if let problem = parser.read(url) ?? parser.read(location) ?? parser.schemeProblem {
            throw refused("sends it on to what is no URL to load: \(problem)")
        }
        parser.removeCredentials()
        let next = try HTTPAddress(parser)
        guard let url = URL(string: next.url), parser.hasHost(of: url) else {
            throw refused("sends it on to a URL whose host can be read in several ways")
        }
        guard next.origin.isSecure || !origin.isSecure else {
            throw refused("sends it on to \(next.origin), from https to http")
        }
        return next
    }

    /// The error for a redirect from here that is not followed.
    func refused(_ what: String) -> ImageError {
        ImageError(.redirectRefused, stage: .load, message: "\(origin) \(what)", advice: "ask for where it is now")
    }

    private init(_ parser: borrowing CurlURL) throws(ImageError) {
        let user = parser.part(CURLUPART_USER, CURLU_URLDECODE)
        let password = parser.part(CURLUPART_PASSWORD, CURLU_URLDECODE)
        let hasCredentials = parser.part(CURLUPART_USER) != nil || parser.part(CURLUPART_PASSWORD) != nil
        guard (parser.part(CURLUPART_USER) != nil) == (user != nil),
            (parser.part(CURLUPART_PASSWORD) != nil) == (password != nil)
        else {
            throw ImageError(
                .invalidURL, stage: .load, message: "has a user or a password that cannot be sent",
                advice: "give them by the context value `httpHeaders`")
        }
        if hasCredentials {
            credentials = HTTPCredentials(user: user ?? "", password: password ?? "")
            parser.removeCredentials()
        } else {
            credentials = nil
        }
        parser.removeFragment()
        guard let url = parser.part(CURLUPART_URL), let host = parser.part(CURLUPART_HOST),
            let port = parser.part(CURLUPART_PORT, CURLU_DEFAULT_PORT).flatMap({ Int($0) })
        else {
            throw ImageError(.invalidURL, stage: .load, message: "is no URL with a host", advice: "check it")
        }
        self.url = url
        let isSecure = parser.part(CURLUPART_SCHEME)?.lowercased() == "https"
        origin = HTTPOrigin(isSecure: isSecure, host: host.lowercased(), port: port)
    }
}
#endif
