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
    /// The settings for all transfers of a loader.
    public struct Configuration: Sendable, Hashable {
        /// The order of waiting loads with equal priority.
        public enum Order: Sendable, Hashable {
            /// The load that has waited longest goes first.
            case firstInFirstOut
            /// The load that was added last goes first. This suits scrolling lists, where the newest load is visible.
            case lastInFirstOut
        }

        /// The maximum number of concurrent transfers; at least 1. Default: 6. A request's context value
        /// `maxConcurrentTransfers` takes precedence.
        public var maxConcurrentLoads = 6
        /// The maximum number of concurrent transfers for the same scheme, host and port; at least 1. Default: 6. A
        /// request's context value `maxConcurrentTransfersPerHost` takes precedence.
        public var maxConcurrentLoadsPerHost = 6
        /// The order of waiting loads with equal priority. Default: the load that has waited longest goes first.
        public var order = Order.firstInFirstOut
        /// A PEM file with the trusted certificates, which replace the system's; nil for the system's.
        ///
        /// The default is the file named by the environment variable `SSL_CERT_FILE`, which OpenSSL and curl also read;
        /// nil if it is not set or empty. The environment is read once. A request's context value
        /// `certificateAuthorities` takes precedence.
        public var certificateAuthorities: URL? = Self.environmentAuthorities
        /// The `User-Agent` header for requests that do not set one. Default: `Calotype libcurl/` and libcurl's
        /// version.
        public var userAgent = Self.standardUserAgent

        /// The addresses of hosts that need no resolver, in the format of `CURLOPT_RESOLVE`. A host `*` stands for all
        /// others. For tests, which must not depend on a resolver.
        var hostAddresses: [String] = []

        /// The maximum number of bytes that libcurl holds for all paused transfers, apart from those of one call. For
        /// tests, which cannot make libcurl hold that much over every protocol.
        var heldByteLimit = 16 << 20

        /// Creates the default configuration.
        public init() {}

        private static let environmentAuthorities: URL? = {
            guard let path = getenv("SSL_CERT_FILE").map({ String(cString: $0) }), !path.isEmpty else { return nil }
            return URL(filePath: path)
        }()

        static let standardUserAgent = "Calotype libcurl/\(String(cString: ccurl_version()))"

        /// The file of the trusted certificate authorities; empty for the system's.
        var distinction: String { certificateAuthorities.map { "certificateAuthorities=\($0.path())" } ?? "" }

        /// The user agent; empty if it is the default one.
        var agent: String { userAgent == Self.standardUserAgent ? "" : "userAgent=\(userAgent)" }
    }
}
#endif
