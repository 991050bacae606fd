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

        /// The maximum number of concurrent transfers, at least 1. A request's context value `maxConcurrentTransfers`
        /// takes precedence. Default: 6.
        public var maxConcurrentLoads = 6
        /// The maximum number of concurrent transfers with the same scheme, host and port, at least 1. A request's
        /// context value `maxConcurrentTransfersPerHost` takes precedence. Default: 6.
        public var maxConcurrentLoadsPerHost = 6
        /// The order of waiting loads with equal priority. Default: the load that has waited longest goes first.
        public var order = Order.firstInFirstOut
        /// A PEM file with the trusted certificates, which replace the system's certificates; nil for the system's
        /// certificates.
        ///
        /// Default: the file that the environment variable `SSL_CERT_FILE` names, as for OpenSSL and curl; nil if the
        /// variable is empty or not set. The environment is read once. A request's context value
        /// `certificateAuthorities` takes precedence.
        public var certificateAuthorities: URL? = Self.environmentAuthorities
        /// The value of the `User-Agent` header for requests that do not set the header. Default: `Calotype libcurl/`
        /// followed by libcurl's version.
        public var userAgent = Self.standardUserAgent

        /// The value of `CURLOPT_RESOLVE`: hosts with addresses that libcurl need not look up. Used by tests.
        var hostAddresses: [String] = []

        /// The maximum number of bytes that libcurl holds for all paused transfers: 16 MiB. Tests set a lower limit.
        var heldByteLimit = 16 << 20

        /// Creates the default configuration.
        public init() {}

        private static let environmentAuthorities: URL? = {
            guard let path = getenv("SSL_CERT_FILE").map({ String(cString: $0) }), !path.isEmpty else { return nil }
            return URL(filePath: path)
        }()

        static let standardUserAgent = "Calotype libcurl/\(String(cString: ccurl_version()))"

        /// The value of ``CurlImageLoader/distinction``: the path of the trusted certificates; empty for the system's.
        var distinction: String { certificateAuthorities.map { "certificateAuthorities=\($0.path())" } ?? "" }

        /// The part of a loader's identity that contains the user agent; empty for the default user agent.
        var agent: String { userAgent == Self.standardUserAgent ? "" : "userAgent=\(userAgent)" }
    }
}
#endif
