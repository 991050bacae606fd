#if HTTP
import CCurlShim
import Calotype

/// libcurl's handle of one transfer at a time, to be used for many where that is safe. Stays on one thread.
///
/// What is the same for all transfers is set once; every other option is set for each request, so that none is left
/// from the one before.
final class CurlHandle {
    /// Whether one may be used for several transfers, one after another.
    ///
    /// Before 8.1.0 libcurl frees the fields of the last answer when a handle is used again, but keeps its pointer to
    /// the last of them, and writes there when the first line behind the next status line begins with a blank, as any
    /// server's can. Connections are not the handles', and so are used again in any case. What TLS
    /// resumes a session with is the handle's, and goes with it: a new connection takes a whole handshake there.
    static let canBeUsedAgain = ccurl_version_number() >= 0x08_01_00

    let easy: UnsafeMutableRawPointer
    /// The path of the file with the certificates that are trusted; nil for the system's.
    ///
    /// It stays: libcurl takes NULL for "none", and does not go back to the system's. Before it uses a connection again
    /// libcurl compares the paths.
    let authorities: String?
    /// The exchange that uses the handle; nil while it is idle.
    var exchange: CurlExchange?
    /// The memory for libcurl's error message.
    let message = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
    /// The addresses that libcurl reads instead of asking the resolver; nil if it always asks.
    private var hostList: UnsafeMutablePointer<curl_slist>?

    /// - Parameters:
    ///   - authorities: The path of a file with the certificates that are trusted; nil for the system's.
    ///   - hostAddresses: Addresses of hosts, as `CURLOPT_RESOLVE` takes them.
    init(authorities: String?, hostAddresses: [String]) throws(ImageError) {
        guard let easy = curl_easy_init() else { throw .noMemoryForCurl }
        self.easy = easy
        self.authorities = authorities
        message.pointee = 0
        try setOptions()
        try setTrust()
        try setHostAddresses(hostAddresses)
    }

    deinit {
        curl_easy_cleanup(easy)
        curl_slist_free_all(hostList)
        message.deallocate()
    }

    /// The exchange that a handle, as libcurl's context, is used for.
    static func exchange(of context: UnsafeMutableRawPointer?) -> CurlExchange? {
        Unmanaged<CurlHandle>.fromOpaque(context!)._withUnsafeGuaranteedRef { $0.exchange }
    }

    /// Throws unless libcurl took an option without which the transfer would be another one.
    static func require(_ code: CURLcode) throws(ImageError) {
        guard code != CURLE_OK else { return }
        throw code == CURLE_OUT_OF_MEMORY
            ? .noMemoryForCurl
            : ImageError(
                .loadFailed, stage: .load, message: "libcurl cannot do what it is asked for",
                advice: "install another version of it", cause: CurlFailure(code))
    }

    private func setOptions() throws(ImageError) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        ccurl_set_pointer(easy, CURLOPT_PRIVATE, context)
        ccurl_set_pointer(easy, CURLOPT_ERRORBUFFER, message)
        ccurl_set_pointer(easy, CURLOPT_WRITEDATA, context)
        ccurl_set_receiver(easy, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            let bytes = UnsafeBufferPointer(start: bytes, count: size * count)
            return CurlHandle.exchange(of: context)?.receive(bytes) ?? 0
        }
        ccurl_set_pointer(easy, CURLOPT_HEADERDATA, context)
        ccurl_set_receiver(easy, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            let line = UnsafeBufferPointer(start: bytes, count: size * count)
            return CurlHandle.exchange(of: context)?.receiveHeader(line) ?? 0
        }
        // Those of a proxy are no answer.
        ccurl_set_number(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        // Without it libcurl changes what signals do, for the whole process.
        ccurl_set_number(easy, CURLOPT_NOSIGNAL, 1)
        // Without it the thread, and all transfers with it, waits for a name that nobody wants to know any more.
        ccurl_set_number(easy, CURLOPT_QUICK_EXIT, 1)
        ccurl_set_number(easy, CURLOPT_BUFFERSIZE, Self.bufferSize)
        // Without it libcurl undoes codings that nobody asked for. Chunks have an option of their own, which stays on:
        // libcurl takes them apart.
        ccurl_set_number(easy, CURLOPT_HTTP_CONTENT_DECODING, 0)
        ccurl_set_number(easy, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS)
        try Self.require(ccurl_set_text(easy, CURLOPT_PROTOCOLS_STR, "http,https"))
        try setGates(context)
    }

    /// Has each address judged before a connection is opened to it, and before each request on a connection: what one
    /// request was allowed to open is there for others.
    private func setGates(_ context: UnsafeMutableRawPointer) throws(ImageError) {
        ccurl_set_pointer(easy, CURLOPT_OPENSOCKETDATA, context)
        let code = ccurl_set_socket_opener(easy) { context, _, address in
            guard let address, let exchange = CurlHandle.exchange(of: context), exchange.mayConnect(to: address) else {
                return CURL_SOCKET_BAD
            }
            return ccurl_open_socket(address)
        }
        try Self.require(code)
        ccurl_set_pointer(easy, CURLOPT_PREREQDATA, context)
        let requestCode = ccurl_set_request_gate(easy) { context, address, _, port, _ in
            guard let address, let exchange = CurlHandle.exchange(of: context) else { return CURL_PREREQFUNC_ABORT }
            return exchange.maySend(to: address, port: port) ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
        }
        try Self.require(requestCode)
    }

    private func setHostAddresses(_ entries: [String]) throws(ImageError) {
        guard !entries.isEmpty else { return }
        for entry in entries {
            guard let longer = curl_slist_append(hostList, entry) else { throw .noMemoryForCurl }
            hostList = longer
        }
        try Self.require(ccurl_set_pointer(easy, CURLOPT_RESOLVE, hostList))
    }

    private func setTrust() throws(ImageError) {
        ccurl_set_number(easy, CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
        guard let authorities else { return }
        try Self.require(ccurl_set_text(easy, CURLOPT_CAINFO, authorities))
        // The directory of the system's would be trusted as well.
        ccurl_set_text(easy, CURLOPT_CAPATH, nil)
        // Without it libcurl keeps what it has read for a day, and goes on trusting what was taken out of the file.
        ccurl_set_number(easy, CURLOPT_CA_CACHE_TIMEOUT, 0)
    }

    /// Freeing 64 KiB makes glibc's allocator tidy up all that is free, for each transfer again.
    ///
    /// It is also what libcurl holds at most of a paused transfer that has its connection to itself.
    static let bufferSize = 60 << 10

    func number(_ info: CURLINFO) -> Int { ccurl_number(easy, info) }

    func offset(_ info: CURLINFO) -> Int { Int(ccurl_offset(easy, info)) }

    func time(_ info: CURLINFO) -> Duration { .microseconds(ccurl_offset(easy, info)) }

    func text(_ info: CURLINFO) -> String? { ccurl_text(easy, info).map { String(cString: $0) } }
}
#endif
