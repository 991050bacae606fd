#if HTTP
import CCurlShim
import Calotype

/// The address of a request. libcurl's parser reads it, so that the loader checks the address that libcurl requests.
struct HTTPAddress: Sendable {
    /// The absolute URL, without user, password and fragment.
    let url: String
    let origin: HTTPOrigin
    /// The credentials in the URL; nil for none.
    let credentials: HTTPCredentials?

    /// Creates the address of a URL. Throws `invalidURL` if the URL is not a valid `http` or `https` URL, or if
    /// Foundation and libcurl find different hosts in it.
    init(_ url: URL) throws(ImageError) {
        let parser = try CurlURL()
        var problem = parser.read(url.absoluteString)
        if problem == nil { problem = parser.schemeProblem }
        if problem == nil, !parser.hasHost(of: url) { problem = "its host is ambiguous" }
        if let problem {
            throw ImageError(
                .invalidURL, stage: .load, message: "is not a valid URL: \(problem)", advice: "check the URL")
        }
        try self.init(parser)
    }

    /// Returns the target of a redirect from this address, without credentials. `location` is the value of the
    /// `Location` header. Throws `redirectRefused` for an invalid target, and for a target that leads from `https` to
    /// `http`.
    func following(_ location: String) throws(ImageError) -> HTTPAddress {
        // An empty reference or a fragment means the same address (RFC 3986, section 5.2.2); libcurl would use the
        // root.
        guard !location.isEmpty, !location.hasPrefix("#") else { return self }
        let parser = try CurlURL()
        // libcurl reads the second URL relative to the first.
        if let problem = parser.read(url) ?? parser.read(location) ?? parser.schemeProblem {
            throw refused("redirects to an invalid URL: \(problem)")
        }
        parser.removeCredentials()
        let next = try HTTPAddress(parser)
        guard let url = URL(string: next.url), parser.hasHost(of: url) else {
            throw refused("redirects to a URL whose host is ambiguous")
        }
        guard next.origin.isSecure || !origin.isSecure else {
            throw refused("redirects from https to http, to \(next.origin)")
        }
        return next
    }

    /// Returns the error for a redirect that is not followed. `what` continues a sentence that begins with the origin.
    func refused(_ what: String) -> ImageError {
        ImageError(
            .redirectRefused, stage: .load, message: "\(origin) \(what)", advice: "request the final URL directly")
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
                advice: "set the credentials in the context value `httpHeaders`")
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
            throw ImageError(.invalidURL, stage: .load, message: "is not a URL with a host", advice: "check the URL")
        }
        self.url = url
        let isSecure = parser.part(CURLUPART_SCHEME)?.lowercased() == "https"
        origin = HTTPOrigin(isSecure: isSecure, host: host.lowercased(), port: port)
    }
}
#endif
