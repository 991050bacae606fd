#if HTTP
import CCurlShim
import Calotype

/// A libcurl handle, which serves one transfer at a time. Used only on one thread.
///
/// Every option that depends on the request must be set for each request, because a reused handle keeps its options.
final class CurlHandle {
    /// Whether handles may be reused for other transfers. False before libcurl 8.1.0.
    ///
    /// When a handle is reused, older versions free the headers of the last response, but keep a pointer to its last
    /// header. libcurl writes to that pointer if the first header of the next response begins with a blank.
    static let canBeUsedAgain = ccurl_version_number() >= 0x08_01_00

    let easy: UnsafeMutableRawPointer
    /// The path of the file with the trusted certificates; nil for the system's certificates. A handle cannot change
    /// the path, because libcurl cannot return to the system's certificates.
    let authorities: String?
    /// The exchange that uses the handle; nil if the handle is idle.
    var exchange: CurlExchange?
    /// The memory for libcurl's error message.
    let message = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
    /// The list of host addresses that libcurl uses without asking the resolver; nil for none.
    private var hostList: UnsafeMutablePointer<curl_slist>?

    /// Creates a handle. `hostAddresses` has the format of `CURLOPT_RESOLVE`.
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

    /// Returns the exchange that uses a handle; nil if the handle is idle. `context` points to the handle.
    static func exchange(of context: UnsafeMutableRawPointer?) -> CurlExchange? {
        Unmanaged<CurlHandle>.fromOpaque(context!)._withUnsafeGuaranteedRef { $0.exchange }
    }

    /// Throws an error if libcurl did not accept a required option.
    static func require(_ code: CURLcode) throws(ImageError) {
        guard code != CURLE_OK else { return }
        throw code == CURLE_OUT_OF_MEMORY
            ? .noMemoryForCurl
            : ImageError(
                .loadFailed, stage: .load, message: "libcurl does not accept a required option",
                advice: "install a newer version of libcurl", cause: CurlFailure(code))
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
        // The headers of a proxy do not belong to the response.
        ccurl_set_number(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        // Otherwise libcurl changes signal handlers of the whole process.
        ccurl_set_number(easy, CURLOPT_NOSIGNAL, 1)
        // Otherwise the thread, with all transfers, waits for a name lookup that is no longer needed.
        ccurl_set_number(easy, CURLOPT_QUICK_EXIT, 1)
        ccurl_set_number(easy, CURLOPT_BUFFERSIZE, Self.bufferSize)
        // Otherwise libcurl decodes content codings that were not requested. libcurl still decodes chunks, for which
        // there is a separate option.
        ccurl_set_number(easy, CURLOPT_HTTP_CONTENT_DECODING, 0)
        ccurl_set_number(easy, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS)
        try Self.require(ccurl_set_text(easy, CURLOPT_PROTOCOLS_STR, "http,https"))
        try setGates(context)
    }

    /// Registers the callbacks that check the address of each new connection and of each request. Requests are checked
    /// because a connection may have been opened by a request with another address policy.
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
        // Otherwise the system's directory of certificates would be trusted too.
        ccurl_set_text(easy, CURLOPT_CAPATH, nil)
        // Otherwise libcurl caches the file for a day and still trusts certificates that were removed from it.
        ccurl_set_number(easy, CURLOPT_CA_CACHE_TIMEOUT, 0)
    }

    /// The size of the receive buffer in bytes: 60 KiB. The size must stay below 64 KiB, because freeing 64 KiB or more
    /// makes glibc's allocator consolidate free memory after each transfer.
    static let bufferSize = 60 << 10

    func number(_ info: CURLINFO) -> Int { ccurl_number(easy, info) }

    func offset(_ info: CURLINFO) -> Int { Int(ccurl_offset(easy, info)) }

    func time(_ info: CURLINFO) -> Duration { .microseconds(ccurl_offset(easy, info)) }

    func text(_ info: CURLINFO) -> String? { ccurl_text(easy, info).map { String(cString: $0) } }
}
#endif
