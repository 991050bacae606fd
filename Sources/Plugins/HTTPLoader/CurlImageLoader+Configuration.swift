#if HTTP
import CCurlShim
public import Calotype

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension CurlImageLoader {
    /// The settings of all transfers of a loader.
    public struct Configuration: Sendable, Hashable {
        /// The order of waiting loads that are equally urgent.
        public enum Order: Sendable, Hashable {
            /// The one that has waited longest.
            case firstInFirstOut
            /// The one that came last: for lists that scroll, where it is what is looked at.
            case lastInFirstOut
        }

        /// The most transfers at once; at least 1. Default: 6. A request with the context value
        /// `maxConcurrentTransfers` goes by that instead.
        public var maxConcurrentLoads = 6
        /// The most transfers at once from one host, which is a scheme, a name and a port; at least 1. Default: 6. A
        /// request with the context value `maxConcurrentTransfersPerHost` goes by that instead.
        public var maxConcurrentLoadsPerHost = 6
        /// The order of waiting loads that are equally urgent. Default: the one that has waited longest goes first.
        public var order = Order.firstInFirstOut
        /// A PEM file with the certificates that are trusted in place of the system's; nil trusts the system's.
        ///
        /// Default: the file that the environment variable `SSL_CERT_FILE` names, as OpenSSL and curl read it; nil
        /// where that is not set or empty. The environment is read once. A request with the context value
        /// `certificateAuthorities` goes by that instead.
        public var certificateAuthorities: URL? = Self.environmentAuthorities
        /// The header `User-Agent` of requests that bring none. Default: `Calotype libcurl/` and libcurl's version.
        public var userAgent = Self.standardUserAgent

        /// Addresses of hosts that the resolver is not asked for, as `CURLOPT_RESOLVE` takes them; a host `*` stands
        /// for all others. For tests, which must not depend on a resolver.
        var hostAddresses: [String] = []

        /// The most bytes that libcurl holds for all paused transfers, but for what one call brings. For tests, which
        /// cannot make it hold as much over each protocol.
        var heldByteLimit = 16 << 20

        /// A configuration; the default one unless told.
        public init() {}

        private static let environmentAuthorities: URL? = {
            guard let path = getenv("SSL_CERT_FILE").map({ String(cString: $0) }), !path.isEmpty else { return nil }
            return URL(filePath: path)
        }()

        static let standardUserAgent = "Calotype libcurl/\(String(cString: ccurl_version()))"

        /// The file of the certificate authorities that are trusted; empty for the system's.
        var distinction: String { certificateAuthorities.map { "certificateAuthorities=\($0.path())" } ?? "" }

        /// The user agent where it is not the standard one.
        var agent: String { userAgent == Self.standardUserAgent ? "" : "userAgent=\(userAgent)" }
    }
}
#endif
